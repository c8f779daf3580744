"""What an oracle expects beside what an answer says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tests.oracle.diplomatie_2000.annexes import FAR_NORTH, STATES
from tests.oracle.diplomatie_2000.standing import Json, Line, Sheets, Standing
from tests.oracle.diplomatie_2000.years import Expected

UNORDERED = ("subversion", "eliminated", "winner", "tied")
FAULTS = ("illegal", "surplus", "superseded", "no_such_unit", "foreign_unit", "not_understood")


def compared(
    question: Mapping[str, Json],
    sheets: Sheets,
    wanted: Expected,
    answer: Mapping[str, Json],
    seen: Counter[str],
) -> Iterator[str]:
    """Every difference, and a count of what was met."""
    fields = dict(wanted.fields)
    special = {name: fields.pop(name) for name in ("missions", "held", "owner", "by_rule") if name in fields}
    for name, value in fields.items():
        yield from _different(name, value, answer.get(name))
    politics = answer["politics"]
    for name in {**wanted.politics, **politics}:
        yield from _different(f"politics.{name}", wanted.politics.get(name), politics.get(name))
    if "owner" in special:
        owner = {code: state for state, codes in answer["centers"].items() for code in codes}
        yield from _different("centers", special["owner"], owner)
    if "missions" in special:
        yield from _missions(special["missions"], special["held"], answer)
    if "by_rule" in special:
        yield from _by_rule(special["by_rule"], answer)
    yield from _fates(sheets, wanted, answer, seen)
    yield from _frozen(question, answer)
    yield from _beyond(question, answer)
    _counted(question, politics, wanted, seen)


def _plain(value: Json, name: str) -> Json:
    if isinstance(value, Mapping):
        kept = {key: _plain(one, key) for key, one in value.items()}
        return {key: one for key, one in kept.items() if one is not None or key not in UNORDERED} or None
    if isinstance(value, list) and (name in UNORDERED or name == "units"):
        return sorted(value) or None
    if isinstance(value, list | tuple):
        return [_plain(one, "") for one in value] or None
    return value


def _different(name: str, want: Json, got: Json) -> Iterator[str]:
    key = name.rpartition(".")[2]
    if key == "units":
        want, got = (
            {power: sorted(some) for power, some in (table or {}).items() if some} for table in (want, got)
        )
    one, other = _plain(want, key), _plain(got, key)
    if isinstance(one, dict) and isinstance(other, dict):
        for part in sorted({*one, *other}):
            if one.get(part) != other.get(part):
                yield f"{name}.{part}: expected {one.get(part)}, found {other.get(part)}"
    elif one != other:
        yield f"{name}: expected {one}, found {other}"


def _missions(
    missions: Mapping[str, str | None], held: list[str], answer: Mapping[str, Json]
) -> Iterator[str]:
    """Each M has the order of the programme adopted; nobody whom subversion stops goes anywhere."""
    entries = [one for one in answer["orders"] if one["line"] is None]
    for unit, order in missions.items():
        found = [one["order"] for one in entries if one["unit"] == unit]
        if order not in found:
            yield f"{unit}: expected {order}, found {found}"
    for unit in held:
        results = [word for one in answer["orders"] if one["unit"] == unit for word in one["results"]]
        if {"moves", "support_given", "convoys"} & {*results}:
            yield f"{unit} is stopped, and {results}"


def _by_rule(units: list[str], answer: Mapping[str, Json]) -> Iterator[str]:
    found = sorted(
        one["unit"] for one in answer["orders"] if one["line"] is None and one["results"] == ["removed"]
    )
    if found != units:
        yield f"removed by rule: expected {units}, found {found}"


def fate(entry: Mapping[str, Json]) -> tuple[str, ...]:
    """The results of a line, or the kind of its error where it does not count."""
    error = (entry["error"] or {}).get("kind")
    if error in FAULTS and entry["results"] in ([], ["illegal"]):
        return (error,)
    return tuple(sorted(entry["results"]))


def _fates(sheets: Sheets, wanted: Expected, answer: Mapping[str, Json], seen: Counter[str]) -> Iterator[str]:
    entries: dict[str, list[Mapping[str, Json]]] = {}
    for one in answer["orders"]:
        if one["line"] is not None:
            entries.setdefault(one["power"], []).append(one)
    for seat, lines in sheets.items():
        found = entries.get(seat, [])
        for number, line in enumerate(lines):
            want = wanted.fates.get((seat, number))
            if want is None:
                continue
            seen.update(want)
            own = [fate(one) for one in found if one["line"] == line.text]
            same = _same(lines, number)
            got = own[same] if same < len(own) else None
            if got != tuple(sorted(want)):
                yield f"{seat}: {line.text!r}: expected {want}, found {got}"


def _same(lines: list[Line], number: int) -> int:
    """How many lines before this one say the same."""
    return [line.text for line in lines[:number]].count(lines[number].text)


def _frozen(question: Mapping[str, Json], answer: Mapping[str, Json]) -> Iterator[str]:
    """No fleet acts in the far north, or towards it, in autumn."""
    if not question["phase"].startswith("F"):
        return
    good = {"moves", "support_given", "convoys", "retreats"}
    for one in answer["orders"]:
        order = one["order"] or ""
        if order.startswith("F") and good & {*one["results"]}:
            words = order.replace("/", " ").split()
            inside = {word for word in words if word in FAR_NORTH}
            if inside and "R" not in words:
                yield f"{order} in autumn: {one['results']}"


def _beyond(question: Mapping[str, Json], answer: Mapping[str, Json]) -> Iterator[str]:
    """No state leaves a winter with more units than it may have, whatever the book and whatever it wrote."""
    standing = Standing(question)
    for state in STATES if standing.kind == "A" else ():
        allowed, left = standing.allowance(state)["allowed"], answer["units"].get(state, [])
        if len(left) > allowed:
            yield f"{state} is allowed {allowed}, and has {left}"


def _counted(
    question: Mapping[str, Json], politics: Mapping[str, Json], wanted: Expected, seen: Counter[str]
) -> None:
    """What was met that is worth telling."""
    seen["phases"] += 1
    before = (question.get("politics") or {}).get("eliminated") or ()
    seen["eliminated"] += len(set(wanted.fields.get("eliminated") or ()) - set(before))
    for row in (politics.get("allowance") or {}).values():
        seen["without centres"] += not row["centres"] and bool(row["allowed"])
        seen["embargoes"] += row["embargo"]
    for box in (politics.get("ballots") or {}).values():
        seen["ties"] += bool(box["tied"])
        seen["adopted"] += bool(box["adopted"])
    seen["aid paid"] += len(politics.get("given") or ())
    seen["winners"] += len(wanted.fields.get("winner") or ())
    seen["years"] += "owner" in wanted.fields
    seen["by rule"] += len(wanted.fields.get("by_rule") or ())
