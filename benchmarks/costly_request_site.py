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
    from talleyrand.web.api import api_tokens
    from talleyrand.web.api.scopes import Scope
    from talleyrand.web.games.deadlines import calendar_feed
    from talleyrand.web.mail import mailboxes
    from talleyrand.web.mail.models import MailboxPurpose
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
        shared=long.shared_key,
        table=table.key,
        tournament=_tournament(),
        cookies={name: _cookies(name) for name in ("Flora", "Maëlle")},
        token=api_tokens.make_token(flora, "essai", list(Scope), 7, "a submission", now),
        mail=mailboxes.mailbox_address(mailboxes.get_mailbox(MailboxPurpose.ORDERS, table, flora, "FRANCE")),
        calendar=calendar_feed.feed_token(flora),
    )


def _practice(asked: dict[str, Any]) -> str:
    """A practice game at a position, its orders in preparation."""
    from talleyrand import variants
    from talleyrand.web.practice import practice_games, practice_records

    start = practice_records.initial_position(variants.load(asked["variant"]))
    if "units" in asked:
        start = {"phase": asked["phase"], "units": asked["units"]}
    game = practice_games.create_practice_game(asked["variant"], asked["rulebook"], start, "")
    game.draft_orders = asked.get("orders", {})
    game.save()
    return game.key


def _long() -> Any:
    """A game of many phases."""
    import json

    from talleyrand.web.practice import practice_records, start_views

    return start_views.create_imported_game(practice_records.import_game(json.dumps(long_record(PHASES))), "")


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
    from .load_tournament import prepared as event

    return event(210, 1901)[0].key


def _cookies(name: str) -> dict[str, str]:
    from tests.web import cast

    return {key: one.value for key, one in cast.client_of(name).cookies.items()}
