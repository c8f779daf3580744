"""A practice game as a file, and a file as a practice game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import messages
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats import (
    diplomacy_package,
    game_record,
    plain_text,
    position_json,
    question_input,
    sheet_folder,
)
from talleyrand.formats.phase_correction import write_correction
from talleyrand.negotiation.proposals import NoProposal
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.order_drafts import NO_POWER, DraftRefusal, check_order_text
from talleyrand.web.boards.order_requests import draft_refusal_text
from talleyrand.web.bots import bot_players

from . import bot_talk
from .models import PracticeGame, PracticeTurn

MOST_PHASES = 300
MOST_LINES = 30_000
MOST_REFUSED = 600  # each is answered with its nearest legal reading, which takes time
# Steps of effort: none; a few phases, while somebody waits; a whole game.
NO_EFFORT, QUICK_EFFORT, FULL_EFFORT = 0, 30_000, 2_000_000
QUICK_LINES, QUICK_PHASES = 3_000, 12


@dataclass(frozen=True)
class ImportedGame:
    """What a file holds: a start, the phases played since, and orders in preparation."""

    variant: str
    rulebook: str
    seed: str
    start: dict[str, Any]
    turns: list[PracticeTurn] = field(default_factory=list)
    draft: dict[str, list[str]] = field(default_factory=dict)
    bots: dict[str, str] = field(default_factory=dict)
    talk: dict[str, Any] = field(default_factory=dict)


class ImportTakesLong(Exception):
    """A file that cannot be read while somebody waits."""


class ImportRefusal(Exception):
    """A file that is no game; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


# out


def practice_record_json(game: PracticeGame, *, with_talk: bool = False) -> dict[str, Any]:
    """The inputs of a game, in the form `talleyrand play` replays; what was said to bots for its owner."""
    whole = {
        "variant": game.variant,
        "rulebook": game.rulebook,
        "seed": game.seed,
        "start": game.start_situation,
        "phases": [_phase_of(turn) for turn in game.turns.all()],
        "bots": game.bots,
        "talk": game.talk if with_talk else {},
    }
    return dict(game_record.write_game_record(game_record.read_game_record(whole)))


def _phase_of(turn: PracticeTurn) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "phase": turn.phase,
        "orders": {power: lines for power, lines in turn.orders.items() if power != NO_POWER},
    }
    if turn.orders.get(NO_POWER):
        fields["loose"] = turn.orders[NO_POWER]
    if turn.bots:
        fields["bots"] = turn.bots
    if turn.situation is not None:
        told = ("absent", "torn", "corrected")
        fields |= {name: turn.situation[name] for name in told if turn.situation.get(name)}
        position = {name: value for name, value in turn.situation.items() if name != "corrected"}
        fields["position"] = {**dict.fromkeys(game_record.CARRIED_OVER_FIELDS), **position}
    return fields


# in


def initial_position(variant: Variant) -> dict[str, Any]:
    """Where a variant begins."""
    return dict(position_json.write_position(variant.definition.start, variant.board))


def import_game(text: str, *, most: int = FULL_EFFORT) -> ImportedGame:
    """A game, a saved game or a position, as text or JSON; raises ImportRefusal and QuestionRefusal.

    ImportTakesLong for what takes more than QUICK, if that is the `most`; with NOTHING no phase is played.
    """
    if most == QUICK_EFFORT and text.count("\n") > QUICK_LINES:
        raise ImportTakesLong
    try:
        return _brought(text.lstrip("\ufeff").strip(), most=most)
    except TalleyrandError as error:
        raise ImportRefusal(import_error_text(error)) from error


def import_error_text(error: TalleyrandError) -> str:
    """Why a question cannot be answered, in the reader's language."""
    return messages.error_sentence(error, display_names.reader_language())


def _brought(text: str, *, most: int) -> ImportedGame:
    if not text.startswith(("{", "[")):
        return _from_text(text, most=most)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ImportRefusal(_("This JSON is incomplete or damaged.")) from error
    if not isinstance(value, dict):
        raise ImportRefusal(_("This JSON is neither a game nor a position."))
    return _from_table(value, most=most)


def _from_table(value: dict[str, Any], *, most: int) -> ImportedGame:
    if diplomacy_package.is_saved_game(value):
        return _from_record(diplomacy_package.read_saved_game(value), most=most)
    if isinstance(value.get("phases"), list):
        return _from_record(game_record.read_game_record(value), most=most)
    if "units" in value or "phase" in value:
        return _from_question(value)
    raise ImportRefusal(_("This JSON is neither a game nor a position."))


def _from_text(text: str, *, most: int) -> ImportedGame:
    if not text:
        raise ImportRefusal(_("Nothing to load: paste a game or a position, or choose a file."))
    if text.count("\n") > MOST_LINES:
        raise ImportRefusal(_("Too many lines: %(most)d at most.") % {"most": MOST_LINES})
    read = plain_text.read_game_text(text)
    if not read.fields and all(chapter.phase is None for chapter in read.phase_texts) and _nobodys(read):
        raise ImportRefusal(
            _("This text is neither a game nor a position: it has no power, phase or setting.")
        )
    if any(chapter.phase is None for chapter in read.phase_texts) or (
        "units" in read.fields and len(read.phase_texts) < 2
    ):
        fields = {**read.fields, **read.question(), "variant": read.variant.name}
        return _from_question(fields, read.lines_without_power)
    return _from_record(sheet_folder.record_from_text(read), most=most)


