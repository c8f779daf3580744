"""Refused orders and questions, and notes, in one sentence each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from talleyrand.engine.errors import ImpossibleCombination, OrderRefusal, TalleyrandError
from talleyrand.engine.outcome import AdjudicationNote
from talleyrand.variants import Variant

from .catalogue import has_sentence, pattern, phrase, sentence
from .sentence_names import SentenceNames

_SHOWN = 60


def refusal_sentence(refused: OrderRefusal, variant: Variant, language: str) -> str:
    """What was read, what is wrong with it, and the nearest legal order where there is one.

    Begins with the kind of refusal, so that the three are never taken for one another.
    """
    voice = SentenceNames(variant, language)
    own = variant.sentence(language, "refusal", refused.code)
    facts = _facts(refused, voice)
    own = f"{own.rstrip('.')}." if own else ""
    what = own.format_map(facts) or phrase(language, _code(refused, language), facts)
    special = f"family.{refused.kind}"
    family = special if has_sentence(language, special) else f"family.{refused.family}"
    text = sentence(language, family, {"what": what})
    if refused.nearest_order:
        text = sentence(
            language, "refusal.nearest", {"what": text, "nearest": voice.order(refused.nearest_order)}
        )
    return text


def _code(refused: OrderRefusal, language: str) -> str:
    bare = f"refusal.{refused.code}.none"
    if not refused.candidates and has_sentence(language, bare):
        return bare
    code = f"refusal.{refused.code}"
    if not has_sentence(language, code):
        return "refusal.unknown"
    told = any(blank in pattern(language, code) for blank in ("{choices}", "{order}", "{places_or}"))
    return code if told or len(refused.candidates) < 2 else "refusal.several"


def _facts(refused: OrderRefusal, voice: SentenceNames) -> dict[str, str]:
    units = [voice.unit(unit) for unit in (*refused.units, "", "")]
    candidate = next(iter(refused.candidates), "")
    return {
        "reason": refused.code,
        "text": voice.quoted(quote_text(refused.text)),
        "order": voice.quoted(voice.order(quote_text(refused.text))),
        "unit": units[0],
        "other": units[1],
        "place": voice.place(next(iter(refused.places), "")),
        "places_or": voice.join_or(map(voice.place_name, refused.places)),
        "choices": voice.join_or(map(voice.any_name, refused.candidates)),
        "of_candidate": voice.of_power(candidate),
    }


def quote_text(text: str) -> str:
    """Words as a sentence may quote them: one line of printable characters, never long."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def error_sentence(fault: TalleyrandError, language: str) -> str:
    """Why a question as a whole has no answer."""
    code = f"error.{fault.code}"
    if not has_sentence(language, code):
        return sentence(language, "error.unknown", {"code": fault.code})
    near = f"{code}.near"
    if fault.facts.get("nearest") and has_sentence(language, near):
        code = near
    facts = {name: value if name in _LISTS else quote_text(str(value)) for name, value in fault.facts.items()}
    if rules := getattr(fault, "rules", ()):
        facts["rules"] = _rules(rules, language)
    if isinstance(fault, ImpossibleCombination):
        facts["reason"] = phrase(language, f"contradiction.{fault.facts['reason']}")
    return sentence(language, code, facts)


_LISTS = ("known", "values")
_MOST_RULES = 8


def _rules(rules: Sequence[object], language: str) -> str:
    """Rules of seating that collide, each by its `code` and what it names."""
    told = [_rule(rule, language) for rule in rules[:_MOST_RULES]] + ["…"] * (len(rules) > _MOST_RULES)
    return reduce(lambda one, other: phrase(language, "seating.rules", {"one": one, "other": other}), told)


def _rule(rule: object, language: str) -> str:
    named = {name: value for name, value in vars(rule).items() if value is not None}
    code = ".".join(["seating", str(getattr(rule, "code", "")), *sorted(named.keys() & {"board", "power"})])
    facts = {
        name: quote_text(", ".join(map(str, sorted(value))) if isinstance(value, frozenset) else str(value))
        for name, value in named.items()
    }
    return phrase(language, code, facts)


def note_sentence(remark: AdjudicationNote, variant: Variant, language: str) -> str:
    """What the reader supplied or passed over, or where the book is silent."""
    voice = SentenceNames(variant, language)
    code = f"note.{remark.kind}"
    facts = {name: _fact(name, value, voice) for name, value in remark.facts}
    own = variant.sentence(language, "note", remark.kind)
    if own:
        return own.format_map(facts)
    if has_sentence(language, code):
        return sentence(language, code, facts)
    listed = ", ".join(facts.values())
    return sentence(language, "note.unknown", {"kind": remark.kind, "facts": listed})


def _fact(name: str, value: str, voice: SentenceNames) -> str:
    if name == "written":
        return voice.quoted(voice.place_name(value) if "/" in value else quote_text(value))
    if name == "choices":
        return voice.join_and(map(voice.any_name, value.split(", ")))
    return voice.of_power(value) if name == "power" else voice.any_name(value)
