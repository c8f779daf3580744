"""The seam between a game and the judge: snapshot, judge outside transactions, publish if nothing changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Protocol

from django.db import InterfaceError, OperationalError, transaction
from django.urls import reverse

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import adjudicator
from talleyrand.web.boards.adjudicator import Answer, Question
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.prepared_queries import Given, PreparedQuery, insert
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox, topic_versions

from . import (
    binding_orders,
    game_bots,
    game_lifecycle,
    game_log,
    given_seats,
    order_queries,
    order_submission,
    phase_deadlines,
    power_assignments,
    recipients,
    secret_votes,
)
from .endings import end_proposals, game_results
from .game_history import GameHistory
from .models import RUNNING_STATES, Game, GameRole, GameSeat, Json, OrderSet, PhaseRevision
from .phase_deadlines import KINDS_BETWEEN_MOVEMENTS

Published = PhaseRevision | Exception | None  # None: the game has changed meanwhile
MOST_RETRIES = 8
CLAIM_FIELDS = ("claimed_by", "claimed_until", "attempts")
NEXT_PHASE_FIELDS = (
    "phase_number",
    "adjudication_error",
    *CLAIM_FIELDS,
    *phase_deadlines.DEADLINE_FIELDS,
)
NEXT_PHASE = PreparedQuery(
    lambda: Game.objects.filter(pk=Given(Game, "id")),
    lambda: {name: Given(Game, name) for name in NEXT_PHASE_FIELDS},
)
EMPTY_SEATS = PreparedQuery(
    lambda: GameSeat.objects.filter(game=Given(GameSeat, "game")),
    lambda: {"is_ready": False, "draft_orders": [], "draft_phase_number": 0, "drafted_at": None},
)
REVISIONS = PreparedQuery(
    lambda: PhaseRevision.objects.filter(
        game=Given(PhaseRevision, "game"), phase_number=Given(PhaseRevision, "phase_number")
    ).values_list("pk")
)


class PhaseOvertaken(Exception):
    """Another phase is open by now, or none."""


@dataclass(frozen=True)
class PhaseSnapshot:
    """What a phase is judged by: the lines that count, and the powers without any.

    `powers_with_draft_only` are the powers whose lines were never handed in. `agreed_end_kind`: the
    players have agreed that this phase is the last one, and this is what to call it.
    """

    game: Game
    phase_number: int
    question: Question
    order_lines: dict[str, list[str]]
    powers_without_orders: list[str]
    powers_with_draft_only: frozenset[str] = frozenset()
    agreed_end_kind: str = ""

    @property
    def digest(self) -> str:
        return secret_votes.phase_digest(self.question, self.order_lines, self.powers_without_orders)

    @property
    def phase(self) -> str:
        return str(self.question["phase"])

    @property
    def situation(self) -> Json:
        """What the phase begins with, as a story tells it."""
        asked = ("variant", "rulebook", "seed", "naming")
        return {name: value for name, value in self.question.items() if name not in asked}

    def asks_the_same_as(self, other: PhaseSnapshot) -> bool:
        """Whether two come to the same, all that a phase is judged by being the same."""
        mine, theirs = (
            (
                one.question,
                one.order_lines,
                list(one.order_lines),
                one.powers_without_orders,
                one.agreed_end_kind,
            )
            for one in (self, other)
        )
        return mine == theirs

    def adjudicate(self) -> Answer:
        """What becomes of the sheets; raises QuestionRefusal."""
        asked = (
            {**self.question, "absent": self.powers_without_orders}
            if self.powers_without_orders
            else self.question
        )
        return adjudicator.adjudicate(asked, self.order_lines, apart=True)


@dataclass(frozen=True)
class AdjudicatedPhase:
    """A phase as it was judged, with all that follows from it: computed outside of transactions."""

    snapshot: PhaseSnapshot
    full_answer: Answer

    @cached_property
    def published(self) -> secret_votes.PhaseWithoutSecrets:
        """What everybody reads of it now, and what is kept back."""
        taken = self.snapshot
        return secret_votes.withhold_secret_votes(
            taken.question, self.full_answer, taken.order_lines, taken.powers_without_orders, taken.digest
        )

    @property
    def answer(self) -> Answer:
        """The answer as it is published."""
        return self.published.answer

    @cached_property
    def next_situation(self) -> Json | None:
        """The situation of the next phase; None where the game is over."""
        return adjudicator.situation_after(self.snapshot.question, self.answer)

    @cached_property
    def deciding_powers(self) -> tuple[str, ...]:
        """The powers that have something to decide in the next phase."""
        if self.next_situation is None:
            return ()
        game = self.snapshot.game
        variant = game.variant_of_phase(self.snapshot.phase_number + 1)
        return adjudicator.deciding_powers(
            adjudicator.make_question(variant, game.rulebook, game.seed, self.next_situation)
        )

    @cached_property
    def seat_heirs(self) -> given_seats.SeatHeirs:
        """The seats that the rules give in the next phase, and the powers whose player has each."""
        return given_seats.seat_heirs(self.snapshot.game, self.next_situation)

    @cached_property
    def is_one_turn(self) -> bool:
        """Whether the next phase is another turn of the same draft."""
        following, phase = self.next_situation, self.snapshot.phase
        goes_on = following is not None and following["phase"] == phase
        return goes_on and phase_deadlines.is_draft(self.snapshot.game, phase)

    @cached_property
    def kept_lines(self) -> dict[str, list[str]]:
        """What of each power's sheet stands for the next phase too, where that is another turn of a draft."""
        if not self.is_one_turn:
            return {}
        game, following = self.snapshot.game, self.next_situation or {}
        question = adjudicator.make_question(game.variant, game.rulebook, game.seed, following)
        return adjudicator.kept_lines(question, self.full_answer)

    @cached_property
    def result(self) -> Json | None:
        """How the game ends with this phase, if it does."""
        game = self.snapshot.game
        definition = variants.load(game.variant).definition
        if self.snapshot.agreed_end_kind:
            return game_results.result_by_centres(
                self.snapshot.agreed_end_kind,
                definition,
                self.next_situation or self.answer,
                game.settings.unplayed,
            )
        return game_results.result_after_phase(game.settings, definition, self.answer, self.next_situation)


