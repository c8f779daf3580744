"""Why an order came to what it came to, in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from talleyrand import rulebooks
from talleyrand.engine.counterfactuals import VerdictReason
from talleyrand.engine.orders import Convoy, Support
from talleyrand.engine.outcome import Cause, CauseCode, OrderResult, Verdict
from talleyrand.engine.position import Unit
from talleyrand.rulebooks import LoadedRulebook
from talleyrand.variants import LANGUAGES, Variant

from .catalogue import has_sentence, phrase, sentence
from .sentence_names import SentenceNames

MAX_ALTERNATIVES = 2
"""So many alternatives are told in one sentence; the chain of causes tells all."""


def cause_sentence(
    verdict: Verdict,
    variant: Variant,
    language: str,
    book: LoadedRulebook,
    reason: VerdictReason | None = None,
) -> str:
    """The sentence of a verdict's cause: the units and places that decided, the rule's place in the book,
    and, where the rule's units are not all there is to it, those whose absence would change the verdict."""
    voice = SentenceNames(variant, language)
    cause = verdict.cause
    own = variant.sentence(language, "why", cause.code)
    if own:
        text = own.format_map(_facts(verdict, voice))
        return _fallen(verdict, voice, text[:1].upper() + text[1:])
    code = _code(verdict, language, book)
    text = sentence(language, code, _facts(verdict, voice), max(1, len(cause.units)))
    text = _fallen(verdict, voice, _sourced(cause, language, book, text))
    return text if reason is None else _otherwise(cause, reason, voice, text)


def unmade_adjustment_sentence(
    verdict: Verdict, variant: Variant, language: str, book: LoadedRulebook, builds: Sequence[str]
) -> str:
    """Why a build or a removal is not made, and the units that could be built instead, if any."""
    text = cause_sentence(verdict, variant, language, book)
    if not builds:
        return text
    voice = SentenceNames(variant, language)
    facts = {"why": text, "choices": voice.join_or(map(voice.any_name, builds))}
    return sentence(language, "adjustment.possible", facts)


def _otherwise(cause: Cause, reason: VerdictReason, voice: SentenceNames, text: str) -> str:
    """The sentence with what would change the verdict, unless the rule has said just that."""
    if not reason.units or (not reason.any_of and set(reason.units) == set(cause.units)):
        return text
    facts = {"why": text.rstrip("."), "sets": _sets(reason.sets[:MAX_ALTERNATIVES], voice)}
    return sentence(voice.language, _changed("reason", reason), facts)


def _changed(family: str, reason: VerdictReason) -> str:
    return f"{family}.otherwise.{reason.change}" if reason.change else f"{family}.otherwise"


def _sets(sets: Iterable[Iterable[Unit]], voice: SentenceNames) -> str:
    told = (voice.join_and(map(voice.unit, map(str, units))) for units in sets)
    return phrase(voice.language, "reason.or").join(told)


@dataclass(frozen=True)
class StepSentences:
    """What is said of one phase step by step, in every language: each sentence by its language's name."""

    variant: Variant
    book: LoadedRulebook

    def verdict_sentences(self, verdict: Verdict) -> dict[str, str]:
        """The sentence of a verdict's cause, with the unit that it is about."""
        return {language: self._told(language, verdict) for language in LANGUAGES}

    def _told(self, language: str, verdict: Verdict) -> str:
        unit = SentenceNames(self.variant, language).unit(str(verdict.unit))
        text = cause_sentence(verdict, self.variant, language, self.book)
        return text if text.startswith(unit) else phrase(language, "step.told", {"unit": unit, "why": text})

    def alternative_sentences(self, reason: VerdictReason) -> dict[str, str]:
        """Whose absence would have changed a verdict, as a sentence of its own: all alternatives."""
        code = _changed("step", reason)
        return {
            language: sentence(
                language, code, {"sets": _sets(reason.sets, SentenceNames(self.variant, language))}
            )
            for language in LANGUAGES
        }

    def step_sentences(self, code: str, verdict: Verdict, helpers: Sequence[Unit]) -> dict[str, str]:
        """One step towards a verdict: with what strength a unit attacks or stays, who carries it."""
        return {language: self._step(language, code, verdict, helpers) for language in LANGUAGES}

    def _step(self, language: str, code: str, verdict: Verdict, helpers: Sequence[Unit]) -> str:
        voice = SentenceNames(self.variant, language)
        facts = _facts(verdict, voice) | {
            "units": voice.join_and(map(voice.unit, map(str, helpers))),
            "goal": voice.place(getattr(verdict.order, "to", None) or verdict.unit.location),
            "strength": str(1 + len(helpers)),
        }
        return sentence(language, f"step.{code}", facts, max(1, len(helpers)))


