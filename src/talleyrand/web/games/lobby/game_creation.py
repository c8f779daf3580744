"""A new game from what was agreed on the page that makes one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import adjudicator
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.conduct import bans
from talleyrand.web.games import game_log
from talleyrand.web.games.finding_models import PlayerGroup
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, random_token

from . import player_groups, saved_searches
from .opening_positions import opening_seats

MOST_OPEN_GAMES = 30


@dataclass(frozen=True)
class GamePlan:
    """What the page asks for; `role` is player or master."""

    name: str
    variant: str
    rulebook: str | dict[str, Any]
    settings: GameSettings
    is_listed: bool
    role: str
    group: PlayerGroup | None = None  # then it is listed for its members alone
    is_announced: bool = True  # to those who look for such a game


def check_playable(variant: str, rulebook: str | dict[str, Any]) -> None:
    """Whether the judge can play this board by this book; raises QuestionRefusal."""
    situation = initial_situation(variants.load(variant))
    adjudicator.check_question(adjudicator.make_question(variant, rulebook, "", situation))


@write_transaction
def create_game(plan: GamePlan, person: Person, submission: str) -> Game:
    """A game that gathers its players, with its seats; the same submission again is the same game."""
    Person.objects.select_for_update().get(pk=person.pk)  # his other forms wait until this one is kept
    once = _once(person, submission)
    return Game.objects.filter(submission_id=once).first() or _create_planned(plan, person, once)


def _once(person: Person, submission: str) -> str:
    """What one form of one person leaves in the game; another for each time where there is none."""
    told = f"{person.pk} {submission}" if submission else random_token()
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _create_planned(plan: GamePlan, person: Person, submission: str) -> Game:
    game = Game.objects.create(
        name=plan.name,
        submission_id=submission,
        variant=plan.variant,
        rulebook=plan.rulebook,
        settings_json=plan.settings.as_json(),
        is_listed=plan.is_listed and plan.group is None,
        group=plan.group,
        creator=person,
    )
    for power in opening_seats(variants.load(plan.variant), plan.settings.start):
        if power not in plan.settings.passive:
            GameSeat.objects.create(game=game, power=power)
    role = GameRole.GAME_MASTER if plan.role == GameRole.GAME_MASTER else GameRole.PLAYER
    GameMembership.objects.create(game=game, person=person, role=role)
    game_log.add_log_entry(game, "created", role=role, by=person)
    if plan.group:
        player_groups.tell_of_game(plan.group, game, person)
    if plan.is_announced:
        saved_searches.tell_who_looks_for(game)
    if plan.settings.by_post:
        game_log.add_log_entry(game, "by_post", role=role, by=person)
    return game


def why_no_maker(person: Person) -> str:
    """Why somebody makes no games here, whatever they have made: `makers` where the site leaves it to others,
    `banned`; "" if nothing.
    """
    if not person.may_make_games:
        return "makers"
    return "banned" if bans.running_ban(person) else ""


def why_no_new_game(person: Person) -> str:
    """The same, and `open_games` where so many wait for players that another would be for none."""
    if why := why_no_maker(person):
        return why
    gathering = Game.objects.filter(creator=person, state="gathering").count()
    return "open_games" if gathering >= MOST_OPEN_GAMES else ""
