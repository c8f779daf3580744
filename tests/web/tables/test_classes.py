"""A class: boards from a list of names, one bell, and everything erased in the end."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.monitoring import retention
from talleyrand.web.tables import class_sessions, table_erasing, table_links
from talleyrand.web.tables.class_forms import read_names
from talleyrand.web.tables.models import ClassSession, Table, TablePlayer
from tests.web.cast import client_of, person

from .phones import open_table, phone_of, started

pytestmark = pytest.mark.django_db

PUPILS = [
    "Zorbinette",
    "Quiquendone",
    "Fantasio",
    "Barnabooth",
    "Ysengrin",
    "Melusine",
    "Gavroche",
    "Cosette",
]


def open_class(names: list[str] = PUPILS, **asked: Any) -> tuple[ClassSession, Client]:
    teacher = Client()
    response = teacher.post(
        "/tables/class/", {"names": "\n".join(names), "submission": "c" * 24, "draw": "on", **asked}
    )
    assert response.status_code == 302, response.content.decode()
    return ClassSession.objects.latest("pk"), teacher


def tapped(session: ClassSession, name: str) -> tuple[Client, TablePlayer]:
    """A device whose pupil has tapped a name."""
    pupil = next(one for one in class_sessions.pupils_of(session) if one.person.name.startswith(f"{name} "))
    phone = Client()
    response = phone.post(f"/tables/class/join/{session.code}/", {"pupil": pupil.pk})
    assert response.status_code == 302, response.content.decode()
    return phone, pupil


def act(teacher: Client, session: ClassSession, name: str, phases: str = "") -> None:
    shown = phases or shown_phases(session)
    sent = {"act": name, "phases": shown}
    assert teacher.post(f"/tables/class/{session.key}/act/", sent).status_code == 302


def shown_phases(session: ClassSession) -> str:
    """The phases that the teacher's page shows now, as its form sends them."""
    return " ".join(f"{one.game.key}:{one.game.phase_number}" for one in class_sessions.tables_of(session))


def states(session: ClassSession) -> set[str]:
    return {table.game.state for table in class_sessions.tables_of(session)}


@pytest.mark.parametrize(
    ("pupils", "boards", "sizes"),
    [
        (3, 0, (3,)),
        (7, 0, (7,)),
        (8, 0, (4, 4)),
        (22, 0, (6, 6, 5, 5)),
        (28, 5, (6, 6, 6, 5, 5)),
        (35, 0, (7, 7, 7, 7, 7)),
        (140, 0, (7,) * 20),
        (2, 0, ()),
        (0, 0, ()),
        (141, 0, ()),
        (20, 7, ()),
        (20, 2, ()),
        (20, 21, ()),
    ],
)
def test_boards_are_as_even_as_can_be(pupils: int, boards: int, sizes: tuple[int, ...]) -> None:
    assert class_sessions.board_sizes(pupils, boards) == sizes
    assert class_sessions.is_playable("classic", sizes)


def test_a_list_as_people_paste_it() -> None:
    assert read_names("\ufeffAnna\r\n\r\n  Bela\t\nAnna\nANNA\nÉloïse\n") == (
        "Anna",
        "Bela",
        "Anna 2",
        "ANNA 3",
        "Éloïse",
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "un par ligne"),
        (" \n\n", "un par ligne"),
        ("\n".join(f"Nom {at}" for at in range(2000)), "2000"),
        ("x" * 100_000, "24"),
        ("Anna\nBela\nanna@example.org", "3"),
        ("Anna\nBela\n\ufffd\ufffdlo\ufffdse", "3"),
        ("Anna\nBela\nJean\x00", "3"),
        ("Anna\nBela", "2"),
    ],
)
def test_a_list_that_is_none_is_refused_with_a_sentence(typed: str, said: str) -> None:
    refused = Client().post("/tables/class/", {"names": typed, "submission": "c" * 24})
    assert refused.status_code == 400
    assert said in refused.content.decode()
    assert not ClassSession.objects.exists()
    assert not Person.objects.filter(is_guest=True).exists()


