"""Bots: `by_name(name, strength)` gives one, `power_orders.orders_for_power` has it write orders."""

from .bot_protocol import Bot
from .bot_registry import STRENGTHS, bots_for_variant, by_name, names

__all__ = ["STRENGTHS", "Bot", "bots_for_variant", "by_name", "names"]
