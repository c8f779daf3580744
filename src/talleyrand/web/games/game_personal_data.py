"""What games keep of a person, and what becomes of a game when he deletes his account."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.accounts.personal_data import PersonalData

from . import game_log, phase_deadlines, power_assignments
from .bot_letter_models import BotAgreement
from .lobby import membership_actions
from .lobby.lobby_refusals import LobbyRefusal
from .models import (
    ENDED_STATES,
    Absence,
    Game,
    GameMembership,
    GameRole,
    GameState,
    Gazette,
    OrderSet,
    PowerAssignment,
)

Json = dict[str, Any]


def export_games(person: Person) -> list[Json]:
    """One's games, with one's own roles, powers, sheets, drafts, gazettes and absences in them."""
    mine = Q(memberships__person=person) | Q(seats__tenures__person=person)
    # no DISTINCT: PostgreSQL does not compare the JSON of a row
    games = Game.objects.filter(pk__in=Game.objects.filter(mine).values("pk")).order_by("created_at")
    return [_game(game, person) for game in games]


def _game(game: Game, person: Person) -> Json:
    memberships = GameMembership.objects.filter(game=game, person=person).order_by("joined_at")
    tenures = PowerAssignment.objects.filter(seat__game=game, person=person).select_related("seat")
    absences = Absence.objects.filter(game=game, person=person).order_by("starts_at")
    return {
        "key": game.key,
        "name": game.name,
        "variant": game.variant,
        "state": game.state,
        "roles": [
            {"role": one.role, "wishes": one.preferences, "joined": one.joined_at, "left": one.left_at}
            for one in memberships
        ],
        "powers": [_tenure(tenure) for tenure in tenures],
        "sheets": _sheets(game, person),
        "drafts": _drafts(game, person),
        "bot_agreements": _bot_agreements(game, person),
        "gazettes": [
            {"number": one.phase_number, "text": one.text, "published": one.published_at}
            for one in Gazette.objects.filter(game=game, author=person)
        ],
        "absences": [
            {
                "since": one.starts_at,
                "until": one.ends_at,
                "asked": one.announced_at,
                "withdrawn": one.withdrawn_at,
            }
            for one in absences
        ],
    }


def _tenure(tenure: PowerAssignment) -> Json:
    return {
        "power": tenure.seat.power,
        "stand_in": tenure.is_stand_in,
        "first": tenure.first_phase_number,
        "last": tenure.last_phase_number,
        "since": tenure.started_at,
        "until": tenure.ended_at,
    }


def _sheets(game: Game, person: Person) -> list[Json]:
    """What one handed in; what a game master entered for others is theirs."""
    handed_in = OrderSet.objects.filter(game=game, submitted_by=person).exclude(origin="master")
    return [
        {
            "receipt": one.receipt_number,
            "number": one.phase_number,
            "power": one.power,
            "lines": one.lines,
            "origin": one.origin,
            "final": one.is_ready,
            "at": one.received_at,
            "digest": one.digest,
        }
        for one in handed_in
    ]


def _drafts(game: Game, person: Person) -> list[Json]:
    mine = game.seats.filter(power__in=power_assignments.powers_played_by(game, person))
    return [
        {"power": one.power, "draft_number": one.draft_phase_number, "draft": one.draft_orders}
        for one in mine
        if one.draft_orders
    ]


def _bot_agreements(game: Game, person: Person) -> list[Json]:
    """What bots have proposed to one's powers and agreed on with them."""
    mine = power_assignments.powers_played_by(game, person)
    return [
        {
            "bot": one.power,
            "power": one.partner,
            "proposal": one.proposal,
            "state": one.state,
            "phase": one.phase,
            "until": one.until,
            "ended": one.ended_at,
        }
        for one in BotAgreement.objects.filter(game=game, partner__in=mine, is_known=True)
    ]


def game_deletion_notes(person: Person) -> list[str]:
    """What becomes of the games that still run; of those round a table, the table tells."""
    return [_leaving_effect(game, person) for game in _running(person) if not game.is_at_table]


def _leaving_effect(game: Game, person: Person) -> str:
    powers = power_assignments.powers_played_by(game, person)
    facts = {"game": game.name}
    if _is_only_master(game, person):
        return (
            _("%(game)s: you are its only GM and it would be left without one. Appoint another first.")
            % facts
        )
    if powers and game.state != GameState.GATHERING:
        return _("%(game)s: your power becomes an open seat; the others are notified.") % facts
    return _("%(game)s: you will leave this game.") % facts


def _is_only_master(game: Game, person: Person) -> bool:
    masters = [one.person_id for one in membership_actions.members_with_role(game, GameRole.GAME_MASTER)]
    return masters == [person.pk]


def _running(person: Person) -> list[Game]:
    mine = Game.objects.filter(memberships__person=person, memberships__left_at=None)
    return list(mine.exclude(state__in=ENDED_STATES).select_related("creator").order_by("pk"))


def leave_all_games(person: Person) -> None:
    """Leave every game that runs, as one leaves a table; also one that has no other game master."""
    for game in _running(person):
        try:
            membership_actions.leave_game(game, person)
        except LobbyRefusal:
            _leave_without_master(game, person)


def _leave_without_master(game: Game, person: Person) -> None:
    GameMembership.objects.filter(game=game, person=person, left_at=None).update(left_at=timezone.now())
    phase_deadlines.wake_clock_without_game_master(game, timezone.now())
    game_log.add_log_entry(game, "left", role=GameRole.GAME_MASTER, powers=[])
    if game.state == GameState.GATHERING:
        eldest = game.memberships.filter(left_at=None).order_by("joined_at", "pk").first()
        Game.objects.filter(pk=game.pk).update(creator=eldest.person if eldest else None)
    membership_actions.bump_game_topic(game)


GAME_PERSONAL_DATA = PersonalData("games", export_games, game_deletion_notes, leave_all_games)
