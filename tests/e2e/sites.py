"""Sites of their own, as `talleyrand serve` starts them, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SERVE_AT = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "sys.exit(serve_site('127.0.0.1', {port}, sys.argv[1]))"
)
SERVE = SERVE_AT.format(port=0)
MIGRATE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""


@dataclass(frozen=True)
class Served:
    """A site while it runs: its address and its process."""

    address: str
    process: subprocess.Popen[str]

    def first_link(self) -> str:
        """The link that makes the account of its first administrator, which an empty site tells once."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rpartition(" ")[2].strip()


@contextmanager
def served(folder: Path, *arguments: str, program: str = SERVE, **variables: str) -> Iterator[Served]:
    """A site in a data folder, with more variables of its environment, until it is no longer needed."""
    command = [sys.executable, "-c", program, str(folder), *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment(folder, **variables)
    ) as process:
        assert process.stdout is not None
        first = next((line for line in process.stdout if "http://" in line), "")
        assert first, "the site did not start"
        try:
            yield Served(first.rpartition(" ")[2].strip().rstrip("/"), process)
        finally:
            process.terminate()


def run(program: str, folder: Path, *arguments: str, **variables: str) -> str:
    """What a program tells that works on the database of a data folder, whether or not a site serves it."""
    command = [sys.executable, "-c", program, *arguments]
    told = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, env=environment(folder, **variables), check=True
    )
    return told.stdout.strip()


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """That of this process, but for what it says of a site."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    return {
        **kept,
        "TALLEYRAND_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        **variables,
    }
