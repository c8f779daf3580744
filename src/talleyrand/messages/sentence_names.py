"""What units, places, powers, orders and phases are called in a sentence, and the signs of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from talleyrand.engine.position import Phase
from talleyrand.variants import Variant, VariantNames

from .catalogue import has_sentence, pattern


def phase_name(phase: Phase, variant: Variant, language: str) -> str:
    """ "printemps 1901, mouvements"; letters that have no name stay as they are."""
    code = f"phase.{phase.kind}"
    kind = pattern(language, code) if has_sentence(language, code) else phase.kind
    return f"{variant.season(phase, language)} {phase.year}, {kind}"


RESULT_SIGNS: Mapping[str, str] = {
    "moves": "→",
    "bounces": "✕",
    "holds": "■",
    "support_given": "+",
    "support_cut": "✂",
    "support_void": "∅",
    "convoys": "≈",
    "convoy_void": "∅",
    "convoy_disrupted": "≉",
    "illegal": "!",
    "dislodged": "✹",
    "destroyed": "†",
    "retreats": "↩",
    "disbanded": "–",
    "builds": "+",
    "build_void": "✕",
    "build_ignored": "✕",
    "removed": "–",
    "removal_ignored": "✕",
    "waived": "○",
}
FAILURE_RESULTS = frozenset(
    (
        "bounces",
        "build_ignored",
        "build_void",
        "convoy_disrupted",
        "convoy_void",
        "destroyed",
        "disbanded",
        "dislodged",
        "illegal",
        "removal_ignored",
        "support_cut",
        "support_void",
    )
)


_VOWELS = "aeiouyàâäéèêëîïôöùûüœh"
_QUOTES = {"fr": "«\u00a0{}\u00a0»", "en": "“{}”"}


@dataclass(frozen=True)
class SentenceNames:
    """Names as one language has them on one variant; what it cannot name it repeats as it is."""

    variant: Variant
    language: str

    @property
    def names(self) -> VariantNames:
        return self.variant.names(self.language)

    def word(self, code: str) -> str:
        return pattern(self.language, code)

    def place(self, location: str) -> str:
        """A province or coast with its article, where it has one: "la Bourgogne"."""
        return _place(self.variant, self.language, location)

    def place_name(self, location: str) -> str:
        """A province or coast by its name alone: "Bourgogne"."""
        code, _, coast = location.partition("/")
        if code not in self.names.provinces or (coast and coast not in self.names.coasts):
            return location
        return self.names.location(location)

    def of_power(self, code: str) -> str:
        """The power as a complement: "de la Turquie", "of Turkey"."""
        name = self.power(code)
        if self.language != "fr":
            return f"of {name}"
        for article, contracted in (("le ", "du "), ("les ", "des ")):
            if name.startswith(article):
                return contracted + name.removeprefix(article)
        return f"d’{name}" if name[:1].lower() in _VOWELS else f"de {name}"

    def to_power(self, code: str) -> str:
        """The power as whom something goes to: "à la Turquie", "au Japon", "to Turkey"."""
        name = self.power(code)
        if self.language != "fr":
            return f"to {name}"
        for article, contracted in (("le ", "au "), ("les ", "aux ")):
            if name.startswith(article):
                return contracted + name.removeprefix(article)
        return f"à {name}"

    def unit(self, text: str) -> str:
        """A unit given in normal form: "A PAR" → "A Paris"."""
        return _unit(self.variant, self.language, text)

    def power(self, code: str) -> str:
        """A power with its article: "l’Autriche"."""
        known = self.names.powers.get(code)
        return f"{known.article}{known.name}" if known else code

    def order(self, text: str) -> str:
        """An order in normal form with its places by name: "A PAR - BUR" → "A Paris - Bourgogne"."""
        return " ".join(map(self._token, text.split(" ")))

    def any_name(self, text: str) -> str:
        """A power, a place, a unit or an order in normal form, or words left as they are."""
        if text in self.names.powers:
            return self.power(text)
        return self.place_name(text) if text in self.variant.board.locations else self.order(text)

    def _token(self, token: str) -> str:
        if token in self.variant.board.locations:
            return self.place_name(token)
        return self.word(f"order.{token}") if token in ("VIA", "WAIVE") else token

    def quoted(self, text: str) -> str:
        return _QUOTES[self.language].format(text) if text else ""

    def join_and(self, items: Iterable[str]) -> str:
        """ "A, B et C"."""
        return self._listed(items, "list.and")

    def join_or(self, items: Iterable[str]) -> str:
        """ "A, B ou C"."""
        return self._listed(items, "list.or")

    def _listed(self, items: Iterable[str], link: str) -> str:
        *first, last = list(dict.fromkeys(items)) or [""]
        return f"{', '.join(first)} {self.word(link)} {last}" if first else last


@lru_cache(maxsize=1 << 12)
def _unit(variant: Variant, language: str, text: str) -> str:
    letter, _, location = text.partition(" ")
    return f"{letter} {SentenceNames(variant, language).place_name(location)}" if location else text


@lru_cache(maxsize=1 << 12)
def _place(variant: Variant, language: str, location: str) -> str:
    voice = SentenceNames(variant, language)
    known = voice.names.provinces.get(location.partition("/")[0])
    return f"{known.article}{voice.place_name(location)}" if known else location


def unit_name(unit: object, variant: Variant, language: str, style: str = "full") -> str:
    """A unit (or its normal form) in a style.

    `normal` "F STP/SC", `short` "F StP cs", `full` "F Saint-Pétersbourg (côte sud)", `words`
    "flotte Saint-Pétersbourg (côte sud)". Raises ValueError for another style.
    """
    letter, _, location = str(unit).partition(" ")
    voice = SentenceNames(variant, language)
    if style == "normal":
        return str(unit)
    if style == "short":
        return f"{letter} {_short(voice, location)}"
    if style == "full":
        return voice.unit(str(unit))
    if style == "words":
        kind = voice.names.units.get(letter)
        return f"{kind.name if kind else letter} {voice.place_name(location)}"
    raise ValueError(style)


def _short(voice: SentenceNames, location: str) -> str:
    code, _, coast = location.partition("/")
    for forms in voice.names.abbreviations.values():
        if forms.get(code):
            return " ".join(filter(None, (forms[code][0], _short_coast(voice, coast))))
    return location


def _short_coast(voice: SentenceNames, coast: str) -> str:
    forms = voice.names.coasts[coast].other_forms if coast in voice.names.coasts else ()
    return forms[0] if forms else coast.lower()
