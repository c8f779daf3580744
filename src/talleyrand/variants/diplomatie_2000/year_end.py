"""The end of autumn: owners and colours, points, aid, scores, who is out, and what the winter owes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.board import Board
from talleyrand.engine.game import capture_centres
from talleyrand.engine.orders import Disband, Order
from talleyrand.engine.politics_protocol import VariantSentence
from talleyrand.engine.position import Position
from talleyrand.engine.rulebook import Rulebook

from .political_state import (
    NO_AID,
    UN,
    PoliticalState,
    centres_owned_by,
    controller,
    mandates_of,
    may_subvert,
    political_state_of,
    state_rows,
)

MOST_CONTRIBUTION = 125
_ALIVE = frozenset("AFV")


def close_year(board: Board, position: Position, book: Rulebook) -> tuple[Position, dict[str, object]]:
    """The position once autumn is over, and what was counted.

    Where nobody knows who owns the centres, only colours change.
    """
    position = replace(capture_centres(board, position, book), centres_before=None)
    affairs = replace(political_state_of(position), colours=_colours(board, position))
    position = replace(position, political_state=affairs)
    if position.centres is None:
        return position, {}
    points = {state: _points(board, position, state) for state in state_rows()}
    given = _points_given(position, points)
    scores = {
        state: state_score(position, state) for state in state_rows() if state not in affairs.eliminated
    }
    position = without_eliminated(board, position)
    allowances = {state: unit_allowance(position, state) for state in state_rows()}
    return position, {"scores": scores, "points": points, "given": given, "allowance": allowances}


def winners(board: Board, position: Position) -> tuple[str, ...]:
    """Every state with enough points when an autumn is over; nobody wins in winter."""
    if position.phase.season != "F":
        return ()
    goal = political_state_of(position).points_to_win
    return tuple(state for state in board.powers if state_score(position, state)["total"] >= goal)


def _colours(board: Board, position: Position) -> dict[str, str | None]:
    """Sectors without a centre take the colour of the A or F on them."""
    affairs = political_state_of(position)
    control = dict(affairs.colours)
    if affairs.option("colour") == "never":
        return control
    for code, unit in position.units_by_province.items():
        land = not board.is_sea(code) and not board.provinces[code].centre
        if land and board.kinds[unit.kind].captures:
            control[code] = unit.power
    return control


def _points(board: Board, position: Position, state: str) -> dict[str, int]:
    centres = len(position.owned_by(state))
    return {
        "aid": state_rows()[state].aid_points(centres),
        "subversion": int(may_subvert(board, position, state)),
    }


def _points_given(position: Position, points: Mapping[str, Mapping[str, int]]) -> list[dict[str, object]]:
    """The aid that is paid: the nth point to the nth place, the Monetary Fund's last."""
    affairs = political_state_of(position)
    found: list[dict[str, object]] = [
        {"by": state, "to": to, "place": place}
        for state in points
        for place, to in enumerate(_places(affairs, state)[: points[state]["aid"]], 1)
        if to is not None and to != state and to not in affairs.eliminated
    ]
    if affairs.imf is not None and affairs.imf not in affairs.eliminated:
        found.append({"by": UN, "to": affairs.imf, "place": None})
    return found


def _places(affairs: PoliticalState, state: str) -> tuple[str | None, ...]:
    return affairs.aid.get(state, NO_AID)


def state_score(position: Position, state: str) -> dict[str, int]:
    """The points of a state as they stand, with their working."""
    worth, affairs = state_rows()[state], political_state_of(position)
    graceful = affairs.in_grace(state, position.phase)
    own = len(mandates_of(position.units, state)) if graceful else 0
    centres = len(position.owned_by(state))
    raw = max(0, centres - worth.base) * worth.rate
    adjustment = affairs.score_adjustment.get(state, 0)
    contribution = min(MOST_CONTRIBUTION, own * worth.per_mandate)
    return {
        "centres": centres,
        "base": worth.base,
        "rate": worth.rate,
        "raw": raw,
        "adjustment": adjustment,
        "mandates": own,
        "per_mandate": worth.per_mandate,
        "contribution": contribution,
        "total": raw + adjustment + contribution,
    }


