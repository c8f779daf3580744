"""Ballots by their definitions: which count, what is adopted, and what that changes."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tests.oracle.diplomatie_2000.debates import ballots_each, types_open
from tests.oracle.diplomatie_2000.standing import Fates, Json, Sheets, Standing, turn_of


class Box(NamedTuple):
    """The votes on one type."""

    cast: dict[str, list[str]]
    tally: dict[str, int]
    tied: list[str]
    adopted: list[str]
    by: str


def proposed(standing: Standing, kind: str) -> dict[str, str]:
    """The proposals of a type, by proposer."""
    made = standing.table("proposals", {})
    return {seat: text for seat, texts in made.items() for text in texts if text[0] == kind}


def by_code(names: list[str]) -> list[str]:
    """In alphabetical order, the United Nations last."""
    return sorted(set(names) - {"ONU"}) + ["ONU"] * ("ONU" in names)


class Votes:
    """The votes of one season."""

    def __init__(self, standing: Standing, sheets: Sheets) -> None:
        self.standing = standing
        self.fates: Fates = {}
        self.kinds = [kind for kind in "123" if proposed(standing, kind)]
        self.cast: dict[str, dict[str, list[str]]] = {kind: {} for kind in "123"}
        self.ranks: dict[str, tuple[str, ...]] = {}
        for seat, lines in sheets.items():
            ballots = [(n, dict(line.said[0])) for n, line in enumerate(lines) if line.what == "ballots"]
            self._vote(seat, ballots)
        ranks = [(n, *line.said) for n, line in enumerate(sheets.get("ONU", ())) if line.what == "rank"]
        self._rank(ranks)
        self.boxes = {kind: self._counted(kind) for kind in self.kinds}

    def _vote(self, seat: str, lines: list[tuple[int, dict[str, tuple[str, ...]]]]) -> None:
        """Take a seat's ballots: a later line for a type replaces the earlier one wholly."""
        may = seat != "ONU" and seat not in self.standing.gone and self.standing.in_grace(seat)
        last: dict[str, int] = {}
        for number, parts in lines:
            opened = [kind for kind in parts if kind in types_open(self.standing)]
            if not may or not opened:
                self.fates[seat, number] = ("illegal",)
            else:
                last |= dict.fromkeys(opened, number)
        for number, parts in lines:
            if (seat, number) in self.fates:
                continue
            kept = [kind for kind in parts if last.get(kind) == number]
            told = {word for kind in kept for word in self._dropped(seat, kind, parts[kind])}
            self.fates[seat, number] = tuple(sorted(told)) if kept else ("superseded",)

    def _dropped(self, seat: str, kind: str, names: tuple[str, ...]) -> list[str]:
        """Put ballots into their box; whether some count and some are void."""
        made = proposed(self.standing, kind)
        good: list[str] = []
        for name in names if made else ():
            if name in ("NONE", "ABSTAIN") or (name in made and name not in good):
                good.append(name)
        good = good[: ballots_each(self.standing, kind, len(made))]
        if good:
            self.cast[kind][seat] = good
        return ["votes"] * bool(good) + ["ballot_void"] * (len(good) < len(names))

    def _rank(self, lines: list[tuple[int, str, tuple[str, ...]]]) -> None:
        last: dict[str, int] = {kind: number for number, kind, _ in lines}
        for number, kind, names in lines:
            stands = last[kind] == number
            self.fates["ONU", number] = ("ranked" if stands else "superseded",)
            if stands:
                self.ranks[kind] = names

    # counting

    def _counted(self, kind: str) -> Box:
        votes = Counter(name for names in self.cast[kind].values() for name in names if name != "ABSTAIN")
        several = kind == "1" and self.standing.option("type1_adopted") == "as_ballots"
        made = len(proposed(self.standing, kind))
        places = ballots_each(self.standing, kind, made) if several else 1
        ahead = {name: count for name, count in votes.items() if name != "NONE" and count > votes["NONE"]}
        clear, level = _clear(ahead, places)
        chosen, by = self._untied(kind, level, places - len(clear))
        if not level:
            by = "most" if clear else "none"
        elif by == "no_ranking" and clear:
            by = "most"
        order = sorted(by_code(clear + chosen), key=lambda name: -votes[name])
        return Box(self.cast[kind], dict(votes), sorted(level), order, by)

    def _untied(self, kind: str, level: list[str], places: int) -> tuple[list[str], str]:
        """Who is adopted of those level at the last places."""
        ranked = [name for name in self.ranks.get(kind, ()) if name in level][:places]
        if ranked:
            return ranked, "ranking"
        if level and self.standing.option("unranked_tie") == "first_code":
            return by_code(level)[:places], "first_code"
        return [], "no_ranking"

    # what follows

    def missions(self) -> dict[str, str]:
        """The order of each M in the programme adopted, by sector."""
        adopted = self.boxes["2"].adopted if "2" in self.boxes else []
        if not adopted:
            return {}
        text = proposed(self.standing, "2")[adopted[0]].removeprefix("2 ")
        return {order[2:5]: order for order in text.split(" / ")}

    def applied(self) -> dict[str, list[str]]:
        """What is carried out, by proposer."""
        found: dict[str, list[str]] = {}
        for kind in "13":
            for seat in self.boxes[kind].adopted if kind in self.boxes else ():
                found.setdefault(seat, []).append(proposed(self.standing, kind)[seat])
        return found

    def changed(self) -> dict[str, Json]:
        """Adjustments, disgraces, the Fund's point and the embargo after the votes."""
        now = self.standing
        adjustment, grace = dict(now.table("adjustment", {})), dict(now.table("grace", {}))
        imf = now.table("imf", None)
        embargo = None if now.autumn else now.table("embargo", None)
        carried = [(seat, kind) for kind in "13" if kind in self.boxes for seat in self.boxes[kind].adopted]
        for seat, kind in carried:
            what, state, *amount = proposed(now, kind)[seat].split()
            if what in ("1A", "1B"):
                moved = adjustment.get(state, 0) + int(amount[0]) * (1 if what == "1A" else -1)
                adjustment[state] = min(now.limit, max(-now.limit, moved))
            elif what == "1C":
                grace.pop(state, None)
            elif what == "1D":
                end = max(now.turn + int(amount[0]), turn_of(grace[state]) if state in grace else 0)
                grace[state] = f"{'SF'[end % 2]}{end // 2}"
            elif what == "3A":
                imf = None if state == "NONE" else state
            else:
                embargo = state
        adjustment = {state: value for state, value in adjustment.items() if value}
        return {"adjustment": adjustment, "grace": grace, "imf": imf, "embargo": embargo}


def _clear(ahead: dict[str, int], places: int) -> tuple[list[str], list[str]]:
    """Those adopted whatever anybody says, and those level at the last places."""
    clear: list[str] = []
    for count in sorted(set(ahead.values()), reverse=True):
        level = [name for name in ahead if ahead[name] == count]
        if len(clear) == places:
            break
        if len(clear) + len(level) > places:
            return clear, level
        clear += level
    return clear, []
