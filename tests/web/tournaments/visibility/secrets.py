"""A tournament with a secret in each place where one may hide, and whose business each is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.test import Client
from django.utils import timezone

from talleyrand.tournament import soundness
from talleyrand.tournament.acts.people import ChangePerson
from talleyrand.tournament.model import (
    Announcement,
    Board,
    Event,
    Person,
    Private,
    Result,
    Round,
    RoundState,
    Ruling,
    Seat,
)
from talleyrand.web.tournaments import journal, making, passes
from talleyrand.web.tournaments.models import Membership, Pass, Photo, Role, Tournament
from tests.web import cast
from tests.web.tournaments import scene

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
OTHER, RELEASED = 2, 3  # of the event; the player who looks is 1
AT_DESK = {"director", "assistant"}
SAMPLE = ("visitor", "player", "other", "released", "director")  # who looks without `--full`
READERS = ("visitor", "stranger", "player", "other", "released", "assistant", "director", "elsewhere")

# Each secret by the marks that betray it, and who may see it beside the desk.
SECRETS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "mail": (("zz-mail@exemple.fr",), {"player"}),
    "phone": (("zz-0600000000",), {"player"}),
    "born": (("1931-02-03", "3 février 1931"), {"player"}),
    "note": (("zz-note",), set()),
    "due": (("87654321",), {"player"}),
    "journey": (("76543219",), {"player"}),
    "pass": (("zz-pass-of-the-player",), {"player"}),
    "photo": (("zz-photo-of-the-board",), {"player", "other"}),
    "draft": (("zz-draft-board",), set()),
    "ruling": (("zz-ruling",), set()),
    "hidden score": (("70,143", "70.143"), {"other"}),
    "seed": (("zz-seed",), set()),
}


def event() -> Event:
    """Three rounds: played, hidden, and a draft; nine people, of whom one has everything to hide."""
    known = Private("1931-02-03", "zz-mail@exemple.fr", "zz-0600000000", "zz-note", due="87654321")
    people = {number: Person(name, rounds=(1, 2, 3)) for number, name in enumerate(scene.NAMES[:9], 1)}
    people[1] = replace(people[1], private=known, minutes=76543219)
    even, hidden = _result(5, 5, 5, 5, 5, 5, 4), _result(17, 10, 3, 2, 1, 1, 0)
    return Event(
        "Angers 2026",
        seed="zz-seed",
        announcement=Announcement(place="Angers", opens="2026-07-03", ends="2026-07-05"),
        people=people,
        rounds={
            1: _round(RoundState.CLOSED, range(1, 8), even),
            2: replace(_round(RoundState.CLOSED, range(2, 9), hidden), revealed=False),
            3: _round(RoundState.DRAFT, range(1, 8), None, place="zz-draft-board"),
            4: Round(),
        },
        rulings={1: Ruling("2026-07-03T20:00:00+00:00", "zz-ruling", 1, 1)},
    )


def _result(*centres: int) -> Result:
    return Result(dict(zip(POWERS, centres, strict=True)), confirmed="desk")


def _round(state: RoundState, people: range, result: Result | None, place: str = "") -> Round:
    seats = {power: Seat(who) for power, who in zip(POWERS, people, strict=True)}
    present = dict.fromkeys(people, "2026-07-03T19:00:00+00:00")
    return Round(state, present=present, boards={1: Board(seats=seats, place=place, result=result)})


def tournament(*, listed: bool = True) -> Tournament:
    """Kept on the site, with a pass for each of its readers and something in its log."""
    soundness.check(event())
    made = making.make(event(), scene.director())
    Tournament.objects.filter(pk=made.pk).update(listed=listed)
    Membership.objects.create(tournament=made, account=cast.person(cast.ASSISTANT), role=Role.ASSISTANT)
    Pass.objects.create(tournament=made, number=1, key="zz-pass-of-the-player")
    photo = {"key": "zz-photo-of-the-board", "mark": "", "content": b"zz", "width": 4, "height": 3}
    Photo.objects.create(tournament=made, round=1, board=1, at=timezone.now(), **photo)
    journal.perform(made, [ChangePerson(5, replace(event().people[5], club="Nantes"))], journal.By())
    making.make(replace(event(), name="Ailleurs"), cast.person("Edmond"))
    return Tournament.objects.get(pk=made.pk)


def clients(made: Tournament) -> Iterator[tuple[str, Client]]:
    """A browser for each reader; `released` had a pass that is no longer his."""
    accounts = {
        "visitor": "",
        "stranger": cast.STRANGER,
        "player": "",
        "other": "",
        "released": "",
        "assistant": cast.ASSISTANT,
        "director": cast.MASTER,
        "elsewhere": "Edmond",
    }
    held = {"player": 1, "other": OTHER, "released": RELEASED}
    for who, name in accounts.items():
        client = cast.client_of(name) if name else Client()
        if who in held:
            session = client.session
            session[passes.SESSION] = {made.key: passes.of(made, held[who]).key}
            session.save()
        yield who, client
    passes.release(made, RELEASED)
