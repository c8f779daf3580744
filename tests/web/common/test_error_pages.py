"""What goes wrong inside: a page that says whose fault it is and what to do, never what happened."""

from __future__ import annotations

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client

from talleyrand.web.home import living_board

pytestmark = pytest.mark.django_db
SECRET = "zz-the-name-of-a-table"


@pytest.mark.parametrize(
    ("fault", "status", "sentence"),
    [
        (OperationalError, 503, "Réessayez dans quelques secondes"),
        (InterfaceError, 503, "Réessayez dans quelques secondes"),
        (ZeroDivisionError, 500, "L’erreur vient de nous"),
    ],
)
def test_a_database_that_does_not_answer_may_do_so_in_a_moment(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception], status: int, sentence: str
) -> None:
    def broken(*_given: object) -> None:
        raise fault(SECRET)

    monkeypatch.setattr(living_board, "living_board", broken)
    answer = Client(raise_request_exception=False).get("/")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (status, "5" if status == 503 else None)
    assert sentence in answer.text
    assert SECRET not in answer.text


def test_without_any_database_there_is_the_sentence_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks the database who reads it, and fails in turn."""

    def broken(*_given: object) -> None:
        raise OperationalError(SECRET)

    monkeypatch.setattr(living_board, "living_board", broken)
    monkeypatch.setattr("talleyrand.web.common.error_pages.error_page", broken)
    answer = Client(raise_request_exception=False).get("/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert "Réessayez dans quelques secondes" in answer.text
