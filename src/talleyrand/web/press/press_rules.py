"""Who may write to whom now: what was agreed on letters, in one place. The rules are pure; what they ask
of a game and of a person is read below them.

Whatever writes a letter asks `press_permission`; the page says `press_mode`. Both give codes, which
`sentences` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.models import (
    ENDED_STATES,
    RUNNING_STATES,
    Game,
    GameMembership,
    GameRole,
    GameState,
)
from talleyrand.web.games.viewer_permissions import GameViewer

GAME_MASTER = "@"  # how the game master signs, and what a room with him is named by
UNSIGNED = "?"  # a declaration without a signature
EVERYBODY = "*"
BETWEEN = ("R", "N", "A")  # retreats, home centres and adjustments

JUDGED = ("P", "M", "R", "A")  # in a phase of a variant’s own a power may still have nothing


class ConversationKind(StrEnum):
    """Who is in a room."""

    PAIR = "pair"
    GROUP = "group"
    ALL = "all"  # open to whoever may look at the game
    MASTER = "master"  # one power and the game master


@dataclass(frozen=True)
class Recipients:
    """Whom a letter is for, its writer included: the powers of a room."""

    kind: ConversationKind
    powers: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether more than the writer and one reader are meant."""
        return self.kind in (ConversationKind.ALL, ConversationKind.GROUP)

    @property
    def participants_key(self) -> str:
        """What names the room among those of its game."""
        if self.kind == ConversationKind.ALL:
            return EVERYBODY
        return "+".join((*self.powers, GAME_MASTER) if self.kind == ConversationKind.MASTER else self.powers)


