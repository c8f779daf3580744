"""The draft of a draw: how good it is, changed by hand, drawn again around what is locked, shown to all."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import drawing
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.drafts import LockSeat, Place, Swap, unplaced
from talleyrand.tournament.boards import empty, may_stay_empty, scripted_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import Board, Event, Repeat, RoundState
from talleyrand.tournament.numbers import natural
from talleyrand.web.tournaments.models import Entry
from talleyrand.web.tournaments.sight import Sight

from . import words
from .doors import Visit, answer, at_desk, seen
from .number_pages import MOST_LOTS, dropped, given_up, lot_in_words, seed_of, why_rests
from .pressing import Pressed
from .round_pages import check_round, steps

TWO = 2


@at_desk
def draw(request: HttpRequest, sight: Sight, number: int) -> HttpResponse:
    """The seats as they are drawn, before and after they are shown."""
    check_round(sight.event, number)
    builders = {
        "swap": _swaps(number),
        "redo": _redraws(number),
        "place": _places(number),
        "seat_locked": _locks(number),
    }
    boards = reverse("tournaments:desk_boards", args=[sight.tournament.key, number])

    def way(entry: Entry | None) -> str:
        shown = entry is not None and any(one["kind"] == "published" for one in entry.acts)
        return boards if shown else request.path

    def page(visit: Visit) -> dict[str, Any]:
        return _draft(visit, number)

    return answer(request, sight, "draw.html", page, builders=builders, way=way)


def _picked(event: Event, number: int, pressed: Pressed) -> list[tuple[int, str]]:
    """The seats that were tapped, and who sat there: "2 FRANCE 12", 0 for nobody.

    Raises Refused (`act_two_seats`; `act_draft_changed` where another sits there now).
    """
    return [_seat(event, number, *told.split(" ")) for told in pressed.typed.get("pick", ())]


def _seat(
    event: Event, number: int, told: str = "", power: str = "", who: str = "", *_more: str
) -> tuple[int, str]:
    at = natural(told)
    if at is None:
        raise Refused("act_two_seats")
    board = event.rounds[number].boards.get(at)
    seat = board.seats.get(power) if board else None
    if who and (seat is None or who != str(seat.person or 0)):
        raise Refused("act_draft_changed")
    return at, power


def _swaps(number: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        picked = _picked(event, number, pressed)
        if len(picked) != TWO:
            raise Refused("act_two_seats")
        return Swap(number, *picked[0], *picked[1])

    return build


def _locks(number: int) -> Any:
    """A seat, or all of a board, as the page showed who sits there (`who`)."""

    def build(event: Event, pressed: Pressed) -> Act:
        at, power = pressed.number("board"), pressed.get("power")
        board = event.rounds[number].boards.get(at)
        if pressed.get("who") and (board is None or pressed.get("who") != _who(board, power)):
            raise Refused("act_draft_changed")
        return LockSeat(number, at, power, bool(pressed.number("locked")))

    return build


def _who(board: Board, power: str = "") -> str:
    """Who sits in a seat, or in each of a board, 0 for nobody: the mark by which a page knows them again."""
    people = [seat.person or 0 for name, seat in board.seats.items() if power in ("", name)]
    return ".".join(map(str, people))


def _places(number: int) -> Any:
    def build(event: Event, pressed: Pressed) -> Act:
        picked = _picked(event, number, pressed)
        if len(picked) != 1:
            raise Refused("act_one_seat")
        who = pressed.get("person")
        return Place(number, *picked[0], pressed.number("person") if who else None)

    return build


def _redraws(number: int) -> Any:
    """The same boards and the same people: what is locked stays, the rest is drawn again."""

    def build(event: Event, pressed: Pressed) -> Act:
        one = event.rounds[number]
        if one.state is not RoundState.DRAFT or one.drawn is None:
            raise Refused(f"act_round_{one.state}", round=str(number))
        seed = seed_of(event, number, max(1, min(MOST_LOTS, pressed.number("lot"))))
        return drawing.redo(event, number, seed, given_up(pressed))

    return build


def _draft(visit: Visit, number: int) -> dict[str, Any]:
    event = visit.event
    one = check_round(event, number)
    able = drawing.recorders(event)
    left = unplaced(one) if one.state in (RoundState.DRAFT, RoundState.PLAYING) else []
    return {
        **steps(visit, number, "draw"),
        "boards": [_board(event, at, board, able) for at, board in sorted(one.boards.items())],
        "quality": _quality(event, number) if one.boards else None,
        "lots": [lot_in_words(event, lot.what, lot.among, lot.drawn) for lot in one.drawn.lots]
        if one.drawn
        else [],
        "resting": [
            {"number": who, "name": words.name_of(event, who), "why": why_rests(one.resting[who])}
            for who in words.in_order(event, one.resting)
        ],
        "unplaced": [(who, words.name_of(event, who)) for who in words.in_order(event, left)],
        "picked": visit.pressed.typed.get("pick", ()) if visit.pressed and visit.refused else (),
        "lot": visit.sight.tournament.version % 997 + 2,
        "variants": [(name, words.variant_name(name)) for name in ("classic", "survivor_turkey")],
        "dropped": dropped(visit),
        "wishes": _wishes(event, number),
        "seen": seen(event, f"rounds.{number}.boards"),
        "draft": one.state is RoundState.DRAFT,
        "playing": one.state is RoundState.PLAYING,
        "seed": one.drawn.seed if one.drawn else "",
    }


def _wishes(event: Event, number: int) -> list[tuple[str, str]]:
    """Who had a wish, and which of them he got."""
    got = drawing.granted(event, number)
    return [(words.name_of(event, who), _granted(got[who])) for who in words.in_order(event, got)]


def _granted(place: int) -> str:
    if not place:
        return _("none of the powers he would like")
    return _("his first choice") if place == 1 else _("his choice no. %(place)s") % {"place": place}


def _board(event: Event, number: int, board: Board, able: Collection[int]) -> dict[str, Any]:
    return {
        "number": number,
        "who": _who(board),
        "final": board.final,
        "variant": words.variant_name(board.variant),
        "place": board.place,
        "locked": all(seat.locked for seat in board.seats.values()),
        "short": not may_stay_empty(board),
        "empty": [words.power(power) for power in empty(board)],
        "seats": [
            {
                "pick": f"{number} {power} {seat.person or 0}",
                "power": words.power(power),
                "code": power,
                "name": words.name_of(event, seat.person) if seat.person is not None else "",
                "who": seat.person or 0,
                "records": seat.person in able,
                "locked": seat.locked,
                "scripted": seat.person is None and power in scripted_of(board.variant),
            }
            for power, seat in board.seats.items()
        ],
    }


def _quality(event: Event, number: int) -> dict[str, Any]:
    """The draw as it stands, changed by hand or not, against what is proven."""
    judged = drawing.judge(event, number)
    told = drawing.drawn_of(judged)
    return {
        "repeats": told.meetings,
        "bound": told.bound,
        "powers": told.powers,
        "power_bound": told.power_bound,
        "proven": judged.proven,
        "lines": [_repeat(event, one) for one in told.repeats],
        "broken": list(_broken(event, judged.broken)),
        "unrecorded": ", ".join(map(str, drawing.unrecorded(event, number))),
    }


def _repeat(event: Event, one: Repeat) -> str:
    facts = {
        "board": one.board,
        "person": words.name_of(event, one.person),
        "count": one.times,
        "power": words.power(one.power) if one.power else "",
        "other": words.name_of(event, one.other) if one.other else "",
    }
    if one.power:
        text = ngettext(
            "Board %(board)s: %(person)s plays %(power)s again (once before).",
            "Board %(board)s: %(person)s plays %(power)s again (%(count)s times before).",
            one.times,
        )
    else:
        text = ngettext(
            "Board %(board)s: %(person)s and %(other)s meet again (once before).",
            "Board %(board)s: %(person)s and %(other)s meet again (%(count)s times before).",
            one.times,
        )
    return text % facts


def _broken(event: Event, rules: Any) -> Iterator[str]:
    """Hard rules that seats given by hand do not keep."""
    for rule in rules:
        name = drawing.rule_name(rule)
        if name == "apart":
            yield _("%(one)s and %(other)s share a board, though they are kept apart.") % {
                "one": words.name_of(event, rule.first),
                "other": words.name_of(event, rule.second),
            }
        elif name == "barred":
            yield _("%(one)s plays %(power)s again, as the day before.") % {
                "one": words.name_of(event, rule.person),
                "power": words.power(rule.power),
            }
        elif name == "team":
            names = ", ".join(words.name_of(event, who) for who in sorted(rule.members))
            yield _("A team shares a board or a power: %(names)s.") % {"names": names}
