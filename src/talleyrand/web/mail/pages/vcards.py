"""Addresses as a file that mail programs read: vCard 3.0 (RFC 2426). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

END = "\r\n"
LONGEST_LINE = 75  # octets
SPECIAL = str.maketrans({"\\": "\\\\", ",": "\\,", ";": "\\;", "\n": "\\n", "\r": ""})


@dataclass(frozen=True)
class VCard:
    """What an address is called, and the game that it belongs to; `uid` stays when the address changes."""

    name: str
    game: str
    address: str
    uid: str


def vcard_file(cards: Iterable[VCard]) -> str:
    """All of them, one after another."""
    return "".join(END.join(_folded(line) for line in _lines(card)) + END for card in cards)


def _lines(card: VCard) -> Iterator[str]:
    yield "BEGIN:VCARD"
    yield "VERSION:3.0"
    yield f"UID:{_escaped(card.uid)}"
    yield f"FN:{_escaped(card.name)}"
    yield f"N:{_escaped(card.name)};;;;"
    yield f"ORG:{_escaped(card.game)}"
    yield f"EMAIL;TYPE=INTERNET:{_escaped(card.address)}"
    yield "CATEGORIES:Talleyrand"
    yield "END:VCARD"


def _escaped(text: str) -> str:
    return text.translate(SPECIAL)


def _folded(line: str) -> str:
    """A long line goes on after a blank; no sign is cut in two."""
    parts, room = [""], LONGEST_LINE
    for sign in line:
        size = len(sign.encode())
        if size > room:
            parts.append("")
            room = LONGEST_LINE - 1
        parts[-1] += sign
        room -= size
    return f"{END} ".join(parts)