class InvalidRecipients(ValueError):
    """Recipients that make no room; `code` says why: unknown, twice, nobody, oneself, mixed."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class PressSituation:
    """What of a game decides on letters: the agreement, and where the game stands."""

    press: PressSetting = PressSetting.FULL
    between: bool = True
    declarations: bool = False
    state: str = GameState.PLAYING
    phase: str = "M"  # the kind of the open phase
    has_game_master: bool = True  # whether the game has a game master now

    @property
    def over(self) -> bool:
        return self.state in ENDED_STATES


@dataclass(frozen=True)
class PressAuthor:
    """Who writes: his role, the powers he may sign for, and those that a stand-in plays for him."""

    role: str
    powers: tuple[str, ...] = ()
    lent_powers: tuple[str, ...] = ()
    eliminated: frozenset[str] = frozenset()

    @property
    def signatures(self) -> tuple[str, ...]:
        """What he may sign with."""
        if self.role == GameRole.GAME_MASTER:
            return (GAME_MASTER,)
        return self.powers if self.role == GameRole.PLAYER else ()


@dataclass(frozen=True)
class PressPermission:
    """Why a letter may not be written ("": it may), and whether it waits for the game master."""

    code: str = ""
    held: bool = False

    @property
    def allowed(self) -> bool:
        return not self.code


def recipients_for(writer: str, recipients: Iterable[str], powers: Sequence[str]) -> Recipients:
    """The room of a writer and those he writes to, among the `powers` of the game. Raises
    InvalidRecipients.
    """
    named = list(recipients)
    if not named:
        raise InvalidRecipients("nobody")
    if len(set(named)) < len(named):
        raise InvalidRecipients("twice")
    if not set(named) <= {*powers, GAME_MASTER, EVERYBODY}:
        raise InvalidRecipients("unknown")
    if writer in named:
        raise InvalidRecipients("oneself")
    return _address(writer, named, powers)


def _address(writer: str, named: Sequence[str], powers: Sequence[str]) -> Recipients:
    if EVERYBODY in named or GAME_MASTER in named or writer == GAME_MASTER:
        if len(named) > 1:
            raise InvalidRecipients("mixed")
        power = named[0] if writer == GAME_MASTER else writer
        return (
            Recipients(ConversationKind.ALL)
            if EVERYBODY in named
            else Recipients(ConversationKind.MASTER, (power,))
        )
    inside = tuple(power for power in powers if power in (writer, *named))
    return Recipients(ConversationKind.PAIR if len(inside) == 2 else ConversationKind.GROUP, inside)


def press_permission(
    moment: PressSituation,
    pen: PressAuthor,
    to: Recipients,
    writer: str,
    *,
    unsigned: bool = False,
    doubt: str = "",
) -> PressPermission:
    """Whether `writer` ("@": the game master) may write a letter there now, by this pen.

    With a `doubt` about it the letter waits even where letters are free; the doubt is the reason of its
    refusal where no game master could pass it on.
    """
    code = (
        _whose(pen, writer)
        or _inside_refusal(pen, to, writer)
        or (_unsigned(moment, to, writer) if unsigned else "")
        or _when(moment, pen, to, writer)
    )
    if code or writer == GAME_MASTER or to.kind == ConversationKind.MASTER:
        return PressPermission(code)
    if moment.press == PressSetting.HELD and not moment.over:
        return PressPermission(held=True)
    if doubt and not moment.has_game_master:
        return PressPermission(doubt)
    return PressPermission(held=bool(doubt))


def _whose(pen: PressAuthor, writer: str) -> str:
    """Whether this person may write at all, and for this power."""
    if pen.role not in (GameRole.GAME_MASTER, GameRole.PLAYER):
        return "watching"
    if writer in pen.signatures:
        return ""
    if pen.role == GameRole.PLAYER and not pen.powers:
        return "lent" if pen.lent_powers else "seatless"
    return "lent" if writer in pen.lent_powers else "not_yours"


def _inside_refusal(pen: PressAuthor, to: Recipients, writer: str) -> str:
    """Whether the writer belongs to the room, and somebody else does."""
    if writer == GAME_MASTER:
        return "" if to.kind in (ConversationKind.ALL, ConversationKind.MASTER) else "between_them"
    if to.kind != ConversationKind.ALL and writer not in to.powers:
        return "not_yours"
    alone = to.kind in (ConversationKind.PAIR, ConversationKind.GROUP) and set(to.powers) <= {
        *pen.powers,
        *pen.lent_powers,
    }
    return "oneself" if alone else ""


def _unsigned(moment: PressSituation, to: Recipients, writer: str) -> str:
    agreed = moment.declarations and to.kind == ConversationKind.ALL and writer != GAME_MASTER
    return "" if agreed and not moment.over else "unsigned"


def _when(moment: PressSituation, pen: PressAuthor, to: Recipients, writer: str) -> str:
    """Whether the moment allows it; the game master writes and is written to at any."""
    if writer == GAME_MASTER:
        return ""
    if to.kind == ConversationKind.MASTER:
        return "" if moment.has_game_master else "no_master"
    closed = press_mode(moment)
    if to.kind == ConversationKind.ALL:
        return closed if closed in ("not_begun", "none", "between") else ""
    if closed in ("held", "full"):
        return "eliminated" if writer in pen.eliminated else ""
    return closed


def press_mode(moment: PressSituation) -> str:
    """What may be written between powers now: not_begun, over, none, between, public, held or full."""
    if moment.state == GameState.GATHERING:
        return "not_begun"
    if moment.over:
        return "over"
    if moment.press != PressSetting.NONE and not moment.between and moment.phase in BETWEEN:
        return "between"
    return str(moment.press.value)


def why_not_writing(pen: PressAuthor) -> str:
    """Why somebody writes nothing, whatever the moment; "" if he may."""
    if pen.signatures:
        return ""
    if pen.role != GameRole.PLAYER:
        return "watching"
    return "lent" if pen.lent_powers else "seatless"


# What the rules of letters ask of a game and of a person, read from the tables.


def press_situation(game: Game) -> PressSituation:
    """Where the game stands, and what was agreed."""
    terms = game.settings
    calendar = variants.load(game.variant).definition.begun(terms.first_year).calendar
    silent = calendar.silent and bool(game.phase) and calendar.is_opening(Phase.parse(game.phase))
    return PressSituation(
        press=terms.press,
        between=terms.press_between and not silent,
        declarations=terms.declarations,
        state=game.state,
        phase=BETWEEN[-1] if silent else game.phase[-1:],
        has_game_master=GameMembership.objects.filter(
            game=game, role=GameRole.GAME_MASTER, left_at=None
        ).exists(),
    )


def press_author(sight: GameViewer) -> PressAuthor:
    """What the visitor may sign with."""
    acting = sight.orderable_powers
    lent = tuple(power for power in sight.powers if power not in acting)
    gone = eliminated_powers(sight.game) if acting else frozenset()
    return PressAuthor(sight.role, acting, lent, gone)


def eliminated_powers(game: Game) -> frozenset[str]:
    """The powers without units and centres; empty before the start and after the end."""
    if game.state not in RUNNING_STATES or game.phase[-1:] not in JUDGED:
        return frozenset()
    situation = GameHistory(game).situation(game.phase_number)
    if situation is None:
        return frozenset()
    alive = {
        power
        for name in ("units", "dislodged", "centers")
        for power, things in (situation.get(name) or {}).items()
        if things
    }
    definition = variants.load(game.variant).definition
    politics, told = definition.politics, situation.get("politics") or {}
    stood_for = (politics.powers_stood_for(told) if politics else None) or {}
    alive |= {seat for seat, power in stood_for.items() if power in alive}
    # a seat without land is alive without anything
    return frozenset(set(game.seats.values_list("power", flat=True)) - alive - {*definition.board.landless})
