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

from talleyrand.tournament.boards import CLASSIC
from talleyrand.tournament.model import Event
from talleyrand.web import background
from talleyrand.web.games.writing import writing
from talleyrand.web.notices import counters, outbox
from talleyrand.web.tournaments import journal, passes
from talleyrand.web.tournaments.documents import event_of
from talleyrand.web.tournaments.models import Tournament

from . import chatting, choosing, concerning, mailing
from .concerning import News
from .models import Quiet, Telling

HANDFUL = 8  # people told in one transaction, which others wait for

logger = logging.getLogger(__name__)


def soon() -> None:
    """Have it done once the transaction under way is committed."""
    background.soon(journal.NEWS)


def tell_due() -> int:
    """Look at every event that has changed; how many had something to tell.

    One that cannot be told stops no other, and is looked at again.
    """
    behind = Tournament.objects.filter(Q(telling=None) | Q(version__gt=F("telling__heard")))
    return sum(_looked_at(pk) for pk in list(behind.values_list("pk", flat=True)))


def _looked_at(pk: int) -> bool:
    some = False
    try:
        with counters.together():
            while _tell_handful(pk):
                some = True
    except DatabaseError:
        raise
    except Exception:
        logger.exception("the news of tournament %s could not be told, and wait", pk)
    return some


@writing
def _tell_handful(pk: int) -> bool:
    """Tell some; False where nothing was left, and the event has been looked at."""
    tournament = Tournament.objects.filter(pk=pk).first()
    if tournament is None:
        return False
    choosing.of(tournament)
    telling = Telling.objects.select_for_update().get(tournament=tournament)
    event = event_of(tournament)
    found = list(islice(concerning.fresh(event, telling.told), HANDFUL))
    Teller(tournament, event, telling).tell(found)
    telling.told = {**telling.told, **{one.about: one.state for one in found}}
    if not found:
        chatting.look(tournament, event)
        telling.heard = tournament.version
    telling.save(update_fields=["told", "heard"])
    return bool(found)


@dataclass
class Teller:
    """Tells news of one event in the ways that its director and its people want."""

    tournament: Tournament
    event: Event
    telling: Telling

    def tell(self, found: Iterable[News]) -> None:
        wanted = choosing.wanted(self.telling)
        for news in found:
            wish = wanted[news.topic] if news.kind else choosing.NOBODY
            if wish != choosing.NOBODY:
                self._tell(news, by_address=wish == choosing.ALL)

    def _tell(self, news: News, *, by_address: bool) -> None:
        account = self._accounts.get(news.who)
        if account is not None:
            self._notify(news, account)
        elif by_address and news.who not in self._quiet:
            mailing.write(self.tournament, self.event, news)

    def _notify(self, news: News, account: int) -> None:
        facts = {"game": self.event.name, "variant": CLASSIC, **news.facts}
        key = self.tournament.key
        outbox.tell(
            [account],
            news.kind,
            facts,
            about=journal.topic(key),
            path=mailing.page_of(self.tournament, news),
            once=f"{key}:{news.about}:{self.tournament.version}",
        )

    @cached_property
    def _accounts(self) -> dict[int, int]:
        """The account of each person who came by one."""
        held = self.tournament.passes.exclude(account=None)
        return {passes.person_of(self.tournament, one): int(one.account_id or 0) for one in held}

    @cached_property
    def _quiet(self) -> set[int]:
        return set(Quiet.objects.filter(tournament=self.tournament).values_list("number", flat=True))