def result_word(result: OrderResult | str, language: str, variant: Variant | None = None) -> str:
    """A result in a word or two: "soutien coupé"; one of the variant's own in its own words."""
    own = variant.sentence(language, "result", result) if variant else ""
    return own or phrase(language, f"result.{result}")


def _code(verdict: Verdict, language: str, book: LoadedRulebook) -> str:
    """The most particular sentence there is for this cause."""
    return next(code for code in _codes(verdict, book) if has_sentence(language, code))


def _codes(verdict: Verdict, book: LoadedRulebook) -> Iterator[str]:
    cause = verdict.cause
    if cause.option:
        yield f"cause.{cause.code}.{book.value(cause.option)}"
        yield f"cause.{cause.code}.{cause.option}"
    if cause.comparison:
        yield f"cause.{cause.code}.{cause.comparison}"
    yield from (f"cause.{cause.code}.{result}" for result in verdict.results)
    yield f"cause.{cause.code}.{type(verdict.order).__name__.lower()}"
    yield f"cause.{cause.code}"


def _facts(verdict: Verdict, voice: SentenceNames) -> dict[str, str]:
    cause, order = verdict.cause, verdict.order
    unit = str(verdict.unit)
    place = next(iter(cause.places), verdict.to or verdict.unit.location)
    theirs = cause.units[0].power if cause.units else verdict.power
    return {
        "unit": voice.unit(unit),
        "units": voice.join_and(voice.unit(str(other)) for other in cause.units),
        "all": voice.join_and(map(voice.unit, (unit, *map(str, cause.units)))),
        "place": voice.place(place),
        "places": voice.join_and(map(voice.place_name, cause.places)),
        "here": voice.place(verdict.unit.location),
        "goal": voice.place(getattr(order, "to", None) or place),
        "target": voice.unit(str(order.target)) if isinstance(order, Support | Convoy) else "",
        "power": voice.power(verdict.power),
        "of_power": voice.of_power(verdict.power),
        "of_their_power": voice.of_power(theirs),
        "powers": voice.join_and(map(voice.power, cause.powers)),
        "of_powers": voice.join_and(map(voice.of_power, cause.powers)),
    }


def _sourced(cause: Cause, language: str, book: LoadedRulebook, text: str) -> str:
    """The sentence with the place of the rule that decided, or the word that there is none."""
    place = rule_source(cause, book)
    if place:
        return sentence(
            language,
            "source.settled",
            {"why": text.rstrip("."), "source": rulebooks.translate_citation(place, language)},
        )
    open_point = cause.option and _open(cause.option, book)
    return sentence(language, "source.silent", {"why": text.rstrip(".")}) if open_point else text


def rule_source(cause: Cause, book: LoadedRulebook) -> str:
    """The place in the book of the choice, or else of the rule, that decided; "" where it says nothing."""
    option = cause.option or ""
    if option in book.sources or _open(option, book):
        return book.sources.get(option, "")
    return rulebooks.cite_rule(book.name, cause.code)


def _open(option: str, book: LoadedRulebook) -> bool:
    """Whether a book leaves open what could be otherwise."""
    return option in book.silent_options and len(rulebooks.options()[option].values) > 1


_SAYS_BY_WHOM = (CauseCode.DISLODGED_BY, CauseCode.CONVOY_BROKEN, CauseCode.CUT_BY_DISLODGEMENT)


def _fallen(verdict: Verdict, voice: SentenceNames, text: str) -> str:
    """The same for a unit whose dislodgement the sentence does not say."""
    if OrderResult.DISLODGED not in verdict.results:
        return text
    if verdict.by and verdict.cause.code not in _SAYS_BY_WHOM:
        facts = {"why": text.rstrip("."), "dislodger": voice.unit(str(verdict.by[-1]))}
        text = sentence(voice.language, "also.dislodged", facts)
    if OrderResult.DESTROYED in verdict.results:
        text = sentence(voice.language, "also.destroyed", {"why": text.rstrip(".")})
    return text
