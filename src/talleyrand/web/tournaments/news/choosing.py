"""Whom the director has told what: nobody, those with an account, or all who gave an address too."""

from __future__ import annotations

from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments.models import Tournament

from .concerning import SEATS, TOPICS
from .models import Telling

NOBODY, ACCOUNTS, ALL = "no", "accounts", "all"
WISHES = (NOBODY, ACCOUNTS, ALL)


def wanted(telling: Telling) -> dict[str, str]:
    """Who is told of each topic; at first those with an account, of their seats."""
    usual = {topic: ACCOUNTS if topic == SEATS else NOBODY for topic in TOPICS}
    return {topic: _known(telling.wanted.get(topic), usual[topic]) for topic in TOPICS}


def _known(kept: object, usual: str) -> str:
    return kept if isinstance(kept, str) and kept in WISHES else usual


def of(tournament: Tournament) -> Telling:
    """What is told of a tournament; at first what is usual."""
    return Telling.objects.get_or_create(tournament=tournament)[0]


def chosen(tournament: Tournament) -> dict[str, str]:
    """Who is told what, for whoever only looks."""
    return wanted(Telling.objects.filter(tournament=tournament).first() or Telling(tournament=tournament))


@writing
def choose(tournament: Tournament, told: dict[str, str]) -> None:
    """Keep who is told what; what makes no sense stays as it was."""
    of(tournament)
    row = Telling.objects.select_for_update().get(tournament=tournament)
    before = wanted(row)
    row.wanted = {topic: _known(told.get(topic), before[topic]) for topic in TOPICS}
    row.save(update_fields=["wanted"])
