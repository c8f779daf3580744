"""A game as a person writes it, in the form that `formats.plain` reads."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards.order_drafts import NO_POWER
from talleyrand.web.boards.position_texts import (
    phase_heading_text,
    position_lines,
    resolved_orders_text,
    setting_lines,
)
from talleyrand.web.bots import bot_players

from .models import PracticeGame, PracticeTurn
from .practice_records import initial_position


def practice_record_text(game: PracticeGame) -> str:
    """The sheets of a game under their headings, with the results as remarks."""
    variant = variants.load(game.variant)
    begun = game.start_situation != initial_position(variant)
    lines = list(setting_lines({"variant": game.variant, "rulebook": game.rulebook, "seed": game.seed}))
    lines += position_lines(game.start_situation, variant) if begun else []
    for turn in game.turns.all():
        lines += ["", phase_heading_text(variant, turn.phase), *turn.orders.get(NO_POWER, [])]
        for power in variant.board.powers:
            lines += _sheet(variant, turn, power)
    return "\n".join(lines) + "\n"


def _sheet(variant: Variant, turn: PracticeTurn, power: str) -> Iterator[str]:
    bot = turn.bots.get(power)
    remarks = [_("bot: %(player)s") % {"player": bot_players.bot_title(bot)}] if bot else []
    return resolved_orders_text(variant, power, turn.orders.get(power, []), turn.answer, remarks)
