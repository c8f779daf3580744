"""A hundred games of bots and one person each: python -m benchmarks.storm_bots [--games 100]
[--bot search:normal] [--kills 5] [--seed 1901] [--keep].

`talleyrand serve` on two cores with SQLite. One person plays each game, and bots have its other six seats.
The bots order as soon as a phase opens, while the process in which they think is killed (SIGKILL) again and
again; then the people order, all games are due in the same second, and it is measured how long it takes until
the last is published, beside the limit of the storm of 600 games. In the next movement phase all people are
ready as soon as it opens, before the bots are: then it is measured how long the games wait for these alone.
What was published has to hold the orders that each bot gives alone, from the seed of its game; none may be
missing, none published twice. Ends with status 1 where a limit is missed or anything is wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from .load_processes import LOOK, Site, family, prepare, processor, site, tried_apart
from .load_report import STORM_LIMIT, Report, storm_report

CORES, GAMES, KILLS, BOT = 2, 100, 5, "search:normal"
ASKED = ("games", "bot", "kills", "seed")
READY_LIMIT = 120.0  # seconds that people who are ready at once wait for bots alone
LONGEST = 1800.0  # seconds until a part is given up
AHEAD = 8  # seconds before the games are due: a site knows a date days before
THINKS = b"run_low_priority_worker"  # in a command line
CHECKED = 12  # bots whose orders are computed again, of each phase
RESULTS = Path(__file__).parent / "results"


def begun(wanted: argparse.Namespace) -> list[Any]:
    """So many games that have begun, each with a person and a maker of its own."""
    from django.utils import timezone

    from talleyrand.web.accounts.models import Person, folded_name
    from talleyrand.web.games.deadlines import DeadlineSettings
    from talleyrand.web.games.game_settings import GameSettings, MissingOrdersRule
    from talleyrand.web.games.lobby import game_creation, game_start
    from talleyrand.web.games.models import Game, GameRole

    terms = GameSettings(
        bots=wanted.bot, rhythm=DeadlineSettings().as_json(), absent=MissingOrdersRule.DISORDER
    )
    found = []
    for number in range(wanted.games):
        name = f"Seule {number}"
        person = Person.objects.create(name=name, folded_name=folded_name(name))
        plan = game_creation.GamePlan(
            name, "classic", "anjou_feu", terms, is_listed=True, role=GameRole.PLAYER
        )
        made = game_creation.create_game(plan, person, "")
        Game.objects.filter(pk=made.pk).update(seed=f"{wanted.seed}/{number}")
        made.refresh_from_db()
        found.append(game_start.start_game(made, timezone.now()).pk)
    return found


def until(done: Callable[[], bool]) -> float:
    """Seconds until something is so; LONGEST where it is not by then."""
    start = time.monotonic()
    while not done() and time.monotonic() - start < LONGEST:
        time.sleep(LOOK)
    return time.monotonic() - start


def bots_are_done() -> bool:
    from django.utils import timezone

    from talleyrand.web.games import game_bots

    return not game_bots.due_game_bot_tasks(timezone.now()).exists()


def thinking(running: Site) -> list[int]:
    """The processes in which bots think."""
    found = []
    for pid in family(running.roots):
        with suppress(OSError):
            found += [pid] if THINKS in Path(f"/proc/{pid}/cmdline").read_bytes() else []
    return found


def killed(running: Site, wanted: argparse.Namespace) -> int:
    """Kill what thinks, again and again while there is anything to think about; how often."""
    lot, kills = Random(f"{wanted.seed} kills"), 0
    while kills < wanted.kills and not bots_are_done():
        time.sleep(2 * lot.random())
        for pid in thinking(running):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                kills += 1
    return kills


def people_order(games: list[int], *, ready: bool) -> None:
    """Each person lets all units hold, where there is anything to order."""
    from django.utils import timezone

    from talleyrand.web.games import order_submission
    from talleyrand.web.games.models import Game, PowerAssignment

    for game in Game.objects.filter(pk__in=games):
        power = PowerAssignment.objects.get(seat__game=game, ended_at=None).seat.power
        order_submission.submit_orders(
            game, power, [], number=game.phase_number, key="", origin="map", at=timezone.now(), final=ready
        )


def due_together(games: list[int], phases: dict[int, int]) -> float:
    """Have the games due in the same second; seconds from then to the last publication."""
    from django.utils import timezone

    from talleyrand.web.games.models import Game
    from talleyrand.web.games.phase_deadlines import SETTLE_TIME

    due = timezone.now().replace(microsecond=0) + timedelta(seconds=AHEAD)
    rows = Game.objects.filter(pk__in=games)
    rows.update(deadline=due, next_check_at=due + SETTLE_TIME, phase_opened_at=due - timedelta(days=3))
    time.sleep(max(0.0, (due - timezone.now()).total_seconds()))
    until(lambda: has_passed(phases))
    return (timezone.now() - due).total_seconds()


def has_passed(phases: dict[int, int]) -> bool:
    return open_phases(list(phases)).items().isdisjoint(phases.items())


def open_phases(games: list[int]) -> dict[int, int]:
    """The number of the open phase of each game."""
    from talleyrand.web.games.models import Game

    return dict(Game.objects.filter(pk__in=games).values_list("pk", "phase_number"))


def wrong(phases: dict[int, int], lot: Random) -> list[str]:
    """What is not as it has to be, of a phase of each game: published once, nobody missing, and what some of
    its bots order.
    """
    from talleyrand.web.games.models import Game, PhaseRevision

    found = []
    for game in Game.objects.filter(pk__in=phases):
        rows = list(PhaseRevision.objects.filter(game=game, phase_number=phases[game.pk]))
        if len(rows) != 1 or rows[0].powers_without_orders:
            missing = rows and rows[0].powers_without_orders
            found.append(f"{game.name}: published {len(rows)} times, without {missing}")
    for pk in lot.sample(sorted(phases), min(CHECKED, len(phases))):
        found += _otherwise(Game.objects.get(pk=pk), phases[pk], lot)
    return found


def _otherwise(game: Any, number: int, lot: Random) -> list[str]:
    """Whether one of a game's bots orders otherwise when it is asked alone."""
    from talleyrand.web.games.game_history import GameHistory
    from talleyrand.web.games.models import GameLogEntry, OrderSet
    from talleyrand.web.practice import practice_bot_tasks

    sheets = OrderSet.objects.filter(game=game, phase_number=number, origin="computer").order_by("pk")
    question = GameHistory(game).question(number)
    if (
        question is None
        or not sheets
        or GameLogEntry.objects.filter(game=game, kind="computer_quick").exists()
    ):
        return []
    chosen = lot.choice(list(sheets))
    bot = game.seats.get(power=chosen.power).bot
    alone = practice_bot_tasks.bot_orders(question, chosen.power, bot, game.seed, lambda _done: None)
    return (
        [] if alone == chosen.lines else [f"{game.name}: {chosen.power} alone: {alone}, not {chosen.lines}"]
    )


