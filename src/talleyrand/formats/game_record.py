"""A game as the list of its inputs, in JSON; replaying it gives the same bytes.

{"talleyrand": 1, "variant": "classic", "rulebook": "anjou_feu", "naming": null, "seed": "",
 "start": {"phase", "units", …},        where it is not the variant's first position
 "phases": [{"phase": "S1901M", "orders": {…} or "sheets": {…}, "absent": [], "torn": [],   each once, but the
             turns of a draft in their order
             "position": {…},           where the game master sets the position himself; what it does
                                        not name of CARRIED_OVER_FIELDS stays as it was
             "corrected": {"results": [{"power", "unit", "order", "results"}], "next": {"phase", "units", …},
                           "winner": [], "reason"},   what the game master decided of the phase instead
             "bots": {"ITALY": "search:hard"}}],   who of the computer's players ordered which power
 "bots": {…},                           the powers that they play from now on; replaying asks none of them
 "talk": {…}}                           what was said to them, which changes nothing of a replay
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.step_budget import StepBudget
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant

from . import json_checks
from .adjudication import resolve_question
from .adjudication_answer import AdjudicatedQuestion
from .answer_errors import note_json
from .json_checks import InvalidQuestion, Json, JsonObject, clip_json
from .phase_correction import PhaseCorrection, read_correction, write_correction
from .phase_heading_parser import phase_sort_key
from .position_json import apply_torn_sheets, read_position, write_carried_over, write_position
from .question_input import (
    Question,
    SheetLines,
    read_naming,
    read_phase,
    read_politics,
    read_rulebook,
    read_sheets,
    read_variant,
)

RECORD_VERSION = 1
# what a position remembers: the field of a question, and the position's own name for it
CARRIED_OVER_FIELDS = {
    "kept_builds": "kept_builds",
    "centers_before": "centres_before",
    "disorder": "powers_in_disorder",
    "passive": "passive",
    "first_year": "first_year",
    "centres_to_win": "centres_to_win",
}


@dataclass(frozen=True)
class PhaseInputs:
    """What was received for one phase; `position` replaces the one the game had reached, `corrected` what
    the adjudicator finds.
    """

    phase: Phase
    sheets: Mapping[str, tuple[SheetLines, ...]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    torn: tuple[str, ...] = ()
    position: JsonObject | None = None
    loose: tuple[str, ...] = ()
    bots: Mapping[str, str] = field(default_factory=dict)
    corrected: PhaseCorrection | None = None

    @property
    def empty(self) -> bool:
        """Whether no order was received."""
        return not any(sheet for sheets in self.sheets.values() for sheet in sheets)


@dataclass(frozen=True)
class GameRecord:
    """A game: its setting and everything it received."""

    variant: Variant
    rulebook_json: Json
    loaded_rulebook: LoadedRulebook
    start: Position
    phases: tuple[PhaseInputs, ...] = ()
    naming: str | None = None
    seed: str = ""
    bots: Mapping[str, str] = field(default_factory=dict)
    talk: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class ReplayedPhase:
    """One phase of a replay: where it began, what it received, what counts of what was judged, the answer."""

    position: Position
    inputs: PhaseInputs
    judged: AdjudicatedQuestion
    notes: tuple[Mapping[str, str], ...] = ()

    @property
    def corrected(self) -> PhaseCorrection | None:
        """What the game master decided of it instead."""
        return self.inputs.corrected

    def answer(self) -> dict[str, Json]:
        """The phase's answer as the contract has it, `id` being the phase."""
        given = {"id": str(self.position.phase)} | self.judged.answer()
        listed, entries = given["notes"], given["orders"]
        assert isinstance(listed, list)
        assert isinstance(entries, list)
        counted = self.corrected.entries(entries) if self.corrected else entries
        return given | {"orders": counted, "notes": [*map(dict, self.notes), *listed]}

    def entries(self) -> list[dict[str, Json]]:
        """What became of each order, without the search for reasons."""
        found = replace(self.judged, with_reasons=False).entries()
        return self.corrected.entries(found) if self.corrected else found


