"""A round being played: its clock, its boards, who comes late; and the notebook of rulings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import end_vote_rules, regulations, round_timing
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.clock_acts import SetBoardOffset, SetSeasonLength
from talleyrand.tournament.acts.ruling_acts import AddRuling, ChangeRuling
from talleyrand.tournament.acts.seating_acts import SeatLatecomer, people_unplaced, powers_for_latecomers
from talleyrand.tournament.board_rules import board_people, scripted_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import DirectorRuling, Event, EventBoard, EventRound, RoundState
from talleyrand.web import background
from talleyrand.web.tournaments import board_tables, linked_game
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts, form_parsing, round_tables
from .arrival_views import round_or_404, round_steps
from .desk_views import DeskRequest, desk_response, for_desk
from .form_fields import FormFields
from .form_parsing import FormAction
from .overview_views import next_step, unconfirmed_boards

MINUTE = 60
RUNNING_ROUND_STATES = (RoundState.DRAFT, RoundState.PLAYING)


@for_desk
def boards_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """All boards of a round, the clock, and who has no seat."""
    round_or_404(sight.event, number)
    builders = {"late": _late(number), "length": _length(number), "offset": _offset(number)}

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return _boards(visit, number)

    answer = round_tables.tables_response(request, sight, number, shown) or desk_response(
        request, sight, "boards.html", shown, builders=builders, way=_way(request, sight, number)
    )
    if request.method == "POST":
        background.run_soon(board_tables.ROUND_JOB)
    return answer


def _way(request: HttpRequest, sight: TournamentViewer, number: int) -> Any:
    """Back to the boards; of a latecomer to a board with a game on this site, on to that board's page."""

    def way(entry: JournalEntry | None) -> str:
        late = [one for one in entry.acts if one["kind"] == SeatLatecomer.kind] if entry else []
        at = int(late[0]["board"]) if late else 0
        if not late or not sight.event.rounds[number].boards[at].game:
            return request.get_full_path()
        return reverse("tournaments:desk_board", args=[sight.tournament.key, number, at]) + "#game"

    return way


def _late(number: int) -> Any:
    """A latecomer in a seat: "2 TURKEY"."""

    def build(event: Event, pressed: FormAction) -> EventAct:
        board, _blank, power = pressed.value("seat").partition(" ")
        if not power:
            raise ActRefused("act_one_seat")
        at, person = form_parsing.signed_whole_number(board), pressed.number("person")
        check_apart(event, number, at, person)
        missed = (
            pressed.number("missed") if pressed.value("missed").strip() else seasons_over(event, number, at)
        )
        return SeatLatecomer(number, at, power, person, missed, act_time())

    return build


def seasons_over(event: Event, number: int, at: int) -> int:
    """Seasons over by the game of the board, where it is played on this site; otherwise by the clock."""
    held = event.rounds[number].boards.get(at)
    told = linked_game.seasons_over(held) if held else None
    return seasons_over_by_clock(event, number) if told is None else told


def check_apart(event: Event, number: int, at: int, person: int) -> None:
    """Refused (`act_kept_apart`) for who is never to sit with somebody of a board."""
    board = event.rounds[number].boards.get(at)
    for other in board_people(board) if board else ():
        if tuple(sorted((person, other))) in event.apart:
            names = {
                "one": desk_texts.person_name(event, person),
                "other": desk_texts.person_name(event, other),
            }
            raise ActRefused("act_kept_apart", **names)


def _length(number: int) -> Any:
    def build(_event: Event, pressed: FormAction) -> EventAct:
        minutes = pressed.value("minutes").strip()
        seconds = form_parsing.signed_whole_number(minutes) * MINUTE if minutes else None
        return SetSeasonLength(number, pressed.number("season"), act_time(), seconds)

    return build


def _offset(number: int) -> Any:
    def build(_event: Event, pressed: FormAction) -> EventAct:
        return SetBoardOffset(number, pressed.number("board"), pressed.number("minutes") * MINUTE)

    return build


