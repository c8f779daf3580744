"""Refused orders and questions, and notes, in one sentence each."""

from __future__ import annotations

from talleyrand.engine.errors import ImpossibleCombination, Refusal, TalleyrandError
from talleyrand.engine.outcome import Note
from talleyrand.variants import Variant

from .catalogue import known, pattern, phrase, sentence
from .naming import Voice

_SHOWN = 60


def refusal(refused: Refusal, variant: Variant, language: str) -> str:
    """What was read, what is wrong with it, and the nearest legal order where there is one.

    Begins with the kind of refusal, so that the three are never taken for one another.
    """
    voice = Voice(variant, language)
    own = variant.sentence(language, "refusal", refused.reason)
    facts = _facts(refused, voice)
    own = f"{own.rstrip('.')}." if own else ""
    what = own.format_map(facts) or phrase(language, _code(refused, language), facts)
    special = f"family.{refused.kind}"
    family = special if known(language, special) else f"family.{refused.family}"
    text = sentence(language, family, {"what": what})
    if refused.nearest:
        text = sentence(language, "refusal.nearest", {"what": text, "nearest": voice.order(refused.nearest)})
    return text


def _code(refused: Refusal, language: str) -> str:
    bare = f"refusal.{refused.reason}.none"
    if not refused.candidates and known(language, bare):
        return bare
    code = f"refusal.{refused.reason}"
    if not known(language, code):
        return "refusal.unknown"
    told = any(blank in pattern(language, code) for blank in ("{choices}", "{order}", "{places_or}"))
    return code if told or len(refused.candidates) < 2 else "refusal.several"


def _facts(refused: Refusal, voice: Voice) -> dict[str, str]:
    units = [voice.unit(unit) for unit in (*refused.units, "", "")]
    candidate = next(iter(refused.candidates), "")
    return {
        "reason": refused.reason,
        "text": voice.quoted(clip(refused.text)),
        "order": voice.quoted(voice.order(clip(refused.text))),
        "unit": units[0],
        "other": units[1],
        "place": voice.place(next(iter(refused.places), "")),
        "places_or": voice.either(map(voice.bare, refused.places)),
        "choices": voice.either(map(voice.anything, refused.candidates)),
        "of_candidate": voice.of_power(candidate),
    }


def clip(text: str) -> str:
    """Words as a sentence may quote them: one line of printable characters, never long."""
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def error(fault: TalleyrandError, language: str) -> str:
    """Why a question as a whole has no answer."""
    code = f"error.{fault.code}"
    if not known(language, code):
        return sentence(language, "error.unknown", {"code": fault.code})
    near = f"{code}.near"
    if fault.facts.get("nearest") and known(language, near):
        code = near
    facts = {name: value if name in _LISTS else clip(str(value)) for name, value in fault.facts.items()}
    if isinstance(fault, ImpossibleCombination):
        facts["reason"] = phrase(language, f"contradiction.{fault.facts['reason']}")
    return sentence(language, code, facts)


_LISTS = ("known", "values")


def note(remark: Note, variant: Variant, language: str) -> str:
    """What the reader supplied or passed over, or where the book is silent."""
    voice = Voice(variant, language)
    code = f"note.{remark.kind}"
    facts = {name: _fact(name, value, voice) for name, value in remark.facts}
    own = variant.sentence(language, "note", remark.kind)
    if own:
        return own.format_map(facts)
    if known(language, code):
        return sentence(language, code, facts)
    listed = ", ".join(facts.values())
    return sentence(language, "note.unknown", {"kind": remark.kind, "facts": listed})


def _fact(name: str, value: str, voice: Voice) -> str:
    if name == "written":
        return voice.quoted(voice.bare(value) if "/" in value else clip(value))
    if name == "choices":
        return voice.both(map(voice.anything, value.split(", ")))
    return voice.of_power(value) if name == "power" else voice.anything(value)
