"""Calls leave once each, signed, for whoever may still hear them; every failure has its end."""

from __future__ import annotations

import socket
import ssl
import threading
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common import http_delivery, outbound_urls, restore_note
from talleyrand.web.games import game_lifecycle, phase_adjudication, recipients
from talleyrand.web.games.models import Game, GameMembership
from talleyrand.web.notifications.models import Notification
from talleyrand.web.webhooks import webhook_actions, webhook_events, webhook_sending
from talleyrand.web.webhooks.models import Webhook, WebhookCall
from tests.waiting import PATIENCE
from tests.web.cast import BEGUN, MASTER, person, table
from tests.web.webhooks.program import Program, hook, listening, send, waiting

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def game() -> Game:
    return table()


def tell(game: Game, kind: str = "paused", once: str = "one", **facts: Any) -> None:
    recipients.notify_about_game(game, recipients.member_ids(game), kind, once, **facts)


def fresh(row: Webhook) -> Webhook:
    return Webhook.objects.get(pk=row.pk)


def the_call() -> WebhookCall:
    return WebhookCall.objects.get()


# what is told


def test_a_pause_is_told_signed_and_once(program: Program, game: Game) -> None:
    mine = hook(program)
    game_lifecycle.pause_game(game, BEGUN)
    assert (send(), send()) == (1, 0)
    (heard,) = program.heard
    assert heard.is_signed(webhook_events.signing_secret(mine))
    assert heard.path == "/talleyrand?to=me"
    assert heard.head["content-type"] == "application/json"
    told = heard.told
    assert told.pop("timestamp").endswith("Z")
    page = f"/parties/{game.key}/"
    assert told == {
        "type": "paused",
        "data": {"game": game.key, "variant": "classic", "page": page},
    }
    assert (the_call().outcome, the_call().status_code) == ("delivered", 204)


def test_a_phase_that_is_published(program: Program, game: Game, settings: Any) -> None:
    """From the judge to the program, by the site’s whole name."""
    settings.SITE_URL = "https://jeu.example.org"
    hook(program)
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    send()
    (told,) = [one.told["data"] for one in program.heard if one.told["type"] == "published"]
    page = f"https://jeu.example.org/parties/{game.key}/"
    facts = {"variant": "classic", "phase": "S1901M", "number": 1}
    assert told == {"game": game.key, **facts, "page": page}


def test_nothing_is_told_that_was_not_done(program: Program, game: Game) -> None:
    hook(program)
    with transaction.atomic():
        tell(game)
        transaction.set_rollback(True)
    assert (send(), waiting()) == (0, 0)


def test_the_same_is_told_once(program: Program, game: Game) -> None:
    hook(program)
    tell(game)
    tell(game)
    Notification.objects.all().delete()
    tell(game)
    assert send() == 1


@pytest.mark.parametrize(
    ("wanted", "hears"),
    [
        ({}, ["paused", "resumed"]),
        ({"kinds": ("resumed",)}, ["resumed"]),
        ({"kinds": ("letter", "published")}, []),
        ({"game": "this"}, ["paused", "resumed"]),
        ({"game": "other"}, []),
        ({"game": "this", "kinds": ("paused",)}, ["paused"]),
    ],
)
def test_what_a_hook_hears(program: Program, game: Game, wanted: dict[str, Any], hears: list[str]) -> None:
    if "game" in wanted:
        wanted["game"] = game.key if wanted["game"] == "this" else table().key
    hook(program, **wanted)
    tell(game, "paused")
    tell(game, "resumed", "two")
    send()
    assert program.kinds() == hears


def test_each_hears_his_own(program: Program, game: Game) -> None:
    """Two programs of one person hear the same; whoever is not told hears nothing."""
    for name in ("Flora", "Flora", "Edmond", "Sylvain"):
        hook(program, name)
    recipients.notify_about_game(game, [person("Flora").pk], "missing", "once")
    assert send() == 2
    assert len({one.number for one in program.heard}) == 2


