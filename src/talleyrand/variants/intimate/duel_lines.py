"""Lists of home powers and bids as players write them, in French and English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talleyrand.engine.board import Board
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.orders import PoliticalOrder
from talleyrand.engine.politics_protocol import NameLookup, UnderstoodLine
from talleyrand.engine.position import Position

from .bidding import BID, LIST
from .duel_state import powers_of_board

_SEPARATORS = re.compile(r"\s*[,;/>]\s*|\s+-\s+|\s+(?:ET|AND|PUIS|THEN)\s+")
_LIST = re.compile(
    r"(?:(?:MES |MY )?(?:LISTE?|PREFERENCES?|CHOIX|CHOICES?)(?: DE PREFERENCES?)? ?:? ?)?(?P<rest>.+)"
)
_PLACE = re.compile(r"(?:\d[.):]? ?)?(?P<name>.+)")
_BID = re.compile(r"(?:JE )?(?:BIDS?|MISES?|ENCHERES?|OFFRES?) ?:? ?(?P<rest>.+)")
_UNITS = r"(?: ?(?:CREDITS?|POINTS?))?"
_FOR = r"(?:POUR|FOR|ON|SUR|TO|A) "
_FOR_POWER = re.compile(
    rf"(?:{_FOR})?(?P<power>\D+?) ?[:=]? ?(?P<amount>-?\d{{1,6}}){_UNITS}"
    rf"|(?P<first>-?\d{{1,6}}){_UNITS} (?:{_FOR})?(?P<later>\D+)"
)


def read_line(
    board: Board, position: Position, power: str | None, text: str, names: NameLookup
) -> UnderstoodLine | None:
    """A list or bids, in the phases that ask for them; None leaves a line to the usual reader."""
    readers = {"H": _read_list, "B": _read_bids}
    plain = " ".join(names.plain(text).replace("'", " ").split()).rstrip(".")
    reader = readers.get(position.phase.kind)
    return reader(board, plain, names) if reader and power and plain else None


def explain_unread_line(
    board: Board, position: Position, power: str | None, text: str, names: NameLookup
) -> UnderstoodLine | None:
    """What is asked for, where a line of these phases is neither a list nor a bid."""
    said: dict[str, OrderRefusal] = {
        "H": OrderNotAllowed("list_unread", text=text),
        "B": OrderNotAllowed("bid_unread", text=text),
    }
    refusal = said.get(position.phase.kind) if text.strip() else None
    return UnderstoodLine(None, refusal) if refusal else None


def _read_list(board: Board, plain: str, names: NameLookup) -> UnderstoodLine | None:
    match = _LIST.fullmatch(plain)
    found: list[str] = []
    for part in _SEPARATORS.split(match["rest"] if match else ""):
        word = _PLACE.fullmatch(part)
        whole = names.power(word["name"]) if word else None
        several = [whole] if whole else [names.power(one) for one in part.split()]
        if not all(several) or not several:
            return None if not found else _unknown(board, part, names)
        found += [one for one in several if one]
    return UnderstoodLine(PoliticalOrder(" ".join((LIST, *found))))


def _read_bids(board: Board, plain: str, names: NameLookup) -> UnderstoodLine | None:
    match = _BID.fullmatch(plain)
    parts = list(_bids(names, match["rest"] if match else plain))
    if not any(name for name, _, _ in parts):
        return None
    strange = next((said for name, _, said in parts if name is None), "")
    if strange:
        return _unknown(board, strange, names)
    if any(amount < 0 for _, amount, _ in parts):
        return UnderstoodLine(None, OrderNotAllowed("bid_unread", text=plain))
    return UnderstoodLine(
        PoliticalOrder(f"{BID} " + " / ".join(f"{name} {amount}" for name, amount, _ in parts))
    )


def _bids(names: NameLookup, text: str) -> Iterator[tuple[str | None, int, str]]:
    """Each bid of a line: the power (None: it names none), the credits, and the words."""
    for part in _SEPARATORS.split(text):
        again = _BID.fullmatch(part)
        match = _FOR_POWER.fullmatch(again["rest"] if again else part)
        said = (match["power"] or match["later"] or "").strip() if match else part
        amount = int(match["amount"] or match["first"]) if match else 0
        yield names.power(said) if match else None, amount, said


def _unknown(board: Board, said: str, names: NameLookup) -> UnderstoodLine:
    near = names.nearest(said, powers_of_board(board))
    return UnderstoodLine(
        None, OrderNotAllowed("power_unread", text=said, candidates=(near,) if near else ())
    )
