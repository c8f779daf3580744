"""The examples of the page on seating come out as they stand, in both languages."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.run import Run

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "fr/reference/placement.md", DOCS / "en/reference/seating.md"]
PYTHON = re.compile(r"^```python\n(.*?)^```\n```output\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n\$ talleyrand ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_programs_print_what_the_page_says(page: Path) -> None:
    examples = PYTHON.findall(page.read_text("utf-8"))
    assert len(examples) == 2
    for program, output in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, str(page), "exec"), {})
        assert printed.getvalue() == output


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_commands_print_what_the_page_says(run: Run, page: Path) -> None:
    examples = CONSOLE.findall(page.read_text("utf-8"))
    assert len(examples) == 1
    for command, shown in examples:
        printed = iter(run(*shlex.split(command)).out.replace("\u00a0", " ").splitlines())
        assert all(any(found.startswith(line) for found in printed) for line in shown.splitlines())
