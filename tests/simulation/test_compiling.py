"""Where machine code is kept, and when it is made anew; tried with a function that compiles at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from talleyrand.simulation import numba_compiler

SOURCE = Path(numba_compiler.__file__)
DOUBLING = """\
from numba_compiler import compiled_and_cached, sources_checksum


def _entry(made_from):
    def double(number):
        return 2 * number, made_from
    return compiled_and_cached(double)


double = _entry(sources_checksum())
"""
PROGRAM = "from doubling import double\nprint(*double(21))\nprint(sum(double.stats.cache_hits.values()))"
ADDING = """\
from numba_compiler import compiled, compiled_and_cached, sources_checksum


@compiled
def more(number, by):
    return number + by


def _entry(made_from):
    def add(number):
        return more(number, 1) + more(number, 2) + more(3, number), made_from
    return compiled_and_cached(add)


add = _entry(sources_checksum())
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with the decorators and one function."""
    folder = tmp_path / "package"
    folder.mkdir()
    shutil.copy(SOURCE, folder)
    (folder / "doubling.py").write_text(DOUBLING)
    return folder


def answer(package: Path, home: Path, program: str = PROGRAM, **variables: str) -> tuple[str, int]:
    """What the function says, and how often its machine code was found ready."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA", "XDG"))}
    environment |= {
        "PYTHONPATH": str(package),
        "HOME": str(home),
        "PYTHONDONTWRITEBYTECODE": "1",
        **variables,
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said, hits = done.stdout.splitlines()
    return said, int(hits)


def kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc"))


def closed(package: Path) -> None:
    """Nothing can be kept beside the package any more, not even by root."""
    (package / "__pycache__").write_text("no folder")


@pytest.mark.long
def test_it_is_kept_beside_the_package(package: Path, tmp_path: Path) -> None:
    said, hits = answer(package, tmp_path)
    assert hits == 0
    assert answer(package, tmp_path) == (said, 1)
    assert kept(package)


@pytest.mark.long
def test_it_is_kept_for_the_user_where_the_package_cannot_be_written_to(
    package: Path, tmp_path: Path
) -> None:
    closed(package)
    said, _ = answer(package, tmp_path / "home")
    assert answer(package, tmp_path / "home") == (said, 1)
    assert not kept(package)
    assert kept(tmp_path / "home")


@pytest.mark.long
def test_it_is_kept_where_the_user_says(package: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    said, _ = answer(package, tmp_path, NUMBA_CACHE_DIR=str(chosen))
    assert answer(package, tmp_path, NUMBA_CACHE_DIR=str(chosen)) == (said, 1)
    assert kept(chosen)
    assert not kept(package)


@pytest.mark.long
def test_it_works_where_nothing_can_be_kept(package: Path, tmp_path: Path) -> None:
    closed(package)
    (tmp_path / "home").write_text("no folder")
    assert answer(package, tmp_path / "home")[1] == 0
    assert answer(package, tmp_path / "home")[1] == 0


@pytest.mark.long
def test_it_is_made_anew_when_another_file_of_the_package_changes(package: Path, tmp_path: Path) -> None:
    before, _ = answer(package, tmp_path)
    (package / "other.py").write_text("FASTER = True\n")
    after, hits = answer(package, tmp_path)
    assert after != before
    assert hits == 0


@pytest.mark.long
def test_another_numba_compiles_as_it_does(package: Path, tmp_path: Path) -> None:
    """The one that the project is tried with has the compiler of ours."""
    assert numba.__version__.startswith(numba_compiler.PIPELINE_TRIED_WITH)
    source = package / SOURCE.name
    source.write_text(source.read_text().replace(numba_compiler.PIPELINE_TRIED_WITH, "none"))
    (package / "pipeline.py").write_text(
        "import numba_compiler\nprint(numba_compiler._pipeline('EntryCompiler'))"
    )
    told = subprocess.run(
        [sys.executable, "pipeline.py"], cwd=package, capture_output=True, text=True, check=True
    )
    assert told.stdout == "{}\n"
    assert answer(package, tmp_path)[0].startswith("42 ")


@pytest.mark.long
def test_a_function_is_compiled_once_whatever_numbers_stand_in_calls(package: Path, tmp_path: Path) -> None:
    (package / "adding.py").write_text(ADDING)
    program = "from adding import add, more\nprint(*add(10))\nprint(len(more.overloads))"
    said, compiled = answer(package, tmp_path, program)
    assert said.split()[0] == str(11 + 12 + 13)
    assert compiled == 1
