"""The affairs of the world as the table `politics` of a question and of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from talleyrand.engine.board import Board
from talleyrand.engine.errors import InvalidPosition, TalleyrandError, UnknownName
from talleyrand.engine.orders import Hold, Move, Support, parse_normal
from talleyrand.engine.position import Phase

from .political_state import (
    AMOUNT_LIMITS,
    NO_AID,
    OPTION_VALUES,
    PoliticalState,
    initial_controller,
    turn_code,
    turn_number,
)

T = TypeVar("T")
ANSWER_ONLY_FIELDS = frozenset(
    ("open", "ballots", "applied", "subverted", "scores", "points", "given", "allowance")
)
"""What only goes out."""


def read_political_state(
    board: Board, phase: Phase, given: Mapping[str, object]
) -> tuple[PoliticalState, tuple[str, ...]]:
    """The affairs of a question, and the fields nobody knows.

    Raises TalleyrandError for a wrong shape or an unknown state, InvalidPosition for an unknown sector or a
    value beyond its limits, UnknownName (`unknown_option`, `unknown_value`).
    """
    table = _PoliticalStateReader(board, phase, given)
    strange = set(given) - set(_FIELDS) - ANSWER_ONLY_FIELDS
    return table.affairs(), tuple(sorted(strange))


def initial_political_state(chosen: Mapping[str, str]) -> dict[str, object]:
    """The affairs of a game that begins with these choices; raises UnknownName.

    What is usual is left out.
    """
    given = dict(chosen)
    long = _is_long(given.pop("game", "normal"))
    options = {name: value for name, value in _known(given).items() if value != OPTION_VALUES[name][0]}
    fields: dict[str, object] = {"game": "long" if long else None, "options": options}
    return {name: value for name, value in fields.items() if value}


def _is_long(name: str) -> bool:
    if name not in ("normal", "long"):
        raise UnknownName("unknown_value", option="game", value=name, values="normal, long")
    return name == "long"


def _known(chosen: dict[str, str]) -> dict[str, str]:
    """The options themselves, once each is known."""
    for name, value in chosen.items():
        if name not in OPTION_VALUES:
            raise UnknownName("unknown_option", option=name, nearest="")
        if value not in OPTION_VALUES[name]:
            raise UnknownName(
                "unknown_value", option=name, value=value, values=", ".join(OPTION_VALUES[name])
            )
    return chosen


_PROPOSAL = re.compile(
    r"(?P<kind>1[ABD]) (?P<state>\w+) (?P<amount>\d{1,3})|(?:1C|3B) (?P<other>\w+)|3A (?P<helped>\w+)|2 M .+"
)


def _is_mission(text: str) -> bool:
    try:
        order = parse_normal(text)
    except TalleyrandError:
        return False
    return isinstance(order, Hold | Move | Support) and order.unit.kind == "M"


class _PoliticalStateReader:
    """One table being read."""

    def __init__(self, board: Board, phase: Phase, given: Mapping[str, object]) -> None:
        self.board, self.phase, self.given = board, phase, given

    def affairs(self) -> PoliticalState:
        long = _is_long(self._text(self.given.get("game") or "normal", "game"))
        if self.given.get("imf") is not None and self.given.get("imf") == self.given.get("embargo"):
            raise InvalidPosition("imf_under_embargo", power=self._state(self.given["imf"], "imf"))
        intervention = self._table("intervention")
        target, last = intervention.get("target"), intervention.get("last")
        return PoliticalState(
            is_long_game=long,
            options=_known(
                {name: self._text(value, "options") for name, value in self._table("options").items()}
            ),
            disgrace_until=self._by_state("grace", self._turn),
            score_adjustment={
                state: value
                for state, value in self._by_state("adjustment", self._amount(long)).items()
                if value
            },
            aid={
                state: places
                for state, places in self._by_state("aid", self._places).items()
                if places != NO_AID
            },
            imf=self._state_or_none(self.given.get("imf"), "imf"),
            embargo=self._state_or_none(self.given.get("embargo"), "embargo"),
            colours={
                self._colourable(code): self._state_or_none(state, "control")
                for code, state in self._table("control").items()
            },
            subversion=frozenset(self._seat(seat, "subversion") for seat in self._list("subversion")),
            intervention_target=None if target is None else self._land(target, "intervention.target"),
            last_intervention=None if last is None else self._last(last),
            proposals=self._proposals() if self.phase.kind in "PM" else {},
            dismantled_mandates=self._leaving() if self.phase.kind == "R" else {},
            eliminated=frozenset(self._state(state, "eliminated") for state in self._list("eliminated")),
        )

    # the shapes

    def _table(self, field: str) -> Mapping[str, object]:
        value = self.given.get(field)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise _wrong("not_a_table", field, value)
        return value

    def _list(self, field: str, value: object = None) -> list[object]:
        found = self.given.get(field) if value is None else value
        if found is None:
            return []
        if not isinstance(found, list):
            raise _wrong("not_a_list", field, found)
        return found

    def _text(self, value: object, field: str) -> str:
        if not isinstance(value, str):
            raise _wrong("not_a_text", field, value)
        return value

    def _seat(self, value: object, field: str) -> str:
        name = self._text(value, field)
        if name not in self.board.seats:
            raise _unknown(name, field, self.board.seats)
        return name

    def _state(self, value: object, field: str) -> str:
        name = self._text(value, field)
        if name not in self.board.powers:
            raise _unknown(name, field, self.board.powers)
        return name

    def _state_or_none(self, value: object, field: str) -> str | None:
        return None if value is None else self._state(value, field)

    def _by_state(self, field: str, read: Callable[[object, str], T]) -> dict[str, T]:
        return {
            self._state(state, field): read(value, f"politics.{field}.{state}")
            for state, value in self._table(field).items()
        }

    # the values

    def _turn(self, value: object, field: str) -> int:
        phase = Phase.parse(f"{self._text(value, field)[:8]}M")
        if phase.season not in "SF":
            raise InvalidPosition("unknown_phase", phase=str(value)[:12])
        return turn_number(phase)

    def _amount(self, long: bool) -> Callable[[object, str], int]:
        most = 144 if long else 125

        def read(value: object, field: str) -> int:
            if not isinstance(value, int) or isinstance(value, bool):
                raise TalleyrandError("not_an_adjustment", field=field, value=str(value)[:40], most=str(most))
            if not -most <= value <= most:
                raise InvalidPosition("adjustment_beyond", field=field, value=str(value), most=str(most))
            return value

        return read

    def _places(self, value: object, field: str) -> tuple[str | None, ...]:
        places = self._list(field, value)
        if len(places) != len(NO_AID):
            raise _wrong("not_a_list", field, value)
        return tuple(self._state_or_none(place, field) for place in places)

    def _sector(self, value: object, field: str) -> str:
        code = self._text(value, field)
        if code not in self.board.provinces:
            raise InvalidPosition("unknown_place", place=code[:40])
        return code

    def _land(self, value: object, field: str) -> str:
        code = self._sector(value, field)
        if self.board.is_sea(code):
            raise InvalidPosition("not_on_land", field=f"politics.{field}", place=code)
        return code

    def _last(self, value: object) -> tuple[str, str | None]:
        last = self._list("intervention.last", value)
        if len(last) != 2:
            raise _wrong("not_a_list", "intervention.last", value)
        return self._land(last[0], "intervention.last"), self._state_or_none(last[1], "intervention.last")

    def _colourable(self, value: object) -> str:
        code = self._land(value, "control")
        if self.board.provinces[code].centre:
            raise InvalidPosition("colour_of_a_centre", place=code)
        return code

    def _proposals(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for seat, lines in self._table("proposals").items():
            texts = tuple(sorted(self._text(line, "proposals") for line in self._list("proposals", lines)))
            types = [text[:1] for text in texts]
            lawful = set(types) <= set(open_vote_types(self.phase)) and all(map(self._is_proposal, texts))
            if len(set(types)) != len(types) or not lawful:
                raise InvalidPosition("proposals_unlawful", power=seat, phase=str(self.phase))
            found[self._seat(seat, "proposals")] = texts
        return found

    def _is_proposal(self, text: str) -> bool:
        """Whether a text is a proposal in normal form, about somebody there is."""
        match = _PROPOSAL.fullmatch(text)
        if match is None:
            return False
        if match["kind"]:
            least, most = AMOUNT_LIMITS[match["kind"]]
            if not least <= int(match["amount"]) <= most:
                return False
        state = match["state"] or match["other"] or match["helped"]
        if state is None:
            return all(map(_is_mission, text.removeprefix("2 ").split(" / ")))
        return state in self.board.powers or text == "3A NONE"

    def _leaving(self) -> dict[str, tuple[str, ...]]:
        return {
            self._seat(seat, "leaving"): tuple(
                self._mandate(unit, "leaving") for unit in self._list("leaving", units)
            )
            for seat, units in self._table("leaving").items()
        }

    def _mandate(self, value: object, field: str) -> str:
        """An M, in normal form."""
        kind, _, code = self._text(value, field).partition(" ")
        if kind != "M":
            raise _wrong("not_a_unit", field, value)
        return f"{kind} {self._sector(code, field)}"


def open_vote_types(phase: Phase) -> tuple[str, ...]:
    """The types of vote of a turn: missions always, politics but in the very first, economy in autumn."""
    if phase.season == "S":
        return ("2",) if phase.year <= 2001 else ("1", "2")
    return ("1", "2", "3")


def write_political_state(board: Board, affairs: PoliticalState, phase: Phase) -> dict[str, object]:
    """The affairs as they stand for a phase; empty fields are left out."""
    lasting = {
        state: turn for state, turn in sorted(affairs.disgrace_until.items()) if turn >= turn_number(phase)
    }
    fields: dict[str, object] = {
        "game": "long" if affairs.is_long_game else None,
        "options": dict(affairs.options),
        "grace": {state: turn_code(turn) for state, turn in lasting.items()},
        "adjustment": {state: value for state, value in sorted(affairs.score_adjustment.items()) if value},
        "aid": {state: list(places) for state, places in sorted(affairs.aid.items()) if places != NO_AID},
        "imf": affairs.imf,
        "embargo": affairs.embargo,
        "control": _colours(board, affairs.colours),
        "subversion": sorted(affairs.subversion),
        "intervention": _intervention(affairs),
        "proposals": _listed(affairs.proposals),
        "leaving": _listed(affairs.dismantled_mandates),
        "eliminated": sorted(affairs.eliminated),
    }
    return {name: value for name, value in fields.items() if value not in (None, {}, [])}


_FIELDS = (
    "game",
    "options",
    "grace",
    "adjustment",
    "aid",
    "imf",
    "embargo",
    "control",
    "subversion",
    "intervention",
    "proposals",
    "leaving",
    "eliminated",
)


def _colours(board: Board, control: Mapping[str, str | None]) -> dict[str, str | None]:
    return {
        code: state for code, state in sorted(control.items()) if state != initial_controller(board, code)
    }


def _intervention(affairs: PoliticalState) -> dict[str, object] | None:
    if affairs.intervention_target is None and affairs.last_intervention is None:
        return None
    return {
        "target": affairs.intervention_target,
        "last": None if affairs.last_intervention is None else list(affairs.last_intervention),
    }


def _listed(by_seat: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    return {seat: sorted(lines) for seat, lines in sorted(by_seat.items()) if lines}


def _wrong(code: str, field: str, value: object) -> TalleyrandError:
    name = field if field.startswith("politics") else f"politics.{field}"
    return TalleyrandError(code, field=name, value=str(value)[:40])


def _unknown(name: str, field: str, known: Iterable[str]) -> TalleyrandError:
    return TalleyrandError(
        "power_unknown", field=f"politics.{field}", power=name[:40], known=", ".join(known)
    )
