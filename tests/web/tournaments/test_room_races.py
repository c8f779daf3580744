"""A whole room at once: threads on the database that a site has, each a telephone or a desk.

Whatever is acknowledged is there, once; whatever is refused is refused with a sentence; the journal tells the
whole story of the document.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from django.db import connection
from django.test import Client

from talleyrand.tournament import event_changes as story
from talleyrand.tournament.acts.result_acts import result_digest
from talleyrand.tournament.event_changes import EventChange
from talleyrand.web.tournaments import access_tokens
from talleyrand.web.tournaments.event_documents import document_from_event
from talleyrand.web.tournaments.models import JournalEntry, Tournament
from tests.waiting import PATIENCE
from tests.web import cast as site
from tests.web.tournaments import hall, scene
from tests.web.tournaments.desk import stages

pytestmark = pytest.mark.django_db(transaction=True)

Work = Callable[[], Any]


def together(*works: Work) -> list[Any]:
    """What each of them found, all having begun at once; the first failure fails the test."""
    gate, found, failed = threading.Barrier(len(works)), [None] * len(works), list[BaseException]()

    def work(at: int) -> None:
        try:
            gate.wait(PATIENCE)
            found[at] = works[at]()
        except BaseException as failure:  # noqa: BLE001 told below
            failed.append(failure)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=(at,), daemon=True) for at in range(len(works))]
    for one in threads:
        one.start()
    for one in threads:
        one.join(PATIENCE)
    assert not any(one.is_alive() for one in threads), "stuck"
    if failed:
        raise failed[0]
    return found


def checked(made: Tournament) -> list[JournalEntry]:
    """The journal, once it is sure that it tells how the document came about, each step once."""
    now = hall.fresh(made)
    entries = list(now.entries.order_by("number"))
    assert [one.number for one in entries] == list(range(1, now.version + 1))
    back = [cast(EventChange, change) for one in reversed(entries) for change in one.changes]
    document = story.undo_changes(now.document, back)
    assert story.diff_documents(document, now.document) or not entries
    assert document_from_event(hall.event(made)) == now.document
    return entries


def said(answer: Any) -> str:
    """The sentence of a refusal."""
    assert answer.status_code in (302, 403, 409), answer.status_code
    found = re.search(r'class="refusal"[^>]*>(.*?)</p>', answer.content.decode(), re.DOTALL)
    assert (answer.status_code == 302) == (found is None)
    return found[1] if found else ""


def post(client: Client, made: Tournament, page: str, *more: int, **fields: Any) -> Work:
    return lambda: client.post(hall.path(made, page, *more), fields)


def test_a_room_checks_in_while_two_directors_write() -> None:
    made = scene.tournament(20)
    scene.assistant(made)
    code, desks = (
        access_tokens.room_code(made),
        [site.client_of(name) for name in (site.MASTER, site.ASSISTANT)],
    )
    phones = [post(Client(), made, "join", code=code, person=who) for who in range(1, 13)]
    twice = [post(Client(), made, "join", code=code, person=who) for who in (1, 2)]
    writing = [
        post(desks[at], made, "desk_round", 1, press="walk_in", name=f"Nouveau {name}", submission="same")
        for at, name in ((0, "Un"), (0, "Un"), (1, "Deux"))
    ]
    found = together(*phones, *twice, *writing)
    taken = [said(one) for one in found[:14]]
    assert sum(one == "" for one in taken) == 12
    assert all("déjà" in one for one in taken if one)
    event = hall.event(made)
    assert {*range(1, 13)} <= set(event.rounds[1].present)
    assert sorted(one.name for one in list(event.people.values())[20:]) == ["Nouveau Deux", "Nouveau Un"]
    checked(made)


def test_one_result_typed_by_many_confirmed_and_corrected_at_once() -> None:
    made = hall.playing()
    other = hall.result(
        **{
            "result.centres.AUSTRIA": "9",
            "result.centres.ENGLAND": "6",
            "result.eliminated_in.TURKEY": "1905",
        }
    )
    same = hall.result(**{"result.eliminated_in.TURKEY": "1905"})
    desk = site.client_of(site.MASTER)
    typed = [
        post(hall.phone(made, who), made, "enter_result", 1, 1, **(other if who == 3 else same))
        for who in (1, 2, 3)
    ]
    found = together(*typed)
    stands = hall.event(made).rounds[1].boards[1].result
    assert stands is not None
    agreed = [one for one in found if not said(one)]
    assert len(agreed) >= 1
    seen = result_digest(stands)
    fields = {f"result.centres.{power}": str(count) for power, count in hall.CENTRES.items()}
    corrects = {
        **fields,
        "result.eliminated_in.TURKEY": "1904",
        "round": 1,
        "board": 1,
        "result.year": "1907",
    }
    racing = [
        *(post(hall.phone(made, who), made, "confirm_result", 1, 1, digest=seen) for who in (4, 5)),
        post(desk, made, "desk_board", 1, 1, press="result_corrected", **corrects),
    ]
    for one in together(*racing):
        said(one)
    result = hall.event(made).rounds[1].boards[1].result
    assert result is not None
    assert (result.confirmed, result.year) == ("desk", 1907)
    checked(made)


def test_undo_races_with_what_rests_on_it() -> None:
    made = scene.tournament(9)
    desk = site.client_of(site.MASTER)
    for name in ("Théo", "Ursule", "Valère"):
        post(desk, made, "desk_round", 1, press="walk_in", name=name)()
    works = [post(desk, made, "desk_log", press="undo", entry=number) for number in (2, 2, 3)]
    works += [post(hall.phone(made, who), made, "arrive", round=1, here="no") for who in (10, 11)]
    works += [post(hall.phone(made, who), made, "ride", text="De Nantes", kind="offer") for who in (10, 12)]
    for one in together(*works):
        assert one.status_code < 500
    checked(made)


def test_people_are_merged_removed_and_released_while_they_write() -> None:
    made = scene.tournament(9)
    desk = site.client_of(site.MASTER)
    phones = {who: hall.phone(made, who) for who in range(1, 8)}
    facts = {"name": "Somebody Else", "club": "Other actions"}
    works = [post(phones[who], made, "facts", **facts) for who in phones]
    works += [post(phones[who], made, "choose_rounds", rounds="2") for who in phones]
    works += [
        post(desk, made, "desk_person", 1, press="merged?person=1&other=2"),
        post(desk, made, "desk_person", 3, press="removed?person=3"),
        post(desk, made, "desk_person", 4, press="release"),
        post(phones[5], made, "leave"),
    ]
    for one in together(*works):
        assert one.status_code in (302, 404, 409), one.status_code
    assert set(hall.event(made).people) == {1, 4, 5, 6, 7, 8, 9}
    checked(made)


def test_a_draw_is_shown_thrown_away_and_swapped_at_once() -> None:
    made = stages.kept("drafted")
    scene.assistant(made)
    desks = [site.client_of(name) for name in (site.MASTER, site.ASSISTANT)]
    swap = {"press": "seats_swapped", "round": 1, "board": 1, "power": "FRANCE", "other_board": 1}
    works = [
        post(desks[0], made, "desk_draw", 1, press="published?round=1"),
        post(desks[1], made, "desk_draw", 1, **swap, other_power="TURKEY"),
        post(desks[0], made, "desk_draw", 1, press="draft_discarded?round=1"),
        *(post(hall.phone(made, who), made, "arrive", round=1, here="no") for who in (2, 3)),
    ]
    for one in together(*works):
        said(one)
    checked(made)
