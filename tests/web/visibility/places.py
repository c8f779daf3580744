"""Every address that may show something of a game, found among those of the site."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from django.urls import resolve, reverse
from django.utils.translation import override

from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox
from talleyrand.web.onlookers.models import OnlookerComment
from talleyrand.web.press.models import Conversation, Message
from talleyrand.web.webhooks.models import Webhook
from tests import draws
from tests.web import cast
from tests.web.addresses import named_addresses

SPACES = (
    "accounts",
    "administration",
    "games",
    "home",
    "mail",
    "moderation",
    "notices",
    "onlookers",
    "press",
    "push",
    "signs",
    "watching",
    "webhooks",
)
# What changes something, or is no place of one game: each is asked elsewhere.
BESIDES = {"accounts:delete", "accounts:link", "notices:stream", "games:new", "games:dates"}
POWERS = ("ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")
# Where much of a game comes together.
MUCH = {
    "accounts:export",
    "games:game",
    "games:phase",
    "games:receipt",
    "games:record",
    "games:report",
    "games:scene",
    "games:table",
    "games:table_log",
    "press:export",
    "press:room",
    "press:rooms",
}
LISTED = ("svg", "json", "txt", "png", "apng", "pdf")


def every(game: Game) -> list[str]:
    """The addresses of all pages, feeds, exports and pictures, whoever may open them."""
    found = []
    with override("fr"):
        for name, arguments in named_addresses():
            if name.rpartition(":")[0] in SPACES and name not in BESIDES:
                found += [reverse(name, kwargs=values) for values in _values(game, arguments)]
    return list(dict.fromkeys(found))


def drawn(paths: list[str], draw: str, who: str, one_in: int = 6) -> list[str]:
    """What a reader looks at in a sample: one page of one kind in so many, and where much comes together.

    Where some readers look, each kind of page has its reader.
    """
    kinds: dict[str, list[str]] = {}
    for path in paths:
        kinds.setdefault(resolve(path).view_name, []).append(path)
    lots = {kind: draws.lot(draw, f"{who} {kind}") for kind in kinds}
    looked = [kind for kind, lot in lots.items() if kind in MUCH or lot % one_in == 0]
    return [kinds[kind][lots[kind] // one_in % len(kinds[kind])] for kind in looked]


def _values(game: Game, arguments: tuple[str, ...]) -> Iterator[dict[str, object]]:
    """Each value that an argument may have in this game; an argument that is new here fails."""
    found = [_value(game, name) for name in arguments]
    for several in itertools.product(*found):
        yield dict(zip(arguments, several, strict=True))


def _value(game: Game, name: str) -> list[object]:
    seats = list(game.seats.values_list("power", flat=True))
    kinds: dict[str, list[object]] = {
        "key": [game.key],
        "number": list(range(1, game.phase_number + 1)),
        "power": [one for one in POWERS if one in seats] or [*seats[-2:], "INDE"],
        "province": ["PAR"],
        "receipt": [*sorted(set(game.sheets.values_list("receipt_number", flat=True)))],
        "revision": [1],
        "form": list(LISTED),
        "kind": ["silent"],
        "paper": ["a4"],
        "variant": [game.variant],
        "room": list(Conversation.objects.filter(game=game).values_list("key", flat=True)),
        "letter": list(Message.objects.filter(conversation__game=game).values_list("key", flat=True)),
        "mailbox": [mailboxes.mailbox_alias(one) for one in Mailbox.objects.filter(game=game)[:3]],
        "pk": [1],
        "comment": list(OnlookerComment.objects.filter(game=game).values_list("pk", flat=True)) or [1],
        "report": ["zz-none"],  # with one: `web/moderation/test_desk`
        "name": [cast.STRANGER],  # of those who play, see `test_people`
        "hook": [Webhook.objects.get(person=cast.person("Flora")).key],
        "token": [calendar_feed.feed_token(cast.person("Flora"))],
    }
    return kinds[name]
