"""Compiles and keeps what bots need, in a process of its own: python -m talleyrand.simulation.bots.precompile

A site that begins it beside itself has its first answers in a second, not in a minute. Then another begins
that compiles what judges the reasons of many games.
"""

from __future__ import annotations

import os

from talleyrand import rulebooks, variants
from talleyrand.simulation.reasons_compiler import kept_mark, start_compiling

from .bot_registry import by_name
from .power_orders import orders_for_power


def precompile() -> None:
    """One power's first orders by the bot that uses the most code."""
    setting = variants.load("classic").definition
    orders_for_power(
        setting,
        rulebooks.load("datc").adjudication_rules,
        setting.start,
        "AUSTRIA",
        by_name("search", "easy"),
        0,
    )


if __name__ == "__main__":
    os.nice(10)
    precompile()
    if not kept_mark().exists():
        start_compiling()
