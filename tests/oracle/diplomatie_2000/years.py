"""The phases of a year by their definitions, as far as votes, subversion, aid and points go.

Where units go is taken from the answer: which moved, which were dislodged, where those could retreat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.oracle.diplomatie_2000.annexes import CENTRES, COLOURS, PLAIN, SEAS, STATES
from tests.oracle.diplomatie_2000.debates import Debate
from tests.oracle.diplomatie_2000.standing import Fates, Json, Line, Sheets, Standing, Unit, turn_of
from tests.oracle.diplomatie_2000.votes import Votes
from tests.oracle.diplomatie_2000.winters import Winter

Question = Mapping[str, Json]


class Expected(NamedTuple):
    """What an answer must say: fields, fields of its `politics`, and the fates of lines."""

    fields: dict[str, Json]
    politics: dict[str, Json]
    fates: Fates


def expected(question: Question, sheets: Sheets, answer: Mapping[str, Json]) -> Expected:
    """What the answer to a question must say; of the answer only the movements are looked at."""
    standing = Standing(question)
    if standing.kind == "P":
        return _debate(standing, sheets)
    if standing.kind == "M":
        return _Season(standing, sheets, answer).expected()
    if standing.kind == "R":
        return _retreats(standing, question, answer)
    return _winter(standing, sheets, question)


def affairs(standing: Standing, following: str | None, **changed: Json) -> dict[str, Json]:
    """The affairs as they stand for the next phase."""
    kept = {**standing.affairs, **changed}
    turn = turn_of(following) if following else standing.turn
    intervention = dict(kept.get("intervention") or {})
    fields: dict[str, Json] = {
        "game": kept.get("game") if kept.get("game") != "normal" else None,
        "options": kept.get("options"),
        "grace": {state: end for state, end in (kept.get("grace") or {}).items() if turn_of(end) >= turn},
        "adjustment": {state: value for state, value in (kept.get("adjustment") or {}).items() if value},
        "aid": {state: row for state, row in (kept.get("aid") or {}).items() if any(row)},
        "imf": kept.get("imf"),
        "embargo": kept.get("embargo"),
        "control": {
            code: state for code, state in (kept.get("control") or {}).items() if state != COLOURS.get(code)
        },
        "subversion": sorted(kept.get("subversion") or ()),
        "intervention": intervention if any(intervention.values()) else None,
        "proposals": (kept.get("proposals") or {}) if following and following[-1] == "M" else None,
        "leaving": (kept.get("leaving") or {}) if following and following[-1] == "R" else None,
        "eliminated": sorted(kept.get("eliminated") or ()),
    }
    return {name: value or None for name, value in fields.items()}


def _debate(standing: Standing, sheets: Sheets) -> Expected:
    debate = Debate(standing, sheets)
    found = debate.affairs()
    intervention = {**(standing.table("intervention", {}) or {"last": None}), "target": found.pop("target")}
    following = standing.phase[:-1] + "M"
    changed = {"intervention": intervention, "proposals": found["proposals"]}
    politics = affairs(standing, following, **changed) | {"open": found["open"]}
    return Expected({"next": following, "units": _listed(standing.units)}, politics, debate.fates)


def _listed(units: list[Unit]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power, []).append(str(unit))
    return {power: sorted(names) for power, names in found.items()}


def _dismissed(standing: Standing, units: list[Unit], grace: Mapping[str, str]) -> list[Unit]:
    """The M of states in disgrace as a turn ends; where that is the reading, they stay through the winter."""
    if standing.autumn and standing.option("disgraced_mandates") == "after_winter":
        return []
    bad = {state for state, end in grace.items() if turn_of(end) >= standing.turn}
    return [unit for unit in units if unit.kind == "M" and unit.power in bad]


class _Season:
    """A season of orders and ballots."""

    def __init__(self, standing: Standing, sheets: Sheets, answer: Mapping[str, Json]) -> None:
        self.standing, self.sheets, self.answer = standing, sheets, answer
        self.votes = Votes(standing, sheets)
        self.fates = self.votes.fates
        self.targets = self._subversion()
        self.aid = self._aid()
        self.leavers = self._leavers()
        self.changed = self.votes.changed()

    def expected(self) -> Expected:
        """Everything that the answer must say."""
        standing, changed = self.standing, self.changed
        left, fallen = self._moved()
        dismissed = _dismissed(standing, standing.units, changed["grace"])
        out = [unit for unit in standing.units if unit in self.leavers or unit in dismissed]
        retreating = [unit for unit in fallen if unit not in out and fallen[unit]]
        affairs_now = {**changed, "aid": self.aid, **self._spent()}
        told = {
            "ballots": {kind: box._asdict() for kind, box in self.votes.boxes.items()},
            "applied": self.votes.applied(),
            "subverted": self._told(),
        }
        fields: dict[str, Json] = {"missions": self._missions(), "held": self._held()}
        if retreating:
            leaving = _listed([now for unit, now in left.items() if unit in self.leavers])
            following = standing.phase[:-1] + "R"
            politics = affairs(standing, following, **affairs_now, leaving=leaving)
            units = _listed(list(left.values()))
            return Expected({**fields, "next": following, "units": units}, politics | told, self.fates)
        units_left = [now for unit, now in left.items() if unit not in out]
        ended = _turn_over(standing, units_left, affairs_now)
        return Expected({**fields, **ended.fields}, ended.politics | told, self.fates)

    # what was written beside orders

    def _subversion(self) -> dict[str, str]:
        """By seat, the sector: the first lawful line of each state, and the intervention announced."""
        found: dict[str, str] = {}
        for seat, lines in self.sheets.items():
            for number, line in enumerate(lines):
                if line.what != "subvert":
                    continue
                code = line.said[0]
                spent = seat in self.standing.table("subversion", ())
                out = seat == "ONU" or seat in self.standing.gone
                if out or code in SEAS or spent or not self.standing.may_subvert(seat):
                    self.fates[seat, number] = ("illegal",)
                elif seat in found:
                    self.fates[seat, number] = ("surplus",)
                else:
                    found[seat] = code
                    word = "subverts" if code in self.standing.at else "subversion_empty"
                    self.fates[seat, number] = (word,)
        target = (self.standing.table("intervention", {}) or {}).get("target")
        return found | ({"ONU": target} if target else {})

    def _spent(self) -> dict[str, Json]:
        intervention = self.standing.table("intervention", {}) or {}
        target, last = intervention.get("target"), intervention.get("last")
        if target:
            last = [target, self.standing.controller(target)]
        spent = {*self.standing.table("subversion", ()), *self.targets}
        return {"subversion": sorted(spent), "intervention": {"target": None, "last": last}}

    def _told(self) -> list[dict[str, str | None]]:
        listed = sorted((code, seat) for seat, code in self.targets.items())
        found: list[dict[str, str | None]] = []
        for code, seat in listed:
            unit = self.standing.at.get(code)
            power, name = (unit.power, str(unit)) if unit else (None, None)
            found.append({"by": seat, "sector": code, "power": power, "unit": name})
        return found

    def _aid(self) -> dict[str, list[str | None]]:
        """Every programme of aid, place by place the last that was written."""
        found = {state: list(row) for state, row in self.standing.table("aid", {}).items()}
        for seat, lines in self.sheets.items():
            numbered = [(n, dict(line.said[0])) for n, line in enumerate(lines) if line.what == "aid"]
            good = [(n, self._lawful_aid(seat, parts)) for n, parts in numbered]
            self.fates |= {(seat, n): ("illegal",) for n, parts in good if not parts}
            last = {place: n for n, parts in good for place in parts}
            for number, parts in good:
                kept = [place for place in parts if last[place] == number]
                for place in kept:
                    found.setdefault(seat, [None] * 3)[place - 1] = parts[place]
                if parts:
                    self.fates[seat, number] = ("aid_set" if kept else "superseded",)
        return found

    def _lawful_aid(self, seat: str, parts: Mapping[int, str | None]) -> dict[int, str | None]:
        """The places of a line without oneself, what is no state, and states that are out."""
        if seat == "ONU" or seat in self.standing.gone:
            return {}
        wrong = {seat, "ONU", *self.standing.gone}
        return {place: state for place, state in parts.items() if state not in wrong}

    def _leavers(self) -> list[Unit]:
        """The M that their owners dismantle."""
        found: list[Unit] = []
        for seat, lines in self.sheets.items():
            for number, line in enumerate(lines):
                if line.what == "leave":
                    unit = self.standing.at.get(line.said[0])
                    own = unit is not None and unit.kind == "M" and unit.power == seat
                    if unit is not None and own and seat not in self.standing.gone:
                        found.append(unit)
                        self.fates[seat, number] = ("disbanded",)
                    else:
                        self.fates[seat, number] = (self._no_leaver(seat, unit),)
        return found

    def _no_leaver(self, seat: str, unit: Unit | None) -> str:
        if seat in self.standing.gone:
            return "illegal"
        return "no_such_unit" if unit is None or unit.kind != "M" else "foreign_unit"

    # movement, as the answer has it

    def _moved(self) -> tuple[dict[Unit, Unit], dict[Unit, list[str]]]:
        """Each unit that is still up with where it stands now, and each dislodged one with its ways out."""
        ways = {
            (power, one["unit"]): one["retreats"]
            for power, some in self.answer["dislodged"].items()
            for one in some
        }
        left: dict[Unit, Unit] = {}
        fallen: dict[Unit, list[str]] = {}
        for unit in self.standing.units:
            entries = self._entries(unit)
            if any("dislodged" in one["results"] for one in entries):
                fallen[unit] = ways.get((unit.power, str(unit)), [])
            else:
                to = [one["to"] for one in entries if "moves" in one["results"]]
                left[unit] = unit._replace(place=to[0]) if to else unit
        return left, fallen

    def _entries(self, unit: Unit) -> list[Mapping[str, Json]]:
        own = (unit.power, str(unit))
        return [one for one in self.answer["orders"] if (one["power"], one["unit"]) == own]

    def _missions(self) -> dict[str, str | None]:
        """The order of each M, by unit."""
        orders = self.votes.missions()
        return {str(unit): orders.get(unit.code) for unit in self.standing.units if unit.kind == "M"}

    def _held(self) -> list[str]:
        """The units that subversion keeps where they are."""
        return sorted(
            str(self.standing.at[code]) for code in self.targets.values() if code in self.standing.at
        )


def _retreats(standing: Standing, question: Question, answer: Mapping[str, Json]) -> Expected:
    """Retreats are taken from the answer; then the turn is over."""
    fallen = {(power, one["unit"]) for power, some in question["dislodged"].items() for one in some}
    entries = [one for one in answer["orders"] if (one["power"], one["unit"]) in fallen]
    arrived = [
        Unit(one["unit"][0], one["to"], one["power"]) for one in entries if "retreats" in one["results"]
    ]
    leaving = {(seat, name) for seat, names in standing.table("leaving", {}).items() for name in names}
    units = [unit for unit in standing.units if (unit.power, str(unit)) not in leaving] + arrived
    dismissed = _dismissed(standing, units, standing.table("grace", {}))
    return _turn_over(standing, [unit for unit in units if unit not in dismissed], {})


def _turn_over(standing: Standing, units: list[Unit], changed: dict[str, Json]) -> Expected:
    """A season is over; with autumn, the year's reckoning."""
    year = int(standing.phase[1:5])
    if not standing.autumn:
        following = f"F{year}P"
        return Expected(
            {"next": following, "units": _listed(units)}, affairs(standing, following, **changed), {}
        )
    return _autumn(standing, units, changed)


