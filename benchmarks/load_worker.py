"""One database, one shape of the site, in a process of its own: python -m benchmarks.load_worker PLAN.

The plan is a pickled `Plan`; what was found is printed as one line of JSON. The database is named by the
environment, as for the site. `storm` starts it.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from .load_community import Community, Played

SERVE = (
    "import sys; from talleyrand.web.server.site_server import run; "
    "run('127.0.0.1', int(sys.argv[2]), sys.argv[1])"
)
PROGRAM = ("-m", "talleyrand")
CLOCKS, PROCESSES = 2, 2  # of the large shape
LONGEST = 120.0  # seconds until a storm is given up
LOOK = 0.05
HERE = "127.0.0.1"
PARTS = ("orders", "phones", "listeners", "deadline")
AT_TABLE = 8  # seven players and a game master
TICKS = os.sysconf("SC_CLK_TCK")
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Plan:
    """What to do: groups of games due together, then each of the other storms, with the size of each."""

    played: list[list[Played]]
    seed: int
    sizes: list[int]
    large: bool  # in many processes
    rate: int  # orders a second
    seconds: int
    tables: int
    deadline_tables: int
    deadline_seconds: int
    phones: int
    phone_seconds: int
    listeners: int
    parts: tuple[str, ...]  # of what follows the games due together


@dataclass(frozen=True)
class Site:
    """Where a site answers, where it tells news, and its processes."""

    pages: list[tuple[str, int]]
    events: tuple[str, int]
    roots: list[int]
    telling: int  # the process that holds the streams, with those that it has started


def soon(games: int) -> int:
    """Seconds beforehand that a site is given to look ahead: players know a date days before."""
    return 8 + games // 40


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
def site(data: Path, *, large: bool) -> Iterator[Site]:
    """A site in one of its shapes."""
    with ExitStack() as stack:

        def begun(*words: str) -> int:
            return stack.enter_context(running(*words)).pid

        page, event = _free_port(), _free_port()
        told = ("--data", str(data))
        if large:
            many = ("--processes", str(PROCESSES))
            telling = begun(*PROGRAM, "events", *told, "--port", str(event))
            roots = [telling, begun(*PROGRAM, "pages", *told, "--port", str(page), *many)]
            roots += [begun(*PROGRAM, "clock", *told) for _ in range(CLOCKS)]
        else:
            event = page
            os.environ["TALLEYRAND_PROCESSES"] = str(PROCESSES)
            telling = begun("-c", SERVE, str(data), str(page))
            roots = [telling]
        for port in (page, event):
            _wait(port)
        yield Site([(HERE, page)], (HERE, event), roots, telling)


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
    used = {pid: sum(map(int, words[11:15])) / TICKS for pid, words in _processes().items()}
    return sum(used.get(pid, 0.0) for pid in family(roots))


def family(roots: list[int]) -> list[int]:
    """Processes, and those that they have started, and so on."""
    children: dict[int, list[int]] = {}
    for pid, words in _processes().items():
        children.setdefault(int(words[1]), []).append(pid)
    found, waiting = [], list(roots)
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


def _processes() -> dict[int, list[str]]:
    """What the machine tells of each process, from its state on."""
    found: dict[int, list[str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            found[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    return found


def storm(community: Community, group: list[int], roots: list[int]) -> dict[str, Any]:
    """Have a group of games due in the same second, and wait until all are published."""
    from django.db.models import F
    from django.utils import timezone

    from talleyrand.web.games.models import Game, PhaseRevision
    from talleyrand.web.games.phase_deadlines import SETTLE_TIME

    due = timezone.now().replace(microsecond=0) + timedelta(seconds=soon(len(group)))
    games = Game.objects.filter(pk__in=group)
    games.update(deadline=due, next_check_at=due + SETTLE_TIME, phase_opened_at=due - timedelta(days=3))
    begun = processor(roots)
    time.sleep(max(0.0, (due - timezone.now()).total_seconds()))
    before, until, left = processor(roots), due + timedelta(seconds=LONGEST), games.filter(deadline=due)
    while left.exists() and timezone.now() < until:
        time.sleep(LOOK)
    last = (timezone.now() - due).total_seconds()
    published = PhaseRevision.objects.filter(
        game__in=group, published_at__gte=due, phase_number=F("game__phase_number") - 1
    )
    made = sorted((at - due).total_seconds() for at in published.values_list("published_at", flat=True))
    used = {"ahead": before - begun, "used": processor(roots) - before}
    return {"games": len(group), "last": last, "made": made, **used, "wrong": wrong(community, group)}


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


def prepare() -> None:
    """A folder as a site that starts makes it."""
    from talleyrand.web.server import site_server

    site_server.with_django(site_server.prepare_data_folder).release()


def trial(plan: Plan) -> dict[str, Any]:
    """Everything of one shape."""
    prepare()
    begun = time.monotonic()
    community = Community(plan.seed, plan.played)
    community.settle([*plan.sizes, plan.tables, plan.deadline_tables])
    *storms, usual, deadline = community.groups
    _note("settled", begun)
    with site(Path(os.environ["TALLEYRAND_DATA"]), large=plan.large) as running:
        found = {"storms": [storm(community, group, running.roots) for group in storms]}
        _note("storms", begun)
        found |= _loads(plan, community, usual, deadline, running, begun)
    return found


def _loads(
    plan: Plan, community: Community, usual: list[int], deadline: list[int], site: Site, begun: float
) -> dict[str, Any]:
    """People at their tables, the deadline last, after which their phases are others."""
    from . import (
        load_club,
        load_deadline,
        load_event_streams,
        load_orders,
    )

    games = {pk: community.expected[pk][1].sheets for pk in usual}
    reader = load_orders.players(games)[0]
    parts: dict[str, Callable[[], Any]] = {
        "orders": lambda: load_orders.measured(games, site.pages, plan.rate, plan.seconds),
        "phones": lambda: load_club.measured(games, site, phones=plan.phones, seconds=plan.phone_seconds),
        "listeners": lambda: load_event_streams.measured(site, reader, listeners=plan.listeners),
        "deadline": lambda: load_deadline.measured(community, deadline, site, plan.deadline_seconds),
    }
    found = {}
    for name in plan.parts:
        before = processor(site.roots)
        try:
            found[name] = parts[name]()
            found[name]["used"] = processor(site.roots) - before
        except Exception:
            logger.exception("%s broke off; the others are measured all the same", name)
            found[name] = None
        _note(name, begun)
    return found


def _note(name: str, begun: float) -> None:
    """For whoever waits."""
    sys.stderr.write(f"  … {name}: {time.monotonic() - begun:.0f} s\n")


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "talleyrand.web.settings"
    plan = pickle.loads(Path(sys.argv[1]).read_bytes())
    print(json.dumps(trial(plan)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
