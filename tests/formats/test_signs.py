"""What is kept of a name that was typed or pasted."""

from __future__ import annotations

import pytest

from talleyrand.formats.visible_text import one_line_name, strip_invisible

NAMES = {
    "  Zoé \t Fontanel\n": "Zoé Fontanel",
    "\u202aZoé\u202c Fon\u2060ta\0nel\ufeff": "Zoé Fontanel",
    "مهر\u200cبین": "مهر\u200cبین",
    "क्\u200dष": "क्\u200dष",
    "\U0001f468\u200d\U0001f469": "\U0001f468\u200d\U0001f469",
    "\u200cZoé\u200d": "Zoé",
    "\u200c\u200d\u200b": "",
    "": "",
}


@pytest.mark.parametrize("typed", NAMES)
def test_a_name_is_what_anybody_sees_of_it(typed: str) -> None:
    assert one_line_name(typed) == NAMES[typed]
    assert one_line_name(NAMES[typed]) == NAMES[typed]


def test_lines_of_a_text_stay() -> None:
    assert strip_invisible("Une ligne\n\tet\u202e l’autre\x07") == "Une ligne\n\tet l’autre"
