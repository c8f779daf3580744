"""What is written back to a sheet that came by mail: what was understood, what was not, what counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import picture, politics, wording
from talleyrand.web.boards.drafts import Reading
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.games import dating, inbox, lasting
from talleyrand.web.games.models import RUNNING, Game, Sheet
from talleyrand.web.games.playing import telling
from talleyrand.web.games.story import Story
from talleyrand.web.mail.layout import heading, joined, marked, prose, whole
from talleyrand.web.mail.outcomes import Answer
from talleyrand.web.mail.reading.mail import LeftOut, Piece
from talleyrand.web.mail.standing import Standing

from . import sheets
from .sheets import Aside, Found, Why

Part = list[str]
MOST_ASIDE, MOST_ORDERS = 12, 60
LONGEST_NAME = 60
WRITTEN = (Piece.DOCUMENT, Piece.OTHER)
ATTACHED = (*WRITTEN, Piece.PICTURE, Piece.CARD)
COPIED = (Piece.QUOTE, Piece.FORWARD)


@dataclass
class Letter:
    """The answer to a sheet of `power`, in the language and the zone in use."""

    game: Game
    power: str
    found: Found = field(default_factory=Found)
    left: Sequence[LeftOut] = ()
    prepared: Preparation | None = None

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @property
    def named(self) -> str:
        return wording.power(self.variant, self.power)

    @property
    def phase(self) -> str:
        return wording.phase(self.variant, self.game.phase)

    def answer(self, title: str, parts: Iterable[Part]) -> Answer:
        """Its subject names the open phase, so that an answer to it is known to be for that one."""
        subject = f"{sheets.tag(self.game)} {title}"
        return Answer(subject, joined(list(parts)), f"game:{self.game.key}")

    # taken

    def received(self, sheet: Sheet) -> Answer:
        """The receipt of a sheet, with each of its lines."""
        words = {"power": self.named, "receipt": sheet.receipt}
        title = _("%(power)s: orders received, No %(receipt)d") % words
        return self.answer(title, self._receipt(sheet))

    def granted(self, sheet: Sheet) -> Answer:
        """The receipt of a sheet that came late, and was let in."""
        words = {"power": self.named, "receipt": sheet.receipt}
        title = _("%(power)s: late orders let in, No %(receipt)d") % words
        told = _("Your orders came after the deadline; the game master has let them in.")
        return self.answer(title, [prose(told), *self._receipt(sheet)])

    def final(self, sheet: Sheet, *, final: bool) -> Answer:
        """A mail that said nothing but that the sheet that counts is final, or no longer."""
        words = {"power": self.named, "receipt": sheet.receipt}
        if final:
            title = _("%(power)s: sheet No %(receipt)d is final") % words
        else:
            title = _("%(power)s: sheet No %(receipt)d is no longer final") % words
        return self.answer(title, [*self._receipt(sheet, final=final)])

    def _receipt(self, sheet: Sheet, *, final: bool | None = None) -> Iterator[Part]:
        prepared = self.prepared or read(self.game, sheet.number, self.power, sheet.lines)
        final = sheet.final if final is None else final
        yield prose(" ".join(self._counts(sheet, final)))
        if prepared is not None:
            yield from self._lines(prepared)
            yield self._replaced(sheet, prepared)
        yield from self._aside()
        yield from self._unread()
        yield self._how(sheet, final)

    def _counts(self, sheet: Sheet, final: bool) -> Iterator[str]:
        told = telling.receipt(sheet)
        yield _("Sheet No %(receipt)d received on %(when)s, number %(digest)s.") % told
        counting = inbox.counting(self.game, sheet.number).get(self.power)
        if sheet.withdrawn is not None:
            yield _("It counts no more: its phase was taken back.")
        elif counting is not None and counting.pk != sheet.pk:
            later = {"receipt": counting.receipt}
            yield _("Since then No %(receipt)d was received, and that one counts.") % later
        elif sheet.number == self.game.number:
            yield _("It counts for this phase: %(phase)s.") % {"phase": self.phase}
        if final:
            yield _("It is final: nobody need wait for you.")
        if not sheet.lines:
            yield _("It is empty: you order nothing.")

    def _lines(self, prepared: Preparation) -> Iterator[Part]:
        good = [one for one in prepared.readings if one.given]
        bad = [one for one in prepared.readings if one.error]
        if good:
            yield [*heading(_("Understood")), *(line for one in good for line in self._good(one))]
        if bad:
            yield [
                *heading(_("Not understood, or not possible")),
                *(line for one in bad for line in _bad(one)),
                *prose(_("These lines stay on the sheet and do nothing.")),
            ]
        missing = telling.missing(prepared)
        if missing:
            yield marked(missing)

    def _replaced(self, sheet: Sheet, prepared: Preparation) -> Part:
        """What the sheet before this one ordered to units that have no order any more."""
        earlier = Sheet.objects.filter(game=self.game, power=self.power, number=sheet.number, withdrawn=None)
        before = earlier.filter(receipt__lt=sheet.receipt).order_by("receipt").last()
        known = read(self.game, sheet.number, self.power, before.lines) if before and sheet.lines else None
        if before is None or known is None:
            return []
        ordered = {one.unit or one.order for one in prepared.readings if one.given}
        lost = [one for one in known.readings if one.given and (one.unit or one.order) not in ordered]
        if not lost:
            return []
        told = _("It replaces No %(receipt)d, which also ordered:") % {"receipt": before.receipt}
        lines = [line for one in lost for line in self._good(one)]
        return [*prose(told), *lines, *prose(_("To keep these orders, send all of them together."))]

    def _good(self, reading: Reading) -> Iterator[str]:
        yield from marked(picture.order_label(self.variant, reading.order, reading.unit))
        tongue = wording.language()
        for note in reading.notes:
            if tongue in note:
                yield from marked(note[tongue], "    ")

    # not taken

    def refused(self, title: str, *sentences: str, orders: Sequence[str] = ()) -> Answer:
        """An answer that says why nothing was taken, and what counts now."""
        parts = [prose(" ".join(sentences))]
        if orders:
            shown = [line for one in orders[:MOST_ORDERS] for line in marked(one)]
            parts.append([*heading(_("What was read")), *shown])
        parts += [*self._aside(), *self._unread(whole=True), self._stands()]
        return self.answer(self._titled(title), parts)

    def not_understood(self, prepared: Preparation) -> Answer:
        """An answer to orders of which the judge would follow none, each with its reason."""
        told = _("None of these lines can be followed, so the sheet before them stands.")
        bad = [line for one in prepared.readings if one.error for line in _bad(one)]
        parts = [
            prose(told),
            [*heading(_("Not understood, or not possible")), *bad],
            *self._aside(),
            *self._unread(whole=True),
            self._stands(),
        ]
        return self.answer(self._titled(_("orders not understood")), parts)

    def without_orders(self, *, in_subject: bool = False, master: str = "") -> Answer:
        """An answer to a mail in which nothing is an order; orders may stand in its subject.

        `master` is the address at which its writer has the game master’s ear, "" where there is none.
        """
        subject = _("The subject of a mail is not read: write your orders into the mail itself.")
        question = _("Nobody reads this address: it takes orders only. A question goes to the game master:")
        parts = [
            prose(_("No orders were found in your mail.")),
            self._stands(),
            prose(subject) if in_subject else [],
            *self._aside(),
            *self._unread(whole=True),
            self._example(),
            prose(_("To hand in an empty sheet, write “no orders” on a line of its own.")),
            [*prose(question), *whole(master)] if master else [],
        ]
        return self.answer(self._titled(_("no orders found")), parts)

    def _example(self) -> Part:
        lines = [line for one in Standing(self.game).example(self.power) for line in marked(one)]
        told = _("Write each order on a line of its own, in French or in English, for instance:")
        return [*prose(told), *lines] if lines else []

    def _titled(self, said: str) -> str:
        return _("%(power)s: %(said)s") % {"power": self.named, "said": said}

    def bare(self, title: str, sentence: str) -> Answer:
        """An answer that tells nothing of the game as it stands."""
        text = joined([prose(sentence)])
        return Answer(f"[{self.game.name}] {self._titled(title)}", text, f"game:{self.game.key}")

    def _stands(self) -> Part:
        """What counts now, and until when that can be changed."""
        if self.game.state not in RUNNING:
            return []
        counting = inbox.counting(self.game, self.game.number).get(self.power)
        words = {"phase": self.phase}
        if counting is None:
            told = _("For this phase (%(phase)s) no sheet of yours has been received.") % words
        else:
            words |= telling.receipt(counting)
            told = _("For this phase (%(phase)s) your sheet No %(receipt)d of %(when)s counts.") % words
        return prose(f"{told} {Standing(self.game).deadline()}")

    # what both say

    def _aside(self) -> Iterator[Part]:
        for why, sentence in _asides().items():
            lines = [one for one in self.found.aside if one.why is why]
            if lines:
                yield [*prose(sentence), *(line for one in lines[:MOST_ASIDE] for line in _shown(one))]
                if len(lines) > MOST_ASIDE:
                    yield prose(_more(len(lines) - MOST_ASIDE))

    def _unread(self, *, whole: bool = False) -> Iterator[Part]:
        """The pieces of a mail in which orders may have been; all of them where none were found."""
        attached = [one for one in self.left if one.piece in (ATTACHED if whole else WRITTEN)]
        names = [sheets.plain(one.name)[:LONGEST_NAME] for one in attached if one.name]
        if names:
            words = {"names": ", ".join(names)}
            told = _("What is attached is not read (%(names)s): write orders into the mail itself.")
            yield prose(told % words)
        elif attached:
            yield prose(_("What is attached is not read: write orders into the mail itself."))
        if whole and not self.found.is_sheet and any(one.piece in COPIED for one in self.left):
            yield prose(
                _(
                    "Quoted or forwarded text is never read as orders. If yours stand there only, write them "
                    "again in a new mail."
                )
            )

    def _how(self, sheet: Sheet, final: bool) -> Part:
        if sheet.number != self.game.number or self.game.state not in RUNNING:
            return prose(_("This phase has been published since."))
        return [
            *prose(Standing(self.game).deadline()),
            *prose(_("To change your orders, send all of them again: the last sheet counts, as a whole.")),
            *self._ending_early(final),
        ]

    def _ending_early(self, final: bool) -> Part:
        if final or not dating.rhythm(self.game).early:
            return []
        return prose(_("Write “final” on a line of its own, and nobody need wait for you."))


def read(game: Game, number: int, power: str, lines: Sequence[str]) -> Preparation | None:
    """A sheet as its phase reads it."""
    question = Story(game).question(number)
    if question is None:
        return None
    if number == game.number:
        question = politics.known(question, lasting.announced(game, question))
    return Preparation(question, {power: list(lines)}, power)


def _bad(reading: Reading) -> Iterator[str]:
    yield from marked(reading.line)
    if reading.error:
        yield from marked(reading.error[wording.language()], "    ")


def _shown(aside: Aside) -> Part:
    return marked(aside.line if len(aside.line) <= 200 else f"{aside.line[:199]}…")


def _more(count: int) -> str:
    told = ngettext("and %(n)d more line.", "and %(n)d more lines.", count)
    return told % {"n": count}


def _asides() -> dict[Why, str]:
    return {
        Why.PROSE: _("Set aside, as these lines are no orders:"),
        Why.FOREIGN: _("Set aside, as these units are not yours:"),
        Why.POWER: _("Set aside, as these lines stand under the name of another power:"),
        Why.PHASE: _("Set aside, as these lines stand under the heading of another phase:"),
        Why.NAMES: _("Set aside, as these lines would tell everybody who you are:"),
        Why.TWICE: _("Set aside, as another line orders the same unit:"),
        Why.QUOTED: _("Set aside, as a line that begins with “>” or “|” is quoted:"),
    }