def _boards(visit: DeskRequest, number: int) -> dict[str, Any]:
    event, key = visit.event, visit.viewer.tournament.key
    one = round_or_404(event, number)
    left = people_unplaced(one) if one.state in RUNNING_ROUND_STATES else []
    return {
        **round_steps(visit, number, "boards"),
        "clock": clock_context(event, number) if one.state in RUNNING_ROUND_STATES else None,
        "boards": [board_row(event, number, at, board, key) for at, board in sorted(one.boards.items())],
        "step": next_step(event, number, key) if one.state is RoundState.PLAYING else None,
        "unconfirmed": unconfirmed_boards(one),
        **round_tables.tables_context(one),
        "unplaced": [
            (who, desk_texts.person_name(event, who)) for who in desk_texts.alphabetical(event, left)
        ],
        "late_seats": seats_for_latecomers(event, one),
        "late_people": _late_people(event, one),
        "missed": FormFields(visit, "late").field(
            "missed",
            _("Seasons missed"),
            "",
            "number",
            hint=_("if left empty: from the clock, or from the game on this site"),
        ),
    }


def seasons_over_by_clock(event: Event, number: int) -> int:
    """How many seasons are over by the clock; a latecomer sits down in the next one."""
    one = event.rounds[number]
    if one.state not in RUNNING_ROUND_STATES or (not one.clock.started and not one.clock.elapsed):
        return one.clock.season
    return round_timing.read_clock(event, number, act_time()).season


def seats_for_latecomers(event: Event, one: EventRound) -> list[tuple[str, str]]:
    """Seats that a latecomer may take: a power played by script, or one of two seats of one person."""
    return [
        (f"{at} {power}", _seat_words(event, at, board, power))
        for at, board in sorted(one.boards.items())
        if board.result is None
        for power in powers_for_latecomers(one, at)
    ]


def _seat_words(event: Event, at: int, board: EventBoard, power: str) -> str:
    who = board.seats[power].person
    facts = {
        "power": desk_texts.power_name(power),
        "board": at,
        "name": desk_texts.person_name(event, who) if who else "",
    }
    if who is None and power in scripted_powers(board.variant):
        return _("%(power)s, board %(board)s: follows its script") % facts
    if who is None:
        return _("%(power)s, board %(board)s: nobody") % facts
    return _("%(power)s, board %(board)s: one of the two seats of %(name)s") % facts


def _late_people(event: Event, one: EventRound) -> list[tuple[int, str]]:
    """Who might come late, those present without a seat first."""
    left = desk_texts.alphabetical(event, people_unplaced(one)) if one.state in RUNNING_ROUND_STATES else []
    seated = set(one.present) - set(left) - set(one.resting)
    others = [
        at
        for at in desk_texts.alphabetical(event)
        if at not in left and at not in seated and not event.people[at].gone
    ]
    return [(at, desk_texts.person_name(event, at)) for at in (*left, *others)]


