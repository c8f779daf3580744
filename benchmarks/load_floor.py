"""The floor that orders are measured against: a bare view of Django behind the same server (`bare_site`)."""

from __future__ import annotations

import asyncio
from typing import Any

from django.utils import timezone

from talleyrand.web.games.models import Heartbeat

from .bare_site import NAME
from .load_orders import SETTLING_IN, Browsers, order, players
from .load_processes import HERE, Site, answering, free_port, running, used_by, wait_for

REQUESTS, ROUNDS = 100, 5


def measured(games: dict[int, Any], site: Site) -> dict[str, list[float]]:
    """Milliseconds of processor for a request to the floor and for an order, one at a time, by rounds."""
    Heartbeat.objects.get_or_create(process_name=NAME, defaults={"last_seen_at": timezone.now()})
    port, everybody = free_port(), players(games)
    found: dict[str, list[float]] = {"floor": [], "order": []}
    with running("-m", "benchmarks.bare_site", str(port)) as process:
        wait_for(port)
        both = (
            ("floor", Browsers([(HERE, port)]), [process.pid]),
            ("order", Browsers(site.pages), answering(site.roots)),
        )

        async def asked(name: str, browsers: Browsers, count: int) -> None:
            for number in range(count):
                who = everybody[number % len(everybody)]
                floor = name == "floor"
                status, _ = await (
                    browsers.ask("POST", "/", who.session, b"{}") if floor else order(browsers, who)
                )
                assert status == 200, (name, status)

        async def rounds() -> None:
            for name, browsers, _ in both:
                await asked(name, browsers, SETTLING_IN)
            for _ in range(ROUNDS):
                for name, browsers, pids in both:
                    before = used_by(pids)
                    await asked(name, browsers, REQUESTS)
                    found[name].append(1000 * (used_by(pids) - before) / REQUESTS)

        asyncio.run(rounds())
    return found
