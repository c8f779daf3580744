"""Rounds of a tournament whose boards are games on the site: begun by date or once all is in, their games
made of the draw, results taken when they end, rounds closed.

Each step is one transaction under a name of its own: done twice, by two processes or again after a crash, it
is done once. What the desk does by hand instead stays as it is.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import sha256

from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.rulebooks import FALLBACK
from talleyrand.tournament import acts, board_formation, regulations, round_timing, seat_draw
from talleyrand.tournament.acts.act import EventAct, find_board
from talleyrand.tournament.acts.event_acts import FinishEvent
from talleyrand.tournament.acts.result_acts import CorrectResult, check_result, result_digest
from talleyrand.tournament.acts.round_acts import CheckInPeople, CloseRound, OpenRound, boards_without_result
from talleyrand.tournament.acts.seating_acts import ChangeBoard, PublishDraft
from talleyrand.tournament.board_formation import FormationChoice
from talleyrand.tournament.board_rules import FULL_BOARD
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import FIRST_YEAR, Event, OnlineBoards, RoundState
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.endings import game_scores
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.games.power_assignments import AssignmentRefusal

from . import board_tables, event_journal, linked_game, online_seats, online_terms
from .event_documents import event_of, locked_tournament
from .event_journal import JournalActor
from .event_times import act_time
from .models import Tournament

ONLINE_JOB = "online_rounds"
RESULT = "result "  # begins what an entry is called that took the result of a game
GAME_STATES = (RoundState.PLAYING, RoundState.CLOSED)
LONGEST_NAME = 80
MOST_BOARDS = 50  # of a round: more games would hide all others in the lists
MOST_AT_ONCE = 10  # games that one look makes: the others wait for the next one
NOT_NOW = (TalleyrandError, LobbyRefusal, QuestionRefusal, AssignmentRefusal)
logger = logging.getLogger(__name__)


def follow_online_rounds(now: datetime | None = None) -> int:
    """See to every tournament whose boards are games on the site; how often there was something to do."""
    at = now or timezone.now()
    rows = Tournament.objects.defer("document").filter(follows_games=True, copied_at=None)
    return sum(follow_tournament(one, at) for one in rows)


def follow_tournament(tournament: Tournament, now: datetime) -> int:
    """Do what is due in one tournament; what is refused now, or fails, is asked again next time and keeps
    nothing else waiting.
    """
    steps = (make_games, take_results, close_rounds, begin_next_round, finish)
    return sum(_attempt(tournament, partial(_step, step, tournament, now)) for step in steps)


def _step(step: Callable[[Tournament, datetime], int], tournament: Tournament, now: datetime) -> int:
    return step(Tournament.objects.defer("document").get(pk=tournament.pk), now)


def _attempt(tournament: Tournament, attempt: Callable[[], int]) -> int:
    try:
        return attempt()
    except NOT_NOW as refused:
        logger.info("tournament %s waits: %s", tournament.key, getattr(refused, "code", refused))
    except Exception:
        logger.exception("tournament %s could not be followed", tournament.key)
    return 0


# games


def make_games(tournament: Tournament, now: datetime) -> int:
    """The games of boards that have none yet, some at each look; how many there are new."""
    event = event_of(tournament)
    waiting = [
        (number, at)
        for number, one in event.rounds.items()
        if one.state is RoundState.PLAYING
        for at, held in sorted(one.boards.items())
        if board_tables.may_open(held)
    ]
    done = 0
    for number, at in waiting if event.terms else ():
        if done < MOST_AT_ONCE:
            done += _attempt(tournament, partial(_make_game, tournament, number, at, now))
    return done


@write_transaction
def _make_game(tournament: Tournament, number: int, at: int, now: datetime) -> int:
    """The game of a board, begun with the seats of the draw and written on the board: all, or nothing.

    It has no key that a form could have: its creator might have made another game by it.
    """
    row = locked_tournament(tournament)
    event = event_of(row)
    held = event.rounds[number].boards.get(at)
    if (
        held is None
        or event.rounds[number].state is not RoundState.PLAYING
        or not board_tables.may_open(held)
    ):
        return 0
    players = _players(row, event, number, at)
    game = game_creation.create_game(game_plan(row, event, number, at), next(iter(players.values())), "")
    for person in dict.fromkeys(players.values()):
        GameMembership.objects.get_or_create(
            game=game, person=person, left_at=None, defaults={"role": GameRole.PLAYER}
        )
    members = dict(game.memberships.filter(left_at=None).values_list("person", "pk"))
    begun = game_start.start_game(
        game, now, chosen={power: members[one.pk] for power, one in players.items()}
    )
    if event.online is OnlineBoards.HIDDEN:
        online_seats.note_desk([begun], online_seats.desk_accounts(row))
    event_journal.perform_acts(row, [ChangeBoard(number, at, game=game.key)], JournalActor())
    return 1


def _players(tournament: Tournament, event: Event, number: int, at: int) -> Mapping[str, Person]:
    """Who plays each power of a board whose game may be made; raises ActRefused."""
    _check_may_make(tournament, number, len(event.rounds[number].boards))
    return online_seats.board_accounts(tournament, event, number, at)


def _check_may_make(tournament: Tournament, number: int, boards: int) -> None:
    """Raises ActRefused (`act_no_maker`, `act_too_many_boards`)."""
    if not online_seats.has_game_maker(tournament):
        raise ActRefused("act_no_maker")
    if boards > MOST_BOARDS:
        raise ActRefused("act_too_many_boards", round=str(number), boards=str(boards), most=str(MOST_BOARDS))


def game_plan(row: Tournament, event: Event, number: int, at: int) -> game_creation.GamePlan:
    """The game of a board: its variant, the book and years of the regulations, the terms of the league."""
    held, rules = event.rounds[number].boards[at], regulations.read_regulations(event.regulations)
    variant = board_tables.board_game(held)
    later = game_scores.first_year_played(variants.load(variant), GameSettings()) - FIRST_YEAR
    terms = replace(
        online_terms.game_settings(event), last_year=round_timing.last_year(event, number, held) + later
    )
    if isinstance(rules.system, str):
        terms = replace(terms, scoring=rules.system)
    told = {"event": event.name, "round": number, "board": at}
    return game_creation.GamePlan(
        (_("%(event)s, round %(round)s, board %(board)s") % told)[-LONGEST_NAME:],
        variant,
        rules.rulebook or FALLBACK,
        terms,
        is_listed=row.is_listed,
        role=GameRole.PLAYER,
        is_announced=False,
    )


# results


def take_results(tournament: Tournament, _now: datetime) -> int:
    """The results of games that have ended, once for each end; how many were taken.

    A game that was put right and ends again gives its new result; what the desk entered or corrected stays.
    """
    event = event_of(tournament)
    places = {
        held.game: (number, at)
        for number, one in event.rounds.items()
        if one.state in GAME_STATES
        for at, held in one.boards.items()
        if held.game
    }
    over = Game.objects.filter(key__in=places, state=GameState.ENDED, result__isnull=False)
    taken = tournament.entries.filter(idempotency_key__startswith=RESULT)
    known = set(taken.values_list("idempotency_key", flat=True)) if over else set()
    done = 0
    for game in over:
        number, at = places[game.key]
        once = f"{RESULT}{game.key} {_digest(game)}"
        if once not in known and not _is_the_desks(tournament, event, number, at):
            done += _attempt(tournament, partial(_take_result, tournament, number, at, game, once))
    return done


def _digest(game: Game) -> str:
    return sha256(json.dumps(game.result, sort_keys=True).encode()).hexdigest()[:16]


def _is_the_desks(tournament: Tournament, event: Event, number: int, at: int) -> bool:
    """Whether a board has a result, and another than was last taken of its game."""
    held = find_board(event, number, at)
    if held.result is None:
        return False
    entries = tournament.entries.filter(idempotency_key__startswith=f"{RESULT}{held.game} ")
    last = entries.order_by("-number").first()
    taken = [acts.read_act(one) for one in last.acts] if last else []
    digests = [
        result_digest(check_result(event, number, held, one.result))
        for one in taken
        if isinstance(one, CorrectResult)
    ]
    return result_digest(held.result) not in digests


@write_transaction
def _take_result(tournament: Tournament, number: int, at: int, game: Game, once: str) -> int:
    """Who took over and for how long, then the result, in one entry."""
    row = locked_tournament(tournament)
    event = event_of(row)
    if row.entries.filter(idempotency_key=once).exists() or _is_the_desks(row, event, number, at):
        return 0
    seated = online_seats.played_seats(row, event, number, at, game)
    told = linked_game.take_result_acts(event, number, at)
    event_journal.perform_acts(row, [*seated.acts, *told], JournalActor(), once=once)
    online_seats.open_doors(row, seated)
    return 1


# rounds


def close_rounds(tournament: Tournament, _now: datetime) -> int:
    """Close a round whose results are all in; once, so that the desk may open it again."""
    done = 0
    for number, one in event_of(tournament).rounds.items():
        if one.state is RoundState.PLAYING and not boards_without_result(one):
            done += _performed(tournament, f"round {number} closes", partial(_closing, number))
    return done


def _closing(number: int, _event: Event) -> list[EventAct]:
    return [CloseRound(number)]


def _performed(tournament: Tournament, once: str, build: event_journal.ActsBuilder) -> int:
    if tournament.entries.filter(idempotency_key=once).exists():
        return 0
    fresh = Tournament.objects.defer("document").get(pk=tournament.pk)
    return int(event_journal.perform_built_acts(fresh, build, JournalActor(), once=once) is not None)


def begin_next_round(tournament: Tournament, now: datetime) -> int:
    """Draw and begin the next round: at its date, or without one as soon as the round before is closed.

    The first one needs its date; a round with a final table is the desk's.
    """
    event = event_of(tournament)
    number = due_round(event, now)
    if number is None or not event.terms:
        return 0
    done = _performed(tournament, f"round {number} begins", lambda held: round_acts(tournament, held, number))
    return done + (make_games(Tournament.objects.get(pk=tournament.pk), now) if done else 0)


def due_round(event: Event, now: datetime) -> int | None:
    """The round that is to begin now."""
    planned = [
        at for at, one in event.rounds.items() if one.state is RoundState.PLANNED and not one.cancelled
    ]
    if not planned:
        return None
    number = min(planned)
    before = [one for at, one in event.rounds.items() if at < number and not one.cancelled]
    final = regulations.read_regulations(event.regulations).final
    if any(one.state not in GAME_STATES for one in before) or (final and final.round == number):
        return None
    starts = round_timing.parse_time(event.rounds[number].starts)
    if starts is not None:
        return number if starts <= now else None
    over = bool(before) and all(one.state is RoundState.CLOSED for one in before)
    return number if over and not event.rounds[number].starts else None


def round_acts(tournament: Tournament, event: Event, number: int) -> list[EventAct]:
    """Everybody who has signed up is there, boards are drawn and shown; raises ActRefused."""
    begun, choice = _gathered(tournament, event, number)
    for act in begun:
        event = acts.perform_act(event, act)
    seed = f"{event.seed or event.name} {number}.1"
    drawn = seat_draw.draw_seats(event, number, seat_draw.propose_draw(event, number, choice, seed))
    return [*begun, drawn, PublishDraft(number)]


def _gathered(tournament: Tournament, event: Event, number: int) -> tuple[list[EventAct], FormationChoice]:
    """Everybody is there, and which boards that makes; raises ActRefused (`act_too_few`)."""
    here = tuple(online_seats.people_for_round(tournament, event, number))
    rules = regulations.read_regulations(event.regulations)
    choice = next(iter(board_formation.formation_choices(rules, len(here))), None)
    if choice is None or not choice.ruled or len(here) < FULL_BOARD:
        raise ActRefused("act_too_few", round=str(number), there=str(len(here)), wanted=str(FULL_BOARD))
    _check_may_make(tournament, number, len(choice.boards))
    return [OpenRound(number), CheckInPeople(number, here, act_time())], choice


def finish(tournament: Tournament, _now: datetime) -> int:
    """The tournament is over once its last round is closed; once, so that the desk may go on with it."""
    rounds = event_of(tournament).rounds
    played = [one for one in rounds.values() if not one.cancelled]
    if not played or any(one.state is not RoundState.CLOSED for one in played):
        return 0
    return _performed(tournament, f"over after {len(played)}", lambda _event: [FinishEvent()])


# what waits


def waiting_reasons(tournament: Tournament, event: Event, now: datetime) -> Mapping[int, TalleyrandError]:
    """Why a round does not begin, or has no games yet, by its number: for the desk."""
    found: dict[int, TalleyrandError] = {}
    number = due_round(event, now)
    if event.online is OnlineBoards.NONE or not event.terms:
        return found
    if number is not None:
        try:
            _gathered(tournament, event, number)
        except TalleyrandError as refused:
            found[number] = refused
    for at, one in event.rounds.items():
        for board, held in one.boards.items() if one.state is RoundState.PLAYING else ():
            if board_tables.may_open(held):
                try:
                    _players(tournament, event, at, board)
                except ActRefused as refused:
                    found.setdefault(at, refused)
    return found
