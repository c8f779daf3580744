"""The game as a whole, by the game master's hand: its words, its helpers, its end."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import audience, dating, running
from talleyrand.web.games.endings import finishing
from talleyrand.web.games.models import OVER, Game, Gazette, Json, Membership, Role
from talleyrand.web.games.story import Story
from talleyrand.web.games.writing import writing

from . import revising
from .acts import Hand, NotDone, held, last_published, possible

LONGEST = 20_000


@writing
def publish(game: Game, number: int, text: str, *, hand: Hand) -> Gazette:
    """The game master’s words on a phase, for everybody; the same words twice are published once.

    Raises NotDone: empty, too_long, no_such_phase.
    """
    words = "\n".join(line.rstrip() for line in text.replace("\x00", "").splitlines()).strip()
    if not words or len(words) > LONGEST:
        raise NotDone("too_long" if words else "empty")
    with held(game) as fresh:
        known = Gazette.objects.filter(game=fresh, number=number, text=words).first()
        if known is not None:
            return known
        if not fresh.revisions.filter(number=number, current=True).exists():
            raise NotDone("no_such_phase")
        made = Gazette.objects.create(game=fresh, number=number, text=words, by=hand.person)
        phase = fresh.revisions.get(number=number, current=True).phase
        hand.note(fresh, "gazette", phase=phase)
        told = {"phase": phase, "gazette": made.pk}
        audience.tell(fresh, audience.everybody(fresh), "gazette", f"gazette:{made.pk}", **told)
    return made


@writing
def remove(game: Game, gazette: int, *, hand: Hand) -> None:
    """Words published are there no more. Raises NotDone: already."""
    with held(game) as fresh:
        if not Gazette.objects.filter(game=fresh, pk=gazette).delete()[0]:
            raise NotDone("already")
        hand.note(fresh, "gazette_removed")


@writing
def reveal(game: Game, *, hand: Hand, now: datetime) -> None:
    """Let everybody know who plays which power. Raises NotDone: already."""
    with held(game) as fresh:
        if fresh.revealed is not None:
            raise NotDone("already")
        fresh.revealed = now
        fresh.save(update_fields=["revealed"])
        hand.note(fresh, "revealed")
        audience.tell(fresh, audience.everybody(fresh), "revealed", f"revealed:{now.isoformat()}")


# roles


@writing
def appoint(game: Game, person: Person, role: str, *, hand: Hand, now: datetime) -> Membership:
    """Make somebody game master, assistant or observer. Raises NotDone: plays, already, role, last_master."""
    if role not in (Role.MASTER, Role.ASSISTANT, Role.OBSERVER):
        raise NotDone("role")
    with held(game) as fresh:
        here = Membership.objects.filter(game=fresh, person=person, left=None).first()
        if here is not None:
            _check_other_role(fresh, here, role)
            Membership.objects.filter(pk=here.pk).update(left=now)
        made = Membership.objects.create(game=fresh, person=person, role=role)
        hand.note(fresh, "appointed", given=role)
    return made


def _check_other_role(game: Game, here: Membership, role: str) -> None:
    if here.role == Role.PLAYER:
        raise NotDone("plays")
    if here.role == role:
        raise NotDone("already")
    if here.role == Role.MASTER:
        _check_not_last(game)


def _check_not_last(game: Game) -> None:
    if game.memberships.filter(role=Role.MASTER, left=None).count() < 2:
        raise NotDone("last_master")


@writing
def dismiss(game: Game, membership: int, *, hand: Hand, now: datetime, alone: bool = False) -> None:
    """Take a role of the desk away; `alone`: the game goes on without a game master.

    Raises NotDone: already, last_master.
    """
    with held(game) as fresh:
        here = (
            Membership.objects.filter(game=fresh, pk=membership, left=None).exclude(role=Role.PLAYER).first()
        )
        if here is None:
            raise NotDone("already")
        if here.role == Role.MASTER and not alone:
            _check_not_last(fresh)
        Membership.objects.filter(pk=here.pk).update(left=now)
        dating.leaderless(fresh, now)
        hand.note(fresh, "dismissed", taken=here.role)


# the end


def abandon(game: Game, reason: str, *, hand: Hand, now: datetime) -> None:
    """Stop a game without a result. Raises NotDone: over, unreasoned."""
    possible(lambda: running.abandon(game, reason, now, role=hand.role, by=hand.person))


@writing
def end(game: Game, result: Json, *, hand: Hand, now: datetime) -> None:
    """End a game by agreement: `result` holds its kind and the powers that win or share.

    Raises NotDone: over, not_begun, powers.
    """
    known = variants.load(game.variant).board.powers
    if not result["powers"] or not set(result["powers"]) <= set(known):
        raise NotDone("powers")
    with held(game) as fresh:
        _check_running(fresh)
        if not fresh.number:
            raise NotDone("not_begun")
        running.close(fresh, result, now)
        hand.note(fresh, "closed", powers=list(result["powers"]))


def agree(game: Game, powers: Collection[str], *, hand: Hand, now: datetime) -> None:
    """End a game as a draw shared by these powers, in the position as it is.

    Raises NotDone: over, not_begun, powers.
    """
    board = variants.load(game.variant).board
    situation = Story(game).situation(game.number)
    if situation is None:
        raise NotDone("over" if game.number else "not_begun")
    sharing = [power for power in board.powers if power in powers]
    end(game, finishing.result("draw", game.terms, board, situation, sharing), hand=hand, now=now)


def _check_running(game: Game) -> None:
    if game.state in OVER:
        raise NotDone("over")


@writing
def reopen(game: Game, *, hand: Hand, now: datetime) -> None:
    """Go on with a game that was ended while a phase was open. Raises NotDone: judged, not_over."""
    with held(game) as fresh:
        if fresh.state not in OVER:
            raise NotDone("not_over")
        last = last_published(fresh)
        if last is None or last.after is None:
            raise NotDone("judged")
        revising.play_on(fresh, last.after, now)
        fresh.number = last.number + 1
        fresh.trouble, fresh.attempts, fresh.paused_left = "", 0, None
        dating.open_phase(fresh, str(last.after["phase"]), now)
        fresh.save()
        fresh.seats.update(final=False)
        hand.note(fresh, "reopened")
        due = fresh.due.isoformat() if fresh.due else ""
        once = f"reopened:{now.isoformat()}"
        audience.tell(fresh, audience.everybody(fresh), "resumed", once, due=due)
