"""The first line of a mail to everybody that names the proposal it is about, as our own mails write it."""

from __future__ import annotations

import re

from talleyrand import variants
from talleyrand.variants import LANGUAGES, Variant
from talleyrand.web.games.models import Game
from talleyrand.web.press import proposal_refs
from talleyrand.web.press.conversation_pages import search_form
from talleyrand.web.press.proposal_refs import ProposalRef

LINE = re.compile(
    r"(?:sur la proposition|on the proposal)\s*:\s*(?P<power>[^,]+?)\s*(?:,\s*(?P<vote>.+?))?\.?\s*"
)
UNKNOWN = "?"


def split_proposal_line(game: Game, text: str) -> tuple[str, str]:
    """The proposal that a text names first ("": none; "?": none that lies on the table), and the rest of it.

    By the code or the name of whoever made it, in either language; with the vote where they made several.
    """
    first, _, rest = text.lstrip().partition("\n")
    found = LINE.fullmatch(search_form(first))
    if found is None:
        return "", text
    variant = variants.load(game.variant)
    meant = [
        motion
        for motion in proposal_refs.open_proposals(game)
        if found["power"] in _names(variant, motion)
        and (not found["vote"] or found["vote"] in _votes(variant, motion))
    ]
    return meant[0].key if len(meant) == 1 else UNKNOWN, rest


def _names(variant: Variant, motion: ProposalRef) -> set[str]:
    told = {variant.names(language).powers[motion.by].name for language in LANGUAGES}
    return {search_form(name) for name in (*told, motion.by)}


def _votes(variant: Variant, motion: ProposalRef) -> set[str]:
    told = {variant.sentence(language, "vote", motion.vote) for language in LANGUAGES}
    return {search_form(name) for name in (*told, motion.vote)}
