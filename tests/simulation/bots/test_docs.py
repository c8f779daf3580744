"""The examples of the page on bots run and print what it says, the same in both languages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3] / "docs"
BLOCK = re.compile(r"^```(?:python|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = BLOCK.findall((ROOT / "en/reference/bots.md").read_text("utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("number", range(2))
def test_the_example_prints_what_the_page_says(number: int) -> None:
    program, output = PROGRAMS[2 * number : 2 * number + 2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (output, "")


def test_both_languages_show_the_same_examples() -> None:
    french = (ROOT / "fr/reference/ordinateurs.md").read_text("utf-8")
    assert len(PROGRAMS) == 4
    assert BLOCK.findall(french) == PROGRAMS