def test_words_and_names_stay_here(program: Program, game: Game) -> None:
    hook(program)
    facts = {"reason": "zz", "trouble": "zz", "room": "/zz/", "power": "zz not a power", "phase": "zz zz"}
    tell(game, "corrected", powers=["zz zz"], due="zz", count="zz", result="zz zz", **facts)
    assert send() == 1
    assert b"zz" not in program.heard[0].body
    assert game.name.encode() not in program.heard[0].body


# to whom


def test_not_to_who_has_left_in_between(program: Program, game: Game) -> None:
    hook(program)
    tell(game, "due_soon")
    GameMembership.objects.filter(game=game, person=person("Flora")).update(left_at=BEGUN)
    assert (send(), program.heard, the_call().outcome) == (0, [], "no_longer")


def test_what_is_for_the_desk_alone(program: Program, game: Game) -> None:
    hook(program, MASTER)
    recipients.notify_about_game(game, recipients.game_master_ids(game), "waiting", "once", powers=["FRANCE"])
    GameMembership.objects.filter(game=game, person=person(MASTER)).update(role="observer")
    assert (send(), the_call().outcome) == (0, "no_longer")


def test_not_to_an_account_that_is_closed(program: Program, game: Game) -> None:
    hook(program)
    tell(game)
    Person.objects.filter(name="Flora").update(is_active=False)
    assert (send(), the_call().outcome) == (0, "no_longer")


def test_alarms_are_for_administrators(program: Program) -> None:
    from talleyrand.web.notifications import outbox

    hook(program)
    outbox.notify([person("Flora").pk], "alarm_disk", {"count": 1}, about="site", path="/x/", once="alarm")
    assert (send(), the_call().outcome) == (0, "no_longer")


# failures


@pytest.mark.one_in(3)
@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 401, 404, 429, 500, 503])
def test_whatever_is_not_heard_is_told_again(program: Program, game: Game, status: int) -> None:
    """A redirect too: it is not followed."""
    program.status, program.head = status, {"Location": f"http://127.0.0.1:{program.port}/elsewhere"}
    hook(program)
    tell(game)
    assert (send(), send(seconds=5)) == (0, 0)
    assert [one.path for one in program.heard] == ["/talleyrand?to=me"]
    assert (the_call().status_code, the_call().outcome) == (status, "")
    program.status = 200
    assert send(minutes=1) == 1
    first, second = program.heard
    assert (first.number, first.body) == (second.number, second.body)


@pytest.mark.long
def test_a_day_of_failures_then_a_pause(program: Program, game: Game) -> None:
    program.status = 500
    mine = hook(program)
    tell(game)
    begun, tried = timezone.now(), list[int]()
    for step in range(27 * 12):
        webhook_sending.send_due_calls(begun + step * timedelta(minutes=5))
        if len(program.heard) > len(tried):
            tried.append(step * 5)
    assert 8 <= len(tried) <= 12
    assert [one <= other for one, other in zip(_gaps(tried), _gaps(tried)[1:], strict=False)].count(
        False
    ) <= 1
    assert tried[-1] >= 24 * 60
    assert (fresh(mine).pause_reason, the_call().outcome) == ("failing", "given_up")
    assert Notification.objects.get(kind="webhook_paused").path == f"/compte/webhooks/{mine.key}/"
    tell(game, "resumed", "two")
    assert (send(days=2), WebhookCall.objects.count()) == (0, 1)


def _gaps(moments: list[int]) -> list[int]:
    return [after - before for before, after in pairwise(moments)]


@pytest.mark.long
def test_one_that_fails_does_not_stop_the_others(program: Program, game: Game) -> None:
    """A program that chokes on one thing is no dead program."""
    mine = hook(program)
    tell(game, "paused")
    begun = timezone.now()
    for step in range(30):
        tell(game, "resumed", f"hour {step}")
        program.raw = None
        webhook_sending.send_due_calls(begun + step * timedelta(hours=1))
        WebhookCall.objects.filter(kind="paused").update(outcome="", due_at=begun)
        program.status = 500
        webhook_sending.send_due_calls(begun + step * timedelta(hours=1, seconds=1))
        program.status = 200
        Webhook.objects.update(retry_at=None)
    assert fresh(mine).paused_at is None