class OpenPhaseData(Protocol):
    """The open phase of a game, whose row was read before all the rest."""

    @property
    def game(self) -> Game: ...
    @property
    def history(self) -> GameHistory: ...
    @property
    def order_sets(self) -> Mapping[str, OrderSet]: ...
    @property
    def counting_drafts(self) -> Mapping[str, GameSeat]: ...


@dataclass(frozen=True)
class _OpenPhaseReader:
    """The phase as it stands now."""

    game: Game
    now: datetime
    ends: bool

    @cached_property
    def history(self) -> GameHistory:
        return GameHistory(self.game)

    @cached_property
    def order_sets(self) -> dict[str, OrderSet]:
        return order_submission.counting_order_sets(self.game, self.game.phase_number)

    @cached_property
    def counting_drafts(self) -> dict[str, GameSeat]:
        game = self.game
        return order_submission.counting_drafts(
            game, game.phase_number, self.order_sets, self.now, ends=self.ends
        )


def take_snapshot(
    game: Game, number: int, now: datetime, read: OpenPhaseData | None = None, *, ends: bool = True
) -> PhaseSnapshot:
    """The open phase as it is judged where it `ends` now, drafts included that count then; else as it stands,
    with those alone that count already. Raises PhaseOvertaken.

    `read` is what has just been read of it: what changes meanwhile is found when it is published.
    """
    read = read or _OpenPhaseReader(Game.objects.get(pk=game.pk), now, ends)
    fresh = read.game
    question = read.history.question(number)
    if fresh.phase_number != number or question is None or fresh.state not in RUNNING_STATES:
        raise PhaseOvertaken
    drafts = read.counting_drafts
    lines = {power: one.lines for power, one in read.order_sets.items()}
    lines |= {power: seat.draft_orders for power, seat in drafts.items()}
    if read.history.is_optional(fresh.phase):
        lines, absent = binding_orders.counting_lines(fresh, number, question, lines), []
    else:
        landless = read.history.variant.board.landless
        absent = [
            one for one in adjudicator.deciding_powers(question) if one not in lines and one not in landless
        ]
    return PhaseSnapshot(fresh, number, question, dict(sorted(lines.items())), absent, frozenset(drafts))


def preview_phase(game: Game, number: int, now: datetime) -> tuple[PhaseSnapshot, Answer]:
    """What the open phase would come to with what has been submitted; nothing is kept.

    Raises PhaseOvertaken, and QuestionRefusal.
    """
    taken = take_snapshot(game, number, now, ends=False)
    return taken, taken.adjudicate()


