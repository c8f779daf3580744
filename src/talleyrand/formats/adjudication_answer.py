"""What became of a question, in the form of the contract.

Adjustments that will not be made are known as soon as the lines are read: why, and what could be built.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import ClassVar

from talleyrand import messages, rulebooks
from talleyrand.engine.adjustments import AdjustmentCount
from talleyrand.engine.counterfactuals import PhaseReasons, VerdictReason, reason_from_cause
from talleyrand.engine.errors import OrderNotAllowed, OrderRefusal
from talleyrand.engine.game import MovementRules, ResolvedPhase
from talleyrand.engine.orders import Build, Convoy, Disband, Order, Support, Waive
from talleyrand.engine.outcome import AdjudicationNote, Cause, CauseCode, OrderResult, RandomDraw, Verdict
from talleyrand.engine.position import Unit, UnitName
from talleyrand.engine.reduced_phase import CompiledRemovals
from talleyrand.engine.step_budget import StepBudget
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES, Variant

from . import position_json
from .answer_errors import FORMATS_SENTENCES, Languages, note_json
from .json_checks import Json, clip_json
from .order_settlement import ReceivedLine, SheetNote
from .question_input import Question
from .received_orders import ReceivedOrders
from .ruling_notes import ruling_notes

MAX_BUILDS_SHOWN = 12
_UNMADE = frozenset((OrderResult.BUILD_VOID, OrderResult.BUILD_IGNORED, OrderResult.REMOVAL_IGNORED))
_SURPLUS = frozenset((CauseCode.SURPLUS, CauseCode.BALANCE_NOT_POSITIVE, CauseCode.BALANCE_NOT_NEGATIVE))


@dataclass(frozen=True)
class UnmadeAdjustments:
    """The adjustments of a question as judged."""

    question: Question
    turn: ResolvedPhase
    languages: Languages = LANGUAGES

    def error(self, verdict: Verdict) -> dict[str, Json] | None:
        """The error of a line whose build or removal will not be made.

        A removal written twice is one; a power that has nothing to build may say that it builds nothing.
        """
        if verdict.cause.code is CauseCode.ALREADY_REMOVED:
            return None
        if isinstance(verdict.order, Waive) and self._due(verdict.power) <= 0:
            return None
        asked, builds = self.question, tuple(self._possible(verdict))
        kind = "surplus" if verdict.cause.code in _SURPLUS else "illegal"
        said = {
            language: messages.unmade_adjustment_sentence(
                verdict, asked.variant, language, asked.rulebook, builds
            )
            for language in self.languages
        }
        return _error(kind, said)

    def _due(self, power: str) -> int:
        asked = self.question
        owed = asked.variant.definition.adjustment_counts(
            asked.position, asked.rulebook.adjudication_rules
        ).get(power)
        return owed.builds if owed else 0

    def _possible(self, verdict: Verdict) -> Iterator[str]:
        """The units that the power could build instead, beside those that it builds."""
        asked, power = self.question, verdict.power
        rules, board = asked.variant.definition.rules_for(asked.position.phase), asked.variant.board
        built = {
            one.unit.province
            for one in self.turn.outcome.verdicts
            if one.power == power and OrderResult.BUILDS in one.results
        }
        if not isinstance(verdict.order, Build) or len(built) >= self._due(power):
            return
        options = rules.legal_orders(board, asked.position, power, asked.rulebook.adjudication_rules)
        units = [one.unit for one in options if isinstance(one, Build) and one.unit.province not in built]
        yield from map(str, units[:MAX_BUILDS_SHOWN])


AnswerFields = dict[str, Json]
REASONS_EFFORT = 45_000
"""For the reasons of an answer: five times the usual for 34 units, and their very worst."""
ENTRY_STEPS = 15  # to judge a unit or a line, and to tell it
# Refusals that say nothing against the order itself.
_NOT_ILLEGAL = frozenset(("multiple_orders", "superseded", "surplus", "conditional"))
_OF_ANY_BOARD = frozenset(CauseCode)
_VOID: Mapping[type, str] = {Support: "support_void", Convoy: "convoy_void"}
_DECIDED_BY = {"multiple_orders": "multiple_legal_orders", "bare_form": "bare_support_competition"}


@dataclass(frozen=True)
class AdjudicatedQuestion:
    """A question, its lines as read, and the turn they made.

    Unless `with_reasons`, an answer names what met each order, without asking what would have been enough. It
    says so where that would have taken more `effort` than there was. It has its sentences in `languages`. A
    process that has compiled code at hand sets `compiled_removals`: reasons come sooner, and are the same.
    """

    compiled_removals: ClassVar[CompiledRemovals | None] = None

    question: Question
    reading: ReceivedOrders
    turn: ResolvedPhase
    with_reasons: bool = True
    effort: StepBudget = field(default_factory=lambda: StepBudget(REASONS_EFFORT), compare=False)
    languages: Languages = LANGUAGES
    _sources: dict[tuple[str, str | None], str] = field(default_factory=dict, init=False, compare=False)

    @property
    def steps(self) -> int:
        """The effort of reading and judging this once more, and of telling it without reasons."""
        return self.reading.steps + ENTRY_STEPS * (
            len(self.question.position.units) + len(self.reading.entries)
        )

    def answer(self) -> AnswerFields:
        """All fields of an answer but `id`."""
        outcome, board = self.turn.outcome, self.question.variant.board
        after = outcome.position_after
        following = self.turn.next_position
        return {
            "phase": str(self.question.position.phase),
            "next": None if following is None else str(following.phase),
            "orders": self.entries(),
            "units": position_json.write_units(after.units, board),
            "dislodged": position_json.write_dislodged(after.dislodged, board),
            "contested": sorted(after.contested),
            **self._ownership(),
            **self._standing(),
            **self._politics(),
            "chance": [_drawn(lot) for lot in outcome.random_draws],
            "notes": [*self.notes(), *self._unsettled(), *self._cut()],
        }

    def _ownership(self) -> AnswerFields:
        after = self.turn.outcome.position_after
        if after.centres is None:
            return {}
        fields: AnswerFields = {
            "centers": position_json.write_centres(after.centres, self.question.variant.board)
        }
        if self.turn.adjustment_counts is not None:
            fields["adjustments"] = {
                power: self._due(due) for power, due in self.turn.adjustment_counts.items()
            }
        return fields | {"eliminated": list(self.turn.eliminated), "winner": list(self.turn.winner)}

    def _due(self, due: AdjustmentCount) -> AnswerFields:
        """A balance; where a power may have to remove and to build at once, the removals too."""
        gross = self.question.rulebook.adjudication_rules.adjust_balance == "gross"
        fields: AnswerFields = {"balance": due.balance, "possible": due.possible}
        return fields | ({"removals": due.removals} if gross else {})

    def _standing(self) -> AnswerFields:
        """What the next question has to repeat, under the books that need it; homes that were named."""
        following, known = self.turn.next_position, self.question.position.homes
        if following is None:
            return {}
        named = {} if following.homes == known else {"homes": position_json.write_homes(following.homes)}
        return named | position_json.write_carried_over(following, self.question.variant.board)

    def _politics(self) -> AnswerFields:
        """What a variant's own rules remember, as it stands for the next phase."""
        rules, following = self.question.variant.definition.politics, self.turn.next_position
        if rules is None:
            return {}
        position = following or self.turn.outcome.position_after
        kept = rules.write_state(self.question.variant.board, position)
        return {"politics": {**kept, **self.turn.outcome.findings}}

    @cached_property
    def reasons(self) -> PhaseReasons | None:
        """The reasons of a movement phase."""
        question, judge = self.question, self.question.rulebook.adjudication_rules
        setting, position = question.variant.definition, question.position
        outcome, rules, board = self.turn.outcome, setting.rules_for(position.phase), setting.board
        if not self.with_reasons or not (isinstance(rules, MovementRules) or outcome.plain_movement):
            return None
        if isinstance(rules, MovementRules):
            board = rules.board_in(board, position.phase)
        led = replace(position, powers_in_disorder=position.powers_in_disorder - {*setting.scripted_powers})
        led, orders = outcome.plain_movement or (led, self._followed())
        verdicts = [verdict for verdict in outcome.verdicts if verdict.cause.code in _OF_ANY_BOARD]
        compiled = type(self).compiled_removals
        return PhaseReasons(board, led, orders, judge, verdicts, self.effort, compiled)

    def _followed(self) -> dict[str, list[Order]]:
        """The orders received; of a power that plays by a script, those of the script."""
        followed = self.reading.orders()
        for power in self.question.variant.definition.scripted_powers:
            own = (one.order for one in self.turn.outcome.verdicts if one.power == power)
            followed[power] = [order for order in own if not isinstance(order, Build | Disband | None)]
        return followed

    # orders

    def entries(self) -> list[AnswerFields]:
        """One entry per line received, then one per unit left without an accepted line."""
        refusals = self._refusals
        matched, rest = self._matched()
        listed = []
        for place, entry in enumerate(self.reading.entries):
            verdict, refusal = matched.get(place), refusals.get(place)
            fields = self._received(entry, verdict, refusal or self._coast_wanted(verdict))
            fields |= self._verdict_fields(verdict) if verdict else self._untold(refusal, entry.line.order)
            listed.append(fields)
        return listed + [self._alone(verdict) for verdict in rest]

    def entries_before_adjudication(self) -> list[AnswerFields]:
        """The entries as far as they are known before anything is judged: what became of them is left out."""
        refusals = self._refusals
        matched, rest = self._matched()
        lines = []
        for place, entry in enumerate(self.reading.entries):
            verdict = matched.get(place)
            refusal = refusals.get(place) or self._coast_wanted(verdict)
            fields = self._received(entry, verdict, refusal)
            awaited = self._awaited(verdict) if verdict and not refusal else None
            if awaited:
                notes = [self._note(note) for note in (*entry.line.notes, awaited)]
                fields |= {"error": None, "notes": notes}
            lines.append(fields)
        return lines + [_unwritten(verdict) for verdict in rest]

    @cached_property
    def _refusals(self) -> Mapping[int, OrderRefusal]:
        """Why lines do not count, by their places."""
        return self.reading.refusals(self.turn.outcome.refused)

    def _coast_wanted(self, verdict: Verdict | None) -> OrderRefusal | None:
        """A fleet cannot be built where the coast is not said: the line lacks something."""
        if verdict is None or verdict.cause.code is not CauseCode.COAST_MISSING:
            return None
        places = self.question.variant.board.standable_locations(verdict.unit.kind, verdict.unit.province)
        return OrderNotAllowed("coast_missing", places=(verdict.unit.province,), candidates=tuple(places))

    @cached_property
    def _unmade(self) -> UnmadeAdjustments:
        return UnmadeAdjustments(self.question, self.turn, self.languages)

    def _received(
        self, entry: ReceivedLine, verdict: Verdict | None, refusal: OrderRefusal | None
    ) -> AnswerFields:
        """What an entry says before anything is judged."""
        line, error = entry.line, None
        order = verdict.order if verdict else line.order
        if refusal:
            error = self._error(refusal)
        elif verdict and not _UNMADE.isdisjoint(verdict.results):
            error = self._unmade.error(verdict)
        return {
            "power": entry.power,
            "line": entry.text_received,
            "line_no": entry.number,
            "sheet": entry.sheet,
            "unit": self._unit(order.unit if order else line.unit),
            "order": str(order) if order else None,
            "error": error,
            "notes": [self._note(note) for note in line.notes] if line.notes else [],
        }

    def _awaited(self, verdict: Verdict) -> AdjudicationNote | None:
        """What another has to write for an order to be done; their sheet may still come."""
        asked = self.question
        rules = asked.variant.definition.politics
        return rules.awaited_permission(asked.variant.board, asked.position, verdict) if rules else None

    def _matched(self) -> tuple[dict[int, Verdict], list[Verdict]]:
        """The verdict of each line that counts, by its place, and the verdicts of no line.

        The same order written twice shares its verdict.
        """
        verdicts, refusals = self.turn.outcome.verdicts, self._refusals
        own = {(verdict.power, verdict.number): verdict for verdict in verdicts}
        matched: dict[int, Verdict] = {}
        for place, entry in enumerate(self.reading.entries):
            if entry.order_number is None or place in refusals:
                continue
            verdict = own.get((entry.power, entry.order_number))
            if verdict is None and entry.line.order and entry.line.order.unit:
                verdict = self._shared.get((entry.power, entry.line.order.unit.province))
            if verdict is not None:
                matched[place] = verdict
        told = {id(verdict) for verdict in matched.values()}
        return matched, [verdict for verdict in verdicts if id(verdict) not in told]

    @cached_property
    def _shared(self) -> dict[tuple[str, str], Verdict]:
        """The verdict of each unit that had an order, by power and province."""
        verdicts = self.turn.outcome.verdicts
        return {(one.power, one.unit.province): one for one in verdicts if one.order is not None}

    def _verdict_fields(self, verdict: Verdict) -> AnswerFields:
        """What became of an order or a unit."""
        reason = self.reasons.reason_for(verdict) if self.reasons else reason_from_cause(verdict)
        _, _, _, results, cause, to, by, route, _ = verdict
        fields: AnswerFields = {
            "results": [*map(str, results)],
            "to": to,
            "by": _names(by),
            "route": route,
            "cause": self._cause(cause, reason),
        }
        if self.languages:
            fields["why"] = self._why(verdict, reason)
        return fields

    def _untold(self, refusal: OrderRefusal | None, order: Order | None) -> AnswerFields:
        """A line that does not count, or that takes no part in this phase."""
        return {
            "results": _results_of(refusal, order),
            "to": None,
            "by": [],
            "route": None,
            "cause": self._cause_of(refusal) if refusal else None,
            **({"why": self._refusal_sentences(refusal) if refusal else None} if self.languages else {}),
        }

    def _alone(self, verdict: Verdict) -> AnswerFields:
        """A unit without an accepted line."""
        return _unwritten(verdict) | self._verdict_fields(self.as_shown_to_player(verdict))

    def as_shown_to_player(self, verdict: Verdict) -> Verdict:
        """A verdict as its player sees it: a unit whose lines are all refused is not without an order."""
        refused = (verdict.power, verdict.unit.province) in self._units_refused
        if verdict.cause.code is CauseCode.NO_ORDER and refused:
            return verdict._replace(cause=Cause(CauseCode.REFUSED))
        return verdict

    @cached_property
    def _units_refused(self) -> frozenset[tuple[str, str]]:
        """Power and province of each unit that a refused line names."""
        entries = [self.reading.entries[place] for place in self._refusals]
        named = [
            (entry.power, entry.line.order.unit if entry.line.order else entry.line.unit) for entry in entries
        ]
        return frozenset((power, unit.province) for power, unit in named if unit)

    def _unit(self, name: UnitName | None) -> str | None:
        """A unit as it stands at the start of the phase: with its coast."""
        if name is None:
            return None
        known = self._standing_units
        return known.get(name) or known.get((name.kind, name.province)) or str(name)

    @cached_property
    def _standing_units(self) -> dict[tuple[str, str], str]:
        """How units stand, by kind and province; by kind and location the same."""
        position = self.question.position
        standing = (*position.units, *(fallen.unit for fallen in position.dislodged))
        found = {(unit.kind, unit.province): str(unit) for unit in standing}
        return {unit[:2]: found[unit.kind, unit.province] for unit in standing} | found

    # causes and sentences

    def _cause(self, cause: Cause, reason: VerdictReason) -> AnswerFields:
        code, units, places, option, *_ = cause
        source = self._sources.get((code, option))
        if source is None:
            source = self._sources[code, option] = messages.rule_source(cause, self.question.rulebook)
        return {
            "code": str(code),
            "units": _names(reason.units),
            "any_of": [_names(units) for units in reason.any_of] if reason.any_of else [],
            "change": reason.change and str(reason.change),
            "concerns": _names(units),
            "places": [*places],
            "option": option,
            "source": source or None,
        }

    def _cause_of(self, refusal: OrderRefusal) -> AnswerFields:
        option, book = _DECIDED_BY.get(refusal.code), self.question.rulebook
        place = book.sources.get(option, "") if option else rulebooks.cite_rule(book.name, refusal.code)
        return {
            "code": refusal.code,
            "units": list(refusal.units),
            "any_of": [],
            "change": None,
            "concerns": list(refusal.units),
            "places": list(refusal.places),
            "option": option,
            "source": place or None,
        }

    def _error(self, refusal: OrderRefusal) -> AnswerFields:
        return _error(refusal.kind, self._refusal_sentences(refusal))

    def _refusal_sentences(self, refusal: OrderRefusal) -> dict[str, str]:
        variant = self.question.variant
        return {language: _refusal_sentence(refusal, variant, language) for language in self.languages}

    def _why(self, verdict: Verdict, reason: VerdictReason) -> dict[str, str]:
        asked, told = self.question, Verdict(*verdict[:-1])
        return {
            **messages.cause_sentences(told, asked.variant, tuple(self.languages), asked.rulebook, reason)
        }

    def _note(self, note: AdjudicationNote | SheetNote) -> dict[str, str]:
        if isinstance(note, SheetNote):
            facts = {name: clip_json(fact) for name, fact in note.facts}
            return note_json(note.kind, self.languages, **facts)
        variant = self.question.variant
        sentences = {language: messages.note_sentence(note, variant, language) for language in self.languages}
        return {"kind": note.kind, **sentences}

    # notes

    def notes(self) -> list[dict[str, str]]:
        """What the game master should look at."""
        languages, unknown = self.languages, self.question.unknown_fields
        strange = [note_json("field_unknown", languages, field=clip_json(name)) for name in unknown]
        sheets = [note_json(note.kind, languages, **dict(note.facts)) for note in self.reading.notes]
        rulings = ruling_notes(self.question, self.turn.outcome.verdicts)
        return [*strange, *sheets, *map(self._note, (*self.turn.outcome.notes, *rulings))]

    def _unsettled(self) -> list[dict[str, str]]:
        """The options that decided something, could have been otherwise, and that the book leaves open."""
        book, known = self.question.rulebook, rulebooks.options()
        decided = dict.fromkeys(filter(None, self._options()))
        open_ = [name for name in decided if name in book.silent_options and len(known[name].values) > 1]
        return [_not_settled(option, book, self.languages) for option in open_]

    def _cut(self) -> list[dict[str, str]]:
        """That not every reason was looked for to the end, once all have been asked for."""
        return (
            [note_json("reasons_cut", self.languages)] if self.reasons and self.reasons.is_incomplete else []
        )

    def _options(self) -> Iterator[str | None]:
        for verdict in self.turn.outcome.verdicts:
            yield verdict.cause.option
        for refusal in self._refusals.values():
            yield _DECIDED_BY.get(refusal.code)


