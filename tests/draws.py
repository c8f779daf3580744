"""What is drawn of the long suites: each commit draws others, the same draw always the same."""

from __future__ import annotations

import hashlib
import math
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).parents[1]
ALWAYS = "no commit"
"""What draws where there is no Git, or no commit: always the same."""

# Of the tests that take long, of each part of the tests; more of those that guard secrets.
OF_LONG, OF_WATCHED = 10, 5
WATCHED = ("tests/web/press", "tests/web/security", "tests/web/visibility")

T = TypeVar("T")


def last_commit(root: Path = ROOT) -> str:
    """What draws unless `--draw` says otherwise: the last commit, which a shallow clone has too."""
    git = shutil.which("git")
    words = ["rev-parse", "--short=12", "HEAD"]
    found = git and subprocess.run([git, *words], cwd=root, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found and found.returncode == 0 else ALWAYS


def lot(draw: str, told: str) -> int:
    """The lot of one case, of 64 bits: no two draws give the same order."""
    return int.from_bytes(hashlib.sha256(f"{draw} {told}".encode()).digest()[:8])


def one_in(number: int, cases: Iterable[T], draw: str, told: str = "") -> list[T]:
    """One of the cases in so many, and one at least, in their order; others wherever `told` differs.

    Drawn by what str() says of each, which has to be the same in every run.
    """
    given = list(cases)
    by_lot = sorted(range(len(given)), key=lambda at: lot(draw, f"{told} {given[at]}"))
    return [given[at] for at in sorted(by_lot[: math.ceil(len(given) / number)])]


def sampled(items: Sequence[pytest.Item], draw: str) -> set[pytest.Item]:
    """All items but those that are not drawn; what was drawn is told.

    Of each test marked `one_in(n)` one case in n is drawn; of a module marked `one_in(n, of="played")`
    what its tests ask of one in n of the cases of `played`. Of the tests marked `long` one in OF_LONG of each
    part is drawn, and one in OF_LONG of the modules marked as a whole, whose tests share what takes long.
    """
    pools: dict[tuple[str, int], dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        for pool, unit in _places(item):
            pools[pool][unit].append(item)
    left_out: set[pytest.Item] = set()
    for (name, number), units in pools.items():
        drawn = one_in(number, units, draw)
        told = f"{name}: {len(drawn)} of {len(units)}, draw {draw}"
        units[drawn[0]][0].user_properties.append(("sampled", told))
        left_out |= {item for unit in units.keys() - set(drawn) for item in units[unit]}
    return set(items) - left_out


def _places(item: pytest.Item) -> Iterator[tuple[tuple[str, int], str]]:
    """Among which one in so many is drawn, and as part of what."""
    for node, marker in item.iter_markers_with_node("one_in"):
        shared = marker.kwargs.get("of")
        if shared is None:
            yield (item.nodeid.partition("[")[0], marker.args[0]), item.nodeid
        elif isinstance(item, pytest.Function) and shared in item.fixturenames:
            yield (f"{node.nodeid}, {shared}", marker.args[0]), str(item.callspec.params[shared])
    for node, _ in item.iter_markers_with_node("long"):
        parts = item.path.parent.relative_to(ROOT).parts
        if isinstance(node, pytest.Module):
            yield (f"{'/'.join(parts[:2])}, long modules", OF_LONG), node.nodeid
        else:
            part = "/".join(parts[:3])
            yield (f"{part}, long", OF_WATCHED if part in WATCHED else OF_LONG), node.nodeid
