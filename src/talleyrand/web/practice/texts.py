"""A game as a person writes it, in the form that `formats.plain` reads."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards.drafts import NOBODY
from talleyrand.web.boards.texts import heading, played_sheet, position_lines, setting_lines

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
    bot = turn.bots.get(power)
    remarks = [_("computer: %(player)s") % {"player": opponents.title(bot)}] if bot else []
    return played_sheet(variant, power, turn.orders.get(power, []), turn.answer, remarks)
