"""A power’s sheet of the open phase: what is in preparation, what was handed in, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from talleyrand.web.boards import politics
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Question
from talleyrand.web.games import inbox, lasting
from talleyrand.web.games.models import Game, Seat, Sheet
from talleyrand.web.games.story import Story


@dataclass
class OwnSheet:
    """The draft of a power, and the last sheet it handed in."""

    game: Game
    seat: Seat
    number: int
    question: Question
    handed: Sheet | None

    @classmethod
    def of(cls, game: Game, power: str, number: int, question: Question) -> OwnSheet:
        """As it stands now."""
        seat = game.seats.get(power=power)
        return cls(game, seat, number, question, inbox.counted(game, power, number))

    @classmethod
    def left_by(cls, sheet: Sheet) -> OwnSheet | None:
        """As a sheet has left it that was written this moment: the draft is the same, and it counts.

        None where its game is at a phase without a question.
        """
        question = Story(sheet.game).question(sheet.number)
        if question is None:
            return None
        seat = Seat(power=sheet.power, draft=sheet.lines, draft_number=sheet.number, final=sheet.final)
        known = politics.known(question, lasting.announced(sheet.game, question))
        return cls(sheet.game, seat, sheet.number, known, sheet)

    @property
    def power(self) -> str:
        return self.seat.power

    @property
    def lines(self) -> list[str]:
        """The orders in preparation."""
        return inbox.drafted(self.seat, self.number)

    @property
    def state(self) -> str:
        """nothing, draft, saved or final, as the desk has it."""
        if self.handed:
            return inbox.FINAL if self.seat.final else inbox.SAVED
        return inbox.DRAFT if self.lines else inbox.NOTHING

    @property
    def differs(self) -> bool:
        """Whether the draft is another than the sheet that was handed in."""
        return self.handed is not None and self.handed.lines != self.lines

    @cached_property
    def preparation(self) -> Preparation:
        return Preparation(self.question, {self.power: self.lines} if self.lines else {}, self.power)

    @property
    def counted(self) -> Preparation:
        """What counts if nothing else is handed in: the sheet, or the draft."""
        if self.handed is None or not self.differs:
            return self.preparation
        return Preparation(self.question, {self.power: self.handed.lines}, self.power)


def without_order(preparation: Preparation) -> list[str]:
    """The units that might be ordered and are not, by their names; in adjustments none is."""
    given = preparation.given
    subjects = (one for menu in preparation.menus if menu.due is None for one in menu.subjects)
    return [
        one.label for one in subjects if one.unit and one.province not in given and preparation.is_led(one)
    ]
