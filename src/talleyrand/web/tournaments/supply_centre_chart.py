"""Centres of a board year by year, on a page: the table, the chart, the form that writes a year down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from talleyrand.tournament import round_timing
from talleyrand.tournament.acts.result_acts import CountCentresByYear, first_missing_year
from talleyrand.tournament.board_rules import centre_count, yearly_centres
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.whole_numbers import YEAR_DIGITS, parse_natural, parse_whole_number

from . import tournament_names

WIDTH, HEIGHT, LEFT, FOOT = 600, 220, 28, 24
SHORT = 3  # letters of a power above its column
TypedValue = Callable[[str], str]


@dataclass(frozen=True)
class ChartPower:
    """A column of the table. `points`: its line on the chart."""

    name: str
    short: str
    colour: str
    points: str


@dataclass(frozen=True)
class ChartYear:
    """A line of the table: centres in the order of the powers; `neutral` None where nobody knows. `across`:
    where it is on the chart."""

    year: int
    counts: tuple[int, ...]
    neutral: int | None
    across: float


@dataclass(frozen=True)
class YearTable:
    """Centres year by year. `ticks`: numbers of centres on the chart and how high they are."""

    powers: tuple[ChartPower, ...]
    years: tuple[ChartYear, ...]
    neutral: bool
    ticks: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class YearFormField:
    """A power in the form."""

    code: str
    name: str
    colour: str
    value: str


@dataclass(frozen=True)
class YearForm:
    """The form: one year. `total`: what centres add up to."""

    year: str
    fields: tuple[YearFormField, ...]
    neutral: str
    total: int | None
    open: bool


def year_table(event: Event, number: int, held: EventBoard) -> YearTable | None:
    """What is known of a board; None where there is no more than its result."""
    years = yearly_centres(held, round_timing.last_year(event, number, held))
    if not held.years or not years:
        return None
    most = max(count for centres in years.values() for count in centres.values())
    return YearTable(
        powers=tuple(_power(held, code, years, most) for code in held.seats),
        years=tuple(_year(held, year, years) for year in years),
        neutral=any(_neutral(held, centres) for centres in years.values()),
        ticks=tuple((count, _height(count, most)) for count in range(0, most + 1, 6 if most > 6 else 2)),
    )


def _power(held: EventBoard, code: str, years: Mapping[int, Mapping[str, int]], most: int) -> ChartPower:
    name = tournament_names.power_name(code, held.variant)
    places = [(_across(year, years), _height(centres.get(code, 0), most)) for year, centres in years.items()]
    points = " ".join(f"{across:g},{height:g}" for across, height in places)
    return ChartPower(name, name[:SHORT], tournament_names.power_colour(code, held.variant), points)


def _year(held: EventBoard, year: int, years: Mapping[int, Mapping[str, int]]) -> ChartYear:
    centres = years[year]
    counts = tuple(centres.get(code, 0) for code in held.seats)
    return ChartYear(year, counts, _neutral(held, centres), _across(year, years))


def _neutral(held: EventBoard, centres: Mapping[str, int]) -> int | None:
    total = centre_count(held.variant)
    return None if total is None else total - sum(centres.values())


def _across(year: int, years: Mapping[int, object]) -> float:
    first, last = min(years), max(years)
    share = (year - first) / (last - first) if last > first else 0.5
    return round(LEFT + share * (WIDTH - 2 * LEFT), 1)


def _height(count: int, most: int) -> float:
    return round((HEIGHT - FOOT) - count / max(most, 1) * (HEIGHT - FOOT - 12), 1)


def year_form(held: EventBoard, typed: TypedValue | None, asked: str = "") -> YearForm:
    """The form: as it was typed; or one year as it stands, `asked` or the first that is missing."""
    found = parse_natural(asked, YEAR_DIGITS)
    year = first_missing_year(held) if found is None else found
    centres = held.years.get(year, {})
    kept = {f"centres_{code}": str(count) for code, count in centres.items()}
    kept |= {"year": str(year), "neutral": str(_neutral(held, centres) or 0) if centres else "0"}
    said = typed or (lambda name: kept.get(name, ""))
    fields = tuple(
        YearFormField(
            code,
            tournament_names.power_name(code, held.variant),
            tournament_names.power_colour(code, held.variant),
            said(f"centres_{code}"),
        )
        for code in held.seats
    )
    return YearForm(said("year"), fields, said("neutral"), centre_count(held.variant), bool(typed or asked))


def count_years_act_from_form(
    held: EventBoard, where: tuple[int, int], typed: TypedValue, by: str
) -> CountCentresByYear:
    """What was typed, as an act; raises ActRefused. A year that stands there, sent empty, is struck out."""
    year, neutral = (
        parse_whole_number(typed("year"), YEAR_DIGITS),
        parse_whole_number(typed("neutral") or "0", YEAR_DIGITS),
    )
    texts = {code: typed(f"centres_{code}").strip() for code in held.seats}
    centres = {code: parse_whole_number(text, YEAR_DIGITS) for code, text in texts.items() if text}
    if not centres and year not in held.years:
        raise ActRefused("act_centres_missing", powers=", ".join(held.seats))
    return CountCentresByYear(*where, {year: centres}, by, {year: neutral})
