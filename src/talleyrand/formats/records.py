"""A game as the list of its inputs, in JSON; replaying it gives the same bytes.

{"talleyrand": 1, "variant": "classic", "rulebook": "anjou_feu", "naming": null, "seed": "",
 "start": {"phase", "units", …},        where it is not the variant's first position
 "phases": [{"phase": "S1901M", "orders": {…} or "sheets": {…}, "absent": [], "torn": [],
             "position": {…},           where the game master sets the position himself; what it does
                                        not name of STANDING stays as it was
             "bots": {"ITALY": "search:hard"}}],   who of the computer's players ordered which power
 "bots": {…}}                           the powers that they play from now on; replaying asks none of them
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from talleyrand.engine.effort import Effort
from talleyrand.engine.errors import BadPosition
from talleyrand.engine.position import Phase, Position
from talleyrand.engine.rulebook import MissingRemovals
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import Variant

from . import shapes
from .answers import Judged
from .asking import (
    Question,
    Sheet,
    read_affairs,
    read_naming,
    read_phase,
    read_rulebook,
    read_sheets,
    read_variant,
)
from .headings import order_of
from .positions import led, read_position, write_position, write_standing
from .questions import judge
from .sentences import note_value
from .shapes import BadQuestion, Json, Table, clip

VERSION = 1
# what a position remembers: the field of a question, and the position's own name for it
STANDING = {
    "kept_builds": "kept_builds",
    "centers_before": "centres_before",
    "disorder": "disorder",
    "passive": "passive",
}


@dataclass(frozen=True)
class Inputs:
    """What was received for one phase; `position` replaces the one the game had reached."""

    phase: Phase
    sheets: Mapping[str, tuple[Sheet, ...]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    torn: tuple[str, ...] = ()
    position: Table | None = None
    loose: tuple[str, ...] = ()
    bots: Mapping[str, str] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether no order was received."""
        return not any(sheet for sheets in self.sheets.values() for sheet in sheets)


@dataclass(frozen=True)
class Record:
    """A game: its setting and everything it received."""

    variant: Variant
    rulebook: Json
    book: LoadedRulebook
    start: Position
    phases: tuple[Inputs, ...] = ()
    naming: str | None = None
    seed: str = ""
    bots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Played:
    """One phase of a replay: where it began, what was judged, and the answer."""

    position: Position
    judged: Judged
    notes: tuple[Mapping[str, str], ...] = ()

    def answer(self) -> dict[str, Json]:
        """The phase's answer as the contract has it, `id` being the phase."""
        given = {"id": str(self.position.phase)} | self.judged.answer()
        listed = given["notes"]
        assert isinstance(listed, list)
        return given | {"notes": [*map(dict, self.notes), *listed]}


def read_record(value: Json) -> Record:
    """A game from its JSON; raises TalleyrandError."""
    if not isinstance(value, dict) or not isinstance(value.get("phases"), list):
        raise BadQuestion("not_a_game", value=clip(value))
    if value.get("talleyrand", VERSION) != VERSION:
        raise BadQuestion("unknown_version", value=clip(value["talleyrand"]), known=str(VERSION))
    variant = read_variant(value.get("variant"))
    book = read_rulebook(value.get("rulebook"))
    phases = tuple(_inputs(shapes.table(entry, "phases"), variant) for entry in value["phases"])
    _once(phases)
    return Record(
        variant=variant,
        rulebook=value.get("rulebook"),
        book=book,
        start=_start(value.get("start"), variant, book),
        phases=phases,
        naming=read_naming(value.get("naming"), variant),
        seed=shapes.optional_text(value.get("seed"), "seed") or "",
        bots=_bots(value, variant),
    )


def write_record(record: Record) -> dict[str, Json]:
    """The JSON of a game; `read_record` gives the same game back."""
    return {
        "talleyrand": VERSION,
        "variant": record.variant.name,
        "rulebook": record.rulebook if record.rulebook is not None else record.book.name,
        "naming": record.naming,
        "seed": record.seed,
        "start": _begun(record),
        "phases": [_written(inputs) for inputs in record.phases],
        **({"bots": dict(record.bots)} if record.bots else {}),
    }


def _begun(record: Record) -> Json:
    """The position a game begins with, where it is not the variant's."""
    if record.start == record.variant.setting.start:
        return None
    return write_situation(record.start, record.variant)


def write_situation(position: Position, variant: Variant) -> dict[str, Json]:
    """A position with what the variant's own rules remember."""
    return {**write_position(position, variant.board), **_politics(position, variant)}


def _politics(position: Position, variant: Variant) -> dict[str, Json]:
    """What the variant's own rules remember, where that is anything."""
    rules = variant.setting.politics
    told = dict(rules.write(variant.board, position)) if rules and position.affairs is not None else {}
    return {"politics": told} if told else {}


def seeded(record: Record) -> Record:
    """The game with a seed, if its book draws lots: its own, or one made from how the game begins.

    So the seed stays the same while the game goes on.
    """
    if record.seed or record.book.judge.missing_removals is not MissingRemovals.RANDOM:
        return record
    beginning = write_record(replace(record, phases=record.phases[:1]))
    text = json.dumps(beginning, sort_keys=True)
    return replace(record, seed=hashlib.sha256(text.encode("ascii")).hexdigest()[:16])


