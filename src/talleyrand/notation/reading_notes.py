"""What the reader tells of an order it accepted, and what a strict book holds against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from talleyrand.engine.board import province_of
from talleyrand.engine.errors import OrderAmbiguous, OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import Build, Move, Order, Support
from talleyrand.engine.outcome import AdjudicationNote

from .lexer import folded_words, quote_text
from .order_candidates import OrderCandidate, UnitCandidate
from .parsed_order import ParsedOrder, PlaceRef, UnitRef
from .reading_context import ReadingContext
from .reasons import NoteKind, RefusalReason

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
    foreign = context.power is not None and not context.is_own(choice.unit)
    if foreign and ref.power is None and rules.get("nationality_missing") == "illegal":
        return OrderNotAllowed(RefusalReason.NATIONALITY_MISSING, ref.place.text, units=unit)
    if ref.power not in (None, power) and rules.get("nationality_wrong") == "illegal":
        return OrderNotAllowed(
            RefusalReason.NATIONALITY_WRONG, quote_text(ref.power_text), units=unit, candidates=(power,)
        )
    return None
