"""The test modules that a change concerns, the nearest first, as many as there is time for.

    python -m tests.packaging.changed [BASE] [SECONDS]

prints paths for pytest. What changed is what differs from the branch BASE (main) and is not committed yet. A
test module is near that imports a changed module, farther by each import between them; a file that is no
module stands for the modules of its folder. How long each takes is read in the report of the last whole
./test.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import grimp

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "test-results" / "tests.xml"
BUDGET = 25.0
UNKNOWN = 3.0
"""Seconds of a test module that no report knows."""


def changed_files(base: str, root: Path = ROOT) -> list[str]:
    """Paths that differ from where this branch left `base`, those of no commit too."""
    fork = _git(root, "merge-base", base, "HEAD")[0]
    new = _git(root, "ls-files", "--others", "--exclude-standard")
    return sorted({*_git(root, "diff", "--name-only", fork), *new})


def _git(root: Path, *words: str) -> list[str]:
    found = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    return found.stdout.splitlines()


def modules_of(files: Iterable[str], known: Collection[str]) -> set[str]:
    """The modules that files are, or stand beside: those of the nearest folder above that has any."""
    found: set[str] = set()
    for path in map(Path, files):
        own = _module(path)
        if own in known:
            found.add(own)
            continue
        for folder in path.parents[:-1]:
            package = _module(folder)
            beside = {one for one in known if one == package or one.rpartition(".")[0] == package}
            if beside:
                found |= beside
                break
    return found


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts if path.suffix == ".py" else path.parts
    parts = parts[1:] if parts[:1] == ("src",) else parts
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Every module of the package and of the tests, with those that import it."""
    graph = grimp.build_graph("talleyrand", include_external_packages=False)
    found = {module: set(graph.find_modules_that_directly_import(module)) for module in graph.modules}
    files = {_module(path.relative_to(root)): path for path in (root / "tests").rglob("*.py")}
    found |= {module: set() for module in files}
    for module, path in files.items():
        for name in _imported(path):
            if name in found:
                found[name].add(module)
    return found


def _imported(path: Path) -> set[str]:
    """What a file imports, by whole names: of `from a import b` both `a` and `a.b`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return found


def nearest(importers: Mapping[str, Collection[str]], changed: Iterable[str]) -> list[str]:
    """The test modules that import what changed, directly first."""
    near = dict.fromkeys(sorted(changed), 0)
    ring = list(near)
    while ring:
        distance = near[ring[0]] + 1
        ring = sorted({one for module in ring for one in importers.get(module, ())} - near.keys())
        near |= dict.fromkeys(ring, distance)
    tests = [module for module in near if module.rpartition(".")[2].startswith("test_")]
    return sorted(tests, key=lambda module: (near[module], module))


def seconds(report: Path) -> dict[str, float]:
    """How long each test module took in a report of pytest; nothing where there is none."""
    found: dict[str, float] = {}
    for case in ET.parse(report).getroot().iter("testcase") if report.exists() else ():
        module = case.get("classname", "")
        found[module] = found.get(module, 0.0) + float(case.get("time", 0))
    return found


def within(modules: Iterable[str], known: Mapping[str, float], budget: float) -> list[str]:
    """The first modules, leaving out those for which there is no time."""
    chosen = []
    for module in modules:
        if known.get(module, UNKNOWN) <= budget:
            budget -= known.get(module, UNKNOWN)
            chosen.append(module)
    return chosen


def main(base: str = "main", budget: str = str(BUDGET)) -> int:
    importers = imports()
    concerned = nearest(importers, modules_of(changed_files(base), importers.keys()))
    quick = [module for module in concerned if not module.startswith("tests.e2e.")]
    chosen = within(quick, seconds(REPORT), float(budget) * (os.cpu_count() or 1))
    print(f"{len(chosen)} of {len(concerned)} test modules that the change concerns", file=sys.stderr)
    for module in chosen:
        print(module.replace(".", "/") + ".py")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
