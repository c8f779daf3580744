"""The affairs of the world as everybody reads them: what is proposed, how votes went, where states stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position
from talleyrand.engine.protocols import Count, Motion, Yearly

from .affairs import affairs_of, controller, may_subvert, turn_named
from .reckoning import allowance, paid
from .reckoning import score as points
from .states import UN, states


def agenda(told: Mapping[str, object]) -> tuple[Motion, ...]:
    """The proposals of a table of affairs, vote by vote."""
    proposals = cast("Mapping[str, list[str]]", told.get("proposals") or {})
    found = [Motion(seat, text[0], text) for seat, texts in proposals.items() for text in texts]
    return tuple(sorted(found, key=lambda motion: (motion.vote, motion.by == UN, motion.by)))


def counts(told: Mapping[str, object]) -> tuple[Count, ...]:
    """The votes that an answer tells."""
    ballots = cast("Mapping[str, Mapping[str, object]]", told.get("ballots") or {})
    return tuple(_count(vote, ballot) for vote, ballot in sorted(ballots.items()))


_SECRET = {"published": (), "numbers": ("cast",), "secret": ("cast", "tally")}


def secretive(asked: Mapping[str, object]) -> bool:
    """Whether who votes for whom is told only once the game is over."""
    return bool(_withheld(asked))


def public(asked: Mapping[str, object], told: Mapping[str, object]) -> dict[str, object]:
    """The affairs of an answer without the ballots that are secret."""
    ballots = cast("Mapping[str, Mapping[str, object]]", told.get("ballots") or {})
    withheld = _withheld(asked)
    shown = {
        vote: {name: value for name, value in ballot.items() if name not in withheld}
        for vote, ballot in ballots.items()
    }
    return {**told, "ballots": shown} if "ballots" in told else dict(told)


def _withheld(asked: Mapping[str, object]) -> tuple[str, ...]:
    options = cast("Mapping[str, str]", asked.get("options") or {})
    return _SECRET[options.get("tally", "published")]


def _count(vote: str, ballot: Mapping[str, object]) -> Count:
    numbers = cast("Mapping[str, int] | None", ballot.get("tally"))
    cast_ = cast("Mapping[str, list[str]] | None", ballot.get("cast"))
    return Count(
        vote,
        None if numbers is None else tuple(numbers.items()),
        None if cast_ is None else {seat: tuple(names) for seat, names in cast_.items()},
        tuple(cast("list[str]", ballot.get("tied") or ())),
        tuple(cast("list[str]", ballot.get("adopted") or ())),
        str(ballot.get("by", "")),
    )


def colours(board: Board, position: Position) -> dict[str, str]:
    """The state of whose colour each land sector without a centre is."""
    found = {
        code: controller(board, position, code)
        for code, province in board.provinces.items()
        if not province.centre and not board.is_sea(code)
    }
    return {code: state for code, state in found.items() if state is not None}


def standing(board: Board, position: Position) -> dict[str, dict[str, str]]:
    """Every state as the table shows it: what it may have, its aid, its grace, its points."""
    return {state: dict(_row(board, position, state)) for state in states()}


def _row(board: Board, position: Position, state: str) -> Iterator[tuple[str, str]]:
    affairs = affairs_of(position)
    score, granted = points(position, state), allowance(position, state)
    given = paid(position)
    yield "allowed", str(granted["allowed"])
    yield "total", str(score["total"])
    yield "working", _working(score)
    yield "adjustment", f"{score['adjustment']:+d}" if score["adjustment"] else ""
    yield "gives", ",".join(to for giver, to in given if giver == state)
    yield "gets", ",".join((*(by for by, to in given if to == state), *_special(position, state)))
    yield "disgrace", "" if affairs.in_grace(state, position.phase) else turn_named(affairs.grace[state])
    spent = state in affairs.subversion
    yield "subversion", "" if not may_subvert(board, position, state) else "SPENT" if spent else "READY"


def yearly(board: Board, position: Position) -> tuple[Yearly, ...]:
    """The points of every state, and the three parts that they are the sum of."""
    scores = {state: points(position, state) for state in board.powers}
    goal = affairs_of(position).goal
    return tuple(
        Yearly(code, {state: score[code] for state, score in scores.items()}, goal if code == "total" else 0)
        for code in ("total", "raw", "contribution", "adjustment")
    )


def _special(position: Position, state: str) -> Iterator[str]:
    affairs = affairs_of(position)
    if affairs.imf == state:
        yield "IMF"
    if affairs.embargo == state:
        yield "EMBARGO"


def _working(score: Mapping[str, int]) -> str:
    """The sum of a score: (15 − 13) × 56 − 14 + 36."""
    beyond = max(0, score["centres"] - score["base"])
    parts = [f"({score['centres']} − {score['base']}) × {score['rate']}" if beyond else "0"]
    for part in (score["adjustment"], score["contribution"]):
        parts += [f"{'+' if part > 0 else '−'} {abs(part)}"] if part else []
    return " ".join(parts)
