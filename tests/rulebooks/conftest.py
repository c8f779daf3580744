"""The command line, for books in files."""

from tests.cli.run import run

__all__ = ["run"]
