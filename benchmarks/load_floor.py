"""The floor that orders and games are measured against: a bare view of Django behind the same server
(`bare_site`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone

from talleyrand.web.games.models import Heartbeat

from .bare_site import NAME
from .load_orders import SETTLING_IN, Browsers, order, players
from .load_processes import HERE, Site, answering, free_port, running, used_by, wait_for

REQUESTS = 100


@contextmanager
def floor_beside(games: dict[int, Any], site: Site) -> Iterator[Callable[[], dict[str, float]]]:
    """A bare view beside a site. Asked, it tells the milliseconds of processor for a request to the floor and
    for an order in these games, one at a time.
    """
    Heartbeat.objects.get_or_create(process_name=NAME, defaults={"last_seen_at": timezone.now()})
    # so many that each has been seen today before anything counts: that is noted once a day
    port, everybody = free_port(), players(games)[:SETTLING_IN]
    with running("-m", "benchmarks.bare_site", str(port)) as process:
        wait_for(port)

        async def used(name: str) -> float:
            floor = name == "floor"
            browsers = Browsers([(HERE, port)] if floor else site.pages)
            before, pids = 0.0, [process.pid] if floor else answering(site.roots)
            for number in range(SETTLING_IN + REQUESTS):
                if number == SETTLING_IN:
                    before = used_by(pids)
                who = everybody[number % len(everybody)]
                status, _ = await (
                    browsers.ask("POST", "/", who.session, b"{}") if floor else order(browsers, who)
                )
                assert status == 200, (name, status)
            return 1000 * (used_by(pids) - before) / REQUESTS

        yield lambda: {name: asyncio.run(used(name)) for name in ("floor", "order")}
