"""Sessions that are open already are among the devices that their owners see."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations
from django.utils import timezone


def list_sessions(apps: Any, editor: Any) -> None:
    """What browser it is, and since when, is seen when it comes next.

    Of the database that is being made: a site that moves has two.
    """
    here = editor.connection.alias
    sessions, listed = apps.get_model("sessions", "Session"), apps.get_model("usersessions", "UserSession")
    people = set(apps.get_model("accounts", "Person").objects.using(here).values_list("pk", flat=True))
    lasts, read = timedelta(seconds=settings.SESSION_COOKIE_AGE), SessionStore()
    for session in sessions.objects.using(here).filter(expire_date__gt=timezone.now()).iterator():
        number = str(read.decode(session.session_data).get("_auth_user_id", ""))
        if number.isdecimal() and int(number) in people:
            used = min(session.expire_date - lasts, timezone.now())
            facts = {"user_id": int(number), "ip": "::", "user_agent": "?"}
            listed.objects.using(here).get_or_create(
                session_key=session.session_key,
                defaults={**facts, "created_at": used, "last_seen_at": used},
            )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("sessions", "0001_initial"),
        ("usersessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(list_sessions, migrations.RunPython.noop)]
