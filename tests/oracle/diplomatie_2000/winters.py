"""A winter of the world by its definitions: who leaves, what is built at home, abroad, and by the UN.

What the rules leave to the rulebook (surplus builds, two on one centre, surplus removals, removals that
nobody wrote) is settled by the choices of the book, which the question names.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping

from tests.oracle.diplomatie_2000.annexes import CENTRES, STATES, places
from tests.oracle.diplomatie_2000.distances import Distances
from tests.oracle.diplomatie_2000.standing import Fates, Json, Line, Sheets, Standing, Unit

BOOK = {
    "build_fleet_inland": "fails",
    "too_many_builds": "first_legal",
    "two_builds_one_centre": "first",
    "too_many_removals": "first_legal",
    "unused_builds": "lost_for_the_year",
    "missing_removals": "complete_by_civil_disorder",
    "removal_reference": "owned_centres",
    "removal_metric": "any_space_graph",
    "removal_alphabet": "english",
}
Numbered = list[tuple[int, Unit]]


class Winter:
    """One winter."""

    def __init__(self, standing: Standing, sheets: Sheets, question: Mapping[str, Json]) -> None:
        self.standing = standing
        self.sheets = {seat: [self._meant(seat, line) for line in lines] for seat, lines in sheets.items()}
        self.book = {**BOOK, **(question.get("rulebook") or {}).get("options", {})}
        self.seed = question.get("seed") or ""
        self.fates: Fates = {}
        self.by_rule: list[Unit] = []
        self.units = list(standing.units)
        self.allowed = {state: standing.allowance(state)["allowed"] for state in STATES} | {"ONU": 1}
        self.built: Counter[str] = Counter()
        self.waived: Counter[str] = Counter()
        self.hosted: dict[tuple[str, int], bool] = {}
        for seat, lines in self.sheets.items():
            self._refused(seat, lines)
        gone = [unit for seat in (*STATES, "ONU") for unit in self._removed(seat)]
        self.units = [unit for unit in self.units if unit not in gone]
        for state in STATES:
            self._at_home(state)
        self._abroad()
        self._united_nations()
        for (seat, number), used in self.hosted.items():
            self.fates[seat, number] = ("hosts" if used else "host_unused",)

    def _meant(self, seat: str, line: Line) -> Line:
        """A line about an M: without a sign it dismantles one's own that stands there, else it builds."""
        if line.what != "mandate":
            return line
        sign, code = line.said
        unit = self.standing.at.get(code)
        own = unit is not None and unit.kind == "M" and unit.power == seat
        return line._replace(
            what="remove" if sign == "-" or (sign == "" and own) else "build", said=("M", code)
        )

    def _lines(self, seat: str, *what: str) -> list[tuple[int, Line]]:
        """The lines of a seat that are not refused outright."""
        return [
            (number, line)
            for number, line in enumerate(self.sheets.get(seat, ()))
            if line.what in what and (seat, number) not in self.fates
        ]

    def _refused(self, seat: str, lines: list[Line]) -> None:
        """Lines that name nothing, or that their seat may never write."""
        for number, line in enumerate(lines):
            word = self._fault(seat, line)
            if word:
                self.fates[seat, number] = (word,)
            elif line.what == "host":
                self.hosted[seat, number] = False

    def _fault(self, seat: str, line: Line) -> str | None:
        if seat in self.standing.gone:
            return "illegal"
        if line.what == "waive" and self.book["unused_builds"] == "must_build":
            return "illegal"
        if seat == "ONU" and (line.what == "host" or (line.what == "build" and line.said[0] != "M")):
            return "illegal"
        if line.what != "remove":
            return None
        kind, code = line.said
        unit = self.standing.at.get(code)
        if unit is None or unit.kind != kind:
            return "no_such_unit"
        return None if unit.power == seat else "foreign_unit"

    # removals

    def _removed(self, seat: str) -> list[Unit]:
        """Who leaves: those written, M at will, others as far as they must; then by the rules."""
        own = [unit for unit in self.standing.units if unit.power == seat]
        due = 0 if seat == "ONU" else max(0, len(own) - self.allowed[seat])
        gone = self._written(seat, due)
        missing = due - len(gone)
        taken = (
            self._by_rule(seat, [unit for unit in own if unit not in gone], missing) if missing > 0 else []
        )
        self.by_rule += taken
        return gone + taken

    def _written(self, seat: str, due: int) -> list[Unit]:
        lines = [(n, self.standing.at[line.said[1]]) for n, line in self._lines(seat, "remove")]
        others = {unit for _, unit in lines if unit.kind != "M"}
        void = self.book["too_many_removals"] == "civil_disorder" and len(others) > due
        if self.book["too_many_removals"] == "last_legal":
            lines.reverse()
        gone: list[Unit] = []
        for number, unit in lines:
            room = sum(one.kind != "M" for one in gone) < due and not void
            goes = unit not in gone and (unit.kind == "M" or room)
            gone += [unit] * goes
            self.fates[seat, number] = ("removed" if goes else "removal_ignored",)
        return gone

    def _by_rule(self, seat: str, own: list[Unit], missing: int) -> list[Unit]:
        """M first, the farthest from the state's arsenals; then the book's rule."""
        distances = Distances(self.standing, seat, self.book)
        mandates = [unit for unit in own if unit.kind == "M"]
        mandates.sort(key=lambda unit: (-distances.to_arsenals(unit), unit.code))
        first, others = mandates[:missing], [unit for unit in own if unit.kind != "M"]
        missing -= len(first)
        if self.book["missing_removals"] == "random" and missing < len(others):
            return first + self._drawn(others, missing)
        return first + sorted(others, key=distances.rank)[:missing]

    def _drawn(self, left: list[Unit], missing: int) -> list[Unit]:
        """By lots that anybody can draw again, as the documentation says."""
        gone: list[Unit] = []
        for _ in range(missing):
            named = {str(unit): unit for unit in left if unit not in gone}
            said = [self.seed, self.standing.phase, sorted(named)]
            text = json.dumps(said).replace('", "', '","').replace('", [', '",[')
            place = int(hashlib.sha256(text.encode()).hexdigest(), 16) % len(named)
            gone.append(named[sorted(named)[place]])
        return gone

    # builds

    def _taken(self, code: str) -> bool:
        return any(unit.code == code for unit in self.units)

    def _at_home(self, state: str) -> None:
        """Builds on a state's own centres, and those given up."""
        lines: list[tuple[int, Unit | None]] = []
        for number, line in self._lines(state, "build", "waive"):
            unit = self._as_made(state, line) if line.what == "build" else None
            if unit is None:
                lines.append((number, None))
            elif self._elsewhere(state, unit):
                continue
            elif self._may_stand(state, unit):
                lines.append((number, unit))
            else:
                self.fates[state, number] = ("build_void",)
        self._carry_out(state, self._one_a_centre(state, lines))

    def _as_made(self, state: str, line: Line) -> Unit:
        """What is built: a fleet inland may be an army, if the book says so."""
        kind, place = line.said
        inland = kind == "F" and not places(place[:3])
        if inland and self.book["build_fleet_inland"] == "army":
            kind, place = "A", place[:3]
        return Unit(kind, place, state)

    def _elsewhere(self, state: str, unit: Unit) -> bool:
        return unit.kind == "M" and self.standing.owner.get(unit.code) != state

    def _may_stand(self, state: str, unit: Unit) -> bool:
        """A, F, V on own arsenals, an M in grace on any own centre; free, and for an F on the coast."""
        if self.standing.owner.get(unit.code) != state or self._taken(unit.code):
            return False
        if unit.kind == "M":
            return self.standing.in_grace(state)
        fits = unit.place in places(unit.code) if unit.kind == "F" else unit.place == unit.code
        return fits and unit.code in STATES[state].arsenals

    def _one_a_centre(self, seat: str, lines: list[tuple[int, Unit | None]]) -> list[tuple[int, Unit | None]]:
        """At most one build a centre: the first, the last, or none of several."""
        choice = self.book["two_builds_one_centre"]
        found: list[tuple[int, Unit | None]] = []
        for number, unit in lines:
            same = [n for n, other in lines if unit and other and unit.code == other.code]
            kept = {"first": same[:1], "last": same[-1:], "none": same if len(same) == 1 else []}[choice]
            if unit is None or number in kept:
                found.append((number, unit))
            else:
                self.fates[seat, number] = ("build_void",)
        return found

    def _room(self, seat: str) -> int:
        standing = sum(unit.power == seat for unit in self.units)
        return self.allowed[seat] - standing - self.waived[seat]

    def _carry_out(self, seat: str, lines: list[tuple[int, Unit | None]]) -> list[int]:
        """Build as far as there is room, in the order that the book wants; which lines were carried out."""
        room = self._room(seat)
        wanted = sum(unit is not None for _, unit in lines)
        void = self.book["too_many_builds"] == "none" and wanted > max(room, 0)
        if self.book["too_many_builds"] == "last_legal":
            lines = lines[::-1]
        done: list[int] = []
        for number, unit in lines:
            if unit is None:
                self.fates[seat, number] = ("waived" if room > 0 else "build_ignored",)
                self.waived[seat] += room > 0
                room -= 1
            elif room <= 0 or void:
                self.fates[seat, number] = ("build_ignored",)
            elif self._for_mandates_only(seat, unit):
                self.fates[seat, number] = ("build_void",)
            else:
                self.units.append(unit)
                self.built[seat] += unit.kind != "M"
                self.fates[seat, number] = ("builds",)
                done.append(number)
                room -= 1
        return done

    def _for_mandates_only(self, seat: str, unit: Unit) -> bool:
        """Whether the only room is that of a dismantled M, where the reading keeps it for M."""
        if unit.kind == "M" or self.standing.option("mixed_builds") == "any":
            return False
        before = sum(one.power == seat for one in self.standing.units)
        return self.built[seat] >= max(0, self.allowed[seat] - before)

    # M abroad, and that of the United Nations

    def _welcome(self, guest: str, code: str) -> tuple[str, int] | None:
        """The line of the host that lets somebody build an M there."""
        host = self.standing.controller(code)
        for number, line in self._lines(host, "host") if host else ():
            for who, where in line.said:
                named = who == guest and where in (None, code)
                un_too = guest != "ONU" or self.standing.option("host_all") == "with_un"
                if named or (who == "ALL" and code in CENTRES and un_too):
                    return str(host), number
        return None

    def _abroad(self) -> None:
        """In grace, on a free centre whose owner lets them; of two states on one centre neither."""
        wanted: dict[str, list[tuple[int, Unit | None]]] = {state: [] for state in STATES}
        for state in STATES:
            for number, line in self._lines(state, "build"):
                unit = self._as_made(state, line)
                free = unit.place in CENTRES and not self._taken(unit.code)
                if free and self.standing.in_grace(state) and self._welcome(state, unit.code):
                    wanted[state].append((number, unit))
                else:
                    self.fates[state, number] = ("build_void",)
        able = {state for state in STATES if self._room(state) > 0}
        guests = {(unit.code, state) for state in able for _, unit in wanted[state] if unit}
        crowded = {code for code, count in Counter(code for code, _ in guests).items() if count > 1}
        for state, some in wanted.items():
            out = crowded if state in able else set()
            alone = [(number, unit) for number, unit in some if unit and unit.code not in out]
            self.fates |= {(state, n): ("build_void",) for n, unit in some if unit and unit.code in out}
            for number in self._carry_out(state, self._one_a_centre(state, list(alone))):
                self._thank(state, self.sheets[state][number].said[1])

    def _thank(self, guest: str, code: str) -> None:
        """A host's line has been of use."""
        welcome = self._welcome(guest, code)
        if welcome:
            self.hosted[welcome] = True

    def _united_nations(self) -> None:
        """One M, on any free sector; on a state's own with its word."""
        for number, line in self._lines("ONU", "build"):
            unit = Unit("M", line.said[1], "ONU")
            host = self.standing.controller(unit.code)
            if self._taken(unit.code) or (host and not self._welcome("ONU", unit.code)):
                self.fates["ONU", number] = ("build_void",)
            elif self._carry_out("ONU", [(number, unit)]):
                self._thank("ONU", unit.code)
