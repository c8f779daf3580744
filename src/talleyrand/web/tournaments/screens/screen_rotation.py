"""Which screens take turns on a projector: kept in the address, so that a page opens again as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from talleyrand.tournament.whole_numbers import parse_natural

SCREENS = ("clock", "draw", "arrivals", "standings", "rulings", "door")
AT_DESK = ("door",)  # whose code lets whoever reads it in
SHORTEST, USUAL, LONGEST = 5, 20, 600
BY_NAME, BY_BOARD = "name", "board"


@dataclass(frozen=True)
class ScreenRotation:
    """Screens in turn, each for so many seconds; none: one screen stays. `order`: of the draw.

    `chosen`: the round stands in the address; otherwise it is whichever concerns the room.
    """

    key: str
    round: int
    screens: tuple[str, ...] = ()
    seconds: int = USUAL
    order: str = BY_NAME
    chosen: bool = False

    @classmethod
    def from_query(cls, asked: Mapping[str, str], key: str, number: int, *, at_desk: bool) -> ScreenRotation:
        """From an address; what means nothing there is left out."""
        wanted = asked.get("tour", "").split(",")
        screens = tuple(one for one in SCREENS if one in wanted and (at_desk or one not in AT_DESK))
        order = BY_BOARD if asked.get("order") == BY_BOARD else BY_NAME
        return cls(
            key,
            number,
            screens,
            rotation_seconds(asked.get("seconds", "")),
            order,
            asked.get("round") == str(number),
        )

    def screen_url(self, screen: str) -> str:
        """A screen of the tour."""
        asked = {"round": str(self.round)} if self.chosen else {}
        asked |= {"order": self.order} if self.order != BY_NAME else {}
        if self.screens:
            asked |= {"tour": ",".join(self.screens), "seconds": str(self.seconds)}
        way = reverse("tournaments:screen", args=[self.key, screen])
        return f"{way}?{urlencode(asked, safe=',')}" if asked else way

    def next_url(self, screen: str) -> str:
        """The screen that follows in turn; "" where none does."""
        return self._beside(screen, 1)

    def previous_url(self, screen: str) -> str:
        """The one before."""
        return self._beside(screen, -1)

    def _beside(self, screen: str, step: int) -> str:
        turn = self.screens if len(self.screens) > 1 else ()
        if not turn:
            return ""
        at = turn.index(screen) if screen in turn else -step
        return self.screen_url(turn[(at + step) % len(turn)])


def rotation_seconds(text: str) -> int:
    """A number of seconds from an address, within what makes sense."""
    number = parse_natural(text)
    return USUAL if number is None else min(max(number, SHORTEST), LONGEST)
