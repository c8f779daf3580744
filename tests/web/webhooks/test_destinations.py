"""A hook leads out into the world, never into a network of ours, whatever its address says or stands for."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

from talleyrand.web.common import http_delivery, outbound_urls
from talleyrand.web.common.outbound_urls import UrlNotAllowed
from tests.each import each
from tests.web.webhooks.program import Program

GOOD = {
    "https://example.org/talleyrand": ("example.org", 443, "/talleyrand"),
    "https://example.org": ("example.org", 443, "/"),
    " HTTPS://Example.ORG:8443/a?b=c&d=%20 ": ("example.org", 8443, "/a?b=c&d=%20"),
    "https://hôtel.example.org/é?à=ç#part": ("xn--htel-vqa.example.org", 443, "/%C3%A9?%C3%A0=%C3%A7"),
    "https://example.org./": ("example.org", 443, "/"),
    "https://9.9.9.9/": ("9.9.9.9", 443, "/"),
    "https://[2606:4700::1111]:4443/x": ("2606:4700::1111", 4443, "/x"),
}
BAD = {
    "": "scheme",
    "example.org": "scheme",
    "http://example.org/": "scheme",
    "ftp://example.org/": "scheme",
    "file:///etc/passwd": "scheme",
    "javascript:alert(1)": "scheme",
    "https://": "shape",
    "https:///path": "shape",
    "https://example": "shape",
    "https://exa mple.org/": "shape",
    "https://example.org/a\nb": "shape",
    "https://example.org\\@127.0.0.1/": "shape",
    "https://example.org/\0": "shape",
    "https://example.org:99999/": "shape",
    "https://example.org:x/": "shape",
    "https://[::1/": "shape",
    "https://exa%6dple.org/": "shape",
    "https://.example.org/": "shape",
    "https://example..org/": "shape",
    f"https://{'a' * 70}.org/": "shape",
    "https://example.org/" + "x" * 600: "long",
    "https://somebody:secret@example.org/": "user",
    "https://somebody@example.org/": "user",
    "https://example.org:22/": "port",
    "https://example.org:80/": "port",
    "https://example.org:5432/": "port",
    "https://example.org:0/": "port",
    "https://localhost/": "inner",
    "https://LOCALHOST./": "inner",
    "https://a.localhost/": "inner",
    "https://printer.local/": "inner",
    "https://metadata.google.internal/": "inner",
    "http://localhost:8000/": "scheme",
    "http://127.0.0.1/": "scheme",
    "https://127.0.0.1/": "inner",
    "https://127.1/": "shape",
    "https://2130706433/": "shape",
    "https://0x7f000001/": "shape",
    "https://0177.0.0.1/": "shape",
    "https://127.0.0.1.:443/": "inner",
    "https://\uff11\uff12\uff17.0.0.1/": "inner",
    "https://[::1]/": "inner",
    "https://[::ffff:127.0.0.1]/": "inner",
    "https://[fe80::1%25eth0]/": "inner",
}
INNER = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:10.0.0.1",
    "::ffff:9.9.9.9",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "5f00::1",
    "4000::1",
]
PUBLIC = ["9.9.9.9", "1.1.1.1", "172.32.0.1", "192.167.0.1", "2606:4700::1111", "2a01:e0a::1", "2620:fe::fe"]


@each("written", GOOD)
def test_addresses_that_may_be(written: str) -> None:
    found = outbound_urls.parse_public_url(written)
    assert (found.host, found.port, found.target) == GOOD[written]
    assert (found.is_https, found.is_this_machine) == (True, False)


@each("written", BAD)
def test_addresses_that_may_not_be(written: str) -> None:
    with pytest.raises(UrlNotAllowed) as refused:
        outbound_urls.parse_public_url(written)
    assert refused.value.code == BAD[written]


@each("text", INNER)
def test_inner_addresses(text: str) -> None:
    assert not outbound_urls.is_public_ip(ipaddress.ip_address(text))


@each("text", PUBLIC)
def test_public_addresses(text: str) -> None:
    assert outbound_urls.is_public_ip(ipaddress.ip_address(text))


def stands_for(monkeypatch: pytest.MonkeyPatch, *turns: list[str]) -> list[str]:
    """Let every name stand for these addresses, others at each question; gives the questions."""
    asked: list[str] = []

    def found(host: str, port: int, *_more: Any, **_named: Any) -> list[Any]:
        asked.append(host)
        answers = turns[min(len(asked), len(turns)) - 1]
        if not answers:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in answers]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return asked


@each("inner", [*INNER, "no address"])
def test_a_name_that_stands_for_something_inner(monkeypatch: pytest.MonkeyPatch, inner: str) -> None:
    """Even beside a public one: nothing is connected to, and it looks as if there were no such name."""
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *found, **_more: connected.append(found))
    to = outbound_urls.parse_public_url("https://example.org/")
    for answers in ([inner], ["9.9.9.9", inner], []):
        stands_for(monkeypatch, answers)
        assert http_delivery.post_once(to, {}, b"{}") == http_delivery.HttpResult(error="nowhere")
    assert connected == []


def test_the_connection_is_made_to_what_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that stands for something else a moment later is asked once."""
    asked = stands_for(monkeypatch, ["9.9.9.9"], ["127.0.0.1"])
    connected: list[Any] = []

    def connect(place: Any, **_more: Any) -> Any:
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    assert (
        http_delivery.post_once(outbound_urls.parse_public_url("https://example.org/"), {}, b"{}").error
        == "refused"
    )
    assert (connected, asked) == ([("9.9.9.9", 443)], ["example.org"])


def test_this_machine_by_its_outer_address(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public address that is our own: whoever is connected to himself says nothing."""
    stands_for(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(outbound_urls, "is_public_ip", lambda _address: True)
    to = outbound_urls.OutboundUrl("example.org", program.port, "/", is_https=False, is_this_machine=False)
    assert http_delivery.post_once(to, {}, b"{}").error == "nowhere"
    assert program.heard == []


def test_where_the_site_allows_it_this_machine_alone(local: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outbound_urls.parse_public_url("http://localhost:8765/x").is_this_machine
    assert outbound_urls.parse_public_url("https://[::1]:8765/x").is_this_machine
    for written, code in {"http://192.168.1.1/": "scheme", "https://192.168.1.1/": "inner"}.items():
        with pytest.raises(UrlNotAllowed, match=code):
            outbound_urls.parse_public_url(written)
    stands_for(monkeypatch, ["127.0.0.1"])
    assert (
        http_delivery.post_once(outbound_urls.parse_public_url("https://example.org/"), {}, b"").error
        == "nowhere"
    )
    stands_for(monkeypatch, ["9.9.9.9"])
    assert (
        http_delivery.post_once(outbound_urls.parse_public_url("http://localhost/"), {}, b"").error
        == "nowhere"
    )
