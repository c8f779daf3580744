"""Why an order came to what it came to, in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
        text = own.format_map(_Facts(verdict, voice))
        return _fallen(verdict, voice, text[:1].upper() + text[1:])
    code = _code(verdict, language, book)
    text = sentence(language, code, _Facts(verdict, voice), max(1, len(cause.units)))
    text = _fallen(verdict, voice, _sourced(cause, language, book, text))
    return text if reason is None else _otherwise(cause, reason, voice, text)


@lru_cache(maxsize=1 << 11)
def cause_sentences(
    verdict: Verdict,
    variant: Variant,
    languages: tuple[str, ...],
    book: LoadedRulebook,
    reason: VerdictReason,
) -> Mapping[str, str]:
    """The same in several languages, of a verdict without its number: kept, for much of what is told in one
    phase is told in others."""
    return {language: cause_sentence(verdict, variant, language, book, reason) for language in languages}


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
        return {language: self._step_sentence(language, verdict) for language in LANGUAGES}

    def _step_sentence(self, language: str, verdict: Verdict) -> str:
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
        facts = _Facts(verdict, voice)
        facts |= {
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
    cause = verdict.cause
    chosen = book.value(cause.option) if cause.option else None
    particulars = chosen, cause.option, cause.comparison, *verdict.results
    return _most_particular(language, cause.code, particulars, type(verdict.order).__name__)


@lru_cache(maxsize=1 << 12)
def _most_particular(language: str, cause: str, particulars: tuple[str | None, ...], order: str) -> str:
    told = (*filter(None, particulars), order.lower())
    codes = (*(f"cause.{cause}.{particular}" for particular in told), f"cause.{cause}")
    return next(code for code in codes if has_sentence(language, code))


class _Facts(dict[str, str]):
    """What fills the blanks of a verdict's sentence: each fact made when it is asked for."""

    def __init__(self, verdict: Verdict, voice: SentenceNames) -> None:
        super().__init__()
        self.verdict, self.voice = verdict, voice

    def __missing__(self, name: str) -> str:
        self[name] = said = _FACTS[name](self.verdict, self.voice)
        return said


def _place(verdict: Verdict) -> str:
    return next(iter(verdict.cause.places), verdict.to or verdict.unit.location)


def _target(verdict: Verdict, voice: SentenceNames) -> str:
    order = verdict.order
    return voice.unit(str(order.target)) if isinstance(order, Support | Convoy) else ""


def _all_units(verdict: Verdict, voice: SentenceNames) -> str:
    return voice.join_and(map(voice.unit, map(str, (verdict.unit, *verdict.cause.units))))


def _their_power(verdict: Verdict) -> str:
    return verdict.cause.units[0].power if verdict.cause.units else verdict.power


_FACTS: Mapping[str, Callable[[Verdict, SentenceNames], str]] = {
    "unit": lambda verdict, voice: voice.unit(str(verdict.unit)),
    "units": lambda verdict, voice: voice.join_and(map(voice.unit, map(str, verdict.cause.units))),
    "all": _all_units,
    "place": lambda verdict, voice: voice.place(_place(verdict)),
    "places": lambda verdict, voice: voice.join_and(map(voice.place_name, verdict.cause.places)),
    "here": lambda verdict, voice: voice.place(verdict.unit.location),
    "goal": lambda verdict, voice: voice.place(getattr(verdict.order, "to", None) or _place(verdict)),
    "target": _target,
    "power": lambda verdict, voice: voice.power(verdict.power),
    "of_power": lambda verdict, voice: voice.of_power(verdict.power),
    "of_their_power": lambda verdict, voice: voice.of_power(_their_power(verdict)),
    "powers": lambda verdict, voice: voice.join_and(map(voice.power, verdict.cause.powers)),
    "of_powers": lambda verdict, voice: voice.join_and(map(voice.of_power, verdict.cause.powers)),
}


def _sourced(cause: Cause, language: str, book: LoadedRulebook, text: str) -> str:
    """The sentence with the place of the rule that decided, or the word that there is none."""
    place = rule_source(cause, book)
    if place:
        before, after = _source_words(language, place)
        return f"{before}{text.rstrip('.')}{after}"
    open_point = cause.option and _open(cause.option, book)
    return sentence(language, "source.silent", {"why": text.rstrip(".")}) if open_point else text


@lru_cache(maxsize=1 << 10)
def _source_words(language: str, place: str) -> tuple[str, str]:
    """What stands before and behind a sentence that has the place of its rule."""
    facts = {"why": "\0", "source": rulebooks.translate_citation(place, language)}
    before, _, after = sentence(language, "source.settled", facts).partition("\0")
    return before, after


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
