"""The public proposals of a variant that letters to everybody may be about: argued for, and answered."""

from __future__ import annotations

from typing import NamedTuple

from talleyrand.web.boards import politics_context
from talleyrand.web.games import binding_orders
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game


class ProposalRef(NamedTuple):
    """A proposal: the phase in which it was made, in which vote, by whom."""

    number: int
    vote: str
    by: str

    @property
    def key(self) -> str:
        """How a letter names it."""
        return f"{self.number}.{self.vote}.{self.by}"

    @classmethod
    def parse(cls, key: str) -> ProposalRef | None:
        """From what a letter keeps; None where it names nothing."""
        number, _, rest = key.partition(".")
        vote, _, by = rest.partition(".")
        known = number.isascii() and number.isdecimal() and len(number) < 7 and vote and by
        return cls(int(number), vote, by) if known else None


def proposal_phase(story: GameHistory, number: int, phase: str) -> int:
    """The phase in which the proposals were made that lie on the table in a phase."""
    return number if story.is_optional(phase) else number - 1


def open_proposals(game: Game) -> list[ProposalRef]:
    """The proposals that everybody knows of by now and that are not voted on yet."""
    story = GameHistory(game)
    rules = story.variant.definition.politics
    question = story.question(game.phase_number) if rules and game.state in RUNNING_STATES else None
    if rules is None or question is None:
        return []
    told = (
        politics_context.with_announced_affairs(
            question, binding_orders.announced_so_far(game, question)
        ).get("politics")
        or {}
    )
    number = proposal_phase(story, game.phase_number, game.phase)
    return [ProposalRef(number, motion.vote, motion.by) for motion in rules.public_proposals(told)]
