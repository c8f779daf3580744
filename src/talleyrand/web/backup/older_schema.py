"""Folders of older versions: their tables get the names of now, and what they lack of the first schema."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connections
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Index, Model
from django.utils import timezone

from talleyrand.web.accounts.models import Person

Step = tuple[str, str]
SESSIONS_LISTED = {("accounts", "0002_signed_in"), ("accounts", "0001_schema")}


@cache
def replaced_steps() -> Mapping[Step, list[Step]]:
    """The steps that each first schema stands for, by the schema's own name."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return {name: list(schema.replaces) for name, schema in loader.replacements.items()}


def started_schemas(done: Collection[Step]) -> dict[Step, list[Step]]:
    """The first schemas of which only steps are among those `done`, each with its steps."""
    return {
        schema: steps
        for schema, steps in replaced_steps().items()
        if schema not in done and any(step in done for step in steps)
    }


def complete(alias: str = "default") -> None:
    """Bring every app that an older version set up to this version's first schema.

    Older versions called tables and columns otherwise, and those of before `0001_schema` lacked some; the
    step of the accounts listed the sessions that were open.
    """
    connection = connections[alias]
    recorder = MigrationRecorder(connection)
    done = set(recorder.applied_migrations())
    started = started_schemas(done)
    state = MigrationLoader(None).project_state(list(started)).apps
    models = [model for label, _name in started for model in state.get_app_config(label).get_models()]
    with connection.schema_editor() as editor:
        for model in models:
            _rename(editor, model)
        for model in models:
            _add_what_is_missing(editor, model)
    if ("accounts", "0001_tables") in started and not SESSIONS_LISTED & done:
        list_sessions(alias)
    for schema, steps in started.items():
        for step in {*steps, schema} - done:
            recorder.record_applied(*step)


def _rename(editor: BaseDatabaseSchemaEditor, model: type[Model]) -> None:
    """Give a table, its columns and its indexes the names that they have now."""
    table = model._meta.db_table
    former = former_tables().get(table, {})
    columns = _columns(editor, former["table"]) if former else set()
    if not columns:
        return
    editor.alter_db_table(model, former["table"], table)
    for column, name in former.get("columns", {}).items():
        if column in columns:
            names = (editor.quote_name(one) for one in (table, column, name))
            editor.execute("ALTER TABLE {} RENAME COLUMN {} TO {}".format(*names))
    for index in model._meta.indexes:
        if index.name in former.get("indexes", {}):
            editor.rename_index(model, Index(fields=index.fields, name=former["indexes"][index.name]), index)


@cache
def former_tables() -> dict[str, Any]:
    """By a table’s name now: its former `table`, `columns` (former → now), `indexes` (now → former)."""
    return tomllib.loads((Path(__file__).parent / "former_tables.toml").read_text("utf-8"))


def _add_what_is_missing(editor: BaseDatabaseSchemaEditor, model: type[Model]) -> None:
    columns = _columns(editor, model._meta.db_table)
    if not columns:
        editor.create_model(model)
        return
    for field in model._meta.local_concrete_fields:
        if field.column not in columns:
            editor.add_field(model, field)


def _columns(editor: BaseDatabaseSchemaEditor, table: str) -> set[str]:
    """The columns of a table; none where there is no such table."""
    introspection = editor.connection.introspection
    with editor.connection.cursor() as cursor:
        if table not in introspection.table_names(cursor):
            return set()
        return {column.name for column in introspection.get_table_description(cursor, table)}


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
