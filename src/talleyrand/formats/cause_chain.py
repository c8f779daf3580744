"""Why, step by step: how one verdict of a movement phase comes out of others.

Each step is a sentence and the units whose orders it speaks of, so that a page can draw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from talleyrand import messages
from talleyrand.engine.counterfactuals import VerdictReason, reason_from_cause
from talleyrand.engine.orders import Convoy, Move, Support
from talleyrand.engine.outcome import CauseCode, OrderResult, Verdict
from talleyrand.engine.position import Unit, province_of
from talleyrand.variants import LANGUAGES

from .adjudication_answer import AdjudicatedQuestion

SentencesByLanguage = Mapping[str, str]


@dataclass(frozen=True)
class CauseStep:
    """One link of the chain: what it says in each language, and whose orders show it (provinces)."""

    sentences: SentencesByLanguage
    provinces: tuple[str, ...]


def cause_steps(judged: AdjudicatedQuestion, province: str) -> tuple[CauseStep, ...]:
    """The chain that leads to the verdict of a province's unit, its own sentence towards the end; that
    sentence alone where the variant's own rules decided.

    Empty where the phase is no movement or no unit stands there.
    """
    if judged.reasons is None:
        return ()
    if province in judged.reasons.verdicts:
        return tuple(_CauseChain(judged, province).links())
    unit = str(judged.question.position.units_by_province.get(province))
    own = (entry for entry in judged.entries() if entry["unit"] == unit and not entry["error"])
    return tuple(
        CauseStep(cast("SentencesByLanguage", entry["why"]), (province,)) for entry in own if entry["why"]
    )


class _CauseChain:
    """The chain of one unit."""

    def __init__(self, judged: AdjudicatedQuestion, province: str) -> None:
        assert judged.reasons is not None
        self.judged, self.reasons = judged, judged.reasons
        self.verdicts = self.reasons.verdicts
        self.at = judged.question.position.units_by_province
        self.verdict = self.verdicts[province]
        self.reason = self.reasons.reason_for(self.verdict)

    def links(self) -> Iterator[CauseStep]:
        """Each step once, in the order in which one follows from the other."""
        seen: set[str] = set()
        for step in (*self._grounds(self.verdict), *self._verdict(self.verdict), *self._otherwise()):
            if step.sentences[LANGUAGES[0]] not in seen:
                seen.add(step.sentences[LANGUAGES[0]])
                yield step

    # what a verdict rests on

    def _grounds(self, verdict: Verdict) -> Iterator[CauseStep]:
        province = verdict.unit.province
        if verdict.cause.code in _IDLE:
            for unit in verdict.cause.units:
                yield from self._verdict(self.verdicts[unit.province])
            return
        if isinstance(verdict.order, Move):
            yield from self._passage(verdict)
            if verdict.cause.code not in _PLAIN and OrderResult.CONVOY_DISRUPTED not in verdict.results:
                yield from self._attack(province)
                for rival in self._opponents(verdict):
                    yield from self._attack(rival) if self._attacks(rival, verdict) else self._stay(rival)
            return
        cutters = (
            [unit.province for unit in verdict.cause.units] if isinstance(verdict.order, Support) else []
        )
        for attacker in dict.fromkeys((*cutters, *self._dislodgers(verdict))):
            if province_of(self._goal(attacker)) == province:
                yield from self._passage(self.verdicts[attacker])
                yield from self._attack(attacker)
        if not isinstance(verdict.order, Support) and self._attacked(province):
            yield from self._stay(province)

    def _passage(self, verdict: Verdict) -> Iterator[CauseStep]:
        """The fleets that carry an army, and what befell them."""
        fleets = [self.verdicts[at] for at in self._helpers(verdict.unit.province, Convoy)]
        sound = [fleet for fleet in fleets if fleet.results == (OrderResult.CONVOYS,)]
        if sound and len(sound) == len(fleets) and verdict.route == "sea":
            yield self._step("convoyed", verdict, [fleet.unit.province for fleet in sound])
            return
        for fleet in fleets:
            for attacker in self._dislodgers(fleet):
                yield from self._attack(attacker)
            if OrderResult.DISLODGED in fleet.results:
                yield from self._stay(fleet.unit.province)
            if fleet not in sound:
                yield from self._verdict(fleet)

    def _attack(self, province: str) -> Iterator[CauseStep]:
        """The supports of an attack that came to nothing, then its strength."""
        yield from self._lost_supports(province)
        given = self._supports_given(province)
        code = "supported" if given else "alone"
        yield self._step(code, self.verdicts[province], given)

    def _stay(self, province: str) -> Iterator[CauseStep]:
        """The same for a unit that stays; one that was to leave cannot be supported, and may have left."""
        verdict = self.verdicts[province]
        if OrderResult.MOVES in verdict.results:
            yield from self._verdict(verdict)
            return
        if isinstance(verdict.order, Move):
            yield self._step("cannot_leave", verdict, [])
            return
        yield from self._lost_supports(province)
        given = self._supports_given(province)
        yield self._step("held" if given else "stays", verdict, given)

    def _lost_supports(self, province: str) -> Iterator[CauseStep]:
        for helper in self._helpers(province, Support):
            verdict = self.verdicts[helper]
            if verdict.results[0] is not OrderResult.SUPPORT_GIVEN:
                yield from self._verdict(verdict)

    def _opponents(self, verdict: Verdict) -> list[str]:
        """The units at the goal or on their way there that the verdict hangs on."""
        units = (*verdict.cause.units, *(unit for units in self.reason.sets for unit in units))
        goal = province_of(self._goal(verdict.unit.province))
        places = dict.fromkeys(unit.province for unit in units)
        return [at for at in places if at == goal or self._attacks(at, verdict)]

    def _attacks(self, province: str, verdict: Verdict) -> bool:
        """Whether a unit attacks the same goal, or comes the other way."""
        goal = province_of(self._goal(verdict.unit.province))
        towards = province_of(self._goal(province))
        opposite = verdict.cause.code is CauseCode.HEAD_ON and province in self._named_provinces(verdict)
        return towards == goal or opposite

    @staticmethod
    def _named_provinces(verdict: Verdict) -> set[str]:
        return {unit.province for unit in verdict.cause.units}

    def _attacked(self, province: str) -> bool:
        return any(province_of(self._goal(at)) == province for at in self.verdicts)

    def _goal(self, province: str) -> str:
        order = self.verdicts[province].order
        return order.to if isinstance(order, Move) else ""

    def _dislodgers(self, verdict: Verdict) -> list[str]:
        if OrderResult.DISLODGED not in verdict.results:
            return []
        here = verdict.unit.province
        return [
            at
            for at, other in self.verdicts.items()
            if OrderResult.MOVES in other.results and province_of(self._goal(at)) == here
        ]

    def _helpers(self, province: str, kind: type[Support | Convoy]) -> list[str]:
        return [
            at
            for at, verdict in self.verdicts.items()
            if isinstance(verdict.order, kind) and verdict.order.target.province == province
        ]

    def _supports_given(self, province: str) -> list[str]:
        helpers = self._helpers(province, Support)
        return [at for at in helpers if self.verdicts[at].results[0] is OrderResult.SUPPORT_GIVEN]

    # sentences

    @cached_property
    def _voice(self) -> messages.StepSentences:
        return messages.StepSentences(self.judged.question.variant, self.judged.question.rulebook)

    def _step(self, code: str, verdict: Verdict, helpers: list[str]) -> CauseStep:
        units = [self.at[helper] for helper in helpers]
        return CauseStep(self._voice.step_sentences(code, verdict, units), (verdict.unit.province, *helpers))

    def _verdict(self, verdict: Verdict) -> Iterator[CauseStep]:
        """What the answer says of a unit, without what would have changed it."""
        involved = (verdict.unit.province, *self._named_provinces(verdict))
        yield CauseStep(
            self._voice.verdict_sentences(self.judged.as_shown_to_player(verdict)),
            tuple(dict.fromkeys(involved)),
        )

    def _otherwise(self) -> Iterator[CauseStep]:
        """Whose absence would have changed the verdict, and so what it hangs on."""
        reason: VerdictReason = self.reason
        told = reason.sets == reason_from_cause(self.verdict).sets and self.verdict.cause.code not in _TELLING
        if reason.units and not told:
            shown = _places(unit for units in reason.sets for unit in units)
            yield CauseStep(self._voice.alternative_sentences(reason), (self.verdict.unit.province, *shown))


_PLAIN = frozenset((CauseCode.UNOPPOSED, CauseCode.ROTATION, CauseCode.SWAP))
# The attacks named come to nothing: what became of them says it all.
_IDLE = frozenset(
    (
        CauseCode.RIVAL_STRANDED,
        CauseCode.RIVAL_DISLODGED,
        CauseCode.RIVAL_WITHOUT_EFFECT,
        CauseCode.ATTACK_STRANDED,
    )
)
_TELLING = frozenset(
    (
        CauseCode.STAND_OFF,
        CauseCode.BEATEN,
        CauseCode.NOT_STRONGER_THAN_UNIT,
        CauseCode.HEAD_ON,
        CauseCode.OWN_UNIT,
        CauseCode.OWN_SUPPORTS,
        CauseCode.CUT_BY_ATTACK,
        CauseCode.CUT_BY_DISLODGEMENT,
        CauseCode.DISLODGED_BY,
        CauseCode.CONVOY_BROKEN,
    )
)


def _places(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.province for unit in units))
