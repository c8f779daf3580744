"""The test cases of the DATC, in the shorthand in which its chapter 6 is kept as text.

// a comment
# 6.A.6 TITLE                  a case, which begins in a spring movement phase
@retreat   @adjustment         the phase that follows, or the phase of the case
ENG owns F LON                 a unit that stands there, whatever the orders say
ENG owns SC LON                a centre
GER F LON - NTH = illegal      an order and its verdict
AUTO RUS F BAL                 a removal by the rules
? 4.A.1=a ENG F ... = fails    what changes when these issues are chosen otherwise
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from talleyrand.engine.board import province_of

from .json_checks import InvalidQuestion, clip_json

POWER_CODES = {
    "AUS": "AUSTRIA",
    "ENG": "ENGLAND",
    "FRA": "FRANCE",
    "GER": "GERMANY",
    "ITA": "ITALY",
    "RUS": "RUSSIA",
    "TUR": "TURKEY",
}
FIRST_PHASES = {"movement": "S1901M", "retreat": "S1901R", "adjustment": "W1901A"}
_ORDER = re.compile(r"([A-Z]{3}) ([^=]+?) = ([a-z, ]+)")
_OWNS = re.compile(r"([A-Z]{3}) owns (A|F|SC) (\S+)")
_AUTO = re.compile(r"AUTO ([A-Z]{3}) ([AF] \S+)")
_OTHERWISE = re.compile(r"\? (\S+) (.+)")


@dataclass(frozen=True)
class ExpectedVerdict:
    """An order in normal form and the verdicts the DATC gives it."""

    power: str
    order: str
    verdicts: tuple[str, ...]

    @property
    def unit(self) -> str:
        """`F STP/SC`: the unit as the order names it."""
        return " ".join(self.order.split()[:2])


@dataclass(frozen=True)
class AlternativeVerdict:
    """The verdict of an order when issues (`4.A.1`) are chosen otherwise (`a`)."""

    issues: tuple[tuple[str, str], ...]
    expected: ExpectedVerdict


@dataclass
class DatcStep:
    """One phase of a case: who owns what beforehand, the orders, and what the rules remove."""

    kind: str
    units: list[tuple[str, str]] = field(default_factory=list)
    centres: list[tuple[str, str]] = field(default_factory=list)
    orders: list[ExpectedVerdict] = field(default_factory=list)
    removals: list[tuple[str, str]] = field(default_factory=list)
    alternatives: list[AlternativeVerdict] = field(default_factory=list)

    def units_by_power(self) -> dict[str, list[str]]:
        """Power → units: those declared, and in a movement phase those ordered by their owners."""
        declared = {province_of(unit.split()[1]) for _, unit in self.units}
        ordered = [(line.power, line.unit) for line in self.orders] if self.kind == "movement" else []
        implied = [(power, unit) for power, unit in ordered if province_of(unit.split()[1]) not in declared]
        return _by_power([*self.units, *dict.fromkeys(implied)])

    def orders_by_power(self) -> dict[str, list[str]]:
        """Power → order lines."""
        return _by_power([(line.power, line.order) for line in self.orders])


@dataclass
class DatcCase:
    """A test case: `6.A.1`, its title, its phases."""

    number: str
    title: str
    steps: list[DatcStep] = field(default_factory=list)

    def question(self, rulebook: object = "datc") -> dict[str, object]:
        """The first phase as a question."""
        first = self.steps[0]
        asked: dict[str, object] = {
            "id": self.number,
            "rulebook": rulebook,
            "phase": FIRST_PHASES[first.kind],
            "units": first.units_by_power(),
            "orders": first.orders_by_power(),
        }
        return asked | ({"centers": _by_power(first.centres)} if first.centres else {})


def read_datc_cases(text: str) -> tuple[DatcCase, ...]:
    """Every case of a text; raises InvalidQuestion (`datc_line`) with the line that is none of its forms."""
    cases: list[DatcCase] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("//"):
            _read_line(line.strip(), number, cases)
    return tuple(cases)


def is_datc(text: str) -> bool:
    """Whether a text opens like a file of cases."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("//"))
    return bool(re.match(r"# \d+\.\w+\.\d+ ", next(lines, "")))


def _read_line(line: str, number: int, cases: list[DatcCase]) -> None:
    if line.startswith("# "):
        code, _, title = line[2:].partition(" ")
        cases.append(DatcCase(code, title))
    elif not cases:
        raise InvalidQuestion("datc_line", line=str(number), text=clip_json(line))
    elif line.startswith("@"):
        cases[-1].steps.append(DatcStep(line[1:]))
    elif not any(reader(line, _step(cases[-1])) for reader in (_owns, _auto, _otherwise, _ordered)):
        raise InvalidQuestion("datc_line", line=str(number), text=clip_json(line))


def _step(case: DatcCase) -> DatcStep:
    if not case.steps:
        case.steps.append(DatcStep("movement"))
    return case.steps[-1]


def _owns(line: str, step: DatcStep) -> bool:
    if match := _OWNS.fullmatch(line):
        power = POWER_CODES[match[1]]
        if match[2] == "SC":
            step.centres.append((power, match[3]))
        else:
            step.units.append((power, f"{match[2]} {match[3]}"))
    return bool(match)


def _auto(line: str, step: DatcStep) -> bool:
    if match := _AUTO.fullmatch(line):
        step.removals.append((POWER_CODES[match[1]], match[2]))
    return bool(match)


def _otherwise(line: str, step: DatcStep) -> bool:
    match = _OTHERWISE.fullmatch(line)
    expected = _expected(match[2]) if match else None
    if match is None or expected is None:
        return False
    issues = (choice.rpartition("=") for choice in match[1].split(","))
    step.alternatives.append(
        AlternativeVerdict(tuple((issue, letter) for issue, _, letter in issues), expected)
    )
    return True


def _ordered(line: str, step: DatcStep) -> bool:
    expected = _expected(line)
    if expected is not None:
        step.orders.append(expected)
    return expected is not None


def _expected(line: str) -> ExpectedVerdict | None:
    match = _ORDER.fullmatch(line)
    if match is None or match[1] not in POWER_CODES:
        return None
    return ExpectedVerdict(POWER_CODES[match[1]], match[2], tuple(match[3].split(", ")))


def _by_power(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for power, entry in pairs:
        listed.setdefault(power, []).append(entry)
    return listed


def alternative_verdicts(case: DatcCase) -> Iterator[AlternativeVerdict]:
    """Every alternative of a case, in the order of the text."""
    for step in case.steps:
        yield from step.alternatives
