"""What pages, orders and sweeps cost as games, history and one person’s games grow.

One database, in a process of its own: python -m benchmarks.load_growth PLAN. The plan is a pickled `Plan`;
what was found is printed as one line of JSON. Requests go through all of the site but the sockets, one at
a time: seconds of the clock and questions to the database.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from .load_community import Community, Played, moments
from .load_processes import prepare

SAMPLES = 5
YOUNG = 4  # of the games that merely are there, the open phase is one of the first
SEATED = 4  # games of somebody as most people are
SHARES = (("ended", 0.55), ("gathering", 0.1), ("vacant", 0.05))  # the others are played
NEWS = 5  # of each game
Json = dict[str, Any]
Act = Callable[[], Any]
Point = tuple[int, float, float, float, int]  # size, median, least and most milliseconds, questions


@dataclass(frozen=True)
class Plan:
    """How far to grow: games of the site, phases of a game, games of a person."""

    played: list[list[Played]]
    long: list[Played]
    seed: int
    games: tuple[int, ...] = (10, 100, 1000, 5000)
    phases: tuple[int, ...] = (1, 5, 10, 20, 40)
    own: tuple[int, ...] = (1, 10, 50, 200)


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "talleyrand.web.settings"
    os.environ["TALLEYRAND_HOSTS"] = "testserver"
    plan = pickle.loads(Path(sys.argv[1]).read_bytes())
    prepare()
    print(json.dumps(Growing(plan).found()))
    return 0


# what is timed


def timed(size: int, acts: Iterator[Act]) -> Point:
    """The first does not count but for its questions."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        next(acts)()
        questions = len(asked)
    took = []
    for act in acts:
        begun = perf_counter()
        act()
        took.append(1000 * (perf_counter() - begun))
    return size, median(took), min(took), max(took), questions


def again(act: Act) -> Iterator[Act]:
    return (act for _ in range(SAMPLES + 1))


def client_of(person: Any) -> Any:
    from django.test import Client

    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client


def getting(client: Any, path: str) -> Act:
    def get() -> None:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code)

    return get


def handing_in(client: Any, game: Any, power: str, lines: list[str]) -> Act:
    from talleyrand.web.games.models import random_token

    def hand_in() -> None:
        sent = {"action": "hand_in", "lines": {power: lines}, "submission": random_token()}
        path = f"/parties/{game.key}/{game.phase_number}/orders/{power}/"
        answer = client.post(path, json.dumps(sent), content_type="application/json")
        assert answer.status_code == 200, answer.content

    return hand_in


def publishing(games: list[Any]) -> Iterator[Act]:
    """One game due after the other, each with the sheets of seven people."""
    from django.utils import timezone

    from talleyrand.web.games.deadline_clock import DeadlineClock
    from talleyrand.web.games.models import Game

    def publish() -> None:
        assert DeadlineClock().check_due(timezone.now()) == 1

    for game in games:
        due = timezone.now() - timedelta(minutes=1)
        Game.objects.filter(pk=game.pk).update(
            deadline=due, next_check_at=due, phase_opened_at=due - timedelta(days=3)
        )
        yield publish


# what grows


