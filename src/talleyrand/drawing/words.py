"""The words of a drawing in the reader's language; the catalogue stands beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from talleyrand.engine.outcome import Result
from talleyrand.engine.position import Phase, UnitName
from talleyrand.variants import LANGUAGES, Variant

SOURCE = "en"  # the language the messages are written in


def marked(message: str) -> str:
    """The message itself, marked for the catalogue."""
    return message


_ = marked


RESULTS: Mapping[str, str] = {
    Result.MOVES: _("move made"),
    Result.BOUNCES: _("move failed"),
    Result.HOLDS: _("holds"),
    Result.SUPPORT_GIVEN: _("support given"),
    Result.SUPPORT_CUT: _("support cut"),
    Result.SUPPORT_VOID: _("support without object"),
    Result.CONVOYS: _("convoy made"),
    Result.CONVOY_VOID: _("convoy without object"),
    Result.CONVOY_DISRUPTED: _("convoy disrupted"),
    Result.ILLEGAL: _("illegal order"),
    Result.DISLODGED: _("unit dislodged"),
    Result.DESTROYED: _("unit destroyed"),
    Result.RETREATS: _("retreat made"),
    Result.DISBANDED: _("unit disbanded"),
    Result.BUILDS: _("unit built"),
    Result.BUILD_VOID: _("build not possible"),
    Result.BUILD_IGNORED: _("one build too many"),
    Result.REMOVED: _("unit removed"),
    Result.REMOVAL_IGNORED: _("one removal too many"),
    Result.WAIVED: _("build given up"),
}
PHASES: Mapping[str, str] = {
    "M": _("movement"),
    "R": _("retreats"),
    "A": _("adjustments"),
    "D": _("draft"),
    "N": _("naming of homes"),
    "P": _("proposals"),
}


@cache
def _catalogue(language: str) -> NullTranslations:
    if language not in LANGUAGES:
        raise UnknownName("unknown_language", language=language, known=", ".join(LANGUAGES))
    if language == SOURCE:
        return NullTranslations()
    file = resources.files(__package__) / "locale" / language / "LC_MESSAGES" / "drawing.mo"
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)


def check(language: str) -> None:
    """Raise UnknownName (`unknown_language`) for a language without words."""
    _catalogue(language)


def result(variant: Variant, language: str, word: str) -> str:
    """A result in a word or two; one of the variant's own in its own words."""
    return variant.sentence(language, "result", word) or say(language, RESULTS[word])


def say(language: str, message: str, **facts: str) -> str:
    """The message in the language, its blanks filled."""
    return _catalogue(language).gettext(message).format(**facts)


def power(variant: Variant, language: str, code: str) -> str:
    known = variant.names(language).powers.get(code)
    return known.name if known else code


def place(variant: Variant, language: str, location: str) -> str:
    """The full name of a location, or the code itself where the variant has none."""
    try:
        return variant.names(language).location(location)
    except KeyError:
        return location


def unit(variant: Variant, language: str, named: UnitName) -> str:
    """As in "armée, Paris"."""
    kind = variant.names(language).units.get(named.kind)
    return f"{kind.name if kind else named.kind}, {place(variant, language, named.location)}"


def order(variant: Variant, language: str, given: Order) -> str:
    """An order as one line."""
    facts = {
        "unit": unit(variant, language, given.unit) if given.unit else "",
        "target": unit(variant, language, given.target) if isinstance(given, Support | Convoy) else "",
        "to": place(variant, language, getattr(given, "to", None) or ""),
    }
    return say(language, _pattern(given), **facts)


def _pattern(given: Order) -> str:
    if isinstance(given, Support) and given.to is None:
        return _("{unit}: supports {target}")
    if isinstance(given, Move) and given.via:
        return _("{unit} → {to}, by convoy")
    return PATTERNS[type(given)]


PATTERNS: Mapping[type, str] = {
    Hold: _("{unit}: holds"),
    Move: _("{unit} → {to}"),
    Support: _("{unit}: supports {target} → {to}"),
    Convoy: _("{unit}: convoys {target} → {to}"),
    Retreat: _("{unit}: retreats to {to}"),
    Disband: _("{unit}: leaves the board"),
    Build: _("{unit}: new unit"),
    Waive: _("build given up"),
}


def phase(variant: Variant, language: str, now: Phase) -> str:
    """As in "printemps 1901, mouvements"."""
    kind = PHASES.get(now.kind)
    return f"{variant.season(now, language)} {now.year}" + (f", {say(language, kind)}" if kind else "")
