"""A claim in the hands of a test."""

from __future__ import annotations

from typing import Any

from talleyrand.web.claims import Queue, Sweep

Claimed = tuple[Sweep, list[Any]]


def claim(queue: Queue) -> Claimed | None:
    """The next of what is due."""
    sweep = Sweep(queue)
    rows = sweep.claim_next()
    return (sweep, rows) if rows else None


def go_on(claimed: Claimed) -> int:
    """Do what was claimed."""
    sweep, rows = claimed
    return sweep.queue.work(sweep, rows)
