"""What needs mail, over a real dialogue with a mail server."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.email_addresses import confirmed_email
from talleyrand.web.accounts.models import Person
from talleyrand.web.settings.mail_server import mail_settings
from tests.ports import free_port

from .conftest import send_mail
from .doors import OTHER, PASSWORD, Post, is_in, plain, refusals, sign_in, sign_up

pytestmark = pytest.mark.django_db
ADDRESS = "flora@exemple.org"


@pytest.fixture
def flora(post: Post) -> Person:
    """Somebody with a confirmed address."""
    person = Person.objects.create_user("Flora", PASSWORD, email=ADDRESS)
    EmailAddress.objects.create(user=person, email=ADDRESS, verified=True, primary=True)
    return person


def code(post: Post) -> str:
    found = re.search(r"[B-Z]{4}-[B-Z]{4}", post.text())
    assert found, post.text()
    return found[0]


def test_an_address_is_confirmed_by_its_link(client: Client, post: Post) -> None:
    assert sign_up(client, "Flora", email="Flora@Exemple.org").status_code == 302
    assert is_in(client)
    assert post.last()["To"] == ADDRESS
    assert post.last()["From"] == "Talleyrand <site@exemple.org>"
    assert post.last()["Subject"] == "Confirmez votre adresse – Talleyrand"
    person = Person.objects.get()
    assert confirmed_email(person) == ""
    link = post.link()
    assert client.get(link).status_code == 200
    assert confirmed_email(person) == ""  # looking is not confirming: mail programs look too
    assert client.post(link).status_code == 302
    assert confirmed_email(person) == ADDRESS
    assert "a expiré" in client.get(link).content.decode()


def test_mail_is_in_the_language_of_the_page(client: Client, post: Post) -> None:
    sign_up(client, "Edmond", "/en/account/sign-up/", email=ADDRESS)
    assert post.last()["Subject"] == "Confirm your address – Talleyrand"
    assert "/en/account/e-mail/link/" in post.text()


@pytest.mark.parametrize(
    "email", ["flora", "flora@", "@exemple.org", "a\nb@exemple.org", "x" * 300 + "@e.fr"]
)
def test_what_is_no_address_is_refused(client: Client, post: Post, email: str) -> None:
    assert refusals(sign_up(client, "Flora", email=email))
    assert post.received == []
    assert Person.objects.count() == 0


def test_an_address_that_is_another_s_is_no_secret_told(client: Client, post: Post, flora: Person) -> None:
    answer = sign_up(client, "Gaspard", email=ADDRESS)
    other = sign_up(Client(), "Roman", email="roman@exemple.org")
    assert (answer.status_code, answer["Location"]) == (other.status_code, other["Location"])
    assert confirmed_email(Person.objects.get(name="Gaspard")) == ""
    assert client.post(post.link(0)).status_code == 302
    assert confirmed_email(Person.objects.get(name="Gaspard")) == ""
    assert confirmed_email(flora) == ADDRESS


def test_signing_in_by_a_code(client: Client, post: Post, flora: Person) -> None:
    answer = client.post("/compte/code/", {"email": ADDRESS})
    assert answer["Location"] == "/compte/code/saisi/"
    sent = code(post)
    assert refusals(client.post("/compte/code/saisi/", {"code": "BCDF-GHJK"}))
    assert not is_in(client)
    assert client.post("/compte/code/saisi/", {"code": sent.lower().replace("-", " ")}).status_code == 302
    assert is_in(client)


def test_a_code_is_for_the_browser_that_asked(client: Client, post: Post, flora: Person) -> None:
    client.post("/compte/code/", {"email": ADDRESS})
    other = Client()
    assert other.post("/compte/code/saisi/", {"code": code(post)})["Location"] == "/compte/code/"
    assert not is_in(other)


def test_a_code_works_once_and_not_for_long(client: Client, post: Post, flora: Person, settings: Any) -> None:
    client.post("/compte/code/", {"email": ADDRESS})
    settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT = -1
    assert client.post("/compte/code/saisi/", {"code": code(post)}).status_code == 302
    assert not is_in(client)


def test_five_wrong_codes_end_it(client: Client, post: Post, flora: Person) -> None:
    client.post("/compte/code/", {"email": ADDRESS})
    for _ in range(5):
        client.post("/compte/code/saisi/", {"code": "BCDF-GHJK"})
    assert client.post("/compte/code/saisi/", {"code": code(post)}).status_code == 302
    assert not is_in(client)


def test_an_address_that_was_never_confirmed_opens_nothing(client: Client, post: Post) -> None:
    """Whoever signed up with another's address does not get that one into his account."""
    sign_up(Client(), "Gaspard", email=ADDRESS)
    client.post("/compte/code/", {"email": ADDRESS})
    assert "Aucun compte n’a confirmé" in post.text()
    assert refusals(client.post("/compte/code/saisi/", {"code": "BCDF-GHJK"}))
    assert not is_in(client)


@pytest.mark.parametrize("path", ["/compte/code/", "/compte/mot-de-passe/perdu/"])
def test_an_unknown_address_gets_the_same_answer(
    client: Client, post: Post, flora: Person, path: str
) -> None:
    other = Client()
    known = client.post(path, {"email": ADDRESS}, follow=True)
    unknown = other.post(path, {"email": "nemo@exemple.org"}, follow=True)
    assert plain(known) == plain(unknown).replace("nemo@exemple.org", ADDRESS)
    assert [message["To"] for message in post.received] == [ADDRESS, "nemo@exemple.org"]


