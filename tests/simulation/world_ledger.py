"""A second bookkeeper for games of Diplomatie 2000: follows a game phase by phase with arithmetic of its own.

It imports nothing of the variant's rules: it sees positions, orders, verdicts and the table `politics`, keeps
its own accounts of owners, colours, aid, grace, adjustments and points, and fails where the two differ.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from talleyrand.engine.game import ResolvedPhase
from talleyrand.engine.orders import Disband, Order, PoliticalOrder, Retreat
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.variants import load
from talleyrand.variants.variant_loader import variant_folder

WORLD = load("diplomatie_2000")
BOARD, STATES = WORLD.board, WORLD.board.powers
TABLE = tomllib.loads((variant_folder("diplomatie_2000") / "states.toml").read_text("utf-8"))
FAR_NORTH = {"BAR", "BBA", "MBF", "MGR", "MSI"}
UN = "ONU"
Json = Any
Orders = Mapping[str, Sequence[Order]]


def turn_of(phase: Phase) -> int:
    return 2 * phase.year + (phase.season != "S")


def politics(position: Position) -> dict[str, Json]:
    """The affairs as they are told."""
    assert WORLD.definition.politics
    return dict(WORLD.definition.politics.write_state(BOARD, position))


def on_record(orders: Sequence[Order], *titles: str) -> Iterator[list[str]]:
    """The measures with one of these titles, each part a list of words."""
    for order in orders:
        if isinstance(order, PoliticalOrder) and order.text.split()[0] in titles:
            yield from (part.split() for part in order.text.split(" / "))


class Ledger:
    """What should be true of a game, by its history."""

    def __init__(self) -> None:
        start = WORLD.definition.start
        self.owner = {code: state for state, codes in (start.centres or {}).items() for code in codes}
        self.first_colour = {code: state for state, codes in BOARD.countries.items() for code in codes}
        self.colour: dict[str, str | None] = {}
        self.aid: dict[str, list[str | None]] = {state: [None] * 3 for state in STATES}
        self.adjustment = dict.fromkeys(STATES, 0)
        self.grace: dict[str, int] = {}
        self.imf: str | None = None
        self.embargo: str | None = None
        self.spent: set[str] = set()
        self.out: set[str] = set()
        self.proposals: dict[str, list[str]] = {}
        self.winner: tuple[str, ...] = ()
        self.leaving: set[Unit] = set()
        self.seen: Counter[str] = Counter()

    def follow(self, before: Position, orders: Orders, turn: ResolvedPhase) -> None:
        """One phase; fails unless it went by the rules."""
        assert not turn.outcome.refused, turn.outcome.refused
        assert not self.out & orders.keys()
        after = turn.next_position or turn.outcome.position_after
        {"P": self._debate, "M": self._season, "R": self._retreat, "A": self._winter}[before.phase.kind](
            before, orders, turn
        )
        self.seen.update(result for verdict in turn.outcome.verdicts for result in map(str, verdict.results))
        self._stands(before, after)
        self._agrees(after)

    # what holds after every phase

    def _stands(self, before: Position, after: Position) -> None:
        """One unit a sector, where it can stand; at most one M of nobody; nothing of those who are out."""
        sectors = [unit.province for unit in after.units]
        assert len(sectors) == len(set(sectors))
        assert all(BOARD.can_stand(unit.kind, unit.location) for unit in after.units)
        assert [unit.kind for unit in after.units if unit.power == UN] in ([], ["M"])
        assert not {unit.power for unit in after.units} & self.out
        assert sorted(code for codes in (after.centres or {}).values() for code in codes) == sorted(
            BOARD.centres
        )
        assert not self.out & {state for state in STATES if after.owned_by(state)}
        grown = Counter(unit.power for unit in after.units) - Counter(
            unit.power for unit in (*before.units, *(one.unit for one in before.dislodged))
        )
        assert before.phase.kind == "A" or not grown

    def _agrees(self, after: Position) -> None:
        """The affairs are those of this ledger, and may be read back."""
        told = politics(after)
        now = turn_of(after.phase)
        assert told.get("imf") == self.imf
        assert told.get("embargo") == self.embargo
        assert self.imf is None or self.imf != self.embargo
        assert told.get("eliminated", []) == sorted(self.out)
        assert told.get("subversion", []) == sorted(self.spent)
        assert told.get("adjustment", {}) == {state: n for state, n in self.adjustment.items() if n}
        assert all(-125 <= value <= 125 for value in self.adjustment.values())
        assert told.get("grace", {}) == {
            state: f"{'SF'[end % 2]}{end // 2}" for state, end in sorted(self.grace.items()) if end >= now
        }
        assert told.get("aid", {}) == {state: named for state, named in self.aid.items() if any(named)}
        assert told.get("control", {}) == {
            code: who for code, who in self.colour.items() if who != self.first_colour.get(code)
        }
        assert {code: state for state in STATES for code in after.owned_by(state)} == self.owner
        assert WORLD.definition.politics
        affairs, strange = WORLD.definition.politics.read_state(BOARD, after.phase, told)
        assert strange == ()
        assert WORLD.definition.politics.write_state(BOARD, replace(after, political_state=affairs)) == told

    # proposals

    def _debate(self, before: Position, orders: Orders, turn: ResolvedPhase) -> None:
        """One proposal a type, of the types that are open, by nobody in disgrace."""
        phase = before.phase
        season = "123" if phase.season == "F" else "2" if phase.year == 2001 else "12"
        self.proposals = politics(turn.next_position or before).get("proposals", {})
        for seat, made in self.proposals.items():
            assert self._in_grace(seat, phase)
            assert len({text[0] for text in made}) == len(made)
            assert {text[0] for text in made} <= set(season)
            for text in made:
                self._aimed(text)
        assert self.proposals.keys() == {
            seat for seat, sheet in orders.items() if any(str(order)[0] in "123" for order in sheet)
        }
        self.seen.update(f"proposed {text[:2]}" for made in self.proposals.values() for text in made)

    def _aimed(self, text: str) -> None:
        kind, target, *rest = text.split()
        if kind == "2":
            return
        assert target not in self.out
        assert (kind, target) not in (("3A", self.embargo), ("3B", self.imf))
        assert not rest or 1 <= int(rest[0]) <= (5 if kind == "1D" else 40)

    def _in_grace(self, seat: str, phase: Phase) -> bool:
        return self.grace.get(seat, 0) < turn_of(phase)

    # a season

    def _season(self, before: Position, orders: Orders, turn: ResolvedPhase) -> None:
        found: Mapping[str, Json] = turn.outcome.findings
        adopted = {kind: self._counted(before, kind, poll, orders) for kind, poll in found["ballots"].items()}
        units = self._moved(before, turn, adopted.get("2"))
        self._subverted(before, orders, found)
        for state, sheet in orders.items():
            for words in on_record(sheet, "AID"):
                place, named = words[-2:]
                assert named not in {state, *self.out}
                self.aid[state][int(place) - 1] = named
        for kind in "13":
            self._carry_out(adopted.get(kind), before.phase, kind)
        self.proposals = {}
        if turn.next_position is None or turn.next_position.phase.kind != "R":
            self._end_of_turn(before, turn, units)
        else:
            assert set(turn.next_position.units) == units

    def _counted(self, before: Position, kind: str, poll: Mapping[str, Json], orders: Orders) -> str | None:
        """The proposal adopted, counted again from what was written."""
        made = {seat: text for seat, texts in self.proposals.items() for text in texts if text[0] == kind}
        each = 1 if kind != "1" or len(made) < 5 else 2 if len(made) < 9 else 3
        votes: Counter[str] = Counter()
        for state in STATES:
            for words in on_record(orders.get(state, ()), "1", "2", "3"):
                if words[0] == kind:
                    assert self._in_grace(state, before.phase)
                    assert len(words) - 1 <= each
                    votes.update(name for name in words[1:] if name != "ABSTAIN")
        assert set(votes) <= {*made, "NONE"}
        assert poll["tally"] == dict(votes)
        assert all(self._in_grace(state, before.phase) and state not in self.out for state in poll["cast"])
        most = max((votes[seat] for seat in made), default=0)
        best = [seat for seat in made if votes[seat] == most]
        if most <= votes["NONE"]:
            best = []
        if len(best) > 1:
            ranked = [words[2:] for words in on_record(orders.get(UN, ()), "RANK") if words[1] == kind]
            best = [seat for seat in (ranked[-1] if ranked else ()) if seat in best][:1]
            self.seen["ties"] += 1
        assert poll["adopted"] == best
        self.seen[f"adopted {kind}"] += len(best)
        return made[best[0]] if best else None

    def _moved(self, before: Position, turn: ResolvedPhase, programme: str | None) -> set[Unit]:
        """The units that are still on the board, by their verdicts; M move by the programme alone."""
        left: set[Unit] = set()
        arrived: set[Unit] = set()
        places: dict[Unit, Unit] = {}
        dismantled: set[Unit] = set()
        for verdict in turn.outcome.verdicts:
            unit = before.units_by_province.get(verdict.unit.province) if verdict.unit.location else None
            if unit is None or unit.name != verdict.unit:
                continue
            assert unit.power == verdict.power
            if isinstance(verdict.order, Disband):
                assert unit.kind == "M"
                dismantled.add(unit)
            elif "dislodged" in verdict.results:
                left.add(unit)
            elif "moves" in verdict.results:
                assert verdict.to
                left.add(unit)
                places[unit] = unit._replace(location=verdict.to)
                arrived.add(places[unit])
                self._allowed_move(before.phase, unit, verdict.to, programme)
        self.seen["M dismantled"] += len(dismantled)
        self.leaving = {places.get(unit, unit) for unit in dismantled if unit in places or unit not in left}
        return set(before.units) - left | arrived

    def _allowed_move(self, phase: Phase, unit: Unit, to: str, programme: str | None) -> None:
        if unit.kind == "M":
            assert f"{unit} - {to}" in (programme or "")
            self.seen["M moved"] += 1
        frozen = {unit.province, to.partition("/")[0]} & FAR_NORTH
        assert not (unit.kind == "F" and phase.season == "F" and frozen)

    def _subverted(self, before: Position, orders: Orders, found: Mapping[str, Json]) -> None:
        """One action a year, of those who have few centres; whoever is stopped did not move."""
        if before.phase.season == "S":
            assert self.spent <= {UN}
        written = {state: words[1] for state in STATES for words in on_record(orders.get(state, ()), "AS")}
        announced = politics(before).get("intervention", {}).get("target")
        for state in written:
            assert state not in self.spent
            assert 1 <= len(before.owned_by(state)) <= TABLE[state]["subversion"]
        if announced:
            assert UN not in self.spent
            written[UN] = announced
        assert {one["by"]: one["sector"] for one in found["subverted"]} == written
        for one in found["subverted"]:
            standing = before.units_by_province.get(one["sector"])
            assert one["unit"] == (str(standing) if standing else None)
            self.seen["subverted units"] += standing is not None
        self.spent |= written.keys()

    def _carry_out(self, text: str | None, phase: Phase, kind: str) -> None:
        if kind == "3" and phase.season == "F":
            self.embargo = None
        if text is None:
            return
        sort, state, *rest = text.split()
        self.seen[f"applied {sort}"] += 1
        if sort in ("1A", "1B"):
            amount = int(rest[0]) * (1 if sort == "1A" else -1)
            self.adjustment[state] = min(125, max(-125, self.adjustment[state] + amount))
        elif sort == "1C":
            self.grace.pop(state, None)
        elif sort == "1D":
            self.grace[state] = max(self.grace.get(state, 0), turn_of(phase) + int(rest[0]))
        elif sort == "3A":
            self.imf = None if state == "NONE" else state
        else:
            self.embargo = state

    def _retreat(self, before: Position, orders: Orders, turn: ResolvedPhase) -> None:  # noqa: ARG002 (follow)
        units = set(before.units)
        fallen = {one.unit.province: one for one in before.dislodged}
        for verdict in turn.outcome.verdicts:
            one = fallen.get(verdict.unit.province)
            if one and verdict.unit == one.unit.name and "retreats" in verdict.results:
                assert isinstance(verdict.order, Retreat)
                to = verdict.order.to
                assert to in one.retreats
                frozen = to.partition("/")[0] in FAR_NORTH
                assert not (one.unit.kind == "F" and before.phase.season == "F" and frozen)
                units.add(one.unit._replace(location=to))
        self._end_of_turn(before, turn, units)

    # autumn is over

    def _end_of_turn(self, before: Position, turn: ResolvedPhase, units: set[Unit]) -> None:
        """M that are dismantled or of states in disgrace leave; then autumn is over, if it is one."""
        after = turn.next_position or turn.outcome.position_after
        shunned = {
            unit for unit in units if unit.kind == "M" and not self._in_grace(unit.power, before.phase)
        }
        self.seen["disgraced M gone"] += len(shunned)
        units = units - shunned - self.leaving
        self.leaving = set()
        if before.phase.season == "F":
            self._close_autumn(turn, units)
            units = {unit for unit in units if unit.power not in self.out}
        assert set(after.units) == units
        assert bool(self.winner) is (turn.next_position is None)
        assert turn.winner == self.winner

    def _close_autumn(self, turn: ResolvedPhase, units: set[Unit]) -> None:
        found: Mapping[str, Json] = turn.outcome.findings
        for unit in units:
            if unit.kind in "AF" and unit.province in self.owner:
                self.owner[unit.province] = unit.power
            elif unit.kind in "AF" and not BOARD.is_sea(unit.province):
                self.colour[unit.province] = unit.power
        held = Counter(self.owner.values())
        points = {state: self._score(state, held, units) for state in STATES if state not in self.out}
        assert {state: one["total"] for state, one in found["scores"].items()} == points
        self.winner = tuple(state for state in STATES if points.get(state, 0) >= 1000)
        paid: list[tuple[str, str, int | None]] = [
            (state, to, place)
            for state in sorted(STATES)
            for place, to in enumerate(self.aid[state][: self._aid_points(state, held)], 1)
            if to and to not in self.out
        ]
        paid += [(UN, self.imf, None)] if self.imf else []
        assert [(one["by"], one["to"], one["place"]) for one in found["given"]] == paid
        self.seen["aid paid"] += len(paid)
        self._eliminate(units)
        for state in STATES:
            told = found["allowance"][state]
            assert told["allowed"] == self._allowed(state), state
            assert told["units"] == sum(unit.power == state for unit in units if state not in self.out)

    @staticmethod
    def _aid_points(state: str, held: Mapping[str, int]) -> int:
        return sum(held.get(state, 0) >= least for least in TABLE[state]["aid"])

    def _score(self, state: str, held: Mapping[str, int], units: set[Unit]) -> int:
        row = TABLE[state]
        own = sum(unit.kind == "M" and unit.power == state for unit in units)
        beyond = max(0, held.get(state, 0) - row["base"])
        return int(beyond * row["rate"] + self.adjustment[state] + min(125, own * row["per_mandate"]))

    def _allowed(self, state: str) -> int:
        held = Counter(self.owner.values())
        aid = sum(to == state for giver in STATES for to in self.aid[giver][: self._aid_points(giver, held)])
        helped = aid if state not in self.out else 0
        return max(0, held[state] + helped + (self.imf == state) - (self.embargo == state))

    def _eliminate(self, units: set[Unit]) -> None:
        alive = {unit.power for unit in units if unit.kind in "AFV"}
        held = Counter(self.owner.values())
        gone = {
            state
            for state in STATES
            if state not in self.out and not held[state] and (state not in alive or not self._allowed(state))
        }
        self.seen["survived without a centre"] += sum(
            not held[state] and state not in gone | self.out for state in STATES
        )
        self.out |= gone
        self.imf = None if self.imf in gone else self.imf
        self.embargo = None if self.embargo in gone else self.embargo
        plain = [code for code in BOARD.provinces if code not in self.owner and not BOARD.is_sea(code)]
        for code in plain:
            if self.colour.get(code, self.first_colour.get(code)) in gone:
                self.colour[code] = None

    # winter

    def _winter(self, before: Position, orders: Orders, turn: ResolvedPhase) -> None:
        """Units within what is allowed; only what may stand there was built; M by states in grace."""
        after = turn.next_position or turn.outcome.position_after
        built = [unit for unit in after.units if unit not in before.units]
        for unit in built:
            self._well_built(before, orders, unit)
        for state in STATES:
            units = sum(unit.power == state for unit in after.units)
            allowed = self._allowed(state)
            assert units <= allowed, (state, units, allowed)
            kept = self._mixed(orders, state) or self._gave_up(before, turn, state)
            assert units >= min(_count(before, state), allowed) or kept
        self.spent = set()
        self._eliminate(set(after.units))
        assert not turn.winner

    @staticmethod
    def _gave_up(before: Position, turn: ResolvedPhase, state: str) -> bool:
        """Whether a state without a centre took away what kept it in the game."""
        removed = {verdict.unit for verdict in turn.outcome.verdicts if "removed" in verdict.results}
        left = {unit.kind for unit in before.units if unit.power == state and unit.name not in removed}
        return not before.owned_by(state) and left <= {"M"}

    @staticmethod
    def _mixed(orders: Orders, state: str) -> bool:
        """Whether a state took away an M of its own accord."""
        return any(
            str(order).startswith("M ") and str(order).endswith(" D") for order in orders.get(state, ())
        )

    def _well_built(self, before: Position, orders: Orders, unit: Unit) -> None:
        code, state = unit.province, unit.power
        self.seen[f"built {unit.kind}"] += 1
        if state == UN:
            host = None if BOARD.is_sea(code) else self.owner.get(code, self.colour.get(code))
            assert not any(one.power == UN for one in before.units)
            assert host is None or self._welcome(orders, host, UN, code)
        elif unit.kind != "M":
            assert code in BOARD.homes[state]
            assert self.owner[code] == state
        else:
            assert self._in_grace(state, before.phase)
            host = self.owner[code]
            assert host == state or self._welcome(orders, host, state, code)
            self.seen["built M abroad"] += host != state

    @staticmethod
    def _welcome(orders: Orders, host: str, guest: str, code: str) -> bool:
        said = list(on_record(orders.get(host, ()), "HOST"))
        return any(words[1:] in ([guest], [guest, code], ["ALL"]) for words in said)


def _count(position: Position, state: str) -> int:
    return sum(unit.power == state for unit in position.units)
