"""The result of a board as a form: centres that add up, how the game ended, what the scoring asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import acts, boards, endvotes, regulations, timing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.results import DESK, digest
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Ended, Event, Result
from talleyrand.web.tournaments import gamed, provinces, yearly

from . import pressing, words
from .doors import Visit, now
from .fields import Field, Form
from .pressing import Pressed

KINDS = ("result_entered", "result_corrected")
REACHED = "result.reached."
NOW_PRESS, YEARS_PRESS = "centres_counted", "years_counted"


def builders(number: int, at: int) -> dict[str, Any]:
    """The buttons of the form."""
    return {
        **{kind: _enters(number, at, kind) for kind in KINDS},
        "taken": lambda event, _pressed: gamed.taking(event, number, at),
        YEARS_PRESS: _counts(number, at),
        "years_taken": _takes_years(number, at),
    }


def _counts(number: int, at: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        held = acts.act.board(event, number, at)
        return yearly.read(held, (number, at), pressed.get, DESK)

    return build


def _takes_years(number: int, at: int) -> Any:
    """Of a game on this site, over or not."""

    def build(event: Event, _pressed: Pressed) -> Act:
        held = acts.act.board(event, number, at)
        last = held.result.year if held.result else None
        years = {year: one for year, one in gamed.years_of(held).items() if last is None or year < last}
        if not years:
            raise Refused("act_game_no_year")
        return gamed.counting(number, at, held, years)

    return build


def _enters(number: int, at: int, kind: str) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        held = acts.act.board(event, number, at)
        typed = {**pressed.typed, "round": (str(number),), "board": (str(at),), "by": ("desk",)}
        for field, found in pressed.typed.items():
            if field.startswith(REACHED):
                typed[field] = (provinces.code_of(held.variant, found[-1]),)
        return pressing.act_of(Pressed(kind, typed), now())

    return build


def form(visit: Visit, number: int, at: int) -> dict[str, Any]:
    """The context of `result.html`."""
    event = visit.event
    held = event.rounds[number].boards[at]
    result, press = held.result, _press(visit)
    made = Form(visit, press)
    return {
        "result_press": press,
        "result_seen": digest(result) if result else "",
        "result": _told(event, held, result) if result else None,
        "total": boards.centres_of(held.variant),
        "solo": boards.solo_of(held.variant),
        "centre_rows": [_row(event, made, held, result, power) for power in held.seats],
        "now_rows": [
            (
                f"centres.{power}",
                words.power(power),
                visit.typed_for(NOW_PRESS, f"centres.{power}", _now(held, power)),
            )
            for power in held.seats
        ],
        "neutral": made.field(
            "result.neutral", _("Neutral centres"), str(result.neutral if result else 0), "number"
        ),
        "ending": _ending(visit, made, number, held, result),
        "provinces": provinces.names(held.variant),
        "game_over": gamed.is_over(held),
        "years": yearly.table(event, number, held),
        "year_sheet": _year_sheet(visit, held),
    }


def _year_sheet(visit: Visit, held: Board) -> yearly.Sheet:
    typed = visit.pressed if visit.pressed and visit.pressed.name == YEARS_PRESS else None
    return yearly.sheet(held, typed.get if typed else None, visit.request.GET.get("year", ""))


def _now(held: Board, power: str) -> str:
    return str(held.now.get(power, ""))


def _press(visit: Visit) -> str:
    """The button of the form that was typed in, so that both show what was typed."""
    return visit.pressed.name if visit.pressed and visit.pressed.name in KINDS else KINDS[1]


def _told(event: Event, held: Board, result: Result) -> dict[str, Any]:
    return {
        "lines": [
            (words.power(power), _player(event, held, power), count, power in result.out)
            for power, count in result.centres.items()
        ],
        "neutral": result.neutral,
        "ended": ended_name(result.ended),
        "year": result.year,
        "winner": words.power(result.winner),
        "draw": ", ".join(map(words.power, result.draw)),
        "by": words.by_name(event, result.by),
        "confirmed": words.by_name(event, result.confirmed) if result.confirmed else "",
        "digest": digest(result),
    }


def _player(event: Event, held: Board, power: str) -> str:
    who = held.seats[power].person
    if who is None and power in boards.scripted_of(held.variant):
        return _("plays by its script")
    return words.name_of(event, who)


def _row(event: Event, made: Form, held: Board, result: Result | None, power: str) -> dict[str, Any]:
    """The fields of a power: centres, farthest province, year out, out all the same, in the draw."""
    kept = _kept(held, result, power)
    prefix = "result"
    seat = held.seats[power]
    visit = made.visit
    typed = visit.pressed if visit.pressed and visit.pressed.name == made.press else None
    out = power in (typed.typed.get("result.out", ()) if typed else result.out if result else ())
    draw = power in (typed.typed.get("result.draw", ()) if typed else result.draw if result else ())
    return {
        "power": power,
        "label": words.power(power),
        "name": words.name_of(event, seat.person) if seat.person is not None else "",
        "centres": made.field(f"{prefix}.centres.{power}", words.power(power), kept["centres"], "number"),
        "year": made.field(f"{prefix}.eliminated_in.{power}", _("Out in"), kept["year"], "number"),
        "reached": made.field(f"{REACHED}{power}", _("Farthest"), kept["reached"]),
        "out": out,
        "draw": draw,
    }


def _kept(held: Board, result: Result | None, power: str) -> Mapping[str, str]:
    if result is None:
        return {"centres": "", "year": "", "reached": ""}
    reached = result.reached.get(power, "")
    return {
        "centres": str(result.centres.get(power, "")),
        "year": str(result.eliminated_in.get(power, "")),
        "reached": words.province(reached, held.variant) if reached else "",
    }


def ended_name(ended: Ended) -> str:
    """How a game ended."""
    return {
        Ended.TIME: _("after its last year"),
        Ended.SOLO: _("won alone"),
        Ended.VOTE: _("by vote"),
        Ended.CONCEDED: _("conceded to one power"),
        Ended.STOPPED: _("shortened by the director"),
    }[ended]


def _ending(visit: Visit, made: Form, number: int, held: Board, result: Result | None) -> list[Field]:
    ended, last = endvotes.ending(held) or (Ended.TIME, timing.last_year(visit.event, number, held))
    year = str(result.year or "") if result else str(last)
    powers = [("", "–"), *((power, words.power(power)) for power in held.seats)]
    return [
        made.field(
            "result.ended",
            _("How it ended"),
            result.ended if result else ended,
            "select",
            options=[(one.value, ended_name(one)) for one in Ended],
        ),
        made.field("result.year", _("Last year played"), year, "number"),
        made.field(
            "result.winner",
            _("Conceded to"),
            result.winner if result else "",
            "select",
            hint=_conceding(visit.event),
            options=powers,
        ),
    ]


def _conceding(event: Event) -> str:
    if regulations.read(event.regulations).concessions:
        return ""
    return _("By these regulations a game that was conceded counts by its centres.")
