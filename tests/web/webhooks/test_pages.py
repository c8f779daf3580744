"""The pages of one's webhooks: add, look, try, pause, delete; somebody else's do not exist."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.account_adapter import AccountAdapter
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import recipients
from talleyrand.web.monitoring import retention
from talleyrand.web.notifications.notification_kinds import KINDS
from talleyrand.web.webhooks import webhook_actions, webhook_events
from talleyrand.web.webhooks.models import Webhook, WebhookCall
from talleyrand.web.webhooks.webhook_actions import WebhookRequest
from tests.web.cast import client_of, person, table
from tests.web.webhooks.program import Program, hook, send

pytestmark = pytest.mark.django_db
LIST = "/compte/webhooks/"
GOOD = {"address": "https://example.org/hook", "submission": "a-form"}


@pytest.fixture
def flora() -> Client:
    return client_of("Flora")


def shown_secret(page: str) -> str:
    return "".join(re.findall(r"whsec_[A-Za-z0-9+/=]+", page))


def the_hook() -> Webhook:
    return Webhook.objects.get()


def test_added_with_its_secret_once(flora: Client) -> None:
    response = flora.post(LIST, {**GOOD, "note": "Mon  robot", "kind": ["published", "letter"]})
    page = response.content.decode()
    made = the_hook()
    assert shown_secret(page) == webhook_events.signing_secret(made)
    assert (made.label, made.kinds, made.game) == ("Mon robot", ["published", "letter"], None)
    again = flora.post(LIST, GOOD, follow=True)
    assert Webhook.objects.count() == 1
    assert "déjà été ajouté" in again.content.decode()
    for path in (LIST, f"{LIST}{made.key}/"):
        assert shown_secret(flora.get(path).content.decode()) == ""


def test_a_new_password_pauses_them(flora: Client) -> None:
    """Whoever knew the old one may have added some; what its owner has paused, he knows of."""
    flora.post(LIST, GOOD)
    flora.post(LIST, {**GOOD, "submission": "another"})
    client_of("Edmond").post(LIST, GOOD)
    mine = list(Webhook.objects.filter(person__name="Flora"))
    webhook_actions.pause_webhook(mine[1], timezone.now())
    AccountAdapter().set_password(person("Flora"), "encore un mot de passe")
    assert sorted(Webhook.objects.values_list("person__name", "pause_reason")) == [
        ("Edmond", ""),
        ("Flora", "owner"),
        ("Flora", "password"),
    ]
    assert "changement de mot de passe" in client_of("Flora").get(f"{LIST}{mine[0].key}/").content.decode()


def test_the_secret_is_in_no_row(flora: Client) -> None:
    flora.post(LIST, GOOD)
    secret = webhook_events.signing_secret(the_hook())
    assert secret not in str(Webhook.objects.values())
    assert secret[6:20] not in str(Webhook.objects.values())


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"address": ""}, "https://"),
        ({"address": "http://example.org/"}, "https://"),
        ({"address": "https://10.0.0.1/"}, "Cette URL mène à un réseau privé\u00a0: rien n’y est envoyé"),
        ({"address": "https://example.org:22/"}, "port"),
        ({"address": "https://a:b@example.org/"}, "mot de passe"),
        (
            {"address": "https://example.org/" + "x" * 900},
            "Cette URL est trop longue\u00a0: 500 caractères au plus",
        ),
        ({"address": "pas une adresse \0"}, "Cette URL n’est pas valable"),
        ({"kind": ["nothing"]}, "Cet événement n’existe pas"),
        ({"kind": ["webhook_paused"]}, "Cet événement n’existe pas"),
        ({"game": "nowhere"}, "participez"),
        ({"game": "OTHERS"}, "participez"),
        ({"game": "a\0b"}, "participez"),
    ],
)
def test_what_is_refused_comes_back(flora: Client, sent: dict[str, Any], sentence: str) -> None:
    """With a sentence, and all that was typed."""
    if sent.get("game") == "OTHERS":
        sent["game"] = owning_nothing()
    response = flora.post(LIST, {**GOOD, "note": "ma note", **sent})
    page = response.content.decode()
    assert response.status_code == 400
    assert sentence in page
    assert 'value="ma note"' in page
    assert Webhook.objects.count() == 0


def owning_nothing() -> str:
    """A game of which Flora is no part."""
    game = table()
    game.memberships.filter(person=person("Flora")).delete()
    return game.key


def test_no_more_than_ten(flora: Client) -> None:
    for number in range(webhook_actions.MOST + 2):
        response = flora.post(LIST, {**GOOD, "submission": f"form {number}"})
    assert (response.status_code, Webhook.objects.count()) == (400, webhook_actions.MOST)
    assert "dix webhooks" in flora.get(LIST).content.decode()


def test_of_one_game(flora: Client) -> None:
    game = table()
    flora.post(LIST, {**GOOD, "game": game.key})
    assert the_hook().game == game
    assert game.name in flora.get(LIST).content.decode()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("what", ["", "pause/", "relancer/", "test/", "secret/", "supprimer/"])
@pytest.mark.parametrize("who", ["", "Edmond"])
def test_somebody_elses_is_not_there(program: Program, who: str, what: str) -> None:
    mine = hook(program)
    before = Webhook.objects.values().get()
    client = client_of(who) if who else Client()
    ask = client.post if what else client.get
    answers = {
        ask(f"{LIST}{key}/{what}", {"seal": mine.secret_seed}).status_code for key in (mine.key, "nowhere")
    }
    assert answers == ({302} if not who or what == "supprimer/" else {404})
    assert ask(f"{LIST}a%00b/{what}").status_code == 404
    assert (Webhook.objects.values().get(), WebhookCall.objects.count()) == (before, 0)


@pytest.mark.parametrize("what", ["pause/", "relancer/", "test/", "secret/", "supprimer/"])
def test_a_look_changes_nothing(program: Program, flora: Client, what: str) -> None:
    assert flora.get(f"{LIST}{hook(program).key}/{what}").status_code == 405


def test_pause_and_start_again(program: Program, flora: Client) -> None:
    mine = hook(program)
    for what, paused in (("pause/", True), ("pause/", True), ("relancer/", False), ("relancer/", False)):
        page = flora.post(f"{LIST}{mine.key}/{what}", follow=True).content.decode()
        assert (the_hook().paused_at is not None) == paused
        assert ("Reprendre" in page) == paused


def test_hooks_that_come_and_go_knock_no_more_often(local: None, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = "talleyrand.web.common.rate_limits.time.time"
    flora, now = person("Flora"), timezone.now().replace(minute=0, second=0)
    monkeypatch.setattr(clock, now.timestamp)
    for turn in range(webhook_actions.TRIALS_OF_ONE[0]):
        made, _fresh = webhook_actions.add_webhook(
            flora, WebhookRequest("https://example.org/"), f"turn {turn}", now
        )
        webhook_actions.send_test_call(made, now)
        webhook_actions.delete_webhook(made)
    last, _fresh = webhook_actions.add_webhook(flora, WebhookRequest("https://example.org/"), "last", now)
    with pytest.raises(webhook_actions.WebhookRefused, match="often"):
        webhook_actions.send_test_call(last, now)
    later = now + webhook_actions.TRIAL_TIME + timedelta(seconds=1)
    monkeypatch.setattr(clock, later.timestamp)
    assert webhook_actions.send_test_call(last, later).outcome == ""


def test_a_trial_and_what_became_of_it(program: Program, flora: Client) -> None:
    program.status, program.said = 418, b"<b>I am a teapot</b>"
    path = f"{LIST}{hook(program).key}/"
    assert "envoi en cours" in flora.post(f"{path}test/", follow=True).content.decode()
    assert (
        "Un test est déjà en cours d’envoi\u00a0: regardez dans un instant"
        in flora.post(f"{path}test/", follow=True).content.decode()
    )
    send()
    page = flora.get(path).content.decode()
    assert "418" in page
    assert "&lt;b&gt;I am a teapot&lt;/b&gt;" in page
    assert [one.told["type"] for one in program.heard] == ["trial"]


def test_another_secret(program: Program, flora: Client) -> None:
    mine = hook(program)
    former = webhook_events.signing_secret(mine)
    path = f"{LIST}{mine.key}/secret/"
    fresh = shown_secret(flora.post(path, {"seal": mine.secret_seed}).content.decode())
    assert fresh == webhook_events.signing_secret(the_hook()) != former
    flora.post(path, {"seal": mine.secret_seed})  # the same form again
    assert webhook_events.signing_secret(the_hook()) == fresh
    recipients.notify_about_game(table(), [person("Flora").pk], "paused", "once")
    send()
    assert program.heard[0].is_signed(fresh)
    assert not program.heard[0].is_signed(former)


def test_deleted_with_its_calls(program: Program, flora: Client) -> None:
    mine = hook(program)
    webhook_actions.send_test_call(mine, timezone.now())
    for _turn in range(2):
        assert "supprimé" in flora.post(f"{LIST}{mine.key}/supprimer/", follow=True).content.decode()
    assert (Webhook.objects.count(), WebhookCall.objects.count(), send()) == (0, 0, 0)


def test_in_english(flora: Client) -> None:
    page = flora.post("/en/account/webhooks/", {"address": "https://x"}).content.decode()
    assert "Not a valid URL. It should look like this" in page


def test_alarms_are_offered_to_administrators_alone(flora: Client) -> None:
    assert 'value="alarm_disk"' not in flora.get(LIST).content.decode()
    Person.objects.filter(name="Flora").update(is_administrator=True)
    page = flora.get(LIST).content.decode()
    assert [name for name in webhook_actions.webhook_kinds() if f'value="{name}"' not in page] == []


def test_every_kind_has_plain_words() -> None:
    assert [name for name in webhook_actions.webhook_kinds() if "%(" in str(KINDS[name].sentences[-1])] == []


# with the account, and in time


def test_they_go_with_the_account(program: Program) -> None:
    webhook_actions.send_test_call(hook(program), timezone.now())
    flora = person("Flora")
    assert any("webhooks" in line for line in personal_data.deletion_notes(flora))
    told = personal_data.export_personal_data(flora)["webhooks"]
    assert (told[0]["address"], told[0]["calls"][0]["kind"]) == (program.address, "trial")
    assert "whsec" not in str(told)
    personal_data.delete_account(flora)
    assert (Webhook.objects.count(), WebhookCall.objects.count()) == (0, 0)


def test_old_calls_are_forgotten(program: Program) -> None:
    mine = hook(program)
    now = timezone.now()
    for days in (31, 29):
        webhook_actions.send_test_call(mine, now - timedelta(days=days))
        send()
    assert retention.prune(now)["webhooks"] == 1
    assert WebhookCall.objects.count() == 1


def test_two_forms_at_once_are_one_hook(program: Program) -> None:
    wanted = WebhookRequest(program.address)
    first, fresh = webhook_actions.add_webhook(person("Flora"), wanted, "same", timezone.now())
    second, again = webhook_actions.add_webhook(person("Flora"), wanted, "same", timezone.now())
    assert (first.pk, fresh, again) == (second.pk, True, False)
