"""A mail as its writer meant it: pure, from bytes to values; never an error, whatever the bytes."""

from .mail import LeftOut, Mail, Nature, Piece
from .reader import read
from .sameness import sameness

__all__ = ["LeftOut", "Mail", "Nature", "Piece", "read", "sameness"]
