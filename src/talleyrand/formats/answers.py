"""What became of a question, in the form of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from talleyrand import messages, rulebooks
from talleyrand.engine.balances import Balance
from talleyrand.engine.effort import Effort
from talleyrand.engine.errors import NotAllowed, Refusal
from talleyrand.engine.game import Movement, Turn
from talleyrand.engine.orders import Build, Convoy, Disband, Order, Support
from talleyrand.engine.outcome import Cause, CauseCode, Lot, Note, Verdict
from talleyrand.engine.position import Unit, UnitName
from talleyrand.engine.reasons import Reason, Reasons, named
from talleyrand.engine.rulebook import AdjustBalance
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES, Variant

from . import positions
from .asking import Question
from .reading import Reading
from .sentences import OURS, note_value
from .shapes import Json, clip
from .successive import Entry
from .winters import Winter

Fields = dict[str, Json]
EFFORT = 45_000
"""For the reasons of an answer: five times the usual for 34 units, and their very worst."""
STEPS = 15  # to judge a unit or a line, and to tell it
# Refusals that say nothing against the order itself.
_NOT_ILLEGAL = frozenset(("multiple_orders", "superseded", "surplus", "conditional"))
_OF_ANY_BOARD = frozenset(CauseCode)
_VOID: Mapping[type, str] = {Support: "support_void", Convoy: "convoy_void"}
_DECIDED_BY = {"multiple_orders": "multiple_legal_orders", "bare_form": "bare_support_competition"}


@dataclass(frozen=True)
class Judged:
    """A question, its lines as read, and the turn they made.

    Unless `reasoned`, an answer names what met each order, without asking what would have been enough. It
    says so where that would have taken more `effort` than there was.
    """

    question: Question
    reading: Reading
    turn: Turn
    reasoned: bool = True
    effort: Effort = field(default_factory=lambda: Effort(EFFORT), compare=False)

    @property
    def steps(self) -> int:
        """The effort of reading and judging this once more, and of telling it without reasons."""
        return self.reading.steps + STEPS * (len(self.question.position.units) + len(self.reading.entries))

    def answer(self) -> Fields:
        """All fields of an answer but `id`."""
        outcome, board = self.turn.outcome, self.question.variant.board
        after = outcome.after
        following = self.turn.next
        return {
            "phase": str(self.question.position.phase),
            "next": None if following is None else str(following.phase),
            "orders": self.entries(),
            "units": positions.write_units(after.units, board),
            "dislodged": positions.write_dislodged(after.dislodged, board),
            "contested": sorted(after.contested),
            **self._ownership(),
            **self._standing(),
            **self._politics(),
            "chance": [_drawn(lot) for lot in outcome.chance],
            "notes": [*self.notes(), *self._unsettled(), *self._cut()],
        }

    def _ownership(self) -> Fields:
        after = self.turn.outcome.after
        if after.centres is None:
            return {}
        fields: Fields = {"centers": positions.write_centres(after.centres, self.question.variant.board)}
        if self.turn.adjustments is not None:
            fields["adjustments"] = {power: self._due(due) for power, due in self.turn.adjustments.items()}
        return fields | {"eliminated": list(self.turn.eliminated), "winner": list(self.turn.winner)}

    def _due(self, due: Balance) -> Fields:
        """A balance; where a power may have to remove and to build at once, the removals too."""
        gross = self.question.book.judge.adjust_balance is AdjustBalance.GROSS
        fields: Fields = {"balance": due.balance, "possible": due.possible}
        return fields | ({"removals": due.removals} if gross else {})

    def _standing(self) -> Fields:
        """What the next question has to repeat, under the books that need it."""
        following = self.turn.next
        return {} if following is None else positions.write_standing(following, self.question.variant.board)

    def _politics(self) -> Fields:
        """What a variant's own rules remember, as it stands for the next phase."""
        rules, following = self.question.variant.setting.politics, self.turn.next
        if rules is None:
            return {}
        position = following or self.turn.outcome.after
        kept = rules.write(self.question.variant.board, position)
        return {"politics": {**kept, **self.turn.outcome.findings}}

    @cached_property
    def reasons(self) -> Reasons | None:
        """The reasons of a movement phase."""
        question, judge = self.question, self.question.book.judge
        setting, position = question.variant.setting, question.position
        outcome = self.turn.outcome
        moves = isinstance(setting.rules(position.phase), Movement) or outcome.moves
        if not self.reasoned or not moves:
            return None
        led = replace(position, disorder=position.disorder - {*setting.scripted})
        led, orders = outcome.moves or (led, self._followed())
        verdicts = [verdict for verdict in outcome.verdicts if verdict.cause.code in _OF_ANY_BOARD]
        return Reasons(setting.board, led, orders, judge, verdicts, self.effort)

    def _followed(self) -> dict[str, list[Order]]:
        """The orders received; of a power that plays by a script, those of the script."""
        followed = self.reading.orders()
        for power in self.question.variant.setting.scripted:
            own = (one.order for one in self.turn.outcome.verdicts if one.power == power)
            followed[power] = [order for order in own if not isinstance(order, Build | Disband | None)]
        return followed

    # orders

    def entries(self) -> list[Fields]:
        """One entry per line received, then one per unit left without an accepted line."""
        refusals = self.reading.refusals(self.turn.outcome.refused)
        matched, rest = self._matched(refusals)
        listed = []
        for place, entry in enumerate(self.reading.entries):
            verdict, refusal = matched.get(place), refusals.get(place)
            fields = self._received(entry, verdict, refusal or self._coast_wanted(verdict))
            told = self._told(verdict) if verdict else self._untold(refusal, entry.line.order)
            listed.append(fields | told)
        return listed + [self._alone(verdict) for verdict in rest]

    def read(self) -> list[Fields]:
        """The entries as far as they are known before anything is judged: what became of them is left out."""
        refusals = self.reading.refusals(self.turn.outcome.refused)
        matched, rest = self._matched(refusals)
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

    def _coast_wanted(self, verdict: Verdict | None) -> Refusal | None:
        """A fleet cannot be built where the coast is not said: the line lacks something."""
        if verdict is None or verdict.cause.code is not CauseCode.COAST_MISSING:
            return None
        places = self.question.variant.board.standing(verdict.unit.kind, verdict.unit.province)
        return NotAllowed("coast_missing", places=(verdict.unit.province,), candidates=tuple(places))

    def _unmade(self, verdict: Verdict | None) -> Fields | None:
        """Why the build or the removal of a line will not be made, if it will not."""
        return None if verdict is None else Winter(self.question, self.turn).error(verdict)

    def _received(self, entry: Entry, verdict: Verdict | None, refusal: Refusal | None) -> Fields:
        """What an entry says before anything is judged."""
        line = entry.line
        order = verdict.order if verdict else line.order
        return {
            "power": entry.power,
            "line": entry.written,
            "line_no": entry.number,
            "sheet": entry.sheet,
            "unit": self._unit(order.unit if order else line.unit),
            "order": str(order) if order else None,
            "error": self._error(refusal) if refusal else self._unmade(verdict),
            "notes": [self._note(note) for note in line.notes],
        }

    def _awaited(self, verdict: Verdict) -> Note | None:
        """What another has to write for an order to be done; their sheet may still come."""
        asked = self.question
        rules = asked.variant.setting.politics
        return rules.awaited(asked.variant.board, asked.position, verdict) if rules else None

    def _matched(self, refusals: Mapping[int, Refusal]) -> tuple[dict[int, Verdict], list[Verdict]]:
        """The verdict of each line that counts, by its place, and the verdicts of no line.

        The same order written twice shares its verdict.
        """
        own = {(verdict.power, verdict.number): verdict for verdict in self.turn.outcome.verdicts}
        shared = {
            (verdict.power, verdict.unit.province): verdict
            for verdict in self.turn.outcome.verdicts
            if verdict.order is not None
        }
        matched: dict[int, Verdict] = {}
        for place, entry in enumerate(self.reading.entries):
            if entry.index is None or place in refusals:
                continue
            unit = entry.line.order.unit if entry.line.order else None
            verdict = own.get((entry.power, entry.index))
            if verdict is None and unit is not None:
                verdict = shared.get((entry.power, unit.province))
            if verdict is not None:
                matched[place] = verdict
        told = {id(verdict) for verdict in matched.values()}
        return matched, [verdict for verdict in self.turn.outcome.verdicts if id(verdict) not in told]

    def _told(self, verdict: Verdict) -> Fields:
        """What became of an order or a unit."""
        reason = self.reasons.of(verdict) if self.reasons else named(verdict)
        return {
            "results": [str(result) for result in verdict.results],
            "to": verdict.to,
            "by": _names(verdict.by),
            "route": verdict.route,
            "cause": self._cause(verdict.cause, reason),
            "why": self._why(verdict, reason),
        }

    def _untold(self, refusal: Refusal | None, order: Order | None) -> Fields:
        """A line that does not count, or that takes no part in this phase."""
        reason = self._refusal_sentences(refusal) if refusal else None
        return {
            "results": _results_of(refusal, order),
            "to": None,
            "by": [],
            "route": None,
            "cause": self._cause_of(refusal) if refusal else None,
            "why": reason,
        }

    def _alone(self, verdict: Verdict) -> Fields:
        """A unit without an accepted line."""
        return _unwritten(verdict) | self._told(self.as_told(verdict))

    def as_told(self, verdict: Verdict) -> Verdict:
        """A verdict as its player sees it: a unit whose lines are all refused is not without an order."""
        refused = (verdict.power, verdict.unit.province) in self._units_refused
        if verdict.cause.code is CauseCode.NO_ORDER and refused:
            return verdict._replace(cause=Cause(CauseCode.REFUSED))
        return verdict

    @cached_property
    def _units_refused(self) -> frozenset[tuple[str, str]]:
        """Power and province of each unit that a refused line names."""
        refusals = self.reading.refusals(self.turn.outcome.refused)
        entries = [self.reading.entries[place] for place in refusals]
        named = [
            (entry.power, entry.line.order.unit if entry.line.order else entry.line.unit) for entry in entries
        ]
        return frozenset((power, unit.province) for power, unit in named if unit)

    def _unit(self, name: UnitName | None) -> str | None:
        """A unit as it stands at the start of the phase: with its coast."""
        if name is None:
            return None
        position = self.question.position
        standing = [*position.units, *(fallen.unit for fallen in position.dislodged)]
        same = [unit for unit in standing if unit.province == name.province and unit.kind == name.kind]
        return str(same[-1] if same else name)

    # causes and sentences

    def _cause(self, cause: Cause, reason: Reason) -> Fields:
        return {
            "code": str(cause.code),
            "units": _names(reason.units),
            "any_of": [_names(units) for units in reason.any_of],
            "change": reason.change and str(reason.change),
            "concerns": _names(cause.units),
            "places": list(cause.places),
            "option": cause.option,
            "source": messages.source(cause, self.question.book) or None,
        }

    def _cause_of(self, refusal: Refusal) -> Fields:
        option, book = _DECIDED_BY.get(refusal.reason), self.question.book
        place = book.sources.get(option, "") if option else rulebooks.place(book.name, refusal.reason)
        return {
            "code": refusal.reason,
            "units": list(refusal.units),
            "any_of": [],
            "change": None,
            "concerns": list(refusal.units),
            "places": list(refusal.places),
            "option": option,
            "source": place or None,
        }

    def _error(self, refusal: Refusal) -> Fields:
        return {"kind": refusal.kind, "message": self._refusal_sentences(refusal)}

    def _refusal_sentences(self, refusal: Refusal) -> dict[str, str]:
        variant = self.question.variant
        return {language: _refusal_sentence(refusal, variant, language) for language in LANGUAGES}

    def _why(self, verdict: Verdict, reason: Reason) -> dict[str, str]:
        variant, book = self.question.variant, self.question.book
        return {language: messages.why(verdict, variant, language, book, reason) for language in LANGUAGES}

    def _note(self, note: Note) -> dict[str, str]:
        if OURS.knows(f"note.{note.kind}"):
            return note_value(note.kind, **{name: clip(fact) for name, fact in note.facts})
        variant = self.question.variant
        sentences = {language: messages.note(note, variant, language) for language in LANGUAGES}
        return {"kind": note.kind, **sentences}

    # notes

    def notes(self) -> list[dict[str, str]]:
        """What the game master should look at."""
        strange = [note_value("field_unknown", field=clip(name)) for name in self.question.strange]
        judged = [self._note(note) for note in self.turn.outcome.notes]
        return [*strange, *map(dict, self.reading.notes), *judged]

    def _unsettled(self) -> list[dict[str, str]]:
        """The options that decided something, could have been otherwise, and that the book leaves open."""
        book, known = self.question.book, rulebooks.options()
        decided = dict.fromkeys(filter(None, self._options()))
        open_ = [name for name in decided if name in book.silent and len(known[name].values) > 1]
        return [_not_settled(option, book) for option in open_]

    def _cut(self) -> list[dict[str, str]]:
        """That not every reason was looked for to the end, once all have been asked for."""
        return [note_value("reasons_cut")] if self.reasons and self.reasons.cut else []

    def _options(self) -> Iterator[str | None]:
        for verdict in self.turn.outcome.verdicts:
            yield verdict.cause.option
        for refusal in self.reading.refusals(self.turn.outcome.refused).values():
            yield _DECIDED_BY.get(refusal.reason)


