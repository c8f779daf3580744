"""The prizes as all may read them: who has each, and why; never a ballot, nor how far somebody drove."""

from __future__ import annotations

from dataclasses import dataclass

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament as sentences
from talleyrand.tournament.prizes import Award
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import awarded
from talleyrand.web.tournaments.models import Json
from talleyrand.web.tournaments.sight import Sight

from . import regulating, words

DISCREET = ("vote", "journey")  # kinds whose lines tell what is nobody's business


@dataclass(frozen=True)
class Prize:
    """A prize: its title, who has it, and the sentences that say why."""

    title: str
    holders: tuple[str, ...]
    why: tuple[str, ...] = ()


def is_shown(sight: Sight) -> bool:
    """Whether prizes have holders for all: the desk has said that it is over, and every round is shown."""
    event = sight.event
    return event.over and all(one.revealed for one in event.rounds.values())


def titles(sight: Sight) -> list[Prize]:
    """What there is to win."""
    rules = regulating.rules_of(sight.event)
    return [Prize(words.text(prize.title) or name, ()) for name, prize in rules.prizes.items()]


def prizes(sight: Sight) -> list[Prize]:
    """The podium and every prize with its holders; nothing where the regulations cannot be read."""
    if sight.tournament.copied is not None:
        return list(map(_copied, sight.tournament.awards))
    try:
        return [_prize(sight, one) for one in awarded.of(sight.tournament)]
    except TalleyrandError:
        return []


def _copied(told: Json) -> Prize:
    """A prize as the source of a copy tells it: what it rests on is known there alone."""
    why = told.get("why") or {}
    return Prize(
        words.text(told["title"]), tuple(told.get("holders", ())), tuple(why.get(wording.language(), ()))
    )


def _prize(sight: Sight, award: Award) -> Prize:
    event, names = sight.event, words.names(sight.event)
    if award.kind == regulating.TEAM:
        holders = tuple(event.teams[one].name for one in award.holders if one in event.teams)
    else:
        holders = tuple(event.people[one].name for one in award.holders)
    why = tuple(
        sentences.working(line, names)[wording.language()]
        for line in award.lines
        if award.kind not in DISCREET
        or line.kind.startswith("prize_youngest")
        or line.kind.endswith("_nobody")
    )
    title = words.place(int(award.key)) if award.kind == "place" else words.text(award.title) or award.key
    return Prize(title, holders, why)
