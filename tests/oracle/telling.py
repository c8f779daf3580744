"""The sentences that players are told, held against the facts of the oracle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from talleyrand import rulebooks
from talleyrand.engine.board import province_of
from talleyrand.engine.orders import Order
from talleyrand.formats import cause_chain
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.variants import LANGUAGES
from tests.oracle.facts import Facts
from tests.oracle.later_facts import RetreatFacts, WinterFacts
from tests.oracle.limits import Limits
from tests.oracle.reading import Reading
from tests.oracle.tongues import Claim, Said, Tongue, Value, tongue

_OPEN = {
    "fr": "notre lecture : le règlement laisse ce point ouvert",
    "en": "our reading: the rulebook leaves this open",
}
_OF_THE_BOARD = ("illegal", "coast_missing", "no_such_unit", "foreign_unit")
"""The refusals that say what cannot be; others are about how a line is written."""
Entry = Mapping[str, Any]


class Several(Exception):
    """A unit has more than one order: which counts is no matter of this oracle."""


class Heard(NamedTuple):
    """What is wrong with the answer to a phase, and how much of it was heard, in each language."""

    faults: list[str]
    kinds: Set[str]
    sentences: int
    steps: int = 0


class Known(Protocol):
    """Facts: a claim of that name is one of the methods."""

    def known(self, unit: str) -> bool: ...


def hear(judged: AdjudicatedQuestion, told: Iterable[Entry] | None = None) -> Heard:
    """What is false, missing or not understood in an answer, or in what is `told` instead.

    Raises TooMany, Several.
    """
    listeners = {"M": _movement, "R": _retreats, "A": _winter}
    entries = list(judged.entries() if told is None else told)
    return listeners[judged.question.position.phase.kind](judged, entries)


def _accepted(entries: Iterable[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry["error"] is None]


def _tongues(judged: AdjudicatedQuestion) -> list[Tongue]:
    return [tongue(judged.question.variant, language) for language in LANGUAGES]


@dataclass(frozen=True)
class _Listener:
    """Somebody who hears sentences in one language, and knows the facts."""

    facts: Known
    tongue: Tongue
    kinds: set[str] = field(default_factory=set)

    def text(self, sentences: Mapping[str, str]) -> str:
        return sentences[self.tongue.language].replace("\u00a0", " ")

    def read(self, kind: str, text: str, known: Mapping[str, Value]) -> Said | None:
        """What a text says, as a sentence of one kind."""
        said = self.tongue.read(kind, text, known)
        self.kinds.update({said.form} if said else ())
        return said

    def claims(self, kind: str, entry: Entry, text: str) -> list[Claim] | None:
        """The claims of an entry's sentence and of what is added to it; None where it is not understood."""
        unit, language = entry["unit"] or "", self.tongue.language
        known = {"it": unit, "here": province_of(unit.partition(" ")[2]), "power": entry["power"]}
        found: list[Claim] = []
        while (tail := self.read("tail", text, known)) is not None:
            found += tail.claims
            text = f"{tail.holes['head']}."
        source = entry["cause"]["source"]
        quoted = rulebooks.translate_citation(source, language) if source else _OPEN[language]
        said = self.read(kind, text.replace(f" ({quoted})", ""), known)
        return None if said is None else found + said.claims

    def refused(self, entry: Entry) -> Iterator[str]:
        """What is wrong with what is said of a line that does not count."""
        text = self.text(entry["error"]["message"])
        nearest = self.tongue.read("nearest", text, {})
        said = self.read("refused", nearest.holes["head"] if nearest else text, {"it": entry["unit"]})
        yield from self.untrue(None if said is None else said.claims, text)

    def untrue(self, claims: Iterable[Claim] | None, text: str) -> Iterator[str]:
        if claims is None:
            yield f"not understood: {text}"
            return
        for claim in claims:
            if not self._known(claim) or not getattr(self.facts, claim.fact)(*claim.about):
                yield f"untrue {claim.fact} {claim.about}: {text}"

    def _known(self, claim: Claim) -> bool:
        """Whether all the units that a claim names are there."""
        flat = [part for one in claim.about for part in _flat(one)]
        return all(self.facts.known(part) for part in flat if part[1:2] == " ")


def _flat(value: object) -> Iterator[str]:
    """The texts of a value, of whatever depth."""
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    elif isinstance(value, str):
        yield value


# movement -----------------------------------------------------------------------------------------


