"""A site of 10,000 people and 20,000 finished games: python -m benchmarks.people_pages [--people 10000]
[--games 20000] [--write].

A data folder of its own in SQLite, filled by lots that are always the same. Processor milliseconds and
questions to the database of the page of whoever has played most, of somebody in the middle and of a
newcomer, of the same by the API's facts, of joining a game that asks for a reliability; of the ratings: one
more game, and all of them from the first; and of the pages by which people meet and behave.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from .community_pages import LAST_YEAR, RULES, community_pages

RESULT = Path(__file__).parent / "results" / "people_pages.txt"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
OPENINGS = (
    ["A MAR - SPA", "A PAR - BUR", "F BRE - MAO"],
    ["A MAR S A PAR - BUR", "A PAR - BUR", "F BRE - ENG"],
)
ROUNDS, BATCH, LIMIT = 15, 500, 100.0
Row = tuple[str, float, int]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people_pages")
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--write", action="store_true", help="keep what was found in benchmarks/results")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            TALLEYRAND_DATA=folder,
            TALLEYRAND_HOSTS="testserver",
            DJANGO_SETTINGS_MODULE="talleyrand.web.settings",
        )
        os.environ |= {f"TALLEYRAND_HOUSE_RULES_{language}": RULES for language in ("FR", "EN")}
        from .load_community import long_history
        from .load_processes import prepare

        history = long_history(1914, LAST_YEAR)
        prepare()
        most = filled(wanted.people, wanted.games)
        found = measured(most)
        found += [timed(name, act) for name, act in community_pages(history, most[0][0]).items()]
    told = report(found, wanted.people, wanted.games, most)
    print(told)
    if wanted.write:
        RESULT.write_text(told + "\n", "utf-8")
    return int(any(spent > LIMIT for name, spent, _asked in found if "all ratings" not in name))


def filled(people: int, games: int) -> list[tuple[str, int]]:
    """Who plays the most, the middle and the least, each with how many games."""
    from talleyrand.web.accounts.models import Person, folded_name
    from talleyrand.web.games.record_models import PagePart, PlayerProfile

    lots, names = Random(1901), [f"Joueur {number}" for number in range(people)]
    Person.objects.bulk_create(
        (Person(name=one, folded_name=folded_name(one), password="!") for one in names),
        batch_size=BATCH,
    )
    keys = list(Person.objects.order_by("pk").values_list("pk", flat=True))
    counts: Counter[int] = Counter()
    for start in range(0, games, BATCH):
        counts.update(games_of(lots, keys, range(start, min(start + BATCH, games)), games))
    PlayerProfile.objects.bulk_create(
        (
            PlayerProfile(person_id=key, readers="everybody", shown_parts=[*PagePart.values], reliability=97)
            for key in keys
        ),
        batch_size=BATCH,
    )
    ranked = [key for key, _count in counts.most_common()]
    known = dict(Person.objects.values_list("pk", "name"))
    chosen = (ranked[0], ranked[len(ranked) // 2], ranked[-1])
    return [(known[key], counts[key]) for key in chosen]


def games_of(lots: Random, keys: list[int], numbers: range, total: int) -> Counter[int]:
    """Some games of seven over ten years, among people some of whom play a hundred times more than others."""
    from talleyrand.web.games.models import Game, GameState
    from talleyrand.web.games.record_models import FinishedGame, PlayedGame, RatingPool

    begun, pools = datetime(2017, 1, 1, tzinfo=UTC), [*RatingPool.values]
    ends = [begun + timedelta(days=3650 * number / total) for number in numbers]
    games = Game.objects.bulk_create(
        Game(
            key=f"bench{number:07}",
            name=f"Partie {number}",
            variant="classic",
            rulebook="anjou_feu",
            state=GameState.ENDED,
            phase_number=30,
            ended_at=ended,
        )
        for number, ended in zip(numbers, ends, strict=True)
    )
    finished = FinishedGame.objects.bulk_create(
        FinishedGame(game=game, ended_at=ended, pool=pools[0] if lots.random() < 0.7 else lots.choice(pools))
        for game, ended in zip(games, ends, strict=True)
    )
    rows, counts = [], Counter[int]()
    for one in finished:
        seated: dict[int, None] = {}
        while len(seated) < len(POWERS):
            seated[keys[int(len(keys) * lots.random() ** 4)]] = None
        counts.update([*seated])
        rows += [played(lots, one, person, power) for person, power in zip(seated, POWERS, strict=True)]
    PlayedGame.objects.bulk_create(rows, batch_size=BATCH)
    return counts


def played(lots: Random, finished: Any, person: int, power: str) -> Any:
    """What one of them did."""
    from talleyrand.web.games.record_models import PlayedGame

    outcome = lots.choice(("solo", "draw", "draw", "survived", "eliminated", "left"))
    first = lots.randint(1901, 1905)
    ally = {"power": lots.choice(POWERS), "first": first, "last": first + lots.randint(0, 7), "supports": 6}
    return PlayedGame(
        finished=finished,
        person_id=person,
        powers=[power],
        outcome=outcome,
        points={"solo": "100", "draw": "100/3", "left": ""}.get(outcome, "0"),
        centres=lots.randint(0, 18),
        phases_due=40,
        phases_missed=lots.randint(0, 3),
        has_left=outcome == "left",
        is_rated=True,
        openings=[{"power": power, "orders": lots.choice(OPENINGS)}] if power == "FRANCE" else [],
        alliances=[ally] if ally["power"] != power else [],
    )


def measured(most: list[tuple[str, int]]) -> list[Row]:
    """Processor milliseconds and questions of each act; the first of each warms it and is not counted."""
    from django.test import Client

    from talleyrand.web.accounts.models import Person
    from talleyrand.web.games.lobby import membership_actions
    from talleyrand.web.games.models import Game
    from talleyrand.web.games.player_records import rating_history, reliability
    from talleyrand.web.games.record_models import FinishedGame

    found = []
    begun = process_time()
    rating_history.mark_all_ratings_due()
    while rating_history.compute_due_ratings():
        pass
    found.append(("all ratings from the first game", 1000 * (process_time() - begun), 0))
    client = Client()
    for name, count in most:
        path = f"/joueurs/{name}/"
        assert client.get(path).status_code == 200
        found.append(timed(f"the page of who has played {count} games", partial(client.get, path)))
    last = FinishedGame.objects.order_by("-ended_at").first()
    assert last

    def rate_last() -> None:
        rating_history.mark_ratings_due(last.pool, last.ended_at)
        rating_history.compute_due_ratings()

    found.append(timed("the ratings after one more game", rate_last))
    busiest = Person.objects.get(name=most[0][0])
    found.append(
        timed("the reliability of who has played most", lambda: reliability.recount_reliability([busiest.pk]))
    )
    strict = Game.objects.create(
        name="Exigeante", variant="classic", rulebook="anjou_feu", settings_json={"least_reliability": 90}
    )
    found.append(
        timed("asking it at the door", lambda: membership_actions.why_not_for(strict, busiest, "player"))
    )
    return found


def timed(name: str, act: Callable[[], object]) -> Row:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        act()
        questions = len(asked)
    spent = []
    for _round in range(ROUNDS):
        begun = process_time()
        act()
        spent.append(1000 * (process_time() - begun))
    return name, median(spent), questions


def report(found: list[Row], people: int, games: int, most: list[tuple[str, int]]) -> str:
    lines = [
        f"{people} people, {games} finished games of seven, SQLite; the busiest has {most[0][1]}.",
        f"Python {platform.python_version()}, {platform.machine()}; processor ms, median of {ROUNDS}.",
        "",
        *(f"{name:<45}{spent:>10.1f} ms{asked:>6} questions" for name, spent, asked in found),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
