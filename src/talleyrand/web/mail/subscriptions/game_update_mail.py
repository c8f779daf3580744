"""One mail for all that somebody has not been told of a game: reports, short news, what he has to do now."""

from __future__ import annotations

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
from talleyrand.web.mail.mail_templates import Part, render_mail
from talleyrand.web.mail.mailed_orders import command_actions
from talleyrand.web.mail.mailed_orders.order_parsing import subject_tag
from talleyrand.web.mail.mailed_orders.order_replies import OrderReply
from talleyrand.web.mail.models import EmailInvitation, Mailbox, MailSubscription
from talleyrand.web.notifications import notification_sentences as notices
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press import message_visibility as letters

from . import report_texts
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
        entries = [entry for one in told if (entry := self._entry(one))]
        news = [entry for place, entry in enumerate(entries) if entry not in entries[:place]]
        reports = self._reports(told) if self.sight.may_open else {}
        if not news and not any(reports.values()):
            return None
        power, numbers = next(iter(self.acting), ""), self._numbers(told)
        mailbox = mailboxes.reply_mailbox(self.game, self.subscription.person, power)
        return self._draft(
            "report",
            f"news:{self.subscription.pk}:{told[-1].pk}",
            self._headline(told),
            MASTER if power == MASTER else "",
            mailbox,
            news=news,
            talks=command_actions.open_talks(self.game, self.subscription.person),
            number=max(numbers, default=0),
            **reports,
            **self._now(mailbox, fresh=bool(numbers)),
        )

    def catch_up_mail(self) -> MailDraft | None:
        """The last report, for who begins in the middle of a game and has not been told of it anyhow."""
        number = self.game.phase_number - 1
        told = any(one.kind == "published" for one in self.notifications)
        if number < 1 or told or not self.acting or not self.standing.is_open:
            return None
        mailbox = mailboxes.reply_mailbox(self.game, self.subscription.person, self.acting[0])
        once = f"before:{self.subscription.pk}:{number}"
        return self._draft(
            "report", once, self._phase_title(number), "", mailbox, number=number, papers=self._paper(number)
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
        once = f"desk:{self.subscription.pk}:{reminded}"
        headline = _("who has submitted orders")
        return self._draft("desk", once, headline, power, mailbox, **self._now(mailbox, fresh=False))

    def _draft(
        self,
        kind: str,
        once: str,
        headline: str,
        power: str,
        mailbox: Mailbox | None,
        number: int = 0,
        **told: Any,
    ) -> MailDraft:
        """A mail of what is told; at its foot the map of the phase `number`, the game on the site, and where
        one has no more of this.
        """
        page = game_page_url(self.game) if self.sight.may_open else ""
        subject, text = render_mail(
            "update",
            tag=subject_tag(self.game),
            headline=headline,
            standing=self.standing,
            game_page=page,
            map_page=game_page_url(self.game, "games:phase", number) if page and number else "",
            post_page=game_page_url(self.game, "mail:post") if self.sight.role else "",
            **told,
        )
        return MailDraft(kind, once, subject, text, power, mailbox)

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

    def _entry(self, notice: Notification) -> dict[str, Any]:
        """Short news as `update.txt` tells them; nothing for what has a part of its own."""
        kind, facts = notice.kind, notice.facts
        if kind == "corrected" and facts.get("misfit"):
            return {"told": "misfit"}
        if kind in TOLD_WHOLE and self.sight.may_open and self._has_part(notice):
            return {}
        power = str(facts.get("power", ""))
        if kind in ("replaced", "disorder") and self._was_mine(power):
            return {"told": kind, "power_with_article": self.standing.power_with_article(power)}
        entry: dict[str, Any] = {"sentence": notices.notification_sentence(kind, facts)}
        if kind == "invitation_undelivered" and (offer := _whole_number(facts.get("offer"))):
            lost = EmailInvitation.objects.filter(pk=offer, invited_by=self.sight.person).first()
            if lost is not None:
                return {"told": kind, "address": lost.mailbox.target}
        if kind == "orders_entered" and power in self.acting and facts.get("phase") == self.game.phase:
            entry["orders"] = OrderReply(self.game, power).counting_orders()
        if kind in ("late_orders", "resolved_orders") and power:
            entry |= {"told": "late_orders", "power": self.standing.power(power)}
        return entry

    def _has_part(self, notice: Notification) -> bool:
        """Whether it is told in a part of its own: not so a correction of where the game began."""
        if notice.kind == "gazette":
            return _whole_number(notice.facts.get("gazette")) is not None
        return notice.kind != "corrected" or self._number(notice) is not None

    def _was_mine(self, power: str) -> bool:
        mine = PowerAssignment.objects.filter(
            seat__game=self.game, seat__power=power, person=self.sight.person
        )
        return power not in self.acting and mine.exists()

    def _reports(self, told: list[Notification]) -> dict[str, Any]:
        """What has parts of its own."""
        kinds = {one.kind for one in told}
        shown = self._numbers(told)
        variant = self.standing.variant
        return {
            "papers": [part for number in shown for part in self._paper(number)],
            "taken_back": [
                display_names.phase_name(variant, str(one.facts.get("phase", "")))
                for one in told
                if one.kind == "taken_back"
            ],
            "gazettes": self._gazettes(told, shown),
            "ending": report_texts.end_report(self.sight)
            if self.sight.is_game_over and "ended" in kinds
            else [],
            "shows_board": bool(shown) or bool(kinds & {"corrected", "taken_back"}),
        }

    def _numbers(self, told: list[Notification]) -> list[int]:
        """The phases that were published or corrected and still are, each once."""
        found = [self._number(one) for one in told if one.kind in ("published", "corrected")]
        return sorted({number for number in found if number is not None})

    def _number(self, notice: Notification) -> int | None:
        current = PhaseRevision.objects.filter(game=self.game, is_current=True, phase_number__gt=0)
        wanted: dict[str, Any] = {"phase": str(notice.facts.get("phase"))}
        if notice.kind == "published":
            wanted = {"phase_number": _whole_number(notice.facts.get("number")) or 0}
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

    def _gazettes(self, told: list[Notification], shown: list[int]) -> list[Gazette]:
        """The words that came out since a report was sent."""
        wanted = [number for one in told if (number := _whole_number(one.facts.get("gazette"))) is not None]
        found = Gazette.objects.filter(game=self.game, pk__in=wanted)
        return [one for one in found if one.phase_number not in shown]

    # what he has to do

    def _now(self, mailbox: Mailbox | None, *, fresh: bool) -> dict[str, Any]:
        """Where the open phase is; `fresh`: it has just begun, and nobody has done anything yet."""
        if not self.acting:
            return {}
        held = letters.held_messages(self.sight).count
        is_player = self.sight.role == GameRole.PLAYER and self.standing.is_open
        has_desk = not is_player and mailbox is not None and not self.sight.is_game_over
        return {
            "desk": report_texts.desk_report(self.game, held(), may_start=self.sight.is_game_master)
            if self.sight.is_at_desk and not fresh
            else (),
            "is_open_for_them": self.standing.is_open,
            "seats": [self._seat(power) for power in self.acting] if is_player else (),
            "desk_address": mailboxes.mailbox_address(mailbox) if has_desk and mailbox else "",
        }

    def _seat(self, power: str) -> dict[str, Any]:
        """What somebody has to do for a power, with an example of retreats and builds: they are rare."""
        own = mailboxes.reply_mailbox(self.game, self.subscription.person, power)
        is_known = self.game.phase[-1:] == "M" or self.standing.has_submitted(power)
        return {
            "power": self.standing.power_with_article(power),
            "tasks": self.standing.tasks(power),
            "orders": self.standing.own_orders(power),
            "address": mailboxes.mailbox_address(own) if own and power in self.standing.menus else "",
            "example": () if is_known else self.standing.example(power),
        }

    # the headline

    def _headline(self, told: list[Notification]) -> str:
        kinds = {one.kind for one in told}
        numbers = self._numbers(told) if self.sight.may_open else []
        if "ended" in kinds and self.sight.is_game_over:
            return _("the game is over")
        if numbers:
            return self._phase_title(numbers[-1])
        kind, facts = told[-1].kind, told[-1].facts
        if kind in REMINDERS:
            facts = {**facts, "phase": ""}  # the tag names it, and the date is to be read whole
        said = notices.notification_sentence(kind, facts).removesuffix(".")
        return said if len(said) <= LONGEST_SUBJECT else f"{said[:LONGEST_SUBJECT]}…"

    def _phase_title(self, number: int) -> str:
        return report_texts.report_title(GameBoard(GameViewer(self.game, None, shows_all=True), number))


def _whole_number(fact: Any) -> int | None:
    """A number among the facts of a notice; None for anything else."""
    return fact if isinstance(fact, int) and not isinstance(fact, bool) else None
