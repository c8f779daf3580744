"""What feeds say, as a reader of feeds takes it."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

ATOM = "{http://www.w3.org/2005/Atom}"


def atom_entries(answer: Any) -> list[tuple[str, str, str]]:
    """The title, the text and the link of each entry of an answer, which is Atom."""
    assert answer["Content-Type"].startswith("application/atom+xml")
    found = ET.fromstring(answer.content).findall(f"{ATOM}entry")
    return [
        (
            one.findtext(f"{ATOM}title", ""),
            one.findtext(f"{ATOM}summary", ""),
            one.find(f"{ATOM}link").attrib["href"],  # type: ignore[union-attr]
        )
        for one in found
    ]
