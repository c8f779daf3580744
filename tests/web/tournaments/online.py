"""A tournament on line of people with accounts, and how its games are played: by bots in their seats."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from talleyrand.tournament.acts.round_acts import ScheduleRound
from talleyrand.tournament.model import Event, EventPerson, EventRound
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import adjudicator
from talleyrand.web.games import order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game
from talleyrand.web.practice import practice_bot_tasks
from talleyrand.web.tournaments import (
    access_tokens,
    event_journal,
    online_rounds,
    online_terms,
    tournament_creation,
)
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.event_journal import JournalActor
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.tournaments import scene

BOT = "values:normal"
RULES = {"extends": "sum", "rounds": [{"last_year": 1901}, {"last_year": 1901}]}
EARLY = "2026-01-05T18:00:00+00:00"


def tournament(people: int = 7, *, first: int = 0, name: str = "Ligue 1", **terms: str) -> Tournament:
    """Directed by Maëlle, with so many people of the cast of names, from `first` on; round 1 is due."""
    told = online_terms.checked_terms(terms)
    event = Event(
        name,
        regulations=RULES,
        seed="1901",
        online=online_terms.online_boards(told),
        terms=told,
        people={at: EventPerson(account_name(first + at), rounds=(1, 2)) for at in range(1, people + 1)},
        rounds={1: EventRound(starts=EARLY), 2: EventRound()},
    )
    made = tournament_creation.create_tournament(event, scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=True)
    for at in range(1, people + 1):
        access_tokens.token_of(made, at)
        made.passes.filter(person_number=at).update(account=account(first + at))
    return fresh(made)


def account_name(number: int) -> str:
    """The name of the account of the person of a number, from 1."""
    return scene.NAMES[(number - 1) % len(scene.NAMES)] + ("" if number <= len(scene.NAMES) else " II")


def account(number: int) -> Person:
    """That account."""
    return cast.person(account_name(number))


def fresh(made: Tournament) -> Tournament:
    """The tournament as it is now."""
    return Tournament.objects.get(pk=made.pk)


def event(made: Tournament) -> Event:
    """Its event as it is now."""
    return event_of(fresh(made))


def follow(at: datetime | None = None) -> int:
    """What the job does when it looks."""
    return online_rounds.follow_online_rounds(at or timezone.now())


def games(made: Tournament, number: int = 1) -> list[Game]:
    """The games of a round, in the order of its boards."""
    boards = event(made).rounds[number].boards
    return [Game.objects.get(key=held.game) for _at, held in sorted(boards.items())]


def play(game: Game, phases: int = 99) -> Game:
    """Play a game on with a bot in every seat, so many phases at most; the game as it is then."""
    for _phase in range(phases):
        game = Game.objects.get(pk=game.pk)
        if game.state not in RUNNING_STATES:
            break
        question = GameHistory(game).question(game.phase_number)
        assert question is not None
        holders = power_assignments.players_by_power(game)
        for power in adjudicator.deciding_powers(question):
            if holders[power] is not None:
                _submit(game, power, question)
        phase_adjudication.adjudicate_phase(
            game, game.phase_number, timezone.now() + timedelta(hours=game.phase_number)
        )
    return Game.objects.get(pk=game.pk)


def _submit(game: Game, power: str, question: adjudicator.Question) -> None:
    lines = practice_bot_tasks.bot_orders(question, power, BOT, game.seed, lambda *_told: None, {})
    by = Person.objects.get(pk=power_assignments.player_of(game, power) or 0)
    key = f"{power} {game.phase_number}"
    order_submission.submit_orders(
        game, power, lines, number=game.phase_number, key=key, origin="web", at=timezone.now(), by=by
    )


def begin(made: Tournament) -> None:
    """Round 1 is due, as the director says with “Begin now”."""
    event_journal.perform_acts(fresh(made), [ScheduleRound(1, EARLY)], JournalActor(scene.director()))
