"""Every reason the reader refuses a line for, and every note it adds to one it accepts.

A `Refusal` carries the words concerned in `text`; what else it carries is said beside each reason.
Reasons that concern the rules of movement, retreats and adjustments are the engine's. What a strict book
holds against an order it accepted is here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import OrderAmbiguous, OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Build, Move, Order, Support
from talleyrand.engine.outcome import AdjudicationNote

from .lexer import folded_words, quote_text
from .order_candidates import OrderCandidate, UnitCandidate
from .parsed_order import ParsedOrder, PlaceRef, UnitRef
from .reading_context import ReadingContext


class RefusalReason(StrEnum):
    """Why a line is refused."""

    # not understood
    EMPTY = "empty"  # nothing on the line
    UNREADABLE = "unreadable"  # no letter or digit at all
    LINE_TOO_LONG = "line_too_long"  # `text` is its beginning
    TOO_MANY_LINES = "too_many_lines"  # the sheet goes on and on; `text` is the line left unread
    UNKNOWN_PLACE = "unknown_place"  # `text` stands where a place should
    UNKNOWN_WORDS = "unknown_words"  # `text` fits no form of order
    NO_UNIT = "no_unit"  # the line names no unit
    INCOMPLETE = "incomplete"  # stops before the destination or the other unit; `units` the one ordered
    STRUCK_OUT = "struck_out"  # written between ~~ and ~~
    SEVERAL_ORDERS = "several_orders"  # more than one order on the line; `text` is the second
    # not allowed
    CONDITIONAL = "conditional"  # `text` is the word that makes it so
    SEVERAL_STEPS = "several_steps"  # `text` is a way that no unit goes in one turn; `units` the one sent
    NO_SUCH_UNIT = "no_such_unit"  # `units` the one named, as understood
    FOREIGN_UNIT = "foreign_unit"  # `units` the one named; `candidates` its power
    UNIT_TYPE_MISSING = "unit_type_missing"  # the book wants the letter; `units` the unit meant
    UNIT_TYPE_WRONG = "unit_type_wrong"  # `text` the letter written, `units` the unit that stands there
    NATIONALITY_MISSING = "nationality_missing"  # the book wants it; `units` the foreign unit
    NATIONALITY_WRONG = "nationality_wrong"  # `text` as written, `units` the unit, `candidates` its power
    BADLY_WRITTEN = (
        "badly_written"  # understood, but the book wants it written properly; `candidates` the order
    )
    # ambiguous
    AMBIGUOUS_PLACE = "ambiguous_place"  # `text` could be each of `places`; `candidates` the orders, if any
    AMBIGUOUS_ORDER = "ambiguous_order"  # `candidates` are the orders it could be
    ALTERNATIVES = "alternatives"  # `text` leaves a choice; `candidates` are the orders it could be
    BUILD_TYPE_MISSING = "build_type_missing"  # a build without letter; `candidates` the builds it could be


class NoteKind(StrEnum):
    """What the reader did to make sense of a line; the facts' names stand beside each."""

    READ_AS = "read_as"  # written, place: a form in no list, or one of several, read as this place
    LETTER_CORRECTED = "letter_corrected"  # written, unit
    LETTER_SUPPLIED = "letter_supplied"  # unit
    COAST_SUPPLIED = "coast_supplied"  # place: with the coast that was left out
    COAST_IGNORED = "coast_ignored"  # written, place: a coast that is not so, or not needed
    PATH_IGNORED = "path_ignored"  # written: the way of a convoy
    NATIONALITY_IGNORED = "nationality_ignored"  # written, power: another's name beside a unit of `power`
    CONDITION_IGNORED = "condition_ignored"  # written: the part that depends on something
    MARKER_IGNORED = "marker_ignored"  # written: "by convoy" where it means nothing
    OTHER_NOTATION = "other_notation"  # written: a support in place with or without H, as the book has it not
    READ_WITH = "read_with"  # written, order, other: one of several readings, which another order settles
    SIGN_MISSPELT = "sign_misspelt"  # written: a verb that is not spelt so
    SIGN_SUPPLIED = "sign_supplied"  # written: two places without a sign between them, read as a move
    REMARK_IGNORED = "remark_ignored"  # written: words beside the order that say nothing of it
    HEADING = "heading"  # written: a line that is a title
    REMARK = "remark"  # written: a line that is a comment


