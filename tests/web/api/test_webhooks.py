"""Webhooks over the API: as on the page of the account."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.api.scopes import Scope
from talleyrand.web.webhooks import webhook_actions, webhook_events, webhook_sending
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused

pytestmark = pytest.mark.django_db
ADDRESS = "https://example.org/talleyrand"


@pytest.fixture
def flora() -> Program:
    return program("Flora", [Scope.ACCOUNT])


def add(asked: Program, once: str = "", **more: Any) -> Any:
    head = {"Idempotency_Key": once} if once else {}
    return asked.ask("POST", "/webhooks", {"address": ADDRESS, **more}, **head)


def test_added_once_with_its_secret(flora: Program) -> None:
    game = cast.table()
    sent = {"kinds": ["published", "letter"], "game": game.key, "note": "Mon robot"}
    first, again = (add(flora, "once-and-for-all", **sent) for _turn in range(2))
    assert first.status_code == 201
    assert first.json() == again.json()
    made = Webhook.objects.get()
    assert first.json()["secret"] == webhook_events.signing_secret(made)
    listed = flora.get("/webhooks").json()["items"]
    told = {name: value for name, value in first.json().items() if name != "secret"}
    assert listed == [told] == [flora.get(f"/webhooks/{made.key}").json()]
    assert {name: told[name] for name in sent} == sent


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"address": "http://example.org/"}, 422, "address"),
        ({"address": "https://169.254.169.254/latest"}, 422, "address"),
        ({"address": "https://example.org/" + "x" * 600}, 422, "wrong_value"),
        ({"kinds": ["nothing"]}, 422, "kinds"),
        ({"kinds": ["webhook_paused"]}, 422, "kinds"),
        ({"game": "nowhere"}, 422, "game"),
        ({"secret": "mine"}, 422, "wrong_value"),
    ],
)
def test_what_is_refused(flora: Program, sent: dict[str, Any], status: int, code: str) -> None:
    assert refused(add(flora, **sent), status)["code"] == code
    assert Webhook.objects.count() == 0


def test_no_more_than_ten(flora: Program) -> None:
    for _turn in range(webhook_actions.MOST):
        assert add(flora).status_code == 201
    assert refused(add(flora), 409)["code"] == "many"


def test_paused_tried_renewed_deleted(flora: Program) -> None:
    made = add(flora).json()
    place = f"/webhooks/{made['webhook']}"
    assert flora.ask("POST", f"{place}/pause").json()["why"] == "owner"
    assert flora.ask("POST", f"{place}/resume").json()["paused"] is None
    assert flora.ask("POST", f"{place}/trial").status_code == 201
    assert refused(flora.ask("POST", f"{place}/trial"), 409)["code"] == "waiting"
    secret = flora.ask("POST", f"{place}/secret").json()["secret"]
    assert secret == webhook_events.signing_secret(Webhook.objects.get()) != made["secret"]
    assert flora.ask("DELETE", place).status_code == 204
    refused(flora.ask("DELETE", place), 404)


def test_what_became_of_the_calls(flora: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where its name stands for something of ours, nobody learns what answers there."""
    monkeypatch.setattr("socket.getaddrinfo", lambda *_asked, **_named: [(2, 1, 6, "", ("10.0.0.1", 443))])
    place = f"/webhooks/{add(flora).json()['webhook']}"
    flora.ask("POST", f"{place}/trial")
    webhook_sending.send_due_calls(timezone.now())
    (call,) = flora.get(f"{place}/calls").json()["items"]
    assert (call["kind"], call["outcome"], call["problem"], call["status"]) == (
        "trial",
        "failed",
        "nowhere",
        None,
    )


@pytest.mark.parametrize("what", ["", "/pause", "/resume", "/trial", "/secret", "/calls"])
def test_somebody_elses_is_not_there(flora: Program, what: str) -> None:
    key = add(flora).json()["webhook"]
    edmond = program("Edmond", [Scope.ACCOUNT])
    method = "POST" if what not in ("", "/calls") else "GET"
    for one in (key, "nowhere"):
        refused(edmond.ask(method, f"/webhooks/{one}{what}"), 404)
    refused(edmond.ask("DELETE", f"/webhooks/{key}"), 404)
    refused(program("Flora", [Scope.READ, Scope.LETTERS]).ask(method, f"/webhooks/{key}{what}"), 403)
    assert Webhook.objects.get().paused_at is None
