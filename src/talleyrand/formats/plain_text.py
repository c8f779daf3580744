"""A position with its orders, or a whole game, as a person types it.

variante : classic              settings, in French or English, all optional
livre : anjou_feu

Positions                       sections, optional: without them the variant's first position
France : A Par, A Mar, F Bre
Centres
France : Par, Mar, Bre
Délogées
Turquie : A Bul par Rou

Printemps 1901                  the phase; several make a game
France
A Par - Bou; A Mar - Esp
F Bre - AtM
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from talleyrand import notation
from talleyrand.engine.position import Phase
from talleyrand.notation import folded_words
from talleyrand.variants import Variant

from .json_checks import InvalidQuestion, Json, clip_json
from .phase_heading_parser import read_phase_heading, read_relative_heading
from .position_json import write_position
from .question_input import read_naming, read_variant

_LONGEST = 40
_BY = re.compile(r"\s+(?:par|by)\s+", re.IGNORECASE)
_CONVOYED = re.compile(r"\s*\(?\s*(?:par|by)\s+(?:convoi|convoy)\s*\)?\s*$", re.IGNORECASE)


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    """The field that each of its words stands for, from the words of each field."""
    return {word: name for name, listed in words.items() for word in listed.split(", ")}


_SETTINGS = _by_word(
    {
        "variant": "variante, variant",
        "rulebook": "livre, reglement, regles, rulebook, rules",
        "phase": "phase",
        "naming": "abreviations, naming",
        "seed": "graine, seed",
        "absent": "absents, absent",
        "torn": "arrachees, torn",
        "disorder": "desordre, disorder",
        "kept_builds": "constructions gardees, kept builds",
        "passive": "eliminees, eliminated, passive",
        "first_year": "premiere annee, first year",
        "centres_to_win": "centres pour gagner, centres to win",
        "contested": "contestees, contested",
    }
)
_SECTIONS = _by_word(
    {
        "units": "positions, position, unites, units",
        "centers": "centres, centers",
        "centers_before": "centres avant, centres before, centers before",
        "dislodged": "delogees, unites delogees, dislodged",
        "orders": "ordres, orders",
    }
)


@dataclass
class PhaseText:
    """The lines under one heading: orders, power by power, not yet read."""

    phase: Phase | None
    lines: list[str] = field(default_factory=list)
    split: dict[str | None, list[str]] | None = None

    def sheets(self, variant: Variant) -> tuple[dict[str, list[str]], list[str]]:
        """Power → lines, and the lines that stand under no power's name."""
        if self.split is None:
            self.split = notation.split_sheet("\n".join(self.lines), variant)
        split = self.split
        loose = [line for line in split.get(None, []) if line.strip()]
        return {power: lines for power, lines in split.items() if power is not None}, loose


@dataclass
class GameText:
    """What a text says: its settings and position as fields of a question, and its orders."""

    variant: Variant
    fields: dict[str, Json]
    phase_texts: list[PhaseText]

    @property
    def lines_without_power(self) -> list[str]:
        """Lines under no power's name."""
        return [line for chapter in self.phase_texts for line in chapter.sheets(self.variant)[1]]

    def question(self) -> dict[str, Json]:
        """The text as one question; the first position of the variant where it gives none."""
        start = write_position(self.variant.definition.start, self.variant.board)
        orders: dict[str, list[str]] = {}
        phases = [str(chapter.phase) for chapter in self.phase_texts if chapter.phase]
        for chapter in self.phase_texts:
            orders |= chapter.sheets(self.variant)[0]
        asked = self.fields if "units" in self.fields else start | self.fields
        phase = {"phase": phases[0]} if phases else {}
        return {"phase": start["phase"]} | asked | phase | {"orders": orders}


def read_game_text(text: str, variant: Variant | None = None) -> GameText:
    """Read a text; raises TalleyrandError with the line at fault."""
    return _GameTextReader(text.lstrip("\ufeff").splitlines()).read(variant)


