"""Text to orders and back: French and English lines, whole sheets, suggestions.

own_line                a line in the words of a variant's own rules, if it is one
read_line, read_lines   lines in a Context to Line: an order, or a refusal with its reason
is_title                whether a line is a title: of powers, of a phase, of orders
Family                  the kinds of orders that a phase takes
announces               whether a title says that a sheet adds to the earlier ones or replaces them
split_sheet             a sheet to the lines of each power
whole_lines, orders_on  a sheet to its lines, a line to what may be its orders
note                    a note with its facts
write, parse_normal     orders to text; the normal form back to orders
say, name, parse_own    the same for measures of a variant's own rules
profiles                the naming profiles of a variant
power_named, places_named, units_named, is_journey, words
                        what a text names outside an order: headings, settings, positions
REASONS, NOTES          every reason and note that needs a sentence
"""

from talleyrand.engine.normal_form import parse_normal

from .lexer import folded_words
from .lookup import read_line, read_variant_line
from .name_index import naming_profiles
from .name_lookup import find_places, find_power, find_units, names_destination
from .order_writer import ORDER_STYLES, describe_code, describe_order, parse_order, write_order
from .reading_context import READING_EFFORT, OrderLine, PhaseFamily, ReadingContext
from .reading_notes import NOTE_KINDS, REFUSAL_REASONS, NoteKind, RefusalReason, make_note
from .remarks import SheetRelation, announced_relation, is_title_line
from .sheet_reader import read_lines
from .sheet_splitter import join_broken_lines, split_orders, split_sheet

__all__ = [
    "NOTE_KINDS",
    "ORDER_STYLES",
    "READING_EFFORT",
    "REFUSAL_REASONS",
    "NoteKind",
    "OrderLine",
    "PhaseFamily",
    "ReadingContext",
    "RefusalReason",
    "SheetRelation",
    "announced_relation",
    "describe_code",
    "describe_order",
    "find_places",
    "find_power",
    "find_units",
    "folded_words",
    "is_title_line",
    "join_broken_lines",
    "make_note",
    "names_destination",
    "naming_profiles",
    "parse_normal",
    "parse_order",
    "read_line",
    "read_lines",
    "read_variant_line",
    "split_orders",
    "split_sheet",
    "write_order",
]
