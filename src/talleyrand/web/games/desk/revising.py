"""Corrections of the last published phase: each is a new revision of it; taken back, it has none."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.boards import referee
from talleyrand.web.games import audience, computers, dating, inbox, running, sealing
from talleyrand.web.games.endings import finishing
from talleyrand.web.games.models import OVER, Entry, Game, Json, Proposal, Revision, Sheet, State, secret
from talleyrand.web.games.referee import BETWEEN
from talleyrand.web.games.story import Story
from talleyrand.web.games.writing import writing

from . import overriding, positions
from .acts import Ground, Hand, NotDone, grounded, held

logger = logging.getLogger(__name__)

JUDGED = ("adjudication", "start")
# What the log calls a revision of each kind.
NOTED = {"override": "overridden", "edit": "edited", "adjudication": "restored", "start": "restored"}


def override(
    game: Game,
    ground: Ground,
    changes: Sequence[overriding.Change],
    after: Json,
    reason: str,
    *,
    hand: Hand,
    now: datetime,
) -> Revision:
    """Let other results count in the last published phase, and the open one begin from `after`.

    Raises NotDone: moved, unpublished, unreasoned, unchanged; Unanswered where `after` cannot stand.
    """
    before = grounded(game, ground)
    if before.answer is None:
        raise NotDone("unpublished")
    told = overriding.changed(before, changes)
    if told == before.changes and after == before.after:
        raise NotDone("unchanged")
    won = positions.winners(game, before.phase, after)
    answer = overriding.overridden(before.answer, changes, after, reason, won)
    made = Revision(kind="override", answer=answer, after=after, changes=told, reason=reason.strip())
    return _revised(game, ground, made, hand, now)


def edit(game: Game, ground: Ground, after: Json, reason: str, *, hand: Hand, now: datetime) -> Revision:
    """Let the open phase begin from another position; of number 0, the game.

    Raises NotDone: moved, unreasoned, unchanged; and Unanswered for a position that cannot stand.
    """
    before = grounded(game, ground)
    if after == before.after:
        raise NotDone("unchanged")
    won = positions.winners(game, before.phase, after)
    answer = overriding.standing(before.answer, after, won) if before.answer else None
    made = Revision(
        kind="edit", answer=answer, after=after, changes=list(before.changes), reason=reason.strip()
    )
    return _revised(game, ground, made, hand, now)


def ends(game: Game, before: Revision, after: Json) -> bool:
    """Whether the game is over with another position after its last phase; else it is played on from it."""
    won = positions.winners(game, before.phase, after)
    answer = overriding.standing(before.answer or {}, after, won)
    return finishing.after_phase(game.terms, variants.load(game.variant).board, answer, after) is not None


def _revised(game: Game, ground: Ground, made: Revision, hand: Hand, now: datetime) -> Revision:
    if not made.reason:
        raise NotDone("unreasoned")
    return _put(game, ground, made, _consequences(game, ground, made), hand, now)


@dataclass(frozen=True)
class _Consequences:
    """What a corrected phase leads to, found outside of transactions."""

    result: Json | None
    deciding: tuple[str, ...]
    misfits: tuple[str, ...]


def _consequences(game: Game, ground: Ground, made: Revision) -> _Consequences:
    board = variants.load(game.variant).board
    result = finishing.after_phase(game.terms, board, made.answer or {}, made.after)
    if made.after is None:
        return _Consequences(result, (), ())
    variant = game.variant_at(ground.number + 1)
    question = referee.ask(variant, game.rulebook, game.seed, made.after)
    referee.check(question)
    misfits = newly_misfit(game, ground.number + 1, made.after)
    return _Consequences(result, referee.choosers(question), misfits)


@writing
def _put(
    game: Game, ground: Ground, made: Revision, found: _Consequences, hand: Hand, now: datetime
) -> Revision:
    with held(game) as fresh:
        _supersede(fresh, grounded(fresh, ground), made, hand, now)
        hand.note(fresh, NOTED[made.kind], phase=made.phase or fresh.phase, reason=made.reason)
        _onward(fresh, made, found, now)
        _tell_corrected(fresh, made, found.misfits)
    return made


def _supersede(game: Game, before: Revision, made: Revision, hand: Hand, now: datetime) -> None:
    """The new revision of a phase in place of its current one."""
    withdraw(before, now)
    made.pk = None
    made.game, made.number, made.by = game, before.number, hand.person
    made.revision = Revision.objects.filter(game=game, number=before.number).count() + 1
    made.phase, made.situation, made.digest = before.phase, before.situation, before.digest
    made.sheets, made.absent, made.sealed = before.sheets, before.absent, before.sealed
    made.save()


def withdraw(revision: Revision, now: datetime) -> None:
    """A revision is current no more."""
    Revision.objects.filter(pk=revision.pk).update(current=False, withdrawn=now)


def _tell_corrected(game: Game, made: Revision, misfits: tuple[str, ...]) -> None:
    facts = {"phase": made.phase or game.phase, "reason": made.reason}
    once = f"corrected:{made.number}:{made.revision}"
    for power in misfits:  # first: the same thing is told to nobody twice
        audience.tell(game, audience.holder(game, power), "corrected", once, **facts, misfit=power)
    audience.tell(game, audience.everybody(game), "corrected", once, **facts)


# undoing


def judged(revision: Revision) -> Revision | None:
    """What the judge had found where `revision` is a correction of it."""
    if revision.kind in JUDGED:
        return None
    earlier = Revision.objects.filter(
        game=revision.game_id, number=revision.number, revision__lt=revision.revision, kind__in=JUDGED
    )
    return earlier.order_by("revision").last()


def restore(game: Game, ground: Ground, *, hand: Hand, now: datetime) -> Revision:
    """Let what the judge found count again, in place of every correction since.

    Raises NotDone: moved, uncorrected; and Unanswered.
    """
    found = judged(grounded(game, ground))
    if found is None:
        raise NotDone("uncorrected")
    made = Revision(kind=found.kind, answer=found.answer, after=found.after)
    return _put(game, ground, made, _consequences(game, ground, made), hand, now)


# taking back


def take_back(game: Game, ground: Ground, *, hand: Hand, now: datetime) -> None:
    """Open the last published phase again, with its sheets; a game that had ended goes on.

    Sheets and drafts for the phase that was open are kept, and count no more. Raises NotDone: moved, first.
    """
    back = grounded(game, ground)
    situation = Story(game).situation(back.number)
    if not back.number or situation is None:
        raise NotDone("first")
    asked = referee.ask(game.variant_at(back.number), game.rulebook, game.seed, situation)
    deciding = referee.choosers(asked)
    _take_back(game, ground, situation, deciding, hand, now)


@writing
def _take_back(
    game: Game, ground: Ground, situation: Json, deciding: tuple[str, ...], hand: Hand, now: datetime
) -> None:
    with held(game) as fresh:
        back = grounded(fresh, ground)
        withdraw(back, now)
        _set_aside(fresh, back.number + 1, now)
        _lay_out_again(fresh, back)
        Proposal.objects.filter(game=fresh, closed=None).update(state="lapsed", closed=now)
        fresh.number = back.number
        _open_phase(fresh, situation, deciding, now)
        computers.ask(fresh)
        hand.note(fresh, "taken_back", phase=back.phase)
        once = f"taken_back:{back.number}:{back.revision}"
        audience.tell(fresh, audience.everybody(fresh), "taken_back", once, phase=back.phase)


def _set_aside(game: Game, number: int, now: datetime) -> None:
    """Keep what was written for a phase that is no more; a draft that was not handed in becomes a sheet."""
    sheets = inbox.counting(game, number)
    if game.number == number:
        for seat in game.seats.all():
            lines = inbox.drafted(seat, number)
            if lines and (seat.power not in sheets or sheets[seat.power].lines != lines):
                at = seat.draft_at or now
                inbox.keep(game, seat.power, lines, at, secret())
    Sheet.objects.filter(game=game, number=number, withdrawn=None).update(withdrawn=now)


def _lay_out_again(game: Game, back: Revision) -> None:
    """Each power’s last sheet of the phase lies before it; nobody is final, and nobody has missed it."""
    sheets = inbox.counting(game, back.number)
    for seat in game.seats.all():
        sheet = sheets.get(seat.power)
        seat.draft, seat.draft_number = (list(sheet.lines) if sheet else []), back.number
        seat.draft_at = sheet.at if sheet else None
        seat.final = False
        seat.save(update_fields=["draft", "draft_number", "draft_at", "final"])
    _not_missed(game, back)


def _not_missed(game: Game, back: Revision) -> None:
    """What the publication counted against those without a sheet counts no more."""
    if back.phase[-1] in BETWEEN:
        return
    lost = Entry.objects.filter(game=game, number=back.number, kind="disorder", role="")
    by_itself = {entry.facts.get("power") for entry in lost}
    for seat in game.seats.filter(power__in=back.absent, missed__gt=0):
        seat.missed -= 1
        seat.disorder = seat.disorder and seat.power not in by_itself
        seat.save(update_fields=["missed", "disorder"])


# the open phase


def _onward(game: Game, made: Revision, found: _Consequences, now: datetime) -> None:
    """The open phase begins from a corrected position, or the game is over with it.

    The deadline stays, unless another phase is open now than before.
    """
    if found.result is not None or made.after is None:
        game.number = made.number
        game.save(update_fields=["number"])
        running.close(game, found.result or {"kind": "over", "powers": []}, now)
        return
    game.seats.update(final=False)
    before = (game.number, game.phase)
    game.number = made.number + 1
    if before != (game.number, made.after["phase"]) or game.state in OVER:
        _open_phase(game, made.after, found.deciding, now)
    else:
        game.trouble, game.attempts = "", 0
        dating.set_due(game, game.due, now)
        game.save()


def _open_phase(game: Game, situation: Json, deciding: tuple[str, ...], now: datetime) -> None:
    """A phase opens anew: its deadline is set by the rule, or runs once the pause is over.

    A game that was over is played again.
    """
    if game.state in OVER:
        play_on(game, situation, now)
    dating.open_phase(game, str(situation["phase"]), now, deciding)
    if game.state == State.PAUSED:
        game.paused_left = game.due - now if game.due else None
        dating.set_due(game, None)
    game.trouble, game.attempts = "", 0
    game.save()


def play_on(game: Game, situation: Json, now: datetime) -> None:
    """A game that was over is played again; whoever calls opens its phase and saves it."""
    game.state, game.ended, game.result = State.PLAYING, None, None
    opening = Phase.parse(str(situation["phase"]))
    game.kept_terms = finishing.outlived(game.terms, opening, now).kept()
    sealing.seal(game)


# sheets that no longer fit


def misfits(game: Game, number: int, situation: Json) -> set[str]:
    """The powers whose sheet has a line that the judge would not follow here; raises Unanswered."""
    question = referee.ask(game.variant_at(number), game.rulebook, game.seed, situation)
    sheets = {power: sheet.lines for power, sheet in inbox.counting(game, number).items() if sheet.lines}
    if not sheets:
        return set()
    return {entry["power"] for entry in referee.read(question, sheets, apart=True) if entry.get("error")}


def newly_misfit(game: Game, number: int, after: Json) -> tuple[str, ...]:
    """Those whose sheet was in order before a correction, and is no longer."""
    before = Story(game).situation(number)
    known = set(unread(game, number, before)) if before else set()
    return tuple(sorted(set(unread(game, number, after)) - known))


def unread(game: Game, number: int, situation: Json) -> list[str]:
    """The same, nobody where the judge fails: what keeps him from judging is what a correction is for."""
    try:
        return sorted(misfits(game, number, situation))
    except Exception:
        logger.exception("game %s phase %s: its sheets cannot be read", game.key, game.phase)
        return []
