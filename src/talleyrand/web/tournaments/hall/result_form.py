"""The form of a board's result: what it asks, and what was typed in it as a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from talleyrand.tournament import endvotes, timing, traveller
from talleyrand.tournament.acts import results
from talleyrand.tournament.acts.act import board as board_of
from talleyrand.tournament.boards import centres_of, solo_of
from talleyrand.tournament.model import Board, Ended, Event, Result
from talleyrand.tournament.numbers import YEAR, whole
from talleyrand.web.tournaments import provinces

from . import regulating, words


@dataclass(frozen=True)
class Row:
    """A power: what was typed of it, or stands there."""

    code: str
    power: str
    colour: str
    centres: str
    out: bool
    year: str
    farthest: str


@dataclass(frozen=True)
class Sheet:
    """The whole form. `seen`: what stood there when it was filled in. `total`: what centres add up to."""

    rows: tuple[Row, ...]
    total: int | None
    solo: int | None
    ended: str
    year: str
    winner: str
    drawn: tuple[str, ...]
    neutral: str
    asks_years: bool
    asks_farthest: bool
    places: tuple[str, ...]
    seen: str


def sheet(event: Event, number: int, at: int, typed: QueryDict | None = None) -> Sheet:
    """The form: as it was typed, or as the result stands."""
    held = event.rounds[number].boards[at]
    told = typed if typed is not None else _kept(event, number, held)
    asks_farthest = bool(regulating.prizes_of(event, regulating.TRAVEL)) and traveller.knows(held.variant)
    return Sheet(
        rows=tuple(_row(held, code, told) for code in held.seats),
        total=centres_of(held.variant),
        solo=solo_of(held.variant),
        ended=told.get("ended", Ended.TIME),
        year=told.get("year", ""),
        winner=told.get("winner", ""),
        drawn=tuple(told.getlist("draw")),
        neutral=told.get("neutral", "0"),
        asks_years=regulating.needs_years(event),
        asks_farthest=asks_farthest,
        places=tuple(provinces.names(held.variant)) if asks_farthest else (),
        seen=told.get("seen", "") if typed is not None else seen_of(held),
    )


def seen_of(held: Board) -> str:
    """What stands for the result as it is; "" for none."""
    return results.digest(held.result) if held.result else ""


def _row(held: Board, code: str, told: QueryDict) -> Row:
    return Row(
        code=code,
        power=words.power(code, held.variant),
        colour=words.colour(code, held.variant),
        centres=told.get(f"centres_{code}", ""),
        out=bool(told.get(f"out_{code}")),
        year=told.get(f"year_{code}", ""),
        farthest=told.get(f"farthest_{code}", ""),
    )


def _kept(event: Event, number: int, held: Board) -> QueryDict:
    """What stands there, as a form would send it; where nothing does, the last year of the board."""
    told, result = QueryDict(mutable=True), held.result
    if result is None:
        ended, year = endvotes.ending(held) or (Ended.TIME, timing.last_year(event, number, held))
        told.update({"ended": ended, "year": str(year)})
        return told
    told.update({"ended": result.ended, "winner": result.winner, "neutral": str(result.neutral)})
    told["year"] = str(result.year or timing.last_year(event, number, held))
    told.setlist("draw", list(result.draw))
    told.update({f"centres_{code}": str(count) for code, count in result.centres.items()})
    told.update({f"out_{code}": "1" for code in result.out})
    told.update({f"year_{code}": str(year) for code, year in result.eliminated_in.items()})
    reached = {code: words.province(place, held.variant) for code, place in result.reached.items()}
    told.update({f"farthest_{code}": named for code, named in reached.items()})
    return told


def read(event: Event, number: int, at: int, posted: QueryDict) -> Result:
    """What was typed, as a result; raises Refused. Whether it can be is for the act to say."""
    held = board_of(event, number, at)
    centres = {
        code: whole(told, YEAR) for code in held.seats if (told := posted.get(f"centres_{code}", "").strip())
    }
    out = tuple(code for code in held.seats if posted.get(f"out_{code}") and centres.get(code))
    gone = [code for code in held.seats if code in out or centres.get(code) == 0]
    years = {code: whole(told, YEAR) for code in gone if (told := posted.get(f"year_{code}", "").strip())}
    return Result(
        centres=centres,
        ended=_ended(posted.get("ended", Ended.TIME)),
        year=whole(told, YEAR) if (told := posted.get("year", "").strip()) else None,
        winner=posted.get("winner", "").strip(),
        draw=tuple(code for code in posted.getlist("draw") if code in held.seats),
        out=out,
        eliminated_in=years,
        reached=_reached(held, posted),
        neutral=whole(posted.get("neutral", "").strip() or "0", YEAR),
    )


def _ended(told: str) -> Ended:
    return Ended(told) if told in list(Ended) else Ended.TIME


def _reached(held: Board, posted: Mapping[str, str]) -> dict[str, str]:
    typed = {code: posted.get(f"farthest_{code}", "").strip() for code in held.seats}
    return {code: provinces.code_of(held.variant, text) for code, text in typed.items() if text}
