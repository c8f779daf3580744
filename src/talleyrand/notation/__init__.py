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

from talleyrand.engine.normal import parse_normal

from .context import EFFORT, Context, Family, Line
from .layout import Relation, announces, is_title
from .lexer import words
from .lines import read_lines
from .lookup import own_line, read_line
from .named import is_journey, places_named, power_named, units_named
from .notes import note
from .places import profiles
from .reasons import NOTES, REASONS, NoteKind, Reason
from .sheets import orders_on, split_sheet, whole_lines
from .writer import STYLES, name, parse_own, say, write

__all__ = [
    "EFFORT",
    "NOTES",
    "REASONS",
    "STYLES",
    "Context",
    "Family",
    "Line",
    "NoteKind",
    "Reason",
    "Relation",
    "announces",
    "is_journey",
    "is_title",
    "name",
    "note",
    "orders_on",
    "own_line",
    "parse_normal",
    "parse_own",
    "places_named",
    "power_named",
    "profiles",
    "read_line",
    "read_lines",
    "say",
    "split_sheet",
    "units_named",
    "whole_lines",
    "words",
    "write",
]
