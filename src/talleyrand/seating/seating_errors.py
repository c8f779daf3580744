"""Why nobody can be seated so."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.engine.errors import TalleyrandError

from .seating_request import HardRule


class SeatingError(TalleyrandError):
    """A request that makes no sense: `code` says why, `facts` what it is about."""


class ImpossibleSeating(SeatingError):
    """Hard rules that no draw obeys.

    `rules` are those that collide: without any one of them there is a draw (code `seating_impossible`). Or
    none was found though it is not proven that there is none (`seating_not_found`): then they are all rules.
    """

    def __init__(self, code: str, rules: Sequence[HardRule]) -> None:
        super().__init__(code)
        self.rules = tuple(rules)
