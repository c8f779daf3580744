"""A community for the storm: games that were really played, and who sits at them, written in bulk.

To be used once Django is set up. The games are played by `played` before any database is there.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from random import Random
from typing import Any

from talleyrand import variants
from talleyrand.formats import question_input
from talleyrand.formats.position_json import write_position
from tests.peers.positions import orders

from . import sample_positions

VARIANT, BOOK = "classic", "anjou_feu"
LAST = 1904  # of each game the movement phases until then are storm-tossed
GAMES_A_PERSON = 4
AT_TABLE = 8  # seven players and a game master
OPENED = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
Json = dict[str, Any]
Sheets = dict[str, list[str]]


@dataclass(frozen=True)
class Played:
    """A phase: what it began with, the sheets of all powers, the judge's answer, and what follows."""

    situation: Json
    sheets: Sheets
    answer: Json
    after: Json | None

    @property
    def phase(self) -> str:
        return str(self.situation["phase"])


def histories(count: int, seed: int) -> list[list[Played]]:
    """So many games, each with a seed of its own; on every core, since each phase is judged for real."""
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(_played, [f"{seed}/{number}" for number in range(count)]))


def long_history(seed: int, last: int) -> list[Played]:
    """One game to the end of a later year."""
    return _played(f"{seed}/long", last)


def _played(seed: str, last: int = LAST) -> list[Played]:
    from talleyrand.web.boards import adjudicator

    lot, variant = Random(seed), variants.load(VARIANT)
    situation: Json | None = dict(write_position(variant.definition.start, variant.board))
    found: list[Played] = []
    while situation is not None and int(str(situation["phase"])[1:-1]) <= last:
        question = adjudicator.make_question(VARIANT, BOOK, seed, situation)
        sheets = _sheets(question, lot)
        answer = adjudicator.adjudicate(question, sheets)
        after = adjudicator.situation_after(question, answer)
        found.append(Played(situation, sheets, answer, after))
        situation = after
    return found


def _sheets(question: Json, lot: Random) -> Sheets:
    """What seven people write who all want centres."""
    position = question_input.read_question(question).position
    board = variants.load(VARIANT).board
    if position.phase.kind == "M":
        given: dict[tuple[str, str], Any] = dict(orders(board, position, lot, board.centres))
    else:
        given = sample_positions.chosen(position, lot)
    return {
        power: [str(order) for (whose, _), order in given.items() if whose == power] for power in board.powers
    }


def moments(played: list[list[Played]]) -> list[tuple[int, int]]:
    """History and number of every movement phase, those of one year after those of another."""
    found = [
        (history, number)
        for history, phases in enumerate(played)
        for number, one in enumerate(phases, 1)
        if one.phase.endswith("M")
    ]
    return sorted(found, key=lambda one: (one[1], one[0]))


# in the database


