"""Scenes that many tests begin with: built once in a process, and put back as rows after that."""

from __future__ import annotations

import hashlib
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from django.conf import UserSettingsHolder, settings
from django.db import connection, models, transaction
from django.utils import timezone, translation

from talleyrand.web.games.models import Game, new_game_key

P = ParamSpec("P")
R = TypeVar("R")
Rows = dict[str, list[tuple[Any, ...]]]  # by table; those that are empty are left out

MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}  # the same in every test
MOST, LONGEST = 200, 120  # scenes kept, and for how many seconds: their dates grow old
NOW = timezone.now


@dataclass(frozen=True)
class Kept:
    """What a builder answered and left on the site, which games were there, and what a commit would do."""

    at: float
    keys: list[str]
    answer_and_rows: bytes
    on_commit: list[tuple[Callable[[], Any], bool]]


_kept: OrderedDict[str, Kept] = OrderedDict()


def built_once(build: Callable[P, R]) -> Callable[P, R]:
    """A builder whose rows and answer are kept: called again on the same rows, it has them put back.

    An argument that is a row stands for itself as it is on the site; of others the repr says what is built.
    The answer is a copy. A new game has a new key each time, so that nothing that is kept by a key is found
    by another test. Where writes are committed, where time is not the machine's, and on other databases than
    SQLite it is built each time.
    """

    @wraps(build)
    def found(*args: P.args, **terms: P.kwargs) -> R:
        if connection.vendor != "sqlite" or not connection.in_atomic_block or timezone.now is not NOW:
            return build(*args, **terms)
        before, keys = _rows(), _keys()
        told = [_told(one) for one in (*args, *sorted(terms.items()))]
        if " at 0x" in repr(told):
            raise TypeError(f"{build.__qualname__} cannot be kept: two of {told} may look the same")
        asked = _digest(keys, build.__module__, build.__qualname__, told, _circumstances(), before)
        kept = _kept.get(asked)
        if kept is not None and time.monotonic() - kept.at < LONGEST:
            _kept.move_to_end(asked)
            answer: R = _put_back(kept, before, keys)
            return answer
        known = len(connection.run_on_commit)
        answer = build(*args, **terms)
        waiting: list[Any] = connection.run_on_commit[known:]
        calls = [(call, robust) for _in, call, robust in waiting]
        _kept[asked] = Kept(time.monotonic(), _keys(), pickle.dumps((answer, _rows())), calls)
        if len(_kept) > MOST:
            _kept.popitem(last=False)
        return answer

    return found


def empty_site() -> None:
    """Takes away all rows but those of migrations, in a moment: after tests that commit what they write."""
    with transaction.atomic():
        for table in _rows():
            connection.connection.execute(f'DELETE FROM "{table}"')


def _told(argument: Any) -> str:
    if isinstance(argument, models.Model):
        return f"{argument._meta.label} {argument.pk}"
    return repr(argument)


def _digest(keys: list[str], *facts: Any) -> str:
    """Of the same rows the same, whatever the keys of the games are."""
    told = repr(facts)
    for number, key in enumerate(keys):
        told = told.replace(key, f"game {number}")
    return hashlib.sha256(told.encode()).hexdigest()


def _put_back(kept: Kept, before: Rows, keys: list[str]) -> Any:
    """The games that were there keep their keys."""
    written = kept.answer_and_rows
    for number, key in enumerate(kept.keys):
        now = keys[number] if number < len(keys) else new_game_key()
        written = written.replace(key.encode(), now.encode())
    answer, rows = pickle.loads(written)
    raw = connection.connection
    for table in before:
        raw.execute(f'DELETE FROM "{table}"')
    for table, found in rows.items():
        names = ", ".join(f'"{name}"' for name in _columns()[table])
        marks = ", ".join("?" * len(_columns()[table]))
        raw.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', found)
    for call, robust in kept.on_commit:
        transaction.on_commit(call, robust=robust)
    return answer


def _rows() -> Rows:
    """All that the site holds, as SQLite has it: a sign before a column keeps what is read unconverted."""
    execute = connection.connection.execute
    found = [table for (table,) in execute(_filled())]
    named = {table: ", ".join(f'+"{name}"' for name in _columns()[table]) for table in found}
    return {table: execute(f'SELECT {names} FROM "{table}"').fetchall() for table, names in named.items()}


def _keys() -> list[str]:
    execute = connection.connection.execute
    return [key for (key,) in execute(f'SELECT key FROM "{Game._meta.db_table}" ORDER BY id')]


@cache
def _columns() -> dict[str, list[str]]:
    tables = sorted({*connection.introspection.table_names()} - MIGRATIONS)
    execute = connection.connection.execute
    return {table: [row[1] for row in execute(f'PRAGMA table_info("{table}")')] for table in tables}


@cache
def _filled() -> str:
    """The question which tables hold something."""
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM \"{table}\")" for table in _columns()
    )


def _circumstances() -> str:
    """The settings that a test has of its own, and its language."""
    found: dict[str, Any] = {}
    layer: Any = vars(settings)["_wrapped"]
    while isinstance(layer, UserSettingsHolder):
        found = {name: value for name, value in vars(layer).items() if name.isupper()} | found
        layer = layer.default_settings
    return repr((sorted(found.items()), translation.get_language()))
