"""The rules: boards, positions, orders, and what becomes of them.

Standard library only; immutable values; no input or output, no clock, no chance.
"""
