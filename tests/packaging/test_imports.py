"""No module needs another that needs it in turn."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

import talleyrand

SOURCES = Path(talleyrand.__file__).parent


def circle(needs: dict[str, set[str]]) -> list[str]:
    """A circle of modules, each needed by the next, or nothing."""
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as found:
        modules: list[str] = found.args[1]
        return modules
    return []


@pytest.mark.parametrize("package", ["talleyrand", "benchmarks"])
def test_imports_go_in_no_circle(package: str) -> None:
    """Those inside functions and those for types alone count too."""
    graph = grimp.build_graph(package, cache_dir=None)
    assert not circle({one: graph.find_modules_directly_imported_by(one) for one in graph.modules})


def test_a_circle_is_found() -> None:
    assert set(circle({"order": {"phase"}, "phase": {"game"}, "game": {"order"}, "map": set()})) == {
        "order",
        "phase",
        "game",
    }


def test_processes_of_ours_import_nothing_from_the_folder_they_begin_in() -> None:
    """With -c or -m alone, Python looks there first: somebody's `random.py` would be run for its own."""
    told = {
        (file.name, option)
        for file in SOURCES.rglob("*.py")
        for option in re.findall(r"sys\.executable,\s*([^\s,)]+)", file.read_text("utf-8"))
    }
    assert {name for name, _ in told} >= {"reasons_compiler.py", "low_priority.py", "site_server.py"}
    assert {option for _, option in told} == {'"-P"'}
