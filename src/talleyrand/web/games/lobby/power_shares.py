"""How a board made for more is shared out among fewer players, as its rules print it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Shares = tuple[tuple[str, ...], ...]

# Rules of 1976, X.2: six leave out Italy, five Germany too; four and three play several powers each. Two
# begin in 1914 with a neutral Italy, which is another game.
CLASSIC: Mapping[int, Shares] = {
    6: (("AUSTRIA",), ("ENGLAND",), ("FRANCE",), ("GERMANY",), ("RUSSIA",), ("TURKEY",)),
    5: (("AUSTRIA",), ("ENGLAND",), ("FRANCE",), ("RUSSIA",), ("TURKEY",)),
    4: (("ENGLAND",), ("AUSTRIA", "FRANCE"), ("GERMANY", "TURKEY"), ("ITALY", "RUSSIA")),
    3: (("ENGLAND", "GERMANY", "AUSTRIA"), ("RUSSIA", "ITALY"), ("FRANCE", "TURKEY")),
}
KNOWN_SHARES: Mapping[str, Mapping[int, Shares]] = {"classic": CLASSIC}


def power_shares(variant: str, players: int) -> Shares | None:
    """The shares for so many players; None where the rules know none."""
    return KNOWN_SHARES.get(variant, {}).get(players)


def share_name(powers: Sequence[str]) -> str:
    """A share as the draw names it."""
    return "+".join(powers)


def preferred_shares(wishes: Sequence[str], known: Shares) -> list[str]:
    """The shares that hold the powers wished, each once, in the order of the wishes."""
    found = (share_name(share) for power in wishes for share in known if power in share)
    return list(dict.fromkeys(found))
