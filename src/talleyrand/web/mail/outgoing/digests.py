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
from django.utils.translation import gettext as _

from talleyrand.web.accounts.models import Person
from talleyrand.web.crashing import point
from talleyrand.web.games import audience
from talleyrand.web.games.models import Game
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.mail import layout
from talleyrand.web.mail.models import Correspondent
from talleyrand.web.notices import counters, outbox, wording
from talleyrand.web.notices.models import Delivery, Notice

from . import departing, pausing, sealing

CHANNEL = "mail"
STALE = timedelta(days=3)  # news that could not leave for so long are none
PUT_OFF = timedelta(hours=1)
# What loses its sense once its date is over.
REMINDERS = ("due_soon", "missing")

logger = logging.getLogger(__name__)


def gather(now: datetime) -> int:
    """Put the news that are due into the outbox; how many mails they come to."""
    people = list(_due(now).order_by().values_list("notice__person", flat=True).distinct())
    return sum(_gathered(person, now) for person in people)


def _gathered(person: int, now: datetime) -> bool:
    """News that cannot be told stop nobody else’s."""
    try:
        return _gather(person, now)
    except DatabaseError:
        raise
    except Exception:
        logger.exception("the news of person %s could not be written, and wait for an hour", person)
    _due(now).filter(notice__person=person).update(due=now + PUT_OFF)
    return False


@writing
def _gather(pk: int, now: datetime) -> bool:
    mine = _due(now).filter(notice__person=pk).select_for_update(of=("self",))
    rows = list(mine.select_related("notice").order_by("pk"))
    person = Person.objects.get(pk=pk)
    told = [row for row in rows if row.due > now - STALE]
    news = Reader(person, now).wanted([row.notice for row in told]) if person.is_active else []
    Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(sent=now)
    point("mail out: news gathered")
    return _queue(person, news, now) if news else False


def _due(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(channel=CHANNEL, sent=None, due__lte=now)


class Reader:
    """Somebody who has news waiting; which of them still concern him."""

    def __init__(self, person: Person, now: datetime) -> None:
        self.person, self.now = person, now
        self._sights: dict[str, Sight | None] = {}

    def wanted(self, news: Sequence[Notice]) -> list[Notice]:
        return [one for one in news if one.read is None and self._concerns(one)]

    def _concerns(self, notice: Notice) -> bool:
        if notice.kind == pausing.TOLD_HIM or self._is_over(notice):
            return False
        if not notice.about.startswith("game:"):
            return True
        sight = self._sight(notice.about)
        if sight is None or sight.game.pk in self._corresponding:
            return False
        return audience.concerns(sight, notice.kind)

    def _is_over(self, notice: Notice) -> bool:
        due = notice.facts.get("due") if notice.kind in REMINDERS else None
        try:
            when = datetime.fromisoformat(due) if isinstance(due, str) and due else None
        except ValueError:
            return False
        return when is not None and timezone.is_aware(when) and when < self.now

    def _sight(self, about: str) -> Sight | None:
        """What he may see of a game now; None where that is nothing."""
        if about not in self._sights:
            game = Game.objects.filter(key=about.removeprefix(counters.game_topic(""))).first()
            sight = Sight(game, self.person) if game else None
            self._sights[about] = sight if sight is not None and sight.may_open else None
        return self._sights[about]

    @cached_property
    def _corresponding(self) -> set[int]:
        """The games of which he is sent everything anyhow."""
        open_now = Correspondent.objects.filter(person=self.person, until=None)
        return set(open_now.values_list("game", flat=True)) if settings.HAS_POST else set()


def _queue(person: Person, news: Sequence[Notice], now: datetime) -> bool:
    told = ",".join(str(one.pk) for one in news)
    once = f"{sealing.NEWS}:{hashlib.sha256(told.encode()).hexdigest()}"
    with departing.speaking(person):
        return departing.queue(person, sealing.NEWS, once, _subject(news), _text(news), due=now)


def _subject(news: Sequence[Notice]) -> str:
    if len(news) == 1:
        return wording.subject(news[0])
    words = {"game": wording.game_name(news[0]), "n": len(news)}
    if len({one.about for one in news}) == 1:
        return _("%(game)s: %(n)d news") % words
    return _("%(n)d news of your games") % words


def _text(news: Sequence[Notice]) -> str:
    """The news of each game under its name, with the addresses that they lead to."""
    found: dict[str, list[Notice]] = {}
    for one in news:
        found.setdefault(one.about, []).append(one)
    parts = [part for together in found.values() for part in _of_game(together)]
    return layout.joined([*parts, *_ending()])


def _of_game(news: Sequence[Notice]) -> list[list[str]]:
    told = [line for one in news for line in layout.point(wording.sentence(one.kind, one.facts))]
    links = [_link(path) for path in dict.fromkeys(one.path for one in news) if path and settings.ADDRESS]
    return [layout.prose(wording.game_name(news[0])) + told, [layout.whole(link)[0] for link in links]]


def _ending() -> list[list[str]]:
    if not settings.ADDRESS:
        return [layout.prose(_("On the site, the page of your news says which of them come by mail."))]
    asked = layout.prose(_("Which news come by mail, you choose here:"))
    return [[*asked, *layout.whole(_link(reverse("notices:choices")))]]


def _link(path: str) -> str:
    return f"{settings.ADDRESS}{outbox.spoken(path, get_language() or settings.LANGUAGE_CODE)}"
