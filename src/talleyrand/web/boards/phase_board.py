"""One phase of a game as its reader sees it, wherever the game is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from django.http import QueryDict

from talleyrand import variants
from talleyrand.variants import Variant

from .adjudicator import Answer, Question
from .board_filter import BoardFilter
from .order_preparation import OrderPreparation
from .phase_maps import PhaseMap


class BoardGame(Protocol):
    """What a board asks of the row of its game."""

    variant: str
    rulebook: Any


class PhaseBoard(ABC):
    """What the pages of a phase ask, `phase_number` counting from 1; the last is the open one, or the end.

    `query` is what the address asks for. Whoever keeps games says where the orders are and who may see them.
    """

    phase_number: int
    query: QueryDict

    if TYPE_CHECKING:  # a field of one of them

        @property
        @abstractmethod
        def game(self) -> BoardGame: ...

    @property
    @abstractmethod
    def question(self) -> Question | None:
        """The phase without orders; None before the start and after the end."""

    @property
    @abstractmethod
    def preparation(self) -> OrderPreparation | None:
        """The orders in preparation, where the reader gives them."""

    @property
    @abstractmethod
    def phase_map(self) -> PhaseMap:
        """What is drawn."""

    @property
    @abstractmethod
    def last_phase_number(self) -> int:
        """The number of the open phase, or of the end."""

    @property
    @abstractmethod
    def phase_codes(self) -> list[str]:
        """The phases played and the open one, in order."""

    @property
    @abstractmethod
    def phase_code(self) -> str:
        """The phase shown, or the last one played where the game is over."""

    @property
    @abstractmethod
    def position(self) -> Mapping[str, Any]:
        """The position of the phase shown, or the one the game ended in."""

    @property
    @abstractmethod
    def own_powers(self) -> Collection[str]:
        """The powers that the reader plays, whose results are told first."""

    @property
    @abstractmethod
    def is_played(self) -> bool:
        """Whether the results of the phase are shown."""

    @property
    @abstractmethod
    def answer(self) -> Answer:
        """What became of the orders; empty while the phase is open."""

    @property
    @abstractmethod
    def is_decided_by_orders(self) -> bool:
        """Whether the phase was played, and no game master decided it."""

    @property
    def explains_orders(self) -> bool:
        """Whether each order of the results leads to its chain of causes."""
        return self.is_decided_by_orders and self.phase_code.endswith("M")

    @property
    @abstractmethod
    def public_affairs(self) -> Mapping[str, Any] | None:
        """The affairs as everybody knows them in the phase shown."""

    @property
    @abstractmethod
    def is_announcement_published(self) -> bool:
        """Whether what the phase announced stands among its results."""

    @abstractmethod
    def url(self, name: str, *args: int | str) -> str:
        """One of the addresses of the game, as its pages are named."""

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @cached_property
    def board_filter(self) -> BoardFilter:
        """The powers and regions that alone are shown, where the address names any."""
        return BoardFilter.from_query(self.variant, self.query)

    def kept_query(self, name: str) -> str:  # noqa: ARG002 a game keeps more for some
        """What the addresses of other phases, of the pages called `name`, go on asking for."""
        return self.board_filter.query_string

    def phase_url(self, number: int, name: str = "phase") -> str:
        """Where a phase is shown as this one is."""
        path, query = self.url(name, number), self.kept_query(name)
        return f"{path}?{query}" if query else path
