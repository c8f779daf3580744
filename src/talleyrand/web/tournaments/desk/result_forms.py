"""The result of a board as a form: centres that add up, how the game ended, what the scoring asks for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from talleyrand.tournament import acts, board_rules, regulations
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import DESK_HAND, CorrectResult, EnterResult, result_digest
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import BoardResult, Event, EventBoard
from talleyrand.web.tournaments import linked_game, supply_centre_chart, tournament_names
from talleyrand.web.tournaments.result_form import ResultForm

from . import desk_texts
from .desk_views import DeskRequest
from .form_parsing import FormAction
from .playing_round_views import board_row

RESULT_ACTIONS = (EnterResult.kind, CorrectResult.kind)
NOW_PRESS, YEARS_PRESS = "centres_counted", "years_counted"


def result_builders(number: int, at: int) -> dict[str, Any]:
    """The buttons of the form."""
    return {
        EnterResult.kind: _enters(number, at),
        CorrectResult.kind: _corrects(number, at),
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


def _enters(number: int, at: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        return EnterResult(number, at, _posted_result(event, number, at, pressed), DESK_HAND)

    return build


def _corrects(number: int, at: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        return CorrectResult(number, at, _posted_result(event, number, at, pressed))

    return build


def _posted_result(event: Event, number: int, at: int, pressed: FormAction) -> BoardResult:
    return ResultForm(event, number, at, DESK_HAND, pressed.values).result()


def result_form_context(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    """The context of `result.html`."""
    event = visit.event
    held = event.rounds[number].boards[at]
    typed = visit.action.values if visit.action and visit.action.name in RESULT_ACTIONS else None
    form = ResultForm(event, number, at, DESK_HAND, typed)
    rules = regulations.read_regulations(event.regulations)
    system = regulations.scoring_system(rules)
    return {
        "result": _result_context(event, held, held.result) if held.result else None,
        "sheet": form,
        "more_open": typed is not None or form.says_more or system.asks_elimination_years,
        "following": _following(visit, number, at) if held.result else None,
        "centre_rows": [{**row, "person": _seated(event, held, row["code"])} for row in form.rows],
        "now_rows": [
            (
                f"centres.{power}",
                desk_texts.power_name(power),
                visit.typed_for(NOW_PRESS, f"centres.{power}", str(held.now.get(power, ""))),
            )
            for power in held.seats
        ],
        "concessions": rules.concessions,
        "provinces": tournament_names.province_names(held.variant),
        "game_over": linked_game.is_over(held),
        "years": supply_centre_chart.year_table(event, number, held),
        "year_sheet": _year_sheet(visit, held),
    }


def _following(visit: DeskRequest, number: int, at: int) -> dict[str, Any] | None:
    """The next board of the round without a result, and the way to its first field."""
    boards = visit.event.rounds[number].boards
    open_ones = [other for other, one in sorted(boards.items()) if one.counts and one.result is None]
    found = next((one for one in open_ones if one > at), min(open_ones, default=0))
    key = visit.viewer.tournament.key
    return board_row(visit.event, number, found, boards[found], key) if found else None


def _year_sheet(visit: DeskRequest, held: EventBoard) -> supply_centre_chart.YearForm:
    typed = visit.action if visit.action and visit.action.name == YEARS_PRESS else None
    return supply_centre_chart.year_form(
        held, typed.value if typed else None, visit.request.GET.get("year", "")
    )


def _result_context(event: Event, held: EventBoard, result: BoardResult) -> dict[str, Any]:
    return {
        "lines": [
            (desk_texts.power_name(power), _player(event, held, power), count, power in result.out)
            for power, count in result.centres.items()
        ],
        "neutral": result.neutral,
        "ended": tournament_names.ending_text(result.ended),
        "year": result.year,
        "winner": desk_texts.power_name(result.winner),
        "draw": ", ".join(map(desk_texts.power_name, result.draw)),
        "by": desk_texts.entered_by_name(event, result.by),
        "confirmed": desk_texts.entered_by_name(event, result.confirmed) if result.confirmed else "",
        "digest": result_digest(result),
    }


def _player(event: Event, held: EventBoard, power: str) -> str:
    if held.seats[power].person is None and power in board_rules.scripted_powers(held.variant):
        return _("follows its script")
    return desk_texts.person_name(event, held.seats[power].person)


def _seated(event: Event, held: EventBoard, power: str) -> str:
    who = held.seats[power].person
    return "" if who is None else desk_texts.person_name(event, who)
