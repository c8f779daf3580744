"""What it costs to look for a game among many: python -m benchmarks.finding [--rounds 5] [--write].

A data folder of its own in SQLite: 10,000 people; 20,000 games, most of them finished, 1,000 that gather
players, 2,000 that are played, 200 of those with a free seat; 5,000 searches that are kept; private groups.
Processor milliseconds, questions to the database and bytes of each page, as in `benchmarks.pages`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from .pages import FLOOR, Figures, add_floor, asking, report, timed

RESULT = Path(__file__).parent / "results" / "finding.txt"
PEOPLE, GATHERING, PLAYED, CALLING, ENDED, SEARCHES = 10_000, 1_000, 2_000, 200, 17_000, 5_000
GAMES = GATHERING + PLAYED + ENDED
AT_ONCE = 1_000
MOST_MS, MOST_QUESTIONS = 100, 40  # of a page
VARIANTS = ("classic", "classic", "classic", "sandad")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finding")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="keep what was found in benchmarks/results")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            TALLEYRAND_DATA=folder,
            TALLEYRAND_HOSTS="testserver",
            DJANGO_SETTINGS_MODULE="talleyrand.web.settings",
        )
        found = measured(wanted.rounds)
    told = report(found, GAMES)
    print(told)
    if wanted.write:
        RESULT.write_text(told + "\n", "utf-8")
    late = [
        name for name, one in found.items() if one.questions > MOST_QUESTIONS or min(one.rounds) > MOST_MS
    ]
    print(f"over {MOST_MS} ms or {MOST_QUESTIONS} queries: {', '.join(late) or 'none'}")
    return bool(late)


def measured(rounds: int) -> dict[str, Figures]:
    """By the name of a page."""
    from . import load_processes

    load_processes.prepare()
    add_floor()
    return timed(pages(Crowd(Random(1901))), rounds)


class Crowd:
    """People and games, written in bulk."""

    def __init__(self, lot: Random) -> None:
        from talleyrand.web.accounts.models import Person
        from talleyrand.web.games.models import GameState

        self.lot = lot
        self.people = Person.objects.bulk_create(
            [Person(name=f"p{number}", folded_name=f"p{number}", password="!") for number in range(PEOPLE)],
            AT_ONCE,
        )
        self.ended = self._games(GameState.ENDED, ENDED, 12)
        self.played = self._games(GameState.PLAYING, PLAYED, 1)
        self.gathering = self._games(GameState.GATHERING, GATHERING, 0)
        self._seats()
        self._searches()

    def _games(self, state: str, number: int, phase: int) -> list[Any]:
        from django.utils import timezone

        from talleyrand.web.games.game_settings import GameSettings, listing_facets
        from talleyrand.web.games.models import Game

        made, now = [], timezone.now()
        for place in range(number):
            terms = GameSettings(
                press=self.lot.choice(["full", "full", "public", "none"]),  # type: ignore[arg-type]
                anonymity=self.lot.choice(["open", "until_end"]),  # type: ignore[arg-type]
                language=self.lot.choice(["", "fr", "en"]),
                rhythm={"hours": self.lot.choice([0.25, 24, 72, 168])},
            ).as_json()
            facts: dict[str, Any] = {
                "state": state,
                "phase_number": phase,
                "phase": "S1901M" if phase else "",
            }
            game = Game(name=f"{state} {place}", variant=self.lot.choice(VARIANTS), rulebook="anjou_feu")
            for name, value in (
                facts | {"settings_json": terms} | listing_facets(terms, "anjou_feu")
            ).items():
                setattr(game, name, value)
            game.deadline = now + timedelta(hours=place % 90) if phase == 1 else None
            made.append(game)
        return Game.objects.bulk_create(made, AT_ONCE)

    def _seats(self) -> None:
        """Everybody at a table; one is missing in some that are played, several in those that gather."""
        from talleyrand import variants
        from talleyrand.formats.position_json import write_position
        from talleyrand.web.games.models import GameMembership, GameSeat, PhaseRevision, PowerAssignment

        seats, members, held, revisions, several = [], [], [], [], count()
        for place, game in enumerate([*self.played, *self.gathering, *self.ended]):
            variant = variants.load(game.variant)
            powers = variant.definition.players
            people = self.lot.sample(self.people, len(powers))
            missing = {"playing": int(place < CALLING), "gathering": self.lot.randint(1, 4)}.get(
                game.state, 0
            )
            for power, person in zip(powers, people, strict=True):
                seat = GameSeat(pk=next(several) + 1, game=game, power=power)
                seats.append(seat)
                if power not in powers[:missing]:
                    members.append(GameMembership(game=game, person=person, role="player"))
                    if game.state != "gathering":
                        held.append(PowerAssignment(seat=seat, person=person))
            if game.state == "playing":
                start = dict(write_position(variant.definition.start, variant.board))
                facts: dict[str, Any] = {
                    "revision": 1,
                    "kind": "start",
                    "digest": "",
                    "next_situation": start,
                }
                revisions.append(PhaseRevision(game=game, phase_number=0, **facts))
        GameSeat.objects.bulk_create(seats, AT_ONCE)
        GameMembership.objects.bulk_create(members, AT_ONCE)
        PowerAssignment.objects.bulk_create(held, AT_ONCE)
        PhaseRevision.objects.bulk_create(revisions, AT_ONCE)

    def _searches(self) -> None:
        from talleyrand.web.games.finding_models import SavedSearch

        SavedSearch.objects.bulk_create(
            [
                SavedSearch(person=person, press=self.lot.choice(["", "none"]), variant="classic")
                for person in self.people[:SEARCHES]
            ],
            AT_ONCE,
        )


def pages(crowd: Crowd) -> dict[str, Callable[[], Any]]:
    """The lists as a member of some games and of a group, and a visitor, look at them."""
    from django.test import Client

    from talleyrand.web.games.lobby import player_groups

    from . import load_growth

    member, visitor = load_growth.client_of(crowd.people[0]), Client()
    for number in range(5):
        player_groups.create_group(crowd.people[0], f"Groupe {number}")
    search = "variant=classic&press=none&pace=day&language=fr&anonymity=open"
    ways = {
        FLOOR: (member, "/floor/"),
        "games to join": (member, "/parties/"),
        "games to join, a visitor": (visitor, "/parties/"),
        "the same, page 20": (visitor, "/parties/?page=20"),
        "the same, a search": (member, f"/parties/?{search}"),
        "a search that finds nothing": (member, f"/parties/?{search}&rulebook_name=datc&seats=1"),
        "players missing: one": (member, "/parties/?seats=1"),
        "seats to take": (member, "/parties/?show=seats"),
        "games in progress": (member, "/parties/?show=watch"),
        "finished games, a search": (member, f"/parties/?show=ended&{search}"),
        "finished games, page 300": (visitor, "/parties/?show=ended&page=300"),
        "first page": (visitor, "/"),
    }
    acts = {name: asking(client, address, known=False) for name, (client, address) in ways.items()}
    return {**acts, "a new game, 5,000 searches": creating(member)}


def creating(client: Any) -> Callable[[], Any]:
    """What makes a game that five hundred people are told of."""
    number = count()

    def make() -> Any:
        from talleyrand.web.games.models import Game

        answer = client.post("/parties/nouvelle/", {"name": f"Nouvelle {next(number)}", "press": "none"})
        assert answer.status_code == 302, answer.status_code
        Game.objects.filter(name__startswith="Nouvelle").update(state="abandoned")
        return answer

    return make


if __name__ == "__main__":
    sys.exit(main())
