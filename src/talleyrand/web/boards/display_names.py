"""What the pages call phases, powers, variants and rulebooks, in the reader's language."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from talleyrand import messages, rulebooks, variants
from talleyrand.drawing import map_style
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import Variant

LONGEST_TITLE = 120


def reader_language() -> str:
    return "en" if (get_language() or "fr").startswith("en") else "fr"


def phase_kind(code: str) -> str:
    """ "mouvements": what is decided in a phase."""
    return messages.phase_name(
        Phase("", 0, code[-1:]), variants.load("classic"), reader_language()
    ).rpartition(", ")[2]


def season_name(variant: Variant, text: str) -> str:
    """ "Printemps 1901"; retreats have the name of their own season where the variant gives one."""
    try:
        phase = Phase.parse(text)
    except TalleyrandError:
        return text
    name = variant.season(phase, reader_language())
    return f"{name[:1].upper()}{name[1:]} {phase.year}"


def phase_name(variant: Variant, text: str) -> str:
    """ "Printemps 1901, mouvements"."""
    return f"{season_name(variant, text)}, {phase_kind(text)}"


def phase_title(variant: Variant, text: str, *, over: bool = False) -> dict[str, str]:
    """The parts of a phase’s heading; where the game is over nothing is decided any more."""
    return {"season": season_name(variant, text), "kind": "" if over else phase_kind(text), "code": text}


def led_powers(variant: Variant) -> int:
    """How many powers people lead, by themselves or as sides that have no land of their own."""
    definition = variant.definition
    return len((definition.scripted_powers if definition.politics else ()) or definition.players)


def power_name(variant: Variant, code: str) -> str:
    names = variant.names(reader_language()).powers
    return names[code].name if code in names else code


def power_colour(variant: Variant, code: str) -> str:
    """The colour of a power in the palette that the page is written in, as the boards name it."""
    ranks = {power: rank for rank, power in enumerate(variant.board.powers, 1)}
    own = variant.colours.get(code, "")
    named = code in ranks and len(ranks) <= map_style.PALETTE_SIZE
    return map_style.css_variable(f"power-{ranks[code]}", own) if named else own


def variant_titles() -> list[tuple[str, str]]:
    return [(name, variants.load(name).title[reader_language()]) for name in variants.playable_names()]


def rulebook_titles() -> list[tuple[str, str]]:
    """The books, the default first."""
    names = sorted(rulebooks.names(), key=lambda name: (name != FALLBACK, name))
    return [(name, rulebooks.load(name).title[reader_language()]) for name in names]


def rulebook_title(rulebook: str | dict[str, Any]) -> str:
    """What a game’s rulebook is called, one of its own included."""
    return read_rulebook(rulebook).title[reader_language()][:LONGEST_TITLE]


def result_name(code: str, variant: Variant | None = None) -> str:
    """A result in a word or two."""
    return messages.result_word(code, reader_language(), variant)
