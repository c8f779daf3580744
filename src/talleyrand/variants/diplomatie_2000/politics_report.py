"""The affairs of the world as everybody reads them: what is proposed, how votes went, where states stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from talleyrand.engine.board import Board
from talleyrand.engine.politics_protocol import PublicProposal, VoteCount, YearlyFigure
from talleyrand.engine.position import Position

from .political_state import UN, controller, may_subvert, political_state_of, state_rows, turn_code
from .year_end import aid_paid, unit_allowance
from .year_end import state_score as points


def public_proposals(told: Mapping[str, object]) -> tuple[PublicProposal, ...]:
    """The proposals of a table of affairs, vote by vote."""
    proposals = cast("Mapping[str, list[str]]", told.get("proposals") or {})
    found = [PublicProposal(seat, text[0], text) for seat, texts in proposals.items() for text in texts]
    return tuple(sorted(found, key=lambda motion: (motion.vote, motion.by == UN, motion.by)))


def vote_counts(told: Mapping[str, object]) -> tuple[VoteCount, ...]:
    """The votes that an answer tells."""
    ballots = cast("Mapping[str, Mapping[str, object]]", told.get("ballots") or {})
    return tuple(_count(vote, ballot) for vote, ballot in sorted(ballots.items()))


_SECRET = {"published": (), "numbers": ("cast",), "secret": ("cast", "tally")}


def has_secret_votes(asked: Mapping[str, object]) -> bool:
    """Whether who votes for whom is told only once the game is over."""
    return bool(_withheld(asked))


def without_secrets(asked: Mapping[str, object], told: Mapping[str, object]) -> dict[str, object]:
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


def _count(vote: str, ballot: Mapping[str, object]) -> VoteCount:
    numbers = cast("Mapping[str, int] | None", ballot.get("tally"))
    cast_ = cast("Mapping[str, list[str]] | None", ballot.get("cast"))
    return VoteCount(
        vote,
        None if numbers is None else tuple(numbers.items()),
        None if cast_ is None else {seat: tuple(names) for seat, names in cast_.items()},
        tuple(cast("list[str]", ballot.get("tied") or ())),
        tuple(cast("list[str]", ballot.get("adopted") or ())),
        str(ballot.get("by", "")),
    )


def province_colours(board: Board, position: Position) -> dict[str, str]:
    """The state of whose colour each land sector without a centre is."""
    found = {
        code: controller(board, position, code)
        for code, province in board.provinces.items()
        if not province.centre and not board.is_sea(code)
    }
    return {code: state for code, state in found.items() if state is not None}


def power_table(board: Board, position: Position) -> dict[str, dict[str, str]]:
    """Every state as the table shows it: what it may have, its aid, its grace, its points."""
    return {state: dict(_row(board, position, state)) for state in state_rows()}


def _row(board: Board, position: Position, state: str) -> Iterator[tuple[str, str]]:
    affairs = political_state_of(position)
    score, granted = points(position, state), unit_allowance(position, state)
    given = aid_paid(position)
    yield "allowed", str(granted["allowed"])
    yield "total", str(score["total"])
    yield "working", _working(score)
    yield "adjustment", f"{score['adjustment']:+d}" if score["adjustment"] else ""
    yield "gives", ",".join(to for giver, to in given if giver == state)
    yield "gets", ",".join((*(by for by, to in given if to == state), *_special(position, state)))
    yield (
        "disgrace",
        "" if affairs.in_grace(state, position.phase) else turn_code(affairs.disgrace_until[state]),
    )
    spent = state in affairs.subversion
    yield "subversion", "" if not may_subvert(board, position, state) else "SPENT" if spent else "READY"


def yearly_figures(board: Board, position: Position) -> tuple[YearlyFigure, ...]:
    """The points of every state, and the three parts that they are the sum of."""
    scores = {state: points(position, state) for state in board.powers}
    goal = political_state_of(position).points_to_win
    return tuple(
        YearlyFigure(
            code, {state: score[code] for state, score in scores.items()}, goal if code == "total" else 0
        )
        for code in ("total", "raw", "contribution", "adjustment")
    )


def _special(position: Position, state: str) -> Iterator[str]:
    affairs = political_state_of(position)
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