def _nobodys(read: plain_text.GameText) -> bool:
    """Whether no line stands under a power's name."""
    return not any(chapter.sheets(read.variant)[0] for chapter in read.phase_texts)


def _from_question(value: dict[str, Any], loose: Sequence[str] = ()) -> ImportedGame:
    asked = question_input.read_question(value)
    sheets = {power: list(sheets[-1]) for power, sheets in asked.sheets.items() if sheets}
    sheets[NO_POWER] = list(loose)
    _check_lines(line for lines in sheets.values() for line in lines)
    return ImportedGame(
        asked.variant.name,
        asked.rulebook.name,
        asked.position.seed,
        game_record.write_position_with_politics(asked.position, asked.variant),
        draft={power: lines for power, lines in sheets.items() if lines},
    )


def _from_record(record: game_record.GameRecord, *, most: int) -> ImportedGame:
    record = game_record.with_seed(record)
    if len(record.phases) > MOST_PHASES:
        raise _too_many_phases()
    if most == QUICK_EFFORT and len(record.phases) > QUICK_PHASES:
        raise ImportTakesLong
    for one in record.phases:
        given = (line for sheets in one.sheets.values() for sheet in sheets for line in sheet)
        _check_lines([*one.loose, *given])
    turns: list[PracticeTurn] = []
    refused, effort = 0, StepBudget(most)
    for number, played in enumerate(game_record.replay(record, effort) if most else (), 1):
        if number > MOST_PHASES:
            raise _too_many_phases()
        if not effort.try_spend(played.judged.steps):
            raise (
                ImportTakesLong
                if most == QUICK_EFFORT
                else ImportRefusal(
                    _("This game takes too long to load: too many units, or lines that aren’t orders.")
                )
            )
        turns.append(_turn(number, played, record))
        if most == QUICK_EFFORT and played.judged.reasons and played.judged.reasons.is_incomplete:
            raise ImportTakesLong
        refused += sum(1 for entry in turns[-1].answer["orders"] if entry["error"])
        if refused > MOST_REFUSED:
            raise _too_many_refused()
    start = game_record.write_position_with_politics(record.start, record.variant)
    bots = bot_players.known_bots(record.bots)
    name, book = record.variant.name, record.loaded_rulebook.name
    try:
        talk = bot_talk.read_talk(record.talk, record.variant)
    except (NoProposal, TalleyrandError, TypeError, KeyError) as error:
        raise ImportRefusal(_("What this file has of talk with bots can’t be read.")) from error
    return ImportedGame(name, book, record.seed, start, turns, bots=bots, talk=talk)


def _check_lines(lines: Iterable[str]) -> None:
    """What a sheet of the page may not hold, a file may not either; raises ImportRefusal."""
    try:
        check_order_text("\n".join(lines))
    except DraftRefusal as problem:
        raise ImportRefusal(draft_refusal_text(problem)) from problem


def _too_many_refused() -> ImportRefusal:
    sentence = _("More than %(most)d orders in this game can’t be followed: is it the right variant?")
    return ImportRefusal(sentence % {"most": MOST_REFUSED})


def _too_many_phases() -> ImportRefusal:
    return ImportRefusal(_("Game too long: more than %(most)d phases.") % {"most": MOST_PHASES})


def _turn(number: int, played: game_record.ReplayedPhase, record: game_record.GameRecord) -> PracticeTurn:
    inputs = played.inputs
    orders = {power: list(sheets[-1]) for power, sheets in inputs.sheets.items() if sheets and sheets[-1]}
    orders |= {NO_POWER: list(inputs.loose)} if inputs.loose else {}
    told = inputs.position is not None or inputs.absent or inputs.torn or inputs.corrected
    situation = _situation(played, record) if told else None
    return PracticeTurn(
        phase_number=number,
        phase=str(played.position.phase),
        orders=orders,
        situation=situation,
        answer=dict(played.answer()),
        bots=bot_players.known_bots(inputs.bots),
    )


def _situation(played: game_record.ReplayedPhase, record: game_record.GameRecord) -> dict[str, Any]:
    inputs = played.inputs
    fields = game_record.write_position_with_politics(played.position, record.variant)
    fields |= {"absent": list(inputs.absent), "torn": list(inputs.torn)}
    if inputs.corrected is None:
        return fields
    following = game_record.write_position_with_politics(inputs.corrected.following, record.variant)
    return {**fields, "corrected": write_correction(inputs.corrected, following)}


__all__ = [
    "ImportRefusal",
    "ImportTakesLong",
    "ImportedGame",
    "QuestionRefusal",
    "import_game",
    "initial_position",
    "practice_record_json",
]
