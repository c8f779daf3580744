"""What is written back to a sheet that came by mail: what was understood, what was not, what counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, phase_maps, politics_context
from talleyrand.web.boards.order_drafts import DraftLine
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import binding_orders, order_submission, phase_deadlines
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import RUNNING_STATES, Game, OrderSet
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailReply
from talleyrand.web.mail.parsing.parsed_email import LeftOut, LeftOutKind
from talleyrand.web.mail.text_layout import heading, join_parts, prose, protected, unbroken

from . import order_parsing
from .order_parsing import ParsedOrders, SetAsideLine, SetAsideReason

Part = list[str]
MOST_ASIDE, MOST_ORDERS = 12, 60
LONGEST_NAME = 60
WRITTEN = (LeftOutKind.DOCUMENT, LeftOutKind.OTHER)
ATTACHED = (*WRITTEN, LeftOutKind.PICTURE, LeftOutKind.CARD)
COPIED = (LeftOutKind.QUOTE, LeftOutKind.FORWARD)


@dataclass
class OrderReply:
    """The answer to a sheet of `power`, in the language and the zone in use."""

    game: Game
    power: str
    found: ParsedOrders = field(default_factory=ParsedOrders)
    left: Sequence[LeftOut] = ()
    prepared: OrderPreparation | None = None

    @cached_property
    def variant(self) -> Variant:
        return variants.load(self.game.variant)

    @property
    def named(self) -> str:
        return display_names.power_name(self.variant, self.power)

    @property
    def phase(self) -> str:
        return display_names.phase_name(self.variant, self.game.phase)

    def answer(self, title: str, parts: Iterable[Part]) -> MailReply:
        """Its subject names the open phase, so that an answer to it is known to be for that one."""
        subject = f"{order_parsing.subject_tag(self.game)} {title}"
        return MailReply(subject, join_parts(list(parts)), f"game:{self.game.key}")

    # taken

    def received(self, sheet: OrderSet) -> MailReply:
        """The receipt of a sheet, with each of its lines."""
        words = {"power": self.named, "receipt": sheet.receipt_number}
        title = _("%(power)s: orders received (v%(receipt)d)") % words
        return self.answer(title, self._receipt(sheet))

    def granted(self, sheet: OrderSet) -> MailReply:
        """The receipt of a sheet that came late, and was let in."""
        words = {"power": self.named, "receipt": sheet.receipt_number}
        title = _("%(power)s: late orders accepted (v%(receipt)d)") % words
        told = _("Your orders arrived after the deadline; the GM has accepted them.")
        return self.answer(title, [prose(told), *self._receipt(sheet)])

    def final(self, sheet: OrderSet, *, final: bool) -> MailReply:
        """A mail that said nothing but that the sheet that counts is final, or no longer."""
        words = {"power": self.named, "receipt": sheet.receipt_number}
        if final:
            title = _("%(power)s: ready (orders v%(receipt)d)") % words
        else:
            title = _("%(power)s: no longer ready (orders v%(receipt)d)") % words
        return self.answer(title, [*self._receipt(sheet, final=final)])

    def _receipt(self, sheet: OrderSet, *, final: bool | None = None) -> Iterator[Part]:
        prepared = self.prepared or read_order_set(self.game, sheet.phase_number, self.power, sheet.lines)
        final = sheet.is_ready if final is None else final
        yield prose(" ".join(self._counts(sheet, final)))
        if prepared is not None:
            yield from self._lines(prepared)
            yield self._replaced(sheet, prepared)
        yield from self._aside()
        yield from self._unread()
        yield self._how(sheet, final)

    def _counts(self, sheet: OrderSet, final: bool) -> Iterator[str]:
        told = order_texts.receipt_row(sheet)
        yield _("Orders v%(receipt)d received on %(when)s. Receipt: %(digest)s.") % told
        counting = order_submission.counting_order_sets(self.game, sheet.phase_number).get(self.power)
        if sheet.withdrawn_at is not None:
            yield _("These orders no longer count.")
        elif counting is not None and counting.pk != sheet.pk:
            later = {"receipt": counting.receipt_number}
            yield _("Orders v%(receipt)d have been received since then and count instead.") % later
        elif sheet.phase_number == self.game.phase_number:
            yield _("They count for this phase: %(phase)s.") % {"phase": self.phase}
        if final:
            yield _("You are ready.")
        if not sheet.lines:
            yield _("This set is empty: you give no orders.")

    def _lines(self, prepared: OrderPreparation) -> Iterator[Part]:
        good = [one for one in prepared.readings if one.is_followed]
        bad = [one for one in prepared.readings if one.error]
        if good:
            yield [*heading(_("Understood")), *(line for one in good for line in self._good(one))]
        if bad:
            yield [
                *heading(_("Not understood or not possible")),
                *(line for one in bad for line in _bad(one)),
                *prose(_("These lines are kept but have no effect.")),
            ]
        missing = order_texts.missing_orders_text(prepared)
        if missing:
            yield protected(missing)

    def _replaced(self, sheet: OrderSet, prepared: OrderPreparation) -> Part:
        """What the sheet before this one ordered to units that have no order any more."""
        earlier = OrderSet.objects.filter(
            game=self.game, power=self.power, phase_number=sheet.phase_number, withdrawn_at=None
        )
        before = earlier.filter(receipt_number__lt=sheet.receipt_number).order_by("receipt_number").last()
        known = (
            read_order_set(self.game, sheet.phase_number, self.power, before.lines)
            if before and sheet.lines
            else None
        )
        if before is None or known is None:
            return []
        ordered = {one.unit or one.order for one in prepared.readings if one.is_followed}
        lost = [one for one in known.readings if one.is_followed and (one.unit or one.order) not in ordered]
        if not lost:
            return []
        told = _("They replace v%(receipt)d, which also ordered:") % {"receipt": before.receipt_number}
        lines = [line for one in lost for line in self._good(one)]
        return [*prose(told), *lines, *prose(_("To keep them, send all your orders again together."))]

    def _good(self, reading: DraftLine) -> Iterator[str]:
        yield from protected(phase_maps.order_label(self.variant, reading.order, reading.unit))
        tongue = display_names.reader_language()
        for note in reading.notes:
            if tongue in note:
                yield from protected(note[tongue], "    ")

    # not taken

    def refused(self, title: str, *sentences: str, orders: Sequence[str] = ()) -> MailReply:
        """An answer that says why nothing was taken, and what counts now."""
        parts = [prose(" ".join(sentences))]
        if orders:
            shown = [line for one in orders[:MOST_ORDERS] for line in protected(one)]
            parts.append([*heading(_("Orders read")), *shown])
        parts += [*self._aside(), *self._unread(whole=True), self._stands()]
        return self.answer(self._titled(title), parts)

    def not_understood(self, prepared: OrderPreparation) -> MailReply:
        """An answer to orders of which the judge would follow none, each with its reason."""
        told = _("None of these lines is a valid order, so your previous orders still count.")
        bad = [line for one in prepared.readings if one.error for line in _bad(one)]
        parts = [
            prose(told),
            [*heading(_("Not understood or not possible")), *bad],
            *self._aside(),
            *self._unread(whole=True),
            self._stands(),
        ]
        return self.answer(self._titled(_("orders not understood")), parts)

    def without_orders(self, *, in_subject: bool = False, master: str = "") -> MailReply:
        """An answer to a mail in which nothing is an order; orders may stand in its subject.

        `master` is the address at which its writer has the game master’s ear, "" where there is none.
        """
        subject = _("The subject line is not read: write your orders in the email itself.")
        question = _("No one reads this address: it is for orders only. Send questions to the game master:")
        parts = [
            prose(_("No orders found in your email.")),
            self._stands(),
            prose(subject) if in_subject else [],
            *self._aside(),
            *self._unread(whole=True),
            self._example(),
            prose(_("To submit no orders, write “no orders” on a line of its own.")),
            [*prose(question), *unbroken(master)] if master else [],
        ]
        return self.answer(self._titled(_("no orders found")), parts)

    def _example(self) -> Part:
        lines = [line for one in GameStatusText(self.game).example(self.power) for line in protected(one)]
        told = _("Write one order per line, in French or English, for example:")
        return [*prose(told), *lines] if lines else []

    def _titled(self, said: str) -> str:
        return _("%(power)s: %(said)s") % {"power": self.named, "said": said}

    def bare(self, title: str, sentence: str) -> MailReply:
        """An answer that tells nothing of the game as it stands."""
        text = join_parts([prose(sentence)])
        return MailReply(f"[{self.game.name}] {self._titled(title)}", text, f"game:{self.game.key}")

    def _stands(self) -> Part:
        """What counts now, and until when that can be changed."""
        if self.game.state not in RUNNING_STATES:
            return []
        counting = order_submission.counting_order_sets(self.game, self.game.phase_number).get(self.power)
        words = {"phase": self.phase}
        if counting is None:
            told = _("No orders received from you for this phase (%(phase)s).") % words
        else:
            words |= order_texts.receipt_row(counting)
            told = _("Your orders for this phase (%(phase)s): v%(receipt)d, received on %(when)s.") % words
        return prose(f"{told} {GameStatusText(self.game).deadline()}")

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
        attached = [one for one in self.left if one.kind in (ATTACHED if whole else WRITTEN)]
        names = [order_parsing.printable_text(one.name)[:LONGEST_NAME] for one in attached if one.name]
        if names:
            words = {"names": ", ".join(names)}
            told = _("Attachments are not read (%(names)s): write your orders in the email itself.")
            yield prose(told % words)
        elif attached:
            yield prose(_("Attachments are not read: write your orders in the email itself."))
        if whole and not self.found.has_orders and any(one.kind in COPIED for one in self.left):
            yield prose(
                _(
                    "Quoted or forwarded text is never read as orders. If yours are only "
                    "there, write them in a new email."
                )
            )

    def _how(self, sheet: OrderSet, final: bool) -> Part:
        if sheet.phase_number != self.game.phase_number or self.game.state not in RUNNING_STATES:
            return prose(_("This phase is no longer in progress."))
        return [
            *prose(GameStatusText(self.game).deadline()),
            *prose(
                _(
                    "To change your orders, send all of them again: the last ones replace the "
                    "earlier ones entirely."
                )
            ),
            *self._ending_early(final),
        ]

    def _ending_early(self, final: bool) -> Part:
        if final or not phase_deadlines.deadline_settings_of(self.game).plays_early:
            return []
        return prose(_("Write “ready” on a line of its own if no one needs to wait for you."))


def read_order_set(game: Game, number: int, power: str, lines: Sequence[str]) -> OrderPreparation | None:
    """A sheet as its phase reads it."""
    question = GameHistory(game).question(number)
    if question is None:
        return None
    if number == game.phase_number:
        question = politics_context.with_announced_affairs(
            question, binding_orders.announced_so_far(game, question)
        )
    return OrderPreparation(question, {power: list(lines)}, power)


def _bad(reading: DraftLine) -> Iterator[str]:
    yield from protected(reading.line)
    if reading.error:
        yield from protected(reading.error[display_names.reader_language()], "    ")


def _shown(aside: SetAsideLine) -> Part:
    return protected(aside.line if len(aside.line) <= 200 else f"{aside.line[:199]}…")


def _more(count: int) -> str:
    told = ngettext("and %(n)d more line.", "and %(n)d more lines.", count)
    return told % {"n": count}


def _asides() -> dict[SetAsideReason, str]:
    return {
        SetAsideReason.PROSE: _("Ignored (not orders):"),
        SetAsideReason.FOREIGN: _("Ignored (not your units):"),
        SetAsideReason.POWER: _("Ignored (under the name of another power):"),
        SetAsideReason.PHASE: _("Ignored (under the heading of another phase):"),
        SetAsideReason.NAMES: _("Ignored (would tell everyone who you are):"),
        SetAsideReason.TWICE: _("Ignored (another line orders the same unit):"),
        SetAsideReason.QUOTED: _("Ignored (a line that begins with “>” or “|” is a quotation):"),
    }
