"""The normal form of an order, read back."""

from __future__ import annotations

import re
from functools import lru_cache

from .errors import TalleyrandError
from .orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from .position import UnitName

_UNIT = r"([A-Z]) ([A-Z0-9]{2,}(?:/[A-Z]{2})?)"
_PLACE = r"([A-Z0-9]{2,}(?:/[A-Z]{2})?)"
_PATH = r"((?:- [A-Z0-9]{2,} )*)"
_NORMAL = re.compile(
    rf"{_UNIT} (?:(H|D|B)|{_PATH}- {_PLACE}( VIA)?|R {_PLACE}|([SC]) {_UNIT}(?: - {_PLACE})?)"
)


def parse_normal(text: str) -> Order:
    """The order of a normal form: the strict inverse of `str(order)`.

    Raises TalleyrandError (`not_normal_form`).
    """
    if text == str(Waive()):
        return Waive()
    match = _NORMAL.fullmatch(text)
    if match is None:
        raise TalleyrandError("not_normal_form", text=text)
    order = _from(match)
    if str(order) != text:
        raise TalleyrandError("not_normal_form", text=text)
    return order


def _from(match: re.Match[str]) -> Order:
    letter, place, alone, path, to, via, away, help_sign, other, other_place, other_to = match.groups()
    unit = _unit_name(letter, place)
    if to:
        return Move(unit, to, bool(via), tuple(path.replace("-", " ").split()))
    if away:
        return Retreat(unit, away)
    if help_sign:
        target = _unit_name(other, other_place)
        convoy = help_sign == "C" and other_to
        return Convoy(unit, target, other_to) if convoy else Support(unit, target, other_to)
    return _ALONE[alone](unit)


_unit_name = lru_cache(maxsize=1 << 10)(UnitName)  # orders that are kept share the names of their units
_ALONE: dict[str, type[Hold] | type[Disband] | type[Build]] = {"H": Hold, "D": Disband, "B": Build}
