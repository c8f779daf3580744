"""`serve --lan`: the addresses of this machine, a square for phones, and who is answered."""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory

from talleyrand.web.common import absolute_urls, network, qr_codes
from talleyrand.web.server import site_server, startup_banner
from tests.waiting import PATIENCE
from tests.web.server.test_serve import environment

LAPTOP = ("192.168.1.20", "10.42.0.1", "fd00::1")
RUN = """
import sys
from talleyrand.web.server.site_server import serve_site
sys.exit(serve_site("0.0.0.0", int(sys.argv[1]), sys.argv[2]))
"""


@pytest.fixture
def laptop(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Any:
    """A site that runs on a laptop with two networks."""
    monkeypatch.setattr(network, "lan_addresses", lambda: LAPTOP)
    settings.ALLOWED_HOSTS = network.AllowedHosts([network.LAN_WORD, "testserver"], lambda: LAPTOP)
    settings.LAN, settings.SITE_URL, settings.ALLOWED_PORTS = True, "", {8000}
    return settings


def test_addresses_are_those_that_others_reach() -> None:
    found = network.lan_addresses()
    parsed = [ipaddress.ip_address(one) for one in found]
    assert not any(one.is_loopback or one.is_unspecified for one in parsed)
    assert [one.version for one in parsed] == sorted(one.version for one in parsed)
    assert len(set(found)) == len(found)


def test_without_a_way_out_the_interfaces_are_still_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """The network is down: the laptop is its own access point."""
    monkeypatch.setattr(network, "_by_route", lambda: iter(()))
    monkeypatch.setattr(network, "_of_interface", {"wlan0": "10.42.0.1", "eth0": ""}.get)
    monkeypatch.setattr(socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0"), (3, "wlan0")])
    monkeypatch.setattr(network, "_long_ones", lambda _names: iter(("fe80::1", "fd00::7")))
    assert network.lan_addresses() == ("10.42.0.1", "fd00::7")


def test_long_addresses_are_read_from_the_system(tmp_path: Path) -> None:
    table = tmp_path / "if_inet6"
    table.write_text(
        "fd00000000000000000000000000002a 02 40 00 80 eth0\n"
        "fd00000000000000000000000000002b 02 40 00 a0 eth0\n"  # deprecated
        "fe800000000000000000000000000001 02 40 20 80 eth0\n"
        "00000000000000000000000000000001 01 80 10 80 lo\n"
    )
    assert list(network._long_ones(["eth0"], table)) == ["fd00::2a"]
    assert list(network._long_ones(["eth0"], tmp_path / "none")) == []


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.20:8000", 200),
        ("10.42.0.1", 200),
        ("[fd00::1]:8000", 200),
        ("localhost:8000", 200),
        (network.mdns_name(), 200),
        ("192.168.1.99", 400),
        ("evil.example", 400),
        ("192.168.1.20.evil.example", 400),
        ("[fd00::2]", 400),
        ("192.168.1.20:8001", 400),
    ],
)
@pytest.mark.django_db
def test_who_is_answered(client: Client, laptop: Any, host: str, status: int) -> None:
    assert client.get("/reseau/", headers={"host": host}).status_code == status


def test_a_network_that_is_joined_later_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    now, here = [1000.0], ["192.168.1.20"]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    hosts = network.AllowedHosts(["lan"], lambda: tuple(here))
    assert "192.168.1.20" in list(hosts)
    here[0] = "10.42.0.1"
    now[0] += network.FRESH
    assert "10.42.0.1" in list(hosts)
    assert "192.168.1.20" not in list(hosts)


def test_a_site_with_names_answers_to_them_alone() -> None:
    assert list(network.AllowedHosts(["jeu.exemple.org"])) == ["jeu.exemple.org"]


@pytest.mark.parametrize(("language", "said"), [("", "Sur ce réseau"), ("/en", "On this network")])
@pytest.mark.django_db
def test_the_page_shows_every_address(client: Client, laptop: Any, language: str, said: str) -> None:
    path = f"{language}/network/" if language else "/reseau/"
    page = client.get(path, headers={"host": "localhost:8000"}).content.decode()
    assert said in page
    assert "http://192.168.1.20:8000/" in page
    assert "http://[fd00::1]:8000/" in page
    assert page.count("<svg") == 1


@pytest.mark.django_db
def test_without_network_the_page_says_so(
    client: Client, laptop: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "lan_addresses", tuple)
    page = client.get("/reseau/", headers={"host": "localhost"}).content.decode()
    assert "aucun réseau" in page
    assert "<svg" not in page