def adjudicate_phase(game: Game, number: int, now: datetime, by: Person | None = None) -> PhaseRevision:
    """Judge the open phase and publish it, whoever is missing. Raises PhaseOvertaken, and QuestionRefusal."""
    for _ in range(MOST_RETRIES):
        taken = take_snapshot(game, number, now)
        published = publish_phase(taken, taken.adjudicate(), now, by)
        if published is not None:
            return published
    raise PhaseOvertaken


def publish_phase(
    taken: PhaseSnapshot, answer: Answer, now: datetime, by: Person | None = None
) -> PhaseRevision | None:
    """Keep a phase and open the next one, unless the game has changed since the snapshot: then None."""
    [found] = _publish_all([(taken, answer)], now, by).values()
    if isinstance(found, Exception):
        raise found
    return found


def publish_phases(judged: Sequence[tuple[PhaseSnapshot, Answer]], now: datetime) -> set[int]:
    """Keep phases of several games, told and counted together, in one transaction. Gives the primary keys of
    the games where it could be done; any other, also one that fails, is as it was.
    """
    found = _publish_all(judged, now, None) if judged else {}
    return {pk for pk, one in found.items() if isinstance(one, PhaseRevision)}


def _publish_all(
    judged: Sequence[tuple[PhaseSnapshot, Answer]], now: datetime, by: Person | None
) -> dict[int, Published]:
    failpoint("referee: judged")
    found: dict[int, Published] = {}
    verdicts = []
    for verdict in (AdjudicatedPhase(taken, answer) for taken, answer in judged):
        try:  # what takes time is done before anything is locked
            verdict.deciding_powers, verdict.seat_heirs, verdict.kept_lines, verdict.result  # noqa: B018 (they are kept)
            reverse("games:game", args=[verdict.snapshot.game.key])  # the first has all addresses loaded
            verdicts.append(verdict)
        except Exception as problem:  # noqa: BLE001 it is this game's affair
            found[verdict.snapshot.game.pk] = problem
    failpoint("referee: next phase computed")
    found |= _keep_all(verdicts, now, by)
    failpoint("referee: committed")
    return found


@write_transaction
def _keep_all(verdicts: Sequence[AdjudicatedPhase], now: datetime, by: Person | None) -> dict[int, Published]:
    """What became of each by its game's primary key, in a savepoint of its own."""
    found: dict[int, Published] = {}
    with outbox.notified_together():
        for verdict in verdicts:
            game = verdict.snapshot.game.pk
            try:
                with transaction.atomic(), outbox.notified_together():
                    found[game] = _keep(verdict, now, by)
            except (OperationalError, InterfaceError):
                raise  # the database, rather than the game
            except Exception as problem:  # noqa: BLE001 it is told by whoever has asked for this game alone
                found[game] = problem
    if not any(isinstance(one, PhaseRevision) for one in found.values()):
        transaction.set_rollback(True)
    failpoint("referee: before commit")
    return found


def _keep(verdict: AdjudicatedPhase, now: datetime, by: Person | None) -> PhaseRevision | None:
    taken = verdict.snapshot
    game: Game = order_queries.HELD.get(id=taken.game.pk)
    if not _unchanged(game, taken, now):
        return None
    failpoint("referee: game held")
    _keep_drafts(game, taken, now)
    failpoint("referee: drafts kept")
    end_proposals.lapse_end_proposals(game, now)
    revision = _store_revision(game, verdict, by)
    failpoint("referee: revision written")
    absent = _count_missed(game, taken)
    _empty_seats(game, verdict)
    failpoint("referee: seats emptied")
    game_log.add_log_entry(
        game, "published", role=GameRole.GAME_MASTER if by else "", by=by, phase=revision.phase
    )
    # whoever had claimed the game has nothing left to do
    game.claimed_by, game.claimed_until, game.attempts = "", None, 0
    _onward(game, verdict, revision, now)
    if absent and game.state in RUNNING_STATES:
        game_bots.play_for_absent(game, absent)
    failpoint("referee: next phase open")
    return revision


def _unchanged(game: Game, taken: PhaseSnapshot, now: datetime) -> bool:
    """Sheets raise the version; drafts, which change with each touch, are compared."""
    if (game.version, game.phase_number, game.state) != (
        taken.game.version,
        taken.phase_number,
        taken.game.state,
    ):
        return False
    if taken.agreed_end_kind:
        return True  # no sheet counts
    handed = taken.order_lines.keys() - taken.powers_with_draft_only
    drafts = order_submission.counting_drafts(game, taken.phase_number, handed, now)
    return {power: seat.draft_orders for power, seat in drafts.items()} == {
        power: taken.order_lines[power] for power in taken.powers_with_draft_only
    }


