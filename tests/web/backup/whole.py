"""A whole site, with a row in each of its tables, and all that its exports tell of it.

To be run as a process of its own, the site's settings in its environment: `make` or `tell`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]
RUN = "import django; django.setup(); from tests.web.backup import whole; whole.{}()"
VARIABLES = {
    "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
    "TALLEYRAND_SMTP": "smtp://127.0.0.1:9?tls=none",
    "TALLEYRAND_MAIL_FROM": "Talleyrand <site@exemple.org>",
    "TALLEYRAND_MAIL_DOMAIN": "jeu.exemple.org",
}
LOOKERS = ("Flora", "Gaspard", "Maëlle", "Sylvain")
TEXT = "é\u202f😀 'x' \\ \"y\" %s\n\t"


def environment(folder: Path, database: str = "") -> dict[str, str]:
    """The settings of a site, by the address of its PostgreSQL if it has one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    return {**kept, **VARIABLES, "TALLEYRAND_DATA": str(folder), "TALLEYRAND_DATABASE": database}


def made(folder: Path) -> Path:
    """A whole site in a data folder, which may be prepared."""
    _ran("make", environment(folder))
    return folder


def told(folder: Path, database: str = "") -> Any:
    """What its exports tell, by person and address; sessions and key are those of the site."""
    return json.loads(_ran("tell", environment(folder, database)))


def _ran(what: str, variables: dict[str, str]) -> str:
    command = [sys.executable, "-c", RUN.format(what)]
    ran = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


# in the process of its own


def make() -> None:
    from django.conf import settings
    from django.test.utils import setup_test_environment

    from tests.e2e import scene

    setup_test_environment()  # mail stays here
    found = scene.told()
    _fill()
    _remove_the_last()
    told = {name: found[name] for name in ("keys", "tickets")}
    (settings.DATA / "told.json").write_text(json.dumps(told), "utf-8")


def _fill() -> None:
    """A row, with something odd in each field, for every table that has none."""
    from talleyrand.web.backup import table_rows

    for table in table_rows.lasting_tables():
        if not table_rows.count(table, "default"):
            fields = [
                field for field in table._meta.concrete_fields if not field.primary_key or _is_text(field)
            ]
            table(**{field.attname: _odd(field) for field in fields}).save_base(raw=True)


def _is_text(field: Any) -> bool:
    return str(field.get_internal_type()) == "CharField"


def _odd(field: Any) -> Any:
    from django.utils import timezone

    if field.is_relation:
        return field.related_model._base_manager.values_list("pk", flat=True).first()
    values = {
        "BinaryField": bytes(range(256)),
        "BooleanField": True,
        "DateTimeField": timezone.now().replace(microsecond=1),
        "DurationField": timedelta(days=40, microseconds=1),
        "JSONField": {"z": [1, None, {"é": "\0 is told in JSON"}], "a": 1.5, "": 2**60},
        "OrderedJSONField": {"z": [1, None, {"é": "\0 is told in JSON"}], "a": 1.5, "": 2**60},
        "TextField": TEXT,
    }
    kind = field.get_internal_type()
    return TEXT[: field.max_length] if kind == "CharField" else values.get(kind, 7)


def _remove_the_last() -> None:
    """The last number that a table of people gave is of somebody who is gone."""
    from tests.web import cast

    cast.person("Personne").delete()


def tell() -> None:
    from django.conf import settings
    from django.test import Client
    from django.test.utils import setup_test_environment

    setup_test_environment()
    scene = json.loads((settings.DATA / "told.json").read_text("utf-8"))
    found = _belongings()
    for name in LOOKERS:
        client = Client()
        client.cookies["sessionid"] = scene["tickets"][name]
        for path in _exports(scene["keys"].values()):
            answer = client.get(path)
            found[f"{name} {path}"] = [
                answer.status_code,
                answer.content.decode() if answer.status_code == 200 else "",
            ]
    print(json.dumps(found))


def _exports(keys: Any) -> list[str]:
    from django.urls import reverse

    return [
        *(reverse("games:record", args=[key, form]) for key in keys for form in ("json", "txt")),
        *(reverse("press:export", args=[key]) for key in keys),
        *(reverse("games:picture", args=[key, 1, "svg"]) for key in keys),
    ]


def _belongings() -> dict[str, Any]:
    """What each may take along of what the site keeps of him."""
    from talleyrand.web.accounts import personal_data
    from talleyrand.web.accounts.models import Person

    return {
        one.name: [200, json.dumps(personal_data.export_personal_data(one), default=str)]
        for one in Person.objects.all()
    }
