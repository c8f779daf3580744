"""Boards of a round that are tables: opened with the names of the draw, led by the clock of the round."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from hashlib import sha256

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.rulebooks import FALLBACK
from talleyrand.tournament import board_rules, codec, regulations, round_timing
from talleyrand.tournament.acts.act import check_round_state
from talleyrand.tournament.acts.seating_acts import ChangeBoard
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import FIRST_YEAR, Event, EventBoard, RoundState
from talleyrand.variants import Split
from talleyrand.web.accounts import guests
from talleyrand.web.accounts.models import GUEST_SEPARATOR
from talleyrand.web.games.endings import game_scores
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership, GameRole, GameState
from talleyrand.web.tables import outside_clock, table_opening, table_seats, table_start
from talleyrand.web.tables.models import Dealing, Table, TablePlayer
from talleyrand.web.tables.referee import consents
from talleyrand.web.tables.table_clock import LEAST_MINUTES, TableClock
from talleyrand.web.tables.table_links import TableLink
from talleyrand.web.tables.table_opening import REFEREE_SEAT, TablePlan

from . import event_journal, linked_game, linked_game_comparison
from .event_documents import event_of
from .event_journal import JournalActor
from .models import Tournament

MINUTE = 60
ASKS_CONSENT = "anjou_feu"  # the book whose tables agree first to electronic help, all of them (004 IV)
ROUND_JOB = "rounds_at_tables"
LATELY = timedelta(hours=1)  # how long a table is looked after whose game is over
WRITTEN = "written"  # in `Table.clock`: the phase up to which its years are written down
LONGEST_TABLE_NAME = 80


# opening


def board_game(held: EventBoard) -> str:
    """The variant that a board's table plays; "" where it has to be kept on paper.

    Of a board for two, lists decide the powers; the Escalation of former events has no file. Where somebody
    came late for a script's power, it is the game without the script.
    """
    if held.variant in board_rules.UNKNOWN_CENTRES:
        return ""
    if held.variant == board_rules.PAIRS:
        return board_rules.CLASSIC
    scripted = board_rules.scripted_powers(held.variant)
    late = any(held.seats[power].person is not None for power in scripted if power in held.seats)
    name = board_rules.CLASSIC if late else held.variant
    return name if name in variants.playable_names() else ""


def may_open(held: EventBoard) -> bool:
    """Whether a table can be opened for a board: it has neither a game nor a result yet."""
    return not held.game and held.result is None and bool(board_game(held))


def open_round_tables(tournament: Tournament, number: int, by: JournalActor, *, own_clocks: bool) -> int:
    """Open a table for each board of a round that has none, and begin its game; how many there are new.

    The round's clock leads them, or each has its own by the regulations (`own_clocks`). Pressed twice, or
    again after a crash, it is the same tables. Raises ActRefused.
    """
    event = event_of(Tournament.objects.get(pk=tournament.pk))
    check_round_state(event, number, RoundState.PLAYING)
    opened = {
        at: _opened(tournament, event, number, at, own_clocks=own_clocks)
        for at, held in sorted(event.rounds[number].boards.items())
        if may_open(held)
    }

    def build(now: Event) -> list[ChangeBoard]:
        boards = now.rounds[number].boards
        return [
            ChangeBoard(number, at, game=table.game.key)
            for at, table in opened.items()
            if at in boards and may_open(boards[at])
        ]

    entry = event_journal.perform_built_acts(tournament, build, by) if opened else None
    return len(entry.acts) if entry else 0


def _opened(tournament: Tournament, event: Event, number: int, at: int, *, own_clocks: bool) -> Table:
    plan = board_plan(tournament, event, number, at, own_clocks=own_clocks)
    seats = codec.write_value(event.rounds[number].boards[at].seats)
    once = json.dumps([tournament.key, number, at, own_clocks, seats], sort_keys=True, ensure_ascii=True)
    table = table_opening.open_table(plan, sha256(once.encode()).hexdigest())
    for member in tournament.memberships.all():
        GameMembership.objects.get_or_create(
            game=table.game, person=member.account, left_at=None, defaults={"role": GameRole.OBSERVER}
        )
    if table.game.state == GameState.GATHERING:
        table_start.start_table(table, timezone.now())
        if table.game.rulebook == ASKS_CONSENT:
            consents.ask_all(table, asked=True)
    return table


def board_plan(tournament: Tournament, event: Event, number: int, at: int, *, own_clocks: bool) -> TablePlan:
    """The table of a board: the variant, book, years and clock of the event, and who sits where."""
    held, rules = event.rounds[number].boards[at], regulations.read_regulations(event.regulations)
    game, split = board_game(held), _split(held)
    told = {"event": event.name, "round": number, "board": at}
    players = [linked_game_comparison.player_of_seat(held, share[0]) for share in split.shares]
    hours = round_timing.round_rule(rules, number).hours
    clock = TableClock(
        first=max(LEAST_MINUTES, hours.spring // MINUTE),
        moves=max(LEAST_MINUTES, hours.autumn // MINUTE),
        writing=max(LEAST_MINUTES, hours.writing // MINUTE),
        by_hand=own_clocks,
        outside=not own_clocks,
    )
    later = game_scores.first_year_played(variants.load(game), GameSettings()) - FIRST_YEAR
    return TablePlan(
        (_("%(event)s, round %(round)s, board %(board)s") % told)[-LONGEST_TABLE_NAME:],
        game,
        rules.rulebook or FALLBACK,
        split,
        clock,
        Dealing.SEATED,
        names=tuple(_guest_name(event, who) for who in players),
        last_year=round_timing.last_year(event, number, held) + later,
        board=(tournament.key, number, at),
    )


def _split(held: EventBoard) -> Split:
    """Who plays which powers together; those that nobody plays and no script are in disorder."""
    hands: dict[int, list[str]] = {}
    empty = []
    for power in held.seats:
        who = linked_game_comparison.player_of_seat(held, power)
        if who is None:
            empty.append(power)
        else:
            hands.setdefault(who, []).append(power)
    scripted = board_rules.scripted_powers(held.variant)
    absent = tuple(power for power in empty if power not in scripted)
    name = board_rules.PAIRS_SPLIT.name if held.variant == board_rules.PAIRS else ""
    return Split(tuple(map(tuple, hands.values())), absent=absent, name=name)


def _guest_name(event: Event, who: int | None) -> str:
    known = event.people.get(who or 0)
    name = known.name.replace(GUEST_SEPARATOR, " ") if known else ""
    return name[: guests.LONGEST_NAME].strip()


# phones


def table_of_board(held: EventBoard) -> Table | None:
    """The table that a board is; None where it is no table."""
    found = Table.objects.select_related("game").filter(game__key=held.game) if held.game else None
    return found.first() if found is not None else None


def seat_at_table(held: EventBoard, who: int) -> TablePlayer | None:
    """The seat of somebody of the event at the table of a board; None where there is none."""
    table = table_of_board(held) if who else None
    mine = {power for power in held.seats if linked_game_comparison.player_of_seat(held, power) == who}
    seats = table.players.select_related("person", "table__game") if table and mine else ()
    return next((one for one in seats if mine & set(one.powers)), None)


def sit_down_at_table(
    request: HttpRequest, event: Event, held: EventBoard, who: int, seat: TablePlayer
) -> None:
    """This phone, which the event knows as `who`, has that person's seat.

    Whoever took over from somebody has the seat at once, and the phone before has it no more. Raises
    SeatRefusal (taken) where another phone has come as the same person: the seat moves by a PIN.
    """
    name, there = _guest_name(event, who), guests.guest_name(seat.person)
    before = {_guest_name(event, one) for one in board_rules.board_people(held) if one != who}
    if there != name and there in before:
        table_seats.hand_over(request, seat, name, timezone.now())
    elif not table_seats.is_phone_of(request, seat):
        table_seats.take_seat(request, seat, timezone.now())


def lead_at_board(request: HttpRequest, held: EventBoard) -> TablePlayer | None:
    """This device, which works at the desk, is the referee of a board's table; None where it is no table."""
    table = table_of_board(held)
    player = table.players.filter(number=REFEREE_SEAT).first() if table else None
    if player is not None and not table_seats.is_phone_of(request, player):
        table_seats.sit_down(request, player, timezone.now())
    return player


