"""Tells the people of tournaments what concerns them. Any number of processes may do so at once.

An event that has changed is looked at until nobody has to be told anything any more: a handful in each
transaction, which notes what it has told, so that a crash neither loses nor repeats anything.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from django.db import DatabaseError
from django.db.models import F, Q

from talleyrand.tournament.board_rules import CLASSIC
from talleyrand.tournament.model import Event
from talleyrand.web import background
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.notifications import outbox, topic_versions
from talleyrand.web.tournaments import access_tokens, event_journal
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament

from . import chat_posts, notification_choices, notification_mail, pending_notifications
from .models import MailUnsubscription, TournamentNotificationState
from .pending_notifications import PendingNotification

PEOPLE_A_TRANSACTION = 8  # people told in one transaction, which others wait for

logger = logging.getLogger(__name__)


def notify_soon() -> None:
    """Have it done once the transaction under way is committed."""
    background.run_soon(event_journal.NOTIFICATION_JOB)


def notify_due_tournaments() -> int:
    """Look at every event that has changed; how many had something to tell.

    One that cannot be told stops no other, and is looked at again.
    """
    behind = Tournament.objects.filter(Q(telling=None) | Q(version__gt=F("telling__checked_version")))
    return sum(_looked_at(pk) for pk in list(behind.values_list("pk", flat=True)))


def _looked_at(pk: int) -> bool:
    some = False
    try:
        with topic_versions.batched_bumps():
            while _tell_handful(pk):
                some = True
    except DatabaseError:
        raise
    except Exception:
        logger.exception("the news of tournament %s could not be told, and wait", pk)
    return some


@write_transaction
def _tell_handful(pk: int) -> bool:
    """Tell some; False where nothing was left, and the event has been looked at."""
    tournament = Tournament.objects.filter(pk=pk).first()
    if tournament is None:
        return False
    notification_choices.notification_settings_of(tournament)
    telling = TournamentNotificationState.objects.select_for_update().get(tournament=tournament)
    event = event_of(tournament)
    found = list(
        islice(pending_notifications.pending_notifications(event, telling.notified), PEOPLE_A_TRANSACTION)
    )
    PersonNotifier(tournament, event, telling).notify_all(found)
    telling.notified = {**telling.notified, **{one.subject: one.state for one in found}}
    if not found:
        chat_posts.queue_chat_posts(tournament, event)
        telling.checked_version = tournament.version
    telling.save(update_fields=["notified", "checked_version"])
    return bool(found)


@dataclass
class PersonNotifier:
    """Tells news of one event in the ways that its director and its people want."""

    tournament: Tournament
    event: Event
    telling: TournamentNotificationState

    def notify_all(self, found: Iterable[PendingNotification]) -> None:
        wanted = notification_choices.audience_by_topic(self.telling)
        for news in found:
            wish = wanted[news.topic] if news.kind else notification_choices.NOBODY
            if wish != notification_choices.NOBODY:
                self._tell(news, by_address=wish == notification_choices.ALL)

    def _tell(self, news: PendingNotification, *, by_address: bool) -> None:
        account = self._accounts.get(news.person_number)
        if account is not None:
            self._notify(news, account)
        elif by_address and news.person_number not in self._quiet:
            notification_mail.mail_notification(self.tournament, self.event, news)

    def _notify(self, news: PendingNotification, account: int) -> None:
        facts = {"game": self.event.name, "variant": CLASSIC, **news.facts}
        key = self.tournament.key
        outbox.notify(
            [account],
            news.kind,
            facts,
            about=event_journal.tournament_topic(key),
            path=notification_mail.notification_path(self.tournament, news),
            once=f"{key}:{news.subject}:{self.tournament.version}",
        )

    @cached_property
    def _accounts(self) -> dict[int, int]:
        """The account of each person who came by one."""
        held = self.tournament.passes.exclude(account=None)
        return {access_tokens.person_of_token(self.tournament, one): int(one.account_id or 0) for one in held}

    @cached_property
    def _quiet(self) -> set[int]:
        return set(
            MailUnsubscription.objects.filter(tournament=self.tournament).values_list(
                "person_number", flat=True
            )
        )
