"""Where games are kept: a file of SQLite in the data folder, or the PostgreSQL that an address names."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Any, cast

from .environment import refuse, switch

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    Answering = Callable[[HttpRequest], HttpResponse]

SCHEMES = ("postgresql://", "postgres://")
TABLE = "accounts_counted"
NEEDED = ("psycopg", "dj_database_url")
AT_ONCE = 10  # requests that a process answers at once beside PostgreSQL


def database(name: str, data: Path) -> dict[str, Any]:
    """The settings of the database that the variable `name` gives the address of."""
    address = os.environ.get(name, "").strip()
    return postgresql(name, address) if address else _sqlite(data)


def counts(database: dict[str, Any]) -> dict[str, Any]:
    """Where Django's cache is: with SQLite in memory, which costs no write; with PostgreSQL in a table.

    The migrations of `accounts` make the table.
    """
    backend, place = ("locmem.LocMemCache", "") if _is_sqlite(database) else ("db.DatabaseCache", TABLE)
    return {
        "BACKEND": f"django.core.cache.backends.{backend}",
        "LOCATION": place,
        "OPTIONS": {"MAX_ENTRIES": 50_000},
    }


def workers(name: str, database: dict[str, Any]) -> bool:
    """Whether the variable `name` says that there are workers, which needs PostgreSQL and Procrastinate."""
    wanted = switch(name, default=False)
    if wanted and _is_sqlite(database):
        french = "il n’y a d’ouvriers qu’avec PostgreSQL : régler aussi TALLEYRAND_DATABASE."
        raise refuse(name, french, "there are workers with PostgreSQL alone: set TALLEYRAND_DATABASE too.")
    if wanted and importlib.util.find_spec("procrastinate") is None:
        french = "les ouvriers demandent pip install 'talleyrand[postgresql]'."
        raise refuse(name, french, "workers need pip install 'talleyrand[postgresql]'.")
    return wanted


def _is_sqlite(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _sqlite(data: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": data / "talleyrand.sqlite3",
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
        # The tests too write to a file, as the site does.
        "TEST": {"NAME": data / "test.sqlite3"},
    }


def postgresql(name: str, address: str) -> dict[str, Any]:
    """The settings of the database at an address, which the variable or option `name` gave.

    The address may hold a password: it is never repeated.
    """
    if not address.startswith(SCHEMES):
        french = "l’adresse doit commencer par postgresql://."
        raise refuse(name, french, "the address has to begin with postgresql://.")
    if any(importlib.util.find_spec(package) is None for package in NEEDED):
        french = "PostgreSQL demande pip install 'talleyrand[postgresql]'."
        raise refuse(name, french, "PostgreSQL needs pip install 'talleyrand[postgresql]'.")
    import dj_database_url

    try:
        if "#" in address:  # the rest of a password would be dropped, and half of it taken for a port
            raise ValueError("#")
        found = dj_database_url.parse(address)
    except ValueError as problem:
        french = "l’adresse n’a pas la forme postgresql://nom:mot-de-passe@machine:port/base."
        english = "the address is not of the form postgresql://user:password@host:port/database."
        raise refuse(name, french, english) from problem
    if not found.get("NAME"):
        raise refuse(name, "l’adresse ne nomme pas de base.", "the address names no database.")
    return cast(dict[str, Any], found)


def turns(answer: Answering) -> Answering:
    """A request is connected to PostgreSQL while it is answered, and waits while many others are.

    Each has a thread of its own: a connection kept for the next request would be kept for nobody, and a
    crowd that reloads would take all that the server has.
    """
    from django.conf import settings
    from django.core.exceptions import MiddlewareNotUsed
    from django.db import connections

    if _is_sqlite(settings.DATABASES["default"]):
        raise MiddlewareNotUsed
    turn = BoundedSemaphore(AT_ONCE)

    def in_turn(request: HttpRequest) -> HttpResponse:
        with turn:
            try:
                return answer(request)
            finally:
                for one in connections.all(initialized_only=True):
                    if not one.in_atomic_block:  # around the whole request: that is a test's
                        one.close_if_unusable_or_obsolete()

    return in_turn
