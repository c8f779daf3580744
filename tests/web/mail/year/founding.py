"""What the game master does on the pages before the year begins: he makes the game, invites, begins.

To be run as a process of its own beside the site, with the site's settings in its environment.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import django

django.setup()

from allauth.account.models import EmailAddress  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from talleyrand.web.accounts.models import Person  # noqa: E402
from talleyrand.web.games.models import Game  # noqa: E402
from tests.web.mail.year.people import MASTER, PEOPLE  # noqa: E402

PSEUDONYM = "Recteur"


def _client() -> Client:
    client = Client()
    person = Person.objects.get(name=PSEUDONYM)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def found() -> str:
    """Make the game by its preset and invite the seven; gives its key."""
    person = Person.objects.create(name=PSEUDONYM, language=MASTER.language, time_zone="America/St_Johns")
    EmailAddress.objects.create(user=person, email=MASTER.address, verified=True, primary=True)
    client = _client()
    where = reverse("games:new")
    page = client.post(where, {"name": "La table ronde", "fill": "post"})
    sent: dict[str, Any] = {"name": "La table ronde", "part": page.context["part"].value}
    for group in page.context["groups"]:
        sent |= {item.name: item.value for item in group.items}
    dates = page.context["rhythm"]
    sent |= {f"dates-{name}": dates[name].value() for name in dates.fields if dates[name].value() is not None}
    assert client.post(where, sent).status_code == 302
    key = Game.objects.get().key
    for language in ("fr", "en"):
        typed = "\n".join(one.address for one in PEOPLE if one.language == language)
        answer = client.post(reverse("mail:invite", args=[key]), {"addresses": typed, "language": language})
        assert answer.status_code == 302, answer.content.decode()
    return key


def begin() -> str:
    """Draw the powers by lot and begin; gives the state."""
    game = Game.objects.get()
    _client().post(reverse("games:table_begin", args=[game.key]))
    game.refresh_from_db()
    return str(game.state)


def told() -> dict[str, Any]:
    """The phases with their sheets, and how the sheets came."""
    game = Game.objects.get()
    published = game.revisions.filter(is_current=True, phase_number__gt=0).order_by("phase_number")
    return {
        "phases": [[one.phase, one.order_lines] for one in published],
        "origins": list(game.sheets.values_list("origin", flat=True)),
        "after": published.last().next_situation,  # type: ignore[union-attr]
    }


if __name__ == "__main__":
    setup_test_environment()
    print(json.dumps({"found": found, "begin": begin, "told": told}[sys.argv[1]]()))
