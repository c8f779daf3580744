"""Where games are kept: a file of SQLite in the data folder, or the PostgreSQL that an address names."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any, cast

from .environment import setting_error, switch

SCHEMES = ("postgresql://", "postgres://")
COUNTER_TABLE = "accounts_counted"
NEEDED = ("psycopg", "dj_database_url")
# Requests that a process answers at once; each has a thread, and the thread a connection for the next one:
# a crowd that reloads waits for its turn, and does not take all the connections that PostgreSQL has.
REQUEST_THREADS = 10
KEPT = 600  # seconds that a connection to PostgreSQL is kept, and looked at before it serves again


def database_settings(name: str, data: Path) -> dict[str, Any]:
    """The settings of the database that the variable `name` gives the address of."""
    address = os.environ.get(name, "").strip()
    return postgresql_settings(name, address) if address else _sqlite(data)


def cache_settings(database: dict[str, Any], processes: int) -> dict[str, dict[str, Any]]:
    """Where Django's cache is: in memory, which costs no write; in a table where several processes count.

    What has to last is always in the table, which the migrations of `accounts` make.
    """
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": ""}
    table = {
        "BACKEND": "talleyrand.web.accounts.counting_cache.CountingDatabaseCache",
        "LOCATION": COUNTER_TABLE,
    }
    alone = _is_sqlite(database) and processes == 1
    options = {"OPTIONS": {"MAX_ENTRIES": 50_000}}
    return {"default": {**(memory if alone else table), **options}, "lasting": {**table, **options}}


def workers_setting(name: str, database: dict[str, Any]) -> bool:
    """Whether the variable `name` says that there are workers, which needs PostgreSQL and Procrastinate."""
    wanted = switch(name, default=False)
    if wanted and _is_sqlite(database):
        raise setting_error(name, "workers_sqlite")
    if wanted and importlib.util.find_spec("procrastinate") is None:
        raise setting_error(name, "workers_package")
    return wanted


def _is_sqlite(database: dict[str, Any]) -> bool:
    return str(database["ENGINE"]).endswith("sqlite3")


def _sqlite(data: Path) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": data / "talleyrand.sqlite3",
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
        # The tests too write to a file, as the site does.
        "TEST": {"NAME": data / "test.sqlite3"},
    }


def postgresql_settings(name: str, address: str) -> dict[str, Any]:
    """The settings of the database at an address, which the variable or option `name` gave.

    The address may hold a password: it is never repeated.
    """
    if not address.startswith(SCHEMES):
        raise setting_error(name, "database_scheme")
    if any(importlib.util.find_spec(package) is None for package in NEEDED):
        raise setting_error(name, "database_package")
    import dj_database_url

    try:
        if "#" in address:  # the rest of a password would be dropped, and half of it taken for a port
            raise ValueError("#")
        found = dj_database_url.parse(address, conn_max_age=KEPT, conn_health_checks=True)
    except ValueError:
        raise setting_error(name, "database_shape") from None  # which would repeat a part of it
    if not found.get("NAME"):
        raise setting_error(name, "database_name")
    return cast(dict[str, Any], found)