def _keep_drafts(game: Game, taken: PhaseSnapshot, now: datetime) -> None:
    for power in sorted(taken.powers_with_draft_only):
        order_submission.submit_draft(game, power, taken.order_lines[power], now)


def _store_revision(game: Game, verdict: AdjudicatedPhase, by: Person | None) -> PhaseRevision:
    taken = verdict.snapshot
    before = REVISIONS.rows(game=game.pk, phase_number=taken.phase_number)
    revision = PhaseRevision(
        game=game,
        phase_number=taken.phase_number,
        revision=len(before) + 1,
        kind="adjudication",
        phase=taken.phase,
        situation=taken.situation,
        order_lines=verdict.published.order_lines,
        powers_without_orders=taken.powers_without_orders,
        digest=verdict.published.digest,
        answer=verdict.answer,
        next_situation=verdict.next_situation,
        secret_part=verdict.published.secret_part,
        published_by=by,
    )
    insert(revision)
    return revision


def _empty_seats(game: Game, verdict: AdjudicatedPhase) -> None:
    """Nothing is in preparation for the next phase; but what somebody prepares for a later turn goes on."""
    taken = verdict.snapshot
    waiting = game.seats.filter(draft_phase_number=taken.phase_number).exclude(power__in=taken.order_lines)
    kept = [*waiting] if verdict.is_one_turn else []
    EMPTY_SEATS.update(game=game.pk)
    for seat in kept:
        seat.draft_phase_number, seat.is_ready = taken.phase_number + 1, False
        seat.save(update_fields=["draft_orders", "draft_phase_number", "drafted_at", "is_ready"])


def _count_missed(game: Game, taken: PhaseSnapshot) -> list[str]:
    """Movement phases without a sheet; who has missed too many is not waited for any more. Gives the powers
    that a bot is to play on for them.
    """
    if taken.phase[-1] in KINDS_BETWEEN_MOVEMENTS or not taken.powers_without_orders or taken.agreed_end_kind:
        return []
    patience, replaced = game.settings.patience, []
    for seat in game.seats.filter(power__in=taken.powers_without_orders, bot=""):
        seat.missed_phases += 1
        lost = bool(patience) and seat.missed_phases >= patience and not seat.in_civil_disorder
        seat.in_civil_disorder = seat.in_civil_disorder or lost
        seat.save(update_fields=["missed_phases", "in_civil_disorder"])
        if lost and game_bots.has_bot_for_leavers(game) and power_assignments.player_of(game, seat.power):
            replaced.append(seat.power)
        elif lost:
            _tell_lost(game, seat)
    return replaced


def _tell_lost(game: Game, seat: GameSeat) -> None:
    game_log.add_log_entry(game, "disorder", power=seat.power)
    # with the version: a phase that was taken back is played anew
    once = f"disorder:{game.phase_number}:{game.version}:{seat.power}"
    recipients.notify_about_game(game, recipients.member_ids(game), "disorder", once, power=seat.power)


def _onward(game: Game, verdict: AdjudicatedPhase, revision: PhaseRevision, now: datetime) -> None:
    """Open the next phase, or end the game with this one."""
    phase, number, start = (
        verdict.snapshot.phase,
        verdict.snapshot.phase_number,
        phase_deadlines.next_phase_start(game, now),
    )
    told = {"phase": phase, "number": number}
    once = f"published:{number}:{revision.revision}"
    recipients.notify_about_game(game, recipients.member_ids(game), "published", once, **told)
    topic_versions.bump(topic_versions.game_topic(game.key))
    failpoint("referee: news told")
    if verdict.result is not None or verdict.next_situation is None:
        game.save(update_fields=CLAIM_FIELDS)
        game_lifecycle.end_game(game, verdict.result or {"kind": "over", "powers": []}, now)
        return
    game.phase_number += 1
    game.adjudication_error = ""
    phase_deadlines.open_phase(game, str(verdict.next_situation["phase"]), start, verdict.deciding_powers)
    for power, lines in verdict.kept_lines.items():
        order_submission.submit_draft(game, power, lines, now)
    NEXT_PHASE.update(id=game.pk, **{name: getattr(game, name) for name in NEXT_PHASE_FIELDS})
    given_seats.give_seats(game, verdict.seat_heirs)
