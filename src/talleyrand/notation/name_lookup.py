"""Powers, places and units named by themselves, outside an order: in headings, settings and positions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from talleyrand.engine.board import province_of
from talleyrand.engine.position import UnitName
from talleyrand.variants import Variant

from .grammar import OrderParser
from .lexer import MAX_LINE, clean_line, folded_words, tokenize
from .name_index import NameIndex, load_name_index
from .parsed_order import PlaceRef

_ENOUGH = 20


def find_power(text: str, variant: Variant) -> str | None:
    """The power that a text names and nothing else."""
    return load_name_index(variant, None).powers.get(" ".join(folded_words(text)))


def find_places(
    text: str, variant: Variant, naming: str | None = None, *, exact: bool = False
) -> tuple[str, ...]:
    """Every location a text may mean; none where it names no place. `exact`: none misspelt or shortened."""
    names = load_name_index(variant, naming)
    parser = _parser(text, names, loose=not exact)
    found = next((place for place, end in parser.place(0) if end == parser.end), None)
    places = [names.location(code, found.coast) for code in found.codes] if found else []
    return tuple(dict.fromkeys(places))


def find_units(text: str, variant: Variant, naming: str | None = None) -> tuple[UnitName, ...] | None:
    """Every unit a text may mean, standing where it may; None where it does not name a kind and a place.

    Where the one province written does not suit the kind, the unit comes as written: the judge refuses it.
    """
    names = load_name_index(variant, naming)
    parser = _parser(text, names)
    for unit, end in parser.unit(0):
        if end == parser.end and unit.kind is not None:
            return tuple(dict.fromkeys(_stands(unit.kind, unit.place, names)))
    return None


def names_destination(line: str, variant: Variant) -> bool:
    """Whether a line sends a unit somewhere: a retreat, then, not a build or a removal."""
    if len(clean_line(line)) > MAX_LINE:
        return False
    sentences = _parser(line, load_name_index(variant, None)).parses()
    return any(sentence.to is not None for sentence in islice(sentences, _ENOUGH))


def _parser(text: str, names: NameIndex, *, loose: bool = True) -> OrderParser:
    text = clean_line(text)
    return OrderParser(tokenize(text), names, text, loose=loose)


def _stands(kind: str, place: PlaceRef, names: NameIndex) -> Iterator[UnitName]:
    written = [names.location(code, place.coast) for code in place.codes]
    standing = {
        location: names.board.standable_locations(kind, province_of(location)) for location in written
    }
    for location in written:
        if location in standing[location]:
            yield UnitName(kind, location)
        elif len(standing[location]) == 1:
            yield UnitName(kind, standing[location][0])
    if len(written) == 1 and len(standing[written[0]]) != 1:
        yield UnitName(kind, written[0])
