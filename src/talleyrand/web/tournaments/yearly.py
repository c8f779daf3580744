"""Centres of a board year by year, on a page: the table, the chart, the form that writes a year down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from talleyrand.tournament import timing
from talleyrand.tournament.acts.years import CountYears, missing
from talleyrand.tournament.boards import centres_of, years_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.numbers import YEAR, natural, whole

from . import naming

WIDTH, HEIGHT, LEFT, FOOT = 600, 220, 28, 24
SHORT = 3  # letters of a power above its column
Typed = Callable[[str], str]


@dataclass(frozen=True)
class Power:
    """A column of the table. `points`: its line on the chart."""

    name: str
    short: str
    colour: str
    points: str


@dataclass(frozen=True)
class Year:
    """A line of the table: centres in the order of the powers; `neutral` None where nobody knows. `across`:
    where it is on the chart."""

    year: int
    counts: tuple[int, ...]
    neutral: int | None
    across: float


@dataclass(frozen=True)
class Table:
    """Centres year by year. `ticks`: numbers of centres on the chart and how high they are."""

    powers: tuple[Power, ...]
    years: tuple[Year, ...]
    neutral: bool
    ticks: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Field:
    """A power in the form."""

    code: str
    name: str
    colour: str
    value: str


@dataclass(frozen=True)
class Sheet:
    """The form: one year. `total`: what centres add up to."""

    year: str
    fields: tuple[Field, ...]
    neutral: str
    total: int | None
    open: bool


def table(event: Event, number: int, held: Board) -> Table | None:
    """What is known of a board; None where there is no more than its result."""
    years = years_of(held, timing.last_year(event, number, held))
    if not held.years or not years:
        return None
    most = max(count for centres in years.values() for count in centres.values())
    return Table(
        powers=tuple(_power(held, code, years, most) for code in held.seats),
        years=tuple(_year(held, year, years) for year in years),
        neutral=any(_neutral(held, centres) for centres in years.values()),
        ticks=tuple((count, _height(count, most)) for count in range(0, most + 1, 6 if most > 6 else 2)),
    )


def _power(held: Board, code: str, years: Mapping[int, Mapping[str, int]], most: int) -> Power:
    name = naming.power(code, held.variant)
    places = [(_across(year, years), _height(centres.get(code, 0), most)) for year, centres in years.items()]
    points = " ".join(f"{across:g},{height:g}" for across, height in places)
    return Power(name, name[:SHORT], naming.colour(code, held.variant), points)


def _year(held: Board, year: int, years: Mapping[int, Mapping[str, int]]) -> Year:
    centres = years[year]
    counts = tuple(centres.get(code, 0) for code in held.seats)
    return Year(year, counts, _neutral(held, centres), _across(year, years))


def _neutral(held: Board, centres: Mapping[str, int]) -> int | None:
    total = centres_of(held.variant)
    return None if total is None else total - sum(centres.values())


def _across(year: int, years: Mapping[int, object]) -> float:
    first, last = min(years), max(years)
    share = (year - first) / (last - first) if last > first else 0.5
    return round(LEFT + share * (WIDTH - 2 * LEFT), 1)


def _height(count: int, most: int) -> float:
    return round((HEIGHT - FOOT) - count / max(most, 1) * (HEIGHT - FOOT - 12), 1)


def sheet(held: Board, typed: Typed | None, asked: str = "") -> Sheet:
    """The form: as it was typed; or one year as it stands, `asked` or the first that is missing."""
    found = natural(asked, YEAR)
    year = missing(held) if found is None else found
    centres = held.years.get(year, {})
    kept = {f"centres_{code}": str(count) for code, count in centres.items()}
    kept |= {"year": str(year), "neutral": str(_neutral(held, centres) or 0) if centres else "0"}
    said = typed or (lambda name: kept.get(name, ""))
    fields = tuple(
        Field(
            code, naming.power(code, held.variant), naming.colour(code, held.variant), said(f"centres_{code}")
        )
        for code in held.seats
    )
    return Sheet(said("year"), fields, said("neutral"), centres_of(held.variant), bool(typed or asked))


def read(held: Board, where: tuple[int, int], typed: Typed, by: str) -> CountYears:
    """What was typed, as an act; raises Refused. A year that stands there, sent empty, is struck out."""
    year, neutral = whole(typed("year"), YEAR), whole(typed("neutral") or "0", YEAR)
    texts = {code: typed(f"centres_{code}").strip() for code in held.seats}
    centres = {code: whole(text, YEAR) for code, text in texts.items() if text}
    if not centres and year not in held.years:
        raise Refused("act_centres_missing", powers=", ".join(held.seats))
    return CountYears(*where, {year: centres}, by, {year: neutral})
