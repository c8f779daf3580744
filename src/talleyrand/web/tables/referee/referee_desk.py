"""Who acts at a table as its referee, and how an act is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.variants import Variant
from talleyrand.web.accounts import guests
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import game_log, order_submission, power_assignments
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal
from talleyrand.web.games.game_master import deadline_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor, GameMasterRefusal
from talleyrand.web.games.models import RUNNING_STATES, Game, GameRole, GameState, OrderSet
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.tables import table_seats
from talleyrand.web.tables.models import Table, TablePlayer

P = ParamSpec("P")


class RefereeRefusal(Exception):
    """An act that is refused; nothing has changed. `referee_texts.refusal_text` says each code."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


Refusal = (
    RefereeRefusal
    | GameMasterRefusal
    | OrdersRefusal
    | EndProposalRefusal
    | QuestionRefusal
    | TalleyrandError
)
REFUSALS = (
    RefereeRefusal,
    GameMasterRefusal,
    OrdersRefusal,
    EndProposalRefusal,
    QuestionRefusal,
    TalleyrandError,
)


@dataclass(frozen=True)
class RefereeDesk:
    """A table as its referee acts on it at one moment."""

    player: TablePlayer
    now: datetime

    @property
    def table(self) -> Table:
        return self.player.table

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @property
    def hand(self) -> GameMasterActor:
        """The referee as one who acts on the game: by its game master's hand."""
        return GameMasterActor(self.player.person, GameRole.GAME_MASTER)

    @cached_property
    def seats(self) -> list[TablePlayer]:
        """Everyone at the table, the referee who plays no power first."""
        return list(self.table.players.select_related("person"))

    @cached_property
    def seats_for_bots(self) -> frozenset[int]:
        """The seats, by primary key, that bots would play if the game began now."""
        if self.game.state != GameState.GATHERING or not self.game.settings.bots:
            return frozenset()
        return frozenset(table_seats.seats_for_bots(self.table).values_list("pk", flat=True))

    @cached_property
    def powers_by_person(self) -> dict[int, list[str]]:
        """For each person, by primary key, the powers that they may order now."""
        found: dict[int, list[str]] = {}
        for power, person in power_assignments.players_by_power(self.game).items():
            if person is not None:
                found.setdefault(person, []).append(power)
        return found

    @cached_property
    def deciding_powers(self) -> tuple[str, ...]:
        """The powers that have orders to give now."""
        running = self.game.state in RUNNING_STATES
        return deadline_actions.powers_with_orders_to_give(self.game) if running else ()

    @cached_property
    def order_sets(self) -> dict[str, OrderSet]:
        """For each power its orders for the open phase that count: shown is only when they came."""
        return order_submission.counting_order_sets(self.game, self.game.phase_number)

    def seat(self, number: str) -> TablePlayer:
        """The seat of this number; raises RefereeRefusal (`no_seat`)."""
        found = [one for one in self.seats if str(one.number) == number]
        if not found:
            raise RefereeRefusal("no_seat")
        return found[0]

    def power(self, code: str) -> str:
        """A power of the game that has a seat; raises RefereeRefusal (`no_power`)."""
        if not self.game.seats.filter(power=code.replace("\x00", "")).exists():
            raise RefereeRefusal("no_power")
        return code

    def names(self, powers: Iterable[str]) -> str:
        """Powers in a row, in words."""
        told = [display_names.power_name(self.variant, power) for power in powers]
        return join_names(told, display_names.reader_language())

    def note(self, kind: str, **facts: Any) -> None:
        """Write an act into the game's public log, and have all pages look again."""
        game_log.add_log_entry(self.game, kind, role=GameRole.GAME_MASTER, by=self.player.person, **facts)
        table_seats.tell_table(self.table)


def seat_name(player: TablePlayer) -> str:
    """What someone at the table is called; a seat that no one has named by its number."""
    name = guests.guest_name(player.person)
    return _("Seat %(number)s") % {"number": name} if name.isdecimal() else name


def for_referee(
    view: Callable[Concatenate[HttpRequest, RefereeDesk, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """For the phones of a table's referees; to others the page does not exist."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, key: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        player = table_seats.player_or_404(request, key)
        if not player.is_referee:
            raise Http404
        return view(request, RefereeDesk(player, timezone.now()), *args, **kwargs)

    return cast("Callable[Concatenate[HttpRequest, str, P], HttpResponse]", guarded)
