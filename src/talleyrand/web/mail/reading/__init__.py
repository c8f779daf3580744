"""A mail as its writer meant it: pure, from bytes to values; never an error, whatever the bytes."""

from .mail import LeftOut, Mail, Nature, Piece, read

__all__ = ["LeftOut", "Mail", "Nature", "Piece", "read"]
