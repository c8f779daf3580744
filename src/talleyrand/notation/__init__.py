"""Text to orders and back: French and English lines, whole sheets, suggestions.

read_line, read_lines   lines in a Context to Line: an order, or a refusal with its reason
split_sheet             a sheet to the lines of each power
write, parse_normal     orders to text; the normal form back to orders
profiles                the naming profiles of a variant
REASONS, NOTES          every reason and note that needs a sentence
"""

from .context import Context, Line
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
    "parse_normal",
    "profiles",
    "read_line",
    "read_lines",
    "split_sheet",
    "write",
]
