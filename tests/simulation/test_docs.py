"""The example of the reference runs and prints what it says, in both languages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(python|output)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_example_prints_what_the_reference_says(language: str) -> None:
    page = (ROOT / f"docs/{language}/reference/python.md").read_text("utf-8")
    blocks = dict(BLOCK.findall(page))
    done = subprocess.run(
        [sys.executable, "-c", blocks["python"]], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (blocks["output"], "")
