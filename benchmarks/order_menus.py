"""How long the legal orders of a phase take to find: the first time, and once they are kept."""

from __future__ import annotations

import os
import tempfile
from statistics import median
from time import perf_counter

from talleyrand import variants

ROUNDS = 7


def tell() -> None:
    """Print the milliseconds for each variant's first phase."""
    print("\nlegal orders of the first phase, arranged for the menus (milliseconds)")
    print(f"  {'':20}{'orders':>8}{'first time':>12}{'kept':>10}")
    for name in variants.playable_names():
        orders, first, kept = measured(name)
        print(f"  {name:20}{orders:8}{first:12.1f}{kept:10.2f}")


def measured(name: str) -> tuple[int, float, float]:
    """How many orders, and the median time to find them without the cache and with it."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TALLEYRAND_DATA", folder)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
        import django

        django.setup()
    from talleyrand.web.boards import adjudicator, order_menus
    from talleyrand.web.practice import practice_records

    asked = adjudicator.make_question(
        name, "anjou_feu", "", practice_records.initial_position(variants.load(name))
    )
    first: list[float] = []
    kept: list[float] = []
    for _ in range(ROUNDS):
        order_menus._menu.cache_clear()
        for times in (first, kept):
            begun = perf_counter()
            menus = order_menus.order_menus(asked, "en")
            times.append((perf_counter() - begun) * 1000)
    count = sum(len(list(subject.choices)) for menu in menus for subject in menu.subjects)
    return count, median(first), median(kept)
