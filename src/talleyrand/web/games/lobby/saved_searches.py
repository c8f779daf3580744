"""Searches that somebody keeps, and who hears of a game that they have been looking for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.finding_models import SavedSearch
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState
from talleyrand.web.games.player_records import reliability

from .game_filters import MOST_MISSING, NAMES, RELIABILITIES, GameFilter
from .lobby_refusals import LobbyRefusal
from .setting_options import NO, SEAT, YES

MOST_SEARCHES = 10  # of one person
MOST_A_DAY = 10  # listed games of one maker that others are told of
MOST_TOLD = 500  # of one game: those whose search is the oldest
ALIKE = ("variant", "rulebook_name", "pace", "press", "anonymity")


def filter_of(search: SavedSearch) -> GameFilter:
    """As the lists take it."""
    return GameFilter(**{name: getattr(search, name) for name in NAMES})


@write_transaction
def save_search(person: Person, wanted: GameFilter) -> None:
    """Keep a search; the same twice is kept once. Raises LobbyRefusal."""
    Person.objects.select_for_update().get(pk=person.pk)
    if not wanted.chosen:
        raise LobbyRefusal("no_search")
    answers = {name: getattr(wanted, name) for name in NAMES}
    if SavedSearch.objects.filter(person=person, **answers).exists():
        return
    if SavedSearch.objects.filter(person=person).count() >= MOST_SEARCHES:
        raise LobbyRefusal("searches")
    SavedSearch.objects.create(person=person, **answers)


def forget_search(person: Person, search: int) -> None:
    """Keep one no longer; one that is not there is no fault."""
    SavedSearch.objects.filter(person=person, pk=search).delete()


def tell_who_looks_for(game: Game, *, bot_seat: bool = False) -> None:
    """A listed game gathers players, or lacks one more since somebody left: inside that transaction. With a
    `bot_seat`, a bot has a seat that one may take over.

    Each is told once of a game, none who has been in it; nobody of more than MOST_A_DAY games of one maker.
    """
    if not game.is_listed:
        return
    gathers = game.state == GameState.GATHERING
    if gathers and _makes_many(game):
        return
    answers = _answers(game, _missing(game) if gathers else MOST_MISSING + 1)
    found = SavedSearch.objects.filter(**{**answers, "bots__in": (SEAT,)} if bot_seat else answers)
    been = GameMembership.objects.filter(game=game).values("person")
    people = found.exclude(person__in=been).values_list("person", flat=True)[:MOST_TOLD]
    kind = "game_found" if gathers else recipients.SEAT_FOUND
    recipients.notify_about_game(game, sorted(set(people)), kind, "found")


def _makes_many(game: Game) -> bool:
    """Whether its maker has had others told of so many games that they hear of no more for now."""
    since = timezone.now() - timedelta(days=1)
    made = Game.objects.filter(creator=game.creator_id, created_at__gt=since, is_listed=True)
    return made.filter(pk__lte=game.pk).count() > MOST_A_DAY


def _missing(game: Game) -> int:
    here = game.memberships.filter(role=GameRole.PLAYER, left_at=None).count()
    return power_assignments.player_seat_count(game) - here


def _answers(game: Game, missing: int) -> dict[str, Any]:
    """What a search may say that finds the game."""
    answers: dict[str, Any] = {f"{name}__in": ("", getattr(game, name)) for name in ALIKE}
    if game.language:
        answers["language__in"] = ("", game.language)
    answers["reliability__in"] = ("", *_reliabilities(game))
    answers["bots__in"] = ("", YES if game.has_bots else NO)
    answers["seats__in"] = ("", *map(str, range(missing, MOST_MISSING + 1)))
    return answers


def _reliabilities(game: Game) -> list[str]:
    """Which of the answers about reliability find the game."""
    rows = reliability.with_reliability(Game.objects.filter(pk=game.pk), for_members=True)
    found = max((one or 0 for one in rows.values_list("mean_reliability", "asked_reliability")[0]), default=0)
    return [str(one) for one in RELIABILITIES if one <= found]