class Growing:
    """The database of a plan, from an empty one on."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.community = Community(plan.seed, plan.played)
        self.people = self.community._people(max(plan.games))
        self.reader, *self.others, self.busy = self.people  # who plays ever more games
        self.young = [one for one in moments(plan.played) if one[1] <= YOUNG]

    def found(self) -> dict[str, dict[str, list[Point]]]:
        """By what grows, and what is timed. The history of one game comes first, in a small site."""
        return {"phases": self._by_phases(), "games": self._by_games(), "own": self._by_own()}

    def _seated(self, count: int, people: list[Any] | None = None) -> list[Any]:
        """So many games, young and played on."""
        from talleyrand.web.games.models import Game

        chosen = [self.community.lot.choice(self.young) for _ in range(count)]
        made = self.community._games(chosen, people or self.others)
        return list(Game.objects.filter(pk__in=made).order_by("pk"))

    def _with_reader(self, count: int) -> list[Any]:
        """Games at which the reader plays."""
        from talleyrand.web.games.models import GameMembership, GameRole, PowerAssignment

        games = self._seated(count)
        for game in games:
            tenure = PowerAssignment.objects.filter(seat__game=game).select_related("seat").order_by("pk")[0]
            GameMembership.objects.filter(game=game, person=tenure.person).update(person=self.reader)
            PowerAssignment.objects.filter(pk=tenure.pk).update(person=self.reader)
        assert (
            GameMembership.objects.filter(game__in=games, person=self.reader, role=GameRole.PLAYER).count()
            == count
        )
        self._tell(games)
        return games

    def _tell(self, games: list[Any]) -> None:
        from talleyrand.web.notifications.models import Notification

        Notification.objects.bulk_create(
            Notification(
                person=self.reader,
                kind="published",
                facts={
                    "game": game.name,
                    "variant": game.variant,
                    "phase": game.phase,
                    "number": game.phase_number,
                },
                topic=f"game:{game.key}",
                path=f"/parties/{game.key}/",
                idempotency_key=f"grown:{game.key}:{turn}",
            )
            for game in games
            for turn in range(NEWS)
        )

    def _by_games(self) -> dict[str, list[Point]]:
        """The site grows; the reader and his games stay as they are."""
        from django.utils import timezone

        from talleyrand.web.games.deadline_clock import DeadlineClock
        from talleyrand.web.monitoring import site_metrics

        own, client = self._with_reader(SEATED), client_of(self.reader)
        found: dict[str, list[Point]] = {}
        have = 0
        for size in self.plan.games:
            self._fill(size - have)
            have = size
            probes = self._with_fresh(SAMPLES + 1)
            acts: dict[str, Iterator[Act]] = {
                **self._usual(client, own[0]),
                "games to watch": again(getting(client, "/parties/?show=watch")),
                "games that ended": again(getting(client, "/parties/?show=ended")),
                "publication": publishing(probes),
                "sweep, nothing due": again(lambda: DeadlineClock().check_due(timezone.now())),
                "figures of the watch": again(lambda: site_metrics.collect_metrics(timezone.now())),
            }
            for name, act in acts.items():
                found.setdefault(name, []).append(timed(size, act))
        return found

    def _usual(self, client: Any, game: Any) -> dict[str, Iterator[Act]]:
        power, lines = self._sheet(game)
        return {
            "page of a game": again(getting(client, f"/parties/{game.key}/")),
            "handing in": again(handing_in(client, game, power, lines)),
            "own games, games to join": again(getting(client, "/parties/")),
            "news": again(getting(client, "/notifications/")),
        }

    def _sheet(self, game: Any) -> tuple[str, list[str]]:
        from talleyrand.web.games.models import PowerAssignment

        power = PowerAssignment.objects.get(seat__game=game, person=self.reader, ended_at=None).seat.power
        return power, self.community.expected[game.pk][1].sheets[power]

    def _with_fresh(self, count: int) -> list[Any]:
        return self._seated(count)

    def _fill(self, count: int) -> None:
        """Games that are there: most have ended, some gather, some look for somebody."""
        from talleyrand.web.games.models import Game, GameMembership, GameRole, PowerAssignment

        games = [one.pk for one in self._seated(count)]
        self.community.lot.shuffle(games)
        parts, start = {}, 0
        for name, share in SHARES:
            parts[name] = games[start : start + int(share * count)]
            start += int(share * count)
        for part in _batches(parts["ended"]):
            Game.objects.filter(pk__in=part).update(
                state="ended", deadline=None, next_check_at=None, ended_at=_now()
            )
        for part in _batches(parts["gathering"]):
            Game.objects.filter(pk__in=part).update(state="gathering", phase_number=0, phase="")
            PowerAssignment.objects.filter(seat__game__in=part).update(person=None)
            GameMembership.objects.filter(game__in=part, role=GameRole.PLAYER).update(left_at=_now())
        for part in _batches(parts["vacant"]):
            PowerAssignment.objects.filter(seat__game__in=part, seat__power="FRANCE").update(ended_at=_now())
        rest = games[start:]
        for part in _batches(rest):
            due = _now() + timedelta(days=2)
            Game.objects.filter(pk__in=part).update(deadline=due, next_check_at=due)

    def _by_phases(self) -> dict[str, list[Point]]:
        """One game after the other, each with a longer history."""
        found: dict[str, list[Point]] = {}
        client = client_of(self.reader)
        for size in self.plan.phases:
            games = self._long(size, SAMPLES + 2)
            game = games[0]
            path = f"/parties/{game.key}/"
            acts: dict[str, Iterator[Act]] = {
                **{name: act for name, act in self._usual(client, game).items() if "news" not in name},
                "page of its first phase": again(getting(client, f"{path}1/")),
                "its table": again(getting(client, f"{path}infos/")),
                "its record (JSON)": again(getting(client, f"{path}game.json")),
                "publication": publishing(games[1:]),
            }
            for name, act in acts.items():
                found.setdefault(name, []).append(timed(size, act))
        return found

    def _long(self, size: int, count: int) -> list[Any]:
        """Games whose open phase has this number, all the same, the reader at each of them."""
        from talleyrand.web.games.models import Game, GameMembership, PowerAssignment

        number = min(size, len(self.plan.long))
        tall = Community(self.plan.seed, [self.plan.long])
        made = tall._games([(0, number)] * count, self.others)
        self.community.expected.update(tall.expected)
        GameMembership.objects.filter(person=self.reader).update(left_at=_now())
        for pk in made:
            tenure = PowerAssignment.objects.filter(seat__game=pk, seat__power="FRANCE").get()
            GameMembership.objects.filter(game=pk, person=tenure.person).update(person=self.reader)
            PowerAssignment.objects.filter(pk=tenure.pk).update(person=self.reader)
        GameMembership.objects.filter(person=self.reader, game__in=made[1:]).update(left_at=_now())
        return list(Game.objects.filter(pk__in=made).order_by("pk"))

    def _by_own(self) -> dict[str, list[Point]]:
        """One person plays ever more games, in a site that is large already."""
        found: dict[str, list[Point]] = {}
        self.reader, have = self.busy, 0
        client = client_of(self.reader)
        games: list[Any] = []
        for size in self.plan.own:
            games += self._with_reader(size - have)
            have = size
            for name, act in self._usual(client, games[0]).items():
                found.setdefault(name, []).append(timed(size, act))
        return found


def _now() -> datetime:
    from django.utils import timezone

    return timezone.now()


def _batches(rows: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(rows), 500):
        yield rows[start : start + 500]


if __name__ == "__main__":
    sys.exit(main())
