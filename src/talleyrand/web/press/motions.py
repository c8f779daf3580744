"""The public proposals of a variant that letters to everybody may be about: argued for, and answered."""

from __future__ import annotations

from typing import NamedTuple

from talleyrand.web.boards import politics
from talleyrand.web.games import lasting
from talleyrand.web.games.models import RUNNING, Game
from talleyrand.web.games.story import Story


class Motion(NamedTuple):
    """A proposal: the phase in which it was made, in which vote, by whom."""

    number: int
    vote: str
    by: str

    @property
    def key(self) -> str:
        """How a letter names it."""
        return f"{self.number}.{self.vote}.{self.by}"

    @classmethod
    def read(cls, key: str) -> Motion | None:
        """From what a letter keeps; None where it names nothing."""
        number, _, rest = key.partition(".")
        vote, _, by = rest.partition(".")
        known = number.isascii() and number.isdecimal() and len(number) < 7 and vote and by
        return cls(int(number), vote, by) if known else None


def made_in(story: Story, number: int, phase: str) -> int:
    """The phase in which the proposals were made that lie on the table in a phase."""
    return number if story.is_optional(phase) else number - 1


def on_table(game: Game) -> list[Motion]:
    """The proposals that everybody knows of by now and that are not voted on yet."""
    story = Story(game)
    rules = story.variant.setting.politics
    question = story.question(game.number) if rules and game.state in RUNNING else None
    if rules is None or question is None:
        return []
    told = politics.known(question, lasting.announced(game, question)).get("politics") or {}
    number = made_in(story, game.number, game.phase)
    return [Motion(number, motion.vote, motion.by) for motion in rules.agenda(told)]
