"""A browser as a device: it registers, its worker shows what comes, and signing out ends it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from tests.e2e.conftest import PATIENCE
from tests.e2e.newsroom import Site, open_newsroom
from tests.waiting import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.long]
TOLD = {
    "title": "La table ronde",
    "body": "Les résultats sont là.",
    "path": "/notifications/",
    "tag": "talleyrand-1",
}
# What the browser’s maker would answer, who is out of reach from here: the keys are real.
SERVICE = """(() => {
  const text = (data) => btoa(String.fromCharCode(...new Uint8Array(data)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  PushManager.prototype.subscribe = async (options) => {
    if (options.applicationServerKey.length !== 65 || !options.userVisibleOnly) throw new Error("options");
    const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const point = await crypto.subtle.exportKey("raw", pair.publicKey);
    const keys = { p256dh: text(point), auth: text(new Uint8Array(16)) };
    return { toJSON: () => ({ endpoint: "https://fcm.googleapis.com/fcm/send/one", keys }) };
  };
})()"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, tag, data }) => ({ title, body, tag, data }));
}"""


@pytest.fixture(scope="module")
def site(new_data_folder: Callable[[], Path]) -> Iterator[Site]:
    with open_newsroom(new_data_folder()) as found:
        yield found


@pytest.fixture(scope="module")
def session(site: Site) -> str:
    return site.reader("Agathe").session


@pytest.fixture
def context(browser: Browser, site: Site, session: str) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 390, "height": 844})
    opened.set_default_timeout(PATIENCE)
    opened.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    yield opened
    opened.close()
    forget_devices(site)


def forget_devices(site: Site) -> None:
    """What one test left behind is not the next one's fault."""
    with closing(sqlite3.connect(site.folder / "talleyrand.sqlite3", timeout=20)) as database, database:
        database.execute("DELETE FROM push_pushdevice")


def devices(site: Site) -> list[Any]:
    with closing(sqlite3.connect(site.folder / "talleyrand.sqlite3", timeout=20)) as database:
        return database.execute("SELECT endpoint FROM push_pushdevice").fetchall()


def opened(context: BrowserContext, site: Site) -> Page:
    page = context.new_page()
    page.goto(f"{site.address}/notifications/appareils/")
    return page


def registration(line: CDPSession, page: Page) -> str:
    """What the browser calls the registration of the worker."""
    found: list[str] = []

    def learn(event: Any) -> None:
        found.extend(one["registrationId"] for one in event["registrations"] if not one["isDeleted"])

    line.on("ServiceWorker.workerRegistrationUpdated", learn)
    line.send("ServiceWorker.enable")
    wait_until(lambda: page.evaluate("true") and found)  # the page hears of events while it is asked
    return found[-1]


def shown_by(page: Page, body: str) -> Any:
    """The one notification, once the worker has shown this text: no wait of a page waits for a promise."""
    found: list[Any] = []

    def is_shown() -> bool:
        found[:] = page.evaluate(SHOWN)
        return any(one["body"] == body for one in found)

    wait_until(is_shown)
    (shown,) = found
    return shown


def test_a_browser_registers_and_its_worker_shows_what_comes(context: BrowserContext, site: Site) -> None:
    context.grant_permissions(["notifications"], origin=site.address)
    context.add_init_script(SERVICE)
    page = opened(context, site)
    page.get_by_role("button", name="Activer les notifications sur cet appareil").click()
    expect(page.get_by_text("Notifications activées sur cet appareil.")).to_be_visible()
    expect(page.get_by_text("(celui-ci)")).to_be_visible()
    assert devices(site) == [("https://fcm.googleapis.com/fcm/send/one",)]
    line = context.new_cdp_session(page)
    asked = {"origin": site.address, "registrationId": registration(line, page), "data": json.dumps(TOLD)}
    line.send("ServiceWorker.deliverPushMessage", asked)
    assert shown_by(page, TOLD["body"]) == {
        **{name: TOLD[name] for name in ("title", "body", "tag")},
        "data": {"path": "/notifications/"},
    }
    again = {**asked, "data": json.dumps({**TOLD, "body": "Autre texte."})}
    line.send("ServiceWorker.deliverPushMessage", again)
    assert shown_by(page, "Autre texte.")["tag"] == TOLD["tag"]  # it takes the place of the first
    leads_to_a_page_of_the_site(context)
    page.get_by_role("button", name="Retirer").click()
    expect(page.get_by_text("Aucun appareil enregistré.")).to_be_visible()
    assert devices(site) == []


def leads_to_a_page_of_the_site(context: BrowserContext) -> None:
    """What a click opens: the browser asks for a finger before it does, so the worker is asked."""
    known = context.service_workers
    worker = known[0] if known else context.wait_for_event("serviceworker")
    led = worker.evaluate(
        """async () => {
          const led = [], [notification] = await registration.getNotifications();
          self.clients.openWindow = async (url) => led.push(url);
          self.clients.matchAll = async () => [];
          for (const path of ["/parties/K/", "https://ailleurs.example/x", "//ailleurs.example", undefined]) {
            const event = new ExtendableEvent("notificationclick");
            const value = { data: { path }, close: () => notification.close() };
            Object.defineProperty(event, "notification", { value });
            self.dispatchEvent(event);
            await new Promise((done) => setTimeout(done, 50));
          }
          return [led.map((url) => new URL(url)).map((url) => [url.origin === location.origin, url.pathname]),
                  (await registration.getNotifications()).length];
        }"""
    )
    assert led == [[[True, "/parties/K/"], [True, "/"], [True, "/"], [True, "/"]], 0]


def test_whoever_refuses_is_told_what_to_do(context: BrowserContext, site: Site) -> None:
    context.add_init_script("Notification.requestPermission = () => Promise.resolve('denied')")
    page = opened(context, site)
    page.get_by_role("button", name="Activer les notifications sur cet appareil").click()
    expect(
        page.get_by_role("status").filter(has_text="Le navigateur bloque les notifications de ce site")
    ).to_be_visible()
    assert devices(site) == []


def test_a_service_out_of_reach_is_said(context: BrowserContext, site: Site) -> None:
    context.grant_permissions(["notifications"], origin=site.address)
    context.add_init_script(
        "PushManager.prototype.subscribe = () => Promise.reject(new Error('out of reach'))"
    )
    page = opened(context, site)
    page.get_by_role("button", name="Activer les notifications sur cet appareil").click()
    expect(
        page.get_by_role("status").filter(
            has_text="Échec\u00a0: le navigateur n’a pas pu joindre son service de"
        )
    ).to_be_visible()
    expect(page.locator("#register")).to_be_enabled()
    assert devices(site) == []


def test_without_script_the_page_says_why(browser: Browser, site: Site, session: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.address}])
    page = opened(context, site)
    expect(page.get_by_text("Pour activer les notifications, JavaScript doit être activé")).to_be_visible()
    context.close()
