"""Queries whose SQL is written once: they find and change what Django's own would."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import F, OuterRef, Subquery, Value
from django.db.transaction import TransactionManagementError
from django.test import Client
from django.test.utils import CaptureQueriesContext

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.prepared_queries import KEPT, Given, PreparedQuery, insert
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameLogEntry, GameSeat, OrderSet, PhaseRevision, PowerAssignment

pytestmark = pytest.mark.django_db
BY_KEY = PreparedQuery(lambda: Game.objects.filter(key=Given(Game, "key")))
WITHOUT_SEED = PreparedQuery(
    lambda: Game.objects.filter(key=Given(Game, "key")).defer("seed", "settings_json")
)
DUE = PreparedQuery(
    lambda: (
        Game.objects.filter(next_check_at__range=(Given(Game, "deadline", "since"), Given(Game, "deadline")))
        .order_by("key")
        .values_list("key", "deadline", "rulebook")
    )
)
DRAFT = PreparedQuery(
    lambda: GameSeat.objects.filter(game=Given(GameSeat, "game"), power=Given(GameSeat, "power")),
    lambda: {"draft_orders": Given(GameSeat, "draft_orders"), "missed_phases": F("missed_phases") + 1},
)
HELD = PreparedQuery(
    lambda: (
        PowerAssignment.objects.filter(seat__game=Given(GameSeat, "game"))
        .select_related("seat__game", "person")
        .order_by("pk")
    )
)
NOON = datetime(2026, 3, 2, 12, 0, 0, 123456, tzinfo=UTC)


def _game(key: str, **more: Any) -> Game:
    return Game.objects.create(
        key=key,
        name=key,
        variant="classic",
        rulebook={"b": 1, "a": [2]},
        deadline=NOON,
        next_check_at=NOON,
        **more,
    )


def test_models_come_as_django_reads_them() -> None:
    for key in ("one", "two"):
        made = _game(key, settings_json={"z": None, "a": "é"}, is_listed=False)
        found, usual = BY_KEY.get(key=key), Game.objects.get(pk=made.pk)
        for column in Game._meta.concrete_fields:
            assert getattr(found, column.attname) == getattr(usual, column.attname), column.name
        assert list(found.rulebook) == ["b", "a"]
        found.name = f"{key} again"
        found.save(update_fields=["name"])
        assert Game.objects.get(pk=made.pk).name == f"{key} again"
    assert BY_KEY.first(key="three") is None
    with pytest.raises(Game.DoesNotExist):
        BY_KEY.get(key="three")
    with pytest.raises(KeyError):
        BY_KEY.rows(name="one")


def test_what_is_deferred_is_read_when_it_is_asked_for() -> None:
    _game("one", seed="sown")
    found = WITHOUT_SEED.get(key="one")
    assert found.get_deferred_fields() == {"seed", "settings_json"}
    assert (found.seed, found.settings_json) == ("sown", {})


def test_what_models_are_related_to_comes_with_them() -> None:
    game, person = _game("one"), Person.objects.create_user("Ada")
    seat = GameSeat.objects.create(game=game, power="FRANCE")
    PowerAssignment.objects.create(seat=seat, person=person)
    PowerAssignment.objects.create(seat=seat, person=None, is_stand_in=True)
    with CaptureQueriesContext(connection) as asked:
        found = HELD.rows(game=game.pk)
        told = [(one.seat.power, one.seat.game.key, one.person_id and one.person.is_guest) for one in found]
    assert told == [("FRANCE", "one", False), ("FRANCE", "one", None)]
    assert len(asked) == 1


def test_what_a_query_changes_it_also_reads() -> None:
    game = _game("one")
    GameSeat.objects.create(game=game, power="FRANCE")
    for lines in (["A PAR - BUR"], []):
        assert DRAFT.update(game=game.pk, power="FRANCE", draft_orders=lines) == 1
        assert DRAFT.get(game=game.pk, power="FRANCE").draft_orders == lines


def test_rows_of_some_columns_and_several_values() -> None:
    _game("one")
    assert DUE.rows(since=NOON, deadline=NOON) == [("one", NOON, {"b": 1, "a": [2]})]
    assert DUE.rows(since=NOON.replace(hour=13), deadline=NOON.replace(hour=14)) == []


def test_an_update_tells_how_many_rows_it_changed() -> None:
    game = _game("one")
    for power in ("FRANCE", "ITALY"):
        GameSeat.objects.create(game=game, power=power)
    assert DRAFT.update(game=game.pk, power="FRANCE", draft_orders=["A PAR - BUR", "é"]) == 1
    assert DRAFT.update(game=game.pk, power="RUSSIA", draft_orders=[]) == 0
    told = dict(GameSeat.objects.values_list("power", "draft_orders"))
    assert told == {"FRANCE": ["A PAR - BUR", "é"], "ITALY": []}
    assert GameSeat.objects.get(power="FRANCE").missed_phases == 1


def test_a_row_that_is_inserted_is_what_django_would_write() -> None:
    game, person = _game("one"), Person.objects.create_user("Ada")
    for number, by in ((1, person), (2, None)):
        sheet = OrderSet(
            game=game,
            phase_number=3,
            power="FRANCE",
            receipt_number=number,
            idempotency_key=f"key {number}",
            lines=["A PAR - BUR"],
            digest="d",
            origin="map",
            submitted_by=by,
            received_at=NOON,
        )
        insert(sheet)
        found = OrderSet.objects.get(pk=sheet.pk)
        for column in OrderSet._meta.concrete_fields:
            assert getattr(found, column.attname) == getattr(sheet, column.attname), column.name
        sheet.is_ready = True
        sheet.save(update_fields=["is_ready"])
    assert OrderSet.objects.filter(is_ready=True).count() == 2


def test_a_row_has_its_key_where_the_database_tells_none_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """As SQLite does before 3.35, which is as old as Django allows."""
    if connection.vendor == "sqlite":
        monkeypatch.setattr(type(connection.features), "can_return_columns_from_insert", False)
    monkeypatch.setitem(vars(connection), KEPT, {})
    game = _game("one")
    for kind in ("published", "extended"):
        insert(entry := GameLogEntry(game=game, kind=kind))
        assert GameLogEntry.objects.get(pk=entry.pk).kind == kind


def test_the_sql_is_written_once_and_asked_as_often_as_there_are_questions() -> None:
    _game("one")
    with CaptureQueriesContext(connection) as asked:
        for _ in range(3):
            BY_KEY.get(key="one")
    assert len({query["sql"] for query in asked}) == 1
    assert len(asked) == 3


def test_whoever_hears_what_is_asked_gets_the_same_answer() -> None:
    game = _game("100% one")
    told: list[str] = []

    def hear(ask: Any, sql: str, *more: Any) -> Any:
        told.append(sql)
        return ask(sql, *more)

    counted = PreparedQuery(
        lambda: Game.objects.filter(key=Given(Game, "key"), name__contains="100%"),
        lambda: {"version": F("version") + 1},
    )
    with connection.execute_wrapper(hear):
        heard = BY_KEY.get(key=game.key), counted.update(key=game.key), counted.update(key="none")
        insert(GameLogEntry(game=game, kind="published"))
    assert len(told) == 4
    assert heard[0].rulebook == BY_KEY.get(key=game.key).rulebook
    assert heard[1:] == (counted.update(key=game.key), counted.update(key="none")) == (1, 0)
    assert Game.objects.get(pk=game.pk).version == game.version + 2
    assert game.log.count() == 1


def test_an_error_of_the_driver_is_one_of_djangos() -> None:
    game = _game("one")
    seat = GameSeat(game=game, power="FRANCE")
    insert(seat)
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(GameSeat(game=game, power="FRANCE"))
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(TransactionManagementError):
            BY_KEY.first(key="one")
    assert BY_KEY.get(key="one").seats.get().pk == seat.pk


def test_models_come_with_what_was_added_to_them() -> None:
    _game("one").seats.create(power="FRANCE", drafted_at=NOON)
    _game("two")
    drafted = GameSeat.objects.filter(game=OuterRef("pk"), power=Given(GameSeat, "power"))
    query = PreparedQuery(
        lambda: Game.objects.filter(key=Given(Game, "key")).annotate(
            latest=Subquery(drafted.values("drafted_at")), one=Value(1)
        )
    )
    found = [query.get(key=key, power="FRANCE") for key in ("one", "two")]
    assert [(game.key, game.latest, game.one) for game in found] == [("one", NOON, 1), ("two", None, 1)]
    assert query.get(key="one", power="ITALY").latest is None


def test_a_session_of_the_store_that_django_brings_is_read_by_ours() -> None:
    from django.contrib.sessions.backends.db import SessionStore as Usual

    from talleyrand.web.accounts.session_store import SessionStore

    made = Usual()
    made["who"] = "Ada"
    made.save()
    assert SessionStore(made.session_key)["who"] == "Ada"
    made.set_expiry(-1)
    made.save()
    assert SessionStore(made.session_key).get("who") is None
    for key in ("unknown", "unknown 2", "abcdefgh\0", "abcdéfgh", "\ud800" * 8, "x" * 5000, ""):
        assert SessionStore(key).get("who") is None


def test_whatever_stands_in_the_cookie_of_a_session_is_a_visitor(client: Client) -> None:
    for key in (r'"abcdefgh\000ij"', "abcdefgh%00", "é" * 8, "x" * 5000):
        told = client.get("/parties/", HTTP_COOKIE=f"{settings.SESSION_COOKIE_NAME}={key}")
        assert told.status_code == 200, key


def test_no_row_has_a_number_that_its_column_cannot_hold() -> None:
    game = _game("one")
    numbered = PreparedQuery(
        lambda: OrderSet.objects.filter(
            game=Given(OrderSet, "game"), phase_number=Given(OrderSet, "phase_number")
        ),
        lambda: {"is_ready": Given(OrderSet, "is_ready")},
    )
    for number in (10**20, -(10**20), str(10**20)):
        assert numbered.rows(game=game.pk, phase_number=number) == []
        assert numbered.update(game=game.pk, phase_number=number, is_ready=True) == 0


@pytest.mark.django_db(transaction=True)
def test_rows_are_locked_inside_a_transaction_alone() -> None:
    """Each time: Django asks when it writes the SQL, and that is once."""
    game, held = (
        _game("one"),
        PreparedQuery(lambda: Game.objects.select_for_update().filter(pk=Given(Game, "id"))),
    )
    with transaction.atomic():
        assert held.get(id=game.pk) == game
    with pytest.raises(TransactionManagementError):
        held.get(id=game.pk)


def test_the_start_of_a_game_is_a_phase_like_another() -> None:
    game = _game("one")
    begun = PhaseRevision.objects.create(
        game=game, phase_number=0, revision=1, kind="start", digest="", next_situation={"phase": "S1901M"}
    )
    history = GameHistory(game)
    assert (history.revision(0), history.situation(1)) == (begun, {"phase": "S1901M"})
    assert history.revision(10**20) is None
