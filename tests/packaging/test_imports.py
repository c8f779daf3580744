"""No module needs another that needs it in turn."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


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
