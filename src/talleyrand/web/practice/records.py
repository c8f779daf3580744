"""A practice game as a file, and a file as a practice game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import messages
from talleyrand.engine.effort import Effort
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import asking, folders, plain, positions, records, saved_games
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.boards.drafts import NOBODY, Unfit, check_text
from talleyrand.web.boards.incoming import unfit
from talleyrand.web.boards.referee import Unanswered

from . import opponents
from .models import PracticeGame, PracticeTurn

MOST_PHASES = 300
MOST_LINES = 30_000
MOST_REFUSED = 600  # each is answered with its nearest legal reading, which takes time
# Steps of effort: none; a few phases, while somebody waits; a whole game.
NOTHING, QUICK, LONG = 0, 30_000, 2_000_000
QUICK_LINES, QUICK_PHASES = 3_000, 12


@dataclass(frozen=True)
class Brought:
    """What a file holds: a start, the phases played since, and orders in preparation."""

    variant: str
    rulebook: str
    seed: str
    start: dict[str, Any]
    turns: list[PracticeTurn] = field(default_factory=list)
    draft: dict[str, list[str]] = field(default_factory=dict)
    bots: dict[str, str] = field(default_factory=dict)


class TakesLong(Exception):
    """A file that cannot be read while somebody waits."""


class Unreadable(Exception):
    """A file that is no game; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


# out


def as_json(game: PracticeGame) -> dict[str, Any]:
    """The inputs of a game, in the form `talleyrand play` replays."""
    whole = {
        "variant": game.variant,
        "rulebook": game.rulebook,
        "seed": game.seed,
        "start": game.start,
        "phases": [_phase_of(turn) for turn in game.turns.all()],
        "bots": game.bots,
    }
    return dict(records.write_record(records.read_record(whole)))


def _phase_of(turn: PracticeTurn) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "phase": turn.phase,
        "orders": {power: lines for power, lines in turn.orders.items() if power != NOBODY},
    }
    if turn.orders.get(NOBODY):
        fields["loose"] = turn.orders[NOBODY]
    if turn.bots:
        fields["bots"] = turn.bots
    if turn.situation is not None:
        absent = {name: turn.situation[name] for name in ("absent", "torn") if turn.situation.get(name)}
        fields |= {"position": {**dict.fromkeys(records.STANDING), **turn.situation}, **absent}
    return fields


# in


def first_position(variant: Variant) -> dict[str, Any]:
    """Where a variant begins."""
    return dict(positions.write_position(variant.setting.start, variant.board))


def bring(text: str, *, most: int = LONG) -> Brought:
    """A game, a saved game or a position, as text or JSON; raises Unreadable and Unanswered.

    TakesLong for what takes more than QUICK, if that is the `most`; with NOTHING no phase is played.
    """
    if most == QUICK and text.count("\n") > QUICK_LINES:
        raise TakesLong
    try:
        return _brought(text.lstrip("\ufeff").strip(), most=most)
    except TalleyrandError as error:
        raise Unreadable(told(error)) from error


def told(error: TalleyrandError) -> str:
    """Why a question cannot be answered, in the reader's language."""
    return messages.error(error, wording.language())


def _brought(text: str, *, most: int) -> Brought:
    if not text.startswith(("{", "[")):
        return _from_text(text, most=most)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(_("This JSON is cut off or damaged: it cannot be read to its end.")) from error
    if not isinstance(value, dict):
        raise Unreadable(_("This JSON is neither a game nor a position."))
    return _from_table(value, most=most)


def _from_table(value: dict[str, Any], *, most: int) -> Brought:
    if saved_games.is_saved_game(value):
        return _from_record(saved_games.read(value), most=most)
    if isinstance(value.get("phases"), list):
        return _from_record(records.read_record(value), most=most)
    if "units" in value or "phase" in value:
        return _from_question(value)
    raise Unreadable(_("This JSON is neither a game nor a position."))


def _from_text(text: str, *, most: int) -> Brought:
    if not text:
        raise Unreadable(_("There is nothing to read: paste a game or a position, or choose a file."))
    if text.count("\n") > MOST_LINES:
        raise Unreadable(_("This text has too many lines: %(most)d at most.") % {"most": MOST_LINES})
    read = plain.read_text(text)
    if not read.fields and all(chapter.phase is None for chapter in read.chapters) and _nobodys(read):
        raise Unreadable(
            _("This text is neither a game nor a position: no power, no phase, no setting in it.")
        )
    if any(chapter.phase is None for chapter in read.chapters) or (
        "units" in read.fields and len(read.chapters) < 2
    ):
        fields = {**read.fields, **read.question(), "variant": read.variant.name}
        return _from_question(fields, read.loose)
    return _from_record(folders.record_of_text(read), most=most)


