"""What a variant may bring of its own beside boards and phases: a memory, words, and a way to end a year."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from .adjustments import AdjustmentCount
from .board import Board
from .errors import OrderRefusal
from .orders import Order
from .outcome import AdjudicationNote, Verdict
from .position import Phase, Position, UnitName
from .rulebook import Rulebook


class UnderstoodLine(NamedTuple):
    """A line as the variant's own words read it: the order, why it cannot be one, what was left aside.

    Of a line that is not understood, `order` is what it comes nearest to: that is told, and never done.
    """

    order: Order | None
    refusal: OrderRefusal | None = None
    notes: tuple[AdjudicationNote, ...] = ()


class NameLookup(Protocol):
    """What the usual reader knows of names, for a variant's own words."""

    def plain(self, text: str) -> str:
        """A text in plain capitals: no accents, every dash a hyphen."""

    def power(self, text: str) -> str | None:
        """The seat that a text names and nothing else; nothing is guessed."""

    def province(self, text: str) -> str | None:
        """The province that a text names and nothing else; nothing is guessed."""

    def nearest(self, text: str, among: Iterable[str]) -> str | None:
        """The one of these seats and provinces whose code or name a text is almost; to be told, not taken."""

    def order(self, text: str, position: Position, power: str) -> UnderstoodLine:
        """A text as an order to a unit of `power`, as moves are read: the notes say what was guessed."""


class VariantSentence(NamedTuple):
    """A cell in the variant's own words: a sentence (family `phase_tables`) and its blanks: codes of powers
    and of places, numbers, units and orders in normal form.
    """

    code: str
    values: Mapping[str, object] = {}


class PoliticsTable(NamedTuple):
    """A table of what was announced, stopped, given or counted.

    `code` and the columns name sentences (family `phase_tables`): its title and their headings. A cell is a
    sentence, the code of a power, or a number.
    """

    code: str
    columns: tuple[str, ...]
    rows: tuple[tuple[VariantSentence | str | int, ...], ...]


class BotView(Protocol):
    """What a bot has in mind, beside the position, when it writes the orders that only these rules know."""

    @property
    def public_orders(self) -> Mapping[str, Sequence[Order]]:
        """What others have said openly in this phase, by seat."""

    def unit_value(self, unit: UnitName) -> float:
        """What it would be worth to the bot's seat to have such a unit there: more is better."""

    def random_below(self, count: int) -> int:
        """A number from 0 to `count` - 1, drawn from the bot's own chance."""


class OrderFormChoice(NamedTuple):
    """One answer on a form: `text` of a normal form; `heading` parts a long list of them; `about` is a
    measure in normal form that it stands for; `label` a number that is shown in its place."""

    text: str
    heading: str = ""
    about: str = ""
    label: str = ""


class OrderFormField(NamedTuple):
    """One blank of a form and what fits in it. `title` says which: a unit, a number, or nothing; `default` is
    what holds where it is left empty, as words of a normal form."""

    title: str
    choices: tuple[OrderFormChoice, ...]
    default: str = ""


class OrderForm(NamedTuple):
    """What a power may write beside orders to units, as blanks to fill: `prefix`, then an answer for each
    blank, with `separator` between them.

    `code` names it in the variant's sentences; `about` is a measure in normal form that it is about, made
    `decided_by` a power; `refused`: why provinces cannot be aimed at, for a form whose answers are provinces;
    `needs_all`: no blank may be left empty.
    """

    code: str
    prefix: str
    fields: tuple[OrderFormField, ...]
    separator: str = " / "
    about: str = ""
    by: str = ""
    refused: Mapping[str, OrderRefusal] = {}
    needs_all: bool = False

    def order_text(self, answers: Sequence[str]) -> str:
        """The normal form that answers make; "" for none."""
        given = [answer for answer in answers if answer]
        return " ".join(filter(None, (self.prefix, self.separator.join(given)))) if given else ""

    def answers(self, order: str) -> tuple[str, ...] | None:
        """What an order in normal form answers, blank by blank ("": nothing); None where it is another."""
        parts = self._parts(order)
        if parts is None:
            return None
        found = []
        for slot in self.fields:
            known = {pick.text for pick in slot.choices}
            first = next((part for part in parts if part in known), "")
            if first:
                parts.remove(first)
            found.append(first)
        return tuple(found) if any(found) else None

    def _parts(self, order: str) -> list[str] | None:
        if not self.prefix:
            return order.split(self.separator)
        wholes = [order] if self.separator == " / " else order.split(" / ")
        own = [whole for whole in wholes if whole.startswith(f"{self.prefix} ")]
        return own[0].removeprefix(f"{self.prefix} ").split(self.separator) if own else None

    def without(self, order: str) -> str:
        """What is left of an order in normal form once what answers this leaflet is taken out."""
        if not self.prefix or self.separator == " / ":
            return ""
        return " / ".join(part for part in order.split(" / ") if not part.startswith(f"{self.prefix} "))