def clock_context(event: Event, number: int) -> dict[str, Any]:
    """What the clock of a round shows now, and what can be done to it."""
    one, told = event.rounds[number], round_timing.read_clock(event, number, act_time())
    rule = round_timing.round_rule(regulations.read_regulations(event.regulations), number)
    return {
        "season": told.season,
        "names": desk_texts.season_names(told.seasons),
        "remaining": f"{told.remaining // MINUTE}:{told.remaining % MINUTE:02}",
        "seconds": told.remaining,
        "length": told.length // MINUTE,
        "running": told.running,
        "over": told.over,
        "writing": told.writing and told.running,
        "begun": bool(one.clock.started or one.clock.elapsed or one.clock.season),
        "usual": (rule.hours.spring // MINUTE, rule.hours.autumn // MINUTE),
        "last_year": round_timing.last_year(event, number),
        "planned": round_timing.planned_duration(event, number) // MINUTE,
    }


def board_row(event: Event, number: int, at: int, board: EventBoard, key: str) -> dict[str, Any]:
    """A board in a line: where it is, who plays, what is known of its end."""
    result = board.result
    return {
        "number": at,
        "way": reverse("tournaments:desk_board", args=[key, number, at])
        + ("" if result else f"#centres-{next(iter(board.seats), '')}"),
        "variant": desk_texts.variant_name(board.variant),
        "place": board.place,
        "final": board.final,
        "counts": board.counts,
        "offset": board.offset // MINUTE,
        "last_year": round_timing.last_year(event, number, board),
        "seats": [seat_row(event, board, power) for power in board.seats],
        "result": result,
        "by": desk_texts.entered_by_name(event, result.by) if result else "",
        "confirmed": desk_texts.entered_by_name(event, result.confirmed)
        if result and result.confirmed
        else "",
        "votes": any(vote.state in end_vote_rules.OPEN_STATES for vote in board.votes.values()),
    }


def seat_row(event: Event, board: EventBoard, power: str) -> dict[str, Any]:
    """A seat in words."""
    seat, result = board.seats[power], board.result
    return {
        "code": power,
        "power": desk_texts.power_name(power),
        "name": desk_texts.person_name(event, seat.person) if seat.person is not None else "",
        "person": seat.person,
        "scripted": seat.person is None and power in scripted_powers(board.variant),
        "missed": seat.missed,
        "reliefs": [
            {"name": desk_texts.person_name(event, one.person), "person": one.person, "seasons": one.seasons}
            for one in seat.reliefs
        ],
        "centres": result.centres.get(power) if result else None,
    }


@for_desk
def rulings_page(request: HttpRequest, sight: TournamentViewer) -> HttpResponse:
    """Rulings, for all who help to rule alike."""
    builders = {
        "ruling": lambda _event, pressed: AddRuling(_ruling(pressed, act_time())),
        "ruling_changed": _changes,
    }
    return desk_response(request, sight, "notebook.html", _notebook, builders=builders)


def _ruling(pressed: FormAction, at: str) -> DirectorRuling:
    number, _blank, board = pressed.value("where").partition(" ")
    return DirectorRuling(
        at,
        pressed.value("text"),
        form_parsing.signed_whole_number(number) if number else 0,
        form_parsing.signed_whole_number(board) if board else 0,
        bool(pressed.value("shown")),
    )


def _changes(event: Event, pressed: FormAction) -> EventAct:
    number = pressed.number("number")
    known = event.rulings.get(number)
    return ChangeRuling(number, _ruling(pressed, known.at if known else act_time()))


def _notebook(visit: DeskRequest) -> dict[str, Any]:
    event, form = visit.event, FormFields(visit, "ruling")
    places = list(_places(event))
    return {
        "section": "notebook",
        "rulings": [
            _noted(visit, at, one, places) for at, one in sorted(event.rulings.items(), reverse=True)
        ],
        "new_text": form.field("text", _("Ruling"), kind="area", required=True),
        "new_where": form.field("where", _("Where"), kind="select", options=[("", "–"), *places]),
        "new_shown": form.check("shown", _("Shown to everyone"), kept=False),
    }


def _noted(
    visit: DeskRequest, number: int, one: DirectorRuling, places: list[tuple[str, str]]
) -> dict[str, Any]:
    form, where = (
        FormFields(visit, "ruling_changed"),
        f"{one.round} {one.board}" if one.board else str(one.round),
    )
    mine = visit.action is None or visit.action.value("number") == str(number)
    kept = FormFields(visit if mine else DeskRequest(visit.request, visit.viewer), form.action_name)
    prefix = f"ruling_changed-{number}"
    fields = [
        kept.field("text", _("Ruling"), one.text, "area"),
        kept.field("where", _("Where"), where, "select", options=[("", "–"), *places]),
        kept.check("shown", _("Shown to everyone"), one.shown),
    ]
    return {
        "number": number,
        "hour": desk_texts.short_time(visit.event, one.at),
        "text": one.text,
        "where": dict(places).get(where, ""),
        "shown": one.shown,
        "fields": [field.within(prefix) for field in fields],
    }


def _places(event: Event) -> Any:
    for at, one in sorted(event.rounds.items()):
        yield str(at), desk_texts.round_name(at)
        for board in sorted(one.boards):
            yield (
                f"{at} {board}",
                _("Round %(number)s, board %(board)s") % {"number": at, "board": board},
            )
