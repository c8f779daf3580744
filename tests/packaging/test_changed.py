"""Which tests a change concerns."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging import changed
from tests.packaging.changed import ROOT, changed_files, imports, modules_of, nearest, seconds, within

GAMES = {
    "talleyrand.web.games",
    "talleyrand.web.games.game_history",
    "talleyrand.web.games.power_assignments",
}
KNOWN = GAMES | {"tests.web.common.test_pages"}
STORY = "src/talleyrand/web/games/game_history.py"
ASKED = [
    ([STORY], {"talleyrand.web.games.game_history"}),
    (["src/talleyrand/web/games/__init__.py"], {"talleyrand.web.games"}),
    (["src/talleyrand/web/games/templates/games/old.html"], GAMES),
    (["tests/web/common/test_pages.py"], {"tests.web.common.test_pages"}),
    (["CHANGELOG.md", "docs/en/index.md"], set()),
]


@pytest.mark.parametrize(("files", "found"), ASKED)
def test_a_file_is_a_module_or_stands_beside_some(files: list[str], found: set[str]) -> None:
    assert modules_of(files, KNOWN) == found


def test_the_nearest_come_first() -> None:
    importers = {"a": {"b", "tests.test_z"}, "b": {"tests.test_a", "c"}, "c": {"a", "tests.shared"}}
    assert nearest(importers, {"a"}) == ["tests.test_z", "tests.test_a"]
    assert nearest(importers, {"tests.test_a"}) == ["tests.test_a"]


def test_those_that_take_too_long_are_left_out() -> None:
    assert within(["long", "short", "unknown", "late"], {"long": 40, "short": 3, "late": 6}, 10) == [
        "short",
        "unknown",
    ]


def test_times_are_read_in_a_report(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    assert seconds(report) == {}
    rows = '<testcase classname="a" time="1.5"/><testcase classname="a" time="2"/>'
    report.write_text(f"<testsuites><testsuite>{rows}</testsuite></testsuites>")
    assert seconds(report) == {"a": 3.5}


@pytest.mark.long
def test_a_change_of_this_package_finds_its_tests() -> None:
    importers = imports()
    found = nearest(importers, modules_of([STORY], importers.keys()))
    assert "tests.web.games.test_politics" in found[:40]
    assert all((ROOT / f"{module.replace('.', '/')}.py").exists() for module in found)


def test_what_changed_is_what_no_commit_of_the_base_holds(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        own = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *own, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-b", "main")
    for name in ("old", "edited", "committed"):
        (tmp_path / name).write_text("1")
    git("add", ".")
    git("commit", "-m", "one")
    git("checkout", "-b", "own")
    (tmp_path / "committed").write_text("2")
    git("commit", "-am", "two")
    (tmp_path / "edited").write_text("2")
    (tmp_path / "new").write_text("2")
    assert changed_files("main", tmp_path) == ["committed", "edited", "new"]


@pytest.mark.long
def test_where_nothing_changed_no_test_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(changed, "changed_files", lambda _base: [])
    assert changed.main() == 0
    assert capsys.readouterr().out == ""  # an empty line would be taken for a path, and so for all tests


@pytest.mark.long
@pytest.mark.parametrize(("seconds_left", "told"), [("0", "1 skipped"), ("600", "1 passed")])
def test_where_no_time_is_left_the_rest_is_left_out_and_told(seconds_left: str, told: str) -> None:
    mine = f"{Path(__file__)}::test_the_nearest_come_first"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--within", seconds_left, mine]
    assert told in subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
