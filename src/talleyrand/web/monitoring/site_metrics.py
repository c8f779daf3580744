"""How much there is of everything: numbers without a name, a game or a word in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Model, QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.background import procrastinate_queue
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.games.models import Game, GameState, OrderSet, PhaseRevision
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.notifications import event_streams
from talleyrand.web.notifications.models import Notification, NotificationDelivery
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.press.models import Message
from talleyrand.web.webhooks.models import Webhook, WebhookCall

from . import health_checks, request_metrics
from .models import ClockSweep
from .prometheus_text import Metric, MetricSample


def collect_metrics(now: datetime) -> list[Metric]:
    """All figures of the site, then those of this process. Raises what the database does."""
    site = (
        *_well(now),
        *_games(now),
        *_clocks(now),
        *_post(now),
        *_workers(),
        *_notification_metrics(),
        *_hooks(),
    )
    return [*site, *_process()]


def _well(now: datetime) -> Iterable[Metric]:
    health = health_checks.check_health(now)
    yield _labelled_gauges(
        "talleyrand_check",
        "Whether a check of /health/ is well.",
        "check",
        {name: float(answer == health_checks.OK) for name, answer in health.checks.items()},
    )
    yield _gauge(
        "talleyrand_disk_free_bytes",
        "What is left where the data folder is.",
        health_checks.free_disk_bytes(),
    )


def _games(now: datetime) -> Iterable[Metric]:
    counted = Game.objects.values_list("state").annotate(count=Count("pk")).order_by()
    states = {**dict.fromkeys(GameState.values, 0), **dict(counted)}
    yield _labelled_gauges("talleyrand_games", "Games on line by state.", "state", states)
    yield _rows("talleyrand_games_overdue", "Games due for five minutes.", health_checks.overdue_games(now))
    yield _rows(
        "talleyrand_games_parked", "Games stopped by a phase that failed.", health_checks.parked_games()
    )
    yield _rows("talleyrand_games_practice", "Games on the practice board.", PracticeGame.objects.all())
    phases = PhaseRevision.objects.filter(is_current=True, phase_number__gt=0)
    yield _rows("talleyrand_phases_published", "Phases published and not taken back.", phases)
    yield _rows("talleyrand_sheets", "Sheets of orders handed in.", OrderSet.objects.all())
    yield _rows("talleyrand_letters", "Letters written.", Message.objects.all())
    yield _rows("talleyrand_accounts", "Accounts that are open.", Person.objects.filter(is_active=True))


def _clocks(now: datetime) -> Iterable[Metric]:
    """The slowest of the clocks that run."""
    alive = ClockSweep.objects.filter(noted_at__gt=now - health_checks.SILENT)
    slowest = alive.order_by("-seconds").values_list("seconds", flat=True).first()
    about = "Seconds of the last sweep noted, of the slowest clock."
    yield Metric(
        "talleyrand_sweep_seconds", "gauge", about, () if slowest is None else (MetricSample(slowest),)
    )
    yield _rows("talleyrand_clocks", "Clocks heard of within two minutes.", alive)


def _post(now: datetime) -> Iterable[Metric]:
    leaving = OutboundEmail.objects.filter(sent_at=None, drop_reason="")
    mails: dict[str, QuerySet[InboundDelivery] | QuerySet[OutboundEmail]] = {
        "unread": InboundDelivery.objects.filter(outcome=""),
        "fault": InboundDelivery.objects.filter(outcome=MailOutcome.FAULT),
        "to_leave": leaving.filter(due_at__lte=now),
        "failing": leaving.filter(attempts__gt=0),
        "dropped": OutboundEmail.objects.exclude(drop_reason=""),
    }
    numbers = {name: rows.count() for name, rows in mails.items()}
    yield _labelled_gauges("talleyrand_mails", "Mails by where they stand.", "state", numbers)


def _workers() -> Iterable[Metric]:
    """Only where there are to be any."""
    if not settings.WORKERS:
        return
    standing = procrastinate_queue.queue_status()
    yield _gauge("talleyrand_workers", "Workers heard of within a minute.", standing.workers)
    yield _gauge("talleyrand_jobs_waiting", "Jobs that wait for a worker.", standing.waiting)
    wanted = GeneratedDocument.objects.filter(content=None, error="")
    yield _rows("talleyrand_documents_wanted", "PDFs and pictures that wait for a worker.", wanted)


def _notification_metrics() -> Iterable[Metric]:
    yield _rows("talleyrand_notices", "News kept.", Notification.objects.all())
    waiting = NotificationDelivery.objects.filter(sent_at=None)
    yield _rows("talleyrand_deliveries_waiting", "News that are to leave the site.", waiting)


def _hooks() -> Iterable[Metric]:
    hooks = {
        "active": Webhook.objects.filter(paused_at=None),
        "paused": Webhook.objects.exclude(paused_at=None),
    }
    waiting = WebhookCall.objects.filter(outcome="")
    calls = {
        "waiting": waiting.filter(attempts=0),
        "failing": waiting.filter(attempts__gt=0),
        "delivered": WebhookCall.objects.filter(outcome="delivered"),
        "dropped": WebhookCall.objects.exclude(outcome__in=("", "delivered")),
    }
    standing = {name: rows.count() for name, rows in hooks.items()}
    yield _labelled_gauges("talleyrand_webhooks", "Webhooks by where they stand.", "state", standing)
    numbers = {name: rows.count() for name, rows in calls.items()}
    yield _labelled_gauges("talleyrand_webhook_calls", "Calls to webhooks of thirty days.", "state", numbers)


def _process() -> Iterable[Metric]:
    yield _gauge("talleyrand_streams", "Pages that listen to this process.", len(event_streams.hub.streams))
    yield request_metrics.request_metrics.metric()


def _gauge(name: str, about: str, value: float) -> Metric:
    return Metric(name, "gauge", about, (MetricSample(value),))


def _rows(name: str, about: str, rows: QuerySet[Model] | QuerySet[Game]) -> Metric:
    return _gauge(name, about, rows.count())


def _labelled_gauges(name: str, about: str, label: str, numbers: Mapping[str, float]) -> Metric:
    return Metric(
        name, "gauge", about, tuple(MetricSample(value, {label: key}) for key, value in numbers.items())
    )
