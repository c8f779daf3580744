"""Text to orders and back: French and English lines, whole sheets, suggestions.

read_line, read_lines   lines in a Context to Line: an order, or a refusal with its reason
split_sheet             a sheet to the lines of each power
write, parse_normal     orders to text; the normal form back to orders
profiles                the naming profiles of a variant
power_named, places_named, units_named, is_journey, words
                        what a text names outside an order: headings, settings, positions
REASONS, NOTES          every reason and note that needs a sentence
"""

from .context import Context, Line
from .lexer import words
from .named import is_journey, places_named, power_named, units_named
from .places import profiles
from .reader import read_line, read_lines
from .reasons import NOTES, REASONS, NoteKind, Reason
from .sheets import split_sheet
from .writer import STYLES, parse_normal, write

__all__ = [
    "NOTES",
    "REASONS",
    "STYLES",
    "Context",
    "Line",
    "NoteKind",
    "Reason",
    "is_journey",
    "parse_normal",
    "places_named",
    "power_named",
    "profiles",
    "read_line",
    "read_lines",
    "split_sheet",
    "units_named",
    "words",
    "write",
]
