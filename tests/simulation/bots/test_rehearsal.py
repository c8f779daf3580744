"""What a site begins beside itself so that its first answers come soon."""

import subprocess
import sys

import pytest


@pytest.mark.long
def test_the_rehearsal_ends_well() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "talleyrand.simulation.bots.precompile"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
