"""One database, one shape of the site, in a process of its own: python -m benchmarks.load_worker PLAN.

The plan is a pickled `Plan`; what was found is printed as one line of JSON. The database is named by the
environment, as for the site. `storm` starts it.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from .load_community import Community, Played, wrong
from .load_processes import LONGEST, LOOK, Site, prepare, processor, site

PARTS = ("orders", "overload", "phones", "listeners", "deadline")
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


def soon(games: int) -> int:
    """Seconds beforehand that a site is given to look ahead: players know a date days before."""
    return 8 + games // 40


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


def trial(plan: Plan) -> dict[str, Any]:
    """Everything of one shape; what is measured against the floor, beside each of the games due together."""
    prepare()
    from . import load_floor

    begun = time.monotonic()
    community = Community(plan.seed, plan.played)
    community.settle([*plan.sizes, plan.tables, plan.deadline_tables])
    *storms, usual, deadline = community.groups
    _note("settled", begun)
    sheets = {pk: community.expected[pk][1].sheets for pk in usual}
    with (
        site(Path(os.environ["TALLEYRAND_DATA"]), large=plan.large) as running,
        load_floor.floor_beside(sheets, running) as floor,
    ):
        found = {"storms": [storm(community, group, running.roots) | floor() for group in storms]}
        _note("storms", begun)
        found |= _loads(plan, community, sheets, deadline, running, begun)
    return found


def _loads(
    plan: Plan, community: Community, games: dict[int, Any], deadline: list[int], site: Site, begun: float
) -> dict[str, Any]:
    """People at their tables, the deadline last, after which their phases are others."""
    from . import load_club, load_deadline, load_event_streams, load_orders, load_overload

    reader = load_orders.players(games)[0]
    parts: dict[str, Callable[[], Any]] = {
        "orders": lambda: load_orders.measured(games, site.pages, plan.rate, plan.seconds),
        "overload": lambda: load_overload.measured(games, site.pages, plan.seconds),
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
