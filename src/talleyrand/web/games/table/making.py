"""A new game from what was agreed on the page that makes one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import referee
from talleyrand.web.games import log
from talleyrand.web.games.models import Game, Membership, Role, Seat, secret
from talleyrand.web.games.story import first_situation
from talleyrand.web.games.terms import Terms
from talleyrand.web.games.writing import writing

MOST_OPEN = 30


@dataclass(frozen=True)
class Plan:
    """What the page asks for; `part` is player or master."""

    name: str
    variant: str
    rulebook: str | dict[str, Any]
    terms: Terms
    listed: bool
    part: str


def check(variant: str, rulebook: str | dict[str, Any]) -> None:
    """Whether the judge can play this board by this book; raises Unanswered."""
    situation = first_situation(variants.load(variant))
    referee.check(referee.ask(variant, rulebook, "", situation))


@writing
def create(plan: Plan, person: Person, submission: str) -> Game:
    """A game that gathers its players, with its seats; the same submission again is the same game."""
    Person.objects.select_for_update().get(pk=person.pk)  # his other forms wait until this one is kept
    once = _once(person, submission)
    return Game.objects.filter(submission=once).first() or _made(plan, person, once)


def _once(person: Person, submission: str) -> str:
    """What one form of one person leaves in the game; another for each time where there is none."""
    told = f"{person.pk} {submission}" if submission else secret()
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def _made(plan: Plan, person: Person, submission: str) -> Game:
    game = Game.objects.create(
        name=plan.name,
        submission=submission,
        variant=plan.variant,
        rulebook=plan.rulebook,
        kept_terms=plan.terms.kept(),
        listed=plan.listed,
        creator=person,
    )
    for power in variants.load(plan.variant).setting.seats:
        Seat.objects.create(game=game, power=power)
    role = Role.MASTER if plan.part == Role.MASTER else Role.PLAYER
    Membership.objects.create(game=game, person=person, role=role)
    log.note(game, "created", role=role, by=person)
    if plan.terms.by_post:
        log.note(game, "by_post", role=role, by=person)
    return game


def too_many(person: Person) -> bool:
    """Whether somebody gathers players for so many games that another one would be for none."""
    return Game.objects.filter(creator=person, state="gathering").count() >= MOST_OPEN