@dataclass
class Community:
    """Games of seven and the people who play them; `expected` is what each game's open phase comes to."""

    seed: int
    played: list[list[Played]]

    def __post_init__(self) -> None:
        self.lot = Random(f"{self.seed}/seats")
        self.expected: dict[int, tuple[int, Played]] = {}
        self.groups: list[list[int]] = []

    def settle(self, sizes: list[int]) -> None:
        """Make groups of so many games each, every open phase with the sheets of seven people."""
        people = self._people(sum(sizes))
        for size in sizes:
            chosen = self.lot.sample(moments(self.played), size)
            self.groups.append(self._games(chosen, people))

    def _people(self, games: int) -> list[Any]:
        from django.contrib.auth.hashers import make_password

        from talleyrand.web.accounts.models import Person, folded_name

        password, count = make_password("un mot de passe assez long"), max(8, games * 7 // GAMES_A_PERSON)
        names = [f"Joueur {number}" for number in range(count)]
        rows = [Person(name=name, folded_name=folded_name(name), password=password) for name in names]
        return Person.objects.bulk_create(rows, batch_size=500)

    def _games(self, chosen: list[tuple[int, int]], people: list[Any]) -> list[int]:
        from talleyrand.web.games.models import Game

        rows = [self._game(history, number) for history, number in chosen]
        made = Game.objects.bulk_create(rows, batch_size=200)
        for game, (history, number) in zip(made, chosen, strict=True):
            self.expected[game.pk] = (number, self.played[history][number - 1])
        self._seat(made, people)
        self._write(made, chosen)
        return [game.pk for game in made]

    def _game(self, history: int, number: int) -> Any:
        from talleyrand.web.games.deadlines import DeadlineSettings
        from talleyrand.web.games.game_settings import GameSettings
        from talleyrand.web.games.models import Game, GameState

        phase = self.played[history][number - 1].phase
        return Game(
            name=f"Tempête {history}-{number}",
            variant=VARIANT,
            rulebook=BOOK,
            seed=f"{self.seed}/{history}",
            settings_json=GameSettings(rhythm=DeadlineSettings().as_json()).as_json(),
            state=GameState.PLAYING,
            phase_number=number,
            phase=phase,
            phase_opened_at=OPENED,
            started_at=OPENED,
            receipt_count=7,
        )

    def _seat(self, games: list[Any], people: list[Any]) -> None:
        """Seven players and a game master for each, nobody twice in one game."""
        from talleyrand.web.games.models import GameMembership, GameRole, GameSeat, PowerAssignment

        powers = variants.load(VARIANT).board.powers
        members, seats, tenures = [], [], []
        for game in games:
            drawn = self.lot.sample(people, 8)
            members.append(GameMembership(game=game, person=drawn[7], role=GameRole.GAME_MASTER))
            for power, person in zip(powers, drawn, strict=False):
                members.append(GameMembership(game=game, person=person, role=GameRole.PLAYER))
                seats.append(GameSeat(game=game, power=power))
                tenures.append((len(seats) - 1, person))
        GameMembership.objects.bulk_create(members, batch_size=500)
        made = GameSeat.objects.bulk_create(seats, batch_size=500)
        rows = [PowerAssignment(seat=made[place], person=person) for place, person in tenures]
        PowerAssignment.objects.bulk_create(rows, batch_size=500)

    def _write(self, games: list[Any], chosen: list[tuple[int, int]]) -> None:
        """The phases published so far, and the sheets of the open one."""
        from talleyrand.web.games.models import OrderSet, PhaseRevision

        told = zip(games, chosen, strict=True)
        both = [(game, history, number) for game, (history, number) in told]
        revisions = (row for game, history, number in both for row in self._revisions(game, history, number))
        while batch := list(islice(revisions, 200)):
            PhaseRevision.objects.bulk_create(batch)
        sheets = (row for game, history, number in both for row in self._sheets(game, history, number))
        while rows := list(islice(sheets, 500)):
            OrderSet.objects.bulk_create(rows)

    def _revisions(self, game: Any, history: int, number: int) -> list[Any]:
        from talleyrand.web.games.models import PhaseRevision

        phases = self.played[history]
        start = PhaseRevision(
            game=game, phase_number=0, revision=1, kind="start", digest="", next_situation=phases[0].situation
        )
        return [start] + [
            PhaseRevision(
                game=game,
                phase_number=place,
                revision=1,
                kind="adjudication",
                phase=one.phase,
                situation=one.situation,
                order_lines=one.sheets,
                digest="",
                answer=one.answer,
                next_situation=one.after,
            )
            for place, one in enumerate(phases[: number - 1], 1)
        ]

    def _sheets(self, game: Any, history: int, number: int) -> list[Any]:
        from talleyrand.web.games import order_submission
        from talleyrand.web.games.models import OrderSet

        return [
            OrderSet(
                game=game,
                phase_number=number,
                power=power,
                receipt_number=1,
                idempotency_key=f"storm-{power}",
                lines=lines,
                digest=order_submission.order_set_digest(game, power, lines),
                origin="map",
                received_at=OPENED,
            )
            for power, lines in self.played[history][number - 1].sheets.items()
        ]


def wrong(community: Community, group: list[int]) -> list[str]:
    """What is not as it has to be: each published once, told once to each, and as the judge alone says."""
    from talleyrand.web.games.models import Game, PhaseRevision
    from talleyrand.web.notifications.models import Notification

    found = []
    for game in Game.objects.filter(pk__in=group):
        number, expected = community.expected[game.pk]
        rows = list(PhaseRevision.objects.filter(game=game, phase_number__gte=number))
        judged = [(one.order_lines, one.answer, one.next_situation) for one in rows]
        told = Notification.objects.filter(idempotency_key=f"{game.key}:published:{number}:1").count()
        if judged != [(expected.sheets, expected.answer, expected.after)] or told != AT_TABLE:
            found.append(f"{game.name}: published {len(rows)} times, {told} people told")
    return found
