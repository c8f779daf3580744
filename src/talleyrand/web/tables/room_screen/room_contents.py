"""What the room’s screen shows: never more than whoever looks at it from the street may know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.formats import question_input
from talleyrand.web.accounts import guests
from talleyrand.web.boards import display_names, phase_maps, position_tables
from talleyrand.web.boards.phase_maps import PhaseMap
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.common import absolute_urls, qr_codes
from talleyrand.web.games import open_seats, page_context, power_assignments, readiness
from talleyrand.web.games.models import ENDED_STATES, GameState
from talleyrand.web.games.order_submission import READY, SUBMITTED
from talleyrand.web.games.phase_pages import phase_page_context
from talleyrand.web.games.phase_pages.game_board import GameBoard
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.tables import table_reading, table_seats, table_stage
from talleyrand.web.tables.models import Table, TablePlayer
from talleyrand.web.tables.table_reading import ALL, OPENING, RESULT, Reading
from talleyrand.web.tables.table_stage import TableMoment

from . import screen_access

Context = dict[str, Any]


@dataclass
class RoomBoard(GameBoard):
    """A phase as somebody without any role sees it; its reasons are told at the screen's own addresses."""

    @classmethod
    def for_table(cls, table: Table, number: int, power: str = "") -> RoomBoard:
        """Phase `number`; of one power's orders alone."""
        query = QueryDict(mutable=True)
        if power:
            query["only"] = power
        return cls(GameViewer(table.game, None), number, query=query)

    def url(self, name: str, *args: int | str) -> str:
        if name == "why":
            return reverse("tables:screen_why", args=[self.game.key, *args])
        return super().url(name, *args)


@dataclass(frozen=True)
class RoomScreen:
    """A table at one moment, as its room sees it."""

    table: Table
    moment: TableMoment
    reading: Reading | None  # None: nothing is read now

    @classmethod
    def for_table(cls, table: Table, now: datetime) -> RoomScreen:
        moment = table_stage.table_moment(table, now)
        found = table_reading.reading_of(table, clock_ran=moment.has_begun)
        return cls(table, moment, None if found is None or found.finished else found)

    @cached_property
    def board(self) -> RoomBoard:
        """The phase that is open, or how the game ended."""
        found = RoomBoard.for_table(self.table, 1)
        found.phase_number = found.last_phase_number
        return found

    @cached_property
    def read_board(self) -> RoomBoard | None:
        """The phase that is read, of the power whose turn it is."""
        found = self.reading
        if found is None:
            return None
        power = "" if found.stop in (OPENING, ALL, RESULT) else found.stop
        return RoomBoard.for_table(self.table, found.phase_number, power)

    @property
    def kind(self) -> str:
        """Which of the screen's faces is shown."""
        if self.table.game.state == GameState.GATHERING:
            return "gathering"
        if self.reading is not None:
            return "reading"
        return "over" if self.table.game.state in ENDED_STATES else "playing"

    @property
    def phase_map(self) -> PhaseMap:
        """What hangs on the wall: the position, and of a phase that is read the orders read now."""
        if self.read_board is None or self.reading is None:
            return self.board.public_map
        before, orders, after = self.read_board.maps_of_phase
        alone = replace(orders, contested=frozenset())  # where others bounced has not been read yet
        return {OPENING: before, ALL: orders, RESULT: after}.get(self.reading.stop, alone)


def screen_context(request: HttpRequest, table: Table, *, whole: bool) -> Context:
    """The context of the screen's templates: of the `whole` page, or of the part that changes."""
    now = timezone.now()
    screen = RoomScreen.for_table(table, now)
    drawn = screen.phase_map.in_readers_shape()
    key = table.game.key
    return {
        "table": table,
        "game": table.game,
        "screen": screen,
        "kind": screen.kind,
        "drawing": drawn.inline_svg(getattr(request, "style_nonce", "")) if whole else "",
        "layers": {} if whole else drawn.all_layers(),
        "strings": script_texts() if whole else {},
        "clock": screen.moment,
        "clock_json": json.dumps(table_stage.moment_json(screen.moment)),
        "clock_url": reverse("tables:screen_clock", args=[key]),
        "may_turn": screen_access.is_referee(request, key),
        "title": display_names.phase_title(screen.board.variant, screen.board.phase_code)
        if table.game.phase_number
        else {},
        "pins": list(_pins(table, now)),
        "calls": list(_calls(screen.board)),
        "banners": _banners(screen.board),
        **_door(request, table),
        **_face(screen),
    }


def _face(screen: RoomScreen) -> Context:
    if screen.kind == "gathering":
        return {
            "people": [_person(one) for one in screen.table.players.select_related("person") if one.number]
        }
    if screen.kind == "reading":
        return _reading(screen)
    if screen.kind == "over":
        return {
            "ended": phase_page_context.game_end_context(screen.table.game, screen.board),
            "powers": list(_powers(screen)),
        }
    return {"powers": list(_powers(screen))}


