"""`{% load letters %}`: `{% unread sight %}`, how many letters wait for the visitor;
`{% argued debate board as debate %}`, proposals with what was said of them."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode

from talleyrand.web.games.playing.board import Board
from talleyrand.web.games.sight import Sight
from talleyrand.web.press import marks, motions, pages
from talleyrand.web.press.composing import Desk
from talleyrand.web.press.rules import EVERYBODY, Address, Kind

register = template.Library()


@register.simple_tag
def unread(sight: Sight) -> int:
    """The number of unread letters to the visitor, and for the game master of those that wait for him."""
    return marks.unread(sight)


@register.simple_tag
def argued(debate: list[dict[str, Any]], board: Board) -> list[dict[str, Any]]:
    """The proposals of a phase, each with its argument, its thread, and where one writes of it."""
    number = motions.made_in(board.story, board.number, board.code)
    rows = [row for vote in debate for row in vote["motions"]]
    keys = [motions.Motion(number, row["about"], row["by"]).key for row in rows]
    told = pages.threads(board.sight, number, keys)
    writes = board.is_open and bool(Desk.of(board.sight).signatures(Address(Kind.ALL)))
    place = reverse("press:new", args=[board.game.key])
    for row, key in zip(rows, keys, strict=True):
        said = told[key]
        row["argument"] = next((one for one in said if one["signed"] == row["by"]), None)
        row["thread"] = [one for one in said if one is not row["argument"]]
        row["mine"] = row["by"] in board.sight.acting
        asked = urlencode({"to": EVERYBODY, "about": key})
        row["write"] = f"{place}?{asked}#write" if writes else ""
    return debate