def read_game_record(value: Json) -> GameRecord:
    """A game from its JSON; raises TalleyrandError."""
    if not isinstance(value, dict) or not isinstance(value.get("phases"), list):
        raise InvalidQuestion("not_a_game", value=clip_json(value))
    if value.get("talleyrand", RECORD_VERSION) != RECORD_VERSION:
        raise InvalidQuestion(
            "unknown_version", value=clip_json(value["talleyrand"]), known=str(RECORD_VERSION)
        )
    variant = read_variant(value.get("variant"))
    book = read_rulebook(value.get("rulebook"))
    phases = tuple(
        _inputs(json_checks.json_object(entry, "phases"), variant, book) for entry in value["phases"]
    )
    _once(phases, variant)
    return GameRecord(
        variant=variant,
        rulebook_json=value.get("rulebook"),
        loaded_rulebook=book,
        start=_start(value.get("start"), variant, book),
        phases=phases,
        naming=read_naming(value.get("naming"), variant),
        seed=json_checks.optional_json_text(value.get("seed"), "seed") or "",
        bots=_bots(value, variant),
        talk=json_checks.json_object(value.get("talk") or {}, "talk"),
    )


def write_game_record(record: GameRecord) -> dict[str, Json]:
    """The JSON of a game; `read_game_record` gives the same game back."""
    return {
        "talleyrand": RECORD_VERSION,
        "variant": record.variant.name,
        "rulebook": record.rulebook_json if record.rulebook_json is not None else record.loaded_rulebook.name,
        "naming": record.naming,
        "seed": record.seed,
        "start": _begun(record),
        "phases": [_orders_json(inputs, record.variant) for inputs in record.phases],
        **({"bots": dict(record.bots)} if record.bots else {}),
        **({"talk": dict(record.talk)} if record.talk else {}),
    }


def _begun(record: GameRecord) -> Json:
    """The position a game begins with, where it is not the variant's."""
    if record.start == record.variant.definition.start:
        return None
    return write_position_with_politics(record.start, record.variant)


def write_position_with_politics(position: Position, variant: Variant) -> dict[str, Json]:
    """A position with what the variant's own rules remember."""
    return {**write_position(position, variant.board), **_politics(position, variant)}


def _politics(position: Position, variant: Variant) -> dict[str, Json]:
    """What the variant's own rules remember, where that is anything."""
    rules = variant.definition.politics
    told = (
        dict(rules.write_state(variant.board, position))
        if rules and position.political_state is not None
        else {}
    )
    return {"politics": told} if told else {}


def with_seed(record: GameRecord) -> GameRecord:
    """The game with a seed, if its book draws lots: its own, or one made from how the game begins.

    So the seed stays the same while the game goes on.
    """
    if record.seed or record.loaded_rulebook.adjudication_rules.missing_removals != "random":
        return record
    beginning = write_game_record(replace(record, phases=record.phases[:1]))
    text = json.dumps(beginning, sort_keys=True)
    return replace(record, seed=hashlib.sha256(text.encode("ascii")).hexdigest()[:16])


def replay(record: GameRecord, effort: StepBudget | None = None) -> Iterator[ReplayedPhase]:
    """Play a game phase by phase, as far as it was given orders; phases without any are played too.

    The reasons of all phases share `effort`; without it each phase has its own.
    """
    waiting = list(record.phases)
    # as the record has it: answers list the units without order as the position does
    position: Position | None = _start(_begun(record), record.variant, record.loaded_rulebook)
    while position is not None and waiting:
        missed = _missed(waiting, position, record)
        if not waiting:
            return
        inputs = next((one for one in waiting if one.phase == position.phase), PhaseInputs(position.phase))
        waiting = [one for one in waiting if one is not inputs]
        position, notes = _set(position, inputs, record)
        notes += (note_json("phase_not_played", phase=str(one.phase)) for one in missed)
        judged = resolve_question(_question(position, inputs, record), effort)
        notes += (note_json("line_without_power", text=clip_json(line)) for line in inputs.loose)
        if inputs.corrected is not None:
            judged = replace(judged, turn=inputs.corrected.turn(judged.turn))
            notes.append(note_json("corrected", text=clip_json(inputs.corrected.reason)))
        yield ReplayedPhase(position, inputs, judged, tuple(notes))
        position = judged.turn.next_position


def _missed(waiting: list[PhaseInputs], position: Position, record: GameRecord) -> list[PhaseInputs]:
    """Take out the phases the game has passed by; gives those that had orders."""
    calendar = record.variant.definition.calendar
    now = phase_sort_key(position.phase, calendar)
    passed = [inputs for inputs in waiting if phase_sort_key(inputs.phase, calendar) < now]
    waiting[:] = [inputs for inputs in waiting if inputs not in passed]
    return [inputs for inputs in passed if not inputs.empty]


