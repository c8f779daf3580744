"""Calls the hooks that have something to hear. Any number of processes may do so at once.

A hook is claimed by one conditional update, so that it is called by one at a time and in order; each call is
looked at again just before it leaves. Between an answer and our note of it lies one update: whoever dies
there leaves a call that is made again, under the same `webhook-id`. Nothing is lost.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.crashing import point
from talleyrand.web.games import audience
from talleyrand.web.games.models import Game, secret
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.writing import writing
from talleyrand.web.mail.outgoing import restored
from talleyrand.web.notices import counters, outbox

from . import calling, destinations, signing, telling
from .calling import Answer
from .models import Call, Hook

CLAIM = timedelta(minutes=2)  # more than one call may take
AT_ONCE = 8.0  # seconds after which the hooks of another person have their turn
SIDE_BY_SIDE = 6  # people whose hooks are called at the same time
DAY = timedelta(days=1)
STALE = timedelta(days=2)
MOVED = timedelta(hours=1)  # a copy put back sooner is a site that moves
# Before a call that failed is made again: a day in all.
PAUSES = tuple(timedelta(minutes=length) for length in (0.5, 2, 5, 15, 30, 60, 120, 240, 480, 490))
PATIENCE = 3  # failures in a row after which a hook rests, whatever waits for it
RESTS = tuple(timedelta(minutes=length) for length in (1, 2, 5, 10, 20, 40, 60))
GONE = 410  # by which a program says that it wants to hear no more

DELIVERED, GIVEN_UP, FAILED = "delivered", "given_up", "failed"
NO_LONGER, STALE_NEWS, PAUSED = "no_longer", "stale", "paused"
BY_OWNER, FAILING, IS_GONE = "owner", "failing", "gone"

logger = logging.getLogger(__name__)


def send_due(now: datetime | None = None) -> int:
    """Make the calls that are due; how many were heard. The hooks of several people are called at once."""
    moment = now or timezone.now()
    _reckon_restored(moment)
    people = list(_due_hooks(moment).order_by().values_list("person", flat=True).distinct())
    if len(people) <= 1 or SIDE_BY_SIDE <= 1:
        return sum(_of_person(person, moment) for person in people)
    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="hooks") as pool:
        return sum(pool.map(partial(_in_thread, now=moment), people))


def _reckon_restored(now: datetime) -> None:
    """What a copy was to tell, the site has told since, if it served for an hour or more."""
    made = restored.found(settings.DATA, restored.WEBHOOKS)
    if made is None:
        return
    if now - made >= MOVED:
        before = now if made == restored.LONG_AGO else made + MOVED
        Call.objects.filter(outcome="", made__lt=before).update(outcome=STALE_NEWS)
    restored.forget(settings.DATA, restored.WEBHOOKS)


def _in_thread(person: int, now: datetime) -> int:
    try:
        return _of_person(person, now)
    finally:
        connection.close()


def _due_hooks(now: datetime) -> QuerySet[Hook]:
    free = Q(worker="") | Q(worker_until__lt=now)
    awake = Q(rests_until=None) | Q(rests_until__lte=now)
    waiting = Call.objects.filter(hook=OuterRef("pk"), outcome="", due__lte=now)
    trial = waiting.filter(kind=telling.TRIAL)
    return Hook.objects.filter(free).filter(Exists(trial) | awake & Exists(waiting))


def _of_person(person: int, now: datetime) -> int:
    """One hook after the other, the one that has waited longest for an answer last."""
    begun, heard = time.monotonic(), 0
    hooks: Sequence[int] = list(
        _due_hooks(now).filter(person=person).order_by("failures", "pk").values_list("pk", flat=True)
    )
    for hook in hooks:
        if time.monotonic() - begun >= AT_ONCE:
            break
        try:
            heard += Caller(hook, now, begun).call()
        except Exception:
            logger.exception("a hook could not be called; others are")
    return heard


class Caller:
    """Calls one hook, as long as it holds its claim and is heard."""

    def __init__(self, hook: int, now: datetime, begun: float) -> None:
        self.hook, self._from, self._begun = hook, now, begun
        self.worker = f"{os.getpid()}-{secret()[:12]}"

    @property
    def now(self) -> datetime:
        return self._from + timedelta(seconds=time.monotonic() - self._begun)

    def call(self) -> int:
        """Until nothing is due, a call fails or it takes too long; how many were heard."""
        heard = 0
        try:
            while time.monotonic() - self._begun < AT_ONCE and self._claim():
                row = self._next()
                if row is None or not self._one(row):
                    break
                heard += row.outcome == DELIVERED
        finally:
            Hook.objects.filter(pk=self.hook, worker=self.worker).update(worker="", worker_until=None)
        return heard

    def _claim(self) -> bool:
        mine = Q(worker="") | Q(worker=self.worker) | Q(worker_until__lt=self.now)
        claimed = {"worker": self.worker, "worker_until": self.now + CLAIM}
        return bool(Hook.objects.filter(mine, pk=self.hook).update(**claimed))

    def _next(self) -> Call | None:
        """The oldest that is due; of a hook that rests, a trial alone."""
        due = Call.objects.filter(hook=self.hook, outcome="", due__lte=self.now).order_by("due", "pk")
        row = due.select_related("hook__person", "hook__game").first()
        if row is None or row.hook.rests_until is None or row.hook.rests_until <= self.now:
            return row
        return due.filter(kind=telling.TRIAL).select_related("hook__person", "hook__game").first()

    def _one(self, row: Call) -> bool:
        """Make one call, or drop it; False where it failed."""
        why = _dropped(row, self.now)
        if why:
            row.outcome = why
            Call.objects.filter(pk=row.pk, outcome="").update(outcome=why)
            return True
        answer = _called(row, self.now)
        point("webhooks: answered, not noted")
        _note(row, answer, self.now)
        return answer.is_well


def _called(row: Call, now: datetime) -> Answer:
    try:
        to = destinations.read(row.hook.address)
    except destinations.NotAllowed:  # the settings of the site have changed since
        return Answer(problem=calling.NOWHERE)
    body = row.body.encode()
    return calling.post(to, signing.headers(row.hook, row.number, int(now.timestamp()), body), body)


# who may hear it


def _dropped(row: Call, now: datetime) -> str:
    """Why a call must not be made now; "" where it may."""
    hook = row.hook
    if row.kind == telling.TRIAL:
        return "" if hook.person.is_active else NO_LONGER
    if hook.paused is not None:
        return PAUSED
    if now - row.made > STALE:
        return STALE_NEWS
    return "" if hook.person.is_active and _concerns(row) else NO_LONGER


def _concerns(row: Call) -> bool:
    """Whether its owner may still hear it: what has become of him in the game since?"""
    if row.kind.startswith("alarm_"):
        return row.hook.person.is_administrator
    topic = counters.game_topic("")
    if not row.about.startswith(topic):
        return True
    game = Game.objects.filter(key=row.about.removeprefix(topic)).first()
    return game is not None and audience.concerns(Sight(game, row.hook.person), row.kind)


# what is written down


@writing
def _note(row: Call, answer: Answer, now: datetime) -> None:
    """The outcome of a try, for the call and for its hook."""
    row.tries += 1
    row.tried, row.status = now, answer.status
    row.answer, row.problem = answer.text, answer.problem
    hook = Hook.objects.select_for_update().filter(pk=row.hook.pk).first()
    if hook is None:  # deleted meanwhile
        return
    if row.kind == telling.TRIAL:
        row.outcome = DELIVERED if answer.is_well else FAILED
    elif answer.is_well:
        row.outcome = DELIVERED
    else:
        _again(row, now)
        _failed(hook, now)
        _give_up(hook, answer, now)
    if answer.is_well:
        hook.failures, hook.failing_since, hook.rests_until = 0, None, None
    hook.save(update_fields=["failures", "failing_since", "rests_until", "paused", "why"])
    row.save(update_fields=["tries", "tried", "status", "answer", "problem", "outcome", "due"])


def _again(row: Call, now: datetime) -> None:
    if row.tries > len(PAUSES):
        row.outcome = GIVEN_UP
    else:
        row.due = now + PAUSES[row.tries - 1]


def _failed(hook: Hook, now: datetime) -> None:
    hook.failures += 1
    hook.failing_since = hook.failing_since or now
    if hook.failures >= PATIENCE:
        hook.rests_until = now + RESTS[min(hook.failures - PATIENCE, len(RESTS) - 1)]


def _give_up(hook: Hook, answer: Answer, now: datetime) -> None:
    """Pause a hook that says it is gone, or has not been heard for a day, and tell its owner."""
    failing = hook.failing_since is not None and now - hook.failing_since >= DAY
    if hook.paused is not None or not (failing or answer.status == GONE):
        return
    hook.paused, hook.why = now, FAILING if failing else IS_GONE
    outbox.tell(
        [hook.person_id],
        telling.PAUSED,
        {},
        about="",
        path=reverse("webhooks:one", args=[hook.key]),
        once=f"webhook:{hook.key}:{now.isoformat()}",
    )