def test_a_hook_that_fails_rests(program: Program, game: Game) -> None:
    program.status = 500
    hook(program)
    for turn in range(9):
        tell(game, "paused", f"turn {turn}")
    for _turn in range(9):
        send(seconds=10)
    assert len(program.heard) == webhook_sending.PATIENCE


def test_who_says_gone_is_not_called_again(program: Program, game: Game) -> None:
    program.status = 410
    mine = hook(program)
    tell(game)
    send()
    assert (fresh(mine).pause_reason, Notification.objects.filter(kind="webhook_paused").count()) == (
        "gone",
        1,
    )
    tell(game, "resumed", "two")
    send(days=1)
    assert len(program.heard) == 1


def test_old_news_are_none(program: Program, game: Game) -> None:
    hook(program)
    tell(game)
    assert (send(days=3), the_call().outcome) == (0, "stale")


def test_a_paused_hook_hears_nothing(program: Program, game: Game) -> None:
    mine = hook(program)
    tell(game)
    webhook_actions.pause_webhook(mine, BEGUN)
    tell(game, "resumed", "two")
    webhook_actions.resume_webhook(mine)
    assert send() == 0
    tell(game, "paused", "three")
    assert (send(), program.kinds()) == (1, ["paused"])


def test_a_trial_is_called_even_at_rest(program: Program) -> None:
    mine = hook(program)
    Webhook.objects.update(
        paused_at=BEGUN, pause_reason="failing", failure_count=9, retry_at=timezone.now() + DAY
    )
    webhook_actions.send_test_call(fresh(mine), timezone.now())
    with pytest.raises(webhook_actions.WebhookRefused, match="waiting"):
        webhook_actions.send_test_call(fresh(mine), timezone.now())
    assert (send(), program.kinds(), the_call().outcome) == (1, ["trial"], "delivered")
    program.status, program.said = 500, b"no \x00\x1b[31m" + b"x" * 5000
    webhook_actions.send_test_call(fresh(mine), timezone.now())
    send()
    last = WebhookCall.objects.order_by("pk").last()
    assert last is not None
    assert (last.outcome, last.status_code, len(last.response_text)) == ("failed", 500, 200)
    assert last.response_text.startswith("no   [31mxxx")


def test_trials_are_not_many(program: Program) -> None:
    mine = hook(program)
    for _turn in range(webhook_actions.MOST_TRIALS):
        webhook_actions.send_test_call(mine, timezone.now())
        send()
    with pytest.raises(webhook_actions.WebhookRefused, match="often"):
        webhook_actions.send_test_call(mine, timezone.now())


@pytest.mark.parametrize(("hours", "told"), [(0.5, 1), (5, 0)])
def test_a_copy_tells_nothing_again(
    program: Program, game: Game, settings: Any, tmp_path: Path, hours: float, told: int
) -> None:
    """But where the site only moved, what waited is told."""
    settings.DATA = tmp_path
    hook(program)
    tell(game)
    made = timezone.now() - timedelta(hours=hours)
    WebhookCall.objects.update(created_at=made)
    restore_note.write_note(tmp_path, made.isoformat())
    assert (send(), send()) == (told, 0)
    tell(game, "resumed", "two")
    assert send() == 1
    assert restore_note.read_note(tmp_path) == made  # the post has a note of its own


# two at once, and those who die


def test_a_hook_is_called_by_one_at_a_time(program: Program, game: Game) -> None:
    hook(program)
    tell(game)
    Webhook.objects.update(claimed_by="another", claimed_until=timezone.now() + timedelta(minutes=1))
    assert send() == 0
    assert send(minutes=5) == 1  # the other has died


