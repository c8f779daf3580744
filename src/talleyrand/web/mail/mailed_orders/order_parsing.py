"""A sheet of orders in a mail: its orders, the phase it names, what is none of it. No database.

Whole lines count, and nothing else: a line that is one order, or several between semicolons or commas, with
a bullet, a number or the power’s name before it if need be. A line that is an order badly written is kept
in the sheet, where it is shown and does nothing. All else is set aside: sentences, even with an order in
them; what stands under the heading of another power or of another phase; orders for other powers’ units;
and, as everybody reads the sheets later, badly written lines that would tell who wrote them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

from talleyrand import notation, variants
from talleyrand.engine.orders import Disband, Hold
from talleyrand.engine.position import Phase
from talleyrand.formats import question_input
from talleyrand.formats.phase_heading_parser import phase_kinds_named, read_phase_heading
from talleyrand.notation import OrderLine, PhaseFamily, ReadingContext, RefusalReason
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, order_drafts
from talleyrand.web.games.models import Game
from talleyrand.web.mail.parsing.quote_detection import is_marked

LONGEST_TITLE = 80
LONGEST_PLACE = 4  # words
DAMAGED = "\ufffd"
INITIAL = re.compile(r"[A-Za-z]\.\s*\w")
BULLET = re.compile(r"\s*(?:[-=–—]+>|→|[-–—*•·+]|\d{1,2}\s?[.)/])\s*")
TAG = re.compile(r"\[[^\[\]]*·([^\[\]·]*)\]")
DASH = re.compile(r"[-–—−>→]")
YEAR = re.compile(r"\d{4,5}")
AUTUMNS = ("autumn", "automne")


def _phrases(listed: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in listed.split(","))


WITHDRAWALS = frozenset(("retraits", "suppressions", "dispersions", "destructions", "removals", "disbands"))
NO_ORDERS = _phrases(
    """aucun ordre, pas d ordre, pas d ordres, sans ordre, sans ordres, feuille vide, feuille blanche,
    no order, no orders, empty sheet, blank sheet"""
)
FINAL = _phrases(
    """pret, prete, je suis pret, je suis prete, ordres prets, ready, i am ready, i m ready, orders ready,
    definitif, definitifs, definitive, ordres definitifs, feuille definitive, c est definitif, final,
    finale, final orders, orders final, final sheet, sheet final, this is final"""
)
NOT_FINAL = _phrases(
    """pas pret, pas prete, plus pret, plus prete, pas encore pret, pas encore prete, je ne suis pas pret,
    je ne suis pas prete, je ne suis plus pret, je ne suis plus prete, not ready, no longer ready,
    not yet ready, i am not ready, i m not ready, pas definitif, plus definitif, non definitif,
    pas encore definitif, not final, no longer final, not yet final"""
)


class SetAsideReason(StrEnum):
    """Why a line is no part of the sheet."""

    PROSE = "prose"  # no order
    POWER = "power"  # under the heading of another power
    FOREIGN = "foreign"  # for a unit of another power
    PHASE = "phase"  # under the heading of another phase
    QUOTED = "quoted"  # somebody’s, or ours, that came back
    TWICE = "twice"  # the name of a unit, that another line orders
    NAMES = "names"  # it would tell who wrote it


@dataclass(frozen=True)
class SetAsideLine:
    """A line that was set aside."""

    line: str
    why: SetAsideReason


@dataclass(frozen=True)
class ParsedOrders:
    """What a text holds. `empty`: it says that there are no orders; `is_ready`: that they are, or are not.

    `dated`: a heading names the open phase; `other` is the first heading that names another one.
    """

    orders: tuple[str, ...] = ()
    aside: tuple[SetAsideLine, ...] = ()
    empty: bool = False
    is_ready: bool | None = None
    dated: bool = False
    other: str = ""

    @property
    def has_orders(self) -> bool:
        return bool(self.orders) or self.empty

    @property
    def is_elsewhere(self) -> bool:
        """Whether all it holds stands under the heading of another phase."""
        return (
            not self.has_orders
            and bool(self.other)
            and any(one.why is SetAsideReason.PHASE for one in self.aside)
        )


def parse_orders(
    text: str, question: Mapping[str, Any], power: str, tells: Callable[[str], bool] = lambda _line: False
) -> ParsedOrders:
    """Read the sheet of a power for the phase of a question; `tells` says of a line whether others would
    know by it who wrote it. Raises DraftRefusal for a text that is too long to be a sheet, and for an order
    with damaged characters.
    """
    text = printable_text(text)
    if len(text) > order_drafts.LARGEST_ORDER_TEXT:
        raise order_drafts.DraftRefusal("too_long")
    return OrderTextReader(question, power, tells).read(text)


def printable_text(text: str) -> str:
    """A text as it can be kept: blanks are blanks, and what nobody can see or keep is gone."""
    return "".join(map(_plain, text))


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    kind = unicodedata.category(sign)
    if sign == "\n" or kind[0] in "LMNPS":
        return sign
    if kind == "Cf":
        return ""
    if kind == "Cs":
        return DAMAGED
    return "\n" if len(f"a{sign}b".splitlines()) > 1 else " "


# the phase that a subject names


def subject_tag(game: Game) -> str:
    """How the subject of a mail names the game and its open phase, in the language in use:

    "[La table ronde · Printemps 1901, mouvements]".
    """
    phase = display_names.phase_name(variants.load(game.variant), game.phase) if game.phase else ""
    return f"{game_tag(game).removesuffix(']')} · {phase}]" if phase else game_tag(game)


def game_tag(game: Game) -> str:
    """How it names the game alone: an answer to such a mail is for whatever phase is open then."""
    return f"[{game.name.replace('[', '(').replace(']', ')').replace('·', '-')}]"


def tagged_phase(subject: str, variant: Variant) -> str:
    """The code of the phase that such a subject names, in whatever language; "" where it names none."""
    for match in TAG.finditer(printable_text(subject)):
        phase = read_phase_heading(match[1].strip(), variant)
        if phase is not None:
            return str(phase)
    return ""


def other_phase_named(subject: str, game: Game) -> str:
    """What a subject names of another phase than the open one; "" where it does not.

    Without our tag, a season with its year counts.
    """
    variant = variants.load(game.variant)
    tagged = tagged_phase(subject, variant)
    if tagged:
        return "" if tagged == game.phase else display_names.phase_name(variant, tagged)
    own_words = printable_text(subject).replace(game.name, " ") if game.name else printable_text(subject)
    named = list(_dates(notation.folded_words(own_words), variant))
    now = Phase.parse(game.phase)
    if not named or any(one.fits(now, variant) for one in named):
        return ""
    return " ".join(own_words.split())[:LONGEST_TITLE]


def names_phase(text: str, code: str, variant: Variant) -> bool:
    """Whether a subject or a heading names this phase, by our tag or by its season with a year."""
    tagged = tagged_phase(text, variant)
    if tagged:
        return tagged == code
    words = notation.folded_words(printable_text(text))
    return any(one.fits(Phase.parse(code), variant) for one in _dates(words, variant))


def _dates(words: Sequence[str], variant: Variant) -> Iterator[_Named]:
    """Each season with a year beside it, each code of a phase."""
    known, kinds = _seasons(variant), phase_kinds_named(words)
    for at, word in enumerate(words):
        near = [one for one in words[max(0, at - 1) : at + 2] if YEAR.fullmatch(one)]
        if word in known and near:
            yield _Named(frozenset((word,)), frozenset((int(near[-1]),)), kinds)
        code = read_phase_heading(word, variant)
        if code is not None:
            yield _Named(exact=code)


@dataclass(frozen=True)
class _Named:
    """What a title says of a phase; parts that it does not name are empty."""

    seasons: frozenset[str] = frozenset()
    years: frozenset[int] = frozenset()
    kinds: frozenset[str] = frozenset()
    exact: Phase | None = None

    def __bool__(self) -> bool:
        return bool(self.seasons or self.years or self.kinds or self.exact)

    def fits(self, now: Phase, variant: Variant) -> bool:
        if self.exact is not None:
            return self.exact == now
        if self.years and not {now.year, now.year % 100} & self.years:
            return False
        if self.kinds and now.kind not in self.kinds:
            return False
        return not self.seasons or not self.seasons.isdisjoint(_names(now, variant))


@lru_cache(maxsize=16)
def _seasons(variant: Variant) -> frozenset[str]:
    names = (name for season in variant.seasons.values() for name in season.values())
    return frozenset(word for name in names for word in notation.folded_words(name)) | {"fall"}


def _names(now: Phase, variant: Variant) -> set[str]:
    """The words by which a phase’s season may be called: retreats have their own, or the next one’s."""
    after = variant.definition.calendar.next_phase(now)
    phases = [now, after] if now.kind == "R" and after.year == now.year else [now]
    names = {
        word
        for phase in phases
        for key, name in variant.seasons[phase.season].items()
        if now.kind == "R" or not key.startswith("retreats")
        for word in notation.folded_words(name)
    }
    return names | {"fall"} if names.intersection(AUTUMNS) else names


# the lines of a text


@dataclass
class OrderTextReader:
    """Reads a text line by line; headings say whose and of which phase the next lines are."""

    question: Mapping[str, Any]
    power: str
    tells: Callable[[str], bool] = lambda _line: False
    orders: list[tuple[str, tuple[OrderLine, ...]]] = field(default_factory=list)
    aside: list[SetAsideLine] = field(default_factory=list)
    empty: bool = False
    final: bool | None = None
    dated: bool = False
    other: str = ""
    elsewhere: SetAsideReason | None = None
    heading_power: str = ""
    heading_phase: bool = True  # of the open phase

    def __post_init__(self) -> None:
        asked = question_input.read_question(dict(self.question))
        self.variant = asked.variant
        self.now = asked.position.phase
        self.context = ReadingContext(asked.variant, asked.position, self.power, asked.rulebook, asked.naming)

    def read(self, text: str) -> ParsedOrders:
        lines = text.splitlines()
        self.aside += [
            SetAsideLine(line.strip(), SetAsideReason.QUOTED) for line in lines if _is_quoted(line)
        ]
        kept = ["" if _is_quoted(line) else line for line in lines]
        if sum(1 for line in kept if line.strip()) > order_drafts.MOST_LINES:
            raise order_drafts.DraftRefusal("too_many_lines")
        for line in notation.join_broken_lines("\n".join(kept), self.variant):
            self._line(line.strip())
        self._once_a_unit()
        orders = tuple(line for line, _read in self.orders)
        return ParsedOrders(orders, tuple(self.aside), self.empty, self.final, self.dated, self.other)

    def _line(self, line: str) -> None:
        own = None if self.elsewhere else notation.read_variant_line(line, 1, self.context)
        if own is not None:
            self._told_by(line, (own,))
            return
        title, rest = self._title(line)
        if title:
            self._enter(title)
        if not any(sign.isalnum() for sign in rest):
            return
        if self.elsewhere:
            self.aside.append(SetAsideLine(rest, self.elsewhere))
        elif not self._is_sheet_phrase(rest):
            self._ordered(rest)

    # headings

    def is_elsewhere_below(self, line: str) -> bool:
        """Whether what stands below a line, read after those above it, is for another phase or power."""
        title, _rest = ("", "") if _is_quoted(line) else self._title(line.strip())
        if title:
            self._enter(title)
        return self.elsewhere is not None

    def _title(self, line: str) -> tuple[str, str]:
        """The title that a line is, or begins with before a colon; and the rest."""
        bare = _unbulleted(line)
        if read_phase_heading(line, self.variant) or self._is_title(line):
            return line, ""
        before, colon, rest = bare.partition(":")
        return (before, rest.strip()) if colon and self._is_title(before) else ("", line)

    def _is_title(self, text: str) -> bool:
        if len(text) > LONGEST_TITLE:
            return False
        known = notation.is_title_line(text, self.variant, self.context.index)
        return known or bool(
            WITHDRAWALS.intersection(words := notation.folded_words(text)) and len(words) <= 2
        )

    def _enter(self, title: str) -> None:
        words = notation.folded_words(title)
        powers = self._powers(words)
        if len(powers) == 1:
            self.heading_power = powers.pop()
        named = self._named_phase(title, words)
        if named:
            self.heading_phase = named.fits(self.now, self.variant)
            self.dated = self.dated or self.heading_phase
            self.other = self.other or ("" if self.heading_phase else title.strip(" :"))
        foreign = self.heading_power not in ("", self.power)
        self.elsewhere = (
            SetAsideReason.PHASE if not self.heading_phase else SetAsideReason.POWER if foreign else None
        )

    def _powers(self, words: Sequence[str]) -> set[str]:
        names = self.context.index.powers
        spans = [(i, j) for i in range(len(words)) for j in range(i + 1, min(i + 4, len(words)) + 1)]
        found = [" ".join(words[i:j]) for i, j in spans]
        return {names[name] for name in found if len(name) > 1 and name in names}

    def _named_phase(self, title: str, words: Sequence[str]) -> _Named:
        exact = read_phase_heading(title, self.variant) if len(words) == 1 else None
        if exact is not None:
            return _Named(exact=exact)
        seasons = _seasons(self.variant).intersection(words)
        years = {int(word) for word in words if YEAR.fullmatch(word) or (seasons and word.isdecimal())}
        kinds = frozenset("AR") if WITHDRAWALS.intersection(words) else phase_kinds_named(words)
        return _Named(frozenset(seasons), frozenset(years), kinds)

    # statements

    def _is_sheet_phrase(self, line: str) -> bool:
        """Whether a line says something of the sheet as a whole."""
        phrase = " ".join(notation.folded_words(line[:LONGEST_TITLE]))
        self.empty = self.empty or phrase in NO_ORDERS
        if phrase in FINAL | NOT_FINAL:
            self.final = phrase in FINAL
        return phrase in FINAL | NOT_FINAL | NO_ORDERS

    # orders

    def _ordered(self, line: str) -> None:
        """What a line holds. One that begins with a sentence is a sentence, whatever follows."""
        pieces = [piece for piece in notation.split_orders(line, self.variant) if piece]
        sorted_pieces = [(piece, *self._sorted(piece)) for piece in pieces]
        for piece, why, _read in sorted_pieces:
            if DAMAGED in piece and (why is None or self._looks_like_order(piece)):
                raise order_drafts.DraftRefusal("control", piece)
        if not sorted_pieces or sorted_pieces[0][1] is SetAsideReason.PROSE:
            self.aside.append(SetAsideLine(line, SetAsideReason.PROSE))
            return
        for piece, why, read in sorted_pieces:
            if why is not None:
                self.aside.append(SetAsideLine(piece, why))
            else:
                self._told_by(piece, read)

    def _told_by(self, piece: str, read: tuple[OrderLine, ...]) -> None:
        """Keep a piece, unless others would know by it who wrote it."""
        if self.tells(piece):
            self._untold(piece, read)
        else:
            self.orders.append((self._allowed_bullet(piece), read))

    def _untold(self, piece: str, read: Sequence[OrderLine]) -> None:
        """Of a piece that would tell who wrote it, the orders alone, if the judge follows them."""
        if any(line.refusal for line in read):
            self.aside.append(SetAsideLine(piece, SetAsideReason.NAMES))
        else:
            self.orders += [(str(line.order), (line,)) for line in read if line.order]

    def _allowed_bullet(self, piece: str) -> str:
        """Where units are built alone, the bullet before one must not say "remove"."""
        return piece if piece.startswith("+") or not self.only_builds else _unbulleted(piece)

    @cached_property
    def only_builds(self) -> bool:
        if self.context.family is not PhaseFamily.ADJUSTMENTS:
            return False
        return not any(isinstance(order, Disband) for order in self.context.options)

    def _sorted(self, piece: str) -> tuple[SetAsideReason | None, tuple[OrderLine, ...]]:
        """Why a piece is no order, or how it is read."""
        if _is_quoted(piece):
            return SetAsideReason.QUOTED, ()
        bare = _unbulleted(piece)
        if len(piece) > order_drafts.LONGEST_LINE or notation.find_places(bare, self.variant):
            return (
                SetAsideReason.PROSE,
                (),
            )  # the name of a place alone may as well be where a letter was written
        read = notation.read_lines([self._allowed_bullet(piece).replace(DAMAGED, "?")], self.context)
        if any(line.order and not line.refusal for line in read):
            return None, read
        refused = [line for line in read if line.refusal]
        if refused and all(
            line.refusal.code == RefusalReason.FOREIGN_UNIT for line in refused if line.refusal
        ):
            return SetAsideReason.FOREIGN, ()
        return (None if any(map(self._is_badly_written, refused)) else SetAsideReason.PROSE), read

    def _is_badly_written(self, line: OrderLine) -> bool:
        """Whether a line that is refused was meant as an order."""
        reason = line.refusal.code if line.refusal else ""
        if reason in (RefusalReason.UNKNOWN_WORDS, RefusalReason.SEVERAL_ORDERS, RefusalReason.CONDITIONAL):
            return self._begins_with_order(line)
        if reason == RefusalReason.UNKNOWN_PLACE and line.unit is None:
            return self._looks_like_order(line.text)
        return line.order is not None or line.unit is not None

    def _begins_with_order(self, line: OrderLine) -> bool:
        """ "A Par - Bur please": before the words that mean nothing stands an order that says what to do."""
        text = " ".join(line.text.split())
        rest = re.escape(line.refusal.text.rstrip("…") if line.refusal else text)
        before = re.split(rf"(?<!\w){rest}", text, maxsplit=1)[0]
        if notation.find_units(before, self.variant) or notation.find_places(before, self.variant):
            return False
        return notation.read_line(before, self.context, suggest=False).order is not None

    def _looks_like_order(self, text: str) -> bool:
        """ "A Xyz - Bur": a unit’s letter, a sign, and a place that is known. Not "A. Martin - Paris"."""
        tokens = notation.folded_words(_unbulleted(text))
        index = self.context.index
        begins = bool(tokens) and tokens[0] in index.kinds
        if INITIAL.match(_unbulleted(text)) and not self._begins_with_place(tokens[1:]):
            return False
        return begins and bool(DASH.search(text)) and any(word in index.places for word in tokens[1:])

    def _begins_with_place(self, words: Sequence[str]) -> bool:
        """Whether some first words are a place of the board, or one misspelt."""
        index = self.context.index
        forms = [tuple(words[:length]) for length in range(1, min(len(words), LONGEST_PLACE) + 1)]
        return any(" ".join(form) in index.places or index.guessed_provinces(form) for form in forms)

    def _once_a_unit(self) -> None:
        """Set aside the mere name of a unit that another line orders."""
        if self.context.family is not PhaseFamily.MOVES:
            return
        said = {
            line.unit for _text, read in self.orders for line in read if line.order and not _is_bare(line)
        }
        kept = []
        for text, read in self.orders:
            if all(_is_bare(line) and line.unit in said for line in read):
                self.aside.append(SetAsideLine(text, SetAsideReason.TWICE))
            else:
                kept.append((text, read))
        self.orders = kept


def _is_bare(line: OrderLine) -> bool:
    return isinstance(line.order, Hold) and line.order.bare


def _is_quoted(line: str) -> bool:
    """Whether a line, bullets before it or not, begins as what is quoted does, or what we repeat."""
    line = line.strip()
    while not is_marked(line):
        bare = _unbulleted(line)
        if bare == line:
            return False
        line = bare
    return True


def _unbulleted(line: str) -> str:
    bullet = BULLET.match(line)
    return line[bullet.end() :] if bullet else line
