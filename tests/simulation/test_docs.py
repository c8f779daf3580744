"""The examples of the reference run and print what it says, in both languages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


EXAMPLES = 2


@pytest.mark.one_in(4)
@pytest.mark.parametrize("number", range(EXAMPLES))
@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_example_prints_what_the_reference_says(language: str, number: int) -> None:
    page = (ROOT / f"docs/{language}/reference/python.md").read_text("utf-8")
    blocks = BLOCK.findall(page)
    assert [kind for kind, _ in blocks] == ["python", "output"] * EXAMPLES
    program, output = blocks[2 * number][1], blocks[2 * number + 1][1]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (output, "")
