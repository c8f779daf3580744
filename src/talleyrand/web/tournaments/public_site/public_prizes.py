"""The prizes as all may read them: who has each, and why; never a ballot, nor how far somebody drove."""

from __future__ import annotations

from dataclasses import dataclass

from talleyrand.engine.errors import TalleyrandError
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament.prizes import Award
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments import cached_awards
from talleyrand.web.tournaments.models import Json
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_texts, regulations_texts

PRIVATE_PRIZE_KINDS = ("vote", "journey")  # kinds whose lines tell what is nobody's business


@dataclass(frozen=True)
class PublicPrize:
    """A prize: its title, who has it, and the sentences that say why."""

    title: str
    holders: tuple[str, ...]
    why: tuple[str, ...] = ()


def are_prizes_public(sight: TournamentViewer) -> bool:
    """Whether prizes have holders for all: the desk has said that it is over, and every round is shown."""
    event = sight.event
    return event.over and all(one.revealed for one in event.rounds.values())


def prize_titles(sight: TournamentViewer) -> list[PublicPrize]:
    """What there is to win."""
    rules = regulations_texts.regulations_of(sight.event)
    return [
        PublicPrize(public_texts.in_reader_language(prize.title) or name, ())
        for name, prize in rules.prizes.items()
    ]


def public_prizes(sight: TournamentViewer) -> list[PublicPrize]:
    """The podium and every prize with its holders; nothing where the regulations cannot be read."""
    if sight.tournament.copied_at is not None:
        return list(map(_copied, sight.tournament.copied_awards))
    try:
        return [_prize(sight, one) for one in cached_awards.awards_of(sight.tournament)]
    except TalleyrandError:
        return []


def _copied(told: Json) -> PublicPrize:
    """A prize as the source of a copy tells it: what it rests on is known there alone."""
    why = told.get("why") or {}
    return PublicPrize(
        public_texts.in_reader_language(told["title"]),
        tuple(told.get("holders", ())),
        tuple(why.get(display_names.reader_language(), ())),
    )


def _prize(sight: TournamentViewer, award: Award) -> PublicPrize:
    event, names = sight.event, public_texts.names_by_number(sight.event)
    if award.kind == regulations_texts.TEAM:
        holders = tuple(event.teams[one].name for one in award.holders if one in event.teams)
    else:
        holders = tuple(event.people[one].name for one in award.holders)
    why = tuple(
        sentences.working_sentences(line, names)[display_names.reader_language()]
        for line in award.lines
        if award.kind not in PRIVATE_PRIZE_KINDS
        or line.kind.startswith("prize_youngest")
        or line.kind.endswith("_nobody")
    )
    title = (
        public_texts.place_text(int(award.key))
        if award.kind == "place"
        else public_texts.in_reader_language(award.title) or award.key
    )
    return PublicPrize(title, holders, why)
