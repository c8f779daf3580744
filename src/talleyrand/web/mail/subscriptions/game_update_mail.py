"""One mail for all that somebody has not been told of a game: reports, short news, what he has to do now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from talleyrand.web.boards import display_names
from talleyrand.web.games.models import Game, GameRole, Gazette, PhaseRevision, PowerAssignment
from talleyrand.web.games.phase_pages.game_board import GameBoard
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.game_status_text import GameStatusText, game_page_url
from talleyrand.web.mail.mailed_orders.order_parsing import subject_tag
from talleyrand.web.mail.models import Mailbox, MailSubscription
from talleyrand.web.mail.text_layout import bullet, heading, join_parts, prose, protected, unbroken
from talleyrand.web.notifications import notification_sentences as notices
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press import message_visibility as letters

from . import report_texts
from .report_texts import Part
from .subscribing import MASTER, MailDraft, subscribed_powers

# What a report was made of, and the language: one is written for all who read it in a sweep.
ReportCache = dict[tuple[int, str, int], list[Part]]
MESSAGE_KINDS = ("letter", "letter_held")  # these come whole
BY_LETTER = "letter_returned"
# What somebody is told even if he has read of it on the site; of the rest he has been told then.
PAPERS = ("published", "corrected", "taken_back", "ended", "gazette", "given", "replaced")
TOLD_WHOLE = ("published", "corrected", "taken_back", "ended", "gazette")  # in a part of its own
REMINDERS = ("due_soon", "missing")
LATEST = {  # of several about the same the last one is true
    **dict.fromkeys(REMINDERS, "reminder"),
    **dict.fromkeys(("extended", "paused", "resumed"), "clock"),
}
COVERED = ("begun", "given")  # by the mail to begin with
VOTES = ("proposal", "proposal_voting")
LONGEST_SUBJECT = 120


@dataclass
class GameUpdateMail:
    """What `notifications` come to for one correspondent, in the language and the zone in use."""

    subscription: MailSubscription
    sight: GameViewer
    notifications: list[Notification]
    report_cache: ReportCache

    @property
    def game(self) -> Game:
        return self.sight.game

    @cached_property
    def standing(self) -> GameStatusText:
        return GameStatusText(self.game)

    @cached_property
    def acting(self) -> tuple[str, ...]:
        """For what he corresponds now; nothing for who has no role any more."""
        return subscribed_powers(self.sight) if self.sight.role else ()

    def mail(self) -> MailDraft | None:
        """The mail; None where there is nothing to say."""
        told = [one for one in self._latest() if self._is_news(one)]
        parts = [self._sentences(told), *self._reports(told)]
        if not any(parts):
            return None
        power = next(iter(self.acting), "")
        mailbox = mailboxes.reply_mailbox(self.game, self.subscription.person, power)
        return MailDraft(
            kind="report",
            idempotency_key=f"news:{self.subscription.pk}:{told[-1].pk}",
            subject=self._subject(told),
            text=join_parts([*parts, *self._now(mailbox, fresh=bool(self._numbers(told))), self._foot()]),
            power=MASTER if power == MASTER else "",
            mailbox=mailbox,
        )

    def catch_up_mail(self) -> MailDraft | None:
        """The last report, for who begins in the middle of a game and has not been told of it anyhow."""
        number = self.game.phase_number - 1
        told = any(one.kind == "published" for one in self.notifications)
        if number < 1 or told or not self.acting or not self.standing.is_open:
            return None
        return MailDraft(
            kind="report",
            idempotency_key=f"before:{self.subscription.pk}:{number}",
            subject=f"{subject_tag(self.game)} {self._named(number)}",
            text=join_parts([*self._paper(number), self._foot()]),
            power="",
            mailbox=mailboxes.reply_mailbox(self.game, self.subscription.person, self.acting[0]),
        )

    def desk_mail(self, now: datetime) -> MailDraft | None:
        """Who has handed in, for whoever runs the game, when those who are missing have been reminded."""
        game = self.game
        if (
            not self.sight.is_at_desk
            or not self.standing.is_open
            or game.deadline is None
            or game.deadline <= now
        ):
            return None
        reminded = f"due_soon:{game.phase_number}:{game.deadline.isoformat()}"
        if not Notification.objects.filter(idempotency_key=f"{game.key}:{reminded}").exists():
            return None
        power = next(iter(self.acting))
        mailbox = mailboxes.reply_mailbox(game, self.subscription.person, power)
        return MailDraft(
            kind="desk",
            idempotency_key=f"desk:{self.subscription.pk}:{reminded}",
            subject=f"{subject_tag(game)} " + _("who has submitted orders"),
            text=join_parts([*self._now(mailbox, fresh=False), self._foot()]),
            power=power,
            mailbox=mailbox,
        )

    # what is told

    def _latest(self) -> list[Notification]:
        last = {LATEST[one.kind]: one.pk for one in self.notifications if one.kind in LATEST}
        return [
            one for one in self.notifications if one.kind not in LATEST or last[LATEST[one.kind]] == one.pk
        ]

    def _is_news(self, notice: Notification) -> bool:
        kind = notice.kind
        if kind in REMINDERS and not self._is_due(notice):
            return False
        if kind in COVERED and self.acting and self.standing.is_open:
            return False
        if kind == "replaced" and notice.facts.get("power") in self.acting:
            return False  # back from a stand-in: that is a beginning again
        return kind != BY_LETTER and (kind in PAPERS or notice.read_at is None)

    def _is_due(self, notice: Notification) -> bool:
        """Whether a reminder is still one."""
        open_now = self.standing.is_open and notice.facts.get("phase") == self.game.phase
        mine = [power for power in self.acting if power not in ("", MASTER)]
        return open_now and any(not self.standing.has_submitted(power) for power in mine)

    # in words

    def _sentences(self, told: list[Notification]) -> Part:
        lines = [line for one in told for line in self._sentence(one)]
        if any(one.kind in VOTES for one in told):
            lines += prose(_("Voting takes place on the site; you cannot vote by email."))
            lines += unbroken(game_page_url(self.game, "games:end")) if game_page_url(self.game) else []
        return lines

    def _sentence(self, notice: Notification) -> list[str]:
        kind, facts = notice.kind, notice.facts
        if kind == "corrected" and facts.get("misfit"):
            return bullet(
                _("Since the correction, some of your orders are no longer valid: send them again.")
            )
        if kind in TOLD_WHOLE and self.sight.may_open and self._has_part(notice):
            return []
        if kind == "replaced" and self._was_mine(str(facts.get("power", ""))):
            words = {"power": self.standing.power_with_article(str(facts["power"]))}
            return bullet(
                _("Someone else plays %(power)s now; your addresses for it no longer work.") % words
            )
        if kind == "disorder" and self._was_mine(str(facts.get("power", ""))):
            words = {"power": self.standing.power_with_article(str(facts["power"]))}
            return bullet(_("You no longer play %(power)s; your addresses for it no longer work.") % words)
        if kind == "late_orders" and facts.get("power"):
            power = {"power": self.standing.power(str(facts["power"]))}
            command = _("Reply “%(command)s” to accept them.") % {"command": _("accept %(power)s") % power}
            return [*bullet(notices.notification_sentence(kind, facts)), *prose(command)]
        return bullet(notices.notification_sentence(kind, facts))

    def _has_part(self, notice: Notification) -> bool:
        """Whether it is told in a part of its own: not so a correction of where the game began."""
        if notice.kind == "gazette":
            return _whole(notice.facts.get("gazette")) is not None
        return notice.kind != "corrected" or self._number(notice) is not None

    def _was_mine(self, power: str) -> bool:
        mine = PowerAssignment.objects.filter(
            seat__game=self.game, seat__power=power, person=self.sight.person
        )
        return power not in self.acting and mine.exists()

    def _reports(self, told: list[Notification]) -> Iterator[Part]:
        if not self.sight.may_open:
            return
        shown: list[int] = []
        for number in self._numbers(told):
            shown.append(number)
            yield from self._paper(number)
        for one in told:
            if one.kind == "taken_back":
                yield report_texts.taken_back_text(self.game, str(one.facts.get("phase", "")))
        yield from self._gazettes(told, shown)
        if self.sight.is_game_over and any(one.kind == "ended" for one in told):
            yield from report_texts.end_report(self.sight)
        if shown or any(one.kind in ("corrected", "taken_back") for one in told):
            yield from self._position()

    def _numbers(self, told: list[Notification]) -> list[int]:
        """The phases that were published or corrected and still are, each once."""
        found = [self._number(one) for one in told if one.kind in ("published", "corrected")]
        return sorted({number for number in found if number is not None})

    def _number(self, notice: Notification) -> int | None:
        current = PhaseRevision.objects.filter(game=self.game, is_current=True, phase_number__gt=0)
        wanted: dict[str, Any] = {"phase": str(notice.facts.get("phase"))}
        if notice.kind == "published":
            wanted = {"phase_number": _whole(notice.facts.get("number")) or 0}
        return current.filter(**wanted).values_list("phase_number", flat=True).last()

    def _paper(self, number: int) -> list[Part]:
        revision = self.game.revisions.filter(phase_number=number, is_current=True).first()
        if revision is None:
            return []
        key = (
            revision.pk,
            display_names.reader_language(),
            self.game.gazettes.filter(phase_number=number).count(),
        )
        if key not in self.report_cache:
            self.report_cache[key] = report_texts.phase_report(self.game, number)
        return self.report_cache[key]

    def _gazettes(self, told: list[Notification], shown: list[int]) -> Iterator[Part]:
        """The words that came out since a report was sent."""
        wanted = [number for one in told if (number := _whole(one.facts.get("gazette"))) is not None]
        for one in Gazette.objects.filter(game=self.game, pk__in=wanted):
            if one.phase_number not in shown:
                yield report_texts.gazette_text(one)

    def _position(self) -> Iterator[Part]:
        fallen = self.standing.dislodged()
        if fallen:
            yield [*heading(_("Dislodged")), *fallen]
        yield [*heading(_("Units")), *self.standing.units()]
        yield [*heading(_("Centres")), *self.standing.centres()]

    # what he has to do

    def _now(self, mailbox: Mailbox | None, *, fresh: bool) -> Iterator[Part]:
        """Where the open phase is; `fresh`: it has just begun, and nobody has done anything yet."""
        if not self.acting:
            return
        if self.sight.is_at_desk and not fresh:
            yield report_texts.desk_report(self.game, letters.held_messages(self.sight).count())
        elif self.standing.is_open:
            yield [*heading(self.standing.phase), *prose(self.standing.deadline())]
        if self.sight.role == GameRole.PLAYER and self.standing.is_open:
            for power in self.acting:
                yield [*self._yours(power), *self._whither(power)]
        elif mailbox is not None and not self.sight.is_game_over:
            told = _("Reply to this email or write to your desk address (“help” lists the commands):")
            yield [*prose(told), *unbroken(mailboxes.mailbox_address(mailbox))]

    def _yours(self, power: str) -> list[str]:
        sheet = self.standing.own_orders(power)
        told = [*prose(_("You play %(power)s.") % {"power": self.standing.power_with_article(power)})]
        told += self.standing.tasks(power)
        return [*told, *prose(sheet)] if sheet else told

    def _whither(self, power: str) -> list[str]:
        if power not in self.standing.menus:
            return []
        own = mailboxes.reply_mailbox(self.game, self.subscription.person, power)
        assert own is not None
        told = [
            *prose(_("Reply to this email with your orders, or send them to:")),
            *unbroken(mailboxes.mailbox_address(own)),
        ]
        return [*told, *self._example(power)]

    def _example(self, power: str) -> list[str]:
        """How retreats and builds are written, which come but once a year; movement was shown at first."""
        if self.game.phase[-1:] == "M" or self.standing.has_submitted(power):
            return []
        lines = self.standing.example(power)
        return (
            [*prose(_("For example:")), *(line for one in lines for line in protected(one))] if lines else []
        )

    def _foot(self) -> Part:
        """The game on the site, and where one has no more of this."""
        if not self.sight.may_open or not game_page_url(self.game):
            return []
        told = [*prose(_("On the site:")), *unbroken(game_page_url(self.game))]
        stop = [
            *prose(_("To stop getting these emails:")),
            *unbroken(game_page_url(self.game, "mail:post")),
        ]
        return told + stop if self.sight.role else told

    # the headline

    def _subject(self, told: list[Notification]) -> str:
        return f"{subject_tag(self.game)} {self._headline(told)}"

    def _headline(self, told: list[Notification]) -> str:
        kinds = {one.kind for one in told}
        numbers = self._numbers(told) if self.sight.may_open else []
        if "ended" in kinds and self.sight.is_game_over:
            return _("the game is over")
        if numbers:
            return self._named(numbers[-1])
        said = notices.notification_sentence(told[-1].kind, told[-1].facts).removesuffix(".")
        return said if len(said) <= LONGEST_SUBJECT else f"{said[:LONGEST_SUBJECT]}…"

    def _named(self, number: int) -> str:
        return report_texts.report_title(GameBoard(GameViewer(self.game, None), number))


def _whole(fact: Any) -> int | None:
    """A number among the facts of a notice; None for anything else."""
    return fact if isinstance(fact, int) and not isinstance(fact, bool) else None
