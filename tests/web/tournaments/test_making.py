"""A new tournament: its name as it is typed, and as it is kept."""

from __future__ import annotations

import pytest

from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast

NEW = "/tournois/nouveau/"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Anjou \n Feu\u202e 2027\u200b", "Anjou Feu 2027"),
        ("مهر\u200cبین", "مهر\u200cبین"),
        ("Coupe\0 d’hiver", "Coupe d’hiver"),
        ("x" * 120, "x" * 120),
    ],
)
def test_a_name_is_kept_as_it_is_seen(typed: str, kept: str) -> None:
    client = cast.client_of(cast.MASTER)
    answer = client.post(NEW, {"name": typed, "regulations": "anjou_feu", "submission": "form"}, follow=True)
    assert answer.status_code == 200
    made = Tournament.objects.get()
    assert (made.name, event_of(made).name) == (kept, kept)


@pytest.mark.parametrize("typed", ["", " \n", "\u200b\u202e", "\u200c", "\0", "x" * 121])
def test_a_name_that_nobody_sees_is_asked_again(typed: str) -> None:
    answer = cast.client_of(cast.MASTER).post(NEW, {"name": typed, "regulations": "anjou_feu"})
    assert answer.status_code == 409
    assert "120 caractères" in answer.content.decode()
    assert not Tournament.objects.exists()
