"""Beside PostgreSQL a crowd waits for its turn rather than for connections that are not there."""

from __future__ import annotations

import threading
import time

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.db import connection
from django.http import HttpRequest, HttpResponse

from talleyrand.web.accounts.models import Person
from talleyrand.web.settings import databases

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.skipif(connection.vendor == "postgresql", reason="for SQLite")
def test_sqlite_needs_no_turns() -> None:
    with pytest.raises(MiddlewareNotUsed):
        databases.turns(lambda _request: HttpResponse())


@pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL")
def test_so_many_are_connected_and_then_nobody() -> None:
    at_once, most, left = 0, 0, []
    counting = threading.Lock()

    def answer(_request: HttpRequest) -> HttpResponse:
        nonlocal at_once, most
        with counting:
            at_once += 1
            most = max(most, at_once)
        found = Person.objects.count()
        time.sleep(0.05)
        with counting:
            at_once -= 1
        return HttpResponse(found)

    served = databases.turns(answer)

    def visit() -> None:
        served(HttpRequest())
        left.append(connection.connection)

    crowd = [threading.Thread(target=visit) for _ in range(3 * databases.AT_ONCE)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert most == databases.AT_ONCE
    assert left == [None] * len(crowd)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="for PostgreSQL")
def test_a_fault_gives_the_turn_back() -> None:
    def answer(_request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    served = databases.turns(answer)
    for _ in range(databases.AT_ONCE + 1):
        with pytest.raises(ZeroDivisionError):
            served(HttpRequest())
