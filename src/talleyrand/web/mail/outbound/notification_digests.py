"""News for those who want them by mail: what is due to one person at once leaves as one mail."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import get_language

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.failpoints import failpoint
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.games import recipients
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.mail_templates import SubjectAndText, render_mail
from talleyrand.web.mail.models import MailSubscription
from talleyrand.web.notifications import notification_sentences, outbox, topic_versions
from talleyrand.web.notifications.models import Notification, NotificationDelivery

from . import email_queue, message_builder

CHANNEL = "mail"
STALE = timedelta(days=3)  # news that could not leave for so long are none
PUT_OFF = timedelta(hours=1)
# What loses its sense once its date is over.
REMINDERS = ("due_soon", "missing")

logger = logging.getLogger(__name__)


def queue_digests(now: datetime) -> int:
    """Put the news that are due into the outbox; how many mails they come to."""
    people = list(_due(now).order_by().values_list("notification__person", flat=True).distinct())
    return sum(_gathered(person, now) for person in people)


def _gathered(person: int, now: datetime) -> bool:
    """News that cannot be told stop nobody else’s."""
    try:
        return _gather(person, now)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("the news of person %s could not be written, and wait for an hour", person)
    _due(now).filter(notification__person=person).update(due_at=now + PUT_OFF)
    return False


@write_transaction
def _gather(pk: int, now: datetime) -> bool:
    mine = _due(now).filter(notification__person=pk).select_for_update(of=("self",))
    rows = list(mine.select_related("notification").order_by("pk"))
    person = Person.objects.get(pk=pk)
    told = [row for row in rows if row.due_at > now - STALE]
    news = DigestReader(person, now).wanted([row.notification for row in told]) if person.is_active else []
    NotificationDelivery.objects.filter(pk__in=[row.pk for row in rows]).update(sent_at=now)
    failpoint("mail out: news gathered")
    return _queue(person, news, now) if news else False


def _due(now: datetime) -> QuerySet[NotificationDelivery]:
    return NotificationDelivery.objects.filter(channel=CHANNEL, sent_at=None, due_at__lte=now)


class DigestReader:
    """Somebody who has news waiting; which of them still concern him."""

    def __init__(self, person: Person, now: datetime) -> None:
        self.person, self.now = person, now
        self._sights: dict[str, GameViewer | None] = {}

    def wanted(self, news: Sequence[Notification]) -> list[Notification]:
        return [one for one in news if one.read_at is None and self._concerns(one)]

    def _concerns(self, notice: Notification) -> bool:
        if notice.kind == email_queue.PAUSED_NOTICE or self._is_over(notice):
            return False
        if not notice.topic.startswith("game:"):
            return True
        sight = self._sight(notice.topic)
        if sight is None or sight.game.pk in self._corresponding:
            return False
        return recipients.may_still_be_notified(sight, notice.kind)

    def _is_over(self, notice: Notification) -> bool:
        due = notice.facts.get("due") if notice.kind in REMINDERS else None
        try:
            when = datetime.fromisoformat(due) if isinstance(due, str) and due else None
        except ValueError:
            return False
        return when is not None and timezone.is_aware(when) and when < self.now

    def _sight(self, about: str) -> GameViewer | None:
        """What he may see of a game now; None where that is nothing."""
        if about not in self._sights:
            game = Game.objects.filter(key=about.removeprefix(topic_versions.game_topic(""))).first()
            sight = GameViewer(game, self.person) if game else None
            self._sights[about] = sight if sight is not None and sight.may_open else None
        return self._sights[about]

    @cached_property
    def _corresponding(self) -> set[int]:
        """The games of which he is sent everything anyhow."""
        open_now = MailSubscription.objects.filter(person=self.person, ended_at=None)
        return set(open_now.values_list("game", flat=True)) if settings.HAS_PLAY_BY_MAIL else set()


def _queue(person: Person, news: Sequence[Notification], now: datetime) -> bool:
    told = ",".join(str(one.pk) for one in news)
    once = f"{message_builder.NEWS}:{hashlib.sha256(told.encode()).hexdigest()}"
    with email_queue.reader_locale(person):
        written = _digest(news)
        return email_queue.queue_email(person, message_builder.NEWS, once, *written, due=now)


def _digest(news: Sequence[Notification]) -> SubjectAndText:
    """The news of each game under its name, with the addresses that they lead to."""
    found: dict[str, list[Notification]] = {}
    for one in news:
        found.setdefault(one.topic, []).append(one)
    return render_mail(
        "digest",
        headline=notification_sentences.notification_subject(news[0]) if len(news) == 1 else "",
        game=notification_sentences.game_name(news[0]) if len(found) == 1 else "",
        n=len(news),
        games=[_of_game(together) for together in found.values()],
        settings_page=_link(reverse("notices:choices")) if settings.SITE_URL else "",
    )


def _of_game(news: Sequence[Notification]) -> tuple[str, list[str], list[str]]:
    told = [notification_sentences.notification_sentence(one.kind, one.facts) for one in news]
    links = [_link(path) for path in dict.fromkeys(one.path for one in news) if path and settings.SITE_URL]
    return notification_sentences.game_name(news[0]), told, links


def _link(path: str) -> str:
    return f"{settings.SITE_URL}{outbox.path_in_language(path, get_language() or settings.LANGUAGE_CODE)}"
