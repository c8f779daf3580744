"""A game as a person writes it, in the form that `formats.plain` reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.boards.drafts import NOBODY
from talleyrand.web.boards.texts import heading, position_lines, setting_lines

from . import opponents
from .models import PracticeGame, PracticeTurn
from .records import first_position


def as_text(game: PracticeGame) -> str:
    """The sheets of a game under their headings, with the results as remarks."""
    variant = variants.load(game.variant)
    begun = game.start != first_position(variant)
    lines = list(setting_lines({"variant": game.variant, "rulebook": game.rulebook, "seed": game.seed}))
    lines += position_lines(game.start, variant) if begun else []
    for turn in game.turns.all():
        lines += ["", heading(variant, turn.phase), *turn.orders.get(NOBODY, [])]
        for power in variant.board.powers:
            lines += _sheet(variant, turn, power)
    return "\n".join(lines) + "\n"


def _sheet(variant: Variant, turn: PracticeTurn, power: str) -> Iterator[str]:
    entries = [entry for entry in turn.answer["orders"] if entry["power"] == power]
    if not entries and not turn.orders.get(power):
        return
    yield wording.power(variant, power).upper()
    if power in turn.bots:
        yield f"// {_('computer: %(player)s') % {'player': opponents.title(turn.bots[power])}}"
    yield from turn.orders.get(power, [])
    yield from (f"// {_remark(entry)}" for entry in entries if entry.get("results") or entry.get("error"))


def _remark(entry: Mapping[str, Any]) -> str:
    tongue = wording.language()
    what = entry.get("order") or entry.get("line") or entry.get("unit") or ""
    came = ", ".join(wording.result(code) for code in entry.get("results") or ())
    said = entry["error"]["message"] if entry.get("error") else entry.get("why") or {}
    return " ".join(f"{what} : {came}. {said.get(tongue, '')}".split())
