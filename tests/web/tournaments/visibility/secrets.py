"""A tournament with a secret in each place where one may hide, and whose business each is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.test import Client
from django.utils import timezone

from talleyrand.tournament import invariants
from talleyrand.tournament.acts.people_acts import ChangePerson
from talleyrand.tournament.model import (
    Announcement,
    BoardResult,
    DirectorRuling,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    PowerSeat,
    PrivateFacts,
    RoundState,
)
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_creation
from talleyrand.web.tournaments.models import (
    AccessToken,
    BoardPhoto,
    Tournament,
    TournamentMembership,
    TournamentRole,
)
from tests.web import cast
from tests.web.built_once import built_once
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
    known = PrivateFacts("1931-02-03", "zz-mail@exemple.fr", "zz-0600000000", "zz-note", due="87654321")
    people = {number: EventPerson(name, rounds=(1, 2, 3)) for number, name in enumerate(scene.NAMES[:9], 1)}
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
            4: EventRound(),
        },
        rulings={1: DirectorRuling("2026-07-03T20:00:00+00:00", "zz-ruling", 1, 1)},
    )


def _result(*centres: int) -> BoardResult:
    return BoardResult(dict(zip(POWERS, centres, strict=True)), confirmed="desk")


def _round(state: RoundState, people: range, result: BoardResult | None, place: str = "") -> EventRound:
    seats = {power: PowerSeat(who) for power, who in zip(POWERS, people, strict=True)}
    present = dict.fromkeys(people, "2026-07-03T19:00:00+00:00")
    return EventRound(state, present=present, boards={1: EventBoard(seats=seats, place=place, result=result)})


@built_once
def tournament(*, listed: bool = True) -> Tournament:
    """Kept on the site, with a pass for each of its readers and something in its log."""
    invariants.check_invariants(event())
    made = tournament_creation.create_tournament(event(), scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=listed)
    TournamentMembership.objects.create(
        tournament=made, account=cast.person(cast.ASSISTANT), role=TournamentRole.ASSISTANT
    )
    AccessToken.objects.create(tournament=made, person_number=1, token="zz-pass-of-the-player")
    photo = {"key": "zz-photo-of-the-board", "content_digest": "", "content": b"zz", "width": 4, "height": 3}
    BoardPhoto.objects.create(
        tournament=made, round_number=1, board_number=1, sent_at=timezone.now(), **photo
    )
    event_journal.perform_acts(
        made, [ChangePerson(5, replace(event().people[5], club="Nantes"))], event_journal.JournalActor()
    )
    tournament_creation.create_tournament(replace(event(), name="Autres actions"), cast.person("Edmond"))
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
            session[access_tokens.TOKENS_SESSION_KEY] = {
                made.key: access_tokens.token_of(made, held[who]).token
            }
            session.save()
        yield who, client
    access_tokens.release_person(made, RELEASED)
