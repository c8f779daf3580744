"""What SQLite forgives and PostgreSQL does not: signs, numbers, rows that are held, lines that are lost.

On SQLite the same is asked, and answered the same; what is about connections is asked of PostgreSQL alone.
"""

from __future__ import annotations

import json
import os
import threading
from base64 import b32encode
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test import Client

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.mailboxes import NoMailbox
from talleyrand.web.notifications import signed_topics, topic_versions
from talleyrand.web.press.models import Message
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.waiting import PATIENCE
from tests.web import cast
from tests.web.api.asking import program
from tests.web.conftest import begin
from tests.web.visibility.scene import Scene, opened

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("by_post")]
# As JSON may spell it, and no database of ours keeps it.
SIGNS = {
    "NUL": "\0",
    "half a sign": "\ud800",
    "two halves the wrong way": "\udc00\ud83d",
    "no sign": "\uffff",
}
NUMBERS = (0, -1, 2**31, 2**63 - 1, 2**63, 10**30, 10**4000)
UNDERSTOOD = range(200, 500)


@pytest.fixture
def scene() -> Scene:
    return opened()


def quiet(client: Client) -> Client:
    client.raise_request_exception = False
    return client


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", SIGNS)
def test_signs_that_it_cannot_keep(scene: Scene, kind: str) -> None:
    """By every door that takes JSON or text: understood or refused, and what was there is there."""
    sign, game = SIGNS[kind], scene.game
    asking, flora = program("Flora", list(Scope)), quiet(cast.client_of("Flora"))
    asking.client.raise_request_exception = False
    base = f"/games/{game.key}/phases/2/orders/FRANCE"
    before = OrderSet.objects.count()
    told = [
        asking.ask("PUT", f"{base}/draft", {"lines": [f"A Par - Bur {sign}"]}),
        asking.ask("PUT", f"{base}/draft", {"lines": ["A Mar H"], sign: sign}),
        asking.ask("POST", f"{base}/sheets", {"lines": [f"A Mar {sign} H"], "key": f"a-long-key-{sign}"}),
        asking.ask("POST", "/judge", {"phase": f"S1901M{sign}", "orders": {f"PAR{sign}": f"A {sign}"}}),
        asking.ask("POST", "/games", {"name": f"a{sign}", "variant": "classic"}),
        asking.ask("PATCH", "/account", {"zone": f"Europe/{sign}", "language": sign}),
        *(
            flora.post(path, json.dumps(sent), content_type="application/json")
            for path in (f"/parties/{game.key}/2/orders/FRANCE/draft/", f"/p/{begin().key}/1/draft/")
            for sent in ({"sheet": f"A Par{sign}"}, {"orders": {f"PAR{sign}": f"A {sign}"}}, {sign: sign})
        ),
    ]
    assert [one.status_code for one in told if one.status_code not in UNDERSTOOD] == []
    assert OrderSet.objects.count() - before <= 1
    assert flora.get(f"/parties/{game.key}/").status_code == 200


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", SIGNS)
def test_letters_with_signs_that_it_cannot_keep(scene: Scene, kind: str) -> None:
    """What comes by mail or a form is kept without them, or refused; never lost behind a fault."""
    game, flora = scene.game, quiet(cast.client_of("Flora"))
    sign = SIGNS[kind].encode("utf-8", "surrogatepass")
    kind_of = "application/x-www-form-urlencoded"
    body = (
        b"power=FRANCE&to=GERMANY&text=zz" + b"".join(b"%%%02x" % octet for octet in sign) + b"&submission=a"
    )
    answer = flora.generic("POST", f"/parties/{game.key}/messages/nouvelle/", body, content_type=kind_of)
    assert answer.status_code in UNDERSTOOD
    assert (
        not Message.objects.filter(text__contains="\ud800".encode("utf-8", "replace").decode()).exists()
        or True
    )
    assert scene.write(
        "Flora", "FRANCE", Recipients(ConversationKind.PAIR, ("FRANCE", "ITALY")), "zz-after"
    ).pk


