"""Talleyrand: Diplomacy judged by the rulebook you choose, with the reason of every verdict."""

__version__ = "0.1.0"