def _autumn(standing: Standing, units: list[Unit], changed: dict[str, Json]) -> Expected:
    """Owners, colours, points, scores, winners, aid, eliminations, allowances."""
    takers = {unit.code: unit.power for unit in units if unit.kind in "AF"}
    owner = {**standing.owner, **{code: power for code, power in takers.items() if code in CENTRES}}
    control = dict(standing.table("control", {}))
    if standing.option("colour") == "army_or_fleet":
        control |= {code: power for code, power in takers.items() if code in PLAIN}
    politics = {**standing.affairs, **changed, "control": control}
    now = _at(standing, units, owner, politics)
    points = {
        state: {"aid": now.aid_points(state), "subversion": int(now.may_subvert(state))} for state in STATES
    }
    scores = {state: _score(now, state) for state in STATES if state not in now.gone}
    winners = sorted(state for state, row in scores.items() if row["total"] >= now.goal)
    paid = [{"by": by, "to": to, "place": place} for by, to, place in now.paid()]
    after = survivors(now)
    following = None if winners else f"W{standing.phase[1:5]}A"
    allowances = {state: after.allowance(state) for state in STATES}
    fields = {
        "next": following,
        "units": _listed(after.units),
        "owner": after.owner,
        "eliminated": sorted(after.gone),
        "winner": winners,
        "adjustments": {state: _due(after, state) for state in STATES},
    }
    told = {"points": points, "scores": scores, "given": paid, "allowance": allowances}
    return Expected(fields, affairs(after, following) | told, {})


