"""Known paradoxes on other parts of the board, joined, changed and disturbed, drawn by a seed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Move, Support
from tests.oracle.scenes import Crowd, Scene

_LINE = re.compile(r"(\d) ([AFU]) (\w)(?: - (\w)(?: by ([\w ,]+))?| S (\w))?")
STEPS = 60


class Line(NamedTuple):
    """One unit of a pattern: whose, of which kind, where; whom it attacks by which seas, or supports."""

    side: int
    kind: str
    at: str
    goal: str | None
    ways: tuple[tuple[str, ...], ...]
    helped: str | None

    @classmethod
    def parse(cls, text: str) -> Line:
        match = _LINE.fullmatch(text)
        assert match, text
        side, kind, at, goal, ways, helped = match.groups()
        chains = tuple(tuple(way.split()) for way in (ways or "").split(",") if way.strip())
        return cls(int(side), kind, at, goal, chains, helped)


class Pattern(NamedTuple):
    """A paradox with letters for provinces."""

    lines: tuple[Line, ...]

    @classmethod
    def parse(cls, lines: list[str]) -> Pattern:
        return cls(tuple(map(Line.parse, lines)))

    def touching(self) -> list[tuple[str, str]]:
        """The letters whose provinces must touch."""
        goals = {line.at: line.goal for line in self.lines}
        pairs: list[tuple[str, str]] = []
        for line in self.lines:
            for way in line.ways:
                stops = (line.at, *way, line.goal or "")
                pairs += pairwise(stops)
            if line.goal and not line.ways:
                pairs.append((line.at, line.goal))
            if line.helped:
                pairs.append((line.at, goals.get(line.helped) or line.helped))
        return pairs

    def kinds(self) -> dict[str, set[str]]:
        """For each letter the kinds of unit that must be able to stand there."""
        kinds = {letter: set[str]() for pair in self.touching() for letter in pair}
        for line in self.lines:
            kinds[line.at] |= {line.kind} - {"U"}
            if line.goal:
                kinds[line.goal].add(line.kind)
        return kinds

    def seas(self) -> set[str]:
        """The letters of seas."""
        return {sea for line in self.lines for way in line.ways for sea in way}


PATTERNS = tuple(
    Pattern.parse(entry["lines"])
    for entry in tomllib.loads((Path(__file__).parent / "patterns.toml").read_text("utf-8"))["pattern"]
)


def draw_patterns(random: Random, board: Board) -> Crowd:
    """One or two paradoxes side by side, sharing what they happen to share, with others round them."""
    scene = _Paradoxes(random, board)
    here = random.choice(sorted(filter(board.is_sea, board.provinces)))
    wanted, tries = random.choice((1, 1, 1, 2)), 0
    while wanted and tries < 6:
        tries += 1
        wanted -= scene.embed(random.choice(PATTERNS), here)
    for _ in range(random.choice((0, 0, 0, 1, 2, 4))):
        scene.meddle()
    for _ in range(random.choice((0, 0, 0, 1, 2))):
        scene.change()
    return scene.crowd()


class _Paradoxes(Scene):
    def embed(self, pattern: Pattern, here: str) -> bool:
        """Put a pattern on the board, its first sea close to a province; tell whether there was room."""
        self.left, self.pairs = STEPS, pattern.touching()
        self.kinds, self.seas = pattern.kinds(), pattern.seas()
        places = self._bind(_in_order(pattern, self.pairs), {}, here)
        if places is not None:
            self._enact(pattern, places)
        return places is not None

    def _bind(self, letters: list[str], places: dict[str, str], here: str) -> dict[str, str] | None:
        """A province for each letter so that all that must touch does."""
        if not letters:
            return places
        letter, *rest = letters
        for code in self._candidates(letter, places, here):
            self.left -= 1
            bound = self._bind(rest, {**places, letter: code}, here)
            if bound is not None or self.left < 0:
                return bound
        return None

    def _candidates(self, letter: str, places: dict[str, str], here: str) -> list[str]:
        """The provinces where the units of a letter can stand, next to those it must touch."""
        links = self.board.neighbours
        others = [b if a == letter else a for a, b in self.pairs if letter in (a, b)]
        near = [links[places[other]] for other in others if other in places]
        start = {here} | links[here] | {far for code in links[here] for far in links[code]}
        fit = set(near[0]).intersection(*near) if near else start
        codes = [code for code in sorted(fit - {*places.values()}) if self._holds(letter, code)]
        return self.random.sample(codes, len(codes))

    def _holds(self, letter: str, code: str) -> bool:
        if letter in self.seas and not self.board.is_sea(code):
            return False
        if code in self.units and self.random.random() < 0.6:
            return False
        return all(self.standing[kind, code] for kind in self.kinds[letter])

    def _enact(self, pattern: Pattern, places: dict[str, str]) -> None:
        for line in sorted(pattern.lines, key=lambda line: line.goal is None):
            self._place_line(line, places)
        for line in pattern.lines:
            if line.helped:
                self._support(places[line.at], places[line.helped])

    def _place_line(self, line: Line, places: dict[str, str]) -> None:
        kind = self.random.choice("AF") if line.kind == "U" else line.kind
        unit = self.place(places[line.at], kind, line.side)
        if unit is None or line.goal is None:
            return
        goal = places[line.goal]
        self.orders[unit.province] = Move(unit.name, self.landing(unit, goal), via=self.random.random() < 0.4)
        for way in line.ways:
            for sea in way:
                self._carry(places[sea], line.side, self.orders[unit.province])

    def _carry(self, sea: str, side: int, move: object) -> None:
        fleet = self.place(sea, "F", side)
        if fleet and isinstance(move, Move):
            self.orders[sea] = Convoy(fleet.name, move.unit, province_of(move.to))

    def _support(self, at: str, helped: str) -> None:
        unit, target = self.units.get(at), self.units.get(helped)
        if unit and target and at not in self.orders:
            move = self.orders.get(helped)
            to = move.to if isinstance(move, Move) else None
            self.orders[at] = Support(unit.name, target.name, to)

    def change(self) -> None:
        """One thing otherwise: an order missing, a support the other way round, a unit of another power."""
        at = self.random.choice(sorted(self.units) or [""])
        unit, order = self.units.get(at), self.orders.get(at)
        if unit is None:
            return
        chance = self.random.random()
        if chance < 0.35:
            self.units[at] = unit._replace(power=self.random.choice(self.powers))
        elif isinstance(order, Support) and chance < 0.8:
            self.orders[at] = self._turned(order)
        else:
            self.orders.pop(at, None)

    def _turned(self, order: Support) -> Support:
        """Help for an attack where the order helped a unit that stays, and the reverse."""
        goal = province_of(order.to) if order.to else order.target.province
        if order.to and goal in self.units:
            return Support(order.unit, self.units[goal].name)
        moves = [move for move in self._moves() if province_of(move.to) == goal]
        chosen = self.random.choice(moves) if moves else None
        return Support(order.unit, chosen.unit, chosen.to) if chosen else order

    def _moves(self) -> Iterator[Move]:
        return (order for order in self.orders.values() if isinstance(order, Move))


def _in_order(pattern: Pattern, pairs: list[tuple[str, str]]) -> list[str]:
    """The letters, each but the first touching an earlier one where any does; seas first."""
    letters = dict.fromkeys(sea for line in pattern.lines for way in line.ways for sea in way)
    letters |= dict.fromkeys(letter for pair in pairs for letter in pair)
    ordered, rest = [], list(letters)
    while rest:
        touched = {b if a in ordered else a for a, b in pairs if (a in ordered) != (b in ordered)}
        best = next((letter for letter in rest if letter in touched), rest[0])
        ordered.append(best)
        rest.remove(best)
    return ordered
