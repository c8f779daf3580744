"""The key by which push services know this site: given, or made at the first start."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

from .environment import kept_secret, setting_error, word_list

LENGTH = 43  # characters of 32 bytes in base64, without what fills it up
# A key is a number below the order of the curve P-256.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def push_key(name: str, file: Path) -> str:
    """32 bytes in base64: from the variable, or from a file that only its owner reads, made if it is missing.

    Devices are registered with it: with another one they hear nothing until they are registered again.
    """
    given = os.environ.get(name, "").strip()
    if given:
        if not _is_key(given):
            raise setting_error(name, "push_key")
        return given
    return kept_secret(name, file, _new_key, _is_key)


def _new_key() -> str:
    return (
        base64.urlsafe_b64encode((1 + secrets.randbelow(ORDER - 1)).to_bytes(32, "big")).decode().rstrip("=")
    )


def _is_key(text: str) -> bool:
    if len(text) != LENGTH or not text.isascii():
        return False
    try:
        data = base64.b64decode(f"{text}=", altchars=b"-_", validate=True)
    except ValueError:
        return False
    return len(data) == 32 and 0 < int.from_bytes(data, "big") < ORDER


def push_services(name: str) -> list[str]:
    """Names of push services besides the usual ones."""
    return [word.lower() for word in word_list(name, ())]
