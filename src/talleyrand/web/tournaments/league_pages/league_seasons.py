"""The seasons of a league: its divisions as they stand, who moves, and the next season made of the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.tournament import promotion
from talleyrand.tournament.acts.event_acts import LONGEST_NAME
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.model import Event, EventPerson, EventRound, Office, OnlineBoards, PrivateFacts
from talleyrand.tournament.standings import Standings
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games.lobby import game_creation
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.tournaments import cached_standings, online_seats, tournament_creation
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import (
    AccessToken,
    LeagueDivision,
    Tournament,
    TournamentLeague,
    TournamentMembership,
    TournamentRole,
    random_token,
)

MOST_DIVISIONS = 20
MOST_LEAGUES = 10  # that one account keeps


@dataclass
class DivisionState:
    """A division of a season: its tournament, and its people as they stand."""

    row: LeagueDivision

    @cached_property
    def event(self) -> Event:
        """The event of the division."""
        return event_of(self.row.tournament)

    @cached_property
    def standings(self) -> Standings | None:
        """Its standings, final once it is over and shows all; None where its regulations cannot be read."""
        last = last_public_round(self.event)
        return cached_standings.standings_of(self.row.tournament, last).standings

    @cached_property
    def accounts(self) -> dict[int, Person]:
        """The account of each person who has one."""
        return online_seats.accounts_by_person(self.row.tournament)

    @cached_property
    def ranked(self) -> list[int]:
        """The people who stay in the league, best first: those who signed up, did not withdraw, and have an
        account."""
        staying = [
            who
            for who, known in sorted(self.event.people.items())
            if known.rounds and not known.gone and who in self.accounts
        ]
        held = self.standings
        return promotion.final_order(held, staying, self.row.tournament.key) if held else staying

    @cached_property
    def size(self) -> int:
        """How many had signed up, those who have withdrawn since included."""
        return sum(bool(known.rounds) or known.gone for known in self.event.people.values())


@dataclass
class SeasonState:
    """A season: its divisions, the highest first."""

    league: TournamentLeague
    number: int
    divisions: Sequence[DivisionState]

    @property
    def is_over(self) -> bool:
        """Whether every division is over and shows all of its rounds."""
        events = [one.event for one in self.divisions]
        return bool(events) and all(
            event.over and all(one.revealed for one in event.rounds.values()) for event in events
        )

    @property
    def staying(self) -> list[list[tuple[int, int]]]:
        """Who stays of each division, best first, by rank and number: an account once, as its best entry."""
        known, found = set[int](), list[list[tuple[int, int]]]()
        for one in self.divisions:
            found.append([])
            for who in one.ranked:
                if one.accounts[who].pk not in known:
                    known.add(one.accounts[who].pk)
                    found[-1].append((one.row.rank, who))
        return found

    @cached_property
    def next_ranks(self) -> dict[tuple[int, int], int]:
        """The division of each person in the next season: by the rank and the number they have now."""
        sizes = [one.size for one in self.divisions]
        after = promotion.next_divisions(self.staying, self.league.moving, sizes)
        ranks = [one.row.rank for one in self.divisions]
        return {who: rank for rank, people in zip(ranks, after, strict=True) for who in people}

    def movement(self, rank: int, person: int) -> str:
        """Whether somebody goes "up", "down" or neither ("")."""
        after = self.next_ranks.get((rank, person), rank)
        return "up" if after < rank else "down" if after > rank else ""

    def check_next(self) -> None:
        """Raises ActRefused or LobbyRefusal where its keeper cannot make the next season of it."""
        if not self.is_over:
            raise ActRefused("league_not_over")
        directed = set(_directed_by(self.league.keeper).values_list("tournament", flat=True))
        for one in self.divisions:
            told = {"rank": str(one.row.rank)}
            if one.row.tournament_id not in directed:
                raise ActRefused("league_not_director", **told)
            if one.standings is None:
                raise ActRefused("league_no_standings", **told)
        _check_maker(self.league.keeper)


def visible_leagues(account: Person | None) -> QuerySet[TournamentLeague]:
    """The leagues that all may open, and those that somebody keeps."""
    return TournamentLeague.objects.filter(Q(is_listed=True) | Q(keeper=account, keeper__isnull=False))


def season_numbers(league: TournamentLeague) -> list[int]:
    """The seasons of a league, the last first."""
    return list(league.divisions.order_by("-season").values_list("season", flat=True).distinct())


def season_of(league: TournamentLeague, number: int | None = None) -> SeasonState | None:
    """A season of a league, without a number the last; None where there is none."""
    rows = league.divisions.select_related("tournament", "league").defer("tournament__document")
    if number is None:
        number = next(iter(season_numbers(league)), 0)
    found = [DivisionState(row) for row in rows.filter(season=number)]
    return SeasonState(league, number, found) if found else None


def _directed_by(account: Person | None) -> QuerySet[TournamentMembership]:
    return TournamentMembership.objects.filter(
        account=account, account__isnull=False, role=TournamentRole.DIRECTOR
    )


def _check_maker(account: Person | None) -> None:
    """Raises LobbyRefusal where somebody may make no games on this site."""
    if why := game_creation.why_no_maker(account) if account else "makers":
        raise LobbyRefusal(why)


def addable_tournaments(account: Person) -> list[Tournament]:
    """The tournaments on line that somebody directs, and that are in no league."""
    mine = _directed_by(account).values("tournament")
    rows = Tournament.objects.filter(pk__in=mine, division=None, copied_at=None)
    return [one for one in rows.order_by("created_at") if event_of(one).online is not OnlineBoards.NONE]


@write_transaction
def add_division(league: TournamentLeague, account: Person, key: str) -> None:
    """A tournament becomes the lowest division of the season; raises ActRefused. Twice is once."""
    row = TournamentLeague.objects.select_for_update().get(pk=league.pk)
    if row.divisions.filter(tournament__key=key).exists():
        return
    made = next((one for one in addable_tournaments(account) if one.key == key), None)
    if made is None:
        raise ActRefused("league_no_tournament")
    season = max(row.divisions.values_list("season", flat=True), default=1)
    ranks = list(row.divisions.filter(season=season).values_list("rank", flat=True))
    if len(ranks) >= MOST_DIVISIONS:
        raise ActRefused("league_divisions", most=str(MOST_DIVISIONS))
    rank = max(ranks, default=0) + 1
    try:
        with transaction.atomic():
            LeagueDivision.objects.create(league=row, season=season, rank=rank, tournament=made)
    except IntegrityError:  # another league was faster
        raise ActRefused("league_no_tournament") from None


@write_transaction
def begin_next_season(league: TournamentLeague, after: int) -> bool:
    """Make the divisions of the season after `after`, by its results; raises ActRefused and LobbyRefusal as
    `SeasonState.check_next`. False where it has been made already.
    """
    row = TournamentLeague.objects.select_for_update().get(pk=league.pk)
    last = season_of(row)
    if last is None or last.number != after:
        return False
    last.check_next()
    for one in last.divisions:
        people = [
            (held, who)
            for held in last.divisions
            for who in held.ranked
            if last.next_ranks.get((held.row.rank, who)) == one.row.rank
        ]
        _make_division(row, last.number + 1, one, people)
    return True


def _make_division(
    league: TournamentLeague,
    season: int,
    before: DivisionState,
    people: Sequence[tuple[DivisionState, int]],
) -> None:
    """The tournament of a division: as the one before, with its people of now; dates are the director's."""
    told = {"league": league.name, "season": season, "rank": before.row.rank}
    name = _("Division %(rank)s, %(league)s, season %(season)s") % told
    rounds = {number: EventRound() for number in before.event.rounds}
    known = {at: _carried(held.event.people[who], tuple(rounds)) for at, (held, who) in enumerate(people, 1)}
    event = Event(
        name[-LONGEST_NAME:],
        regulations=before.event.regulations,
        seed=random_token(),
        announcement=replace(before.event.announcement, opens="", ends=""),
        online=before.event.online,
        terms=before.event.terms,
        people=known,
        rounds=rounds,
    )
    old = before.row.tournament
    made = tournament_creation.create_tournament(event, None)
    Tournament.objects.filter(pk=made.pk).update(is_listed=old.is_listed, creator=old.creator)
    TournamentMembership.objects.bulk_create(
        TournamentMembership(tournament=made, account_id=desk.account_id, role=desk.role)
        for desk in old.memberships.all()
    )
    AccessToken.objects.bulk_create(
        AccessToken(tournament=made, person_number=at, account=held.accounts[who])
        for at, (held, who) in enumerate(people, 1)
    )
    LeagueDivision.objects.create(league=league, season=season, rank=before.row.rank, tournament=made)


def _carried(known: EventPerson, rounds: tuple[int, ...]) -> EventPerson:
    """Somebody as the next season has them: what all may read, signed up for every round."""
    return replace(known, rounds=rounds, minutes=None, private=PrivateFacts(), office=Office.NONE, gone=False)


def create_league(name: str, keeper: Person, submission: str) -> TournamentLeague:
    """A new league without divisions; raises ActRefused and LobbyRefusal. Submitted twice, it is one."""
    once = sha256(f"{keeper.pk} {submission or random_token()}".encode("utf-8", "surrogatepass")).hexdigest()
    if known := TournamentLeague.objects.filter(submission_id=once).first():
        return known
    _check_maker(keeper)
    if TournamentLeague.objects.filter(keeper=keeper).count() >= MOST_LEAGUES:
        raise ActRefused("league_many", most=str(MOST_LEAGUES))
    told = {"name": name, "keeper": keeper, "created_at": timezone.now()}
    return TournamentLeague.objects.get_or_create(submission_id=once, defaults=told)[0]
