"""Bots: `by_name(name, strength)` gives one, `answering.answer` has it write the orders of a power."""

from .bot_protocol import Bot
from .registry import STRENGTHS, by_name, names, players_of

__all__ = ["STRENGTHS", "Bot", "by_name", "names", "players_of"]
