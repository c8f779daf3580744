"""The affairs of the world as everybody reads them: proposals, votes, states, phases and measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from talleyrand.engine.board import Board
from talleyrand.engine.politics_protocol import (
    PoliticsTable,
    PublicProposal,
    VariantSentence,
    VoteCount,
    YearlyFigure,
)
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


Told = Mapping[str, Any]
Row = tuple[VariantSentence | str | int, ...]


def phase_tables(asked: Told, told: Told) -> tuple[PoliticsTable, ...]:
    """The tables of a phase; those that would be empty are left out."""
    found = (
        PoliticsTable("announced", ("by", "sector"), tuple(_announced(told))),
        PoliticsTable("subverted", ("by", "sector", "unit"), tuple(_subverted(told))),
        PoliticsTable("aid", ("state", "first", "second", "third"), tuple(_aid_rows(asked, told))),
        PoliticsTable(
            "scores", ("state", "total", "centres", "raw", "adjustment", "contribution"), tuple(_scores(told))
        ),
        PoliticsTable("given", ("by", "to"), tuple((one["by"], one["to"]) for one in told.get("given", ()))),
        PoliticsTable("allowance", ("state", "allowed", "units"), tuple(_allowance(told))),
    )
    return tuple(one for one in found if one.rows)


def _announced(told: Told) -> Iterator[Row]:
    target = (told.get("intervention") or {}).get("target")
    if target:
        yield UN, VariantSentence("place", {"place": target})


def _subverted(told: Told) -> Iterator[Row]:
    for one in told.get("subverted", ()):
        unit = VariantSentence("unit_of", {"unit": one["unit"], "state": one["power"]})
        yield (
            one["by"],
            VariantSentence("place", {"place": one["sector"]}),
            unit if one["unit"] else VariantSentence("nobody"),
        )


def _aid_rows(asked: Told, told: Told) -> Iterator[Row]:
    """The programmes that were changed."""
    before = asked.get("aid", {})
    for state, places in told.get("aid", {}).items():
        if list(places) != list(before.get(state, ())):
            yield state, *(place or "" for place in places)


def _scores(told: Told) -> Iterator[Row]:
    """Highest first, with the working of each; those that stand as they began are left out."""
    scores = told.get("scores", {})
    for state in sorted(scores, key=lambda state: (-scores[state]["total"], state)):
        one = scores[state]
        if one["total"] == 0 and one["centres"] == one["base"]:
            continue
        raw = VariantSentence("raw_of", {name: one[name] for name in ("raw", "centres", "base", "rate")})
        given = VariantSentence(
            "contribution_of", {name: one[name] for name in ("contribution", "mandates", "per_mandate")}
        )
        yield (
            state,
            one["total"],
            one["centres"],
            raw if one["raw"] else 0,
            one["adjustment"],
            given if one["contribution"] else 0,
        )


def _allowance(told: Told) -> Iterator[Row]:
    for state, one in told.get("allowance", {}).items():
        if one["allowed"] != one["units"] or one["allowed"] != one["centres"]:
            working = {name: one[name] for name in ("allowed", "centres", "aid", "imf", "embargo")}
            yield state, VariantSentence("allowed_of", working), one["units"]


Part = tuple[str, Mapping[str, str]]


def describe_order(words: str) -> tuple[Part, ...]:
    """The parts of a normal form with their blanks; one that is not known is told as it stands."""
    head, _, rest = words.partition(" ")
    if head == "2" and rest.startswith("M "):
        return (("programme", {"orders": ",".join(rest.split(" / "))}),)
    if head == "SET":
        by, _, motion = rest.partition(" ")
        amount = motion.rpartition(" ")[2]
        return (("amount", {"by": by, "amount": amount}), *describe_order(motion))
    if head == "RANK":
        vote, _, names = rest.partition(" ")
        return ((f"ranking_{vote}", {"names": ",".join(names.split())}),)
    if head == "AID":
        return tuple(_aid(part) for part in rest.split(" / "))
    if head == "AS":
        return (("subversion", {"sector": rest}),)
    return tuple(_report_part(part) for part in words.split(" / "))


def _aid(part: str) -> Part:
    place, _, state = part.partition(" ")
    return "aid", {"place": place, "state": _nobody(state)}


def _nobody(state: str) -> str:
    return "NOBODY" if state == "NONE" else state


def _report_part(part: str) -> Part:
    head, *rest = part.split()
    if head in "123" and rest:
        return f"ballot_{head}", {"names": ",".join(rest)}
    if head == "HOST" and rest:
        return ("hosting_there" if rest[1:] else "hosting"), {"guest": rest[0], "sector": "".join(rest[1:])}
    if head[:1] in "13" and len(head) == 2 and rest:
        one = "_one" if head == "1D" and rest[1:] == ["1"] else ""
        return f"{head}{one}", {"state": _nobody(rest[0]), "amount": "".join(rest[1:])}
    return "", {"words": part}