REFUSAL_REASONS: tuple[str, ...] = tuple(RefusalReason)
NOTE_KINDS: tuple[str, ...] = tuple(NoteKind)


_SETTLED_ELSEWHERE = frozenset(
    (
        NoteKind.LETTER_SUPPLIED,
        NoteKind.LETTER_CORRECTED,
        NoteKind.NATIONALITY_IGNORED,
        NoteKind.COAST_SUPPLIED,
        NoteKind.COAST_IGNORED,
        NoteKind.PATH_IGNORED,
        NoteKind.MARKER_IGNORED,
        NoteKind.CONDITION_IGNORED,
    )
)
"""What options of their own allow or forbid."""


def make_note(kind: NoteKind, **facts: str) -> AdjudicationNote:
    """A note with its facts in the order given."""
    return AdjudicationNote(kind, tuple(facts.items()))


def notes_for_order(
    reading: OrderCandidate, sentence: ParsedOrder, context: ReadingContext
) -> tuple[AdjudicationNote, ...]:
    """Every guess and every word left aside."""
    return tuple(_notes(reading, sentence, context))


def _notes(
    reading: OrderCandidate, sentence: ParsedOrder, context: ReadingContext
) -> Iterator[AdjudicationNote]:
    order = reading.order if isinstance(reading.result, OrderRefusal) else reading.result
    for ref, choice in ((sentence.unit, reading.subject), (sentence.target, reading.target)):
        if ref is not None and choice is not None:
            yield from _on_unit(ref, choice)
    if sentence.to is not None:
        yield from _on_goal(sentence.to, reading.order, order)
    if sentence.path and not getattr(order, "path", ()):
        yield make_note(
            NoteKind.PATH_IGNORED, written=quote_text(" - ".join(place.text for place in sentence.path))
        )
    if isinstance(order, Support) and _unlike_the_book(order, context):
        yield make_note(NoteKind.OTHER_NOTATION, written=str(order) if order.bare else f"{order} H")
    if sentence.guessed:
        kind = NoteKind.SIGN_SUPPLIED if sentence.verb_missing else NoteKind.SIGN_MISSPELT
        yield make_note(kind, written=quote_text(sentence.guessed))
    if _marker_idle(sentence, order, context):
        yield make_note(NoteKind.MARKER_IGNORED, written=quote_text(sentence.marker))


def _unlike_the_book(order: Support, context: ReadingContext) -> bool:
    """A support in place written with H where the book leaves it out, or the other way round (row M70)."""
    wanted = context.rulebook.reading_options.get("support_hold_notation")
    return order.to is None and wanted == ("with_H" if order.bare else "bare")


def _on_unit(ref: UnitRef, choice: UnitCandidate) -> Iterator[AdjudicationNote]:
    name = f"{choice.name.kind} {choice.location}"
    yield from _on_place(ref.place, choice.location)
    if choice.name.location != choice.location:
        yield make_note(NoteKind.COAST_IGNORED, written=choice.name.location, place=choice.location)
    if ref.kind is None:
        yield make_note(NoteKind.LETTER_SUPPLIED, unit=name)
    elif ref.kind != choice.name.kind:
        yield make_note(NoteKind.LETTER_CORRECTED, written=ref.kind, unit=name)
    if ref.power and choice.unit and choice.unit.power != ref.power:
        yield make_note(
            NoteKind.NATIONALITY_IGNORED, written=quote_text(ref.power_text), power=choice.unit.power
        )


