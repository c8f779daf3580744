"""Keeps what opens an account out of the log."""

from __future__ import annotations

import logging
import re

SECRET = re.compile(r"(/(?:lien|link|invitation|calendrier|calendar)/)[^/\s]+")


class Secrets(logging.Filter):
    """Blots out the part of a path that is as good as a password."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = SECRET.sub(r"\1…", record.getMessage()), ()
        return True
