"""The last published phase as it would be with another order: judged anew, and nothing changed yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from talleyrand import variants
from talleyrand.web.boards import adjudicator, display_names
from talleyrand.web.boards.adjudicator import Answer, Question, QuestionRefusal
from talleyrand.web.games import secret_votes
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, Json, PhaseRevision

from .action_base import GameMasterRefusal, last_published_revision

FOREIGN = "foreign_unit"
BUILD = " B"  # so ends an order to build


@dataclass(frozen=True)
class CorrectedOrder:
    """The phase published last, `before`, as it is judged with another order."""

    before: PhaseRevision
    question: Question
    order_lines: dict[str, list[str]]
    powers_without_orders: list[str]
    answer: Answer

    @cached_property
    def next_situation(self) -> Json | None:
        """The situation of the next phase; None where the game is over."""
        return adjudicator.situation_after(self.question, self.answer)

    @property
    def digest(self) -> str:
        return secret_votes.phase_digest(self.question, self.order_lines, self.powers_without_orders)

    def changed_results(self) -> Iterator[tuple[Json, list[str]]]:
        """Each entry of the answer whose results were others, with those that it had."""
        known = {_unit(one): list(one["results"]) for one in (self.before.answer or {})["orders"]}
        for entry in self.answer["orders"]:
            if entry["unit"] and known.get(_unit(entry), []) != list(entry["results"]):
                yield entry, known.get(_unit(entry), [])


def corrected_order(game: Game, line: str) -> CorrectedOrder:
    """Judge the phase published last with an order in place of what its unit was ordered.

    Raises GameMasterRefusal: not_begun, unpublished (nothing was judged), secret (some of what was judged
    is), same (it was the order already), no_order; QuestionRefusal for an order that cannot be.
    """
    before = last_published_revision(game)
    if before is None:
        raise GameMasterRefusal("not_begun")
    question = GameHistory(game).question(before.phase_number)
    if before.answer is None or question is None:
        raise GameMasterRefusal("unpublished")
    if before.secret_part is not None:
        raise GameMasterRefusal("secret")
    entry = _read_correction(game, question, line)
    power, orders = entry["power"], before.answer["orders"]
    if any(one["order"] == entry["order"] for one in orders if _unit(one) == _unit(entry)):
        raise GameMasterRefusal("same")
    kept = [
        one["order"] or one["line"]
        for one in orders
        if one["power"] == power and one["line"] is not None and not _gives_way(one, entry)
    ]
    lines = {**before.order_lines, power: [*kept, entry["order"]]}
    absent = [one for one in before.powers_without_orders if one != power]
    asked = {name: value for name, value in question.items() if name != "absent"}
    asked |= {"absent": absent} if absent else {}
    answer = adjudicator.adjudicate(asked, lines, apart=True)
    return CorrectedOrder(before, asked, lines, absent, answer)


def _unit(entry: Json) -> tuple[str, str]:
    return entry["power"], entry["unit"] or ""


def _gives_way(one: Json, to: Json) -> bool:
    """Whether an order is not kept beside another: for the same unit, or to build in the same place."""
    if not (one["order"] or "").endswith(BUILD) or not to["order"].endswith(BUILD):
        return bool(one["unit"] == to["unit"])
    place, other = (entry["unit"][2:].partition("/")[0] for entry in (one, to))
    return bool(place == other)


def _read_correction(game: Game, question: Question, line: str) -> Json:
    """The order that a line is, of whichever power it may be. Raises QuestionRefusal."""
    entries = [
        entry
        for power in variants.load(game.variant).board.powers
        for entry in adjudicator.read_orders(question, {power: [line]}, apart=True)
        if entry["line"] is not None
    ]
    for entry in entries:
        if entry["order"] and entry["unit"] and not entry["error"]:
            return entry
    wrong = [one["error"] for one in entries if one["error"]]
    own = [one for one in wrong if one["kind"] != FOREIGN]
    if not wrong:
        raise GameMasterRefusal("no_order")
    raise QuestionRefusal((own or wrong)[0]["message"][display_names.reader_language()])
