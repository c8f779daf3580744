"""Whom a mail did not reach, as the server says that sends it back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .charsets import decode_text, decode_transfer
from .mime_parts import LONGEST_TEXT, MimePart, parse_part
from .phrase_lists import any_of
from .text_folding import fold

MOST = 100
_ADDRESS = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_PLAIN = re.compile(r"^\s*<?([^\s<>:]{1,64}@[^\s<>:]{1,253})>?\s*(?::|$)", re.MULTILINE)
_DELAYED = re.compile(any_of("delayed"))
_COPY = re.compile(
    r"^.{0,20}(?:copy of (?:the|your) message|original message|below this line|message d'origine)",
    re.MULTILINE | re.IGNORECASE,
)


class BounceReport(NamedTuple):
    """Addresses, each once, and the code of the first reason given."""

    failed: tuple[str, ...] = ()
    delayed: tuple[str, ...] = ()
    status: str = ""
    is_told: bool = True
    """False where all that is said is that it arrived."""


def parse_bounce(part: MimePart, text: str) -> BounceReport:
    """From the part made for machines; where there is none, from a header, then from the words."""
    for report in _reports(part):
        found = _from_report(report)
        if found.failed or found.delayed or not found.is_told:
            return found
    status = _STATUS.search(text)
    named = _ADDRESS.findall(" ".join(part.values("X-Failed-Recipients")))
    named = named or _PLAIN.findall(_COPY.split(text[:20_000])[0])
    addresses = _once(named)
    late = _DELAYED.search(fold(part.value("Subject"))) is not None
    return BounceReport(() if late else addresses, addresses if late else (), status[0] if status else "")


def _reports(part: MimePart) -> Iterator[bytes]:
    for child in part.children()[:MOST]:
        if child.kind in ("message/delivery-status", "message/global-delivery-status"):
            data = decode_transfer(child.body[:LONGEST_TEXT], child.encoding)
            yield data


def _from_report(report: bytes) -> BounceReport:
    failed: list[str] = []
    delayed: list[str] = []
    actions: list[str] = []
    status = ""
    for block in re.split(rb"\n[ \t]*\n", report.strip(), maxsplit=MOST):
        fields = parse_part(block.lstrip(b"\n") + b"\n")
        action = fields.value("Action").lower()
        addresses = _recipients(fields)
        if not addresses:
            continue
        actions.append(action)
        if action in ("failed", ""):
            failed += addresses
        elif action == "delayed":
            delayed += addresses
        found = _STATUS.search(fields.value("Status"))
        status = status or (found[0] if found and action in ("failed", "delayed", "") else "")
    is_told = not actions or bool(failed or delayed)
    return BounceReport(_once(failed), _once(delayed), status, is_told)


def _recipients(fields: MimePart) -> list[str]:
    """The address we wrote to before the one that it was passed on to."""
    written = [fields.value(name) for name in ("Original-Recipient", "Final-Recipient")]
    return [match[0] for value in written if (match := _ADDRESS.search(decode_text(value.encode(), "utf-8")))]


def _once(addresses: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(address.lower() for address in addresses))[:MOST]