def trial(wanted: argparse.Namespace) -> dict[str, Any]:
    """Both parts on one database, in the process that has its settings."""
    import django

    django.setup()
    prepare()
    lot, games = Random(wanted.seed), begun(wanted)
    with site(Path(os.environ["TALLEYRAND_DATA"]), large=False) as running:
        start, before = time.monotonic(), processor(running.roots)
        kills = killed(running, wanted)
        until(bots_are_done)
        thought, used = time.monotonic() - start, processor(running.roots) - before
        people_order(games, ready=False)
        first = open_phases(games)
        last = due_together(games, first)
        found = {"thought": thought, "used": used, "kills": kills, "last": last, "wrong": wrong(first, lot)}
        return found | at_once(games, lot)


def at_once(games: list[int], lot: Random) -> dict[str, Any]:
    """All people are ready as soon as the phase opens: how long games wait for bots alone, and how many bots
    played quickly for it.
    """
    from talleyrand.web.games.models import GameLogEntry

    second = open_phases(games)
    people_order(games, ready=True)
    waited = until(lambda: has_passed(second))
    quick = sum(len(one.facts["powers"]) for one in GameLogEntry.objects.filter(kind="computer_quick"))
    return {"waited": waited, "quick": quick, "wrong_at_once": wrong(second, lot)}


def tried(wanted: argparse.Namespace) -> dict[str, Any] | None:
    """What a trial found; None where it broke off."""
    return tried_apart("storm_bots", [f"--{one}={getattr(wanted, one)}" for one in ASKED])


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storm_bots")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--bot", default=BOT)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--keep", action="store_true", help="in results/storm_bots.txt")
    parser.add_argument("--trial", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def told(report: Report, wanted: argparse.Namespace, found: dict[str, Any]) -> None:
    sheets = 6 * wanted.games
    report.line(f"until {sheets} bots had ordered, {found['kills']} kills", found["thought"], "s")
    report.line("processor time of the site for each", 1000 * found["used"] / sheets, "ms")
    report.line("due in the same second: the last publication", found["last"], "s", STORM_LIMIT)
    report.wrong(found["wrong"])
    report.line("all people ready at once: the last publication", found["waited"], "s", READY_LIMIT)
    report.say(f"  bots that thought for a moment only, as they were waited for: {found['quick']}")
    report.wrong(found["wrong_at_once"])


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    wanted = asked()
    if wanted.trial:
        print(json.dumps(trial(wanted)))
        return 0
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    from .load import machine

    title = f"{wanted.games} games of a person and six bots ({wanted.bot}), load {os.getloadavg()[0]:.1f}"
    report = storm_report(
        f"{machine()}\n\n{title}", lambda: tried(wanted), lambda one, found: told(one, wanted, found)
    )
    if wanted.keep:
        with (RESULTS / "storm_bots.txt").open("a", encoding="utf-8") as kept:
            kept.write("\n".join([*report.lines, "", ""]))
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
