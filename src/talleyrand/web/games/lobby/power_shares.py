"""How a board made for more is shared out among fewer players, where its game says so only at the start."""

from __future__ import annotations

from collections.abc import Sequence

from talleyrand.variants import Variant
from talleyrand.variants.game_splits import Shares


def power_shares(variant: Variant, players: int) -> Shares | None:
    """The first shares that the variant has for so many players; None where it has none."""
    found = [split.shares for split in variant.splits_for(players) if split.name]
    return found[0] if found else None


def share_name(powers: Sequence[str]) -> str:
    """A share as the draw names it."""
    return "+".join(powers)


def preferred_shares(wishes: Sequence[str], known: Shares) -> list[str]:
    """The shares that hold the powers wished, each once, in the order of the wishes."""
    found = (share_name(share) for power in wishes for share in known if power in share)
    return list(dict.fromkeys(found))
