"""What a site holds, what waits in it and since when, what fails: numbers and words for its administrator."""

from __future__ import annotations

import json
import resource
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, Min, QuerySet
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.timesince import timesince
from django.utils.translation import gettext_lazy as _

from talleyrand import __version__
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.common import error_files
from talleyrand.web.games.models import Game, GameBotTask, GameState
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.notifications.models import NotificationDelivery
from talleyrand.web.practice.models import PracticeBotTask
from talleyrand.web.push.models import PushMessage
from talleyrand.web.webhooks.models import WebhookCall

from . import health_checks

DAY = timedelta(days=1)
LATE = timedelta(minutes=5)
LAST_BACKUP = ".last_backup"
STATES: dict[str, Promise] = {
    GameState.GATHERING: _("Waiting for players"),
    GameState.PLAYING: _("In progress"),
    GameState.PAUSED: _("Paused"),
    GameState.ENDED: _("Finished"),
    GameState.ABANDONED: _("Abandoned"),
}
# By the beginning of what an error's logger is called: what it was, and what to do.
ORIGINS: dict[str, tuple[Promise, Promise]] = {
    "django.request": (
        _("A page failed."),
        _("If it keeps happening, report it with the log lines of that time."),
    ),
    "talleyrand.web.mail": (_("Email failed."), _("Check the mail server in the site settings.")),
    "talleyrand.web.push": (_("A notification on a phone failed."), _("It will be tried again.")),
    "talleyrand.web.webhooks": (_("A webhook failed."), _("It will be tried again.")),
    "talleyrand.web.games": (
        _("A game failed."),
        _("Its game master sees why, and can resolve the phase again or roll back."),
    ),
    "talleyrand.web.bots": (
        _("A bot failed."),
        _("It will be tried again; others can play its power."),
    ),
    "talleyrand.web.background": (
        _("Work in the background failed."),
        _("It will be tried again. If it keeps happening, see the log."),
    ),
    "talleyrand.web.settings": (
        _("Saved settings are not in force."),
        _("Save them again in the site settings."),
    ),
}
OTHER = (_("Something failed."), _("If it keeps happening, report it with the log lines of that time."))
DATABASE = (
    _("The database did not answer."),
    _("Is the disk full, or does another program hold the database? See the log."),
)


def queue_rows(now: datetime) -> list[dict[str, Any]]:
    """Each queue with how much waits in it, and since when the oldest."""
    return [_queue(name, rows, field, now) for name, rows, field in _queues(now)]


def _queues(now: datetime) -> Iterator[tuple[Promise, QuerySet[Any], str]]:
    yield _("Phases that are late"), health_checks.overdue_games(now), "next_check_at"
    yield _("Emails to read"), InboundDelivery.objects.filter(outcome=""), "email__stored_at"
    leaving = OutboundEmail.objects.filter(sent_at=None, drop_reason="", due_at__lte=now)
    yield _("Emails to send"), leaving, "due_at"
    told = NotificationDelivery.objects.filter(sent_at=None, due_at__lte=now)
    yield _("Notifications to hand over"), told, "due_at"
    pushed = PushMessage.objects.filter(sent_at=None, drop_reason="", due_at__lte=now)
    yield _("Notifications to phones"), pushed, "due_at"
    yield _("Calls to webhooks"), WebhookCall.objects.filter(outcome="", due_at__lte=now), "due_at"
    yield _("Games in which bots think"), GameBotTask.objects.exclude(waiting_since=None), "waiting_since"
    yield _("Practice games in which bots think"), PracticeBotTask.objects.filter(error=""), "requested_at"
    yield _("PDFs and pictures"), GeneratedDocument.objects.filter(content=None, error=""), "requested_at"


def _queue(name: Promise, rows: QuerySet[Any], field: str, now: datetime) -> dict[str, Any]:
    found = rows.order_by().aggregate(count=Count("pk"), since=Min(field))
    since = found["since"]
    is_late = since is not None and now - since > LATE
    return {
        "name": name,
        "count": found["count"],
        "since": since and timesince(since, now, depth=1),
        "is_late": is_late,
    }


def game_rows() -> list[tuple[Promise, int]]:
    counted = dict(Game.objects.order_by().values_list("state").annotate(count=Count("pk")))
    return [(title, counted.get(state, 0)) for state, title in STATES.items()]


def machine_rows(now: datetime) -> list[tuple[Promise, str]]:
    disk = shutil.disk_usage(settings.DATA)
    place = _("%(free)s free of %(all)s") % {
        "free": filesizeformat(disk.free),
        "all": filesizeformat(disk.total),
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return [
        (_("Version"), f"Talleyrand {__version__}, Python {sys.version.partition(' ')[0]}"),
        (_("Database"), f"{connection.display_name}, {filesizeformat(_database_bytes())}"),
        (_("Disk"), str(place)),
        (_("Peak memory of this process"), filesizeformat(peak)),
        (_("Last backup"), _last_backup(now)),
    ]


def _database_bytes() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = Path(connection.settings_dict["NAME"])
    return sum(one.stat().st_size for one in file.parent.glob(f"{file.name}*"))


def _last_backup(now: datetime) -> str:
    """When, where and how large; a note that cannot be read is none."""
    try:
        note = json.loads((settings.DATA / LAST_BACKUP).read_text("utf-8"))
        made = datetime.fromisoformat(note["made"])
        facts = {
            "ago": timesince(made, now, depth=1),
            "place": note["place"],
            "size": filesizeformat(note["bytes"]),
        }
    except (OSError, ValueError, KeyError, TypeError):
        return str(_("None yet: run “talleyrand backup”."))
    return str(_("%(ago)s ago, %(size)s: %(place)s") % facts)


def error_rows(now: datetime) -> list[dict[str, Any]]:
    """The errors of a day by what went wrong, the most frequent first."""
    found = error_files.errors_since(settings.DATA, now - DAY, now)
    counted = Counter(_kind(one) for one in found)
    last = {_kind(one): one for one in found}
    return [
        {
            "count": count,
            "said": said,
            "advice": advice,
            "at": timezone.localtime(datetime.fromisoformat(last[said, advice]["time"])),
            "detail": str(last[said, advice].get("fault", "")),
        }
        for (said, advice), count in counted.most_common()
    ]


def _kind(one: dict[str, Any]) -> tuple[Promise, Promise]:
    if "OperationalError" in str(one.get("fault", "")):
        return DATABASE
    origin = str(one.get("logger", ""))
    return next((told for name, told in ORIGINS.items() if origin.startswith(name)), OTHER)