def test_bytes_that_are_no_text_are_refused() -> None:
    body = b"names=Anna%0ABela%0A%C9lo%EFse"
    sent = Client().post("/tables/class/", body, content_type="application/x-www-form-urlencoded")
    assert sent.status_code == 400


@pytest.mark.parametrize(
    "asked", [{"boards": "99"}, {"variant": "nothing"}, {"rulebook": "x"}, {"clock": ""}]
)
def test_other_answers_out_of_range_are_refused(asked: dict[str, str]) -> None:
    told = {"names": "\n".join(PUPILS), "submission": "c" * 24, **asked}
    assert Client().post("/tables/class/", told).status_code == 400
    assert not Table.objects.exists()


def test_as_listed_and_drawn() -> None:
    session, _teacher = open_class(draw="")
    names = [one.person.name.split(" ")[0] for one in class_sessions.pupils_of(session)]
    assert names == PUPILS
    rules = {(table.game.variant, table.game.rulebook) for table in class_sessions.tables_of(session)}
    assert rules == {("classic", "simplified")}


def test_the_same_form_twice_is_one_class() -> None:
    first, teacher = open_class()
    told = {"names": "\n".join(PUPILS), "submission": "c" * 24}
    assert teacher.post("/tables/class/", told)["Location"] == f"/tables/class/{first.key}/"
    assert ClassSession.objects.count() == 1
    assert Table.objects.count() == 2


def test_pupils_tap_their_names_and_see_their_board_alone() -> None:
    session, teacher = open_class()
    phone, pupil = tapped(session, "Cosette")
    own = pupil.table.game.key
    other = next(one.game.key for one in class_sessions.tables_of(session) if one.pk != pupil.table_id)
    assert "Cosette" in phone.get(f"/tables/{own}/").content.decode()
    assert phone.get(f"/tables/{other}/").status_code == 404
    assert phone.get(f"/parties/{other}/infos/").status_code == 404
    for path in ("", "cards/", "erase/"):
        assert phone.get(f"/tables/class/{session.key}/{path}").status_code == 404
    for path in ("act/", "pupil/", "erase/"):
        sent = {"act": "deal", "pupil": pupil.pk, "sure": "yes"}
        assert phone.post(f"/tables/class/{session.key}/{path}", sent).status_code == 404
    taken = Client().post(f"/tables/class/join/{session.code}/", {"pupil": pupil.pk})
    assert taken.status_code == 409
    again = phone.post(f"/tables/class/join/{session.code}/", {"pupil": pupil.pk})
    assert again.status_code == 302
    assert Client().get(f"/tables/join/{pupil.table.code}/")["Location"].endswith(session.code + "/")
    assert "1 sur 4" in teacher.get(f"/tables/class/{session.key}/").content.decode()


@pytest.mark.parametrize("typed", ["", "0", "x", "999999999", "-1", "٣"])
def test_a_pupil_of_nobodys_name(typed: str) -> None:
    session, _teacher = open_class()
    assert Client().post(f"/tables/class/join/{session.code}/", {"pupil": typed}).status_code == 404
    assert Client().get("/tables/class/join/ZZZZZZ/").status_code == 404


def test_a_pupil_of_another_class_is_not_in_reach() -> None:
    session, teacher = open_class()
    other, _other_teacher = open_class(submission="d" * 24)
    foreign = class_sessions.pupils_of(other)[0]
    assert teacher.post(f"/tables/class/{session.key}/pupil/", {"pupil": foreign.pk}).status_code == 404
    assert teacher.get(f"/tables/class/{other.key}/").status_code == 404


def test_one_bell_for_all_boards() -> None:
    session, teacher = open_class()
    act(teacher, session, "deal")
    act(teacher, session, "deal")
    act(teacher, session, "start")
    assert states(session) == {GameState.PLAYING}
    act(teacher, session, "pause")
    assert states(session) == {GameState.PAUSED}
    act(teacher, session, "pause")
    act(teacher, session, "start")
    act(teacher, session, "ring")
    soon = timezone.now() + timedelta(seconds=2)
    assert all(one.game.deadline and one.game.deadline < soon for one in class_sessions.tables_of(session))
    act(teacher, session, "next")
    assert {table.game.phase_number for table in class_sessions.tables_of(session)} == {2}
    assert teacher.post(f"/tables/class/{session.key}/act/", {"act": "dance"}).status_code == 404
    page = teacher.get(f"/tables/class/{session.key}/").content.decode()
    assert page.count("class-map") == 2


