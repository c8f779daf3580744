"""A connection to PostgreSQL is cut: who was asking is told to come back, and the next one is answered."""

from __future__ import annotations

import os

import pytest
from django.db import connection
from django.test import Client

from tests.web import cast

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("TALLEYRAND_DATABASE" not in os.environ, reason="asked of PostgreSQL"),
]


def cut() -> None:
    """End this connection from another side, as a database that begins again does."""
    with connection.cursor() as line:
        line.execute("SELECT pg_backend_pid()")
        (number,) = line.fetchone()
    other = connection.copy()
    with other.cursor() as line:
        line.execute("SELECT pg_terminate_backend(%s)", [number])
    other.close()


@pytest.mark.parametrize("path", ["/", "/parties/", "/compte/", "/api/games"])
def test_whoever_was_asking_is_told_to_come_back(path: str) -> None:
    client = cast.client_of("Flora")
    client.raise_request_exception = False
    whole = client.get(path).status_code
    cut()
    answer = client.get(path)
    assert answer.status_code in (whole, 503), answer.text[:200]
    assert client.get(path).status_code == whole


def test_a_visitor_too() -> None:
    client = Client(raise_request_exception=False)
    client.get("/parties/")
    cut()
    assert client.get("/parties/").status_code in (200, 503)
    assert client.get("/parties/").status_code == 200
