"""A round being played: its clock, its boards, who comes late; and the notebook of rulings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from talleyrand.tournament import endvotes, regulations, timing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.clocks import OffsetBoard, SetLength
from talleyrand.tournament.acts.drafts import unplaced
from talleyrand.tournament.acts.notebook import AddRuling, ChangeRuling
from talleyrand.tournament.acts.seats import SeatLate, late_powers
from talleyrand.tournament.boards import people_at, scripted_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Round, RoundState, Ruling
from talleyrand.web.tournaments import gamed
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import pressing, words
from .doors import Visit, answer, at_desk, now
from .fields import Form
from .now_pages import step, unconfirmed
from .pressing import Pressed
from .round_pages import check_round, steps

MINUTE = 60
RUNNING = (RoundState.DRAFT, RoundState.PLAYING)


@at_desk
def boards(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """All boards of a round, the clock, and who has no seat."""
    check_round(sight.event, number)
    builders = {"late": _late(number), "length": _length(number), "offset": _offset(number)}

    def shown(visit: Visit) -> dict[str, Any]:
        return _boards(visit, number)

    return answer(request, sight, "boards.html", shown, builders=builders, way=_way(request, sight, number))


def _way(request: HttpRequest, sight: Sight, number: int) -> Any:
    """Back to the boards; of a latecomer to a board with a game on this site, on to that board's page."""

    def way(entry: Entry | None) -> str:
        late = [one for one in entry.acts if one["kind"] == SeatLate.kind] if entry else []
        at = int(late[0]["board"]) if late else 0
        if not late or not sight.event.rounds[number].boards[at].game:
            return request.get_full_path()
        return reverse("tournaments:desk_board", args=[sight.tournament.key, number, at]) + "#game"

    return way


def _late(number: int) -> Any:
    """A latecomer in a seat: "2 TURKEY"."""

    def build(event: Event, pressed: Pressed) -> Act:
        board, _blank, power = pressed.get("seat").partition(" ")
        if not power:
            raise Refused("act_one_seat")
        at, person = pressing.whole(board), pressed.number("person")
        check_apart(event, number, at, person)
        missed = (
            pressed.number("missed") if pressed.get("missed").strip() else seasons_over(event, number, at)
        )
        return SeatLate(number, at, power, person, missed, now())

    return build


def seasons_over(event: Event, number: int, at: int) -> int:
    """Seasons over by the game of the board, where it is played on this site; otherwise by the clock."""
    held = event.rounds[number].boards.get(at)
    told = gamed.seasons_over(held) if held else None
    return season_now(event, number) if told is None else told


def check_apart(event: Event, number: int, at: int, person: int) -> None:
    """Refused (`act_kept_apart`) for who is never to sit with somebody of a board."""
    board = event.rounds[number].boards.get(at)
    for other in people_at(board) if board else ():
        if tuple(sorted((person, other))) in event.apart:
            names = {"one": words.name_of(event, person), "other": words.name_of(event, other)}
            raise Refused("act_kept_apart", **names)


def _length(number: int) -> Any:
    def build(_event: Event, pressed: Pressed) -> Act:
        minutes = pressed.get("minutes").strip()
        seconds = pressing.whole(minutes) * MINUTE if minutes else None
        return SetLength(number, pressed.number("season"), now(), seconds)

    return build


def _offset(number: int) -> Any:
    def build(_event: Event, pressed: Pressed) -> Act:
        return OffsetBoard(number, pressed.number("board"), pressed.number("minutes") * MINUTE)

    return build


def _boards(visit: Visit, number: int) -> dict[str, Any]:
    event, key = visit.event, visit.sight.tournament.key
    one = check_round(event, number)
    left = unplaced(one) if one.state in RUNNING else []
    return {
        **steps(visit, number, "boards"),
        "clock": clock(event, number) if one.state in RUNNING else None,
        "boards": [board_row(event, number, at, board, key) for at, board in sorted(one.boards.items())],
        "step": step(event, number, key) if one.state is RoundState.PLAYING else None,
        "unconfirmed": unconfirmed(one),
        "unplaced": [(who, words.name_of(event, who)) for who in words.in_order(event, left)],
        "late_seats": late_seats(event, one),
        "late_people": _late_people(event, one),
        "missed": Form(visit, "late").field(
            "missed", _("Seasons missed"), "", "number", hint=_("as the clock says, if you leave it empty")
        ),
    }


def season_now(event: Event, number: int) -> int:
    """How many seasons are over by the clock; a latecomer sits down in the next one."""
    one = event.rounds[number]
    if one.state not in RUNNING or (not one.clock.started and not one.clock.elapsed):
        return one.clock.season
    return timing.reading(event, number, now()).season


def late_seats(event: Event, one: Round) -> list[tuple[str, str]]:
    """Seats that a latecomer may take: a power played by script, or one of two seats of one person."""
    return [
        (f"{at} {power}", _seat_words(event, at, board, power))
        for at, board in sorted(one.boards.items())
        if board.result is None
        for power in late_powers(one, at)
    ]


def _seat_words(event: Event, at: int, board: Board, power: str) -> str:
    who = board.seats[power].person
    facts = {"power": words.power(power), "board": at, "name": words.name_of(event, who) if who else ""}
    if who is None:
        return _("%(power)s, board %(board)s: played by its script") % facts
    return _("%(power)s, board %(board)s: one of the two seats of %(name)s") % facts


