"""The form of a board's result: what it asks, and what was typed in it as a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import QueryDict

from talleyrand.tournament import end_vote_rules, round_timing, traveller
from talleyrand.tournament.acts import result_acts
from talleyrand.tournament.acts.act import find_board as board_of
from talleyrand.tournament.board_rules import centre_count, solo_centres
from talleyrand.tournament.model import BoardResult, Event, EventBoard, GameEnd
from talleyrand.tournament.whole_numbers import YEAR_DIGITS, parse_whole_number
from talleyrand.web.tournaments import typed_provinces

from . import public_texts, regulations_texts


@dataclass(frozen=True)
class ResultFormRow:
    """A power: what was typed of it, or stands there."""

    code: str
    power: str
    colour: str
    centres: str
    out: bool
    year: str
    farthest: str


@dataclass(frozen=True)
class ResultForm:
    """The whole form. `seen`: what stood there when it was filled in. `total`: what centres add up to."""

    rows: tuple[ResultFormRow, ...]
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


def result_form(event: Event, number: int, at: int, typed: QueryDict | None = None) -> ResultForm:
    """The form: as it was typed, or as the result stands."""
    held = event.rounds[number].boards[at]
    told = typed if typed is not None else _kept(event, number, held)
    asks_farthest = bool(
        regulations_texts.prizes_of_kind(event, regulations_texts.TRAVEL)
    ) and traveller.knows_homes(held.variant)
    return ResultForm(
        rows=tuple(_row(held, code, told) for code in held.seats),
        total=centre_count(held.variant),
        solo=solo_centres(held.variant),
        ended=told.get("ended", GameEnd.TIME),
        year=told.get("year", ""),
        winner=told.get("winner", ""),
        drawn=tuple(told.getlist("draw")),
        neutral=told.get("neutral", "0"),
        asks_years=regulations_texts.asks_elimination_years(event),
        asks_farthest=asks_farthest,
        places=tuple(typed_provinces.province_names(held.variant)) if asks_farthest else (),
        seen=told.get("seen", "") if typed is not None else result_mark(held),
    )


def result_mark(held: EventBoard) -> str:
    """What stands for the result as it is; "" for none."""
    return result_acts.result_digest(held.result) if held.result else ""


def _row(held: EventBoard, code: str, told: QueryDict) -> ResultFormRow:
    return ResultFormRow(
        code=code,
        power=public_texts.power_name(code, held.variant),
        colour=public_texts.power_colour(code, held.variant),
        centres=told.get(f"centres_{code}", ""),
        out=bool(told.get(f"out_{code}")),
        year=told.get(f"year_{code}", ""),
        farthest=told.get(f"farthest_{code}", ""),
    )


def _kept(event: Event, number: int, held: EventBoard) -> QueryDict:
    """What stands there, as a form would send it; where nothing does, the last year of the board."""
    told, result = QueryDict(mutable=True), held.result
    if result is None:
        ended, year = end_vote_rules.carried_vote_end(held) or (
            GameEnd.TIME,
            round_timing.last_year(event, number, held),
        )
        told.update({"ended": ended, "year": str(year)})
        return told
    told.update({"ended": result.ended, "winner": result.winner, "neutral": str(result.neutral)})
    told["year"] = str(result.year or round_timing.last_year(event, number, held))
    told.setlist("draw", list(result.draw))
    told.update({f"centres_{code}": str(count) for code, count in result.centres.items()})
    told.update({f"out_{code}": "1" for code in result.out})
    told.update({f"year_{code}": str(year) for code, year in result.eliminated_in.items()})
    reached = {
        code: public_texts.province_name(place, held.variant) for code, place in result.reached.items()
    }
    told.update({f"farthest_{code}": named for code, named in reached.items()})
    return told


def result_from_post(event: Event, number: int, at: int, posted: QueryDict) -> BoardResult:
    """What was typed, as a result; raises ActRefused. Whether it can be is for the act to say."""
    held = board_of(event, number, at)
    centres = {
        code: parse_whole_number(told, YEAR_DIGITS)
        for code in held.seats
        if (told := posted.get(f"centres_{code}", "").strip())
    }
    out = tuple(code for code in held.seats if posted.get(f"out_{code}") and centres.get(code))
    gone = [code for code in held.seats if code in out or centres.get(code) == 0]
    years = {
        code: parse_whole_number(told, YEAR_DIGITS)
        for code in gone
        if (told := posted.get(f"year_{code}", "").strip())
    }
    return BoardResult(
        centres=centres,
        ended=_ended(posted.get("ended", GameEnd.TIME)),
        year=parse_whole_number(told, YEAR_DIGITS) if (told := posted.get("year", "").strip()) else None,
        winner=posted.get("winner", "").strip(),
        draw=tuple(code for code in posted.getlist("draw") if code in held.seats),
        out=out,
        eliminated_in=years,
        reached=_reached(held, posted),
        neutral=parse_whole_number(posted.get("neutral", "").strip() or "0", YEAR_DIGITS),
    )


def _ended(told: str) -> GameEnd:
    return GameEnd(told) if told in list(GameEnd) else GameEnd.TIME


def _reached(held: EventBoard, posted: Mapping[str, str]) -> dict[str, str]:
    typed = {code: posted.get(f"farthest_{code}", "").strip() for code in held.seats}
    return {
        code: typed_provinces.province_from_text(held.variant, text) for code, text in typed.items() if text
    }
