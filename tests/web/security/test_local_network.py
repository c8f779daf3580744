"""A site served to a room (`--lan`): whoever is on the same network, and what he makes it believe."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from talleyrand.web.common import network
from tests.web.conftest import begin

pytestmark = pytest.mark.django_db
OURS = ("192.168.1.20", "fd00::1")
HOSTS = (
    "192.168.1.20:80@evil.example",
    "192.168.1.20#evil.example",
    "192.168.1.20/evil.example",
    "evil.example:192.168.1.20",
    "evil.example\\.192.168.1.20",
    "192.168.1.20.nip.io",
    "192-168-1-20.evil.example",
    "192.168.1.20,evil.example",
    "192.168.1.20 evil.example",
    "[fd00::1]evil.example",
    "[fd00::1%25eth0]",
    "[::ffff:192.168.1.20]",
    "3232235796",
    "0xc0a80114",
    "0.0.0.0",
    "",
    ".",
    "lan",
    "*",
    "localhost.evil.example",
)


@pytest.fixture(autouse=True)
def laptop(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    monkeypatch.setattr(network, "lan_addresses", lambda: OURS)
    settings.ALLOWED_HOSTS = network.AllowedHosts([network.LAN_WORD, "testserver"], lambda: OURS)
    settings.LAN, settings.SITE_URL = True, ""
    return settings


def page(path: str, host: str, **more: str) -> Any:
    client = Client(raise_request_exception=False)
    return client.get(path, headers={"host": host, **more})


@pytest.mark.one_in(2)
@pytest.mark.parametrize("host", HOSTS)
def test_no_other_name_is_answered(host: str) -> None:
    """A page of somebody else's that takes our address for its name reads nothing (DNS rebinding)."""
    assert page("/reseau/", host).status_code == 400
    assert page("/", host).status_code == 400


@pytest.mark.parametrize(
    "head",
    [
        {"x-forwarded-host": "evil.example"},
        {"forwarded": "host=evil.example;proto=https"},
        {"x-forwarded-port": "666"},
        {"x-original-url": "/administration/"},
        {"x-rewrite-url": "/administration/"},
        {"x-forwarded-proto": "https"},
        {"x-http-method-override": "DELETE"},
    ],
)
def test_the_address_to_join_by_is_not_believed(head: dict[str, str]) -> None:
    """What phones are told to open is this machine, whatever a request says."""
    for path in ("/reseau/", f"/p/{begin().key}/"):
        answer = page(path, "192.168.1.20", **head)
        text = answer.content.decode()
        assert answer.status_code == 200
        assert "evil.example" not in text
        assert ":666" not in text
        assert set(re.findall(r"https?://([\w.\[\]:]+)/", text)) <= {
            "192.168.1.20",
            "[fd00::1]",
            network.mdns_name(),
            "www.w3.org",
        }


def test_to_be_near_is_no_right() -> None:
    """Who is on the network, or on the machine itself, is a visitor: no administration, no key, no figure."""
    for host, address in (("localhost", "127.0.0.1"), ("192.168.1.20", "192.168.1.66"), ("[fd00::1]", "::1")):
        client = Client(raise_request_exception=False, REMOTE_ADDR=address)
        for path in ("/administration/", "/administration/liens/", "/metrics/", "/administration/courriel/"):
            assert client.get(path, headers={"host": host}).status_code in (302, 401, 403, 404)
