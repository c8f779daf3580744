"""What the game master does on the pages: makes the game and invites; and the hour.

To be run as a process of its own beside the site, with the site's settings in its environment.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import django

django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from talleyrand.web.accounts.models import Person  # noqa: E402
from talleyrand.web.games.models import Game  # noqa: E402
from tests.web.mail.year.people import LOST, MASTER, PEOPLE  # noqa: E402

PSEUDONYM = "Recteur"


def _client() -> Client:
    client = Client()
    person = Person.objects.get(name=PSEUDONYM)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def found() -> str:
    """Make the game by its preset, but let it wait for its game master; invite the seven and one whom no mail
    reaches; gives its key.
    """
    person = Person.objects.create(name=PSEUDONYM, language=MASTER.language, time_zone="America/St_Johns")
    EmailAddress.objects.create(user=person, email=MASTER.address, verified=True, primary=True)
    client = _client()
    where = reverse("games:new")
    page = client.post(where, {"name": "La table ronde", "fill": "post"})
    sent: dict[str, Any] = {"name": "La table ronde", "part": page.context["part"].value}
    for group in page.context["groups"]:
        sent |= {item.name: item.value for item in group.items}
    sent["absent"] = "wait"
    dates = page.context["rhythm"]
    sent |= {f"dates-{name}": dates[name].value() for name in dates.fields if dates[name].value() is not None}
    assert client.post(where, sent).status_code == 302
    key = Game.objects.get().key
    for language, besides in (("fr", LOST), ("en", "")):
        typed = "\n".join([*(one.address for one in PEOPLE if one.language == language), besides])
        answer = client.post(reverse("mail:invite", args=[key]), {"addresses": typed, "language": language})
        assert answer.status_code == 302, answer.content.decode()
    return key


def strike() -> None:
    """The hour of the deadline comes."""
    Game.objects.update(deadline=timezone.now(), next_check_at=timezone.now())


def told() -> dict[str, Any]:
    """The phases with their sheets, how the sheets came, how it ended, and who has signed in on the site."""
    game = Game.objects.get()
    published = game.revisions.filter(is_current=True, phase_number__gt=0).order_by("phase_number")
    return {
        "phases": [[one.phase, one.order_lines] for one in published],
        "origins": list(game.sheets.values_list("origin", flat=True)),
        "result": game.result,
        "signed_in": list(Person.objects.exclude(last_login=None).values_list("name", flat=True)),
    }


if __name__ == "__main__":
    setup_test_environment()
    acts: dict[str, Callable[..., Any]] = {one.__name__: one for one in (found, strike, told)}
    print(json.dumps(acts[sys.argv[1]](*sys.argv[2:])))
