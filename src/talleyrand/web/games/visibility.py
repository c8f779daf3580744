"""Who may see which rows of a game: one function a model, asked by every page, feed and export."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import json_text

from .finding_models import GroupMember
from .game_settings import SpectatorRule
from .models import (
    Absence,
    EndProposal,
    EndProposalBallot,
    Game,
    GameLogEntry,
    GameMembership,
    Gazette,
    OrderSet,
    PowerAssignment,
)
from .viewer_permissions import GameViewer


def visible_games(person: Person | None) -> QuerySet[Game]:
    """The games that appear in somebody’s lists (None: a visitor without account)."""
    if person is None:
        return Game.objects.filter(is_listed=True)
    mine = GameMembership.objects.filter(game=OuterRef("pk"), person=person, left_at=None)
    return Game.objects.filter(Q(is_listed=True) | Exists(mine) | games_of_groups(person))


def games_of_groups(person: Person) -> Q:
    """The games of one’s groups."""
    return Q(group__in=list(GroupMember.objects.filter(person=person).values_list("group", flat=True)))


def visible_order_sets(sight: GameViewer) -> QuerySet[OrderSet]:
    """One’s own powers’ sheets, every one for the game master. What others ordered is read from the
    published phases, never from here.

    A draft that was set aside with its phase is read by whoever made it alone.
    """
    found = OrderSet.objects.filter(game=sight.game)
    aside = Q(origin="draft", withdrawn_at__isnull=False)
    found = found.filter(~aside | Q(submitted_by=sight.person)) if sight.person else found.exclude(aside)
    return found if sight.is_game_master else found.filter(power__in=sight.powers)


ABSENCE_LOG_KINDS = ("absence", "absence_withdrawn")  # lines of the log with their dates


def visible_absences(sight: GameViewer) -> QuerySet[Absence]:
    """The absences that count, with their dates, the nearest first: one’s own; others’ where one may know."""
    found = Absence.objects.filter(game=sight.game, withdrawn_at=None).order_by("starts_at", "pk")
    if sight.may_see_absences:
        return found
    return found.filter(person=sight.person) if sight.person else found.none()


def visible_log_entries(sight: GameViewer) -> QuerySet[GameLogEntry]:
    """The log: all of it at the desk, what is open for the others where the game says so."""
    found = GameLogEntry.objects.filter(game=sight.game)
    if sight.is_game_master:
        return found
    if not sight.may_see_absences:
        found = found.exclude(~Q(person=sight.person) if sight.person else Q(), kind__in=ABSENCE_LOG_KINDS)
    if not sight.may_see_players:  # whose wishes were whose
        found = found.exclude(kind="lots")
    if sight.is_at_desk:
        return found
    if not (sight.may_open and sight.game.settings.log_open):
        return found.none()
    return found.filter(_seen("created_at", sight), is_public=True)


def visible_assignments(sight: GameViewer) -> QuerySet[PowerAssignment]:
    """Who plays what: one’s own alone while that is secret."""
    found = PowerAssignment.objects.filter(seat__game=sight.game)
    if sight.may_see_players:
        return found
    return found.filter(person=sight.person) if sight.person else found.none()


def visible_ballots(sight: GameViewer) -> QuerySet[EndProposalBallot]:
    """Answers to a proposal: one’s own; of others vetoes alone, which are public."""
    found = EndProposalBallot.objects.filter(proposal__game=sight.game)
    if not sight.may_open:
        return found.none()
    return found.filter(_seen("answered_at", sight), Q(choice="veto") | Q(power__in=sight.powers))


def visible_proposals(sight: GameViewer) -> QuerySet[EndProposal]:
    """Proposals to end the game, oldest first; of one that is shown late those that were closed by then."""
    return EndProposal.objects.filter(_seen("closed_at", sight), game=sight.game)


def visible_gazettes(sight: GameViewer) -> QuerySet[Gazette]:
    """What the game master wrote on the phases that one sees."""
    return Gazette.objects.filter(_seen("published_at", sight), game=sight.game)


def _seen(moment: str, sight: GameViewer) -> Q:
    """What was so by the time until which one sees the game."""
    return Q() if sight.seen_until is None else Q(**{f"{moment}__lte": sight.seen_until})


def watchable_games(games: QuerySet[Game]) -> QuerySet[Game]:
    """Those of listed games whose board everybody may open while they are played."""
    kept = games.annotate(watching=json_text("settings_json__watching"))
    return kept.filter(Q(watching=SpectatorRule.EVERYBODY) | Q(watching=None))