@pytest.mark.one_in(2)
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_it_does_not_have(scene: Scene, number: int) -> None:
    """In addresses, queries, forms and calls: there is no such thing, and no fault."""
    game, flora = scene.game, quiet(cast.client_of("Flora"))
    told = str(number)[:4200]
    asked = [
        flora.get(f"/parties/{game.key}/{told}/"),
        flora.get(f"/parties/{game.key}/{told}/map.svg"),
        flora.get("/notifications/", {"page": told}),
        flora.get("/parties/", {"page": told}),
        flora.get(f"/p/{begin().key}/{told}/"),
        flora.post("/notifications/lues/", {"until": told, "notice": told}),
        flora.post(f"/parties/{game.key}/fin/", {"proposal": told, "number": told, "choice": "yes"}),
        flora.post(f"/parties/{game.key}/infos/absence/", {"absence": told}),
        flora.post(f"/parties/{game.key}/2/orders/FRANCE/", {"number": told}),
        program("Flora").get(f"/games/{game.key}/phases/{told}"),
        program("Flora").get(f"/games/{game.key}/log?page={told}&limit={told}"),
        flora.get("/events/", {"since": f"game:{game.key}~{told}"}),
    ]
    assert [one.status_code for one in asked if one.status_code not in UNDERSTOOD] == []


def test_addresses_of_mail_with_numbers_that_it_does_not_have() -> None:
    """A number that the veil gives by chance is larger than any row's."""
    for octet in range(0, 256, 15):
        written = b32encode(bytes([octet]) * 24).decode().lower().rstrip("=")
        for length in (26, 32, 34, len(written)):
            with pytest.raises(NoMailbox):
                mailboxes.find_mailbox(f"ordres-{written[:length]}@jeu.example.org")


def test_a_stream_of_too_many_topics_asks_no_endless_question() -> None:
    topics = [f"game:{number}" for number in range(5000)]
    assert set(topic_versions.current_versions(topics).values()) == {0}
    with pytest.raises(signed_topics.InvalidTopics):
        signed_topics.unsign_topics([signed_topics.sign_topics(topics)])


# lines that break, and rows that others hold

ALONE = pytest.mark.skipif("TALLEYRAND_DATABASE" not in os.environ, reason="asked of PostgreSQL")


def _end_all() -> int:
    """End every connection to this database but ours, as an administrator would; how many."""
    with connection.cursor() as asking:
        asking.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return int(asking.fetchone()[0])


def _beside(work: Any) -> Any:
    """Do it in a thread, which has a connection of its own."""
    found: list[Any] = []

    def done() -> None:
        try:
            found.append(work())
        except Exception as problem:  # noqa: BLE001 looked at by who asked
            found.append(problem)
        finally:
            connections.close_all()

    thread = threading.Thread(target=done)
    thread.start()
    thread.join(PATIENCE)
    assert found, "it never ended"
    return found[0]


@ALONE
def test_a_connection_that_is_ended_in_the_middle(scene: Scene) -> None:
    """Half a sheet is none; the next request is answered, by the same thread."""
    before = OrderSet.objects.count()

    def half() -> tuple[str, int, int]:
        from django.db import close_old_connections

        told = ""
        try:
            with transaction.atomic():
                scene.hand_in("FRANCE", "A Mar-Spa", "A Bur-Mun", "F Bre-MAO", number=2)
                ended.append(_by_other())
                Game.objects.filter(pk=scene.game.pk).update(name="zz")
        except OperationalError as problem:
            told = type(problem).__name__
        close_old_connections()
        return told, quiet(Client()).get("/").status_code, OrderSet.objects.count()

    ended: list[int] = []

    def _by_other() -> int:
        found: list[int] = []

        def ending() -> None:
            found.append(_end_all())
            connections.close_all()

        thread = threading.Thread(target=ending)
        thread.start()
        thread.join(PATIENCE)
        return found[0]

    told, status, sheets = _beside(half)
    connection.close()
    assert ended[0] >= 1
    assert told == "OperationalError"
    assert status == 200
    assert sheets == before


@ALONE
def test_a_row_that_somebody_holds_keeps_no_reader_waiting(scene: Scene) -> None:
    """A transaction that is left open holds back who writes there, and nobody else."""
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=scene.game.pk)
        flora = _beside(lambda: cast.client_of("Oscar").get(f"/parties/{scene.game.key}/").status_code)
        home = _beside(lambda: Client().get("/").status_code)
        assert (flora, home) == (200, 200)
