"""What tests of the command line share."""

from .run import run

__all__ = ["run"]
