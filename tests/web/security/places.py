"""Every address of the site, whatever it is for, with values that lead somewhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from talleyrand.web.accounts import one_time_links
from talleyrand.web.accounts.models import OneTimeLink, Person
from talleyrand.web.conduct.models import Report, ReportReason
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.finding_models import PlayerGroup
from talleyrand.web.games.lobby import player_groups
from talleyrand.web.games.models import Gazette
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import Mailbox
from talleyrand.web.onlookers.models import OnlookerComment
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.press.models import Conversation, Message
from talleyrand.web.tournaments.circuit_pages import circuit_rows as seasons
from talleyrand.web.webhooks.models import Webhook
from tests import draws
from tests.web import cast
from tests.web.addresses import named_addresses
from tests.web.conftest import begin
from tests.web.tables import phones
from tests.web.tournaments.visibility import secrets
from tests.web.visibility.scene import MARKS, Scene

# A book printed takes a minute, a picture or a PDF a second: their heads are looked at apart.
SLOW = (".pdf", ".png")
# Who may do most in the game, and on the site.
CHIEF = cast.MASTER


@dataclass(frozen=True)
class Place:
    """An address and the name of its pattern."""

    name: str
    path: str

    @property
    def slow(self) -> bool:
        return self.path.endswith(SLOW)


def drawn(places: list[Place], draw: str, told: str, one_in: int) -> list[Place]:
    """One place in so many: others for other tests and people."""
    return [places[at] for at in draws.one_in(one_in, range(len(places)), draw, told)]


@dataclass
class Site:
    """A site, and its addresses."""

    scene: Scene
    practice: PracticeGame
    places: list[Place]

    def client(self, name: str = "", **options: Any) -> Client:
        """The browser of a visitor, or of somebody signed in."""
        client = Client(**options)
        if name:
            cast.signed_in_as(client, cast.person(name))
        return client

    def person(self, name: str) -> Person:
        return cast.person(name)


def site_with(scene: Scene) -> Site:
    """The game master of the scene is administrator too: to him nearly everything is open."""
    Person.objects.filter(name=CHIEF).update(is_administrator=True)
    site = Site(scene, begin(), [])
    values = {**_values(site), **_tournament(), **_table()}
    with override("fr"):
        site.places = [*_places(values)]
    return site


Values = dict[str, list[object]]
OF_A_VARIANT = (
    "variant_rules",
    "variant_rules_chapter",
    "variant_rules_pdf",
    "variant_demonstration",
    "variant_demonstration_picture",
)


def _places(values: Values) -> Iterator[Place]:
    for name, arguments in named_addresses():
        found = [_nearest(values, name, name.rpartition(":")[0], argument) for argument in arguments]
        for several in itertools.product(*found):
            yield Place(name, reverse(name, kwargs=dict(zip(arguments, several, strict=True))))


def _group() -> PlayerGroup:
    """A private group that Flora leads."""
    flora = cast.person("Flora")
    found = PlayerGroup.objects.filter(members__person=flora).first()
    return found or player_groups.create_group(flora, "Un groupe")


def _report() -> Report:
    """What Flora reported of Roman, of a game in which nobody else has been."""
    of = {"game_key": "zz-elsewhere", "game_name": "Ailleurs", "message_key": "zz"}
    line = {"signature": "Russie", "text": "Du vent", "at": "2026-03-02T12:00:00+00:00", "is_reported": True}
    people = {"reporter": cast.person("Flora"), "accused": cast.person("Roman")}
    told = {"reason": ReportReason.INSULT, "excerpt": [line]}
    return Report.objects.get_or_create(**of, **people, defaults=told)[0]


def _comment(scene: Scene) -> int:
    """One that Sylvain made on the game."""
    sylvain = cast.person("Sylvain")
    seen = {"phase_number": scene.game.phase_number, "phase": scene.game.phase, "text": "Joli coup."}
    of = {"game": scene.game, "person": sylvain, "key": "security"}
    return OnlookerComment.objects.get_or_create(**of, defaults=seen)[0].pk


def _nearest(values: Values, name: str, space: str, argument: str) -> list[object]:
    """What is said of an argument of this address, else of this part of the site, else of all."""
    keys = (f"{name}:{argument}", f"{space}:{argument}", argument)
    return next(values[key] for key in keys if key in values)


def _values(site: Site) -> Values:
    """What each argument may be, in one part of the site or in all; an argument that is new fails."""
    game, flora = site.scene.game, cast.person("Flora")
    return {
        "key": [game.key],
        "practice:key": [site.practice.key],
        "practice:imported:key": ["zz-nobodys-file"],
        "shared": [site.practice.shared_key],
        "number": [1],
        "games:number": [1, 2],
        "power": ["FRANCE"],
        "province": ["PAR"],
        "variant": ["classic"],
        "comment": [_comment(site.scene)],
        "receipt": [game.sheets.values_list("receipt_number", flat=True)[0]],
        "kind": ["silent"],
        "games:group:key": [_group().key],
        "games:group_door:token": [_group().token],
        "revision": [1],
        "form": ["svg", "json", "txt", "pdf", "png"],
        "paper": ["a4"],
        "room": [_first(Conversation.objects.filter(game=game))],
        "letter": [_first(Message.objects.filter(conversation__game=game))],
        "mailbox": [mailboxes.mailbox_alias(Mailbox.objects.filter(game=game)[0])],
        "games:pk": [Gazette.objects.get(game=game).pk],
        "token": [MARKS["invitation"]],
        "accounts:token": [one_time_links.make_link(one_time_links.Kind.ACCOUNT, "security")],
        "mfa_remove_webauthn:pk": [1],
        "accounts:pk": [OneTimeLink.objects.get(submission_id="security").pk],
        "games:feed:token": [calendar_feed.feed_token(flora)],
        "games:feed_of_game:token": [calendar_feed.feed_token(flora)],
        "report": [_report().key],
        "hook": [Webhook.objects.get(person=cast.person(CHIEF)).key],
        "api:token": [1],
        "rest": [f"games/{game.key}", "openapi.json"],
        "uidb36": ["1"],
        ":key": ["cx4r2f-0"],
        "book": ["anjou_feu"],
        "chapter": ["mouvements"],
        "board": ["1"],
        "option": ["convoy_paradox"],
        "name": ["classic"],
        "library:variant_rules_chapter:chapter": ["votes", "nothing"],
        "library:course": ["diplomatie_2000", "nowhere"],
        "library:picture": ["orders", "nothing"],
        **{f"library:{page}:name": ["diplomatie_2000", "classic"] for page in OF_A_VARIANT},
    }


def _tournament() -> Values:
    """A tournament and a season of the same chief."""
    made = secrets.tournament()
    season = seasons.create_circuit("Tour de France", cast.person(CHIEF), "security")
    of_season = ("season", "season_winners", "season_statistics", "season_keep", "season_people")
    return {
        "tournaments:key": [made.key],
        **{f"tournaments:{name}:key": [season.key] for name in of_season},
        "tournaments:number": [1],
        "tournaments:part": [1],
        "tournaments:desk_draw:number": [3],
        "tournaments:desk_numbers:number": [3],
        "person": [1],
        "tournaments:board": [1],
        "vote": [1],
        "entry": [1],
        "held": ["zz-pass-of-the-player"],
        "photo": ["zz-photo-of-the-board"],
        "sign": ["1:zz-nobodys-sign"],
        "tournaments:name": ["clock", "standings"],
        "what": ["standings", "event"],
    }


def _table() -> Values:
    """A table that waits for its phones."""
    opened, _laptop = phones.open_table()
    return {
        "tables:key": [opened.game.key],
        "code": [opened.code],
        "tables:number": [1],
        "class_key": ["zz-no-class"],
        "tables:reading:act": ["next"],
        "act": ["ring-bell", "tear"],
        "tables:token": [opened.players.get(number=1).seat_token],
    }


def _first(found: Any) -> str:
    return str(found.values_list("key", flat=True)[0])
