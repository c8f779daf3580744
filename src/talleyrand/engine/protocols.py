"""What a variant may bring of its own beside boards and phases: a memory, words, and a way to end a year."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from .balances import Balance
from .board import Board
from .errors import Refusal
from .orders import Order
from .outcome import Note
from .position import Phase, Position
from .rulebook import Rulebook


class Understood(NamedTuple):
    """A line as the variant's own words read it: the order, why it cannot be one, what was left aside."""

    order: Order | None
    refusal: Refusal | None = None
    notes: tuple[Note, ...] = ()


class Phrase(NamedTuple):
    """A cell in the variant's own words: a sentence (family `minutes`) and its blanks: codes of powers and of
    places, numbers, units and orders in normal form."""

    code: str
    blanks: Mapping[str, object] = {}


class Minutes(NamedTuple):
    """A table of what was proposed, voted, given or counted.

    `code` and the columns name sentences (family `minutes`): its title and their headings. A cell is a
    sentence, the code of a power, or a number. `folded`: for whoever wants to know more.
    """

    code: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Phrase | str | int, ...], ...]
    folded: bool = False


class Lookup(Protocol):
    """What the usual reader knows of names, for a variant's own words."""

    def plain(self, text: str) -> str:
        """A text in plain capitals: no accents, every dash a hyphen."""

    def power(self, text: str) -> str | None:
        """The seat that a text names and nothing else; nothing is guessed."""

    def province(self, text: str) -> str | None:
        """The province that a text names and nothing else."""

    def order(self, text: str, position: Position, power: str) -> Understood:
        """A text as an order to a unit of `power`, as moves are read."""


class Politics(Protocol):
    """What a variant has beside units and centres, kept in `Position.affairs` and written as `Measure`s.

    Its phases are rules like any others (`game.PhaseRules`); this is what they leave to be said: how its
    affairs are asked and told (`politics` of a question), how its lines are read, how a year ends.
    """

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """The points that its text leaves open and a game may settle: their values, the usual one first."""

    def worth(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:
        """What each power counts for, figure by figure: a row of a table."""

    def minutes(self, asked: Mapping[str, object], told: Mapping[str, object]) -> tuple[Minutes, ...]:
        """What a phase did in politics, as tables to read: `politics` of its question and of its answer."""

    def read(self, board: Board, phase: Phase, given: Mapping[str, object]) -> tuple[object, tuple[str, ...]]:
        """The affairs of a question, and the fields nobody knows; raises TalleyrandError for bad ones."""

    def write(self, board: Board, position: Position) -> Mapping[str, object]:
        """The affairs as they stand for the position's phase; what went before is told by `findings`."""

    def line(
        self, board: Board, position: Position, power: str | None, text: str, names: Lookup
    ) -> Understood | None:
        """A line in the variant's own words; None leaves it to the usual reader."""

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """The position once the year's captures are made and all that follows from them, and what was
        counted."""

    def balances(self, board: Board, position: Position, book: Rulebook) -> Mapping[str, Balance]:
        """What the winter owes each power."""

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """Those who have won at the end of the year."""

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """Those who are out of the game."""