@pytest.mark.parametrize("pressed", ["next", "ring"])
def test_a_second_press_ends_no_second_phase(pressed: str) -> None:
    session, teacher = open_class()
    act(teacher, session, "deal")
    shown = shown_phases(session)
    act(teacher, session, "next", shown)
    due = {one.game.deadline for one in class_sessions.tables_of(session)}
    for phases in (shown, "x", "x:y :: :1", "1" * 5000):
        act(teacher, session, pressed, phases)
    assert {one.game.phase_number for one in class_sessions.tables_of(session)} == {2}
    assert {one.game.deadline for one in class_sessions.tables_of(session)} == due


def test_drafts_count_when_the_teacher_resolves() -> None:
    session, teacher = open_class()
    phone, pupil = tapped(session, "Cosette")
    act(teacher, session, "deal")
    game = Game.objects.get(pk=pupil.table.game.pk)
    power = game.seats.filter(tenures__person=pupil.person, tenures__ended_at=None).first()
    assert power is not None
    unit = {"AUSTRIA": "A VIE - GAL", "ENGLAND": "F LON - NTH", "FRANCE": "A PAR - BUR"}.get(power.power)
    unit = unit or {"GERMANY": "A MUN - BUR", "ITALY": "A ROM - APU"}.get(power.power)
    unit = unit or {"RUSSIA": "A WAR - GAL", "TURKEY": "A CON - BUL"}[power.power]
    path = f"/parties/{game.key}/1/orders/{power.power}/draft/"
    sent = phone.post(path, json.dumps({"lines": {power.power: [unit]}}), content_type="application/json")
    assert sent.status_code == 200, sent.content.decode()
    act(teacher, session, "next")
    assert game.sheets.filter(power=power.power).first() is not None


def test_stop_everything_at_once() -> None:
    session, teacher = open_class()
    phone, pupil = tapped(session, "Cosette")
    act(teacher, session, "deal")
    key = pupil.table.game.key
    html = {"accept": "text/html,*/*;q=0.8"}
    act(teacher, session, "stop")
    assert states(session) == {GameState.PAUSED}
    for path in (f"/tables/{key}/", f"/parties/{key}/", f"/parties/{key}/infos/"):
        assert "Regardez votre professeur" in phone.get(path, headers=html).content.decode()
        assert "Regardez votre professeur" not in teacher.get(path, headers=html).content.decode()
    assert phone.get(f"/parties/{key}/now.json").json() == {"reload": True}
    power = pupil.table.game.seats.filter(tenures__person=pupil.person, tenures__ended_at=None).first()
    assert power is not None
    body = json.dumps({"lines": {power.power: []}, "action": "hand_in", "submission": "k" * 24})
    path = f"/parties/{key}/1/orders/{power.power}/"
    assert phone.post(path, body, content_type="application/json").status_code == 200
    act(teacher, session, "release")
    assert states(session) == {GameState.PAUSED}
    assert "Regardez votre professeur" not in phone.get(f"/parties/{key}/", headers=html).content.decode()


def test_the_teacher_helps_a_pupil_to_another_device() -> None:
    session, teacher = open_class()
    phone, pupil = tapped(session, "Cosette")
    teacher.post(f"/tables/class/{session.key}/pupil/", {"pupil": pupil.pk, "act": "pin"})
    pupil.refresh_from_db()
    assert f"PIN {pupil.pin}" in teacher.get(f"/tables/class/{session.key}/").content.decode()
    move = f"/tables/{pupil.table.game.key}/seats/{pupil.number}/move/"
    other = Client()
    assert pupil.pin not in other.get(move).content.decode()
    assert other.post(move, {"pin": pupil.pin}).status_code == 302
    assert phone.get(f"/tables/{pupil.table.game.key}/").status_code == 404
    teacher.post(f"/tables/class/{session.key}/pupil/", {"pupil": pupil.pk, "act": "free"})
    assert other.get(f"/tables/{pupil.table.game.key}/").status_code == 404
    tapped(session, "Cosette")


