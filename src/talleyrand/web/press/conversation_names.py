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
    """The words of a game’s letters for one visitor.

    `own` is the power whose side is shown: a room is named by the others in it. Of somebody with several
    powers it has to be said, or rooms are named by all their powers.
    """

    sight: GameViewer
    variant: Variant
    own: str = ""

    @classmethod
    def for_viewer(cls, sight: GameViewer, own: str = "") -> ConversationNames:
        only = sight.powers[0] if len(sight.powers) == 1 else own
        return cls(sight, variants.load(sight.game.variant), only)

    def power(self, code: str) -> Names:
        """A power with its colour, for a line of a page."""
        return {
            "code": code,
            "name": display_names.power_name(self.variant, code),
            "colour": display_names.power_colour(self.variant, code),
        }

    def titled_powers(self, to: Recipients) -> list[Names]:
        """The powers of a room whom its title names: all but the one whose side is shown."""
        return [self.power(power) for power in to.powers if power != self.own]

    def title(self, to: Recipients) -> str:
        if to.kind == ConversationKind.ALL:
            return pgettext("recipients", "Everyone")
        names = ", ".join(power["name"] for power in self.titled_powers(to))
        if to.kind != ConversationKind.MASTER or self.sight.is_game_master:
            return names
        if names:
            return _("Game master (%(power)s)") % {"power": names}
        return pgettext("signature", "Game master")

    def signature(self, letter: Message) -> Names:
        """Who a letter says it is from; whose a declaration is, its power and the game master are told."""
        if letter.signature == GAME_MASTER:
            return {"name": pgettext("signature", "Game master"), "colour": ""}
        if letter.signature != UNSIGNED:
            found = self.power(letter.signature)
            return {**found, "name": bot_name(found["name"])} if letter.is_bots else found
        known = self.sight.is_game_master or letter.author_power in self.sight.powers
        if not known:
            return {"name": _("Unsigned"), "colour": ""}
        named = {"power": display_names.power_name(self.variant, letter.author_power)}
        return {"name": _("Unsigned (%(power)s)") % named, "colour": ""}

    def phase(self, letter: Message) -> str:
        """ "Printemps 1901, mouvements": the phase in which a letter was written."""
        if letter.phase:
            return display_names.phase_name(self.variant, letter.phase)
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


def bot_name(power: str) -> str:
    """What a power is called as whom a bot writes."""
    return _("%(power)s (bot)") % {"power": power}


def recipients_of(room: Conversation) -> Recipients:
    """Whom a kept room is for."""
    return Recipients(ConversationKind(room.kind), tuple(room.powers))
