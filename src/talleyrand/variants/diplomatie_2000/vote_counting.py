"""How ballots are counted, and which proposals are adopted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from talleyrand.engine.board import Board
from talleyrand.engine.position import Position

from .political_state import UN, PoliticalState, controller, turn_number
from .politics_lines import ABSTAIN, NONE


def proposals_by_seat(affairs: PoliticalState, kind: str) -> dict[str, str]:
    """Who has made a proposal of a type, and which."""
    made = {seat: [text for text in texts if text[0] == kind] for seat, texts in affairs.proposals.items()}
    return {seat: texts[0] for seat, texts in sorted(made.items()) if texts}


def ballots_per_elector(affairs: PoliticalState, kind: str) -> int:
    """How many ballots an elector has: more than one of type 1 where there are many proposals."""
    made = len(proposals_by_seat(affairs, kind))
    if kind != "1":
        return 1
    three_from = 9 if affairs.option("nine_proposals") == "3" else 10
    return 1 + (made >= 5) + (made >= three_from)


def open_ballots(affairs: PoliticalState) -> dict[str, int]:
    """The ballots an elector has, for each type that has a proposal."""
    return {kind: ballots_per_elector(affairs, kind) for kind in "123" if proposals_by_seat(affairs, kind)}


def valid_ballots(affairs: PoliticalState, kind: str, named: Sequence[str]) -> list[str]:
    """The ballots that count of those an elector wrote: for those who proposed, none twice, no more than
    there are to cast."""
    known = proposals_by_seat(affairs, kind)
    found: list[str] = []
    for name in named if known else ():
        if name in (NONE, ABSTAIN) or (name in known and name not in found):
            found.append(name)
    return found[: ballots_per_elector(affairs, kind)]


def ballot_fault(affairs: PoliticalState, kind: str, named: Sequence[str]) -> str:
    """Why not all of the ballots that an elector wrote count: "" where they do, else `nothing` (is proposed),
    `name` (of no proposer), `twice`, `many`."""
    known = proposals_by_seat(affairs, kind)
    if not known:
        return "nothing"
    if any(name not in (NONE, ABSTAIN, *known) for name in named):
        return "name"
    proposed = [name for name in named if name in known]
    if len(set(proposed)) < len(proposed):
        return "twice"
    return "many" if len(named) > ballots_per_elector(affairs, kind) else ""


@dataclass
class VoteTally:
    """The votes on one type of proposals. `ranking`: how the Secretary-General would settle a tie."""

    affairs: PoliticalState
    kind: str
    cast: Mapping[str, Sequence[str]]
    ranking: Sequence[str] = ()
    adopted: list[str] = field(default_factory=list)
    tied: list[str] = field(default_factory=list)
    decided_by: str = "none"

    def __post_init__(self) -> None:
        votes = Counter(name for names in self.cast.values() for name in names if name != ABSTAIN)
        self.tally = {name: votes[name] for name in sorted(votes, key=lambda name: (-votes[name], name))}
        several = self.kind == "1" and self.affairs.option("type1_adopted") == "as_ballots"
        self._settle(ballots_per_elector(self.affairs, self.kind) if several else 1)

    def _settle(self, places: int) -> None:
        """Adopt those ahead of "none", most votes first, as far as there are places."""
        least = self.tally.get(NONE, 0)
        ahead = [name for name in self.tally if name != NONE and self.tally[name] > least]
        for count in sorted({self.tally[name] for name in ahead}, reverse=True):
            level = [name for name in ahead if self.tally[name] == count]
            left = places - len(self.adopted)
            if len(level) <= left:
                self.adopted += _in_order(level)
                self.decided_by = "most"
            elif left > 0:
                self._untie(level, left)
                self.adopted.sort(key=lambda name: (-self.tally[name], name == UN, name))
                return

    def _untie(self, level: list[str], left: int) -> None:
        self.tied = sorted(level)
        ranked = [name for name in self.ranking if name in level][:left]
        if not ranked and self.affairs.option("unranked_tie") == "first_code":
            self.adopted += _in_order(level)[:left]
            self.decided_by = "first_code"
        elif ranked:
            self.adopted += ranked
            self.decided_by = "ranking"
        elif not self.adopted:
            self.decided_by = "no_ranking"

    def as_answer(self) -> dict[str, object]:
        """The poll as an answer tells it."""
        return {
            "cast": {seat: list(names) for seat, names in sorted(self.cast.items())},
            "tally": self.tally,
            "tied": self.tied,
            "adopted": self.adopted,
            "by": self.decided_by,
        }


def _in_order(names: Iterable[str]) -> list[str]:
    """By code, the United Nations last."""
    return sorted(names, key=lambda name: (name == UN, name))


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