def _unwritten(verdict: Verdict) -> AnswerFields:
    """What an entry says of a unit without an accepted line, before anything is judged."""
    return {
        "power": verdict.power,
        "line": None,
        "line_no": None,
        "sheet": None,
        "unit": str(verdict.unit),
        "order": str(verdict.order) if verdict.order else None,
        "error": None,
        "notes": [],
    }


@lru_cache(maxsize=1024)
def _refusal_sentence(refusal: OrderRefusal, variant: Variant, language: str) -> str:
    """A long sheet of noise is refused in few words."""
    return messages.refusal_sentence(refusal, variant, language)


def _results_of(refusal: OrderRefusal | None, order: Order | None) -> list[str]:
    """An army that no fleet could carry is told that too: it goes by sea, and has no convoy.

    Help that depends on something is no order, and helps nobody.
    """
    if refusal is not None and refusal.kind == "conditional":
        return [_VOID[type(order)]] if type(order) in _VOID else []
    if not isinstance(refusal, OrderNotAllowed) or refusal.kind in _NOT_ILLEGAL:
        return []
    return ["illegal", "convoy_disrupted"] if refusal.code == "no_chain" else ["illegal"]


def _drawn(lot: RandomDraw) -> AnswerFields:
    """A lot with those among whom it was drawn, so that anybody may draw it again."""
    return {"what": lot.purpose, "drawn": lot.drawn, "power": lot.power, "among": list(lot.candidates)}


def _names(units: Iterable[Unit]) -> list[str]:
    return [*map(str, units)]


def _error(kind: str, said: dict[str, str]) -> AnswerFields:
    return {"kind": kind, "message": said} if said else {"kind": kind}


def _not_settled(option: str, book: LoadedRulebook, languages: Languages) -> dict[str, str]:
    known, value = rulebooks.options()[option], book.value(option)
    note = {"kind": "not_settled_by_book"}
    for language in languages:
        titles = {"title": known.title[language], "value": known.value_titles[value][language]}
        facts = {"book": book.title[language], **titles}
        note[language] = FORMATS_SENTENCES.say(language, "note.not_settled_by_book", **facts)
    return note
