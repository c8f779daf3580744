"""Who may write to whom now: what was agreed on letters, in one place and pure.

Whatever writes a letter asks `verdict`; the page says `mood`. Both give codes, which `sentences` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from talleyrand.web.games.models import OVER, Role, State
from talleyrand.web.games.terms import Press

MASTER = "@"  # how the game master signs, and what a room with him is named by
NOBODY = "?"  # a declaration without a signature
EVERYBODY = "*"
BETWEEN = ("R", "A")  # retreats and adjustments


class Kind(StrEnum):
    """Who is in a room."""

    PAIR = "pair"
    GROUP = "group"
    ALL = "all"  # open to whoever may look at the game
    MASTER = "master"  # one power and the game master


@dataclass(frozen=True)
class Address:
    """Whom a letter is for, its writer included: the powers of a room."""

    kind: Kind
    powers: tuple[str, ...] = ()

    @property
    def members(self) -> str:
        """What names the room among those of its game."""
        if self.kind == Kind.ALL:
            return EVERYBODY
        return "+".join((*self.powers, MASTER) if self.kind == Kind.MASTER else self.powers)


class NoAddress(ValueError):
    """Recipients that make no room; `code` says why: unknown, twice, nobody, oneself, mixed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Moment:
    """What of a game decides on letters: the agreement, and where the game stands."""

    press: Press = Press.FULL
    between: bool = True
    declarations: bool = False
    state: str = State.PLAYING
    phase: str = "M"  # the kind of the open phase
    mastered: bool = True  # whether the game has a game master now

    @property
    def over(self) -> bool:
        return self.state in OVER


@dataclass(frozen=True)
class Pen:
    """Who writes: his role, the powers he may sign for, and those that a stand-in plays for him."""

    role: str
    powers: tuple[str, ...] = ()
    lent: tuple[str, ...] = ()
    eliminated: frozenset[str] = frozenset()

    @property
    def signatures(self) -> tuple[str, ...]:
        """What he may sign with."""
        if self.role == Role.MASTER:
            return (MASTER,)
        return self.powers if self.role == Role.PLAYER else ()


@dataclass(frozen=True)
class Verdict:
    """Why a letter may not be written ("": it may), and whether it waits for the game master."""

    code: str = ""
    held: bool = False

    @property
    def allowed(self) -> bool:
        return not self.code


def address(writer: str, recipients: Iterable[str], powers: Sequence[str]) -> Address:
    """The room of a writer and those he writes to, among the `powers` of the game. Raises NoAddress."""
    named = list(recipients)
    if not named:
        raise NoAddress("nobody")
    if len(set(named)) < len(named):
        raise NoAddress("twice")
    if not set(named) <= {*powers, MASTER, EVERYBODY}:
        raise NoAddress("unknown")
    if writer in named:
        raise NoAddress("oneself")
    return _address(writer, named, powers)


def _address(writer: str, named: Sequence[str], powers: Sequence[str]) -> Address:
    if EVERYBODY in named or MASTER in named or writer == MASTER:
        if len(named) > 1:
            raise NoAddress("mixed")
        power = named[0] if writer == MASTER else writer
        return Address(Kind.ALL) if EVERYBODY in named else Address(Kind.MASTER, (power,))
    inside = tuple(power for power in powers if power in (writer, *named))
    return Address(Kind.PAIR if len(inside) == 2 else Kind.GROUP, inside)


def verdict(
    moment: Moment, pen: Pen, to: Address, writer: str, *, unsigned: bool = False, doubt: str = ""
) -> Verdict:
    """Whether `writer` ("@": the game master) may write a letter there now, by this pen.

    With a `doubt` about it the letter waits even where letters are free; the doubt is the reason of its
    refusal where no game master could pass it on.
    """
    code = (
        _whose(pen, writer)
        or _inside(pen, to, writer)
        or (_unsigned(moment, to, writer) if unsigned else "")
        or _when(moment, pen, to, writer)
    )
    if code or writer == MASTER or to.kind == Kind.MASTER:
        return Verdict(code)
    if moment.press == Press.HELD and not moment.over:
        return Verdict(held=True)
    if doubt and not moment.mastered:
        return Verdict(doubt)
    return Verdict(held=bool(doubt))


def _whose(pen: Pen, writer: str) -> str:
    """Whether this person may write at all, and for this power."""
    if pen.role not in (Role.MASTER, Role.PLAYER):
        return "watching"
    if writer in pen.signatures:
        return ""
    if pen.role == Role.PLAYER and not pen.powers:
        return "lent" if pen.lent else "seatless"
    return "lent" if writer in pen.lent else "not_yours"


def _inside(pen: Pen, to: Address, writer: str) -> str:
    """Whether the writer belongs to the room, and somebody else does."""
    if writer == MASTER:
        return "" if to.kind in (Kind.ALL, Kind.MASTER) else "between_them"
    if to.kind != Kind.ALL and writer not in to.powers:
        return "not_yours"
    alone = to.kind in (Kind.PAIR, Kind.GROUP) and set(to.powers) <= {*pen.powers, *pen.lent}
    return "oneself" if alone else ""


def _unsigned(moment: Moment, to: Address, writer: str) -> str:
    agreed = moment.declarations and to.kind == Kind.ALL and writer != MASTER
    return "" if agreed and not moment.over else "unsigned"


def _when(moment: Moment, pen: Pen, to: Address, writer: str) -> str:
    """Whether the moment allows it; the game master writes and is written to at any."""
    if writer == MASTER:
        return ""
    if to.kind == Kind.MASTER:
        return "" if moment.mastered else "no_master"
    closed = mood(moment)
    if to.kind == Kind.ALL:
        return closed if closed in ("not_begun", "none", "between") else ""
    if closed in ("held", "full"):
        return "eliminated" if writer in pen.eliminated else ""
    return closed


def mood(moment: Moment) -> str:
    """What may be written between powers now: not_begun, over, none, between, public, held or full."""
    if moment.state == State.GATHERING:
        return "not_begun"
    if moment.over:
        return "over"
    if moment.press != Press.NONE and not moment.between and moment.phase in BETWEEN:
        return "between"
    return str(moment.press.value)


def hindrance(pen: Pen) -> str:
    """Why somebody writes nothing, whatever the moment; "" if he may."""
    if pen.signatures:
        return ""
    if pen.role != Role.PLAYER:
        return "watching"
    return "lent" if pen.lent else "seatless"
