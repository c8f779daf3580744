"""The game as a whole, by the game master's hand: its words, its helpers, its end."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import game_lifecycle, phase_deadlines, recipients
from talleyrand.web.games.endings import game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import ENDED_STATES, Game, GameMembership, GameRole, Gazette, Json

from . import phase_corrections
from .action_base import (
    GameMasterActor,
    GameMasterRefusal,
    as_game_master_refusal,
    check_entry,
    last_published_revision,
    locked_game,
)

LONGEST_GAZETTE = 20_000


@write_transaction
def publish_gazette(game: Game, number: int, text: str, *, hand: GameMasterActor) -> Gazette:
    """The game master’s words on a phase, for everybody; the same words twice are published once.

    Raises GameMasterRefusal: empty, too_long, no_such_phase.
    """
    words = "\n".join(line.rstrip() for line in text.replace("\x00", "").splitlines()).strip()
    if not words or len(words) > LONGEST_GAZETTE:
        raise GameMasterRefusal("too_long" if words else "empty")
    with locked_game(game) as fresh:
        known = Gazette.objects.filter(game=fresh, phase_number=number, text=words).first()
        if known is not None:
            return known
        if not fresh.revisions.filter(phase_number=number, is_current=True).exists():
            raise GameMasterRefusal("no_such_phase")
        made = Gazette.objects.create(game=fresh, phase_number=number, text=words, author=hand.person)
        phase = fresh.revisions.get(phase_number=number, is_current=True).phase
        hand.log(fresh, "gazette", phase=phase)
        told = {"phase": phase, "gazette": made.pk}
        recipients.notify_about_game(
            fresh, recipients.member_ids(fresh), "gazette", f"gazette:{made.pk}", **told
        )
    return made


@write_transaction
def remove_gazette(game: Game, gazette: int, *, hand: GameMasterActor) -> None:
    """Words published are there no more. Raises GameMasterRefusal: already."""
    with locked_game(game) as fresh:
        if not Gazette.objects.filter(game=fresh, pk=gazette).delete()[0]:
            raise GameMasterRefusal("already")
        hand.log(fresh, "gazette_removed")


@write_transaction
def reveal_powers(game: Game, *, hand: GameMasterActor, now: datetime) -> None:
    """Let everybody know who plays which power. Raises GameMasterRefusal: already."""
    with locked_game(game) as fresh:
        if fresh.powers_revealed_at is not None:
            raise GameMasterRefusal("already")
        fresh.powers_revealed_at = now
        fresh.save(update_fields=["powers_revealed_at"])
        hand.log(fresh, "revealed")
        recipients.notify_about_game(
            fresh, recipients.member_ids(fresh), "revealed", f"revealed:{now.isoformat()}"
        )


# roles


@write_transaction
def give_role(
    game: Game, person: Person, role: str, *, hand: GameMasterActor, now: datetime
) -> GameMembership:
    """Make somebody game master, assistant or observer. Raises GameMasterRefusal: plays, already, role,
    last_master, kept_out.
    """
    if role not in (GameRole.GAME_MASTER, GameRole.ASSISTANT, GameRole.OBSERVER):
        raise GameMasterRefusal("role")
    with locked_game(game) as fresh:
        here = GameMembership.objects.filter(game=fresh, person=person, left_at=None).first()
        if here is not None:
            _check_other_role(fresh, here, role)
        check_entry(fresh, person, role)
        if here is not None:
            GameMembership.objects.filter(pk=here.pk).update(left_at=now)
        made = GameMembership.objects.create(game=fresh, person=person, role=role)
        hand.log(fresh, "appointed", given=role)
    return made


def _check_other_role(game: Game, here: GameMembership, role: str) -> None:
    if here.role == GameRole.PLAYER:
        raise GameMasterRefusal("plays")
    if here.role == role:
        raise GameMasterRefusal("already")
    if here.role == GameRole.GAME_MASTER:
        _check_not_last(game)


def _check_not_last(game: Game) -> None:
    if game.memberships.filter(role=GameRole.GAME_MASTER, left_at=None).count() < 2:
        raise GameMasterRefusal("last_master")


@write_transaction
def take_role(
    game: Game, membership: int, *, hand: GameMasterActor, now: datetime, alone: bool = False
) -> None:
    """Take a role of the desk away; `alone`: the game goes on without a game master.

    Raises GameMasterRefusal: already, last_master.
    """
    with locked_game(game) as fresh:
        here = (
            GameMembership.objects.filter(game=fresh, pk=membership, left_at=None)
            .exclude(role=GameRole.PLAYER)
            .first()
        )
        if here is None:
            raise GameMasterRefusal("already")
        if here.role == GameRole.GAME_MASTER and not alone:
            _check_not_last(fresh)
        GameMembership.objects.filter(pk=here.pk).update(left_at=now)
        phase_deadlines.wake_clock_without_game_master(fresh, now)
        hand.log(fresh, "dismissed", taken=here.role)


# the end


def gm_abandon_game(game: Game, reason: str, *, hand: GameMasterActor, now: datetime) -> None:
    """Stop a game without a result. Raises GameMasterRefusal: over, unreasoned."""
    as_game_master_refusal(
        lambda: game_lifecycle.abandon_game(game, reason, now, role=hand.role, by=hand.person)
    )


@write_transaction
def gm_end_game(game: Game, result: Json, *, hand: GameMasterActor, now: datetime) -> None:
    """End a game by agreement: `result` holds its kind and the powers that win or share.

    Raises GameMasterRefusal: over, not_begun, powers.
    """
    known = variants.load(game.variant).board.powers
    if not result["powers"] or not set(result["powers"]) <= set(known):
        raise GameMasterRefusal("powers")
    with locked_game(game) as fresh:
        _check_running(fresh)
        if not fresh.phase_number:
            raise GameMasterRefusal("not_begun")
        game_lifecycle.end_game(fresh, result, now)
        hand.log(fresh, "closed", powers=list(result["powers"]))


def gm_end_as_draw(game: Game, powers: Collection[str], *, hand: GameMasterActor, now: datetime) -> None:
    """End a game as a draw shared by these powers, in the position as it is.

    Raises GameMasterRefusal: over, not_begun, powers.
    """
    definition = variants.load(game.variant).definition
    situation = GameHistory(game).situation(game.phase_number)
    if situation is None:
        raise GameMasterRefusal("over" if game.phase_number else "not_begun")
    sharing = [power for power in definition.board.powers if power in powers]
    gm_end_game(game, game_results.make_result("draw", definition, situation, sharing), hand=hand, now=now)


def _check_running(game: Game) -> None:
    if game.state in ENDED_STATES:
        raise GameMasterRefusal("over")


@write_transaction
def reopen_game(game: Game, *, hand: GameMasterActor, now: datetime) -> None:
    """Go on with a game that was ended while a phase was open. Raises GameMasterRefusal: judged, not_over."""
    with locked_game(game) as fresh:
        if fresh.state not in ENDED_STATES:
            raise GameMasterRefusal("not_over")
        last = last_published_revision(fresh)
        if last is None or last.next_situation is None:
            raise GameMasterRefusal("judged")
        phase_corrections.continue_ended_game(fresh, last.next_situation, now)
        fresh.phase_number = last.phase_number + 1
        fresh.adjudication_error, fresh.attempts = "", 0
        phase_deadlines.open_phase(fresh, str(last.next_situation["phase"]), now)
        fresh.save()
        fresh.seats.update(is_ready=False)
        hand.log(fresh, "reopened")
        due = fresh.deadline.isoformat() if fresh.deadline else ""
        once = f"reopened:{now.isoformat()}"
        recipients.notify_about_game(fresh, recipients.member_ids(fresh), "resumed", once, due=due)
