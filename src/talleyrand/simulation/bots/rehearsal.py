"""Compiles and keeps what bots need, in a process of its own: python -m talleyrand.simulation.bots.rehearsal

A site that begins it beside itself has its first answers in a second, not in a minute.
"""

from __future__ import annotations

import os

from talleyrand import rulebooks, variants

from .answering import answer
from .registry import by_name


def rehearse() -> None:
    """One power's first orders by the bot that uses the most code."""
    setting = variants.load("classic").setting
    answer(setting, rulebooks.load("datc").judge, setting.start, "AUSTRIA", by_name("search", "easy"), 0)


if __name__ == "__main__":
    os.nice(10)
    rehearse()
