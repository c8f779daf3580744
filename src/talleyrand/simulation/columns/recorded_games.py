"""Lines of a file as games to be played in arrays.

A line holds a record of ours (`formats.game_record`) or a saved game of the package `diplomacy`. What is as
these are usually written becomes numbers at once; of anything else only the JSON is kept, for the readable
engine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.formats import diplomacy_package
from talleyrand.formats.game_record import GameRecord, PhaseInputs, read_game_record, with_seed
from talleyrand.formats.json_checks import InvalidQuestion, Json, clip_json
from talleyrand.formats.phase_heading_parser import phase_sort_key
from talleyrand.simulation.game_batch import phase_codes

from .read_orders import NOT_PLAIN, ReadOrders
from .saved_positions import SavedPosition, SavedPositions

HEADER = ("talleyrand", "variant", "rulebook", "naming", "start", "bots")
PLAIN_FIELDS = frozenset(("phase", "orders", "bots", "loose"))
MOST_SETTINGS = 64  # kept
TimeKey = tuple[int, int]


class _NotPlain(Exception):
    """A line is not as such lines usually are."""


class RecordedPhase(NamedTuple):
    """What was received for a phase: the numbers of the lines and of the powers that wrote them, and the
    position that was saved with them. Not `plain` where the lines have to be read as they were `written`;
    that is None where something else was received as well."""

    lines: Sequence[int] = ()
    powers: Sequence[int] = ()
    position: SavedPosition | None = None
    plain: bool = True
    written: Mapping[str, Sequence[str] | None] | None = None


NOTHING = RecordedPhase(written={})
UNREAD = RecordedPhase(plain=False)


class GameSetting:
    """What games with the same beginning of a record share."""

    def __init__(self, header: GameRecord) -> None:
        self.header, self.variant = header, header.variant
        self.numbers = ReadOrders(header)
        self.powers = {power: number for number, power in enumerate(self.variant.board.seats)}
        self.positions = SavedPositions(self.variant)
        self._codes = phase_codes(self.variant.definition)
        self._times: dict[object, TimeKey] = {}

    def time(self, written: Json) -> TimeKey:
        """The key that sorts a phase by time (`phase_sort_key`). Raises TalleyrandError."""
        if written not in self._times:
            phase = Phase.parse(written) if isinstance(written, str) else None
            if phase is None or phase.season + phase.kind not in self._codes:
                raise _NotPlain
            self._times[written] = phase_sort_key(phase, self.variant.definition.calendar)
        return self._times[written]


@dataclass
class RecordedGame:
    """A game of a line. `phases` are its phases by their time, None where the engine has to read them all;
    `value` is its JSON."""

    line: int
    value: dict[str, Json]
    rulebook: Json
    setting: GameSetting
    phases: Mapping[TimeKey, RecordedPhase] | None = None
    _record: GameRecord | None = field(default=None, repr=False)

    @property
    def identity(self) -> str | None:
        """What the line calls the game; what UTF-8 cannot hold is escaped."""
        name = self.value.get("id")
        return None if name is None else str(name).encode(errors="backslashreplace").decode()

    @property
    def is_saved(self) -> bool:
        """Whether it is a saved game of the package `diplomacy`."""
        return diplomacy_package.is_saved_game(self.value)

    @property
    def record(self) -> GameRecord:
        """The whole game as `talleyrand play` reads it; raises TalleyrandError."""
        if self._record is None:
            self._record = with_seed(read_recorded_game(self.value, self.rulebook))
        return self._record

    def inputs_from(self, time: TimeKey) -> tuple[PhaseInputs, ...]:
        """What was received for a phase and those after it; raises TalleyrandError."""
        calendar = self.setting.variant.definition.calendar
        return tuple(one for one in self.record.phases if phase_sort_key(one.phase, calendar) >= time)


def read_recorded_game(value: dict[str, Json], rulebook: Json) -> GameRecord:
    """A record of ours or a saved game; a book that is given stands in for its own.

    Raises TalleyrandError.
    """
    if diplomacy_package.is_saved_game(value):
        return diplomacy_package.read_saved_game(value, rulebook)
    return read_game_record(value if rulebook is None else value | {"rulebook": rulebook})


class RecordedGameReader:
    """Reads the JSON of lines."""

    def __init__(self, rulebook: Json = None) -> None:
        self._rulebook = rulebook
        self._settings: dict[str, GameSetting] = {}

    def read(self, line: int, value: Json) -> RecordedGame:
        """The game of a line; raises TalleyrandError where it cannot be one."""
        if not isinstance(value, dict):
            raise InvalidQuestion("not_a_game", value=clip_json(value))
        saved = diplomacy_package.is_saved_game(value)
        setting = self._setting(_saved_header(value, self._rulebook) if saved else self._header(value))
        game = RecordedGame(line, value, self._rulebook, setting)
        try:
            game.phases = _saved_phases(value, setting) if saved else _phases(value, setting)
        except (_NotPlain, AttributeError, KeyError, TypeError, ValueError, TalleyrandError):
            game.phases = None
        if game.phases is None or any(phase.written is None for phase in game.phases.values()):
            game.record  # noqa: B018 what is wrong with the line is told, though no game comes to that phase
        return game

    def _header(self, value: dict[str, Json]) -> dict[str, Json]:
        if not isinstance(value.get("phases"), list):
            read_game_record(value)  # says why
        header = {name: value[name] for name in HEADER if name in value}
        if not isinstance(value.get("seed"), str | None):
            read_game_record(value)  # says why
        return header if self._rulebook is None else header | {"rulebook": self._rulebook}

    def _setting(self, header: dict[str, Json]) -> GameSetting:
        key = json.dumps(header)
        if key not in self._settings:
            read = GameSetting(read_game_record(header | {"phases": []}))
            if len(self._settings) >= MOST_SETTINGS:
                self._settings.clear()
            self._settings[key] = read
        return self._settings[key]


def _phases(value: dict[str, Any], setting: GameSetting) -> dict[TimeKey, RecordedPhase]:
    found = {setting.time(entry["phase"]): _phase(entry, setting) for entry in value["phases"]}
    if len(found) < len(value["phases"]):
        raise _NotPlain
    return dict(sorted(found.items()))


def _phase(entry: dict[str, Any], setting: GameSetting) -> RecordedPhase:
    plain = entry.keys() <= PLAIN_FIELDS and _names_bots(entry.get("bots"), setting)
    if not plain or not _are_texts(entry.get("loose")):
        return UNREAD
    return _orders(entry.get("orders"), setting)


def _names_bots(value: Json, setting: GameSetting) -> bool:
    """Whether a value says who of the bots ordered which power: nothing that changes what becomes of them."""
    if not isinstance(value, dict):
        return value is None
    return value.keys() <= setting.powers.keys() and _are_texts([*value.values()])


def _are_texts(value: Json) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _orders(written: Mapping[str, Any] | None, setting: GameSetting) -> RecordedPhase:
    if written is None:
        return NOTHING
    texts, powers = list[str](), list[int]()
    for power, listed in written.items():
        if listed is None:
            continue
        if not isinstance(listed, list):
            raise _NotPlain
        texts += listed
        powers += [setting.powers[power]] * len(listed)
    lines = [*map(setting.numbers.__getitem__, texts)]
    if NOT_PLAIN in lines:
        return RecordedPhase(plain=False, written=written)
    return RecordedPhase(lines, powers, written=written)


def _saved_header(value: dict[str, Json], rulebook: Json) -> dict[str, Json]:
    name = str(value.get("map"))
    if name not in diplomacy_package.VARIANT_OF_MAP:
        diplomacy_package.read_saved_game(value, rulebook)  # says why
    book = diplomacy_package.DEFAULT_RULEBOOK if rulebook is None else rulebook
    return {"variant": diplomacy_package.VARIANT_OF_MAP[name], "rulebook": book}


def _saved_phases(value: dict[str, Any], setting: GameSetting) -> dict[TimeKey, RecordedPhase]:
    """The phases of a saved game, but for the last one if it is still to be played."""
    played = [entry for entry in value["phases"] if entry["name"] not in ("FORMING", "COMPLETED")]
    if not played:
        raise _NotPlain
    if len(played) > 1 and not any((played[-1].get("orders") or {}).values()):
        played.pop()
    found = {setting.time(entry["name"]): _saved_phase(entry, setting) for entry in played}
    if len(found) < len(played):
        raise _NotPlain
    return dict(sorted(found.items()))


def _saved_phase(entry: dict[str, Any], setting: GameSetting) -> RecordedPhase:
    position = setting.positions.read(entry["name"], entry["state"])
    ordered = _orders(entry.get("orders"), setting)
    return UNREAD if position is None else ordered._replace(position=position)