def replay(record: Record, effort: Effort | None = None) -> Iterator[Played]:
    """Play a game phase by phase, as far as it was given orders; phases without any are played too.

    The reasons of all phases share `effort`; without it each phase has its own.
    """
    waiting = {inputs.phase: inputs for inputs in record.phases}
    # as the record has it: answers list the units without order as the position does
    position: Position | None = _start(_begun(record), record.variant, record.book)
    while position is not None and waiting:
        missed = _missed(waiting, position, record)
        if not waiting:
            return
        inputs = waiting.pop(position.phase, Inputs(position.phase))
        position, notes = _set(position, inputs, record)
        notes += (note_value("phase_not_played", phase=str(one.phase)) for one in missed)
        judged = judge(_question(position, inputs, record), effort)
        notes += (note_value("line_without_power", text=clip(line)) for line in inputs.loose)
        yield Played(position, judged, tuple(notes))
        position = judged.turn.next


def _missed(waiting: dict[Phase, Inputs], position: Position, record: Record) -> list[Inputs]:
    """Take out the phases the game has passed by; gives those that had orders."""
    calendar = record.variant.setting.calendar
    now = order_of(position.phase, calendar)
    passed = [waiting.pop(phase) for phase in list(waiting) if order_of(phase, calendar) < now]
    return [inputs for inputs in passed if not inputs.empty]


def _set(position: Position, inputs: Inputs, record: Record) -> tuple[Position, list[Mapping[str, str]]]:
    """The position a phase is played from, with a note where the game master has changed it."""
    if inputs.position is None:
        return position, []
    given = read_position(inputs.position, inputs.phase, record.variant.board, record.book.judge)
    unnamed = [STANDING[field] for field in STANDING.keys() - inputs.position.keys()]
    given = replace(given, **{name: getattr(position, name) for name in unnamed})
    told = inputs.position.get("politics")
    affairs = read_affairs(told, inputs.phase, record.variant)[0] if told else position.affairs
    given = replace(given, affairs=affairs)
    if _comparable(given, record) == _comparable(position, record):
        return position, []
    return given, [note_value("position_set", phase=str(inputs.phase))]


def _comparable(position: Position, record: Record) -> Json:
    fields = write_position(position, record.variant.board)
    fallen = {(str(one.unit), one.unit.power, one.retreats) for one in position.dislodged}
    standing = write_standing(position, record.variant.board)
    return fields["units"], fallen, fields.get("centers"), standing, _politics(position, record.variant)


def _question(position: Position, inputs: Inputs, record: Record) -> Question:
    asked = replace(
        position,
        disorder=position.disorder | frozenset(inputs.absent),
        torn=frozenset(inputs.torn),
        seed=record.seed,
    )
    return Question(record.variant, record.book, led(asked, inputs.sheets), inputs.sheets, record.naming)


def _start(value: Json, variant: Variant, book: LoadedRulebook) -> Position:
    if value is None:
        return variant.setting.start
    fields = shapes.table(value, "start")
    phase = read_phase(fields.get("phase"), variant)
    begun = read_position(fields, phase, variant.board, book.judge)
    told = fields.get("politics")
    return replace(begun, affairs=read_affairs(told, phase, variant)[0]) if told else begun


def _inputs(entry: Table, variant: Variant) -> Inputs:
    phase = read_phase(entry.get("phase"), variant)
    powers = variant.board.powers

    def named(field_name: str) -> tuple[str, ...]:
        names = shapes.rows(entry.get(field_name), field_name)
        return tuple(shapes.power(name, field_name, powers) for name in names)

    position = entry.get("position")
    return Inputs(
        phase,
        read_sheets(entry, variant),
        named("absent"),
        named("torn"),
        None if position is None else shapes.table(position, "position"),
        shapes.texts(entry.get("loose"), "loose"),
        _bots(entry, variant),
    )


def _bots(entry: Table, variant: Variant) -> dict[str, str]:
    """Names as the file gives them, of whichever players its program had."""
    named = shapes.by_power(entry.get("bots"), "bots", variant.board.seats)
    return {power: shapes.text(name, f"bots.{power}") for power, name in named.items()}


def _once(phases: tuple[Inputs, ...]) -> None:
    seen = set()
    for inputs in phases:
        if inputs.phase in seen:
            raise BadPosition("phase_twice", phase=str(inputs.phase))
        seen.add(inputs.phase)


def _written(inputs: Inputs) -> dict[str, Json]:
    fields: dict[str, Json] = {"phase": str(inputs.phase)}
    if all(len(sheets) == 1 for sheets in inputs.sheets.values()):
        fields["orders"] = {power: list(sheets[0]) for power, sheets in inputs.sheets.items()}
    else:
        every = inputs.sheets.items()
        fields["sheets"] = {power: [list(sheet) for sheet in sheets] for power, sheets in every}
    optional = {"absent": inputs.absent, "torn": inputs.torn, "loose": inputs.loose}
    fields |= {name: list(values) for name, values in optional.items() if values}
    fields |= {"bots": dict(inputs.bots)} if inputs.bots else {}
    return fields | ({} if inputs.position is None else {"position": dict(inputs.position)})