def test_who_dies_after_the_answer_calls_again_by_the_same_number(program: Program, game: Game) -> None:
    from talleyrand.web.common import failpoints

    class Dies(BaseException):
        pass

    def die(name: str) -> None:
        if name == "webhooks: answered, not noted":
            raise Dies

    hook(program)
    tell(game)
    with pytest.raises(Dies), failpoints.observe_failpoints(die):
        send()
    assert send(minutes=5) == 1
    assert len({one.number for one in program.heard}) == 1
    assert len(program.heard) == 2


@pytest.mark.django_db(transaction=True)
def test_one_who_is_slow_keeps_nobody_waiting(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several people's hooks are called side by side, on connections of their own."""
    game = table()
    monkeypatch.setattr(webhook_sending, "SIDE_BY_SIDE", 4)
    both = threading.Barrier(2, timeout=PATIENCE)

    def meet(line: socket.socket) -> None:
        both.wait()
        line.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

    program.raw = meet  # neither is answered before the other has called
    monkeypatch.setattr(http_delivery, "ONE_STEP", 60.0)
    monkeypatch.setattr(http_delivery, "WHOLE", 60.0)
    for name in ("Flora", "Edmond"):
        hook(program, name)
    tell(game)
    assert send() == 2


# the other side


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "broken"),
        (b"what?\r\n\r\n", "broken"),
        (b"HTTP/1.1 999999999999999 x\r\n\r\n", "broken"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", "broken"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 200 + b"\r\n", "broken"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "broken"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", ""),
    ],
)
def test_nonsense_from_the_other_side(program: Program, raw: bytes, problem: str) -> None:
    program.raw = lambda line: line.sendall(raw)
    found = http_delivery.post_once(outbound_urls.parse_public_url(program.address), {}, b"{}")
    assert found.error == problem


@pytest.mark.long
def test_who_answers_drop_by_drop_is_left(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, the whole does not."""
    monkeypatch.setattr(http_delivery, "WHOLE", 0.5)
    over = threading.Event()

    def drip(line: socket.socket) -> None:
        line.sendall(b"HTTP/1.1 200 OK\r\nX: ")
        while not over.wait(0.05):
            try:
                line.sendall(b"x")
            except OSError:
                return

    program.raw = drip
    try:
        assert (
            http_delivery.post_once(outbound_urls.parse_public_url(program.address), {}, b"{}").error
            == "late"
        )
    finally:
        over.set()


def test_silence(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_delivery, "ONE_STEP", 0.2)
    over = threading.Event()
    program.raw = lambda _line: over.wait(PATIENCE)
    try:
        assert (
            http_delivery.post_once(outbound_urls.parse_public_url(program.address), {}, b"{}").error
            == "late"
        )
    finally:
        over.set()


def test_nobody_there(local: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        to = outbound_urls.parse_public_url(f"http://127.0.0.1:{taken.getsockname()[1]}/")
        assert http_delivery.post_once(to, {}, b"{}").error == "refused"


def test_what_speaks_no_tls_is_insecure(program: Program) -> None:
    to = outbound_urls.parse_public_url(program.address.replace("http://", "https://"))
    assert http_delivery.post_once(to, {}, b"{}").error == "insecure"


def test_a_certificate_is_looked_at() -> None:
    context = http_delivery._trusted()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_no_proxy_is_asked(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert (
            http_delivery.post_once(outbound_urls.parse_public_url(program.address), {}, b"{}").status == 204
        )
        assert proxy.heard == []


@pytest.mark.parametrize("page", ["fr", "en"])
def test_the_example_of_the_documentation(program: Program, game: Game, page: str) -> None:
    """The program that readers copy takes our calls, and nobody else's."""
    text = (Path(__file__).parents[3] / f"docs/{page}/howto/webhooks.md").read_text("utf-8")
    found: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], found)
    mine = hook(program)
    tell(game)
    send()
    (heard,) = program.heard
    assert found["is_ours"](webhook_events.signing_secret(mine), heard.head, heard.body)
    assert not found["is_ours"](webhook_events.signing_secret(mine), heard.head, heard.body + b" ")
    old = {**heard.head, "webhook-timestamp": "1700000000"}
    assert not found["is_ours"](webhook_events.signing_secret(mine), old, heard.body)
