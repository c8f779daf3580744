"""What adopted proposals change: scores, grace, the Monetary Fund's point, the embargo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position

from .affairs import Affairs, controller, turn_of
from .polls import Poll, proposers


def carry_out(
    board: Board, position: Position, affairs: Affairs, polls: Mapping[str, Poll], targets: Mapping[str, str]
) -> Affairs:
    """The affairs after the votes of types 1 and 3, with subversion (`targets`, by seat) spent."""
    adopted = _adopted(affairs, polls)
    if position.phase.season == "F" and not any(
        text[:2] == "3B" for texts in adopted.values() for text in texts
    ):
        affairs = replace(affairs, embargo=None)
    for kind in "13":
        for seat in polls[kind].adopted if kind in polls else ():
            affairs = _applied(affairs, proposers(affairs, kind)[seat], turn_of(position.phase))
    last = affairs.last
    if affairs.target is not None:
        last = affairs.target, controller(board, position, affairs.target)
    spent = affairs.subversion | targets.keys()
    return replace(affairs, subversion=frozenset(spent), target=None, last=last, proposals={})


def counted(
    position: Position, affairs: Affairs, polls: Mapping[str, Poll], targets: Mapping[str, str]
) -> dict[str, object]:
    """What a season tells of its votes and of subversion."""
    return {
        "ballots": {kind: poll.told() for kind, poll in polls.items()},
        "applied": {seat: texts for seat, texts in _adopted(affairs, polls).items() if texts},
        "subverted": _subverted(position, targets),
    }


def _adopted(affairs: Affairs, polls: Mapping[str, Poll]) -> dict[str, list[str]]:
    """The proposals of types 1 and 3 that passed, by proposer."""
    return {
        seat: [
            proposers(affairs, kind)[seat] for kind in "13" if kind in polls and seat in polls[kind].adopted
        ]
        for seat in sorted(affairs.proposals)
    }


def _applied(affairs: Affairs, proposal: str, turn: int) -> Affairs:
    kind, state, *rest = proposal.split()
    amount = int(rest[0]) if rest else 0
    if kind in ("1A", "1B"):
        moved = affairs.adjustment.get(state, 0) + (amount if kind == "1A" else -amount)
        clamped = max(-affairs.most, min(affairs.most, moved))
        return replace(affairs, adjustment={**affairs.adjustment, state: clamped})
    if kind == "1C":
        return replace(affairs, grace={name: end for name, end in affairs.grace.items() if name != state})
    if kind == "1D":
        end = max(affairs.grace.get(state, 0), turn + amount)
        return replace(affairs, grace={**affairs.grace, state: end})
    if kind == "3A":
        return replace(affairs, imf=None if state == "NONE" else state)
    return replace(affairs, embargo=state)


def _subverted(position: Position, targets: Mapping[str, str]) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = []
    for seat, code in sorted(targets.items(), key=lambda one: (one[1], one[0])):
        unit = position.at.get(code)
        power, name = (unit.power, str(unit)) if unit else (None, None)
        found.append({"by": seat, "sector": code, "power": power, "unit": name})
    return found
