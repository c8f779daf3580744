"""Standing rules of the repository that a glance can check."""

import ast
import builtins
import os
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Migrations are written by Django.
MODULES = sorted(path for path in (ROOT / "src").rglob("*.py") if "migrations" not in path.parts)


def class_names(module: Path) -> list[str]:
    """A line that begins with the word and goes on as one does begins a class."""
    return re.findall(r"^ *class (\w+)[(:\[]", module.read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", ["run", "test", ".ci/run"])
def test_the_commands_can_be_run(name: str) -> None:
    assert os.access(ROOT / name, os.X_OK)
    subprocess.run(["/bin/bash", "-n", str(ROOT / name)], check=True)


def test_continuous_integration_calls_the_same_test() -> None:
    assert '/../test" "$@"' in (ROOT / ".ci" / "run").read_text()


def test_a_module_stays_under_500_lines() -> None:
    lines = {str(module.relative_to(ROOT)): len(module.read_text().splitlines()) for module in MODULES}
    assert len(lines) > 500
    assert {module: count for module, count in lines.items() if count >= 500} == {}


def test_a_name_that_is_searched_for_leads_to_one_place() -> None:
    """Of classes and of modules, but for the names that Django gives."""
    of_django = {"__init__", "apps", "forms", "models", "urls", "views"}
    modules = Counter(module.stem for module in MODULES if module.stem not in of_django)
    classes = Counter(name for module in MODULES for name in class_names(module) if name != "Meta")
    assert len(classes) > 1000
    assert {name: count for name, count in (modules | classes).items() if count > 1} == {}


def test_a_function_is_named_for_what_it_gives_or_does() -> None:
    """A participle or a preposition alone leads nowhere; a reader's public `read` says enough."""
    particles = "all|at|by|from|inside|of|one|which|whole|with|within|without"
    participles = "asked|done|found|given|kept|made|named|put|read|said|sent|shown|taken|told|written"
    unclear = re.compile(rf"def (_(?:{particles}|{participles})|asked|kept|of|said|told)\(")
    assert [f"{module}: {name}" for module in MODULES for name in unclear.findall(module.read_text())] == []


def test_errors_that_docstrings_name_exist() -> None:
    """Of "raises InvalidPosition" the class is one of ours, of Python, or imported somewhere."""
    known, named = {*dir(builtins), *(name for module in MODULES for name in class_names(module))}, set()
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for module in (one for one in MODULES if re.search(r"\b[Rr]aises? ", one.read_text())):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                known.update(name.name.rpartition(".")[2] for name in node.names)
            text = ast.get_docstring(node, clean=False) if isinstance(node, documented) else None
            for told in re.findall(r"\b[Rr]aises? ([^.;:(]*)", text or ""):
                names = re.findall(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b", told)
                named |= {(str(module.relative_to(ROOT)), name) for name in names}
    assert len(named) > 200
    assert {one for one in named if one[1] not in known} == set()


def test_no_package_shadows_the_standard_library() -> None:
    assert [path for path in (ROOT / "src").rglob("platform*") if path.suffix in {"", ".py"}] == []


@pytest.mark.parametrize("package", ["cli", "formats", "web"])
def test_the_notation_is_used_by_its_door(package: str) -> None:
    """How lines are cut and parsed is the notation's own affair."""
    inside = re.compile(r"\b(?:from|import) talleyrand\.notation\.")
    modules = (ROOT / "src" / "talleyrand" / package).rglob("*.py")
    assert [module.name for module in modules if inside.search(module.read_text())] == []
