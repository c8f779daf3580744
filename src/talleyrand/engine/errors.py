"""What is refused, and why, as facts without prose.

TalleyrandError            a question as a whole cannot be answered (raised)
├── UnknownName            a rulebook, variant, option or value nobody defined
├── ImpossibleCombination  options that contradict each other
└── InvalidPosition            a position that cannot stand on its board

Refusal                    one order is refused (a value, kept beside the order)
├── OrderNotUnderstood          no reading at all
├── OrderNotAllowed             one reading, and the rules forbid it
└── Ambiguous              two readings or more, none to be preferred
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class TalleyrandError(Exception):
    """A question that cannot be answered: `code` names the reason, `facts` what it is about."""

    def __init__(self, code: str, **facts: str) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


class UnknownName(TalleyrandError):
    """A name nobody defined: `unknown_rulebook`, `unknown_variant`, `unknown_option`, `unknown_value`,
    `unknown_split`; or a board whose rules are still to come: `unplayable_variant`.
    """


class ImpossibleCombination(TalleyrandError):
    """Options of a rulebook that contradict each other; facts `first` and `second` name them."""


class InvalidPosition(TalleyrandError):
    """A position that cannot stand: unknown place, two units in one space, unknown power or phase."""


@dataclass(frozen=True, slots=True)
class OrderRefusal:
    """Why an order is refused.

    `code` is a code with a sentence in every language; `text` the words concerned, as written;
    `places`, `units` and `candidates` what the sentence names, in normal form;
    `nearest_order` the nearest legal order in normal form, or "". `family` is one of the three refusals.
    """

    family: ClassVar[str]
    code: str
    text: str = ""
    places: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    nearest_order: str = ""

    @property
    def kind(self) -> str:
        """The kind outsiders see (contract: `error.kind`)."""
        if self.code == "done_this_turn":
            return "surplus"
        return self.code if self.code in _OWN_KINDS else self.family


class OrderNotUnderstood(OrderRefusal):
    """No reading at all."""

    family = "not_understood"


class OrderNotAllowed(OrderRefusal):
    """One reading, which the rules forbid."""

    family = "illegal"


class OrderAmbiguous(OrderRefusal):
    """Several readings, none to be preferred; `candidates` lists them."""

    family = "ambiguous"


_OWN_KINDS = frozenset(
    (
        "coast_missing",
        "multiple_orders",
        "conditional",
        "surplus",
        "superseded",
        "foreign_unit",
        "no_such_unit",
    )
)