class PublicProposal(NamedTuple):
    """A public proposal: by whom, in which vote, in normal form."""

    by: str
    vote: str
    text: str


class VoteCount(NamedTuple):
    """How a vote went. `votes`: names with their numbers, most first; `cast`: who voted for whom; each None
    while it is secret; `decided_by`: what decided, a code of the variant's sentences."""

    vote: str
    votes: tuple[tuple[str, int], ...] | None
    cast: Mapping[str, tuple[str, ...]] | None
    tied: tuple[str, ...]
    adopted: tuple[str, ...]
    decided_by: str


class YearlyFigure(NamedTuple):
    """A figure of each power that is followed through the years; `goal` wins, 0 where none does.

    `code` is a column of the variant's sentences.
    """

    code: str
    values: Mapping[str, int]
    goal: int = 0


class Politics(Protocol):
    """What a variant has beside units and centres, kept in `Position.affairs` and ordered by
    `PoliticalOrder`s.

    Its phases are rules like any others (`game.PhaseRules`); this is what they leave to be said: how its
    affairs are asked and told (`politics` of a question), how its lines are read, how a year ends.
    """

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """What a game may settle before it begins, points that the text leaves open and choices that it
        offers: their values, the usual one first."""

    def initial_state(self, chosen: Mapping[str, str]) -> Mapping[str, object]:
        """The affairs (`politics` of a question) with which a game begins that has chosen these values of
        `options`; raises TalleyrandError (`unknown_option`, `unknown_value`)."""

    def power_figures(self, board: Board) -> Mapping[str, Mapping[str, int | None]]:
        """What each power counts for, figure by figure: a row of a table."""

    def phase_tables(
        self, asked: Mapping[str, object], told: Mapping[str, object]
    ) -> tuple[PoliticsTable, ...]:
        """What a phase did in politics beside votes, as tables to read: `politics` of its question and of
        its answer."""

    def read_state(
        self, board: Board, phase: Phase, given: Mapping[str, object]
    ) -> tuple[object, tuple[str, ...]]:
        """The affairs of a question, and the fields nobody knows; raises TalleyrandError for bad ones."""

    def write_state(self, board: Board, position: Position) -> Mapping[str, object]:
        """The affairs as they stand for the position's phase; what went before is told by `findings`."""

    def read_line(
        self, board: Board, position: Position, power: str | None, text: str, names: NameLookup
    ) -> UnderstoodLine | None:
        """A line in the variant's own words; None leaves it to the usual reader."""

    def explain_unread_line(
        self, board: Board, position: Position, power: str | None, text: str, names: NameLookup
    ) -> UnderstoodLine | None:
        """Why a line that nobody could read is none in the variant's own words; None where it is in none."""

    def close_year(
        self, board: Board, position: Position, book: Rulebook
    ) -> tuple[Position, Mapping[str, object]]:
        """The position once the year's captures are made and all that follows from them, and what was
        counted; a lot that was drawn with the seed is told as `toss`."""

    def adjustment_counts(
        self, board: Board, position: Position, book: Rulebook
    ) -> Mapping[str, AdjustmentCount]:
        """What the winter owes each power."""

    def winners(self, board: Board, position: Position) -> tuple[str, ...]:
        """Those who have won at the end of the year."""

    def eliminated(self, position: Position) -> tuple[str, ...]:
        """Those who are out of the game."""

    @property
    def wins_each_season(self) -> bool:
        """Whether the game may be won at the end of any season, before the year's centres count."""

    def powers_stood_for(self, told: Mapping[str, object]) -> Mapping[str, str] | None:
        """Where seats have no land of their own: the power of each whose centres and units count as the
        seat's when a game ends; `told` is `politics` of a question or of an answer. None where every power
        stands for itself."""

    def sides(self, told: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """The powers that win together, side by side, where a game ends before its rules end it: their units
        together count; `told` is `politics` of a question or of an answer. () where each power plays for
        itself."""

    def leader(self, position: Position, power: str) -> str:
        """The seat that writes the orders to a power's units: as a rule the power itself; "" for nobody."""

    def given_seats(self, position: Position) -> Mapping[str, tuple[str, ...]]:
        """The seats that nobody chooses: each goes to whoever plays the first of these other seats that
        somebody plays, and to nobody where there are none."""

    def bot_seat(self, position: Position, seat: str) -> str:
        """The seat in whose name a bot moves this one's units, as `bot_position` shows them: partners whom
        one mind leads have the same."""

    def bot_position(self, board: Board, position: Position, seat: str) -> Position:
        """The position as the moves of a seat's bot see it, the same for partners: units that their owner
        does not lead under a seat without land, those of partners under `bot_seat`."""

    def bot_orders(
        self, board: Board, position: Position, seat: str, book: Rulebook, view: BotView
    ) -> Sequence[Order] | None:
        """What a bot writes for a seat beside moves and retreats: proposals, ballots, all of a winter; None
        where it writes a winter as everywhere.

        They are lawful, or merely come to nothing; the same view gives the same orders.
        """

    def order_forms(
        self, board: Board, position: Position, power: str, book: Rulebook, told: Mapping[str, object]
    ) -> tuple[OrderForm, ...]:
        """What a power may write beside orders to units; `told` are the affairs as everybody knows them by
        now (`politics` of a question or of an answer)."""

    def describe_order(self, words: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """A measure in normal form, part by part: a code of the variant's sentences (`measure`), and its
        blanks: codes of powers, provinces and choices, numbers, orders in normal form, several parted by
        commas."""

    def public_proposals(self, told: Mapping[str, object]) -> tuple[PublicProposal, ...]:
        """The proposals that are public, vote by vote."""

    def vote_counts(self, told: Mapping[str, object]) -> tuple[VoteCount, ...]:
        """How the votes went that an answer tells."""

    def has_secret_votes(self, asked: Mapping[str, object]) -> bool:
        """Whether a game keeps a part of its votes secret until it is over; `asked` is `politics` of a
        question."""

    def without_secrets(
        self, asked: Mapping[str, object], told: Mapping[str, object]
    ) -> Mapping[str, object]:
        """`politics` of an answer without what its game keeps secret: fields are left out, none is
        changed."""

    def kept_orders(
        self, board: Board, position: Position, seat: str, orders: Sequence[Order]
    ) -> Sequence[Order]:
        """What of a seat's orders stands for the phase of `position` too, another turn of the same draft."""

    def has_chosen(self, board: Board, position: Position, seat: str, orders: Sequence[Order]) -> bool:
        """Whether orders say what a seat does in its turn of a draft, so that nobody need wait for it."""

    def is_secret(self, words: str) -> bool:
        """Whether a measure in normal form stays secret where votes do; False for other orders."""

    def province_colours(self, board: Board, position: Position) -> Mapping[str, str]:
        """Whose colour each province without a centre has, where that is anybody's."""

    def power_table(self, board: Board, position: Position) -> Mapping[str, Mapping[str, str]]:
        """What a table of the powers shows beside centres and units, by power: codes of columns (`column` of
        the variant's sentences) with numbers, names or sums, "" for nothing."""

    def yearly_figures(self, board: Board, position: Position) -> tuple[YearlyFigure, ...]:
        """What is followed from year to year beside centres, as it stands; first what the game is won by."""

    def unit_forecast(
        self, board: Board, position: Position, power: str, orders: Sequence[Order], book: Rulebook
    ) -> VariantSentence | None:
        """What a power's orders lead to, if nobody else writes, or if they grant what is theirs to grant
        (family `unit_forecast`), as numbers of units; None where there is nothing to say."""

    def why_barred(self, board: Board, position: Position, power: str) -> VariantSentence | None:
        """Why a power may neither propose nor vote, or has to wait, as a sentence (family `barred`) with its
        blanks: a `season` is one as `power_table` tells it; None where it may."""

    def awaited_permission(
        self, board: Board, position: Position, verdict: Verdict
    ) -> AdjudicationNote | None:
        """What another has to write for an order to be done that is lawful and will not be done without
        that; None where nobody can help it."""
