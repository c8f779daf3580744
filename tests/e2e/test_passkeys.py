"""A passkey in a real browser, whose authenticator Chromium plays: made, signed in with, asked for, removed.

At `localhost`, where browsers know passkeys without HTTPS; at 127.0.0.1 the page says why there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.e2e.conftest import listening
from tests.e2e.steps import follow

pytestmark = pytest.mark.browser
PASSWORD = "trois mots et demi"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from listening(browser.new_context(viewport={"width": 390, "height": 844}))


@pytest.fixture
def keys(phone: Page) -> CDPSession:
    """The keys of the telephone."""
    session = phone.context.new_cdp_session(phone)
    session.send("WebAuthn.enable")
    return session


def plugged(keys: CDPSession, **more: Any) -> str:
    return str(keys.send("WebAuthn.addVirtualAuthenticator", {"options": {**KEY, **more}})["authenticatorId"])


def sign_up(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/compte/inscription/")
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main form button.primary")
    page.wait_for_url(re.compile("/parties/"))


def enter(page: Page) -> None:
    with page.expect_navigation():
        page.keyboard.press("Enter")


def sign_out(page: Page, site: str) -> None:
    page.goto(f"{site}/compte/")
    page.get_by_role("button", name="Se déconnecter").click()
    page.wait_for_url(lambda url: "/compte/" not in url)


@pytest.mark.long
def test_a_passkey_is_made_signs_in_and_is_removed(phone: Page, keys: CDPSession, site: str) -> None:
    site = site.replace("127.0.0.1", "localhost")
    key = plugged(keys)
    sign_up(phone, site, "Porteur de clé")
    phone.goto(f"{site}/compte/")
    follow(phone.get_by_role("link", name="Clés d’accès et appareils"))
    follow(phone.get_by_role("link", name="Ajouter une clé d’accès"))
    phone.fill("[name=password]", PASSWORD)  # once more
    enter(phone)
    phone.fill("[name=name]", "mon téléphone")
    phone.get_by_role("button", name="Ajouter la clé d’accès").click()
    expect(phone.locator(".codes li")).to_have_count(10)
    code = phone.locator(".codes li").first.inner_text()
    (held,) = keys.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]
    assert (held["rpId"], held["isResidentCredential"]) == ("localhost", True)

    sign_out(phone, site)
    phone.goto(f"{site}/compte/connexion/")
    button = phone.get_by_role("button", name="Se connecter avec une clé d’accès")
    button.focus()
    phone.keyboard.press("Enter")
    phone.wait_for_url(re.compile("/parties/"))

    sign_out(phone, site)
    phone.goto(f"{site}/compte/connexion/")
    for turn in ("key", "code"):
        phone.fill("[name=login]", "Porteur de clé")
        phone.fill("[name=password]", PASSWORD)
        follow(phone.locator("main form", has=phone.locator("[name=login]")).locator("button"))
        expect(phone.get_by_role("heading", name="Encore une étape")).to_be_visible()
        if turn == "key":
            phone.get_by_role("button", name="Utiliser une clé d’accès").click()
            phone.wait_for_url(re.compile("/parties/"))
            sign_out(phone, site)
            phone.goto(f"{site}/compte/connexion/")
    phone.fill("[name=code]", code)
    phone.keyboard.press("Enter")
    phone.wait_for_url(re.compile("/parties/"))

    phone.goto(f"{site}/compte/securite/")
    expect(phone.locator("main")).to_contain_text("mon téléphone")
    expect(phone.locator("main")).to_contain_text("Il reste 9")
    follow(phone.get_by_role("link", name="Retirer mon téléphone"))
    phone.fill("[name=password]", PASSWORD)
    enter(phone)
    follow(phone.get_by_role("button", name="Retirer"))
    expect(phone.locator("main")).not_to_contain_text("mon téléphone")
    sign_out(phone, site)
    phone.goto(f"{site}/compte/connexion/")
    phone.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    expect(phone.get_by_text("n’est pas connue ici")).to_be_visible()


def test_a_key_that_does_not_answer_is_told_and_another_way_stays(
    phone: Page, keys: CDPSession, site: str
) -> None:
    site = site.replace("127.0.0.1", "localhost")
    plugged(keys, isUserVerified=False)  # a wrong finger
    phone.goto(f"{site}/compte/connexion/")
    phone.get_by_role("button", name="Se connecter avec une clé d’accès").click()
    expect(phone.get_by_role("alert")).to_contain_text("n’a pas répondu")
    expect(phone.locator("[name=login]")).to_be_editable()


def test_where_no_browser_knows_passkeys_the_page_says_why(phone: Page, site: str) -> None:
    sign_up(phone, site, "Sans nom de site")
    phone.goto(f"{site}/compte/securite/")
    expect(phone.locator("main")).to_contain_text("cette adresse est un nombre")
    expect(phone.locator("main")).to_contain_text(site.replace("127.0.0.1", "localhost"))
    phone.context.clear_cookies()
    phone.goto(f"{site}/compte/connexion/")
    expect(phone.get_by_role("button", name="clé d’accès")).to_have_count(0)
