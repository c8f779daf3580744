"""A site with somebody and something of everything, for requests that want to cost it dearly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.formats import crowds

BOARD_LINES = 384
PHASES = 60


@dataclass(frozen=True)
class Scene:
    """What hostile requests name: keys of games, cookies of people, a token, an address of mail."""

    crowded: str
    contradictory: str
    composed: str
    long: str
    shared: str
    table: str
    tournament: str
    cookies: dict[str, dict[str, str]]
    token: str
    mail: str
    calendar: str


def prepared() -> Scene:
    """The site of the settings, its database made; to be called before it serves."""
    from django.core.management import call_command
    from django.utils import timezone

    call_command("migrate", verbosity=0, skip_checks=True)
    from talleyrand.web.api import tokens
    from talleyrand.web.api.scopes import Scope
    from talleyrand.web.games.deadlines import feed
    from talleyrand.web.mail import addressing
    from talleyrand.web.mail.models import Door
    from tests.web import cast

    table = cast.table()
    flora = cast.person("Flora")
    now = timezone.now()
    long = _long()
    return Scene(
        crowded=_practice(crowds.full_board(1)),
        contradictory=_practice(crowds.contradictions(1, BOARD_LINES)),
        composed=_practice({"variant": "classic", "rulebook": "datc"}),
        long=long.key,
        shared=long.shared,
        table=table.key,
        tournament=_tournament(),
        cookies={name: _cookies(name) for name in ("Flora", "Maëlle")},
        token=tokens.make(flora, "essai", list(Scope), 7, "a submission", now),
        mail=addressing.address(addressing.mailbox(Door.ORDERS, table, flora, "FRANCE")),
        calendar=feed.token(flora),
    )


def _practice(asked: dict[str, Any]) -> str:
    """A practice game at a position, its orders in preparation."""
    from talleyrand import variants
    from talleyrand.web.practice import games, records

    start = records.first_position(variants.load(asked["variant"]))
    if "units" in asked:
        start = {"phase": asked["phase"], "units": asked["units"]}
    game = games.create(asked["variant"], asked["rulebook"], start, "")
    game.draft = asked.get("orders", {})
    game.save()
    return game.key


def _long() -> Any:
    """A game of many phases."""
    import json

    from talleyrand.web.practice import records, starts

    return starts.begin(records.bring(json.dumps(long_record(PHASES))), "")


def long_record(phases: int) -> dict[str, Any]:
    """So many phases in which nobody does anything."""
    seasons = [f"{season}{year}M" for year in range(1901, 1901 + phases) for season in ("S", "F")]
    return {
        "talleyrand": 1,
        "variant": "classic",
        "rulebook": "datc",
        "phases": [{"phase": phase, "orders": {"FRANCE": ["A Par H"]}} for phase in seasons[:phases]],
    }


def _tournament() -> str:
    from .storm_room import prepared as event

    return event(210, 1901)[0].key


def _cookies(name: str) -> dict[str, str]:
    from tests.web import cast

    return {key: one.value for key, one in cast.client_of(name).cookies.items()}
