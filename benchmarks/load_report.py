"""What the storms found, as lines of figures beside their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

STORM, STORM_LIMIT, ORDER_LIMIT = 600, 10.0, 250.0
ORDER_FLOORS, GAME_FLOORS = 1.5, 2.0  # times the processor time of a bare view that writes a row
ANSWER_LIMIT = 2000.0  # milliseconds until an order is acknowledged or told to come back, whatever is offered
LIMITED = 0.99  # of the orders
SLICE = 10  # seconds of orders that are looked at for themselves
SHARES = (0.5, 0.95, LIMITED)
GROWS = 2.0  # times as dear at the greatest size as at the least: worth a word
TITLES = {
    "games": "games of the site",
    "phases": "phases of one game",
    "own": "games of one person",
}
Found = dict[str, Any]
Curve = list[tuple[int, float]]


@dataclass
class Report:
    """Lines of figures, kept; counts those beyond their limit, and what went wrong."""

    missed: int = 0
    lines: list[str] = field(default_factory=list)
    growth: dict[str, Curve] = field(default_factory=dict)

    def say(self, text: str = "") -> None:
        self.lines += text.split("\n")
        print(text, flush=True)

    def line(self, name: str, value: float, unit: str, limit: float | None = None, more: str = "") -> None:
        beside = ""
        if limit is not None:
            beside = f"limit {limit:6.0f}   {value / limit:5.2f} of it"
            self.missed += value > limit
        self.say(f"  {name:48}{value:10.2f} {unit:3} {beside:28}{more}".rstrip())

    def wrong(self, found: Sequence[str]) -> None:
        self.missed += bool(found)
        for line in found[:10]:
            self.say(f"  WRONG {line}")

    def quantiles(self, name: str, seconds: Iterable[float], limit: float | None = None) -> None:
        """p50, p95, p99 and the longest, in milliseconds."""
        took = sorted(1000 * one for one in seconds)
        if not took:
            self.say(f"  {name}: none")
            return
        parts = [f"p{100 * share:.0f} {took[int(share * len(took))]:8.1f}" for share in SHARES]
        self.say(f"  {name:38}{len(took):6}   {'   '.join(parts)}   longest {took[-1]:8.1f} ms")
        self.missed += limit is not None and took[int(LIMITED * len(took))] > limit


def spread(values: Sequence[float], form: str = ".2f") -> str:
    """ "3.10 (2.90 to 3.42 in 3 rounds)"."""
    if len(values) < 2:
        return f"{values[0]:{form}}" if values else "none"
    ends = f"{min(values):{form}} to {max(values):{form}}"
    return f"{median(values):{form}} ({ends} in {len(values)} rounds)"


def tell_storms(report: Report, name: str, storms: Sequence[Found]) -> None:
    report.say(" games due in the same second: from then to the last publication")
    sizes = sorted({one["games"] for one in storms})
    for size in sizes:
        _tell_storm(report, [one for one in storms if one["games"] == size])
    report.growth[name] = [
        (size, median(one["last"] for one in storms if one["games"] == size)) for size in sizes
    ]


def _tell_storm(report: Report, storms: Sequence[Found]) -> None:
    size, last = storms[0]["games"], [one["last"] for one in storms]
    report.line(
        f"{size} games, the slowest round",
        max(last),
        "s",
        STORM_LIMIT if size == STORM else None,
        spread(last),
    )
    made = sorted(at for one in storms for at in one["made"])
    if made:
        report.line("  half of them", made[len(made) // 2], "s")
    for key, when in (("used", "when it is due"), ("ahead", "before it is")):
        used = [1000 * one[key] / size for one in storms]
        report.line(f"  processor time for a game {when}", median(used), "ms", more=spread(used, ".1f"))
    report.wrong([line for one in storms for line in one["wrong"]])


def tell_floor(report: Report, storms: Sequence[Found]) -> None:
    """The goals as multiples of the floor that was measured in the same round."""
    largest = max(one["games"] for one in storms)
    rounds = [one for one in storms if one["games"] == largest]
    report.say(" against a bare view that reads the session and writes one row (F), processor time")
    for key, what in (("floor", "F"), ("order", "an order, one at a time")):
        values = [one[key] for one in rounds]
        report.line(what, median(values), "ms", more=spread(values))
    _tell_floors(report, "an order", [one["order"] / one["floor"] for one in rounds], ORDER_FLOORS)
    for key, what in (("used", "a game published"), ("ahead", "a game judged ahead")):
        each = [1000 * one[key] / largest / one["floor"] for one in rounds]
        _tell_floors(report, what, each, GAME_FLOORS)


def _tell_floors(report: Report, name: str, values: Sequence[float], goal: float) -> None:
    told = "reached" if median(values) <= goal else f"{median(values) / goal:.1f} times it"
    report.say(f"  {name:48}{median(values):10.2f} F   goal {goal:.1f} F: {told}   {spread(values)}")


def tell_overload(report: Report, found: Found, seconds: int) -> None:
    report.say(
        f" overload: {found['capacity']:.0f} orders a second can be served, three times that "
        f"for {seconds} s: {found['offered']} orders"
    )
    report.quantiles("each try, until its answer", found["tries"], ANSWER_LIMIT)
    report.say(
        f"  told to come back: {found['told_to_return']} times; acknowledged: {len(found['acknowledged'])}; "
        f"told that newer ones of the same player stand: {found['overtaken']}"
    )
    report.quantiles("each order, until it is acknowledged", found["acknowledged"])
    report.quantiles("the home page meanwhile", found["home"])
    report.quantiles("new orders, ten seconds after the last", found["afterwards"], ANSWER_LIMIT)
    if found["told_afterwards"]:
        report.wrong([f"{found['told_afterwards']} of them were told to come back"])
    report.quantiles("each order, sent later than due", found["behind"])
    report.say(
        f"  the program that sends them used {found['own']:.0f} s of a core within {found['lasted']:.0f} s, "
        f"the site {found['used']:.0f} s"
    )
    report.wrong(found["wrong"])


def tell_orders(report: Report, load: Found, rate: int, seconds: int) -> None:
    took = [1000 * one for one in load["took"]]
    size = load["size"] / max(1, len(took)) / 1000
    report.say(f" orders, {rate} each second for {seconds} s: {len(took)} sheets, answers of {size:.1f} kB")
    part = max(1, rate * SLICE)
    slices = [sorted(took[start : start + part]) for start in range(0, len(took), part)]
    for share in SHARES:
        each = [one[int(share * len(one))] for one in slices]
        whole = sorted(took)[int(share * len(took))]
        limit = ORDER_LIMIT if share == LIMITED else None
        report.line(f"p{100 * share:.0f}", whole, "ms", limit, f"by ten seconds: {spread(each, '.1f')}")
    report.line("the longest", max(took), "ms")
    report.line("processor time of the site for a sheet", 1000 * load["used"] / len(took), "ms")
    report.wrong([f"{count} answers were {status}" for status, count in load["failed"].items()])


def tell_phones(report: Report, found: Found, seconds: int) -> None:
    report.say(f" {found['phones']} phones behind one address, which come within {seconds} s")
    for name, took in found["took"].items():
        report.quantiles(name, took)
    waits = f"is told to wait after {found['refused']}" if found["refused"] else "is never told to wait"
    report.say(
        f"  somebody there guesses a password: {found['guessed']} tries are looked at, then none; he {waits}"
    )
    report.say(f"  {found['spared']} phones read on meanwhile")
    report.wrong(found["wrong"])


def tell_listeners(report: Report, found: Found) -> None:
    count = found["listeners"]
    report.say(f" {count} listeners, {found['refused']} refused, there within {found['joined']:.1f} s")
    report.line("memory for each", found["memory"] / 1000, "kB")
    report.line("open files for them", found["files"], "", more=f"{found['left']} after they have hung up")
    for key, what in (("everybody", "one thing for all"), ("own", "one thing for each")):
        last = [one[-1] for one in found[key] if one]
        half = [one[len(one) // 2] for one in found[key] if one]
        if last:
            report.line(f"{what}: the last hears it after", max(last), "s", more=spread(last))
            report.line("  half of them", median(half), "s", more=spread(half))
    for name, took in found["pages"].items():
        report.quantiles(f"a page, {name}", took)
    report.wrong(found["wrong"] + ([f"{found['refused']} were refused"] if found["refused"] else []))


def tell_deadline(report: Report, found: Found, seconds: int) -> None:
    report.say(
        f" the shape of a deadline: {found['players']} players, ten minutes pressed into {seconds} s, "
        "half the edits in the last tenth"
    )
    for name, took in found["took"].items():
        report.quantiles(name, took)
    report.say(f"  sheets handed in and kept: {found['handed_in']}")
    for name, key in (("told of the publication", "told"), ("the new phase on the screen", "seen")):
        at = sorted(found[key])
        if at:
            half = at[len(at) // 2]
            report.line(f"{name}, after the deadline: the last", at[-1], "s", more=f"half of them {half:.2f}")
    if found["late"]:
        report.say(f"  {len(found['late'])} edits had waited in their browser until the deadline was over")
    report.wrong(found["wrong"])


def tell_growth(report: Report, name: str, found: dict[str, dict[str, list[Any]]]) -> None:
    """Milliseconds, the least to the greatest, and questions asked of the database."""
    for axis, acts in found.items():
        sizes = [point[0] for point in next(iter(acts.values()))]
        report.say(f"\n{name}: cost by {TITLES[axis]}: median (least to most) in ms, questions")
        report.say(" " * 28 + "".join(f"{size:>30}" for size in sizes))
        for act, points in acts.items():
            cells = [f"{mid:.1f} ({low:.1f} to {high:.1f}), {asked:3}" for _, mid, low, high, asked in points]
            grown = points[-1][1] / points[0][1]
            mark = f"  x {grown:.1f}" if grown >= GROWS else ""
            report.say(f"  {act:26}" + "".join(f"{cell:>30}" for cell in cells) + mark)


def storm_report(
    heading: str, tried: Callable[[], Found | None], told: Callable[[Report, Found], None]
) -> Report:
    """What is tried and on which machine, by a heading, and what was found, line by line."""
    report = Report()
    report.say(heading)
    found = tried()
    if found is None:
        report.wrong(["broke off, see above"])
    else:
        told(report, found)
    report.say(f"\nlimits: {report.missed} missed")
    return report
