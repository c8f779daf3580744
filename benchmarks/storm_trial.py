"""One database, one shape of the site, in a process of its own: python -m benchmarks.storm_trial PLAN.

The plan is a pickled `Plan`; what was found is printed as one line of JSON. The database is named by the
environment, as for the site. `storm` starts it.
"""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from .storm_games import Community, Played

SERVE = "import sys; from talleyrand.web.serve import run; run('127.0.0.1', int(sys.argv[2]), sys.argv[1])"
CLOCK = "import sys; from talleyrand.cli import main; sys.exit(main(['clock', '--data', sys.argv[1]]))"
SITES, CLOCKS = 2, 1  # of the large shape
LONGEST = 120.0  # seconds until a storm is given up
SOON = 15  # seconds before it: a site looks ahead
LOOK = 0.05
AT_TABLE = 8  # seven players and a game master
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Plan:
    """What to do: groups of games due together, then orders, then pages; `large` with many processes."""

    played: list[list[Played]]
    seed: int
    sizes: list[int]
    large: bool
    rate: int
    seconds: int
    tables: int


def command(*words: str) -> list[str]:
    return [sys.executable, *words]


@contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A part of the site, ended as its owner would end it."""
    with subprocess.Popen(command(*words), stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def site(data: Path, *, large: bool) -> Iterator[tuple[list[tuple[str, int]], list[int]]]:
    """A site in one of its shapes: where it answers, and its processes."""
    ports = [_free_port() for _ in range(SITES if large else 1)]
    commands: list[tuple[str, ...]] = [("-c", SERVE, str(data), str(port)) for port in ports]
    commands += [("-c", CLOCK, str(data))] * (CLOCKS if large else 0)
    with ExitStack() as stack:
        parts = [stack.enter_context(running(*words)) for words in commands]
        for port in ports:
            _wait(port)
        yield [("127.0.0.1", port) for port in ports], [one.pid for one in parts]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait(port: int) -> None:
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(LOOK)
    raise TimeoutError("the site does not answer")


def processor(roots: list[int]) -> float:
    """Processor seconds that processes and those they have started have used so far."""
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        pid = int(path.parent.name)
        children.setdefault(int(words[1]), []).append(pid)
        used[pid] = sum(map(int, words[11:15])) / TICKS
    found, waiting = 0.0, list(roots)
    while waiting:
        pid = waiting.pop()
        found += used.get(pid, 0.0)
        waiting += children.get(pid, [])
    return found


def storm(community: Community, group: list[int], roots: list[int]) -> dict[str, Any]:
    """Have a group of games due in the same second, and wait until all are published."""
    from django.db.models import F
    from django.utils import timezone

    from talleyrand.web.games.dating import SETTLING
    from talleyrand.web.games.models import Game, Revision

    due = timezone.now().replace(microsecond=0) + timedelta(seconds=SOON)
    games = Game.objects.filter(pk__in=group)
    games.update(due=due, sweep=due + SETTLING, opened=due - timedelta(days=3))
    time.sleep(max(0.0, (due - timezone.now()).total_seconds()))
    before, until, left = processor(roots), due + timedelta(seconds=LONGEST), games.filter(due=due)
    while left.exists() and timezone.now() < until:
        time.sleep(LOOK)
    last = (timezone.now() - due).total_seconds()
    published = Revision.objects.filter(game__in=group, made__gte=due, number=F("game__number") - 1)
    made = sorted((at - due).total_seconds() for at in published.values_list("made", flat=True))
    used = processor(roots) - before
    return {"games": len(group), "last": last, "made": made, "used": used, "wrong": wrong(community, group)}


def wrong(community: Community, group: list[int]) -> list[str]:
    """What is not as it has to be: each published once, told once to each, and as the judge alone says."""
    from talleyrand.web.games.models import Game, Revision
    from talleyrand.web.notices.models import Notice

    found = []
    for game in Game.objects.filter(pk__in=group):
        number, expected = community.expected[game.pk]
        rows = list(Revision.objects.filter(game=game, number__gte=number))
        judged = [(one.sheets, one.answer, one.after) for one in rows]
        told = Notice.objects.filter(once=f"{game.key}:published:{number}:1").count()
        if judged != [(expected.sheets, expected.answer, expected.after)] or told != AT_TABLE:
            found.append(f"{game.name}: published {len(rows)} times, {told} people told")
    return found


def prepare() -> None:
    """A folder as a site that starts makes it."""
    from talleyrand.web import serve

    serve.connect(serve.prepare).release()


def trial(plan: Plan) -> dict[str, Any]:
    """Everything of one shape."""
    prepare()
    community = Community(plan.seed, plan.played)
    community.settle([*plan.sizes, plan.tables])
    with site(Path(os.environ["TALLEYRAND_DATA"]), large=plan.large) as (places, roots):
        storms = [storm(community, group, roots) for group in community.groups[:-1]]
        from . import storm_orders

        games = {pk: community.expected[pk][1].sheets for pk in community.groups[-1]}
        before = processor(roots)
        loads = storm_orders.measured(games, places, plan.rate, plan.seconds)
        used = processor(roots) - before
    return {"storms": storms, "loads": loads, "used": used}


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "talleyrand.web.settings"
    plan = pickle.loads(Path(sys.argv[1]).read_bytes())
    print(json.dumps(trial(plan)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