@pytest.mark.django_db
def test_there_is_no_such_page_on_a_site_of_the_world(client: Client, settings: Any) -> None:
    settings.LAN = False
    assert client.get("/reseau/").status_code == 404
    settings.LAN, settings.SITE_URL = True, "https://jeu.exemple.org"
    assert client.get("/reseau/").status_code == 404


@pytest.mark.parametrize(
    ("host", "given"),
    [
        ("localhost:8000", "http://192.168.1.20:8000/t/"),
        ("127.0.0.1:8000", "http://192.168.1.20:8000/t/"),
        ("10.42.0.1:8000", "http://10.42.0.1:8000/t/"),
        ("[::1]", "http://192.168.1.20/t/"),
    ],
)
def test_phones_are_never_sent_to_themselves(laptop: Any, host: str, given: str) -> None:
    request = RequestFactory().get("/", headers={"host": host})
    assert absolute_urls.absolute_url(request, "/t/") == given


def test_a_site_with_an_address_gives_that(laptop: Any) -> None:
    laptop.SITE_URL = "https://jeu.exemple.org"
    request = RequestFactory().get("/", headers={"host": "localhost:8000"})
    assert absolute_urls.absolute_url(request, "/t/") == "https://jeu.exemple.org/t/"


def test_a_square_says_what_it_is() -> None:
    drawn = qr_codes.qr_svg("http://192.168.1.20:8000/", 'QR code of "x" <b>')
    assert drawn.startswith(
        '<span class="qr" role="img" aria-label="QR code of &quot;x&quot; &lt;b&gt;"><svg'
    )
    assert " style=" not in drawn
    with pytest.raises(ValueError, match=r"."):
        qr_codes.qr_svg("x" * 5000, "")
    with pytest.raises(ValueError, match=r"."):
        qr_codes.qr_png("x" * 5000)


class Terminal(io.StringIO):
    """A terminal with letters of its own."""

    def __init__(self, letters: str, *, is_one: bool) -> None:
        super().__init__()
        self.letters, self.is_one = letters, is_one

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.letters

    def isatty(self) -> bool:
        return self.is_one


@pytest.mark.parametrize(
    ("letters", "is_one", "shown", "begins"),
    [("utf-8", False, True, "█"), ("utf-8", True, True, "\x1b[97;40m█"), ("cp1252", True, False, "")],
)
def test_a_square_in_a_terminal(letters: str, is_one: bool, shown: bool, begins: str) -> None:
    out = Terminal(letters, is_one=is_one)
    assert qr_codes.print_qr("http://192.168.1.20:8000/", out) is shown
    assert out.getvalue()[: len(begins)] == begins
    assert bool(out.getvalue()) is shown


def test_what_a_laptop_says(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(network, "lan_addresses", lambda: LAPTOP)
    monkeypatch.setattr(startup_banner, "_announce_first_administrator", lambda _here: None)
    startup_banner.print_banner("0.0.0.0", 8000)
    said = capsys.readouterr().out
    for address in ("127.0.0.1", "192.168.1.20", "10.42.0.1", "[fd00::1]"):
        assert f"http://{address}:8000/\n" in said
    assert "█" in said
    assert "/reseau/" in said
    monkeypatch.setattr(network, "lan_addresses", tuple)
    startup_banner.print_banner("0.0.0.0", 8000)
    assert "Pas de réseau" in capsys.readouterr().out
    startup_banner.print_banner("127.0.0.1", 8000)
    assert "réseau" not in capsys.readouterr().out


def test_the_same_port_is_taken_for_long_addresses() -> None:
    first = site_server.bind_port("0.0.0.0", 0)
    port = first.getsockname()[1]
    beside = site_server._beside("0.0.0.0", port)
    try:
        assert [one.getsockname()[1] for one in beside] == [port] * len(beside)
        assert site_server._beside("127.0.0.1", port) == []
        assert site_server._beside("0.0.0.0", port) == []  # it is taken: the site is served without
    finally:
        for one in (first, *beside):
            one.close()


@pytest.mark.long
def test_serve_for_the_room(new_site: Path) -> None:
    """The real one: it answers by each of its addresses, and to no other name."""
    command = [sys.executable, "-c", RUN, "0", str(new_site)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    assert server.stdout is not None
    with server:
        try:
            port = int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2])
            for host in ("127.0.0.1", *network.lan_addresses()):
                with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as line:
                    line.request("GET", "/reseau/")
                    assert line.getresponse().status == 200, host
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
                line.request("GET", "/reseau/", headers={"Host": "evil.example"})
                assert line.getresponse().status == 400
        finally:
            server.terminate()
