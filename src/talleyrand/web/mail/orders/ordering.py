"""Orders that came by mail: handed in as a sheet, or refused with the reason, and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.games import audience, dating, inbox
from talleyrand.web.games.inbox import NotTaken
from talleyrand.web.games.models import RUNNING, Game, Revision, Sheet, State
from talleyrand.web.games.playing import telling
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.mail import addressing, identity
from talleyrand.web.mail.identity import Writer
from talleyrand.web.mail.models import Arrival
from talleyrand.web.mail.outcomes import Outcome, Result
from talleyrand.web.mail.reading.mail import Mail
from talleyrand.web.mail.writers import writer_of
from talleyrand.web.press import rules

from . import granting, sheet_words, sheets
from .sheet_words import Letter
from .sheets import Found

JUDGING = timedelta(minutes=2)

OUTCOMES = {
    "late": Outcome.LATE,
    "over": Outcome.OVER,
    "not_begun": Outcome.NOT_BEGUN,
    "not_yours": Outcome.NOT_YOURS,
    "no_seat": Outcome.NOT_YOURS,
    "nothing": Outcome.NO_ORDERS,
    "repeated": Outcome.REPEATED,
}


def take(arrival: Arrival, mail: Mail) -> Result:
    """Hand in the sheet of a mail; done again for the same mail, it is the same sheet.

    To be called in the language of whoever wrote it.
    """
    return Orders(arrival, mail).result()


@dataclass
class Orders:
    """A mail to the address of a power’s orders, and the game as it stands."""

    arrival: Arrival
    mail: Mail

    @cached_property
    def game(self) -> Game:
        game = self.arrival.mailbox.game
        assert game is not None
        return Game.objects.get(pk=game.pk)

    @cached_property
    def person(self) -> Person:
        person = self.arrival.mailbox.person
        assert person is not None
        return person

    @property
    def power(self) -> str:
        return self.arrival.mailbox.power

    @property
    def key(self) -> str:
        return granting.key(self.arrival)

    @cached_property
    def story(self) -> Story:
        return Story(self.game)

    @cached_property
    def question(self) -> Mapping[str, Any]:
        return self.story.question(self.game.number) or {}

    @cached_property
    def found(self) -> Found:
        """What the mail says. Raises Unfit."""
        return sheets.read(self.mail.text, self.question, self.power, self._tells)

    @cached_property
    def _writer(self) -> Writer:
        return writer_of(self.person, Sight.of(self.game, self.person), self.mail)

    def _tells(self, line: str) -> bool:
        """Whether others would know by a line who wrote it: they read it when the phase is published."""
        return identity.tells(line, self._writer, identity.game_words(self.story.variant))

    def letter(self) -> Letter:
        return Letter(self.game, self.power, self.found, self.mail.left)

    # what comes of it

    def result(self) -> Result:
        known = inbox.handed(self.game, self.power, self.key)
        if known is not None:
            return self._handed(known)
        try:
            self._check_game()
            return self._elsewhere() or self._nothing() or self._taken()
        except NotTaken as refusal:
            return self._not_taken(refusal)
        except Unfit as problem:
            return self._unfit(problem)

    def _check_game(self) -> None:
        """Raises NotTaken."""
        if self.game.state == State.GATHERING:
            raise NotTaken("not_begun")
        if audience.holder(self.game, self.power) != [self.person.pk]:
            raise NotTaken("not_yours")
        if self.game.state not in RUNNING or not self.question:
            raise NotTaken("over")

    def _taken(self) -> Result:
        found, standing = self.found, self._standing()
        if granting.is_overtaken(self.arrival, standing):
            return self._overtaken()
        if not found.is_sheet:
            return self._final(final=bool(found.final))
        if standing is not None and found.orders:
            prepared = sheet_words.read(self.game, self.game.number, self.power, found.orders)
            if prepared is not None and not any(one.given for one in prepared.readings):
                return self._not_understood(prepared)
        sheet = inbox.hand_in(
            self.game,
            self.power,
            found.orders,
            number=self.game.number,
            key=self.key,
            origin="mail",
            at=self.arrival.message.received,
            by=self.person,
            final=bool(found.final),
        )
        return self._handed(sheet)

    def _handed(self, sheet: Sheet) -> Result:
        """Told in the sight of the phase that the sheet is for, which may have been published since."""
        self.question = self.story.question(sheet.number) or {}
        facts = {**self._facts(), "number": sheet.number, "receipt": sheet.receipt, "final": sheet.final}
        return Result(Outcome.TAKEN, facts, self.letter().received(sheet))

    def _final(self, *, final: bool) -> Result:
        """Nothing but "final", or "not final". Raises NotTaken."""
        at = self.arrival.message.received
        inbox.set_final(self.game, self.power, self.game.number, final, at, self.person)
        standing = self._standing()
        if standing is None:
            raise NotTaken("nothing")
        facts = {**self._facts(), "receipt": standing.receipt, "final": final}
        return Result(Outcome.TAKEN, facts, self.letter().final(standing, final=final))

    def _standing(self) -> Sheet | None:
        return inbox.counting(self.game, self.game.number).get(self.power)

    def _facts(self) -> dict[str, Any]:
        return {"power": self.power, "number": self.game.number, "phase": self.game.phase}

    # nothing that could be taken

    def _nothing(self) -> Result | None:
        if self.found.is_sheet or self.found.final is not None:
            return None
        master = rules.MASTER if self._has_master else ""
        address = addressing.room(self.game, self.person, self.power, master) if master else ""
        answer = self.letter().without_orders(in_subject=self._is_in_subject(), master=address)
        return Result(Outcome.NO_ORDERS, self._facts(), answer)

    def _is_in_subject(self) -> bool:
        """Whether somebody has written his orders into the subject."""
        return bool(sheets.read(self.mail.subject, self.question, self.power).orders)

    def _not_understood(self, prepared: Preparation) -> Result:
        facts = {**self._facts(), "lines": list(self.found.orders)}
        return Result(Outcome.NO_ORDERS, facts, self.letter().not_understood(prepared))

    def _overtaken(self) -> Result:
        told = _("These orders were delayed on their way. A sheet that you handed in later stands.")
        answer = self.letter().refused(_("a later sheet stands"), told, orders=self.found.orders)
        return Result(Outcome.OVERTAKEN, self._facts(), answer)

    # another phase

    def _elsewhere(self) -> Result | None:
        """The mail is meant for a phase that is not open, or may be."""
        found = self.found
        if found.is_elsewhere:
            return self._other("heading", self._names(found.other))
        if not found.is_sheet and found.final is None:
            return None
        if self._is_from_before():
            return self._before()
        named = "" if found.dated else sheets.other_phase(self.mail.subject, self.game)
        if named:
            return self._other("subject", self._subject(named), self._tagged())
        return self._idle()

    def _names(self, heading: str) -> str:
        told = _("Your orders stand under the heading “%(heading)s”, which is not the open phase.")
        return told % {"heading": heading}

    def _subject(self, named: str) -> str:
        told = _(
            "The subject of your mail names another phase: %(named)s. If these orders are for the open one, "
            "send them again with its name on a line above them: %(phase)s."
        )
        return told % {"named": named, "phase": self._season()}

    def _season(self) -> str:
        return wording.phase(self.story.variant, self.game.phase)

    def _tagged(self) -> int:
        """The number of the published phase that the subject names; 0 where it is none."""
        tagged = sheets.tagged_phase(self.mail.subject, variants.load(self.game.variant))
        return self.story.phases.index(tagged) + 1 if tagged in self.story.phases else 0

    def _is_from_before(self) -> bool:
        """Whether its writer cannot have seen the open phase: it was received before that was told.

        A phase counts from the deadline of the one before, where that was published a little later.
        """
        opened, received = self.game.opened, self.arrival.message.received
        if opened is None or received < opened:
            return opened is not None
        told = Revision.objects.filter(game=self.game, number=self.game.number - 1, kind="adjudication")
        soon = told.filter(made__gt=received, made__lte=opened + dating.PUNCTUAL + JUDGING)
        return soon.exists()

    def _before(self) -> Result:
        told = [
            _(
                "Your mail was received before the open phase was, and may be meant for another. If these "
                "orders are for the open one, send them again."
            )
        ]
        before = self.game.number - 1
        if before and self._has_master:
            told.append(
                _(
                    "If they are for the phase before, which has been published, the game master may take it "
                    "back and let them in."
                )
            )
        return self._other("before", " ".join(told), before)

    @property
    def _has_master(self) -> bool:
        return bool(audience.masters(self.game))

    def _idle(self) -> Result | None:
        if self.power in self.story.choosers(self.game.number):
            return None
        return self._other(
            "idle", _("You have nothing to order in the open phase (%(phase)s).") % {"phase": self._season()}
        )

    def _other(self, why: str, told: str, number: int = 0) -> Result:
        """`number`: the published phase that it may have been meant for, whose lines are kept."""
        facts = {**self._facts(), "why": why, "number": number}
        if number:
            facts |= self._meant(number)
        answer = self.letter().refused(_("orders not taken"), told, orders=self.found.orders)
        return Result(Outcome.OTHER_PHASE, facts, answer)

    def _meant(self, number: int) -> dict[str, Any]:
        question = self.story.question(number)
        if question is None:
            return {}
        read = sheets.read(self.mail.text, question, self.power, self._tells)
        return {"phase": question["phase"], "lines": list(read.orders), "final": bool(read.final)}

    # refusals

    def _not_taken(self, refusal: NotTaken) -> Result:
        if refusal.code == "moved":  # published while it was read
            return take(self.arrival, self.mail)
        outcome = OUTCOMES[refusal.code]
        if outcome is Outcome.LATE:
            return self._late()
        if outcome is Outcome.REPEATED and refusal.sheet is not None:
            return self._handed(refusal.sheet)
        told = telling.not_taken(refusal)
        letter = Letter(self.game, self.power)
        if outcome is Outcome.NO_ORDERS:
            return Result(outcome, self._facts(), letter.refused(_("nothing to make final"), told))
        return Result(outcome, {"power": self.power}, letter.bare(_("orders not taken"), told))

    def _late(self) -> Result:
        """Kept with its lines, so that the game master may let it in."""
        lines: Sequence[str] = self.found.orders
        if not self.found.is_sheet:
            told = telling.not_taken(NotTaken("late"))
            return Result(Outcome.NO_ORDERS, self._facts(), self.letter().refused(_("too late"), told))
        facts = {**self._facts(), "lines": list(lines), "final": bool(self.found.final)}
        when = {"when": telling.moment(self.arrival.message.received)}
        said = [
            _("Your mail was received on %(when)s, after the deadline: these orders were not taken.") % when
        ]
        if self._has_master:
            said.append(_("They are kept, and the game master may still let them in."))
        answer = self.letter().refused(_("orders too late"), *said, orders=lines)
        return Result(Outcome.LATE, facts, answer)

    def _unfit(self, problem: Unfit) -> Result:
        answer = Letter(self.game, self.power, left=self.mail.left).refused(
            _("orders not taken"), telling.unfit(problem)
        )
        return Result(Outcome.UNFIT, {**self._facts(), "why": problem.code}, answer)
