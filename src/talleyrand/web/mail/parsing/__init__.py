"""A mail as its writer meant it: pure, from bytes to values; never an error, whatever the bytes."""

from .content_digest import content_digest
from .email_parser import parse_email
from .parsed_email import LeftOut, LeftOutKind, MessageClass, ParsedEmail

__all__ = ["LeftOut", "LeftOutKind", "MessageClass", "ParsedEmail", "content_digest", "parse_email"]
