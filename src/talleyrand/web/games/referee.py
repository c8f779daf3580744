"""The seam between a game and the judge: snapshot, judge outside transactions, publish if nothing changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Protocol

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import referee
from talleyrand.web.boards.referee import Answer, Question
from talleyrand.web.crashing import point
from talleyrand.web.notices import counters

from . import audience, dating, inbox, lasting, log, running, sealing
from .endings import finishing, proposals
from .models import RUNNING, Game, Json, Revision, Role, Seat, Sheet, State
from .story import Story
from .writing import writing

ATTEMPTS = 8
# In these a power without a sheet is nobody who has lost interest.
BETWEEN = ("R", "A")
CLAIM = ("worker", "worker_until", "attempts")


class Overtaken(Exception):
    """Another phase is open by now, or none."""


@dataclass(frozen=True)
class Snapshot:
    """What a phase is judged by: the lines that count, and the powers without any.

    `drafts` are the powers whose lines were never handed in. `ends`: the
    players have agreed that this phase is the last one, and this is what to call it.
    """

    game: Game
    number: int
    question: Question
    sheets: dict[str, list[str]]
    absent: list[str]
    drafts: frozenset[str] = frozenset()
    ends: str = ""

    @property
    def digest(self) -> str:
        return sealing.digest(self.question, self.sheets, self.absent)

    @property
    def phase(self) -> str:
        return str(self.question["phase"])

    @property
    def situation(self) -> Json:
        """What the phase begins with, as a story tells it."""
        asked = ("variant", "rulebook", "seed", "naming")
        return {name: value for name, value in self.question.items() if name not in asked}

    def asks_like(self, other: Snapshot) -> bool:
        """Whether two come to the same, all that a phase is judged by being the same."""
        mine, theirs = (
            (one.question, one.sheets, list(one.sheets), one.absent, one.ends) for one in (self, other)
        )
        return mine == theirs

    def judged(self) -> Answer:
        """What becomes of the sheets; raises Unanswered."""
        asked = {**self.question, "absent": self.absent} if self.absent else self.question
        return referee.judge(asked, self.sheets, apart=True)


@dataclass(frozen=True)
class Verdict:
    """A phase as it was judged, with all that follows from it: computed outside of transactions."""

    taken: Snapshot
    judged: Answer

    @cached_property
    def published(self) -> sealing.Parted:
        """What everybody reads of it now, and what is kept back."""
        taken = self.taken
        return sealing.part(taken.question, self.judged, taken.sheets, taken.absent, taken.digest)

    @property
    def answer(self) -> Answer:
        """The answer as it is published."""
        return self.published.answer

    @cached_property
    def after(self) -> Json | None:
        """The situation of the next phase; None where the game is over."""
        return referee.following(self.taken.question, self.answer)

    @cached_property
    def deciding(self) -> tuple[str, ...]:
        """The powers that have something to decide in the next phase."""
        if self.after is None:
            return ()
        game = self.taken.game
        variant = game.variant_at(self.taken.number + 1)
        return referee.choosers(referee.ask(variant, game.rulebook, game.seed, self.after))

    @cached_property
    def result(self) -> Json | None:
        """How the game ends with this phase, if it does."""
        game = self.taken.game
        board = variants.load(game.variant).board
        if self.taken.ends:
            return finishing.most(self.taken.ends, game.terms, board, self.after or self.answer)
        return finishing.after_phase(game.terms, board, self.answer, self.after)


class Read(Protocol):
    """The open phase of a game, whose row was read before all the rest."""

    @property
    def game(self) -> Game: ...
    @property
    def story(self) -> Story: ...
    @property
    def sheets(self) -> Mapping[str, Sheet]: ...
    @property
    def drafts(self) -> Mapping[str, Seat]: ...


@dataclass(frozen=True)
class _Reading:
    """The phase as it stands now."""

    game: Game
    now: datetime
    ends: bool

    @cached_property
    def story(self) -> Story:
        return Story(self.game)

    @cached_property
    def sheets(self) -> dict[str, Sheet]:
        return inbox.counting(self.game, self.game.number)

    @cached_property
    def drafts(self) -> dict[str, Seat]:
        game = self.game
        return inbox.standing_for_sheets(game, game.number, self.sheets, self.now, ends=self.ends)


def snapshot(
    game: Game, number: int, now: datetime, read: Read | None = None, *, ends: bool = True
) -> Snapshot:
    """The open phase as it is judged where it `ends` now, drafts included that count then; else as it stands,
    with those alone that count already. Raises Overtaken.

    `read` is what has just been read of it: what changes meanwhile is found when it is published.
    """
    read = read or _Reading(Game.objects.get(pk=game.pk), now, ends)
    fresh = read.game
    question = read.story.question(number)
    if fresh.number != number or question is None or fresh.state not in RUNNING:
        raise Overtaken
    drafts = read.drafts
    lines = {power: one.lines for power, one in read.sheets.items()}
    lines |= {power: seat.draft for power, seat in drafts.items()}
    if read.story.is_optional(fresh.phase):
        lines, absent = lasting.lines(fresh, number, question, lines), []
    else:
        landless = read.story.variant.board.landless
        absent = [one for one in referee.choosers(question) if one not in lines and one not in landless]
    return Snapshot(fresh, number, question, dict(sorted(lines.items())), absent, frozenset(drafts))


def preview(game: Game, number: int, now: datetime) -> tuple[Snapshot, Answer]:
    """What the open phase would come to with what has been submitted; nothing is kept.

    Raises Overtaken, and Unanswered.
    """
    taken = snapshot(game, number, now, ends=False)
    return taken, taken.judged()


def adjudicate(game: Game, number: int, now: datetime, by: Person | None = None) -> Revision:
    """Judge the open phase and publish it, whoever is missing. Raises Overtaken, and Unanswered."""
    for _ in range(ATTEMPTS):
        taken = snapshot(game, number, now)
        published = publish(taken, taken.judged(), now, by)
        if published is not None:
            return published
    raise Overtaken


def publish(taken: Snapshot, answer: Answer, now: datetime, by: Person | None = None) -> Revision | None:
    """Keep a phase and open the next one, unless the game has changed since the snapshot: then None."""
    point("referee: judged")
    verdict = Verdict(taken, answer)
    verdict.deciding, verdict.result  # noqa: B018 (what takes time is done before anything is locked)
    point("referee: next phase computed")
    revision = _publish(verdict, now, by)
    point("referee: committed")
    return revision


@writing
def _publish(verdict: Verdict, now: datetime, by: Person | None) -> Revision | None:
    taken = verdict.taken
    game = Game.objects.select_for_update().get(pk=taken.game.pk)
    if not _unchanged(game, taken, now):
        return None
    point("referee: game held")
    _keep_drafts(game, taken, now)
    point("referee: drafts kept")
    proposals.lapse(game, now)
    revision = _kept(game, verdict, by)
    point("referee: revision written")
    _count_missed(game, taken)
    game.seats.update(final=False, draft=[], draft_number=0, draft_at=None)
    point("referee: seats emptied")
    log.note(game, "published", role=Role.MASTER if by else "", by=by, phase=revision.phase)
    # whoever had claimed the game has nothing left to do
    game.worker, game.worker_until, game.attempts = "", None, 0
    _onward(game, verdict, revision, now)
    point("referee: next phase open")
    point("referee: before commit")
    return revision


def _unchanged(game: Game, taken: Snapshot, now: datetime) -> bool:
    """Sheets raise the version; drafts, which change with each touch, are compared."""
    if (game.version, game.number, game.state) != (taken.game.version, taken.number, taken.game.state):
        return False
    if taken.ends:
        return True  # no sheet counts
    handed = taken.sheets.keys() - taken.drafts
    drafts = inbox.standing_for_sheets(game, taken.number, handed, now)
    return {power: seat.draft for power, seat in drafts.items()} == {
        power: taken.sheets[power] for power in taken.drafts
    }


def _keep_drafts(game: Game, taken: Snapshot, now: datetime) -> None:
    for power in sorted(taken.drafts):
        inbox.keep_draft(game, power, taken.sheets[power], now)


def _kept(game: Game, verdict: Verdict, by: Person | None) -> Revision:
    taken = verdict.taken
    return Revision.objects.create(
        game=game,
        number=taken.number,
        revision=Revision.objects.filter(game=game, number=taken.number).count() + 1,
        kind="adjudication",
        phase=taken.phase,
        situation=taken.situation,
        sheets=verdict.published.sheets,
        absent=taken.absent,
        digest=verdict.published.digest,
        answer=verdict.answer,
        after=verdict.after,
        sealed=verdict.published.sealed,
        by=by,
    )


def _count_missed(game: Game, taken: Snapshot) -> None:
    """Movement phases without a sheet; who has missed too many is not waited for any more."""
    if taken.phase[-1] in BETWEEN or not taken.absent or taken.ends:
        return
    patience = game.terms.patience
    for seat in game.seats.filter(power__in=taken.absent, bot=""):
        seat.missed += 1
        lost = bool(patience) and seat.missed >= patience and not seat.disorder
        seat.disorder = seat.disorder or lost
        seat.save(update_fields=["missed", "disorder"])
        if lost:
            _tell_lost(game, seat)


def _tell_lost(game: Game, seat: Seat) -> None:
    log.note(game, "disorder", power=seat.power)
    # with the version: a phase that was taken back is played anew
    once = f"disorder:{game.number}:{game.version}:{seat.power}"
    audience.tell(game, audience.everybody(game), "disorder", once, power=seat.power)


def _onward(game: Game, verdict: Verdict, revision: Revision, now: datetime) -> None:
    """Open the next phase, or end the game with this one."""
    phase, number, start = verdict.taken.phase, verdict.taken.number, dating.punctual(game, now)
    told = {"phase": phase, "number": number}
    once = f"published:{number}:{revision.revision}"
    audience.tell(game, audience.everybody(game), "published", once, **told)
    counters.bump(counters.game_topic(game.key))
    point("referee: news told")
    if verdict.result is not None or verdict.after is None:
        game.save(update_fields=CLAIM)
        running.close(game, verdict.result or {"kind": "over", "powers": []}, now)
        return
    game.number += 1
    game.trouble = ""
    dating.open_phase(game, str(verdict.after["phase"]), start, verdict.deciding)
    if game.state == State.PAUSED:
        _rest(game, start)
    game.save(update_fields=["number", "trouble", "paused_left", *CLAIM, *dating.DATES])


def _rest(game: Game, start: datetime) -> None:
    """The game master published a phase while the game rests: the next one rests with all its time."""
    game.paused_left = game.due - start if game.due else None
    dating.set_due(game, None)
