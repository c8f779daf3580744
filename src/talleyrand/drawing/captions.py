"""The words of a drawing in the reader's language; the catalogue stands beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources

from talleyrand.engine.errors import UnknownName
from talleyrand.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Phase, UnitName
from talleyrand.variants import LANGUAGES, Variant

SOURCE_LANGUAGE = "en"  # the language the messages are written in


def mark_for_translation(message: str) -> str:
    """The message itself, marked for the catalogue."""
    return message


_ = mark_for_translation


RESULT_CAPTIONS: Mapping[str, str] = {
    OrderResult.MOVES: _("moves"),
    OrderResult.BOUNCES: _("bounced"),
    OrderResult.HOLDS: _("holds"),
    OrderResult.SUPPORT_GIVEN: _("support given"),
    OrderResult.SUPPORT_CUT: _("support cut"),
    OrderResult.SUPPORT_VOID: _("support void"),
    OrderResult.CONVOYS: _("convoys"),
    OrderResult.CONVOY_VOID: _("convoy void"),
    OrderResult.CONVOY_DISRUPTED: _("convoy disrupted"),
    OrderResult.ILLEGAL: _("illegal order"),
    OrderResult.DISLODGED: _("dislodged"),
    OrderResult.DESTROYED: _("destroyed"),
    OrderResult.RETREATS: _("unit retreats"),
    OrderResult.DISBANDED: _("disbanded"),
    OrderResult.BUILDS: _("built"),
    OrderResult.BUILD_VOID: _("invalid build"),
    OrderResult.BUILD_IGNORED: _("build ignored"),
    OrderResult.REMOVED: _("removed"),
    OrderResult.REMOVAL_IGNORED: _("removal ignored"),
    OrderResult.WAIVED: _("build waived"),
}
PHASE_CAPTIONS: Mapping[str, str] = {
    "M": _("movement"),
    "R": _("retreats"),
    "A": _("adjustments"),
    "D": _("draft"),
    "N": _("choice of home centres"),
    "H": _("choice of home powers"),
    "B": _("bids"),
    "P": _("proposals"),
}


@cache
def _catalogue(language: str) -> NullTranslations:
    if language not in LANGUAGES:
        raise UnknownName("unknown_language", language=language, known=", ".join(LANGUAGES))
    if language == SOURCE_LANGUAGE:
        return NullTranslations()
    file = resources.files(__package__) / "locale" / language / "LC_MESSAGES" / "drawing.mo"
    with file.open("rb") as compiled:
        return GNUTranslations(compiled)


def check_language(language: str) -> None:
    """Raise UnknownName (`unknown_language`) for a language without words."""
    _catalogue(language)


def result_caption(variant: Variant, language: str, word: str) -> str:
    """A result in a word or two; one of the variant's own in its own words."""
    return variant.sentence(language, "result", word) or translate(language, RESULT_CAPTIONS[word])


def translate(language: str, message: str, **facts: str) -> str:
    """The message in the language, its blanks filled."""
    return _catalogue(language).gettext(message).format(**facts)


def power_caption(variant: Variant, language: str, code: str) -> str:
    known = variant.names(language).powers.get(code)
    return known.name if known else code


def place_caption(variant: Variant, language: str, location: str) -> str:
    """The full name of a location, or the code itself where the variant has none."""
    try:
        return variant.names(language).location(location)
    except KeyError:
        return location


def unit_caption(variant: Variant, language: str, named: UnitName) -> str:
    """As in "armée, Paris"."""
    kind = variant.names(language).units.get(named.kind)
    return f"{kind.name if kind else named.kind}, {place_caption(variant, language, named.location)}"


def order_caption(variant: Variant, language: str, given: Order) -> str:
    """An order as one line."""
    facts = {
        "unit": unit_caption(variant, language, given.unit) if given.unit else "",
        "target": unit_caption(variant, language, given.target)
        if isinstance(given, Support | Convoy)
        else "",
        "to": place_caption(variant, language, getattr(given, "to", None) or ""),
    }
    return translate(language, _pattern(given), **facts)


def _pattern(given: Order) -> str:
    if isinstance(given, Support) and given.to is None:
        return _("{unit}: supports {target}")
    if isinstance(given, Move) and given.via:
        return _("{unit} → {to}, by convoy")
    return ORDER_PATTERNS[type(given)]


ORDER_PATTERNS: Mapping[type, str] = {
    Hold: _("{unit}: holds"),
    Move: _("{unit} → {to}"),
    Support: _("{unit}: supports {target} → {to}"),
    Convoy: _("{unit}: convoys {target} → {to}"),
    Retreat: _("{unit}: retreats to {to}"),
    Disband: _("{unit}: leaves the board"),
    Build: _("{unit}: new unit"),
    Waive: _("build waived"),
}


def phase_caption(variant: Variant, language: str, now: Phase) -> str:
    """As in "printemps 1901, mouvements"."""
    kind = PHASE_CAPTIONS.get(now.kind)
    return f"{variant.season(now, language)} {now.year}" + (f", {translate(language, kind)}" if kind else "")