def test_one_mailbox_is_not_flooded(client: Client, post: Post, flora: Person) -> None:
    for _ in range(8):
        Client().post("/compte/mot-de-passe/perdu/", {"email": ADDRESS.upper()})
        Client().post("/compte/code/", {"email": ADDRESS})
    assert len(post.received) == 10


def test_a_lost_password(client: Client, post: Post, flora: Person) -> None:
    signed_in = Client()
    sign_in(signed_in, "Flora")
    client.post("/compte/mot-de-passe/perdu/", {"email": ADDRESS})
    link = post.link()
    form = client.get(link)["Location"]
    assert "set-password" in form
    assert refusals(client.post(form, {"password1": "court", "password2": "court"}))
    assert client.post(form, {"password1": OTHER, "password2": OTHER}).status_code == 302
    assert sign_in(client, ADDRESS, OTHER).status_code == 302
    assert not is_in(signed_in)
    assert post.last()["Subject"] == "Mot de passe changé – Talleyrand"
    assert "a expiré" in Client().get(link).content.decode()


@pytest.mark.parametrize("key", ["1-abc", "zz-abc", "1-", "999999-cx4r2f-0", "é-é"])
def test_an_invented_link_gives_nothing(client: Client, post: Post, flora: Person, key: str) -> None:
    answer = client.get(f"/compte/mot-de-passe/lien/{key}/")
    assert answer.status_code in (200, 404)
    assert b"password1" not in answer.content


def test_a_link_for_one_is_not_a_link_for_another(client: Client, post: Post, flora: Person) -> None:
    other = Person.objects.create_user("Gaspard", PASSWORD)
    client.post("/compte/mot-de-passe/perdu/", {"email": ADDRESS})
    uid, _dash, token = post.link().rstrip("/").rpartition("/")[2].partition("-")
    assert uid != str(other.pk)
    answer = client.get(f"/compte/mot-de-passe/lien/{other.pk}-{token}/")
    assert "a expiré" in answer.content.decode()


def test_addresses_change_with_the_password_only(client: Client, post: Post, flora: Person) -> None:
    sign_in(client, "Flora")
    add = {"action_add": "1", "email": "autre@exemple.org"}
    asked = client.post("/compte/adresses/", add)
    assert asked["Location"].startswith("/compte/encore/")
    assert refusals(client.post(asked["Location"], {"password": "non"}))
    assert EmailAddress.objects.count() == 1
    client.post(asked["Location"], {"password": PASSWORD})
    assert EmailAddress.objects.count() == 2
    assert "Une autre adresse" in client.get("/compte/adresses/").content.decode()
    client.post("/compte/adresses/", {"action_primary": "1", "email": "autre@exemple.org"})
    assert confirmed_email(flora) == ADDRESS
    client.post(post.link())
    client.post("/compte/adresses/", {"action_primary": "1", "email": "autre@exemple.org"})
    assert confirmed_email(flora) == "autre@exemple.org"
    assert post.last()["To"] == ADDRESS  # who loses the account is told where he reads it
    client.post("/compte/adresses/", {"action_remove": "1", "email": ADDRESS})
    assert EmailAddress.objects.count() == 1


def test_nobody_touches_another_s_addresses(client: Client, post: Post, flora: Person) -> None:
    Person.objects.create_user("Gaspard", PASSWORD)
    sign_in(client, "Gaspard")
    for action in ("action_remove", "action_primary", "action_send"):
        client.post("/compte/adresses/", {action: "1", "email": ADDRESS})
    assert confirmed_email(flora) == ADDRESS
    assert post.received == []
    page = client.get("/compte/adresses/").content.decode()
    assert ADDRESS not in page


def test_a_server_that_does_not_answer_is_told_and_logged_without_the_address(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("A_SERVER", f"smtp://127.0.0.1:{free_port()}?tls=none")
    monkeypatch.setenv("A_SENDER", "site@exemple.org")
    send_mail(settings, mail_settings("A_SERVER", "A_SENDER"))
    page = client.post("/compte/code/", {"email": ADDRESS}, follow=True).content.decode()
    assert "Le courriel n’a pas pu être envoyé. Réessayez dans quelques" in page
    assert "est parti" not in page
    answer = sign_up(Client(), "Flora", email=ADDRESS)
    assert answer.status_code == 302
    assert Person.objects.count() == 1
    assert ADDRESS not in caplog.text
    assert "Mail is not sent" in caplog.text


def test_a_session_forgotten_in_time(client: Client, post: Post, flora: Person) -> None:
    from django.contrib.sessions.models import Session

    client.post("/compte/code/", {"email": ADDRESS})
    Session.objects.update(expire_date=timezone.now() - timedelta(days=1))
    sign_in(Client(), "Flora")
    assert Session.objects.count() == 1


@pytest.mark.parametrize(
    "path", ["connexion", "inscription", "code", "mot-de-passe/perdu", "mot-de-passe/perdu/envoi"]
)
def test_every_page_is_ours(client: Client, post: Post, path: str) -> None:
    page = client.get(f"/compte/{path}/")
    assert page.status_code == 200
    assert all("allauth" not in str(template.origin) for template in page.templates)