def _person(player: TablePlayer) -> Context:
    return {
        "name": guests.guest_name(player.person),
        "number": player.number,
        "is_there": bool(player.phone_digest) or player.is_on_paper or not player.person.is_guest,
    }


def _door(request: HttpRequest, table: Table) -> Context:
    """The way in for phones, with a square while one is expected."""
    address = absolute_urls.absolute_url(request, reverse("tables:door", args=[table.code]))
    seats = table_seats.free_seats(table).filter(is_on_paper=False)
    wanted = table.game.state not in ENDED_STATES and seats.exists()
    return {
        "door": absolute_urls.absolute_url(request, reverse("tables:door_code")).partition("://")[2],
        "square": qr_codes.qr_svg(address, _("QR code: sit down with your phone")) if wanted else "",
    }


def _pins(table: Table, now: datetime) -> Iterator[Context]:
    """The PINs that other phones have asked for, with whose seat each is."""
    asked = list(table.players.filter(pin_until__gt=now).exclude(pin="").select_related("person"))
    held = power_assignments.players_by_power(table.game) if asked else {}
    for player in asked:
        powers = [
            display_names.power_name(RoomBoard.for_table(table, 1).variant, power)
            for power, person in held.items()
            if person == player.person_id
        ]
        yield {"who": ", ".join(powers) or guests.guest_name(player.person), "pin": player.pin}


def _powers(screen: RoomScreen) -> Iterator[Context]:
    """Each power with who plays it, how many centres it has, and whether its orders are there: never what."""
    game, variant = screen.table.game, screen.board.variant
    seats = open_seats.seats_of_games([game])[game.pk]
    found = readiness.game_readiness(game, variant, seats)
    players = screen.table.players.select_related("person")
    names = {one.person_id: guests.guest_name(one.person) for one in players}
    counts = {row["code"]: row for row in position_tables.power_counts(variant, screen.board.position)}
    states = [one.state for one in found.powers] if found else [None] * len(seats)
    for seat, state in zip(seats, states, strict=True):
        told = counts.get(seat.power, {})
        yield {
            "code": seat.power,
            "name": display_names.power_name(variant, seat.power),
            "colour": display_names.power_colour(variant, seat.power),
            "player": names.get(seat.holders[-1] or 0, "") if seat.holders else "",
            "is_bot": bool(seat.seat.bot),
            "centres": told.get("centres", ""),
            "out": told.get("out", False),
            "state": state,
            "is_submitted": state is not None and state.code in (SUBMITTED, READY),
        }


def _banners(board: RoomBoard) -> list[dict[str, str]]:
    """What everybody at the table has to know first; that the clock rests is said by the clock."""
    told = page_context.game_page_context(board.viewer, "board")["banners"]
    return [one for one in told if one["kind"] not in ("paused", "over")]


def _calls(board: RoomBoard) -> Iterator[str]:
    """Who has to retreat, to build or to remove in the open phase."""
    if not board.is_open or board.question is None:
        return
    variant, question = board.variant, board.question
    fallen = question.get("dislodged") or {}
    for power in board.history.deciding_powers(board.phase_number) if fallen else ():
        units = ", ".join(phase_maps.unit_text(variant, one["unit"]) for one in fallen.get(power, ()))
        if units:
            facts = {"power": display_names.power_name(variant, power), "units": units}
            yield _("%(power)s retreats: %(units)s.") % facts
    if board.phase_code.endswith("A"):
        yield from _adjustments(board)


def _adjustments(board: RoomBoard) -> Iterator[str]:
    asked = question_input.read_question(dict(board.question or {}))
    if asked.position.centres is None:
        return
    counts = asked.variant.definition.adjustment_counts(asked.position, asked.rulebook.adjudication_rules)
    for power, due in counts.items():
        name, removals = display_names.power_name(asked.variant, power), -due.balance
        if due.possible > 0:
            told = ngettext(
                "%(power)s may build %(n)d unit.", "%(power)s may build %(n)d units.", due.possible
            )
            yield told % {"power": name, "n": due.possible}
        elif removals > 0:
            told = ngettext("%(power)s removes %(n)d unit.", "%(power)s removes %(n)d units.", removals)
            yield told % {"power": name, "n": removals}


def _reading(screen: RoomScreen) -> Context:
    reading, board = screen.reading, screen.read_board
    assert reading is not None
    assert board is not None
    variant = board.variant
    told = {} if reading.stop == OPENING else phase_page_context.published_phase_context(board)
    shows = reading.stop not in (OPENING, ALL, RESULT)
    return {
        **told,
        "reading": reading,
        "read_title": display_names.phase_title(variant, board.phase_code),
        "turns": [
            {
                "name": display_names.power_name(variant, power),
                "colour": display_names.power_colour(variant, power),
                "is_shown": power == reading.stop,
                "is_read": at < reading.step,
            }
            for at, power in enumerate(reading.order, 1)
        ],
        "of_power": next((row for row in told.get("results", ()) if shows), None),
        "is_last": reading.step >= len(reading.stops) - 1,
    }
