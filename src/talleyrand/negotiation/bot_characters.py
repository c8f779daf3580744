"""The characters of bots: how long they promise, whom they trust, and whether they keep their word."""

from __future__ import annotations

from typing import NamedTuple

from talleyrand.engine.random_draws import draw_one

from .proposals import MOST_YEARS


class BotCharacter(NamedTuple):
    """`trusts_from`: the least trust with which it promises anything; `most_years`: for how long at most;
    `for_nothing`: whether it helps a friend without a return; `keeps_word`: also where it would gain by
    breaking it; `forgives`: whether it agrees to anything within a year of a broken word.
    """

    name: str
    trusts_from: int
    most_years: int
    for_nothing: bool
    keeps_word: bool
    forgives: bool


CHARACTERS = {
    one.name: one
    for one in (
        BotCharacter("loyal", -2, MOST_YEARS, for_nothing=True, keeps_word=True, forgives=True),
        BotCharacter("wary", 0, 1, for_nothing=False, keeps_word=True, forgives=False),
        BotCharacter("treacherous", -4, MOST_YEARS, for_nothing=False, keeps_word=False, forgives=True),
    )
}


def character_by_lot(seed: str, power: str) -> BotCharacter:
    """The character of a power's bot in the game with this seed."""
    return CHARACTERS[draw_one(seed, f"character of {power}", CHARACTERS)]