def _unwritten(verdict: Verdict) -> Fields:
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
def _refusal_sentence(refusal: Refusal, variant: Variant, language: str) -> str:
    """A long sheet of noise is refused in few words."""
    return messages.refusal(refusal, variant, language)


def _results_of(refusal: Refusal | None, order: Order | None) -> list[str]:
    """An army that no fleet could carry is told that too: it goes by sea, and has no convoy.

    Help that depends on something is no order, and helps nobody.
    """
    if refusal is not None and refusal.kind == "conditional":
        return [_VOID[type(order)]] if type(order) in _VOID else []
    if not isinstance(refusal, NotAllowed) or refusal.kind in _NOT_ILLEGAL:
        return []
    return ["illegal", "convoy_disrupted"] if refusal.reason == "no_chain" else ["illegal"]


def _drawn(lot: Lot) -> Fields:
    """A lot with those among whom it was drawn, so that anybody may draw it again."""
    return {"what": lot.what, "drawn": lot.drawn, "power": lot.power, "among": list(lot.candidates)}


def _names(units: Iterable[Unit]) -> list[str]:
    return [str(unit) for unit in units]


def _not_settled(option: str, book: LoadedRulebook) -> dict[str, str]:
    known, value = rulebooks.options()[option], book.value(option)
    note = {"kind": "not_settled_by_book"}
    for language in LANGUAGES:
        titles = {"title": known.title[language], "value": known.value_titles[value][language]}
        facts = {"book": book.title[language], **titles}
        note[language] = OURS.say(language, "note.not_settled_by_book", **facts)
    return note
