"""Who plays each power: whoever holds the address, or one of the computer’s players."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, order_requests
from talleyrand.web.boards.adjudicator import Lines, Question
from talleyrand.web.boards.order_drafts import DraftRefusal

# as `talleyrand.simulation.bots` has them: asking it would load its compiler for every page
BOT_STRENGTHS = ("easy", "normal", "hard")
BOT_KINDS: Mapping[str, tuple[str, ...]] = {
    "hold": (),
    "random": (),
    "values": ("easy", "normal"),
    "search": BOT_STRENGTHS,
}
DEFAULT_BOT = "values:normal"
FORMER_BOTS = {"values:hard": "values:normal"}  # in older games and files: as whom they play
VOTING_BOTS = ("hold", "random", "values")  # those that play where there are votes
SLOW_BOT, QUICK_BOT = "search", DEFAULT_BOT  # who takes long, and who plays instead where there is no time


def bots_available() -> bool:
    """Whether this site has computer players."""
    return find_spec("numpy") is not None


def bots_are_compiled() -> bool:
    """Whether they think in machine code."""
    return find_spec("numba") is not None


def seed_number(seed: str) -> int:
    """The seed of a game as a number."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7], "big")


def bot_codes(variant: Variant | None = None) -> tuple[str, ...]:
    """Every player, or those that play a variant, with each strength, the weakest first: "random",
    "search:hard"."""
    votes = variant is not None and variant.definition.politics is not None
    return tuple(
        f"{player}:{strength}" if strength else player
        for player, strengths in BOT_KINDS.items()
        for strength in strengths or ("",)
        if player in VOTING_BOTS or not votes
    )


def takes_long(code: str) -> bool:
    """Whether a bot thinks for long."""
    return code.partition(":")[0] == SLOW_BOT


def playing_bot(code: str) -> str:
    """Who plays for a bot on this site: another one where nothing is compiled and it would take long."""
    return QUICK_BOT if takes_long(code) and not bots_are_compiled() else FORMER_BOTS.get(code, code)


def bot_title(code: str) -> str:
    """What a player is called, in the reader's language, and as whom it plays on this site."""
    name, played = _bot_name(code), _bot_name(playing_bot(code))
    known = code in FORMER_BOTS or played == name
    return played if known else _("%(bot)s (on this site: %(weaker)s)") % {"bot": name, "weaker": played}


def _bot_name(code: str) -> str:
    player, _colon, strength = code.partition(":")
    words = [_players().get(player, player), _strengths().get(strength, strength)]
    return ", ".join(filter(None, words))


def _players() -> dict[str, str]:
    return {
        "hold": _("always holds"),
        "random": _("random"),
        "values": _("greedy"),
        "search": _("looks ahead"),
    }


def _strengths() -> dict[str, str]:
    return {"easy": _("easy"), "normal": _("normal"), "hard": _("hard")}


@dataclass(frozen=True)
class PracticeSeat:
    """A power and who plays it: `bot` is "" for a person."""

    power: str
    name: str
    colour: str
    bot: str

    @property
    def bot_title(self) -> str:
        return bot_title(self.bot) if self.bot else ""


def practice_seats(variant: Variant, bots: Mapping[str, str]) -> list[PracticeSeat]:
    """Every power in the variant's order, then the seats without land."""
    current = {power: FORMER_BOTS.get(code, code) for power, code in bots.items()}
    return [
        PracticeSeat(
            power, display_names.power_name(variant, power), variant.colours[power], current.get(power, "")
        )
        for power in variant.definition.seats
    ]


def bot_choices(variant: Variant) -> list[tuple[str, str]]:
    """The players one may choose for a variant, for a menu."""
    return [(code, bot_title(code)) for code in bot_codes(variant)]


def bots_for_all_but(variant: Variant, mine: str, code: str) -> dict[str, str]:
    """One power for a person ("": none), all the others for the computer; raises RequestRefusal."""
    if mine not in ("", *variant.definition.seats) or code not in bot_codes(variant):
        raise order_requests.meaningless_request()
    return {power: code for power in variant.definition.seats if power != mine}


NO_POWER_FOR_PERSON = "-"  # no power for a person, on the form of a new game
POWER_BY_LOT = "lot"  # on the first page


def bots_of_new_game(variant: Variant, sent: Mapping[str, Any]) -> dict[str, str]:
    """Who plays a new game: a person every power, one, or none; raises RequestRefusal."""
    mine = str(sent.get("mine", ""))
    if not mine:
        return {}
    if mine == POWER_BY_LOT:
        mine = secrets.choice(variant.definition.players)
    return bots_for_all_but(
        variant, "" if mine == NO_POWER_FOR_PERSON else mine, str(sent.get("player", DEFAULT_BOT))
    )


def bots_from_menus(variant: Variant, sent: Mapping[str, Any]) -> dict[str, str]:
    """The menus of each power, `player-FRANCE`; raises RequestRefusal."""
    found = {power: str(sent.get(f"player-{power}", "")) for power in variant.definition.seats}
    if not set(found.values()) <= {"", *bot_codes(variant)}:
        raise order_requests.meaningless_request()
    return {power: code for power, code in found.items() if code}


def known_bots(bots: Mapping[str, str]) -> dict[str, str]:
    """The players of a file that this site knows too."""
    current = {power: FORMER_BOTS.get(code, code) for power, code in bots.items()}
    return {power: code for power, code in current.items() if code in bot_codes()}


def without_bot_powers(lines: Lines, bots: Mapping[str, str]) -> dict[str, list[str]]:
    """What a person wrote; a power that is the computer's is not his to order."""
    return {power: sheet for power, sheet in lines.items() if power not in bots}


def protect_bot_powers(
    change: order_requests.DraftChange, bots: Mapping[str, str]
) -> order_requests.DraftChange:
    """The change, which neither sees nor touches what was written for the computer's powers.

    It raises DraftRefusal where it orders one of them.
    """

    def apart(question: Question, draft: Lines) -> Lines:
        fresh = change(question, without_bot_powers(draft, bots))
        for power in bots:
            if fresh.get(power):
                raise DraftRefusal("computer", fresh[power][0])
        return {**fresh, **{power: sheet for power, sheet in draft.items() if power in bots}}

    return apart
