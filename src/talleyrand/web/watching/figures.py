"""How much there is of everything: numbers without a name, a game or a word in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Model, QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.background import queue
from talleyrand.web.background.models import Document
from talleyrand.web.games.models import Game, Revision, Sheet, State
from talleyrand.web.mail.models import Arrival, Departure
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.notices import door
from talleyrand.web.notices.models import Delivery, Notice
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.press.models import Letter
from talleyrand.web.webhooks.models import Call, Hook

from . import checks, counting
from .exposition import Metric, Sample
from .models import Sweep


def every(now: datetime) -> list[Metric]:
    """All figures of the site, then those of this process. Raises what the database does."""
    site = (*_well(now), *_games(now), *_clocks(now), *_post(now), *_workers(), *_told(), *_hooks())
    return [*site, *_process()]


def _well(now: datetime) -> Iterable[Metric]:
    health = checks.look(now)
    yield _by("talleyrand_check", "Whether a check of /health/ is well.", "check", _ones(health.checks))
    yield _one("talleyrand_disk_free_bytes", "What is left where the data folder is.", checks.free())


def _ones(found: Mapping[str, str]) -> dict[str, float]:
    return {name: float(answer == checks.OK) for name, answer in found.items()}


def _games(now: datetime) -> Iterable[Metric]:
    counted = Game.objects.values_list("state").annotate(count=Count("pk")).order_by()
    states = {**dict.fromkeys(State.values, 0), **dict(counted)}
    yield _by("talleyrand_games", "Games on line by state.", "state", states)
    yield _rows("talleyrand_games_overdue", "Games due for five minutes.", checks.overdue(now))
    yield _rows("talleyrand_games_parked", "Games stopped by a phase that failed.", checks.parked())
    yield _rows("talleyrand_games_practice", "Games on the practice board.", PracticeGame.objects.all())
    phases = Revision.objects.filter(current=True, number__gt=0)
    yield _rows("talleyrand_phases_published", "Phases published and not taken back.", phases)
    yield _rows("talleyrand_sheets", "Sheets of orders handed in.", Sheet.objects.all())
    yield _rows("talleyrand_letters", "Letters written.", Letter.objects.all())
    yield _rows("talleyrand_accounts", "Accounts that are open.", Person.objects.filter(is_active=True))


def _clocks(now: datetime) -> Iterable[Metric]:
    """The slowest of the clocks that run."""
    alive = Sweep.objects.filter(at__gt=now - checks.SILENT)
    slowest = alive.order_by("-seconds").values_list("seconds", flat=True).first()
    about = "Seconds of the last sweep noted, of the slowest clock."
    yield Metric("talleyrand_sweep_seconds", "gauge", about, () if slowest is None else (Sample(slowest),))
    yield _rows("talleyrand_clocks", "Clocks heard of within two minutes.", alive)


def _post(now: datetime) -> Iterable[Metric]:
    leaving = Departure.objects.filter(sent=None, dropped="")
    mails: dict[str, QuerySet[Arrival] | QuerySet[Departure]] = {
        "unread": Arrival.objects.filter(outcome=""),
        "fault": Arrival.objects.filter(outcome=Outcome.FAULT),
        "to_leave": leaving.filter(due__lte=now),
        "failing": leaving.filter(tries__gt=0),
        "dropped": Departure.objects.exclude(dropped=""),
    }
    numbers = {name: rows.count() for name, rows in mails.items()}
    yield _by("talleyrand_mails", "Mails by where they stand.", "state", numbers)


def _workers() -> Iterable[Metric]:
    """Only where there are to be any."""
    if not settings.WORKERS:
        return
    standing = queue.standing()
    yield _one("talleyrand_workers", "Workers heard of within a minute.", standing.workers)
    yield _one("talleyrand_jobs_waiting", "Jobs that wait for a worker.", standing.waiting)
    wanted = Document.objects.filter(content=None, trouble="")
    yield _rows("talleyrand_documents_wanted", "PDFs and pictures that wait for a worker.", wanted)


def _told() -> Iterable[Metric]:
    yield _rows("talleyrand_notices", "News kept.", Notice.objects.all())
    waiting = Delivery.objects.filter(sent=None)
    yield _rows("talleyrand_deliveries_waiting", "News that are to leave the site.", waiting)


def _hooks() -> Iterable[Metric]:
    hooks = {"active": Hook.objects.filter(paused=None), "paused": Hook.objects.exclude(paused=None)}
    waiting = Call.objects.filter(outcome="")
    calls = {
        "waiting": waiting.filter(tries=0),
        "failing": waiting.filter(tries__gt=0),
        "delivered": Call.objects.filter(outcome="delivered"),
        "dropped": Call.objects.exclude(outcome__in=("", "delivered")),
    }
    standing = {name: rows.count() for name, rows in hooks.items()}
    yield _by("talleyrand_webhooks", "Webhooks by where they stand.", "state", standing)
    numbers = {name: rows.count() for name, rows in calls.items()}
    yield _by("talleyrand_webhook_calls", "Calls to webhooks of thirty days.", "state", numbers)


def _process() -> Iterable[Metric]:
    yield _one("talleyrand_streams", "Pages that listen to this process.", len(door.hub.streams))
    yield counting.requests.metric()


def _one(name: str, about: str, value: float) -> Metric:
    return Metric(name, "gauge", about, (Sample(value),))


def _rows(name: str, about: str, rows: QuerySet[Model] | QuerySet[Game]) -> Metric:
    return _one(name, about, rows.count())


def _by(name: str, about: str, label: str, numbers: Mapping[str, float]) -> Metric:
    return Metric(name, "gauge", about, tuple(Sample(value, {label: key}) for key, value in numbers.items()))
