"""The result of a board as a form: centres that add up, how the game ended, what the scoring asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import acts, board_rules, end_vote_rules, regulations, round_timing
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import DESK_HAND, result_digest
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import BoardResult, Event, EventBoard, GameEnd
from talleyrand.web.tournaments import linked_game, supply_centre_chart, typed_provinces

from . import desk_texts, form_parsing
from .desk_views import DeskRequest, act_time
from .form_fields import DeskFormField, FormFields
from .form_parsing import FormAction

RESULT_ACTIONS = ("result_entered", "result_corrected")
REACHED_PREFIX = "result.reached."
NOW_PRESS, YEARS_PRESS = "centres_counted", "years_counted"


def result_builders(number: int, at: int) -> dict[str, Any]:
    """The buttons of the form."""
    return {
        **{kind: _enters(number, at, kind) for kind in RESULT_ACTIONS},
        "taken": lambda event, _pressed: linked_game.take_result_acts(event, number, at),
        YEARS_PRESS: _counts(number, at),
        "years_taken": _takes_years(number, at),
    }


def _counts(number: int, at: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        held = acts.act.find_board(event, number, at)
        return supply_centre_chart.count_years_act_from_form(held, (number, at), pressed.value, DESK_HAND)

    return build


def _takes_years(number: int, at: int) -> Any:
    """Of a game on this site, over or not."""

    def build(event: Event, _pressed: FormAction) -> EventAct:
        held = acts.act.find_board(event, number, at)
        last = held.result.year if held.result else None
        years = {year: one for year, one in linked_game.years_of(held).items() if last is None or year < last}
        if not years:
            raise ActRefused("act_game_no_year")
        return linked_game.count_years_act(number, at, held, years)

    return build


def _enters(number: int, at: int, kind: str) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        held = acts.act.find_board(event, number, at)
        typed = {**pressed.values, "round": (str(number),), "board": (str(at),), "by": ("desk",)}
        for field, found in pressed.values.items():
            if field.startswith(REACHED_PREFIX):
                typed[field] = (typed_provinces.province_from_text(held.variant, found[-1]),)
        return form_parsing.act_from_form(FormAction(kind, typed), act_time())

    return build


def result_form_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `result.html`."""
    event = visit.event
    held = event.rounds[number].boards[at]
    result, press = held.result, _press(visit)
    made = FormFields(visit, press)
    return {
        "result_press": press,
        "result_seen": result_digest(result) if result else "",
        "result": _told(event, held, result) if result else None,
        "total": board_rules.centre_count(held.variant),
        "solo": board_rules.solo_centres(held.variant),
        "centre_rows": [_row(event, made, held, result, power) for power in held.seats],
        "now_rows": [
            (
                f"centres.{power}",
                desk_texts.power_name(power),
                visit.typed_for(NOW_PRESS, f"centres.{power}", str(held.now.get(power, ""))),
            )
            for power in held.seats
        ],
        "neutral": made.field(
            "result.neutral", _("Neutral centres"), str(result.neutral if result else 0), "number"
        ),
        "ending": _ending(visit, made, number, held, result),
        "provinces": typed_provinces.province_names(held.variant),
        "game_over": linked_game.is_over(held),
        "years": supply_centre_chart.year_table(event, number, held),
        "year_sheet": _year_sheet(visit, held),
    }


def _year_sheet(visit: DeskRequest, held: EventBoard) -> supply_centre_chart.YearForm:
    typed = visit.action if visit.action and visit.action.name == YEARS_PRESS else None
    return supply_centre_chart.year_form(
        held, typed.value if typed else None, visit.request.GET.get("year", "")
    )


def _press(visit: DeskRequest) -> str:
    """The button of the form that was typed in, so that both show what was typed."""
    return visit.action.name if visit.action and visit.action.name in RESULT_ACTIONS else RESULT_ACTIONS[1]


def _told(event: Event, held: EventBoard, result: BoardResult) -> dict[str, Any]:
    return {
        "lines": [
            (desk_texts.power_name(power), _player(event, held, power), count, power in result.out)
            for power, count in result.centres.items()
        ],
        "neutral": result.neutral,
        "ended": ending_name(result.ended),
        "year": result.year,
        "winner": desk_texts.power_name(result.winner),
        "draw": ", ".join(map(desk_texts.power_name, result.draw)),
        "by": desk_texts.entered_by_name(event, result.by),
        "confirmed": desk_texts.entered_by_name(event, result.confirmed) if result.confirmed else "",
        "digest": result_digest(result),
    }


def _player(event: Event, held: EventBoard, power: str) -> str:
    who = held.seats[power].person
    if who is None and power in board_rules.scripted_powers(held.variant):
        return _("follows its script")
    return desk_texts.person_name(event, who)


def _row(
    event: Event, made: FormFields, held: EventBoard, result: BoardResult | None, power: str
) -> dict[str, Any]:
    """The fields of a power: centres, farthest province, year out, out all the same, in the draw."""
    kept = _kept(held, result, power)
    prefix = "result"
    seat = held.seats[power]
    visit = made.desk_request
    typed = visit.action if visit.action and visit.action.name == made.action_name else None
    out = power in (typed.values.get("result.out", ()) if typed else result.out if result else ())
    draw = power in (typed.values.get("result.draw", ()) if typed else result.draw if result else ())
    return {
        "power": power,
        "label": desk_texts.power_name(power),
        "name": desk_texts.person_name(event, seat.person) if seat.person is not None else "",
        "centres": made.field(
            f"{prefix}.centres.{power}", desk_texts.power_name(power), kept["centres"], "number"
        ),
        "year": made.field(f"{prefix}.eliminated_in.{power}", _("Out in"), kept["year"], "number"),
        "reached": made.field(f"{REACHED_PREFIX}{power}", _("Farthest"), kept["reached"]),
        "out": out,
        "draw": draw,
    }


def _kept(held: EventBoard, result: BoardResult | None, power: str) -> Mapping[str, str]:
    if result is None:
        return {"centres": "", "year": "", "reached": ""}
    reached = result.reached.get(power, "")
    return {
        "centres": str(result.centres.get(power, "")),
        "year": str(result.eliminated_in.get(power, "")),
        "reached": desk_texts.province_name(reached, held.variant) if reached else "",
    }


def ending_name(ended: GameEnd) -> str:
    """How a game ended."""
    return {
        GameEnd.TIME: _("after the last year"),
        GameEnd.SOLO: _("solo victory"),
        GameEnd.VOTE: _("ended by vote"),
        GameEnd.CONCEDED: _("conceded"),
        GameEnd.STOPPED: _("stopped by the director"),
    }[ended]


def _ending(
    visit: DeskRequest, made: FormFields, number: int, held: EventBoard, result: BoardResult | None
) -> list[DeskFormField]:
    ended, last = end_vote_rules.carried_vote_end(held) or (
        GameEnd.TIME,
        round_timing.last_year(visit.event, number, held),
    )
    year = str(result.year or "") if result else str(last)
    powers = [("", "–"), *((power, desk_texts.power_name(power)) for power in held.seats)]
    return [
        made.field(
            "result.ended",
            _("How the game ended"),
            result.ended if result else ended,
            "select",
            options=[(one.value, ending_name(one)) for one in GameEnd],
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
    if regulations.read_regulations(event.regulations).concessions:
        return ""
    return _("Under these regulations, a conceded game counts by its centres.")
