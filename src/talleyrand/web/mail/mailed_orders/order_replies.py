"""What is written back to a sheet that came by mail: what was understood, what was not, what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

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
from talleyrand.web.mail.mail_templates import render_mail
from talleyrand.web.mail.parsing.parsed_email import LeftOut, LeftOutKind

from . import order_parsing
from .order_parsing import ParsedOrders, SetAsideReason

OrderWithNotes = tuple[str, list[str]]
MOST_ASIDE, MOST_ORDERS = 12, 60
LONGEST_NAME, LONGEST_LINE = 60, 200
WRITTEN = (LeftOutKind.DOCUMENT, LeftOutKind.OTHER)
ATTACHED = (*WRITTEN, LeftOutKind.PICTURE, LeftOutKind.CARD)
COPIED = (LeftOutKind.QUOTE, LeftOutKind.FORWARD)
ASIDE = (  # in the order in which they are told
    *(SetAsideReason.PROSE, SetAsideReason.FOREIGN, SetAsideReason.POWER, SetAsideReason.PHASE),
    *(SetAsideReason.NAMES, SetAsideReason.TWICE, SetAsideReason.QUOTED),
)


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

    # taken

    def received(self, sheet: OrderSet) -> MailReply:
        """The receipt of a sheet, with each of its lines."""
        return self._receipt("received", sheet, final=sheet.is_ready)

    def granted(self, sheet: OrderSet) -> MailReply:
        """The receipt of a sheet that came late, and was let in."""
        return self._receipt("granted", sheet, final=sheet.is_ready)

    def final(self, sheet: OrderSet, *, final: bool) -> MailReply:
        """A mail that said nothing but that the sheet that counts is final, or no longer."""
        return self._receipt("ready" if final else "not_ready", sheet, final=final)

    def _receipt(self, kind: str, sheet: OrderSet, *, final: bool) -> MailReply:
        counting = order_submission.counting_order_sets(self.game, sheet.phase_number).get(self.power)
        prepared = self.prepared or read_order_set(self.game, sheet.phase_number, self.power, sheet.lines)
        return self._rendered(
            "receipt",
            kind=kind,
            **order_texts.receipt_row(sheet),
            is_withdrawn=sheet.withdrawn_at is not None,
            overtaken_by=counting.receipt_number if counting and counting.pk != sheet.pk else 0,
            is_for_open_phase=sheet.phase_number == self.game.phase_number,
            is_ready=final,
            is_empty=not sheet.lines,
            may_end_early=phase_deadlines.deadline_settings_of(self.game).plays_early,
            **(self._reading_facts(sheet, prepared) if prepared is not None else {}),
            **self._unread(WRITTEN),
        )

    def _reading_facts(self, sheet: OrderSet, prepared: OrderPreparation) -> dict[str, Any]:
        """How the lines of a sheet are read, and what the one before ordered to units that have none now."""
        good = [one for one in prepared.readings if one.is_followed]
        told = {
            "good": [self._good(one) for one in good],
            "bad": _bad(prepared),
            "missing": order_texts.missing_orders_text(prepared),
        }
        earlier = OrderSet.objects.filter(
            game=self.game, power=self.power, phase_number=sheet.phase_number, withdrawn_at=None
        )
        before = earlier.filter(receipt_number__lt=sheet.receipt_number).order_by("receipt_number").last()
        if before is None or not sheet.lines:
            return told
        known = read_order_set(self.game, sheet.phase_number, self.power, before.lines)
        ordered = {one.unit or one.order for one in good}
        lost = [
            self._good(one)
            for one in (known.readings if known else ())
            if one.is_followed and (one.unit or one.order) not in ordered
        ]
        return {**told, "replaced": before.receipt_number, "lost": lost}

    def _good(self, reading: DraftLine) -> OrderWithNotes:
        tongue = display_names.reader_language()
        label = phase_maps.order_label(self.variant, reading.order, reading.unit)
        return label, [note[tongue] for note in reading.notes if tongue in note]

    def counting_orders(self) -> list[OrderWithNotes]:
        """The orders that count now, as a mail to their player shows them."""
        number = self.game.phase_number
        counting = order_submission.counting_order_sets(self.game, number).get(self.power)
        prepared = read_order_set(self.game, number, self.power, counting.lines) if counting else None
        if prepared is None:
            return []
        holding = order_texts.missing_orders_text(prepared)
        good = [self._good(one) for one in prepared.readings if one.is_followed]
        return [*good, *_bad(prepared), *([(holding, [])] if holding else [])]

    # not taken

    def refused(self, said: str, *sentences: str, orders: Sequence[str] = ()) -> MailReply:
        """An answer that says why nothing was taken, and what counts now."""
        told, shown = " ".join(sentences), orders[:MOST_ORDERS]
        return self._rendered(
            "orders_refused", said=said, told=told, orders=shown, **self._unread(ATTACHED), **self._counting()
        )

    def not_understood(self, prepared: OrderPreparation) -> MailReply:
        """An answer to orders of which the judge would follow none, each with its reason."""
        return self._rendered(
            "orders_refused",
            said=_("orders not understood"),
            told=_("None of these lines is a valid order, so your previous orders still count."),
            bad=_bad(prepared),
            **self._unread(ATTACHED),
            **self._counting(),
        )

    def without_orders(
        self, *, in_subject: bool = False, master: str = "", talks: Mapping[str, Any] | None = None
    ) -> MailReply:
        """An answer to a mail in which nothing is an order; orders may stand in its subject.

        `master` is the address at which its writer has the game master’s ear, "" where there is none; `talks`
        is how the game may end by agreement (`command_actions.open_talks`), for an open proposal is told.
        """
        return self._rendered(
            "no_orders_found",
            is_in_subject=in_subject,
            example=GameStatusText(self.game).example(self.power),
            master=master,
            talks=talks or {},
            **self._unread(ATTACHED),
            **self._counting(),
        )

    def bare(self, said: str, sentence: str) -> MailReply:
        """An answer that tells nothing of the game as it stands."""
        return self._rendered(
            "orders_refused", tag=f"[{self.game.name}]", said=said, told=sentence, is_running=False
        )

    def _counting(self) -> dict[str, Any]:
        """The sheet that counts now."""
        counting = order_submission.counting_order_sets(self.game, self.game.phase_number).get(self.power)
        return {"counting": order_texts.receipt_row(counting) if counting else None}

    # what all say

    def _rendered(self, template: str, **facts: Any) -> MailReply:
        """Its subject names the open phase, so that an answer to it is known to be for that one."""
        told = {
            "tag": order_parsing.subject_tag(self.game),
            "power": self.named,
            "phase": self.phase,
            "standing": GameStatusText(self.game),
            "is_running": self.game.state in RUNNING_STATES,
            **facts,
        }
        return MailReply(*render_mail(template, **told), f"game:{self.game.key}")

    def _unread(self, kinds: Sequence[LeftOutKind]) -> dict[str, Any]:
        """Lines that are no orders, and pieces of some kinds of the mail that may have held some."""
        aside = []
        for why in ASIDE:
            lines = [_shortened(one.line) for one in self.found.aside if one.why is why]
            if lines:
                aside.append((why, lines[:MOST_ASIDE], max(0, len(lines) - MOST_ASIDE)))
        attached = [one for one in self.left if one.kind in kinds]
        names = [order_parsing.printable_text(one.name)[:LONGEST_NAME] for one in attached if one.name]
        is_quoted = kinds is ATTACHED and any(one.kind in COPIED for one in self.left)
        return {
            "aside": aside,
            "names": ", ".join(names),
            "is_attached": bool(attached),
            "is_only_quoted": is_quoted and not self.found.has_orders,
        }


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


def _bad(prepared: OrderPreparation) -> list[OrderWithNotes]:
    tongue = display_names.reader_language()
    return [(one.line, [one.error[tongue]]) for one in prepared.readings if one.error]


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"
