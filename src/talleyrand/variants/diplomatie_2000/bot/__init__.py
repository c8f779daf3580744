"""A bot for the world's politics: it votes, helps and hinders by who threatens and who helps its state.

Simple on purpose, and the same for all: what it likes and dislikes are numbers (`outlook`), and every
decision takes the greatest gain by them.
"""

from .phase_orders import phase_orders

__all__ = ["phase_orders"]
