"""Who plays each power: whoever holds the address, or one of the computer’s players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.variants import Variant
from talleyrand.web.boards import incoming, wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.referee import Lines, Question

# as `talleyrand.simulation.bots` has them: asking it would load its compiler for every page
STRENGTHS = ("easy", "normal", "hard")
PLAYERS: Mapping[str, tuple[str, ...]] = {
    "hold": (),
    "random": (),
    "values": STRENGTHS,
    "search": STRENGTHS,
}
USUAL = "values:normal"
POLITICIANS = ("hold", "random", "values")  # those that play where there are votes


def available() -> bool:
    """Whether this site has computer players."""
    return find_spec("numpy") is not None


def is_fast() -> bool:
    """Whether they think in machine code."""
    return find_spec("numba") is not None


def codes(variant: Variant | None = None) -> tuple[str, ...]:
    """Every player, or those that play a variant, with each strength, the weakest first: "random",
    "search:hard"."""
    votes = variant is not None and variant.setting.politics is not None
    return tuple(
        f"{player}:{strength}" if strength else player
        for player, strengths in PLAYERS.items()
        for strength in strengths or ("",)
        if player in POLITICIANS or not votes
    )


def title(code: str) -> str:
    """What a player is called, in the reader's language."""
    player, _colon, strength = code.partition(":")
    words = [_players().get(player, player), _strengths().get(strength, strength)]
    return ", ".join(filter(None, words))


def _players() -> dict[str, str]:
    return {
        "hold": _("stays where it is"),
        "random": _("plays at random"),
        "values": _("heads for centres"),
        "search": _("thinks ahead"),
    }


def _strengths() -> dict[str, str]:
    return {"easy": _("easy"), "normal": _("normal"), "hard": _("hard")}


@dataclass(frozen=True)
class Seat:
    """A power and who plays it: `code` is "" for a person."""

    power: str
    name: str
    colour: str
    code: str

    @property
    def player(self) -> str:
        return title(self.code) if self.code else ""


def seats(variant: Variant, bots: Mapping[str, str]) -> list[Seat]:
    """Every power in the variant's order, then the seats without land."""
    return [
        Seat(power, wording.power(variant, power), variant.colours[power], bots.get(power, ""))
        for power in variant.setting.seats
    ]


def choice(variant: Variant) -> list[tuple[str, str]]:
    """The players one may choose for a variant, for a menu."""
    return [(code, title(code)) for code in codes(variant)]


def others(variant: Variant, mine: str, code: str) -> dict[str, str]:
    """One power for a person ("": none), all the others for the computer; raises Refused."""
    if mine not in ("", *variant.setting.seats) or code not in codes(variant):
        raise incoming.meaningless()
    return {power: code for power in variant.setting.seats if power != mine}


WATCHED = "-"  # no power for a person, on the form of a new game


def at_the_start(variant: Variant, sent: Mapping[str, Any]) -> dict[str, str]:
    """Who plays a new game: a person every power, one, or none; raises Refused."""
    mine = str(sent.get("mine", ""))
    if not mine:
        return {}
    return others(variant, "" if mine == WATCHED else mine, str(sent.get("player", USUAL)))


def one_by_one(variant: Variant, sent: Mapping[str, Any]) -> dict[str, str]:
    """The menus of each power, `player-FRANCE`; raises Refused."""
    found = {power: str(sent.get(f"player-{power}", "")) for power in variant.setting.seats}
    if not set(found.values()) <= {"", *codes(variant)}:
        raise incoming.meaningless()
    return {power: code for power, code in found.items() if code}


def known(bots: Mapping[str, str]) -> dict[str, str]:
    """The players of a file that this site knows too."""
    return {power: code for power, code in bots.items() if code in codes()}


def without(lines: Lines, bots: Mapping[str, str]) -> dict[str, list[str]]:
    """What a person wrote; a power that is the computer's is not his to order."""
    return {power: sheet for power, sheet in lines.items() if power not in bots}


def kept_apart(change: incoming.Change, bots: Mapping[str, str]) -> incoming.Change:
    """The change, which neither sees nor touches what was written for the computer's powers.

    It raises Unfit where it orders one of them.
    """

    def apart(question: Question, draft: Lines) -> Lines:
        fresh = change(question, without(draft, bots))
        for power in bots:
            if fresh.get(power):
                raise Unfit("computer", fresh[power][0])
        return {**fresh, **{power: sheet for power, sheet in draft.items() if power in bots}}

    return apart
