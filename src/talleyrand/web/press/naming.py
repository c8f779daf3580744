"""What a room and a signature are called for the visitor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.games.sight import Sight

from .models import Letter, Room
from .motions import Motion
from .rules import MASTER, NOBODY, Address, Kind

Names = dict[str, Any]


@dataclass(frozen=True)
class Naming:
    """The words of a game’s letters for one visitor."""

    sight: Sight
    variant: Variant

    @classmethod
    def of(cls, sight: Sight) -> Naming:
        return cls(sight, variants.load(sight.game.variant))

    def power(self, code: str) -> Names:
        """A power with its colour, for a line of a page."""
        return {
            "code": code,
            "name": wording.power(self.variant, code),
            "colour": wording.colour(self.variant, code),
        }

    def inside(self, to: Address) -> list[Names]:
        """The powers of a room whom its title names: not one’s own where it is the only one."""
        own = [power for power in to.powers if power in self.sight.powers]
        alone = len(own) == 1 and (to.kind != Kind.MASTER or len(self.sight.powers) == 1)
        left = own if alone else []
        return [self.power(power) for power in to.powers if power not in left]

    def title(self, to: Address) -> str:
        if to.kind == Kind.ALL:
            return pgettext("recipients", "Everybody")
        names = ", ".join(power["name"] for power in self.inside(to))
        if to.kind != Kind.MASTER:
            return names
        if self.sight.is_master:
            return names
        several = len(self.sight.powers) > 1
        return (
            _("Game master (%(power)s)") % {"power": names}
            if several
            else pgettext("signature", "Game master")
        )

    def signature(self, letter: Letter) -> Names:
        """Who a letter says it is from; whose a declaration is, its power and the game master are told."""
        if letter.signed == MASTER:
            return {"name": pgettext("signature", "Game master"), "colour": ""}
        if letter.signed != NOBODY:
            return self.power(letter.signed)
        known = self.sight.is_master or letter.writer in self.sight.powers
        if not known:
            return {"name": _("Without signature"), "colour": ""}
        named = {"power": wording.power(self.variant, letter.writer)}
        return {"name": _("Without signature (%(power)s)") % named, "colour": ""}

    def phase(self, letter: Letter) -> str:
        """ "Printemps 1901": the season in which a letter was written."""
        if letter.phase:
            return wording.season(self.variant, letter.phase)
        return _("After the end") if letter.number else _("Before the start")

    def about(self, key: str) -> str:
        """The proposal that a letter is about; "" for none."""
        motion = Motion.read(key)
        if motion is None:
            return ""
        vote = self.variant.sentence(wording.language(), "vote", motion.vote) or motion.vote
        facts = {"power": wording.power(self.variant, motion.by), "vote": f"{vote[:1].lower()}{vote[1:]}"}
        return _("On the proposal: %(power)s, %(vote)s") % facts

    def choices(self, powers: Iterable[str]) -> list[Names]:
        """Signatures to choose from."""
        return [
            {"code": MASTER, "name": pgettext("signature", "Game master"), "colour": ""}
            if one == MASTER
            else self.power(one)
            for one in powers
        ]


def address_of(room: Room) -> Address:
    """Whom a kept room is for."""
    return Address(Kind(room.kind), tuple(room.powers))
