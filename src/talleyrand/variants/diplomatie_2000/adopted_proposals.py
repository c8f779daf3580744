"""What adopted proposals change: scores, grace, the Monetary Fund's point, the embargo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position

from .political_state import PoliticalState, controller, turn_number
from .vote_counting import VoteTally, proposals_by_seat


def apply_adopted_proposals(
    board: Board,
    position: Position,
    affairs: PoliticalState,
    polls: Mapping[str, VoteTally],
    targets: Mapping[str, str],
) -> PoliticalState:
    """The affairs after the votes of types 1 and 3, with subversion (`targets`, by seat) spent."""
    adopted = _adopted(affairs, polls)
    if position.phase.season == "F" and not any(
        text[:2] == "3B" for texts in adopted.values() for text in texts
    ):
        affairs = replace(affairs, embargo=None)
    for kind in "13":
        for seat in polls[kind].adopted if kind in polls else ():
            affairs = _applied(affairs, proposals_by_seat(affairs, kind)[seat], turn_number(position.phase))
    last = affairs.last_intervention
    if affairs.intervention_target is not None:
        last = affairs.intervention_target, controller(board, position, affairs.intervention_target)
    spent = affairs.subversion | targets.keys()
    return replace(
        affairs, subversion=frozenset(spent), intervention_target=None, last_intervention=last, proposals={}
    )


def vote_findings(
    position: Position, affairs: PoliticalState, polls: Mapping[str, VoteTally], targets: Mapping[str, str]
) -> dict[str, object]:
    """What a season tells of its votes and of subversion."""
    return {
        "ballots": {kind: poll.as_answer() for kind, poll in polls.items()},
        "applied": {seat: texts for seat, texts in _adopted(affairs, polls).items() if texts},
        "subverted": _subverted(position, targets),
    }


def _adopted(affairs: PoliticalState, polls: Mapping[str, VoteTally]) -> dict[str, list[str]]:
    """The proposals of types 1 and 3 that passed, by proposer."""
    return {
        seat: [
            proposals_by_seat(affairs, kind)[seat]
            for kind in "13"
            if kind in polls and seat in polls[kind].adopted
        ]
        for seat in sorted(affairs.proposals)
    }


def _applied(affairs: PoliticalState, proposal: str, turn: int) -> PoliticalState:
    kind, state, *rest = proposal.split()
    amount = int(rest[0]) if rest else 0
    if kind in ("1A", "1B"):
        moved = affairs.score_adjustment.get(state, 0) + (amount if kind == "1A" else -amount)
        clamped = max(-affairs.adjustment_limit, min(affairs.adjustment_limit, moved))
        return replace(affairs, score_adjustment={**affairs.score_adjustment, state: clamped})
    if kind == "1C":
        return replace(
            affairs,
            disgrace_until={name: end for name, end in affairs.disgrace_until.items() if name != state},
        )
    if kind == "1D":
        end = max(affairs.disgrace_until.get(state, 0), turn + amount)
        return replace(affairs, disgrace_until={**affairs.disgrace_until, state: end})
    if kind == "3A":
        return replace(affairs, imf=None if state == "NONE" else state)
    return replace(affairs, embargo=state)


def _subverted(position: Position, targets: Mapping[str, str]) -> list[dict[str, str | None]]:
    found: list[dict[str, str | None]] = []
    for seat, code in sorted(targets.items(), key=lambda one: (one[1], one[0])):
        unit = position.units_by_province.get(code)
        power, name = (unit.power, str(unit)) if unit else (None, None)
        found.append({"by": seat, "sector": code, "power": power, "unit": name})
    return found
