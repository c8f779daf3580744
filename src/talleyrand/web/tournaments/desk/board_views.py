"""One board: who sits there, who takes over, what is said of it, its result, votes on its end."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import round_timing
from talleyrand.tournament.acts.act import EventAct, find_seat
from talleyrand.tournament.acts.seating_acts import CorrectSeat, ReplaceNoShow, ReplacePlayer
from talleyrand.tournament.board_rules import board_people
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import FIRST_YEAR, Event, EventBoard, EventRound, RoundState, SeatReplacement
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments import board_photos
from talleyrand.web.tournaments.event_times import act_time
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts, end_vote_forms, linked_game_panel, prize_forms, result_forms
from .arrival_views import round_steps
from .desk_views import DeskRequest, desk_response, edit_mark, for_desk
from .form_fields import FormFields
from .form_parsing import FormAction
from .playing_round_views import board_row, check_apart, seasons_over


@for_desk
def desk_board_page(request: HttpRequest, sight: TournamentViewer, number: int, board: int) -> HttpResponse:
    """Everything of one board."""
    held = desk_board_or_404(sight.event, number, board)
    builders = {
        "no_show": _no_show(number, board),
        "relieve": _relieves(number, board),
        "seat": _corrects(number, board),
        **result_forms.result_builders(number, board),
        **end_vote_forms.end_vote_builders(number, board),
        **prize_forms.prize_ballot_builders(number, board),
    }
    every = reverse("tournaments:desk_boards", args=[sight.tournament.key, number])

    def way(entry: JournalEntry | None) -> str:
        gone = entry is not None and any(one["kind"] == "board_dropped" for one in entry.acts)
        return every if gone else request.path

    def shown(visit: DeskRequest) -> dict[str, Any]:
        return _board(visit, number, board)

    seated = linked_game_panel.linked_game_response(request, sight, held, shown)
    return seated or desk_response(request, sight, "board.html", shown, builders=builders, way=way)


def desk_board_or_404(event: Event, number: int, at: int) -> EventBoard:
    """A board that there is; another one does not exist."""
    if number not in event.rounds or at not in event.rounds[number].boards:
        raise Http404
    return event.rounds[number].boards[at]


def _no_show(number: int, at: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        who = pressed.value("person")
        missed = pressed.number("missed") if pressed.value("missed").strip() else 0
        person = pressed.number("person") if who else None
        if person is not None:
            check_apart(event, number, at, person)
        return ReplaceNoShow(number, at, pressed.value("power"), act_time(), person, missed)

    return build


def _relieves(number: int, at: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        if not pressed.value("person"):
            raise ActRefused("act_nobody")
        power, person = pressed.value("power"), pressed.number("person")
        check_apart(event, number, at, person)
        told = pressed.value("seasons").strip()
        seasons = pressed.number("seasons") if told else _seasons_left(event, number, at)
        return ReplacePlayer(number, at, power, person, seasons, act_time())

    return build


def _seasons_left(event: Event, number: int, at: int) -> int:
    """How many seasons of a board are still to come, by its game or the clock, and its last year."""
    years = round_timing.last_year(event, number, event.rounds[number].boards[at]) - FIRST_YEAR + 1
    return max(0, 2 * years - seasons_over(event, number, at))


def _corrects(number: int, at: int) -> Any:
    """Seasons missed, and those each newcomer played; a newcomer without a number was a mistake."""

    def build(event: Event, pressed: FormAction) -> EventAct:
        power = pressed.value("power")
        seat = find_seat(event, number, at, power)
        told = [
            (one, pressed.value(f"seasons.{place}", str(one.seasons)))
            for place, one in enumerate(seat.reliefs)
        ]
        kept = [
            SeatReplacement(one.person, pressed.number(f"seasons.{place}") if text.strip() else 0)
            for place, (one, text) in enumerate(told)
            if text.strip()
        ]
        return CorrectSeat(number, at, power, pressed.number("missed"), tuple(kept))

    return build


def _board(visit: DeskRequest, number: int, at: int) -> dict[str, Any]:
    event, key = visit.event, visit.viewer.tournament.key
    held = desk_board_or_404(event, number, at)
    one = event.rounds[number]
    return {
        **round_steps(visit, number, "boards"),
        "board": board_row(event, number, at, held, key),
        "held": held,
        "seen": edit_mark(event, f"rounds.{number}.boards.{at}"),
        "idle": people_without_seat(event, one),
        "seasons_left": _seasons_left(event, number, at),
        "taking": _taking(visit),
        "about": _about(visit, held),
        "offset": str(held.offset // 60),
        "playing": one.state is RoundState.PLAYING,
        "may_seat": one.state in (RoundState.DRAFT, RoundState.PLAYING) and held.result is None,
        "may_result": one.state in (RoundState.PLAYING, RoundState.CLOSED),
        "notes": [
            (desk_texts.short_time(event, note.at), note.text)
            for note in event.rulings.values()
            if (note.round, note.board) == (number, at)
        ],
        **result_forms.result_form_context(visit, number, at),
        **board_photos.photo_panel_context(visit.viewer, number, at),
        **end_vote_forms.end_vote_context(visit, number, at),
        **prize_forms.prize_ballot_context(visit, number, at),
        **linked_game_panel.linked_game_context(visit, number, at),
    }


def _taking(visit: DeskRequest) -> dict[str, Any]:
    """What was typed of a seat that somebody was to take, where that was refused."""
    pressed = visit.action
    if pressed is None or not visit.refusal_text or pressed.name not in ("no_show", "relieve"):
        return {}
    return {
        "power": pressed.value("power"),
        "person": parse_natural(pressed.value("person")) or 0,
        "seasons": pressed.value("seasons"),
    }


def people_without_seat(event: Event, one: EventRound) -> list[tuple[int, str]]:
    """Who might take a seat: those there without one first, then the others."""
    sat = {who for board in one.boards.values() if board.result is None for who in board_people(board)}
    here = [at for at in desk_texts.alphabetical(event, one.present) if at not in sat]
    away = [
        at for at in desk_texts.alphabetical(event) if at not in one.present and not event.people[at].gone
    ]
    return [(at, desk_texts.person_name(event, at)) for at in (*here, *away)]


def _about(visit: DeskRequest, held: EventBoard) -> list[Any]:
    form = FormFields(visit, "board_changed")
    year = str(held.last_year) if held.last_year else ""
    return [
        form.field("place", _("Location"), held.place),
        form.field(
            "last_year",
            _("Last year, if different"),
            year,
            "number",
            hint=_("0: same as the round. Shortening a game does not change any coefficient."),
        ),
        form.field("game", _("Game on this site"), held.game, hint=_("The last part of the game’s address.")),
        form.check("counts", _("Its points count"), held.counts),
    ]
