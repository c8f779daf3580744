"""What a room and a signature are called for the visitor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.games.viewer_permissions import GameViewer

from .models import Conversation, Message
from .press_rules import GAME_MASTER, UNSIGNED, ConversationKind, Recipients
from .proposal_refs import ProposalRef

Names = dict[str, Any]


@dataclass(frozen=True)
class ConversationNames:
    """The words of a game’s letters for one visitor."""

    sight: GameViewer
    variant: Variant

    @classmethod
    def for_viewer(cls, sight: GameViewer) -> ConversationNames:
        return cls(sight, variants.load(sight.game.variant))

    def power(self, code: str) -> Names:
        """A power with its colour, for a line of a page."""
        return {
            "code": code,
            "name": display_names.power_name(self.variant, code),
            "colour": display_names.power_colour(self.variant, code),
        }

    def titled_powers(self, to: Recipients) -> list[Names]:
        """The powers of a room whom its title names: not one’s own where it is the only one."""
        own = [power for power in to.powers if power in self.sight.powers]
        alone = len(own) == 1 and (to.kind != ConversationKind.MASTER or len(self.sight.powers) == 1)
        left = own if alone else []
        return [self.power(power) for power in to.powers if power not in left]

    def title(self, to: Recipients) -> str:
        if to.kind == ConversationKind.ALL:
            return pgettext("recipients", "Everyone")
        names = ", ".join(power["name"] for power in self.titled_powers(to))
        if to.kind != ConversationKind.MASTER:
            return names
        if self.sight.is_game_master:
            return names
        several = len(self.sight.powers) > 1
        return (
            _("Game master (%(power)s)") % {"power": names}
            if several
            else pgettext("signature", "Game master")
        )

    def signature(self, letter: Message) -> Names:
        """Who a letter says it is from; whose a declaration is, its power and the game master are told."""
        if letter.signature == GAME_MASTER:
            return {"name": pgettext("signature", "Game master"), "colour": ""}
        if letter.signature != UNSIGNED:
            return self.power(letter.signature)
        known = self.sight.is_game_master or letter.author_power in self.sight.powers
        if not known:
            return {"name": _("Unsigned"), "colour": ""}
        named = {"power": display_names.power_name(self.variant, letter.author_power)}
        return {"name": _("Unsigned (%(power)s)") % named, "colour": ""}

    def phase(self, letter: Message) -> str:
        """ "Printemps 1901": the season in which a letter was written."""
        if letter.phase:
            return display_names.season_name(self.variant, letter.phase)
        return _("After the end") if letter.phase_number else _("Before the start")

    def proposal_text(self, key: str) -> str:
        """The proposal that a letter is about; "" for none."""
        motion = ProposalRef.parse(key)
        if motion is None:
            return ""
        vote = self.variant.sentence(display_names.reader_language(), "vote", motion.vote) or motion.vote
        facts = {
            "power": display_names.power_name(self.variant, motion.by),
            "vote": f"{vote[:1].lower()}{vote[1:]}",
        }
        return _("On the proposal: %(power)s, %(vote)s") % facts

    def choices(self, powers: Iterable[str]) -> list[Names]:
        """Signatures to choose from."""
        return [
            {"code": GAME_MASTER, "name": pgettext("signature", "Game master"), "colour": ""}
            if one == GAME_MASTER
            else self.power(one)
            for one in powers
        ]


def recipients_of(room: Conversation) -> Recipients:
    """Whom a kept room is for."""
    return Recipients(ConversationKind(room.kind), tuple(room.powers))
