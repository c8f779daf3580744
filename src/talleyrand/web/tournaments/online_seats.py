"""Who plays the boards of a tournament on line: accounts of its people, and who took a seat over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby

from django.utils import timezone

from talleyrand.formats.visible_text import one_line_name
from talleyrand.tournament.acts.act import EventAct, find_board, next_number
from talleyrand.tournament.acts.people_acts import MAX_NAME_LENGTH, AddPerson
from talleyrand.tournament.acts.round_acts import CancelBye, CheckIn
from talleyrand.tournament.acts.seating_acts import MAX_SEASONS, CorrectSeat
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, EventPerson, OnlineBoards, PowerSeat, SeatReplacement
from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import bans
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.lobby import game_creation
from talleyrand.web.games.models import RUNNING_STATES, Game, GameMembership, GameRole, PowerAssignment

from . import access_tokens
from .event_times import act_time
from .models import Tournament, TournamentRole

Tenure = tuple[int, int]  # an account, and how many seasons it played


def accounts_by_person(tournament: Tournament) -> dict[int, Person]:
    """The account of each person of the event that has one, by number."""
    known = tournament.passes.filter(account__is_active=True).select_related("account").order_by("-pk")
    found = {access_tokens.person_of_token(tournament, one): one.account for one in known}
    return {who: account for who, account in found.items() if who and account is not None}


def desk_accounts(tournament: Tournament) -> set[int]:
    """Whoever works at the desk and so sees who plays what."""
    return set(tournament.memberships.values_list("account", flat=True))


def has_game_maker(tournament: Tournament) -> bool:
    """Whether one of its directors may make games on this site."""
    rows = tournament.memberships.filter(role=TournamentRole.DIRECTOR).select_related("account")
    return any(not game_creation.why_no_maker(one.account) for one in rows)


def people_for_round(tournament: Tournament, event: Event, number: int) -> Iterator[int]:
    """Who plays a round: whoever has signed up for it and has an account that is not banned, which plays
    once; where seats are secret, nobody who works at the desk, which sees them.
    """
    accounts = accounts_by_person(tournament)
    barred = bans.banned_among([one.pk for one in accounts.values()])
    if event.online is OnlineBoards.HIDDEN:
        barred |= desk_accounts(tournament)
    for who, known in sorted(event.people.items()):
        if number in known.rounds and not known.gone and who in accounts and accounts[who].pk not in barred:
            barred.add(accounts[who].pk)
            yield who


def anonymous_games(event: Event) -> list[Game]:
    """Its games that are being played and whose players are secret."""
    if event.online is not OnlineBoards.HIDDEN:
        return []
    keys = [held.game for one in event.rounds.values() for held in one.boards.values() if held.game]
    return list(Game.objects.filter(key__in=keys, state__in=RUNNING_STATES))


def has_seat(games: Collection[Game], account: Person) -> bool:
    """Whether somebody plays one of them now."""
    held = PowerAssignment.objects.filter(seat__game__in=games, ended_at=None)
    return held.filter(person=account).exists()


def note_desk(games: Iterable[Game], accounts: Collection[int]) -> None:
    """Whoever works at the desk sees who plays what: of a game that has begun they take no seat, even after
    they have left the desk (`power_assignments.why_barred`).
    """
    GameMembership.objects.bulk_create(
        GameMembership(game=game, person_id=one, role=GameRole.ASSISTANT, left_at=_after_start(game))
        for game in games
        for one in accounts
    )


def _after_start(game: Game) -> datetime:
    now = timezone.now()
    return max(now, (game.started_at or now) + timedelta(milliseconds=1))


def board_accounts(tournament: Tournament, event: Event, number: int, at: int) -> dict[str, Person]:
    """Who plays each power of a board that somebody plays; raises ActRefused (`act_no_account`,
    `act_account_twice`, `act_banned`)."""
    accounts = accounts_by_person(tournament)
    seats = {power: seat.person for power, seat in find_board(event, number, at).seats.items() if seat.person}
    people = {who: event.people[who].name for who in seats.values()}
    missing = [name for who, name in people.items() if who not in accounts]
    if missing or not seats:
        names = ", ".join(missing) or "–"
        raise ActRefused("act_no_account", round=str(number), board=str(at), people=names)
    held = Counter(accounts[who].pk for who in people)
    banned = bans.banned_among(held)
    if twice := [name for who, name in people.items() if held[accounts[who].pk] > 1]:
        raise ActRefused("act_account_twice", round=str(number), board=str(at), people=", ".join(twice))
    if barred := [name for who, name in people.items() if accounts[who].pk in banned]:
        raise ActRefused("act_banned", round=str(number), board=str(at), people=", ".join(barred))
    return {power: accounts[who] for power, who in seats.items()}


@dataclass(frozen=True)
class PlayedSeats:
    """Acts that say who played a board to its end; `newcomers`: accounts by the number they have then."""

    acts: tuple[EventAct, ...] = ()
    newcomers: Mapping[int, int] = field(default_factory=dict)


def played_seats(tournament: Tournament, event: Event, number: int, at: int, game: Game) -> PlayedSeats:
    """Who took over which seat of a game, for how many seasons, and how many nobody played.

    Whoever comes from outside is somebody of the event from then on. Seasons that a bot or nobody played
    count as missed.
    """
    held, one = find_board(event, number, at), event.rounds[number]
    seasons = _movement_phases(game)
    tenures = {
        power: found
        for power, found in _tenures(game, seasons).items()
        if held.seats[power].person is not None
    }
    known = {account.pk: who for who, account in accounts_by_person(tournament).items()}
    strangers = [who for found in tenures.values() for who, _count in found[1:] if who and who not in known]
    added = dict(enumerate(dict.fromkeys(strangers), next_number(event.people)))
    known |= {account: who for who, account in added.items()}
    played = {
        power: (
            _missed(game, power, seasons, found),
            tuple(SeatReplacement(known[who], min(count, MAX_SEASONS)) for who, count in found[1:] if who),
        )
        for power, found in tenures.items()
    }
    changed = {power: told for power, told in played.items() if told != _written_seat(held.seats[power])}
    takers = dict.fromkeys(taker.person for _seasons, reliefs in changed.values() for taker in reliefs)
    return PlayedSeats(
        (
            *(AddPerson(EventPerson(_name(account))) for account in added.values()),
            *(CheckIn(number, who, act_time()) for who in takers if who not in one.present),
            *(CancelBye(number, who) for who in takers if who in one.resting),
            *(CorrectSeat(number, at, power, *told) for power, told in changed.items()),
        ),
        added,
    )


def _written_seat(seat: PowerSeat) -> tuple[int, tuple[SeatReplacement, ...]]:
    return seat.missed, tuple(SeatReplacement(one.person, one.seasons) for one in seat.reliefs)


def _name(account: int) -> str:
    return one_line_name(Person.objects.get(pk=account).shown_name)[:MAX_NAME_LENGTH] or "–"


def open_doors(tournament: Tournament, seated: PlayedSeats) -> None:
    """Whoever came from outside opens their page with their account."""
    for number, account in seated.newcomers.items():
        access_tokens.token_of(tournament, number)
        tournament.passes.filter(person_number=number).update(account_id=account)


def _movement_phases(game: Game) -> tuple[int, ...]:
    """The numbers of the phases that were seasons of moves."""
    found = GameHistory(game).revisions
    return tuple(
        at for at, one in sorted(found.items()) if one.situation and str(one.situation["phase"]).endswith("M")
    )


def _tenures(game: Game, seasons: Collection[int]) -> dict[str, list[Tenure]]:
    """Who played each power, in order, each once, with the seasons played; whoever played none is left out
    unless they were first. Stand-ins play for whoever they stand in for.
    """
    rows = PowerAssignment.objects.filter(seat__game=game, is_stand_in=False).exclude(person=None)
    rows = (
        rows.exclude(ended_at__lte=game.started_at)
        .select_related("seat")
        .order_by("seat", "started_at", "pk")
    )
    found: dict[str, list[Tenure]] = {}
    for power, several in groupby(rows, key=lambda row: row.seat.power):
        counts: dict[int, int] = {}
        for row in several:
            last = row.last_phase_number
            played = sum(row.first_phase_number <= at and (last is None or at <= last) for at in seasons)
            if played or not counts:
                who = row.person_id or 0
                counts[who] = counts.get(who, 0) + played
        found[power] = list(counts.items())
    return found


def _missed(game: Game, power: str, seasons: Collection[int], tenures: list[Tenure]) -> int:
    """How many seasons nobody played a power that was alive at the end."""
    centres = (game.result or {}).get("centres", {})
    if not centres.get(power):
        return 0
    return min(MAX_SEASONS, max(0, len(seasons) - sum(count for _who, count in tenures)))
