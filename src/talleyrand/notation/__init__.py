"""Text to orders and back: French and English lines, whole sheets, suggestions."""

from talleyrand.engine.orders import parse_normal

from .lexer import folded_words
from .line_diagnosis import DISTANCE_STEPS
from .lookup import read_line, read_variant_line
from .name_index import load_name_index, naming_profiles
from .name_lookup import find_places, find_power, find_units, names_destination
from .order_reader import only_sentence, plain_order
from .order_writer import (
    ORDER_STYLES,
    describe_code,
    describe_order,
    parse_order,
    write_order,
    write_place,
    write_unit,
)
from .reading_context import READING_EFFORT, OptionCount, OrderLine, PhaseFamily, ReadingContext
from .reading_notes import make_note
from .reasons import NOTE_KINDS, REFUSAL_REASONS, NoteKind, RefusalReason
from .remarks import SheetRelation, announced_relation, is_title_line
from .sheet_reader import MAX_SHEET_LINES, PIECE_STEPS, read_lines
from .sheet_splitter import join_broken_lines, split_orders, split_sheet

__all__ = [
    "DISTANCE_STEPS",
    "MAX_SHEET_LINES",
    "NOTE_KINDS",
    "ORDER_STYLES",
    "PIECE_STEPS",
    "READING_EFFORT",
    "REFUSAL_REASONS",
    "NoteKind",
    "OptionCount",
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
    "load_name_index",
    "make_note",
    "names_destination",
    "naming_profiles",
    "only_sentence",
    "parse_normal",
    "parse_order",
    "plain_order",
    "read_line",
    "read_lines",
    "read_variant_line",
    "split_orders",
    "split_sheet",
    "write_order",
    "write_place",
    "write_unit",
]