def test_the_teacher_goes_on_with_another_computer() -> None:
    session, teacher = open_class()
    path = f"/tables/class/{session.key}/teacher/{session.teacher_token}/"
    other = Client()
    assert other.get(f"/tables/class/{session.key}/teacher/{'x' * 22}/").status_code == 404
    assert other.post(path).status_code == 302
    assert other.get(f"/tables/class/{session.key}/").status_code == 200
    board = class_sessions.tables_of(session)[0].game.key
    assert other.get(f"/parties/{board}/infos/").status_code == 200
    assert teacher.get(f"/parties/{board}/infos/").status_code == 404


def test_cards_to_print_hold_each_seat() -> None:
    session, teacher = open_class()
    page = teacher.get(f"/tables/class/{session.key}/cards/").content.decode()
    assert page.count('class="qr"') == len(PUPILS)
    assert all(name in page for name in PUPILS)


def written_anywhere(*words: str) -> list[str]:
    """Every column of every table in which one of the words stands, sessions as they are read."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        kinds = (models.CharField, models.TextField, models.JSONField, models.BinaryField)
        fields = [one.attname for one in model._meta.concrete_fields if isinstance(one, kinds)]
        if not model._meta.managed or not fields:
            continue
        for row in model._default_manager.values_list(*fields):
            text = repr(tuple(bytes(one) if isinstance(one, memoryview) else one for one in row))
            found += [f"{model._meta.label}: {word}" for word in words if word in text]
    for row in Session.objects.all():
        found += [f"session: {word}" for word in words if word in repr(row.get_decoded())]
    return found


def played(session: ClassSession, teacher: Client) -> list[Client]:
    phones = [tapped(session, name)[0] for name in PUPILS]
    act(teacher, session, "deal")
    for phone, pupil in zip(phones, (_named(session, name) for name in PUPILS), strict=True):
        game = pupil.table.game
        phone.get(f"/parties/{game.key}/", headers={"accept": "text/html"})
        for seat in game.seats.filter(tenures__person=pupil.person, tenures__ended_at=None):
            body = json.dumps(
                {"lines": {seat.power: []}, "action": "hand_in", "submission": "k" * 24 + seat.power}
            )
            path = f"/parties/{game.key}/1/orders/{seat.power}/"
            assert phone.post(path, body, content_type="application/json").status_code == 200
    act(teacher, session, "next")
    return phones


def _named(session: ClassSession, name: str) -> TablePlayer:
    return next(one for one in class_sessions.pupils_of(session) if one.person.name.startswith(f"{name} "))


def test_everything_is_erased_with_a_receipt() -> None:
    client_of("Flora")
    session, teacher = open_class(name="5B Descartes")
    phones = played(session, teacher)
    boards = class_sessions.tables_of(session)
    words = [*PUPILS, "5B Descartes", *(one.code for one in boards), *(one.game.key for one in boards)]
    words += [f"person:{one.person_id}'" for one in class_sessions.pupils_of(session)]
    assert len({one.split(": ")[1] for one in written_anywhere(*words)}) >= len(PUPILS) + 5
    sessions_before = Session.objects.count()
    assert teacher.post(f"/tables/class/{session.key}/erase/").status_code == 200
    assert Game.objects.count() == 2
    for _ in range(2):
        assert teacher.post(f"/tables/class/{session.key}/erase/", {"sure": "yes"}).status_code in (200, 302)
    assert written_anywhere(*words) == []
    assert Session.objects.count() == sessions_before - len(phones) - 1
    assert not Person.objects.filter(is_guest=True).exists()
    assert not Table.objects.exists()
    assert person("Flora") is not None
    fresh = ClassSession.objects.get(pk=session.pk)
    assert fresh.erased_at is not None
    assert fresh.receipt["tables.Table"] == 2
    receipt = Client().get(f"/tables/class/{session.key}/").content.decode()
    assert "Tout est effacé" in receipt
    assert not [name for name in PUPILS if name in receipt]
    assert phones[0].get(f"/tables/{boards[0].game.key}/").status_code == 404


def test_what_else_a_session_holds_stays() -> None:
    session, teacher = open_class()
    phone = client_of("Flora")
    pupil = class_sessions.pupils_of(session)[0]
    assert phone.post(f"/tables/class/join/{session.code}/", {"pupil": pupil.pk}).status_code == 302
    teacher.post(f"/tables/class/{session.key}/erase/", {"sure": "yes"})
    assert phone.get("/parties/").wsgi_request.user == person("Flora")
    assert pupil.table.game.key not in repr(dict(phone.session))


def test_a_crash_in_the_middle_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    session, teacher = open_class()
    played(session, teacher)
    erase = table_erasing.erase_table
    done: list[Table] = []

    def dying(table: Table) -> Any:
        if done:
            raise KeyboardInterrupt
        done.append(table)
        return erase(table)

    monkeypatch.setattr(table_erasing, "erase_table", dying)
    with pytest.raises(KeyboardInterrupt):
        table_erasing.erase_class(session, timezone.now())
    monkeypatch.undo()
    assert Table.objects.count() == 1
    assert teacher.get(f"/tables/class/{session.key}/").status_code == 200
    assert "Effacement en cours" in teacher.get(f"/tables/class/{session.key}/").content.decode()
    assert table_erasing.erase_due()["classes"] == 1
    fresh = ClassSession.objects.get(pk=session.pk)
    assert fresh.receipt["tables.Table"] == 2
    assert written_anywhere(*PUPILS) == []


def test_a_class_that_the_teacher_forgets_is_erased_by_itself() -> None:
    session, teacher = open_class()
    now = timezone.now()
    assert table_erasing.erase_due(now + timedelta(days=6))["classes"] == 0
    ClassSession.objects.update(erase_at=now + timedelta(days=1))
    act(teacher, session, "keep")
    assert table_erasing.erase_due(now + timedelta(days=6))["classes"] == 0
    assert table_erasing.erase_due(now + timedelta(days=8))["classes"] == 1
    assert not Table.objects.exists()
    assert table_erasing.erase_due(now + timedelta(days=8))["classes"] == 0
    assert table_erasing.erase_due(now + timedelta(days=50))["receipts"] == 1
    assert not ClassSession.objects.exists()


def test_a_table_of_guests_goes_after_sixty_days_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _laptop, _phones = started()
    claimed, _other = open_table(submission="t" * 24)
    claimed.game.memberships.filter(person__is_guest=True).exclude(person=claimed.host).first()
    seat = claimed.game.memberships.filter(role="player").first()
    assert seat is not None
    seat.person = person("Flora")
    seat.save()
    now = timezone.now()
    assert table_erasing.erase_idle_tables(now + timedelta(days=59)) == 0
    monkeypatch.setattr(table_links, "links_of_table", lambda _table: ["a round"])
    assert table_erasing.erase_idle_tables(now + timedelta(days=61)) == 0
    monkeypatch.undo()
    assert table_erasing.erase_idle_tables(now + timedelta(days=61)) == 1
    assert not Game.objects.filter(pk=table.game.pk).exists()
    assert Game.objects.filter(pk=claimed.game.pk).exists()


def test_a_table_that_is_in_use_stays(settings: Any) -> None:
    table, _laptop = open_table()
    long_ago = timezone.now() - timedelta(days=100)
    Table.objects.update(created_at=long_ago)
    TablePlayer.objects.update(phone_joined_at=long_ago)
    assert list(table_erasing.idle_tables(timezone.now())) == [table]
    phone_of(table, "Anna")
    assert not table_erasing.idle_tables(timezone.now()).exists()
    settings.TABLE_DAYS = 0
    assert table_erasing.erase_idle_tables(timezone.now() + timedelta(days=999)) == 0


def test_the_other_things_that_are_pruned_leave_a_class_alone() -> None:
    session, _teacher = open_class()
    retention.prune(timezone.now())
    assert Table.objects.filter(class_session=session).count() == 2


def test_the_lesson_plan_lasts_two_hours() -> None:
    page = Client().get("/tables/class/lesson-plan/")
    assert page.status_code == 200
    assert "115–120 min" in page.content.decode()
    english = Client().get("/en/tables/class/lesson-plan/").content.decode()
    assert "/en/learn/10/" in english
