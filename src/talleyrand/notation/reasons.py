"""Every reason the reader refuses a line for, and every note it adds to one it accepts.

An `OrderRefusal` carries the words concerned in `text`; what else it carries is said beside each reason.
Reasons that concern the rules of movement, retreats and adjustments are the engine's.
"""

from __future__ import annotations

from enum import StrEnum


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