def _movement(judged: AdjudicatedQuestion, told: Sequence[Entry]) -> Heard:
    question = judged.question
    board, position, book = question.variant.board, question.position, question.rulebook.adjudication_rules
    facts = Facts(Reading(board, position, _written(judged), book))
    entries = {entry["unit"]: entry for entry in _accepted(told)}
    steps = [
        (str(unit), cause_chain.cause_steps(judged, province))
        for province, unit in position.units_by_province.items()
    ]
    refused = [entry for entry in told if entry["error"] and entry["error"]["kind"] in _OF_THE_BOARD]
    limits, kinds = Limits(board, position), set[str]()
    faults = [
        f"{spoken.language}: {fault}"
        for spoken in _tongues(judged)
        for found in (
            _Mover(facts, spoken, kinds, moves=facts, entries=entries).faults(steps),
            *(_Listener(limits, spoken, kinds).refused(entry) for entry in refused),
        )
        for fault in found
    ]
    return Heard(faults, kinds, len(entries) + len(refused), sum(len(some) for _, some in steps))


def _written(judged: AdjudicatedQuestion) -> dict[str, Order]:
    """Each province with the order that its unit was given; raises Several."""
    found: dict[str, Order] = {}
    for power, orders in judged.reading.orders().items():
        for order in orders:
            owner = (
                judged.question.position.units_by_province.get(order.unit.province) if order.unit else None
            )
            ours = order.unit and owner and (owner.power, owner.kind) == (power, order.unit.kind)
            if ours and owner and found.setdefault(owner.province, order) != order:
                raise Several
    return found


@dataclass(frozen=True)
class _Mover(_Listener):
    """Somebody who hears of a movement phase."""

    moves: Facts = field(kw_only=True)
    entries: Mapping[str, Entry] = field(kw_only=True)

    def faults(self, chains_told: Iterable[tuple[str, Sequence[cause_chain.CauseStep]]]) -> Iterator[str]:
        for unit, entry in self.entries.items():
            yield from self._entry(unit, entry)
        for unit, steps in chains_told:
            for step in steps:
                yield from self._step(self.text(step.sentences), unit)

    def _entry(self, unit: str, entry: Entry) -> Iterator[str]:
        text, at = self.text(entry["why"]), province_of(unit.partition(" ")[2])
        fate = self.moves.fate(at)
        if (entry["results"][0], "dislodged" in entry["results"]) != (fate.result, fate.dislodged):
            yield f"{unit} is {entry['results']}, not {fate}"
        claims = self.claims("why", entry, text)
        yield from self.untrue(claims, text)
        for owed in self.moves.owed(at):
            if claims is not None and Claim(*owed) not in claims:
                yield f"untold {owed}: {text}"

    def _step(self, text: str, whose: str) -> Iterator[str]:
        said = self.read("step", text, {"it": whose})
        if said is not None:
            yield from self.untrue(said.claims, text)
            return
        opening = self.tongue.read("opening", text, {})
        entry = self.entries.get(opening.holes["it"]) if opening else None
        if opening is None or entry is None:
            yield f"not understood: {text}"
            return
        yield from self.untrue(self.claims("why", entry, opening.holes.get("rest", text)), text)


# retreats and adjustments -------------------------------------------------------------------------


def _retreats(judged: AdjudicatedQuestion, told: Sequence[Entry]) -> Heard:
    given: dict[str, list[Order]] = {}
    owners = {one.unit.province: one.unit for one in judged.question.position.dislodged}
    for power, orders in judged.reading.orders().items():
        for order in orders:
            owner = owners.get(order.unit.province) if order.unit else None
            if order.unit and owner and (owner.power, owner.kind) == (power, order.unit.kind):
                given.setdefault(owner.province, []).append(order)
    facts = RetreatFacts(judged.question.position, given, judged.question.rulebook.adjudication_rules)
    entries = _accepted(told)
    results = {entry["unit"]: facts.result(entry["unit"]) for entry in entries}
    faults = [
        f"{unit} is {entry['results']}, not {results[unit]}"
        for entry in entries
        for unit in [entry["unit"]]
        if entry["results"][0] != results[unit]
    ]
    kinds = set[str]()
    return Heard([*faults, *_untrue(judged, facts, "retreat", entries, kinds)], kinds, len(entries))


def _winter(judged: AdjudicatedQuestion, told: Sequence[Entry]) -> Heard:
    question, given = judged.question, judged.reading.orders()
    facts = WinterFacts(
        question.variant.board, question.position, given, question.rulebook.adjudication_rules
    )
    entries = _accepted(told)
    kinds = set[str]()
    return Heard(list(_untrue(judged, facts, "winter", entries, kinds)), kinds, len(entries))


def _untrue(
    judged: AdjudicatedQuestion, facts: Known, kind: str, entries: Iterable[Entry], kinds: set[str]
) -> Iterator[str]:
    for spoken in _tongues(judged):
        listener = _Listener(facts, spoken, kinds)
        for entry in entries:
            text = listener.text(entry["why"])
            for fault in listener.untrue(listener.claims(kind, entry, text), text):
                yield f"{spoken.language}: {fault}"