class _GameTextReader:
    """Goes through the lines of a text once."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.fields: dict[str, Json] = {}
        self.chapters: list[PhaseText] = []
        self.section = "orders"
        self.power: str | None = None

    def read(self, variant: Variant | None) -> GameText:
        self.variant = variant or read_variant(self._setting("variant"))
        self.naming = read_naming(self._setting("naming"), self.variant)
        for number, line in enumerate(self.lines, 1):
            if line.strip() and not line.lstrip().startswith("//"):
                self._line(line.strip(), number)
        return GameText(self.variant, self.fields, self.chapters)

    def _setting(self, name: str) -> str | None:
        for line in self.lines:
            key, colon, value = line.partition(":")
            if colon and len(key) <= _LONGEST and _SETTINGS.get(" ".join(folded_words(key))) == name:
                return value.strip()
        return None

    def _line(self, line: str, number: int) -> None:
        key, colon, value = line.partition(":")
        title = " ".join(folded_words(key)) if len(key) <= _LONGEST else ""
        phase = self._phase(line)
        if phase is not None:
            self._open(phase)
        elif title in _SECTIONS and not value.strip():
            self.section, self.power = _SECTIONS[title], None
            if self.section != "orders":
                self.fields.setdefault(self.section, {})
        elif colon and title in _SETTINGS:
            self._set(_SETTINGS[title], value.strip(), number)
        elif self.section == "orders":
            self._order(line)
        else:
            self._entry(line, number)

    def _phase(self, line: str) -> Phase | None:
        last = self.chapters[-1].phase if self.chapters else None
        phase = read_phase_heading(line, self.variant)
        return phase or (read_relative_heading(line, self.variant, last) if last else None)

    def _open(self, phase: Phase) -> None:
        self.section = "orders"
        self.chapters.append(PhaseText(phase))

    def _order(self, line: str) -> None:
        if not self.chapters:
            self.chapters.append(PhaseText(None))
        self.chapters[-1].lines.append(line)

    def _set(self, name: str, value: str, number: int) -> None:
        if name in ("absent", "torn", "disorder", "passive"):
            self.fields[name] = [self._power(word, number) for word in _listed(value)]
        elif name == "kept_builds":
            self.fields[name] = dict(self._right(word, number) for word in _listed(value))
        elif name in ("first_year", "centres_to_win"):
            self.fields[name] = int(value) if value.isdecimal() and len(value) < 6 else value
        elif name == "contested":
            self.fields[name] = [self._place(word, number).partition("/")[0] for word in _listed(value)]
        elif name == "phase":
            phase = read_phase_heading(value, self.variant)
            self.fields[name] = value if phase is None else str(phase)
        else:
            self.fields[name] = value

    def _entry(self, line: str, number: int) -> None:
        """`France : A Par, F Bre`, or a power alone, or more of the same power."""
        head, colon, rest = line.partition(":")
        power = notation.find_power(head, self.variant)
        if power is not None:
            self.power = power
            line = rest if colon else ""
        if self.power is None:
            raise InvalidQuestion("text_line", line=str(number), text=clip_json(head))
        table = self.fields[self.section]
        assert isinstance(table, dict)
        table.setdefault(self.power, []).extend(self._item(item, number) for item in _listed(line))

    def _item(self, item: str, number: int) -> Json:
        if self.section in ("centers", "centers_before"):
            return self._place(item, number).partition("/")[0]
        if self.section == "units":
            return self._unit(item, number)
        convoyed = bool(_CONVOYED.search(item))
        unit, *by = _BY.split(_CONVOYED.sub("", item), maxsplit=1)
        if not by:
            raise InvalidQuestion("text_line", line=str(number), text=clip_json(item))
        origin = self._place(by[0], number).partition("/")[0]
        return {"unit": self._unit(unit, number), "by": origin, "convoyed": convoyed}

    def _right(self, item: str, number: int) -> tuple[str, int]:
        """`France 2`: a power and its rights to build."""
        name, _, right = item.rpartition(" ")
        if not right.isdecimal() or len(right) > _LONGEST:
            raise InvalidQuestion("text_line", line=str(number), text=clip_json(item))
        return self._power(name, number), int(right)

    # names

    def _power(self, word: str, number: int) -> str:
        power = notation.find_power(word, self.variant)
        if power is None:
            raise InvalidQuestion("text_line", line=str(number), text=clip_json(word))
        return power

    def _place(self, text: str, number: int) -> str:
        return _only_match(notation.find_places(text, self.variant, self.naming), text, number)

    def _unit(self, text: str, number: int) -> str:
        units = notation.find_units(text, self.variant, self.naming)
        if units is None:
            raise InvalidQuestion("text_line", line=str(number), text=clip_json(text))
        place = _only_match([unit.location for unit in units], text, number)
        return f"{units[0].kind} {place}"


def _only_match(found: Sequence[str], text: str, number: int) -> str:
    if len(found) == 1:
        return found[0]
    facts = {"line": str(number), "text": clip_json(text)}
    if not found:
        raise InvalidQuestion("text_place", **facts)
    raise InvalidQuestion("text_place_ambiguous", candidates=", ".join(found), **facts)


def _listed(line: str) -> list[str]:
    return [item.strip() for item in re.split(r"[,;]", line) if item.strip()]
