"""A hook leads out into the world, never into a network of ours, whatever its address says or stands for."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

from talleyrand.web.webhooks import calling, destinations
from talleyrand.web.webhooks.destinations import NotAllowed
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


@pytest.mark.parametrize("written", GOOD)
def test_addresses_that_may_be(written: str) -> None:
    found = destinations.read(written)
    assert (found.host, found.port, found.target) == GOOD[written]
    assert (found.secure, found.here) == (True, False)


@pytest.mark.parametrize("written", BAD)
def test_addresses_that_may_not_be(written: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        destinations.read(written)
    assert refused.value.code == BAD[written]


@pytest.mark.parametrize("text", INNER)
def test_inner_addresses(text: str) -> None:
    assert not destinations.is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses(text: str) -> None:
    assert destinations.is_public(ipaddress.ip_address(text))


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


@pytest.mark.parametrize("inner", [*INNER, "no address"])
def test_a_name_that_stands_for_something_inner(monkeypatch: pytest.MonkeyPatch, inner: str) -> None:
    """Even beside a public one: nothing is connected to, and it looks as if there were no such name."""
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *found, **_more: connected.append(found))
    to = destinations.read("https://example.org/")
    for answers in ([inner], ["9.9.9.9", inner], []):
        stands_for(monkeypatch, answers)
        assert calling.post(to, {}, b"{}") == calling.Answer(problem="nowhere")
    assert connected == []


def test_the_connection_is_made_to_what_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that stands for something else a moment later is asked once."""
    asked = stands_for(monkeypatch, ["9.9.9.9"], ["127.0.0.1"])
    connected: list[Any] = []

    def connect(place: Any, **_more: Any) -> Any:
        connected.append(place)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    assert calling.post(destinations.read("https://example.org/"), {}, b"{}").problem == "refused"
    assert (connected, asked) == ([("9.9.9.9", 443)], ["example.org"])


def test_this_machine_by_its_outer_address(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """A public address that is our own: whoever is connected to himself says nothing."""
    stands_for(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(destinations, "is_public", lambda _address: True)
    to = destinations.Destination("example.org", program.port, "/", secure=False, here=False)
    assert calling.post(to, {}, b"{}").problem == "nowhere"
    assert program.heard == []


def test_where_the_site_allows_it_this_machine_alone(local: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert destinations.read("http://localhost:8765/x").here
    assert destinations.read("https://[::1]:8765/x").here
    for written, code in {"http://192.168.1.1/": "scheme", "https://192.168.1.1/": "inner"}.items():
        with pytest.raises(NotAllowed, match=code):
            destinations.read(written)
    stands_for(monkeypatch, ["127.0.0.1"])
    assert calling.post(destinations.read("https://example.org/"), {}, b"").problem == "nowhere"
    stands_for(monkeypatch, ["9.9.9.9"])
    assert calling.post(destinations.read("http://localhost/"), {}, b"").problem == "nowhere"