def board_link(table: Table) -> TableLink | None:
    """Back to the board of the tournament, for the pages of its table."""
    if table.board is None:
        return None
    key, number, at = table.board
    text = _("Tournament: round %(round)s, board %(board)s") % {"round": number, "board": at}
    return TableLink(reverse("tournaments:board", args=[key, number, at]), text)


# what goes on at the tables


def follow_rounds(now: datetime | None = None) -> int:
    """Have the tables that a round's clock leads do as it says, and write down the centres of each year that
    is over at a table; how often there was something to do.
    """
    at = now or timezone.now()
    over = Q(game__state=GameState.ENDED, game__ended_at__gt=at - LATELY)
    rows = Table.objects.select_related("game").filter(Q(game__state__in=RUNNING_STATES) | over)
    tables = [(table.board, table) for table in rows if table.board is not None]
    keys = {board[0] for board, _table in tables}
    known = {one.key: one for one in Tournament.objects.filter(key__in=keys)} if keys else {}
    return sum(_followed(known[board[0]], board, table, at) for board, table in tables if board[0] in known)


def _followed(tournament: Tournament, board: tuple[str, int, int], table: Table, now: datetime) -> int:
    _key, number, at = board
    event = event_of(tournament)
    held = event.rounds[number].boards.get(at) if number in event.rounds else None
    if held is None or held.game != table.game.key:
        return 0
    done = int(table.clock_rules.outside and _led(event, number, held, table, now))
    return done + _years_written(tournament, number, at, held, table)


def _led(event: Event, number: int, held: EventBoard, table: Table, now: datetime) -> bool:
    """By the round's clock."""
    clock, reading = event.rounds[number].clock, round_timing.read_clock(event, number, now.isoformat(), held)
    running = reading.running and not reading.over
    said = json.dumps([table.game.phase_number, running, held.offset, codec.write_value(clock)])
    due = _season_end(event, number, table.game, held, now) if running else None
    return outside_clock.follow(table, due, running=running, said=said, now=now)


def _years_written(tournament: Tournament, number: int, at: int, held: EventBoard, table: Table) -> int:
    """The centres of the years over, once a phase; a board with a result has them with it."""
    phase = table.game.phase_number
    if held.result is not None or not outside_clock.note(table, WRITTEN, phase):
        return 0
    years = linked_game.years_of(held)
    if not years or years == {year: dict(one) for year, one in held.years.items()}:
        return 0
    act = linked_game.count_years_act(number, at, held, years)
    try:
        event_journal.perform_acts(tournament, [act], JournalActor(), once=f"years {table.game.key} {phase}")
    except ActRefused:  # the desk is doing something else with the board
        return 0
    return 1


def _season_end(event: Event, number: int, game: Game, held: EventBoard, now: datetime) -> datetime | None:
    """When the season of the open phase is over; None between movements, whose time is the next season's."""
    season = linked_game.seasons_over(held) if game.phase.endswith("M") else None
    if season is None:
        return None
    return now + timedelta(seconds=round_timing.seconds_left(event, number, now.isoformat(), season, held))
