"""One board: who sits there, who takes over, what is said of it, its result, votes on its end."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import timing
from talleyrand.tournament.acts.act import Act, seat_of
from talleyrand.tournament.acts.seats import CorrectSeat, NoShow, Relieve
from talleyrand.tournament.boards import people_at
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import FIRST_YEAR, Board, Event, Relief, Round, RoundState
from talleyrand.tournament.numbers import natural
from talleyrand.web.tournaments import photos
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import game_panel, prize_giving, results, votes, words
from .doors import Visit, answer, at_desk, now, seen
from .fields import Form
from .playing_pages import board_row, check_apart, seasons_over
from .pressing import Pressed
from .round_pages import steps


@at_desk
def board(request: HttpRequest, sight: Sight, number: int, board: int) -> HttpResponse:
    """Everything of one board."""
    held = check_board(sight.event, number, board)
    builders = {
        "no_show": _no_show(number, board),
        "relieve": _relieves(number, board),
        "seat": _corrects(number, board),
        **results.builders(number, board),
        **votes.builders(number, board),
        **prize_giving.builders(number, board),
    }
    every = reverse("tournaments:desk_boards", args=[sight.tournament.key, number])

    def way(entry: Entry | None) -> str:
        gone = entry is not None and any(one["kind"] == "board_dropped" for one in entry.acts)
        return every if gone else request.path

    def shown(visit: Visit) -> dict[str, Any]:
        return _board(visit, number, board)

    seated = game_panel.pressed(request, sight, held, shown)
    return seated or answer(request, sight, "board.html", shown, builders=builders, way=way)


def check_board(event: Event, number: int, at: int) -> Board:
    """A board that there is; another one does not exist."""
    if number not in event.rounds or at not in event.rounds[number].boards:
        raise Http404
    return event.rounds[number].boards[at]


def _no_show(number: int, at: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        who = pressed.get("person")
        missed = pressed.number("missed") if pressed.get("missed").strip() else 0
        person = pressed.number("person") if who else None
        if person is not None:
            check_apart(event, number, at, person)
        return NoShow(number, at, pressed.get("power"), now(), person, missed)

    return build


def _relieves(number: int, at: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        if not pressed.get("person"):
            raise Refused("act_nobody")
        power, person = pressed.get("power"), pressed.number("person")
        check_apart(event, number, at, person)
        told = pressed.get("seasons").strip()
        seasons = pressed.number("seasons") if told else _seasons_left(event, number, at)
        return Relieve(number, at, power, person, seasons, now())

    return build


def _seasons_left(event: Event, number: int, at: int) -> int:
    """How many seasons of a board are still to come, by its game or the clock, and its last year."""
    years = timing.last_year(event, number, event.rounds[number].boards[at]) - FIRST_YEAR + 1
    return max(0, 2 * years - seasons_over(event, number, at))


def _corrects(number: int, at: int) -> Any:
    """Seasons missed, and those each newcomer played; a newcomer without a number was a mistake."""

    def build(event: Event, pressed: Pressed) -> Act:
        power = pressed.get("power")
        seat = seat_of(event, number, at, power)
        told = [
            (one, pressed.get(f"seasons.{place}", str(one.seasons))) for place, one in enumerate(seat.reliefs)
        ]
        kept = [
            Relief(one.person, pressed.number(f"seasons.{place}") if text.strip() else 0)
            for place, (one, text) in enumerate(told)
            if text.strip()
        ]
        return CorrectSeat(number, at, power, pressed.number("missed"), tuple(kept))

    return build


def _board(visit: Visit, number: int, at: int) -> dict[str, Any]:
    event, key = visit.event, visit.sight.tournament.key
    held = check_board(event, number, at)
    one = event.rounds[number]
    return {
        **steps(visit, number, "boards"),
        "board": board_row(event, number, at, held, key),
        "held": held,
        "seen": seen(event, f"rounds.{number}.boards.{at}"),
        "idle": idle(event, one),
        "seasons_left": _seasons_left(event, number, at),
        "taking": _taking(visit),
        "about": _about(visit, held),
        "offset": str(held.offset // 60),
        "playing": one.state is RoundState.PLAYING,
        "may_seat": one.state in (RoundState.DRAFT, RoundState.PLAYING) and held.result is None,
        "may_result": one.state in (RoundState.PLAYING, RoundState.CLOSED),
        "notes": [
            (words.hour(event, note.at), note.text)
            for note in event.rulings.values()
            if (note.round, note.board) == (number, at)
        ],
        **results.form(visit, number, at),
        **photos.panel(visit.sight, number, at),
        **votes.shown(visit, number, at),
        **prize_giving.shown(visit, number, at),
        **game_panel.shown(visit, number, at),
    }


def _taking(visit: Visit) -> dict[str, Any]:
    """What was typed of a seat that somebody was to take, where that was refused."""
    pressed = visit.pressed
    if pressed is None or not visit.refused or pressed.name not in ("no_show", "relieve"):
        return {}
    return {
        "power": pressed.get("power"),
        "person": natural(pressed.get("person")) or 0,
        "seasons": pressed.get("seasons"),
    }


def idle(event: Event, one: Round) -> list[tuple[int, str]]:
    """Who might take a seat: those there without one first, then the others."""
    sat = {who for board in one.boards.values() if board.result is None for who in people_at(board)}
    here = [at for at in words.in_order(event, one.present) if at not in sat]
    away = [at for at in words.in_order(event) if at not in one.present and not event.people[at].gone]
    return [(at, words.name_of(event, at)) for at in (*here, *away)]


def _about(visit: Visit, held: Board) -> list[Any]:
    form = Form(visit, "board_changed")
    year = str(held.last_year) if held.last_year else ""
    return [
        form.field("place", _("Where it stands"), held.place),
        form.field(
            "last_year",
            _("Own last year"),
            year,
            "number",
            hint=_("0: the round’s. Shortening a game changes no coefficient."),
        ),
        form.field(
            "game", _("Its game on this site"), held.game, hint=_("The part of the address that names it.")
        ),
        form.check("counts", _("Its points count"), held.counts),
    ]