def unit_allowance(position: Position, state: str) -> dict[str, int]:
    """How many units a state may have: centres, aid and the Fund's point, less the embargo."""
    affairs = political_state_of(position)
    centres = len(position.owned_by(state))
    aid = 0 if state in affairs.eliminated else sum(to == state for _, to in aid_paid(position))
    imf, embargo = int(affairs.imf == state), int(affairs.embargo == state)
    allowed = max(0, centres + aid + imf - embargo)
    units = sum(unit.power == state for unit in position.units)
    return {
        "centres": centres,
        "aid": aid,
        "imf": imf,
        "embargo": embargo,
        "allowed": allowed,
        "units": units,
    }


def autumn_forecast(position: Position, state: str, orders: Sequence[Order]) -> VariantSentence:
    """What a winter would allow a state as centres and aid stand in autumn, and its units less the M that it
    dismantles; an embargo is for the vote of the turn to say."""
    granted = unit_allowance(position, state)
    leaving = {order.unit for order in orders if isinstance(order, Disband)}
    return VariantSentence(
        "autumn",
        {
            "allowed": granted["centres"] + granted["aid"] + granted["imf"],
            "units": granted["units"] - len(leaving),
        },
    )


def aid_paid(position: Position) -> list[tuple[str, str]]:
    """Each point of aid that states have to give by their centres and do give: by whom, to whom."""
    affairs = political_state_of(position)
    return [
        (giver, to)
        for giver, worth in state_rows().items()
        for to in _places(affairs, giver)[: worth.aid_points(len(position.owned_by(giver)))]
        if to is not None and to != giver
    ]


def without_eliminated(board: Board, position: Position) -> Position:
    """The position without the states that are out, nor anything of theirs.

    A state without a centre lives on if it has a unit that is not an M, and is allowed one.
    """
    affairs = political_state_of(position)
    out = {state for state in state_rows() if state not in affairs.eliminated and _is_out(position, state)}
    gone = affairs.eliminated | out
    colours = {
        code: None
        for code, province in board.provinces.items()
        if not province.centre and not board.is_sea(code) and controller(board, position, code) in out
    }
    affairs = replace(
        affairs,
        eliminated=frozenset(gone),
        imf=None if affairs.imf in gone else affairs.imf,
        embargo=None if affairs.embargo in gone else affairs.embargo,
        colours={**affairs.colours, **colours},
    )
    units = tuple(unit for unit in position.units if unit.power not in gone)
    return replace(position, units=units, political_state=affairs)


def _is_out(position: Position, state: str) -> bool:
    if position.owned_by(state):
        return False
    alive = any(unit.power == state and unit.kind in _ALIVE for unit in position.units)
    return not alive or unit_allowance(position, state)["allowed"] < 1


def adjustment_counts(board: Board, position: Position, book: Rulebook) -> dict[str, AdjustmentCount]:  # noqa: ARG001
    """What the winter owes each state; `possible` counts its own free centres, invitations not."""
    return {state: adjustment_count(board, position, state) for state in board.powers}


def adjustment_count(board: Board, position: Position, state: str) -> AdjustmentCount:
    """What the winter owes one state."""
    granted = unit_allowance(position, state)
    due = granted["allowed"] - granted["units"]
    possible = min(max(0, due), len(build_sites(board, position, state)))
    return AdjustmentCount(due, possible, max(0, -due))


def build_sites(board: Board, position: Position, state: str) -> tuple[str, ...]:
    """The free centres on which a state may build something: its arsenals; in grace, its others for an M."""
    grace = political_state_of(position).in_grace(state, position.phase)
    return tuple(
        code
        for code in centres_owned_by(board, position, state)
        if code not in position.units_by_province and (grace or code in board.homes[state])
    )
