"""How ballots are counted, and which proposals are adopted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .affairs import Affairs
from .states import UN
from .wording import ABSTAIN, NONE


def proposers(affairs: Affairs, kind: str) -> dict[str, str]:
    """Who has made a proposal of a type, and which."""
    made = {seat: [text for text in texts if text[0] == kind] for seat, texts in affairs.proposals.items()}
    return {seat: texts[0] for seat, texts in sorted(made.items()) if texts}


def ballots_each(affairs: Affairs, kind: str) -> int:
    """How many ballots an elector has: more than one of type 1 where there are many proposals."""
    made = len(proposers(affairs, kind))
    if kind != "1":
        return 1
    three_from = 9 if affairs.option("nine_proposals") == "3" else 10
    return 1 + (made >= 5) + (made >= three_from)


def ballots_of(affairs: Affairs) -> dict[str, int]:
    """The ballots an elector has, for each type that has a proposal."""
    return {kind: ballots_each(affairs, kind) for kind in "123" if proposers(affairs, kind)}


def valid(affairs: Affairs, kind: str, named: Sequence[str]) -> list[str]:
    """The ballots that count of those an elector wrote: for those who proposed, none twice, no more than
    there are to cast."""
    known = proposers(affairs, kind)
    found: list[str] = []
    for name in named if known else ():
        if name in (NONE, ABSTAIN) or (name in known and name not in found):
            found.append(name)
    return found[: ballots_each(affairs, kind)]


def fault(affairs: Affairs, kind: str, named: Sequence[str]) -> str:
    """Why not all of the ballots that an elector wrote count: "" where they do, else `nothing` (is proposed),
    `name` (of no proposer), `twice`, `many`."""
    known = proposers(affairs, kind)
    if not known:
        return "nothing"
    if any(name not in (NONE, ABSTAIN, *known) for name in named):
        return "name"
    proposed = [name for name in named if name in known]
    if len(set(proposed)) < len(proposed):
        return "twice"
    return "many" if len(named) > ballots_each(affairs, kind) else ""


@dataclass
class Poll:
    """The votes on one type of proposals. `ranking`: how the Secretary-General would settle a tie."""

    affairs: Affairs
    kind: str
    cast: Mapping[str, Sequence[str]]
    ranking: Sequence[str] = ()
    adopted: list[str] = field(default_factory=list)
    tied: list[str] = field(default_factory=list)
    by: str = "none"

    def __post_init__(self) -> None:
        votes = Counter(name for names in self.cast.values() for name in names if name != ABSTAIN)
        self.tally = {name: votes[name] for name in sorted(votes, key=lambda name: (-votes[name], name))}
        several = self.kind == "1" and self.affairs.option("type1_adopted") == "as_ballots"
        self._settle(ballots_each(self.affairs, self.kind) if several else 1)

    def _settle(self, places: int) -> None:
        """Adopt those ahead of "none", most votes first, as far as there are places."""
        least = self.tally.get(NONE, 0)
        ahead = [name for name in self.tally if name != NONE and self.tally[name] > least]
        for count in sorted({self.tally[name] for name in ahead}, reverse=True):
            level = [name for name in ahead if self.tally[name] == count]
            left = places - len(self.adopted)
            if len(level) <= left:
                self.adopted += _in_order(level)
                self.by = "most"
            elif left > 0:
                self._untie(level, left)
                self.adopted.sort(key=lambda name: (-self.tally[name], name == UN, name))
                return

    def _untie(self, level: list[str], left: int) -> None:
        self.tied = sorted(level)
        ranked = [name for name in self.ranking if name in level][:left]
        if not ranked and self.affairs.option("unranked_tie") == "first_code":
            self.adopted += _in_order(level)[:left]
            self.by = "first_code"
        elif ranked:
            self.adopted += ranked
            self.by = "ranking"
        elif not self.adopted:
            self.by = "no_ranking"

    def told(self) -> dict[str, object]:
        """The poll as an answer tells it."""
        return {
            "cast": {seat: list(names) for seat, names in sorted(self.cast.items())},
            "tally": self.tally,
            "tied": self.tied,
            "adopted": self.adopted,
            "by": self.by,
        }


def _in_order(names: Iterable[str]) -> list[str]:
    """By code, the United Nations last."""
    return sorted(names, key=lambda name: (name == UN, name))
