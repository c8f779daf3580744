"""Folders made while the first schema was still growing: what their tables lack of it is added."""

from __future__ import annotations

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from django.utils import timezone

from talleyrand.web.accounts.models import Person

Step = tuple[str, str]
SESSIONS_LISTED: Step = ("accounts", "0002_signed_in")


def replaced_steps() -> dict[Step, list[Step]]:
    """The steps that each first schema stands for, by the schema's own name."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return {name: list(schema.replaces) for name, schema in loader.replacements.items()}


def complete(alias: str = "default") -> None:
    """Bring every app that stopped halfway through its first schema to that schema's end.

    The steps on the way only added tables and columns, and listed the sessions that were open.
    """
    connection = connections[alias]
    recorder = MigrationRecorder(connection)
    done = set(recorder.applied_migrations())
    for schema, steps in replaced_steps().items():
        missing = [step for step in steps if step not in done]
        if not missing or len(missing) == len(steps):
            continue
        models = MigrationLoader(None).project_state(schema).apps.get_app_config(schema[0]).get_models()
        with connection.schema_editor() as editor:
            for model in models:
                _add_what_is_missing(editor, model)
        if SESSIONS_LISTED in missing:
            list_sessions(alias)
        for step in missing:
            recorder.record_applied(*step)


def _add_what_is_missing(editor: BaseDatabaseSchemaEditor, model: type[Model]) -> None:
    introspection, table = editor.connection.introspection, model._meta.db_table
    with editor.connection.cursor() as cursor:
        if table not in introspection.table_names(cursor):
            editor.create_model(model)
            return
        columns = {column.name for column in introspection.get_table_description(cursor, table)}
    for field in model._meta.local_concrete_fields:
        if field.column not in columns:
            editor.add_field(model, field)


def list_sessions(alias: str = "default") -> None:
    """Put sessions that are open already among the devices that their owners see.

    Of which browser they are, and from where, is seen when they are used next.
    """
    people = set(Person.objects.using(alias).values_list("pk", flat=True))
    lasts, read = timedelta(seconds=settings.SESSION_COOKIE_AGE), SessionStore()
    for session in Session.objects.using(alias).filter(expire_date__gt=timezone.now()).iterator():
        number = str(read.decode(session.session_data).get("_auth_user_id", ""))
        if number.isdecimal() and int(number) in people:
            used = min(session.expire_date - lasts, timezone.now())
            facts = {"user_id": int(number), "ip": "::", "user_agent": "?"}
            UserSession.objects.using(alias).get_or_create(
                session_key=session.session_key,
                defaults={**facts, "created_at": used, "last_seen_at": used},
            )
