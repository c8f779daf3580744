"""What is drawn of the suites: every case by some commit, the same by the same, all at full size."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests import draws

FEW = [f"{number:012x}" for number in range(24)]  # names that commits may have
SLIPS = "tests/notation/test_names.py"


@dataclass(eq=False)
class Case:
    """What is asked of a test that pytest has found."""

    nodeid: str
    marks: list[tuple[object, pytest.Mark]]
    user_properties: list[tuple[str, str]] = field(default_factory=list)

    @property
    def path(self) -> Path:
        return draws.ROOT / self.nodeid.partition("::")[0]

    def iter_markers_with_node(self, name: str) -> list[tuple[object, pytest.Mark]]:
        return [(node or self, mark) for node, mark in self.marks if mark.name == name]


def found() -> list[Any]:
    """Tests without a mark, cases of one, long ones of two parts, and modules that are long together."""
    table = [
        Case(f"tests/a/test_b.py::test_each[{at}]", [(None, pytest.mark.one_in(3).mark)]) for at in range(10)
    ]
    long = [
        Case(f"tests/web/{part}/test_c.py::test_{at}", [(None, pytest.mark.long.mark)])
        for part in ("games", "security")
        for at in range(8)
    ]
    return [Case("tests/a/test_b.py::test_usual", []), *table, *long]


def drawn(draw: str, items: list[Any]) -> set[str]:
    return {item.nodeid for item in draws.sampled(items, draw)}


def test_every_case_is_drawn_by_some_commit_among_few() -> None:
    items = found()
    assert set.union(*(drawn(draw, items) for draw in FEW)) == {item.nodeid for item in items}


def test_a_draw_is_the_same_each_time_whatever_the_order() -> None:
    for draw in FEW:
        assert drawn(draw, found()) == drawn(draw, found()[::-1])
    assert len({frozenset(drawn(draw, found())) for draw in FEW}) == len(FEW)


@pytest.mark.parametrize("draw", FEW[:3])
def test_each_draw_has_its_share_and_tells_it(draw: str) -> None:
    items = found()
    kept = drawn(draw, items)
    shares = {
        "tests/a/test_b.py::test_usual": 1,
        "tests/a/test_b.py::test_each": 4,
        "tests/web/games": 1,
        "tests/web/security": 2,
    }
    assert {start: sum(name.startswith(start) for name in kept) for start in shares} == shares
    told = [text for item in items if item.nodeid in kept for _, text in item.user_properties]
    assert told == [
        f"tests/a/test_b.py::test_each: 4 of 10, draw {draw}",
        f"tests/web/games, long: 1 of 8, draw {draw}",
        f"tests/web/security, long: 2 of 8, draw {draw}",
    ]


def test_a_module_marked_together_is_drawn_together(request: pytest.FixtureRequest) -> None:
    module = request.node.getparent(pytest.Module)
    together = [Case(f"{__name__}::{at}", [(module, pytest.mark.long.mark)]) for at in range(5)]
    assert len(drawn("any", [*together])) == 5


def git(folder: Path, *words: str) -> None:
    own = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def test_each_commit_has_its_draw_a_shallow_clone_the_same(tmp_path: Path) -> None:
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    whole.mkdir()
    git(whole, "init")
    assert draws.last_commit(whole) == draws.ALWAYS
    known = set()
    for told in ("one", "two"):
        git(whole, "commit", "--allow-empty", "-m", told)
        known.add(draws.last_commit(whole))
    git(tmp_path, "clone", "--depth", "1", whole.as_uri(), str(shallow))
    assert len(known - {draws.ALWAYS}) == 2
    assert draws.last_commit(shallow) == draws.last_commit(whole)


def test_without_git_one_draw_is_all_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert draws.last_commit(tmp_path) == draws.ALWAYS
    monkeypatch.setenv("PATH", "")
    assert draws.last_commit() == draws.ALWAYS


def collected(*options: str) -> tuple[str, set[str]]:
    """The header of pytest, and the cases that it would run of one module."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", SLIPS]
    done = subprocess.run([*command, *options], cwd=draws.ROOT, capture_output=True, text=True, check=True)
    return done.stdout, set(re.findall(rf"^{SLIPS}::.*", done.stdout, re.MULTILINE))


@pytest.mark.long
def test_nothing_is_left_out_at_full_size() -> None:
    _, whole = collected("--full")
    _, everything = collected("--draw", "all")
    _, one = collected("--draw", "one")
    assert whole == everything
    assert one < whole
