"""Orders that came by mail: handed in as a sheet, or refused with the reason, and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand import variants
from talleyrand.web.accounts.models import Person
from talleyrand.web.boards import display_names, order_drafts
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.games import order_submission, phase_deadlines, recipients
from talleyrand.web.games.endings import end_proposals
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import last_published_revision
from talleyrand.web.games.models import RUNNING_STATES, Game, GameState, OrderSet, PhaseRevision
from talleyrand.web.games.order_submission import OrdersRefusal
from talleyrand.web.games.phase_pages import order_texts
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import anonymity_filter, mailboxes
from talleyrand.web.mail.anonymity_filter import KnownWriter
from talleyrand.web.mail.command_results import CommandResults
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailOutcome, MailReply, ProcessingResult
from talleyrand.web.mail.mailboxes import known_writer
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import ParsedEmail
from talleyrand.web.press import press_rules

from . import command_actions, late_orders, order_parsing, order_replies, player_commands
from .command_actions import PlayerActions
from .order_parsing import OrderTextReader, ParsedOrders, SetAsideReason
from .order_replies import OrderReply
from .player_commands import PlayerCommand
from .unknown_senders import with_unknown_sender

JUDGING = timedelta(minutes=2)

OUTCOMES = {
    "late": MailOutcome.LATE,
    "later": MailOutcome.OVERTAKEN,
    "over": MailOutcome.OVER,
    "not_begun": MailOutcome.NOT_BEGUN,
    "not_yours": MailOutcome.NOT_YOURS,
    "no_seat": MailOutcome.NOT_YOURS,
    "nothing": MailOutcome.NO_ORDERS,
    "repeated": MailOutcome.REPEATED,
}


def process_orders(arrival: InboundDelivery, mail: ParsedEmail) -> ProcessingResult:
    """Hand in the sheet of a mail; done again for the same mail, it is the same sheet.

    To be called in the language of whoever wrote it.
    """
    read = OrderMail(arrival, mail)
    return with_unknown_sender(read.result(), arrival, mail)


def holds_orders(arrival: InboundDelivery, mail: ParsedEmail) -> bool:
    """Whether a mail holds orders for the open phase, whatever else it is."""
    read = OrderMail(arrival, mail)
    try:
        return bool(read.question and read.found.orders)
    except DraftRefusal:
        return False


@dataclass
class OrderMail:
    """A mail to the address of a power’s orders, and the game as it stands."""

    delivery: InboundDelivery
    mail: ParsedEmail

    @cached_property
    def game(self) -> Game:
        game = self.delivery.mailbox.game
        assert game is not None
        return Game.objects.get(pk=game.pk)

    @cached_property
    def person(self) -> Person:
        person = self.delivery.mailbox.person
        assert person is not None
        return person

    @property
    def power(self) -> str:
        return self.delivery.mailbox.power

    @property
    def key(self) -> str:
        return late_orders.order_set_key(self.delivery)

    @cached_property
    def story(self) -> GameHistory:
        return GameHistory(self.game)

    @cached_property
    def question(self) -> Mapping[str, Any]:
        return self.story.question(self.game.phase_number) or {}

    @cached_property
    def commands(self) -> tuple[tuple[PlayerCommand, ...], str]:
        """What the mail asks for beside orders, and its text without that."""
        written = order_parsing.printable_text(self.mail.text)
        if len(written) > order_drafts.LARGEST_ORDER_TEXT:
            return (), written
        commands, rest = player_commands.split_commands(
            written, command_actions.power_names(self.story.variant), self._is_elsewhere_below
        )
        bare = bool(commands) and commands[0].bare
        return ((), written) if bare and not self._may_be_bare() else (commands, rest)

    @cached_property
    def _headings(self) -> OrderTextReader:
        return OrderTextReader(self.question, self.power)

    def _is_elsewhere_below(self, line: str) -> bool:
        return bool(self.question) and self._headings.is_elsewhere_below(line)

    @cached_property
    def _results(self) -> CommandResults:
        return CommandResults.for_delivery(self.delivery)

    def _may_be_bare(self) -> bool:
        """Whether a "yes" alone answers a proposal, and not another mail of ours; or did so already."""
        if self._results.all():
            return True
        if not end_proposals.has_open_proposal(self.game):
            return False
        tokens = [one.strip(" <>").partition("@")[0] for one in self.mail.in_reply_to.split()]
        answered = OutboundEmail.objects.filter(person=self.person, message_token__in=tokens).first()
        return answered is None or command_actions.tells_of_proposal(answered.text)

    @cached_property
    def found(self) -> ParsedOrders:
        """The orders that the mail holds. Raises DraftRefusal."""
        return order_parsing.parse_orders(self.commands[1], self.question, self.power, self._tells)

    @cached_property
    def _writer(self) -> KnownWriter:
        return known_writer(self.person, GameViewer.for_user(self.game, self.person), self.mail)

    def _tells(self, line: str) -> bool:
        """Whether others would know by a line who wrote it: they read it when the phase is published."""
        return anonymity_filter.reveals_writer(
            line, self._writer, anonymity_filter.game_words(self.story.variant)
        )

    def letter(self) -> OrderReply:
        return OrderReply(self.game, self.power, self.found, self.mail.left_out)

    # what comes of it

    def result(self) -> ProcessingResult:
        commands, rest = self.commands
        if not commands:
            return self._of_orders()
        if not self._plays():
            return self._not_taken(OrdersRefusal("not_yours"))
        ordered = self._of_orders() if any(sign.isalnum() for sign in rest) else None
        phase = order_parsing.tagged_phase(self.mail.subject, self.story.variant)
        at = self.delivery.email.received_at
        actions = PlayerActions(self.game, self.person, self.power, at, self._results, phase)
        done = actions.carried_out(commands)
        subject, told = actions.results_mail(done)
        if ordered is None or ordered.answer is None or self._is_prose(ordered):
            facts = {"power": self.power, **actions.facts}
            return ProcessingResult(
                MailOutcome.ANSWERED, facts, MailReply(subject, told, f"game:{self.game.key}")
            )
        answer = replace(ordered.answer, text=f"{told}\n{ordered.answer.text}")
        refused = sum("refused" in facts for _command, facts in done)
        if refused:
            aside = ngettext("(%(n)s command without effect)", "(%(n)s commands without effect)", refused)
            answer = replace(answer, subject=f"{answer.subject} {aside % {'n': refused}}")
        return replace(ordered, facts={**ordered.facts, **actions.facts}, answer=answer)

    def _is_prose(self, ordered: ProcessingResult) -> bool:
        """Whether nothing beside the commands was meant for a sheet, not even in vain."""
        if ordered.outcome is not MailOutcome.NO_ORDERS:
            return False
        said, found = (SetAsideReason.PROSE, SetAsideReason.QUOTED), self.found
        meant = found.has_orders or found.is_ready is not None
        return not meant and all(one.why in said for one in found.aside)

    def _plays(self) -> bool:
        return recipients.player_ids_of(self.game, self.power) == [self.person.pk]

    def _of_orders(self) -> ProcessingResult:
        known = order_submission.order_set_by_key(self.game, self.power, self.key)
        if known is not None:
            return self._handed(known)
        try:
            self._check_game()
            if self.game.state not in RUNNING_STATES:
                return self._past(self.mail.subject) or self._not_taken(OrdersRefusal("over"))
            return self._elsewhere() or self._nothing() or self._submit()
        except OrdersRefusal as refusal:
            return self._not_taken(refusal)
        except DraftRefusal as problem:
            return self._unfit(problem)

    def _check_game(self) -> None:
        """Raises OrdersRefusal."""
        if self.game.state == GameState.GATHERING:
            raise OrdersRefusal("not_begun")
        if not self._plays():
            raise OrdersRefusal("not_yours")
        if not self.question:
            raise OrdersRefusal("over")

    def _submit(self) -> ProcessingResult:
        found, standing = self.found, self._standing()
        if late_orders.is_overtaken(self.delivery, standing):
            return self._overtaken()
        if not found.has_orders:
            return self._final(final=bool(found.is_ready))
        if standing is not None and found.orders:
            prepared = order_replies.read_order_set(
                self.game, self.game.phase_number, self.power, found.orders
            )
            if prepared is not None and not any(one.is_followed for one in prepared.readings):
                return self._not_understood(prepared)
        sheet = order_submission.submit_orders(
            self.game,
            self.power,
            found.orders,
            number=self.game.phase_number,
            key=self.key,
            origin="mail",
            at=self.delivery.email.received_at,
            by=self.person,
            final=bool(found.is_ready),
        )
        return self._handed(sheet)

    def _handed(self, sheet: OrderSet) -> ProcessingResult:
        """Told in the sight of the phase that the sheet is for, which may have been published since."""
        self.question = self.story.question(sheet.phase_number) or {}
        facts = {
            **self._facts(),
            "number": sheet.phase_number,
            "receipt": sheet.receipt_number,
            "final": sheet.is_ready,
        }
        return ProcessingResult(MailOutcome.TAKEN, facts, self.letter().received(sheet))

    def _final(self, *, final: bool) -> ProcessingResult:
        """Nothing but "final", or "not final". Raises OrdersRefusal."""
        at = self.delivery.email.received_at
        order_submission.set_ready(self.game, self.power, self.game.phase_number, final, at, self.person)
        standing = self._standing()
        if standing is None:
            raise OrdersRefusal("nothing")
        facts = {**self._facts(), "receipt": standing.receipt_number, "final": final}
        return ProcessingResult(MailOutcome.TAKEN, facts, self.letter().final(standing, final=final))

    def _standing(self) -> OrderSet | None:
        return order_submission.counting_order_sets(self.game, self.game.phase_number).get(self.power)

    def _facts(self) -> dict[str, Any]:
        return {"power": self.power, "number": self.game.phase_number, "phase": self.game.phase}

    # nothing that could be taken

    def _nothing(self) -> ProcessingResult | None:
        if self.found.has_orders or self.found.is_ready is not None:
            return None
        master = press_rules.GAME_MASTER if recipients.game_master_ids(self.game) else ""
        address = mailboxes.conversation_address(self.game, self.person, self.power, master) if master else ""
        answer = self.letter().without_orders(
            in_subject=self._is_in_subject(),
            master=address,
            talks=command_actions.open_talks(self.game, self.person, self.power),
        )
        return ProcessingResult(MailOutcome.NO_ORDERS, self._facts(), answer)

    def _is_in_subject(self) -> bool:
        """Whether somebody has written his orders into the subject."""
        return bool(order_parsing.parse_orders(self.mail.subject, self.question, self.power).orders)

    def _not_understood(self, prepared: OrderPreparation) -> ProcessingResult:
        facts = {**self._facts(), "lines": list(self.found.orders)}
        return ProcessingResult(MailOutcome.NO_ORDERS, facts, self.letter().not_understood(prepared))

    def _overtaken(self) -> ProcessingResult:
        told = order_texts.orders_refusal_text(OrdersRefusal("later"))
        answer = self.letter().refused(_("newer orders count"), told, orders=self.found.orders)
        return ProcessingResult(MailOutcome.OVERTAKEN, self._facts(), answer)

    # another phase

    def _elsewhere(self) -> ProcessingResult | None:
        """The mail is meant for a phase that is not open, or may be."""
        found = self.found
        if found.is_elsewhere:
            return self._past(found.other) or self._other("heading", self._names(found.other))
        if not found.has_orders and found.is_ready is None:
            return None
        if self._is_from_before():
            return self._past(self.mail.subject) or self._before()
        named = "" if found.dated else order_parsing.other_phase_named(self.mail.subject, self.game)
        if named:
            past = self._past(self.mail.subject)
            return past or self._other("subject", self._subject(named), self._tagged())
        return self._idle()

    def _names(self, heading: str) -> str:
        told = _("Your orders are under the heading “%(heading)s”, which is not the current phase.")
        return told % {"heading": heading}

    def _subject(self, named: str) -> str:
        told = _(
            "The subject of your email names another phase: %(named)s. If these orders are "
            "for the current phase, send them again with its name on a line above them: "
            "%(phase)s."
        )
        return told % {"named": named, "phase": self._season()}

    def _season(self) -> str:
        return display_names.phase_name(self.story.variant, self.game.phase)

    def _past(self, named: str) -> ProcessingResult | None:
        """Too late: they name the phase that was published last, and may be let in if it is rolled back."""
        last = last_published_revision(self.game)
        if not (last and last.phase) or not order_parsing.names_phase(named, last.phase, self.story.variant):
            return None
        meant = self._meant(last.phase_number)
        if "lines" not in meant:
            return None
        counted = order_submission.counting_order_set(self.game, self.power, last.phase_number)
        resolved = phase_corrections.adjudicated_revision(last) or last
        told = _("Too late: that phase (%(phase)s) was resolved on %(when)s, %(counted)s.") % {
            "phase": display_names.phase_name(self.story.variant, last.phase),
            "when": order_texts.receipt_time(resolved.published_at),
            "counted": _("with the orders already saved") if counted else _("without orders from you"),
        }
        said = [told]
        if self._has_master:
            said.append(_("The GM has been told, and can still roll it back and accept these."))
        if self.game.state in RUNNING_STATES:
            again = _(
                "If they are for the current phase, send them again "
                "with its name on a line above them: %(phase)s."
            )
            said.append(again % {"phase": self._season()})
        facts = {**self._facts(), "why": "past", "number": last.phase_number, **meant}
        answer = self.letter().refused(_("orders too late"), *said, orders=meant["lines"])
        return ProcessingResult(MailOutcome.OTHER_PHASE, facts, answer)

    def _tagged(self) -> int:
        """The number of the published phase that the subject names; 0 where it is none."""
        tagged = order_parsing.tagged_phase(self.mail.subject, variants.load(self.game.variant))
        return self.story.published_phases.index(tagged) + 1 if tagged in self.story.published_phases else 0

    def _is_from_before(self) -> bool:
        """Whether its writer cannot have seen the open phase: it was received before that was told.

        A phase counts from the deadline of the one before, where that was published a little later.
        """
        opened, received = self.game.phase_opened_at, self.delivery.email.received_at
        if opened is None or received < opened:
            return opened is not None
        told = PhaseRevision.objects.filter(
            game=self.game, phase_number=self.game.phase_number - 1, kind="adjudication"
        )
        soon = told.filter(
            published_at__gt=received, published_at__lte=opened + phase_deadlines.PUNCTUAL_WITHIN + JUDGING
        )
        return soon.exists()

    def _before(self) -> ProcessingResult:
        told = [
            _(
                "Your email arrived before the current phase was announced, and may be meant "
                "for another. If these orders are for the current phase, send them again."
            )
        ]
        before = self.game.phase_number - 1
        if before and self._has_master:
            told.append(
                _(
                    "If they are for the previous phase, which has been resolved, the GM can "
                    "roll it back and accept them."
                )
            )
        return self._other("before", " ".join(told), before)

    @property
    def _has_master(self) -> bool:
        return bool(late_orders.who_may_accept(self.game))

    def _idle(self) -> ProcessingResult | None:
        if self.power in self.story.deciding_powers(self.game.phase_number):
            return None
        return self._other("idle", GameStatusText(self.game).why_nothing_to_order(self.power))

    def _other(self, why: str, told: str, number: int = 0) -> ProcessingResult:
        """`number`: the published phase that it may have been meant for, whose orders are kept."""
        facts = {**self._facts(), "why": why, "number": number}
        if number:
            facts |= self._meant(number)
        answer = self.letter().refused(_("orders rejected"), told, orders=self.found.orders)
        return ProcessingResult(MailOutcome.OTHER_PHASE, facts, answer)

    def _meant(self, number: int) -> dict[str, Any]:
        question = self.story.question(number)
        if question is None:
            return {}
        read = order_parsing.parse_orders(self.mail.text, question, self.power, self._tells)
        if not read.has_orders:  # "ready" alone takes no orders away
            return {}
        return {"phase": question["phase"], "lines": list(read.orders), "final": bool(read.is_ready)}

    # refusals

    def _not_taken(self, refusal: OrdersRefusal) -> ProcessingResult:
        if refusal.code == "moved":  # published while it was read
            return OrderMail(self.delivery, self.mail)._of_orders()
        outcome = OUTCOMES[refusal.code]
        if outcome is MailOutcome.LATE:
            return self._late()
        if outcome is MailOutcome.OVERTAKEN:
            return self._overtaken()
        if outcome is MailOutcome.REPEATED and refusal.order_set is not None:
            return self._handed(refusal.order_set)
        told = order_texts.orders_refusal_text(refusal)
        letter = OrderReply(self.game, self.power)
        if outcome is MailOutcome.NO_ORDERS:
            return ProcessingResult(outcome, self._facts(), letter.refused(_("not ready (no orders)"), told))
        return ProcessingResult(outcome, {"power": self.power}, letter.bare(_("orders rejected"), told))

    def _late(self) -> ProcessingResult:
        """Kept with its lines, so that the game master may let it in."""
        lines: Sequence[str] = self.found.orders
        if not self.found.has_orders:
            told = order_texts.orders_refusal_text(OrdersRefusal("late"))
            return ProcessingResult(
                MailOutcome.NO_ORDERS, self._facts(), self.letter().refused(_("too late"), told)
            )
        facts = {**self._facts(), "lines": list(lines), "final": bool(self.found.is_ready)}
        when = {"when": order_texts.receipt_time(self.delivery.email.received_at)}
        said = [_("Your email arrived on %(when)s, after the deadline: these orders don’t count.") % when]
        if self._has_master:
            said.append(_("They are kept, and the GM can still accept them."))
        answer = self.letter().refused(_("orders too late"), *said, orders=lines)
        return ProcessingResult(MailOutcome.LATE, facts, answer)

    def _unfit(self, problem: DraftRefusal) -> ProcessingResult:
        answer = OrderReply(self.game, self.power, left=self.mail.left_out).refused(
            _("orders rejected"), order_texts.own_draft_refusal_text(problem)
        )
        return ProcessingResult(MailOutcome.UNFIT, {**self._facts(), "why": problem.code}, answer)
