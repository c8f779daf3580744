"""A form sent twice is done once; an old page that says something else is not taken for it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.tournaments import hall, scene

pytestmark = pytest.mark.django_db


def sent(client: Client, made: Tournament, page: str, *more: int, **fields: Any) -> str:
    """What is said after a form, on the page that it leads to."""
    told = {"submission": "an old page", **fields}
    return hall.text(client.post(hall.path(made, page, *more), told, follow=True))


def test_other_forms_of_an_old_page_of_ones_own_are_done() -> None:
    made = scene.tournament(2)
    phone = hall.phone(made, 2)
    for _answer_was_lost in range(2):
        sent(phone, made, "choose_rounds", rounds="1")
    assert made.entries.count() == 2  # who there is, and this
    sent(phone, made, "ride", kind="offer", seats="3", text="De Nantes")
    assert [one.text for one in hall.event(made).rides.values()] == ["De Nantes"]
    sent(phone, made, "choose_rounds", rounds="2")
    assert hall.event(made).people[2].rounds == (2,)


def test_a_result_typed_otherwise_on_an_old_page_is_not_lost_in_silence() -> None:
    made = hall.playing()
    phone = hall.phone(made, 1)
    sent(phone, made, "enter_result", 1, 1, **hall.result())
    other = hall.result(**{"result.centres.AUSTRIA": "9", "result.centres.ENGLAND": "6"})
    page = sent(phone, made, "enter_result", 1, 1, **other)
    assert 'role="alert"' in page  # it stands there otherwise: he is shown both


def test_two_buttons_of_an_old_page_of_the_desk_are_two_deeds() -> None:
    made = scene.tournament(3)
    desk = cast.client_of(cast.MASTER)
    for name in ("Théo", "Théo", "Ursule"):
        sent(desk, made, "desk_round", 1, press="walk_in", name=name)
    assert [one.name for one in hall.event(made).people.values()][3:] == ["Théo", "Ursule"]