def _set(
    position: Position, inputs: PhaseInputs, record: GameRecord
) -> tuple[Position, list[Mapping[str, str]]]:
    """The position a phase is played from, with a note where the game master has changed it."""
    if inputs.position is None:
        return position, []
    given = read_position(
        inputs.position, inputs.phase, record.variant.board, record.loaded_rulebook.adjudication_rules
    )
    unnamed = [CARRIED_OVER_FIELDS[field] for field in CARRIED_OVER_FIELDS.keys() - inputs.position.keys()]
    given = replace(given, **{name: getattr(position, name) for name in unnamed})
    told = inputs.position.get("politics")
    affairs = read_politics(told, inputs.phase, record.variant)[0] if told else position.political_state
    given = replace(given, political_state=affairs)
    if _comparable(given, record) == _comparable(position, record):
        return position, []
    return given, [note_json("position_set", phase=str(inputs.phase))]


def _comparable(position: Position, record: GameRecord) -> Json:
    fields = write_position(position, record.variant.board)
    fallen = {(str(one.unit), one.unit.power, one.retreats) for one in position.dislodged}
    standing = write_carried_over(position, record.variant.board)
    return fields["units"], fallen, fields.get("centers"), standing, _politics(position, record.variant)


def _question(position: Position, inputs: PhaseInputs, record: GameRecord) -> Question:
    asked = replace(
        position,
        powers_in_disorder=position.powers_in_disorder | frozenset(inputs.absent),
        torn=frozenset(inputs.torn),
        seed=record.seed,
    )
    return Question(
        record.variant,
        record.loaded_rulebook,
        apply_torn_sheets(asked, inputs.sheets),
        inputs.sheets,
        record.naming,
    )


def _start(value: Json, variant: Variant, book: LoadedRulebook) -> Position:
    if value is None:
        return variant.definition.start
    fields = json_checks.json_object(value, "start")
    phase = read_phase(fields.get("phase"), variant)
    begun = read_position(fields, phase, variant.board, book.adjudication_rules)
    told = fields.get("politics")
    return replace(begun, political_state=read_politics(told, phase, variant)[0]) if told else begun


def _inputs(entry: JsonObject, variant: Variant, book: LoadedRulebook) -> PhaseInputs:
    phase = read_phase(entry.get("phase"), variant)
    powers = variant.board.powers

    def named(field_name: str) -> tuple[str, ...]:
        names = json_checks.json_list(entry.get(field_name), field_name)
        return tuple(json_checks.json_power(name, field_name, powers) for name in names)

    position = entry.get("position")
    return PhaseInputs(
        phase,
        read_sheets(entry, variant),
        named("absent"),
        named("torn"),
        None if position is None else json_checks.json_object(position, "position"),
        json_checks.json_texts(entry.get("loose"), "loose"),
        _bots(entry, variant),
        _corrected(entry.get("corrected"), variant, book),
    )


def _corrected(value: Json, variant: Variant, book: LoadedRulebook) -> PhaseCorrection | None:
    if value is None:
        return None
    fields = json_checks.json_object(value, "corrected")
    following = _start(json_checks.json_object(fields.get("next"), "corrected.next"), variant, book)
    return read_correction(fields, following, variant)


def _bots(entry: JsonObject, variant: Variant) -> dict[str, str]:
    """Names as the file gives them, of whichever players its program had."""
    named = json_checks.json_by_power(entry.get("bots"), "bots", variant.board.seats)
    return {power: json_checks.json_text(name, f"bots.{power}") for power, name in named.items()}


def _once(phases: tuple[PhaseInputs, ...], variant: Variant) -> None:
    seen = set()
    for inputs in phases:
        if inputs.phase in seen and inputs.phase.kind not in variant.definition.calendar.repeated:
            raise InvalidPosition("phase_twice", phase=str(inputs.phase))
        seen.add(inputs.phase)


def _orders_json(inputs: PhaseInputs, variant: Variant) -> dict[str, Json]:
    fields: dict[str, Json] = {"phase": str(inputs.phase)}
    if all(len(sheets) == 1 for sheets in inputs.sheets.values()):
        fields["orders"] = {power: list(sheets[0]) for power, sheets in inputs.sheets.items()}
    else:
        every = inputs.sheets.items()
        fields["sheets"] = {power: [list(sheet) for sheet in sheets] for power, sheets in every}
    optional = {"absent": inputs.absent, "torn": inputs.torn, "loose": inputs.loose}
    fields |= {name: list(values) for name, values in optional.items() if values}
    fields |= {"bots": dict(inputs.bots)} if inputs.bots else {}
    if inputs.corrected is not None:
        following = write_position_with_politics(inputs.corrected.following, variant)
        fields["corrected"] = write_correction(inputs.corrected, following)
    return fields | ({} if inputs.position is None else {"position": dict(inputs.position)})