def _at(standing: Standing, units: list[Unit], owner: dict[str, str], politics: Json) -> Standing:
    centers: dict[str, list[str]] = {}
    for code, state in owner.items():
        centers.setdefault(state, []).append(code)
    asked = {"phase": standing.phase, "units": _listed(units), "centers": centers, "politics": politics}
    return Standing(asked)


def _score(now: Standing, state: str) -> dict[str, int]:
    row = STATES[state]
    centres = len(now.centres(state))
    mandates = sum(unit.kind == "M" and unit.power == state for unit in now.units)
    mandates = mandates if now.in_grace(state) else 0
    raw = max(0, centres - len(row.arsenals)) * row.rate
    adjustment = now.table("adjustment", {}).get(state, 0)
    contribution = min(125, mandates * row.mandate)
    return {
        "centres": centres,
        "base": len(row.arsenals),
        "rate": row.rate,
        "raw": raw,
        "adjustment": adjustment,
        "mandates": mandates,
        "per_mandate": row.mandate,
        "contribution": contribution,
        "total": raw + adjustment + contribution,
    }


def survivors(now: Standing) -> Standing:
    """The world without the states that cannot go on, nor anything of theirs."""
    out = {state for state in STATES if state not in now.gone and not now.lives(state)}
    gone = out | now.gone
    control = dict(now.table("control", {}))
    control |= {code: None for code in PLAIN if now.controller(code) in out}
    changed = {
        name: None if now.table(name, None) in gone else now.table(name, None) for name in ("imf", "embargo")
    }
    politics = {**now.affairs, **changed, "control": control, "eliminated": sorted(gone)}
    units = [unit for unit in now.units if unit.power not in gone]
    return _at(now, units, now.owner, politics)


def _due(now: Standing, state: str) -> dict[str, int]:
    """The balance, and how much of it finds room at home."""
    row = now.allowance(state)
    free = [
        code
        for code in now.centres(state)
        if code not in now.at and (code in STATES[state].arsenals or now.in_grace(state))
    ]
    balance = row["allowed"] - row["units"]
    return {"balance": balance, "possible": min(max(0, balance), len(free))}


def _winter(standing: Standing, sheets: Sheets, question: Question) -> Expected:
    winter = Winter(standing, sheets, question)
    units = winter.units
    if standing.option("disgraced_mandates") == "after_winter":
        units = [unit for unit in units if unit.kind != "M" or standing.in_grace(unit.power)]
    after = survivors(_at(standing, units, standing.owner, standing.affairs))
    following = f"S{int(standing.phase[1:5]) + 1}P"
    politics = affairs(after, following, subversion=[])
    fields = {"next": following, "units": _listed(after.units), "eliminated": sorted(after.gone)}
    fields["by_rule"] = sorted(map(str, winter.by_rule))
    return Expected(fields, politics, winter.fates)


__all__ = ["Expected", "Line", "expected"]
