"""What a monitor hears: 200 where all is well, else 503; nothing of anybody."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from talleyrand.web.games.models import Game
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, InboundEmail, MailboxPurpose, OutboundEmail
from talleyrand.web.monitoring import health_checks
from tests.web.cast import person

pytestmark = pytest.mark.django_db
LATE = timedelta(minutes=6)
ANSWERS = ("/health/", "/health.txt")


def asked() -> tuple[int, dict[str, Any], str]:
    """The status, the JSON and the line of the site."""
    full, line = Client().get(ANSWERS[0]), Client().get(ANSWERS[1])
    assert full.status_code == line.status_code
    assert {full["Cache-Control"], line["Cache-Control"]} == {
        "max-age=0, no-cache, no-store, must-revalidate, private"
    }
    return full.status_code, full.json(), line.content.decode()


@pytest.mark.usefixtures("beating")
def test_all_is_well(game: Game) -> None:
    status, told, line = asked()
    assert (status, line, told["status"]) == (200, "ok\n", "ok")
    assert told["checks"] == dict.fromkeys(("database", "migrations", "clock", "phases", "disk"), "ok")
    assert (told["overdue"], told["parked"], told["faults"]) == (0, 0, 0)


@pytest.mark.usefixtures("silent")
def test_a_clock_that_stands_still() -> None:
    status, told, line = asked()
    assert (status, line) == (503, "failing: clock\n")
    assert told["checks"]["clock"] == "failing"


def test_no_clock_ever() -> None:
    assert asked()[2] == "failing: clock\n"


@pytest.mark.usefixtures("beating")
def test_phases_that_are_late(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(next_check_at=timezone.now() - LATE)
    status, told, line = asked()
    assert (status, line, told["overdue"]) == (503, "failing: phases\n", 1)


@pytest.mark.usefixtures("beating")
@pytest.mark.parametrize(
    ("changed", "parked"),
    [
        ({"next_check_at": timedelta(minutes=4)}, 0),
        ({"next_check_at": LATE, "state": "paused"}, 0),
        ({"next_check_at": LATE, "adjudication_error": "fault"}, 1),
        ({"next_check_at": None, "deadline": LATE, "is_waiting": True}, 0),
    ],
    ids=["a moment ago", "paused", "parked", "waits for its master"],
)
def test_games_that_are_not_late(game: Game, changed: dict[str, Any], parked: int) -> None:
    """A game that waits for a person does not make the site ill."""
    now = timezone.now()
    dated = {name: now - value if isinstance(value, timedelta) else value for name, value in changed.items()}
    Game.objects.filter(pk=game.pk).update(**dated)
    status, told, _line = asked()
    assert (status, told["overdue"], told["parked"]) == (200, 0, parked)


@pytest.mark.usefixtures("beating")
def test_data_older_than_the_program() -> None:
    MigrationRecorder.Migration.objects.filter(app="games").order_by("-pk")[0].delete()
    assert asked()[2] == "failing: migrations\n"


@pytest.mark.usefixtures("beating", "by_post")
@pytest.mark.parametrize(("ago", "line"), [(LATE, "failing: post\n"), (timedelta(minutes=1), "ok\n")])
def test_mail_that_waits_to_leave(game: Game, ago: timedelta, line: str) -> None:
    due = timezone.now() - ago
    OutboundEmail.objects.create(
        person=person("Flora"), game=game, kind="report", idempotency_key="1", subject="", text="", due_at=due
    )
    assert asked()[2] == line


@pytest.mark.usefixtures("beating", "by_post")
@pytest.mark.parametrize(("ago", "line"), [(timedelta(minutes=1), "ok\n"), (LATE, "failing: post\n")])
def test_a_post_with_much_to_send_takes_its_time(game: Game, ago: timedelta, line: str) -> None:
    now = timezone.now()
    mail = {"person": person("Flora"), "game": game, "kind": "report", "subject": "", "text": ""}
    OutboundEmail.objects.create(idempotency_key="1", due_at=now - LATE, **mail)
    OutboundEmail.objects.create(
        idempotency_key="2", due_at=now - LATE, sent_at=now - ago, attempted_at=now - ago, **mail
    )
    assert asked()[2] == line


@pytest.mark.usefixtures("beating", "by_post")
@pytest.mark.parametrize(
    ("outcome", "line", "faults"), [("", "failing: post\n", 0), (MailOutcome.FAULT, "ok\n", 1)]
)
def test_mail_that_came(game: Game, outcome: str, line: str, faults: int) -> None:
    box = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
    message = InboundEmail.objects.create(raw_bytes=b"", received_at=timezone.now())
    InboundEmail.objects.update(stored_at=timezone.now() - LATE)
    InboundDelivery.objects.create(email=message, mailbox=box, content_digest="1", outcome=outcome)
    _status, told, said = asked()
    assert (said, told["faults"]) == (line, faults)


@pytest.mark.usefixtures("beating")
def test_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_checks, "LEAST_FREE", 2**62)
    assert asked()[2] == "failing: disk\n"


@pytest.mark.usefixtures("beating")
def test_a_database_that_does_not_answer() -> None:
    def broken(*_query: Any) -> None:
        raise DatabaseError("password=zz")

    with connection.execute_wrapper(broken):
        answer = Client().get("/health/")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "failing",
        "checks": {
            "database": "failing",
            "migrations": "unknown",
            "clock": "unknown",
            "phases": "unknown",
            "disk": "ok",
        },
    }


@pytest.mark.usefixtures("beating")
@pytest.mark.parametrize("path", ANSWERS)
def test_whoever_asks_however(path: str, django_assert_max_num_queries: Any) -> None:
    """By any name, without a cookie, by HEAD; never by what changes something."""
    client = Client(headers={"host": "10.0.0.7:8000", "accept-language": "en"})
    with django_assert_max_num_queries(8):
        answer = client.get(path)
    assert (answer.status_code, dict(client.cookies)) == (200, {})
    head = client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert client.post(path).status_code == 405
    assert client.get(f"/en{path}").status_code in (400, 404)


@pytest.mark.usefixtures("beating")
def test_nothing_is_written() -> None:
    changes = []

    def watching(execute: Any, query: str, *rest: Any) -> Any:
        changes.append(query) if not query.startswith("SELECT") else None
        return execute(query, *rest)

    with connection.execute_wrapper(watching):
        Client().get("/health/")
    assert changes == []


@pytest.mark.usefixtures("beating")
def test_the_page_in_words(chief: Client, game: Game) -> None:
    assert "Tout va bien." in chief.get("/administration/etat/").content.decode()
    Game.objects.filter(pk=game.pk).update(next_check_at=timezone.now() - LATE)
    text = chief.get("/en/administration/status/").content.decode()
    assert "Some are more than five minutes late" in text
    assert "Games running late" in text
    for hidden in (game.key, game.name, "Flora"):
        assert hidden not in text


def test_the_page_is_not_there_for_others(game: Game) -> None:
    from tests.web.cast import MASTER, client_of

    assert {one.get("/administration/etat/").status_code for one in (Client(), client_of(MASTER))} == {404}
