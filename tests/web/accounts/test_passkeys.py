"""Passkeys: added, signed in with, asked for after a password, removed, lost; false answers open nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client

from talleyrand.web.accounts import one_time_links, passkeys, personal_data
from talleyrand.web.accounts.models import Person

from .doors import OTHER, PASSWORD, Post, is_in, sign_in
from .soft_key import ADD, PAGE, SIGN_IN, STEP, SoftKey, Told, add, asked, browser, sign_in_by

pytestmark = pytest.mark.django_db
UNKNOWN = "Cette clé d’accès n’est pas connue ici, ou sa réponse est incomplète. Réessayez."


@pytest.fixture(autouse=True)
def flora() -> Person:
    return Person.objects.create_user("Flora", PASSWORD)


@pytest.fixture
def key() -> SoftKey:
    return SoftKey()


@pytest.fixture
def keyed(key: SoftKey) -> Client:
    """Flora’s browser, with a passkey on her account."""
    client = browser()
    sign_in(client, "Flora")
    assert add(client, key).status_code == 302
    return client


def text(answer: Any) -> str:
    return str(answer.content.decode())


def codes(client: Client) -> list[str]:
    client.post("/compte/encore/?next=/", {"password": PASSWORD})
    page = text(client.get("/compte/codes-de-secours/"))
    return [part.partition("</code>")[0] for part in page.split("<code>")[1:]]


def test_one_is_added_after_the_password_and_opens_the_account_alone(key: SoftKey) -> None:
    client = browser()
    sign_in(client, "Flora")
    assert client.get(ADD)["Location"].startswith("/compte/encore/")
    answer = add(client, key, " le petit bleu ")
    assert answer["Location"] == "/compte/codes-de-secours/"
    page = text(client.get(PAGE))
    assert "le petit bleu" in page
    assert "Il reste 10 codes" in page
    phone = browser()
    assert sign_in_by(phone, key).status_code == 302
    assert is_in(phone)


def test_it_is_asked_for_after_the_password(keyed: Client, key: SoftKey) -> None:
    laptop = browser()
    assert sign_in(laptop, "Flora")["Location"] == STEP
    assert not is_in(laptop)
    page = text(laptop.get(STEP))
    laptop.post(STEP, {"credential": json.dumps(key.shown(asked(page)))})
    assert is_in(laptop)


def test_where_no_passkey_is_known_a_recovery_code_is_enough_once(keyed: Client) -> None:
    first = codes(keyed)[0]
    room = Client(HTTP_HOST="127.0.0.1")
    for code, opens in ((first, True), (first, False), ("00000000", False)):
        sign_in(room, "Flora")
        page = text(room.get(STEP))
        assert "passkey-options" not in page  # the browser would show none at this address
        answer = room.post(STEP, {"code": code})
        assert is_in(room) is opens
        assert opens or "Ce n’est pas l’un de vos codes de secours, ou il a déjà" in text(answer)
        room.post("/compte/deconnexion/")
    assert "Il reste 9 codes" in text(keyed.get(PAGE))


def test_new_codes_end_those_before(keyed: Client) -> None:
    before = codes(keyed)
    assert keyed.post("/compte/codes-de-secours/nouveaux/").status_code == 302
    after = codes(keyed)
    assert len(after) == 10
    assert not set(before) & set(after)


@pytest.mark.parametrize(("remember", "stays"), [("on", True), ("", False)])
def test_the_session_lasts_as_one_wished(keyed: Client, key: SoftKey, remember: str, *, stays: bool) -> None:
    phone = browser()
    sign_in_by(phone, key, remember=remember)
    assert phone.session.get_expire_at_browser_close() is not stays


def test_nobody_is_led_off_the_site(keyed: Client, key: SoftKey) -> None:
    answer = sign_in_by(browser(), key, next="https://ailleurs.example/")
    assert answer["Location"].startswith("/")
    assert not answer["Location"].startswith("//")


def test_removed_it_opens_nothing_and_the_password_alone_is_asked_again(keyed: Client, key: SoftKey) -> None:
    path = f"/compte/cle-d-acces/{Authenticator.objects.filter(type='webauthn').get().pk}/retirer/"
    keyed.post("/compte/encore/?next=/", {"password": PASSWORD})
    assert "mon téléphone" in text(keyed.get(path))
    assert keyed.post(path)["Location"] == PAGE
    assert not Authenticator.objects.exists()
    assert sign_in_by(browser(), key)["Location"] == "/compte/connexion/"
    laptop = browser()
    sign_in(laptop, "Flora")
    assert is_in(laptop)


def test_nobody_removes_another_s(keyed: Client) -> None:
    Person.objects.create_user("Gaspard", PASSWORD)
    thief = browser()
    sign_in(thief, "Gaspard")
    thief.post("/compte/encore/?next=/", {"password": PASSWORD})
    path = f"/compte/cle-d-acces/{Authenticator.objects.filter(type='webauthn').get().pk}/retirer/"
    assert thief.get(path).status_code == thief.post(path).status_code == 404
    assert Authenticator.objects.filter(type="webauthn").exists()


# false answers


def replayed(key: SoftKey, question: Told) -> Told:
    return key.shown({**question, "challenge": "AAAA"})


def from_elsewhere(key: SoftKey, question: Told) -> Told:
    key.origin = "https://ailleurs.example"
    return key.shown(question)


def for_elsewhere(key: SoftKey, question: Told) -> Told:
    return key.shown({**question, "rpId": "ailleurs.example"})


def unseen(key: SoftKey, question: Told) -> Told:
    """Whoever holds the telephone, and has shown neither finger nor code."""
    key.seen = False
    return key.shown(question)


def forged(key: SoftKey, question: Told) -> Told:
    other = SoftKey()
    other.id, other.owner = key.id, key.owner
    return other.shown(question)


def of_another(key: SoftKey, question: Told) -> Told:
    key.owner = str(Person.objects.create_user("Gaspard", PASSWORD).pk).encode()
    return key.shown(question)


def of_nobody(key: SoftKey, question: Told) -> Told:
    key.owner = b"zzzzzz"
    return key.shown(question)


FALSE: list[Callable[[SoftKey, Told], Told]] = [
    replayed,
    from_elsewhere,
    for_elsewhere,
    unseen,
    forged,
    of_another,
    of_nobody,
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("lie", FALSE)
def test_a_false_answer_opens_nothing(keyed: Client, key: SoftKey, lie: Callable[..., Told]) -> None:
    thief = browser()
    question = thief.post(SIGN_IN).json()["publicKey"]
    answer = thief.post(SIGN_IN, {"credential": json.dumps(lie(key, question))}, follow=True)
    assert UNKNOWN in text(answer)
    assert not is_in(thief)


def test_an_answer_serves_once(keyed: Client, key: SoftKey) -> None:
    phone, thief = browser(), browser()
    question = phone.post(SIGN_IN).json()["publicKey"]
    sent = {"credential": json.dumps(key.shown(question))}
    phone.post(SIGN_IN, sent)
    assert is_in(phone)
    thief.post(SIGN_IN)
    thief.post(SIGN_IN, sent)
    assert not is_in(thief)


def nonsense(answer: Told) -> list[str]:
    """What no browser sends."""
    response = answer["response"]
    broken: list[Any] = [
        "", "null", "[]", "{}", '"x"', "1", "{", "[" * 15_000, '{"a":' * 3000, "x" * 100_000,
        {**answer, "response": None}, {**answer, "response": []}, {**answer, "rawId": 5},
        {**answer, "id": "é"}, {**answer, "type": "none"}, {**answer, "clientExtensionResults": []},
    ]  # fmt: skip
    values: list[Any] = [None, 5, "é", "AAAA", "_" * 5000, {"a": 1}]
    for name in response:
        broken += [{**answer, "response": {**response, name: value}} for value in values]
        broken += [{**answer, "response": {part: response[part] for part in response if part != name}}]
    return [one if isinstance(one, str) else json.dumps(one) for one in broken]


@pytest.mark.long
def test_nonsense_is_refused_with_a_sentence(keyed: Client, key: SoftKey, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {
        **settings.ACCOUNT_RATE_LIMITS,
        "login_failed": None,
        "reauthenticate": None,
    }
    thief = browser()
    for sent in nonsense(key.shown(thief.post(SIGN_IN).json()["publicKey"])):
        thief.post(SIGN_IN)
        answer = thief.post(SIGN_IN, {"credential": sent}, follow=True)
        assert answer.status_code == 200, sent[:80]
        assert not is_in(thief)
    laptop = browser()
    sign_in(laptop, "Flora")
    for sent in nonsense(key.shown(asked(text(laptop.get(STEP))))):
        assert laptop.post(STEP, {"credential": sent}).status_code == 200, sent[:80]
    keyed.post("/compte/encore/?next=/", {"password": PASSWORD})
    for sent in nonsense(SoftKey().made(asked(text(keyed.get(ADD))))):
        answer = keyed.post(ADD, {"name": "x", "credential": sent})
        assert answer.status_code == 200, sent[:80]
        assert 'class="refusal"' in text(answer)
    assert len(passkeys.passkeys_of(Person.objects.get())) == 1


@pytest.mark.parametrize("name", ["é" * 61, "a\x00b"])
def test_a_name_that_is_none_is_refused_beside_its_field(name: str) -> None:
    client = browser()
    sign_in(client, "Flora")
    assert 'class="errorlist"' in text(add(client, SoftKey(), name))
    assert not Authenticator.objects.exists()


def test_a_name_is_proposed_and_none_is_proposed_twice() -> None:
    client = Client(
        HTTP_HOST="localhost", HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) Chrome/142 Safari/537"
    )
    sign_in(client, "Flora")
    names = []
    for _turn in range(2):
        add(client, SoftKey(), "")
        names = [one.data["name"] for one in passkeys.passkeys_of(Person.objects.get())]
    assert names == ["Chrome, Linux", "Chrome, Linux 2"]
    unknown = browser()
    sign_in_by_code = codes(client)[0]
    sign_in(unknown, "Flora")
    unknown.post(STEP, {"code": sign_in_by_code})
    unknown.post("/compte/encore/?next=/", {"password": PASSWORD})
    assert 'value="Clé d’accès"' in text(unknown.get(ADD))


def test_keys_have_an_end(keyed: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passkeys, "MOST", 2)
    assert add(keyed, SoftKey()).status_code == 302
    assert "retirez-en d’abord une" in text(add(keyed, SoftKey()))
    assert "Ajouter une autre" not in text(keyed.get(PAGE))


def test_one_without_finger_or_code_is_not_taken() -> None:
    client = browser()
    sign_in(client, "Flora")
    assert UNKNOWN in text(add(client, SoftKey(seen=False)))


def test_a_look_asks_nothing() -> None:
    client = browser()
    assert client.get(SIGN_IN).status_code == client.head(SIGN_IN).status_code == 405
    assert not client.session.items()
    for path in (STEP, "/compte/deuxieme-etape/encore/", "/compte/codes-de-secours/", PAGE):
        assert client.get(path).status_code == 302


# lost


@pytest.mark.parametrize("way", ["an administrator’s link", "a link of the machine"])
def test_a_link_for_a_password_gives_the_account_back(
    keyed: Client, key: SoftKey, flora: Person, way: str
) -> None:
    if way == "a link of the machine":
        path = one_time_links.new_password_path("flora")
    else:
        path = f"/compte/lien/{one_time_links.make_link(one_time_links.Kind.PASSWORD, 'one', person=flora)}/"
    phone = browser()
    assert "Ses clés d’accès" in text(phone.get(path))
    phone.post(path, {"password1": OTHER, "password2": OTHER})
    assert is_in(phone)
    assert not Authenticator.objects.exists()
    assert sign_in_by(browser(), key)["Location"] == "/compte/connexion/"


def test_who_reads_the_mail_does_not_get_past_the_key(flora: Person, key: SoftKey, post: Post) -> None:
    EmailAddress.objects.create(user=flora, email="flora@exemple.fr", verified=True, primary=True)
    client = browser()
    sign_in(client, "Flora")
    add(client, key)
    assert post.last()["Subject"].strip() == "Clé d’accès ajoutée – Talleyrand"
    reader = browser()
    reader.post("/compte/mot-de-passe/perdu/", {"email": "flora@exemple.fr"})
    link = post.text().split("http://localhost")[1].split()[0]
    where = reader.get(link, follow=True).redirect_chain[-1][0]
    assert reader.post(where, {"password1": OTHER, "password2": OTHER})["Location"] == STEP
    assert not is_in(reader)
    coded = browser()
    coded.post("/compte/code/", {"email": "flora@exemple.fr"})
    found = re.search(r"\b[A-Z]{4}-[A-Z]{4}\b", post.text())
    assert found
    assert coded.post("/compte/code/saisi/", {"code": found[0]})["Location"] == STEP
    assert not is_in(coded)
    linked = browser()
    token = one_time_links.make_link(one_time_links.Kind.SIGN_IN, "one", person=flora)
    assert linked.post(f"/compte/lien/{token}/")["Location"] == STEP
    assert not is_in(linked)


def test_a_closed_account_is_opened_by_no_key(keyed: Client, key: SoftKey) -> None:
    Person.objects.update(is_active=False)
    phone = browser()
    sign_in_by(phone, key)
    assert not is_in(phone)


def test_guesses_of_codes_come_to_an_end(keyed: Client) -> None:
    laptop = browser()
    sign_in(laptop, "Flora")
    said = [text(laptop.post(STEP, {"code": f"{at:08}"})) for at in range(12)]
    assert "Ce n’est pas l’un de vos codes de secours, ou il a déjà" in said[9]
    assert "Trop d’essais" in said[11]


# where, and to whom


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("host", "secure", "address", "why"),
    [
        ("localhost", False, "", ""),
        ("localhost:8000", False, "", ""),
        ("127.0.0.1:8000", False, "", passkeys.BY_NUMBER),
        ("[::1]", True, "", passkeys.BY_NUMBER),
        ("testserver", False, "", passkeys.WITHOUT_HTTPS),
        ("testserver", True, "", ""),
        ("testserver", True, "https://testserver", ""),
        ("localhost", False, "https://testserver", passkeys.ELSEWHERE),
    ],
)
def test_the_page_says_why_there_can_be_none(
    settings: Any, host: str, secure: bool, address: str, why: str
) -> None:
    settings.SITE_URL, settings.ALLOWED_PORTS = address, {8000}
    client = Client(HTTP_HOST=host)
    sign_in(client, "Flora")
    page = text(client.get(PAGE, secure=secure))
    sentences = {
        passkeys.BY_NUMBER: "cette adresse est un nombre",
        passkeys.WITHOUT_HTTPS: "Les clés d’accès demandent HTTPS, que ce site n’a pas\u00a0: son",
        passkeys.ELSEWHERE: "à l’adresse propre du site",
    }
    assert [name for name, said in sentences.items() if said in page] == ([why] if why else [])
    assert ("Ajouter une clé d’accès" in page) is not bool(why)
    door = text(Client(HTTP_HOST=host).get("/compte/connexion/", secure=secure))
    assert ('id="by-passkey"' in door) is not bool(why)


def test_administrators_are_urged_to_until_they_have_one(key: SoftKey) -> None:
    client = browser()
    sign_in(client, "Flora")
    urged = "qui devine ou vole votre mot de passe"
    assert urged not in text(client.get("/compte/"))
    Person.objects.update(is_administrator=True)
    assert urged in text(client.get("/compte/"))
    assert urged in text(client.get("/administration/liens/"))
    add(client, key)
    assert urged not in text(client.get("/compte/"))


def test_what_is_kept_is_told_and_goes_with_the_account(keyed: Client, flora: Person) -> None:
    told = personal_data.export_personal_data(flora)["account"]
    assert [one["name"] for one in told["passkeys"]] == ["mon téléphone"]
    personal_data.delete_account(flora)
    assert not Authenticator.objects.exists()
