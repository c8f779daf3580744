"""Corrections of the last published phase: each is a new revision of it; taken back, it has none."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.boards import adjudicator
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import (
    game_bots,
    game_lifecycle,
    order_submission,
    phase_deadlines,
    power_assignments,
    recipients,
    secret_votes,
)
from talleyrand.web.games.endings import game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import (
    ENDED_STATES,
    EndProposal,
    Game,
    GameLogEntry,
    GameState,
    Json,
    OrderSet,
    PhaseRevision,
    random_token,
)
from talleyrand.web.games.phase_deadlines import KINDS_BETWEEN_MOVEMENTS
from talleyrand.web.games.player_records import record_queue

from . import position_changes, result_overrides
from .action_base import (
    ExpectedRevision,
    GameMasterActor,
    GameMasterRefusal,
    check_expected_revision,
    locked_game,
)
from .order_correction import CorrectedOrder

logger = logging.getLogger(__name__)

ADJUDICATED_KINDS = ("adjudication", "start")
# What the log calls a revision of each kind.
LOG_KINDS = {"override": "overridden", "edit": "edited", "adjudication": "restored", "start": "restored"}


def override_results(
    game: Game,
    ground: ExpectedRevision,
    changes: Sequence[result_overrides.ResultOverride],
    after: Json,
    reason: str,
    *,
    hand: GameMasterActor,
    now: datetime,
) -> PhaseRevision:
    """Let other results count in the last published phase, and the open one begin from `after`.

    Raises GameMasterRefusal: moved, unpublished, unreasoned, unchanged; Unanswered where `after` cannot
    stand.
    """
    before = check_expected_revision(game, ground)
    if before.answer is None:
        raise GameMasterRefusal("unpublished")
    told = result_overrides.merged_overrides(before, changes)
    if told == before.overrides and after == before.next_situation:
        raise GameMasterRefusal("unchanged")
    won = position_changes.winners_in_position(game, before.phase, after)
    answer = result_overrides.apply_overrides(before.answer, changes, after, reason, won)
    made = PhaseRevision(
        kind="override",
        answer=answer,
        next_situation=after,
        overrides=told,
        reason=reason.strip(),
        **_orders_of(before),
    )
    return _revised(game, ground, made, hand, now)


def publish_corrected_order(
    game: Game,
    corrected: CorrectedOrder,
    reason: str,
    *,
    hand: GameMasterActor,
    now: datetime,
) -> PhaseRevision:
    """Let the last published phase count as it is with another order, and the open one begin from that.

    Raises GameMasterRefusal: moved, unreasoned; and QuestionRefusal.
    """
    made = PhaseRevision(
        kind="override",
        answer=corrected.answer,
        next_situation=corrected.next_situation,
        reason=reason.strip(),
        order_lines=corrected.order_lines,
        powers_without_orders=corrected.powers_without_orders,
        digest=corrected.digest,
    )
    return _revised(game, ExpectedRevision.from_revision(corrected.before), made, hand, now)


def edit_position(
    game: Game, ground: ExpectedRevision, after: Json, reason: str, *, hand: GameMasterActor, now: datetime
) -> PhaseRevision:
    """Let the open phase begin from another position; of number 0, the game.

    Raises GameMasterRefusal: moved, unreasoned, unchanged; and Unanswered for a position that cannot stand.
    """
    before = check_expected_revision(game, ground)
    if after == before.next_situation:
        raise GameMasterRefusal("unchanged")
    won = position_changes.winners_in_position(game, before.phase, after)
    answer = result_overrides.with_new_position(before.answer, after, won) if before.answer else None
    made = PhaseRevision(
        kind="edit",
        answer=answer,
        next_situation=after,
        overrides=list(before.overrides),
        reason=reason.strip(),
        **_orders_of(before),
    )
    return _revised(game, ground, made, hand, now)


def ends_game_with(game: Game, before: PhaseRevision, after: Json) -> bool:
    """Whether the game is over with another position after its last phase; else it is played on from it."""
    won = position_changes.winners_in_position(game, before.phase, after)
    answer = result_overrides.with_new_position(before.answer or {}, after, won)
    return (
        game_results.result_after_phase(game.settings, variants.load(game.variant).definition, answer, after)
        is not None
    )


def _revised(
    game: Game, ground: ExpectedRevision, made: PhaseRevision, hand: GameMasterActor, now: datetime
) -> PhaseRevision:
    if not made.reason:
        raise GameMasterRefusal("unreasoned")
    return _store_correction(game, ground, made, _consequences(game, ground, made), hand, now)


@dataclass(frozen=True)
class _CorrectionConsequences:
    """What a corrected phase leads to, found outside of transactions."""

    result: Json | None
    deciding: tuple[str, ...]
    misfits: tuple[str, ...]


def _consequences(game: Game, ground: ExpectedRevision, made: PhaseRevision) -> _CorrectionConsequences:
    definition = variants.load(game.variant).definition
    result = game_results.result_after_phase(
        game.settings, definition, made.answer or {}, made.next_situation
    )
    if made.next_situation is None:
        return _CorrectionConsequences(result, (), ())
    variant = game.variant_of_phase(ground.phase_number + 1)
    question = adjudicator.make_question(variant, game.rulebook, game.seed, made.next_situation)
    adjudicator.check_question(question)
    misfits = powers_newly_invalid(game, ground.phase_number + 1, made.next_situation)
    return _CorrectionConsequences(result, adjudicator.deciding_powers(question), misfits)


@write_transaction
def _store_correction(
    game: Game,
    ground: ExpectedRevision,
    made: PhaseRevision,
    found: _CorrectionConsequences,
    hand: GameMasterActor,
    now: datetime,
) -> PhaseRevision:
    with locked_game(game) as fresh:
        before = check_expected_revision(fresh, ground)
        _supersede(fresh, before, made, hand, now)
        _not_missed(fresh, before, set(before.powers_without_orders).difference(made.powers_without_orders))
        hand.log(fresh, LOG_KINDS[made.kind], phase=made.phase or fresh.phase, reason=made.reason)
        _onward(fresh, made, found, now)
        _tell_corrected(fresh, made, found.misfits)
    return made


def _supersede(
    game: Game, before: PhaseRevision, made: PhaseRevision, hand: GameMasterActor, now: datetime
) -> None:
    """The new revision of a phase in place of its current one."""
    withdraw_revision(before, now)
    made.pk = None
    made.game, made.phase_number, made.published_by = game, before.phase_number, hand.person
    made.revision = PhaseRevision.objects.filter(game=game, phase_number=before.phase_number).count() + 1
    made.phase, made.situation = before.phase, before.situation
    made.save()


def _orders_of(before: PhaseRevision) -> Json:
    """What a phase was judged by, for another revision of it."""
    kept = ("order_lines", "powers_without_orders", "secret_part", "digest")
    return {name: getattr(before, name) for name in kept}


def withdraw_revision(revision: PhaseRevision, now: datetime) -> None:
    """A revision is current no more."""
    PhaseRevision.objects.filter(pk=revision.pk).update(is_current=False, withdrawn_at=now)


def _tell_corrected(game: Game, made: PhaseRevision, misfits: tuple[str, ...]) -> None:
    facts = {"phase": made.phase or game.phase, "reason": made.reason}
    once = f"corrected:{made.phase_number}:{made.revision}"
    for power in misfits:  # first: the same thing is told to nobody twice
        recipients.notify_about_game(
            game, recipients.player_ids_of(game, power), "corrected", once, **facts, misfit=power
        )
    recipients.notify_about_game(game, recipients.member_ids(game), "corrected", once, **facts)


# undoing


def adjudicated_revision(revision: PhaseRevision) -> PhaseRevision | None:
    """What the judge had found where `revision` is a correction of it."""
    if revision.kind in ADJUDICATED_KINDS:
        return None
    earlier = PhaseRevision.objects.filter(
        game=revision.game_id,
        phase_number=revision.phase_number,
        revision__lt=revision.revision,
        kind__in=ADJUDICATED_KINDS,
    )
    return earlier.order_by("revision").last()


def restore_adjudication(
    game: Game, ground: ExpectedRevision, *, hand: GameMasterActor, now: datetime
) -> PhaseRevision:
    """Let what the judge found count again, in place of every correction since.

    Raises GameMasterRefusal: moved, uncorrected; and Unanswered.
    """
    found = adjudicated_revision(check_expected_revision(game, ground))
    if found is None:
        raise GameMasterRefusal("uncorrected")
    made = PhaseRevision(
        kind=found.kind, answer=found.answer, next_situation=found.next_situation, **_orders_of(found)
    )
    return _store_correction(game, ground, made, _consequences(game, ground, made), hand, now)


# taking back


def roll_back_phase(
    game: Game,
    ground: ExpectedRevision,
    *,
    hand: GameMasterActor,
    now: datetime,
    then: Callable[[], object] = lambda: None,
) -> None:
    """Open the last published phase again, with its sheets; a game that had ended goes on.

    Sheets and drafts for the phase that was open are kept, and count no more. `then`: what is done with the
    phase in the same transaction; where it raises, nothing is changed. Raises GameMasterRefusal: moved,
    first.
    """
    back = check_expected_revision(game, ground)
    situation = GameHistory(game).situation(back.phase_number)
    if not back.phase_number or situation is None:
        raise GameMasterRefusal("first")
    asked = adjudicator.make_question(
        game.variant_of_phase(back.phase_number), game.rulebook, game.seed, situation
    )
    deciding = adjudicator.deciding_powers(asked)
    _take_back(game, ground, situation, deciding, hand, now, then)


@write_transaction
def _take_back(
    game: Game,
    ground: ExpectedRevision,
    situation: Json,
    deciding: tuple[str, ...],
    hand: GameMasterActor,
    now: datetime,
    then: Callable[[], object],
) -> None:
    with locked_game(game) as fresh:
        back = check_expected_revision(fresh, ground)
        withdraw_revision(back, now)
        _set_aside(fresh, back.phase_number + 1, now)
        _lay_out_again(fresh, back)
        if phase_deadlines.is_draft(fresh, back.phase):
            # what is handed in there is final: the turn is to be written again, not played again at once
            own = OrderSet.objects.filter(game=fresh, phase_number=back.phase_number, power__in=deciding)
            own.filter(withdrawn_at=None).update(withdrawn_at=now)
        EndProposal.objects.filter(game=fresh, closed_at=None).update(state="lapsed", closed_at=now)
        power_assignments.end_bot_agreements(fresh, Q(phase_number__gt=back.phase_number))
        fresh.phase_number = back.phase_number
        _open_phase(fresh, situation, deciding, now)
        game_bots.request_bot_orders(fresh)
        hand.log(fresh, "taken_back", phase=back.phase)
        once = f"taken_back:{back.phase_number}:{back.revision}"
        recipients.notify_about_game(
            fresh, recipients.member_ids(fresh), "taken_back", once, phase=back.phase
        )
    then()


def _set_aside(game: Game, number: int, now: datetime) -> None:
    """Keep what was written for a phase that is no more; a draft that was not handed in becomes a sheet."""
    sheets = order_submission.counting_order_sets(game, number)
    if game.phase_number == number:
        for seat in game.seats.all():
            lines = order_submission.draft_lines(seat, number)
            if lines and (seat.power not in sheets or sheets[seat.power].lines != lines):
                at = seat.drafted_at or now
                order_submission.save_order_set(game, seat.power, lines, at, random_token())
    OrderSet.objects.filter(game=game, phase_number=number, withdrawn_at=None).update(withdrawn_at=now)


def _lay_out_again(game: Game, back: PhaseRevision) -> None:
    """Each power’s last sheet of the phase lies before it; nobody is final, and nobody has missed it."""
    sheets = order_submission.counting_order_sets(game, back.phase_number)
    for seat in game.seats.all():
        sheet = sheets.get(seat.power)
        seat.draft_orders, seat.draft_phase_number = (list(sheet.lines) if sheet else []), back.phase_number
        seat.drafted_at = sheet.received_at if sheet else None
        seat.is_ready = False
        seat.save(update_fields=["draft_orders", "draft_phase_number", "drafted_at", "is_ready"])
    _not_missed(game, back, back.powers_without_orders)


def _not_missed(game: Game, back: PhaseRevision, powers: Collection[str]) -> None:
    """What the publication counted against some of those without a sheet counts no more."""
    if not powers or back.phase[-1] in KINDS_BETWEEN_MOVEMENTS:
        return
    lost = GameLogEntry.objects.filter(game=game, phase_number=back.phase_number, kind="disorder", role="")
    by_itself = {entry.facts.get("power") for entry in lost}
    for seat in game.seats.filter(power__in=powers, missed_phases__gt=0):
        seat.missed_phases -= 1
        seat.in_civil_disorder = seat.in_civil_disorder and seat.power not in by_itself
        seat.save(update_fields=["missed_phases", "in_civil_disorder"])


# the open phase


def _onward(game: Game, made: PhaseRevision, found: _CorrectionConsequences, now: datetime) -> None:
    """The open phase begins from a corrected position, or the game is over with it.

    The deadline stays, unless another phase is open now than before.
    """
    if found.result is not None or made.next_situation is None:
        game.phase_number = made.phase_number
        game.save(update_fields=["phase_number"])
        game_lifecycle.end_game(game, found.result or {"kind": "over", "powers": []}, now)
        return
    game.seats.update(is_ready=False)
    before = (game.phase_number, game.phase)
    game.phase_number = made.phase_number + 1
    if before != (game.phase_number, made.next_situation["phase"]) or game.state in ENDED_STATES:
        _open_phase(game, made.next_situation, found.deciding, now)
    else:
        game.adjudication_error, game.attempts = "", 0
        phase_deadlines.set_deadline(game, game.deadline, now)
        game.save()


def _open_phase(game: Game, situation: Json, deciding: tuple[str, ...], now: datetime) -> None:
    """A phase opens anew: its deadline is set by the rule, or runs once the pause is over.

    A game that was over is played again.
    """
    if game.state in ENDED_STATES:
        continue_ended_game(game, situation, now)
    phase_deadlines.open_phase(game, str(situation["phase"]), now, deciding)
    game.adjudication_error, game.attempts = "", 0
    game.save()


def continue_ended_game(game: Game, situation: Json, now: datetime) -> None:
    """A game that was over is played again; whoever calls opens its phase and saves it."""
    game.state, game.ended_at, game.result = GameState.PLAYING, None, None
    opening = Phase.parse(str(situation["phase"]))
    game.settings_json = game_results.settings_still_open(game.settings, opening, now).as_json()
    secret_votes.hide_secret_votes(game)
    record_queue.withdraw_finished_game(game.pk)


# sheets that no longer fit


def powers_with_invalid_orders(game: Game, number: int, situation: Json) -> set[str]:
    """The powers whose sheet has a line that the judge would not follow here; raises QuestionRefusal."""
    question = adjudicator.make_question(game.variant_of_phase(number), game.rulebook, game.seed, situation)
    sheets = {
        power: sheet.lines
        for power, sheet in order_submission.counting_order_sets(game, number).items()
        if sheet.lines
    }
    if not sheets:
        return set()
    return {
        entry["power"]
        for entry in adjudicator.read_orders(question, sheets, apart=True)
        if entry.get("error")
    }


def powers_newly_invalid(game: Game, number: int, after: Json) -> tuple[str, ...]:
    """Those whose sheet was in order before a correction, and is no longer."""
    before = GameHistory(game).situation(number)
    known = set(powers_with_invalid_orders_or_none(game, number, before)) if before else set()
    return tuple(sorted(set(powers_with_invalid_orders_or_none(game, number, after)) - known))


def powers_with_invalid_orders_or_none(game: Game, number: int, situation: Json) -> list[str]:
    """The same, nobody where the judge fails: what keeps him from judging is what a correction is for."""
    try:
        return sorted(powers_with_invalid_orders(game, number, situation))
    except Exception:
        logger.exception("game %s phase %s: its sheets cannot be read", game.key, game.phase)
        return []
