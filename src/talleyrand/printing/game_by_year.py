"""A game told year by year: what the pages of its history are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from talleyrand import drawing, messages, notation
from talleyrand.engine.orders import PoliticalOrder
from talleyrand.engine.position import Phase, Position
from talleyrand.formats.game_record import GameRecord, ReplayedPhase, replay
from talleyrand.variants import Variant

CentresByPower = Mapping[str, Sequence[str]]
PRINT_STYLE = drawing.MapStyle(patterns=True)  # printers do not tell all colours apart


@dataclass(frozen=True)
class HistoryLine:
    """An order, or a unit without one, with what became of it; `refused` as it was written."""

    text: str
    results: tuple[str, ...]
    refused: bool = False


@dataclass(frozen=True)
class HistoryPhase:
    """One phase that was played."""

    played: ReplayedPhase

    @property
    def phase(self) -> Phase:
        return self.played.position.phase

    @property
    def variant(self) -> Variant:
        return self.played.judged.question.variant

    @property
    def moves(self) -> bool:
        """Whether units were sent across the board: such a phase has its map."""
        return self.phase.kind == "M"

    @property
    def centres(self) -> CentresByPower | None:
        """Whose centres are whose after the phase."""
        return self.played.judged.turn.outcome.position_after.centres

    @property
    def reason(self) -> str:
        """Why the game master decided something else than the adjudicator; "" where nothing else counts."""
        return self.played.corrected.reason if self.played.corrected else ""

    def svg(self, language: str) -> str:
        outcome = self.played.judged.turn.outcome
        drawn = drawing.draw_board(
            self.variant,
            self.played.position,
            verdicts=outcome.verdicts,
            contested=outcome.position_after.contested,
            language=language,
            caption=False,
        )
        return drawing.apply_style(drawn, PRINT_STYLE)

    def lines_by_power(self, language: str) -> dict[str, list[HistoryLine]]:
        """The orders of each power that had any, in the variant's order."""
        found: dict[str, list[HistoryLine]] = {}
        for entry in self.played.entries():
            found.setdefault(str(entry["power"]), []).append(_line(entry, self.variant, language))
        return {power: found[power] for power in self.variant.board.seats if power in found}


def _line(entry: Mapping[str, object], variant: Variant, language: str) -> HistoryLine:
    order, results = entry["order"], entry["results"]
    assert isinstance(results, list)
    refused = entry["error"] is not None and entry["line"] is not None
    if refused:
        return HistoryLine(str(entry["line"]), tuple(map(str, results)), refused=True)
    if order:
        given = notation.parse_order(str(order), variant)
        if isinstance(given, PoliticalOrder):  # no short form tells what a vote or a programme is about
            written = notation.describe_order(given, variant, language)
        else:
            written = notation.write_order(given, variant, language, "short")
        return HistoryLine(written, tuple(map(str, results)))
    named = messages.unit_name(entry["unit"], variant, language, "short") if entry["unit"] else ""
    return HistoryLine(named, tuple(map(str, results)))


@dataclass(frozen=True)
class HistoryYear:
    """The phases of a year and the centres at its end, beside those it began with."""

    number: int
    stages: tuple[HistoryPhase, ...]
    before: CentresByPower | None

    @property
    def shown(self) -> tuple[HistoryPhase, ...]:
        """The phases that have a map: movements, or the last phase of a year without any."""
        return tuple(stage for stage in self.stages if stage.moves) or self.stages[-1:]

    @property
    def centres(self) -> CentresByPower | None:
        return self.stages[-1].centres


@dataclass(frozen=True)
class PrintedHistory:
    """A whole game. `title` is what people call it, "" for none."""

    record: GameRecord
    years: tuple[HistoryYear, ...]
    reached: Position
    over: bool
    winners: tuple[str, ...] = ()
    title: str = ""

    @property
    def variant(self) -> Variant:
        return self.record.variant

    @cached_property
    def counts(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """The centres of each power at the start and at the end of each year that tells them."""
        at_first = (("", _count(self.record.start.centres)),) if self.record.start.centres else ()
        told = ((str(year.number), _count(year.centres)) for year in self.years if year.centres is not None)
        return (*at_first, *told)

    def last_svg(self, language: str) -> str:
        """Where the game stands."""
        drawn = drawing.draw_board(self.variant, self.reached, language=language, caption=False)
        return drawing.apply_style(drawn, PRINT_STYLE)


def _count(centres: CentresByPower | None) -> dict[str, int]:
    return {power: len(codes) for power, codes in (centres or {}).items()}


def build_printed_history(record: GameRecord, title: str = "") -> PrintedHistory:
    """Replay a game for its history; raises TalleyrandError."""
    stages = [HistoryPhase(played) for played in replay(record)]
    if not stages:
        return PrintedHistory(record, (), record.start, over=False, title=title)
    last = stages[-1].played.judged.turn
    years = tuple(_years(stages, record.start.centres))
    after = last.outcome.position_after if last.next_position is None else last.next_position
    return PrintedHistory(record, years, after, last.next_position is None, tuple(last.winner), title)


def _years(stages: Iterable[HistoryPhase], begun: CentresByPower | None) -> Iterable[HistoryYear]:
    before = begun
    for number, found in groupby(stages, key=lambda stage: stage.phase.year):
        year = HistoryYear(number, tuple(found), before)
        yield year
        before = year.centres