def _on_place(ref: PlaceRef, location: str) -> Iterator[AdjudicationNote]:
    if ref.guessed or len(ref.codes) > 1:
        yield make_note(NoteKind.READ_AS, written=quote_text(ref.text), place=location)


def _on_goal(ref: PlaceRef, written: Order, order: Order) -> Iterator[AdjudicationNote]:
    before, after = getattr(written, "to", None), getattr(order, "to", None)
    if before is None or after is None:
        return
    yield from _on_place(ref, after)
    if "/" in after and "/" not in before:
        yield make_note(NoteKind.COAST_SUPPLIED, place=after)
    elif "/" in before and after != before:
        yield make_note(NoteKind.COAST_IGNORED, written=before, place=after)


def _marker_idle(sentence: ParsedOrder, order: Order, context: ReadingContext) -> bool:
    """By convoy, for a unit that cannot be carried or that walks all the same."""
    if not sentence.marker or not isinstance(order, Move) or order.via:
        return False
    near = context.variant.board.adjacent_provinces[order.unit.kind].get(order.unit.location, frozenset())
    return province_of(order.to) in near


def is_poorly_written(
    notes: Iterable[AdjudicationNote], sentence: ParsedOrder, context: ReadingContext
) -> bool:
    """Whether an order had to be guessed, where it has one meaning all the same (row M61).

    Letters that a list has, or that everybody uses, are well written though they may mean two places.
    """
    told = {one.kind for one in notes} - _SETTLED_ELSEWHERE
    if told != {NoteKind.READ_AS}:
        return bool(told)
    places = (sentence.unit and sentence.unit.place, sentence.target and sentence.target.place, sentence.to)
    known = context.index.misprints
    return any(
        ref.guessed and " ".join(folded_words(ref.text)) not in known for ref in places if ref is not None
    )


def strict_rulebook_refusal(
    reading: OrderCandidate, sentence: ParsedOrder, context: ReadingContext
) -> OrderRefusal | None:
    """What a book that wants orders written properly holds against this one (rows M30 to M35)."""
    for ref, choice, own in (
        (sentence.unit, reading.subject, True),
        (sentence.target, reading.target, False),
    ):
        if ref is not None and choice is not None:
            found = _letter(ref, choice, reading, context) or (
                None if own else _nationality(ref, choice, context)
            )
            if found is not None:
                return found
    return None


def _letter(
    ref: UnitRef, choice: UnitCandidate, reading: OrderCandidate, context: ReadingContext
) -> OrderRefusal | None:
    rules, unit = context.rulebook.reading_options, (str(choice.name),)
    if isinstance(reading.order, Build):
        missing = ref.kind is None and rules.get("build_type_missing") == "fails"
        return (
            OrderAmbiguous(RefusalReason.BUILD_TYPE_MISSING, ref.place.text, candidates=(str(reading.order),))
            if missing
            else None
        )
    if ref.kind is None and rules.get("unit_type_missing") == "illegal":
        return OrderNotAllowed(RefusalReason.UNIT_TYPE_MISSING, ref.place.text, units=unit)
    if ref.kind not in (None, choice.name.kind) and rules.get("unit_type_wrong") == "illegal":
        return OrderNotAllowed(RefusalReason.UNIT_TYPE_WRONG, ref.kind or "", units=unit)
    return None


def _nationality(ref: UnitRef, choice: UnitCandidate, context: ReadingContext) -> OrderRefusal | None:
    if choice.unit is None:
        return None
    rules, unit, power = context.rulebook.reading_options, (str(choice.name),), choice.unit.power
    foreign = context.power is not None and power != context.power
    if foreign and ref.power is None and rules.get("nationality_missing") == "illegal":
        return OrderNotAllowed(RefusalReason.NATIONALITY_MISSING, ref.place.text, units=unit)
    if ref.power not in (None, power) and rules.get("nationality_wrong") == "illegal":
        return OrderNotAllowed(
            RefusalReason.NATIONALITY_WRONG, quote_text(ref.power_text), units=unit, candidates=(power,)
        )
    return None
