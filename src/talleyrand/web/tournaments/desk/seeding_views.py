"""The draft of a draw: how good it is, changed by hand, drawn again around what is locked, shown to all."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.tournament import seat_draw
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.seating_acts import LockSeat, PlacePerson, SwapSeats, people_unplaced
from talleyrand.tournament.board_rules import board_people, empty_powers, may_stay_empty, scripted_powers
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventBoard, RoundState, SeatingRepeat, TogetherWish
from talleyrand.tournament.whole_numbers import parse_natural
from talleyrand.web.tournaments.models import JournalEntry
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import desk_texts
from .arrival_views import round_or_404, round_steps
from .board_count_views import (
    MOST_DRAWS,
    bye_reason,
    draw_seed,
    random_draw_text,
    rules_given_up,
    rules_that_may_go,
)
from .desk_views import DeskRequest, desk_response, edit_mark, for_desk
from .form_parsing import FormAction

TWO = 2


@for_desk
def draw_page(request: HttpRequest, sight: TournamentViewer, number: int) -> HttpResponse:
    """The seats as they are drawn, before and after they are shown."""
    round_or_404(sight.event, number)
    builders = {
        "swap": _swaps(number),
        "redo": _redraws(number),
        "place": _places(number),
        "seat_locked": _locks(number),
    }
    boards = reverse("tournaments:desk_boards", args=[sight.tournament.key, number])

    def way(entry: JournalEntry | None) -> str:
        shown = entry is not None and any(one["kind"] == "published" for one in entry.acts)
        return boards if shown else request.path

    def page(visit: DeskRequest) -> dict[str, Any]:
        return _draft(visit, number)

    return desk_response(request, sight, "draw.html", page, builders=builders, way=way)


def _picked(event: Event, number: int, pressed: FormAction) -> list[tuple[int, str]]:
    """The seats that were tapped, and who sat there: "2 FRANCE 12", 0 for nobody.

    Raises ActRefused (`act_two_seats`; `act_draft_changed` where another sits there now).
    """
    return [_seat(event, number, *told.split(" ")) for told in pressed.values.get("pick", ())]


def _seat(
    event: Event, number: int, told: str = "", power: str = "", who: str = "", *_more: str
) -> tuple[int, str]:
    at = parse_natural(told)
    if at is None:
        raise ActRefused("act_two_seats")
    board = event.rounds[number].boards.get(at)
    seat = board.seats.get(power) if board else None
    if who and (seat is None or who != str(seat.person or 0)):
        raise ActRefused("act_draft_changed")
    return at, power


def _swaps(number: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        picked = _picked(event, number, pressed)
        if len(picked) != TWO:
            raise ActRefused("act_two_seats")
        return SwapSeats(number, *picked[0], *picked[1])

    return build


def _locks(number: int) -> Any:
    """A seat, or all of a board, as the page showed who sits there (`who`)."""

    def build(event: Event, pressed: FormAction) -> EventAct:
        at, power = pressed.number("board"), pressed.value("power")
        board = event.rounds[number].boards.get(at)
        if pressed.value("who") and (board is None or pressed.value("who") != _who(board, power)):
            raise ActRefused("act_draft_changed")
        return LockSeat(number, at, power, bool(pressed.number("locked")))

    return build


def _who(board: EventBoard, power: str = "") -> str:
    """Who sits in a seat, or in each of a board, 0 for nobody: the mark by which a page knows them again."""
    people = [seat.person or 0 for name, seat in board.seats.items() if power in ("", name)]
    return ".".join(map(str, people))


def _places(number: int) -> Any:
    def build(event: Event, pressed: FormAction) -> EventAct:
        picked = _picked(event, number, pressed)
        if len(picked) != 1:
            raise ActRefused("act_one_seat")
        who = pressed.value("person")
        return PlacePerson(number, *picked[0], pressed.number("person") if who else None)

    return build


def _redraws(number: int) -> Any:
    """The same boards and the same people: what is locked stays, the rest is drawn again.

    From another lot; or (`wish`) from the same one with the best together at their price, or at no cost.
    """

    def build(event: Event, pressed: FormAction) -> EventAct:
        one = event.rounds[number]
        if one.state is not RoundState.DRAFT or one.drawn is None:
            raise ActRefused(f"act_round_{one.state}", round=str(number))
        wish, paid = pressed.value("wish"), one.drawn.wish is not None and one.drawn.wish.is_paid
        if wish == "paid" and not pressed.value("accepted"):
            raise ActRefused("act_price_not_accepted")
        lot = draw_seed(event, number, max(1, min(MOST_DRAWS, pressed.number("lot"))))
        return seat_draw.redraw(
            event,
            number,
            one.drawn.seed if wish else lot,
            rules_given_up(pressed),
            together=wish == "paid" if wish else paid,
        )

    return build


def _draft(visit: DeskRequest, number: int) -> dict[str, Any]:
    event = visit.event
    one = round_or_404(event, number)
    able = seat_draw.recorders(event)
    left = people_unplaced(one) if one.state in (RoundState.DRAFT, RoundState.PLAYING) else []
    return {
        **round_steps(visit, number, "draw"),
        "boards": [_board(event, at, board, able) for at, board in sorted(one.boards.items())],
        "quality": _quality(event, number) if seat_draw.people_seated(event, number, one.boards) else None,
        "lots": [random_draw_text(event, lot.what, lot.among, lot.drawn) for lot in one.drawn.lots]
        if one.drawn
        else [],
        "resting": [
            {"number": who, "name": desk_texts.person_name(event, who), "why": bye_reason(one.resting[who])}
            for who in desk_texts.alphabetical(event, one.resting)
        ],
        "unplaced": [
            (who, desk_texts.person_name(event, who)) for who in desk_texts.alphabetical(event, left)
        ],
        "picked": visit.action.values.get("pick", ()) if visit.action and visit.refusal_text else (),
        "lot": visit.viewer.tournament.version % 997 + 2,
        "variants": [(name, desk_texts.variant_name(name)) for name in ("classic", "survivor_turkey")],
        "dropped": rules_that_may_go(visit),
        "wish": _wish(event, one.drawn.wish) if one.drawn and one.drawn.wish else None,
        "wishes": _wishes(event, number),
        "seen": edit_mark(event, f"rounds.{number}.boards"),
        "draft": one.state is RoundState.DRAFT,
        "playing": one.state is RoundState.PLAYING,
        "seed": one.drawn.seed if one.drawn else "",
    }


def _wish(event: Event, wish: TogetherWish) -> dict[str, Any]:
    """The best together, with their price."""
    return {
        "people": ", ".join(desk_texts.person_name(event, who) for who in wish.people),
        "told": wish,
        "third": ", ".join(
            f"{desk_texts.person_name(event, two.person)} – {desk_texts.person_name(event, two.other)}"
            for two in wish.third
        ),
    }


def _wishes(event: Event, number: int) -> list[tuple[str, str]]:
    """Who had a wish, and which of them he got."""
    got = seat_draw.granted_preferences(event, number)
    return [
        (desk_texts.person_name(event, who), _granted(got[who]))
        for who in desk_texts.alphabetical(event, got)
    ]


def _granted(place: int) -> str:
    if not place:
        return _("none of their preferences")
    return _("1st choice") if place == 1 else _("choice no. %(place)s") % {"place": place}


def _board(event: Event, number: int, board: EventBoard, able: Collection[int]) -> dict[str, Any]:
    return {
        "number": number,
        "who": _who(board),
        "final": board.final,
        "variant": desk_texts.variant_name(board.variant),
        "place": board.place,
        "locked": all(seat.locked for seat in board.seats.values()),
        "short": not may_stay_empty(board),
        "vacant": not board_people(board),
        "empty": [desk_texts.power_name(power) for power in empty_powers(board)],
        "seats": [
            {
                "pick": f"{number} {power} {seat.person or 0}",
                "power": desk_texts.power_name(power),
                "code": power,
                "name": desk_texts.person_name(event, seat.person) if seat.person is not None else "",
                "who": seat.person or 0,
                "records": seat.person in able,
                "locked": seat.locked,
                "scripted": seat.person is None and power in scripted_powers(board.variant),
            }
            for power, seat in board.seats.items()
        ],
    }


def _quality(event: Event, number: int) -> dict[str, Any]:
    """The draw as it stands, changed by hand or not, against what is proven."""
    judged = seat_draw.rate_seats(event, number)
    told = seat_draw.draw_record(judged)
    return {
        "repeats": told.meetings,
        "bound": told.bound,
        "powers": told.powers,
        "power_bound": told.power_bound,
        "third": len(judged.third_meetings),
        "third_bound": told.third_bound,
        "proven": judged.is_proven_optimal and not judged.broken_rules,
        "lines": [_repeat(event, one) for one in told.repeats],
        "broken": list(_broken(event, judged.broken_rules)),
        "unrecorded": ", ".join(map(str, seat_draw.boards_without_recorder(event, number))),
    }


def _repeat(event: Event, one: SeatingRepeat) -> str:
    facts = {
        "board": one.board,
        "person": desk_texts.person_name(event, one.person),
        "count": one.times,
        "power": desk_texts.power_name(one.power) if one.power else "",
        "other": desk_texts.person_name(event, one.other) if one.other else "",
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
        name = rule.code
        if name == "apart":
            yield _("%(one)s and %(other)s share a board although they are kept apart.") % {
                "one": desk_texts.person_name(event, rule.first),
                "other": desk_texts.person_name(event, rule.second),
            }
        elif name == "barred":
            yield _("%(one)s plays the same power as the day before (%(power)s).") % {
                "one": desk_texts.person_name(event, rule.person),
                "power": desk_texts.power_name(rule.power),
            }
        elif name == "team":
            names = ", ".join(desk_texts.person_name(event, who) for who in sorted(rule.members))
            yield _("Teammates share a board or a power: %(names)s.") % {"names": names}
