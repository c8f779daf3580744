"""Bots: `by_name(name, strength)` gives one, `answering.answer` has it write the orders of a power."""

from .bot_registry import (
    STRENGTHS,
    Bot,
    bots_for_variant,
    by_name,
    names,
)

__all__ = ["STRENGTHS", "Bot", "bots_for_variant", "by_name", "names"]