def _nobodys(read: plain.Text) -> bool:
    """Whether no line stands under a power's name."""
    return not any(chapter.sheets(read.variant)[0] for chapter in read.chapters)


def _from_question(value: dict[str, Any], loose: Sequence[str] = ()) -> Brought:
    asked = asking.read_question(value)
    sheets = {power: list(sheets[-1]) for power, sheets in asked.sheets.items() if sheets}
    sheets[NOBODY] = list(loose)
    _check_lines(line for lines in sheets.values() for line in lines)
    return Brought(
        asked.variant.name,
        asked.book.name,
        asked.position.seed,
        records.write_situation(asked.position, asked.variant),
        draft={power: lines for power, lines in sheets.items() if lines},
    )


def _from_record(record: records.Record, *, most: int) -> Brought:
    record = records.seeded(record)
    if len(record.phases) > MOST_PHASES:
        raise _too_many_phases()
    if most == QUICK and len(record.phases) > QUICK_PHASES:
        raise TakesLong
    inputs = {one.phase: one for one in record.phases}
    for one in record.phases:
        given = (line for sheets in one.sheets.values() for sheet in sheets for line in sheet)
        _check_lines([*one.loose, *given])
    turns: list[PracticeTurn] = []
    refused, effort = 0, Effort(most)
    for number, played in enumerate(records.replay(record, effort) if most else (), 1):
        if number > MOST_PHASES:
            raise _too_many_phases()
        if not effort.allows(played.judged.steps):
            raise TakesLong if most == QUICK else _too_much()
        turns.append(_turn(number, played, inputs.get(played.position.phase), record))
        if most == QUICK and played.judged.reasons and played.judged.reasons.cut:
            raise TakesLong
        refused += sum(1 for entry in turns[-1].answer["orders"] if entry["error"])
        if refused > MOST_REFUSED:
            raise _too_many_refused()
    start = records.write_situation(record.start, record.variant)
    bots = opponents.known(record.bots)
    return Brought(record.variant.name, record.book.name, record.seed, start, turns, bots=bots)


def _check_lines(lines: Iterable[str]) -> None:
    """What a sheet of the page may not hold, a file may not either; raises Unreadable."""
    try:
        check_text("\n".join(lines))
    except Unfit as problem:
        raise Unreadable(unfit(problem)) from problem


def _too_many_refused() -> Unreadable:
    sentence = _("More than %(most)d orders of this game cannot be followed: is it for this variant?")
    return Unreadable(sentence % {"most": MOST_REFUSED})


def _too_much() -> Unreadable:
    return Unreadable(
        _("This game takes too long to read: it has too many units, or lines that are no orders.")
    )


def _too_many_phases() -> Unreadable:
    return Unreadable(_("This game has more than %(most)d phases.") % {"most": MOST_PHASES})


def _turn(
    number: int, played: records.Played, inputs: records.Inputs | None, record: records.Record
) -> PracticeTurn:
    orders: dict[str, list[str]] = {}
    situation = None
    if inputs is not None:
        orders = {power: list(sheets[-1]) for power, sheets in inputs.sheets.items() if sheets and sheets[-1]}
        orders |= {NOBODY: list(inputs.loose)} if inputs.loose else {}
        if inputs.position is not None or inputs.absent or inputs.torn:
            situation = _situation(played, inputs, record)
    return PracticeTurn(
        number=number,
        phase=str(played.position.phase),
        orders=orders,
        situation=situation,
        answer=dict(played.answer()),
        bots=opponents.known(inputs.bots) if inputs else {},
    )


def _situation(played: records.Played, inputs: records.Inputs, record: records.Record) -> dict[str, Any]:
    fields = records.write_situation(played.position, record.variant)
    return {**fields, "absent": list(inputs.absent), "torn": list(inputs.torn)}


__all__ = ["Brought", "TakesLong", "Unanswered", "Unreadable", "as_json", "bring", "first_position"]