def _late_people(event: Event, one: Round) -> list[tuple[int, str]]:
    """Who might come late, those present without a seat first."""
    left = words.in_order(event, unplaced(one)) if one.state in RUNNING else []
    seated = set(one.present) - set(left) - set(one.resting)
    others = [
        at
        for at in words.in_order(event)
        if at not in left and at not in seated and not event.people[at].gone
    ]
    return [(at, words.name_of(event, at)) for at in (*left, *others)]


def clock(event: Event, number: int) -> dict[str, Any]:
    """What the clock of a round shows now, and what can be done to it."""
    one, told = event.rounds[number], timing.reading(event, number, now())
    rule = timing.rule_of(regulations.read(event.regulations), number)
    return {
        "season": told.season,
        "names": words.seasons(told.seasons),
        "remaining": _minutes(told.remaining),
        "seconds": told.remaining,
        "length": told.length // MINUTE,
        "running": told.running,
        "over": told.over,
        "writing": told.writing and told.running,
        "begun": bool(one.clock.started or one.clock.elapsed or one.clock.season),
        "usual": (rule.hours.spring // MINUTE, rule.hours.autumn // MINUTE),
        "last_year": timing.last_year(event, number),
        "planned": timing.planned(event, number) // MINUTE,
    }


def _minutes(seconds: int) -> str:
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"


def board_row(event: Event, number: int, at: int, board: Board, key: str) -> dict[str, Any]:
    """A board in a line: where it is, who plays, what is known of its end."""
    result = board.result
    return {
        "number": at,
        "way": reverse("tournaments:desk_board", args=[key, number, at]),
        "variant": words.variant_name(board.variant),
        "place": board.place,
        "final": board.final,
        "counts": board.counts,
        "offset": board.offset // MINUTE,
        "last_year": timing.last_year(event, number, board),
        "seats": [seat_row(event, board, power) for power in board.seats],
        "result": result,
        "by": words.by_name(event, result.by) if result else "",
        "confirmed": words.by_name(event, result.confirmed) if result and result.confirmed else "",
        "votes": any(vote.state in endvotes.OPEN for vote in board.votes.values()),
    }


def seat_row(event: Event, board: Board, power: str) -> dict[str, Any]:
    """A seat in words."""
    seat, result = board.seats[power], board.result
    return {
        "code": power,
        "power": words.power(power),
        "name": words.name_of(event, seat.person) if seat.person is not None else "",
        "person": seat.person,
        "scripted": seat.person is None and power in scripted_of(board.variant),
        "missed": seat.missed,
        "reliefs": [
            {"name": words.name_of(event, one.person), "person": one.person, "seasons": one.seasons}
            for one in seat.reliefs
        ],
        "centres": result.centres.get(power) if result else None,
    }


@at_desk
def notebook(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Rulings, for all who help to rule alike."""
    builders = {"ruling": _adds, "ruling_changed": _changes}
    return answer(request, sight, "notebook.html", _notebook, builders=builders)


def _ruling(pressed: Pressed, at: str) -> Ruling:
    number, _blank, board = pressed.get("where").partition(" ")
    return Ruling(
        at,
        pressed.get("text"),
        pressing.whole(number) if number else 0,
        pressing.whole(board) if board else 0,
        bool(pressed.get("shown")),
    )


def _adds(_event: Event, pressed: Pressed) -> Act:
    return AddRuling(_ruling(pressed, now()))


def _changes(event: Event, pressed: Pressed) -> Act:
    number = pressed.number("number")
    known = event.rulings.get(number)
    return ChangeRuling(number, _ruling(pressed, known.at if known else now()))


def _notebook(visit: Visit) -> dict[str, Any]:
    event, form = visit.event, Form(visit, "ruling")
    places = list(_places(event))
    return {
        "section": "notebook",
        "rulings": [
            _noted(visit, at, one, places) for at, one in sorted(event.rulings.items(), reverse=True)
        ],
        "new_text": form.field("text", _("Ruling"), kind="area", required=True),
        "new_where": form.field("where", _("Where"), kind="select", options=[("", "–"), *places]),
        "new_shown": form.check("shown", _("Shown to all"), kept=False),
    }


def _noted(visit: Visit, number: int, one: Ruling, places: list[tuple[str, str]]) -> dict[str, Any]:
    form, where = Form(visit, "ruling_changed"), f"{one.round} {one.board}" if one.board else str(one.round)
    mine = visit.pressed is None or visit.pressed.get("number") == str(number)
    kept = Form(visit if mine else Visit(visit.request, visit.sight), form.press)
    prefix = f"ruling_changed-{number}"
    fields = [
        kept.field("text", _("Ruling"), one.text, "area"),
        kept.field("where", _("Where"), where, "select", options=[("", "–"), *places]),
        kept.check("shown", _("Shown to all"), one.shown),
    ]
    return {
        "number": number,
        "hour": words.hour(visit.event, one.at),
        "text": one.text,
        "where": dict(places).get(where, ""),
        "shown": one.shown,
        "fields": [field.within(prefix) for field in fields],
    }


def _places(event: Event) -> Any:
    for at, one in sorted(event.rounds.items()):
        yield str(at), words.round_name(at)
        for board in sorted(one.boards):
            yield (
                f"{at} {board}",
                _("Round %(number)s, board %(board)s") % {"number": at, "board": board},
            )
