"""What the site calls by itself, tried against a listener here: hooks, chats, copies, documents."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from talleyrand.printing import pdf
from talleyrand.web.boards import paper_downloads
from talleyrand.web.common import http_delivery, outbound_urls
from talleyrand.web.common.outbound_urls import UrlNotAllowed
from talleyrand.web.games.phase_pages import phase_reports
from talleyrand.web.tournaments.copies import copy_urls
from talleyrand.web.webhooks import webhook_actions, webhook_sending
from tests.each import each
from tests.web import cast
from tests.web.webhooks import program as programs
from tests.web.webhooks.program import Program, hook, listening

pytestmark = pytest.mark.django_db
# Other ways to write this machine, or something beside it.
INSIDE = (
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "017700000001",
    "127.1",
    "127.0.1",
    "0",
    "0.0.0.0",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[fe80::1%25lo]",
    "[::1%25lo]",
    "localhost",
    "LOCALHOST.",
    "localhost.localdomain",
    "ip6-localhost",
    "127.0.0.1.",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "ⓛocalhost",
    "localhost%00.exemple.org",
    "127.0.0.1%0d%0aHost:a",
    "exemple.org@127.0.0.1",
    "127.0.0.1#exemple.org",
    "127.0.0.1\\.exemple.org",
)


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A program that the site takes for one of the world: its name stands for a public address."""
    with listening() as found:
        monkeypatch.setattr(outbound_urls, "resolve_checked", lambda _to: ["127.0.0.1"])
        yield found
    cache.clear()


def call(found: Program, path: str = "/") -> http_delivery.HttpResult:
    """As hooks, chats, copies and pushes are called: all by one door."""
    to = outbound_urls.OutboundUrl("localhost", found.port, path, is_https=False, is_this_machine=True)
    return http_delivery.post_once(to, {}, b"{}")


@pytest.mark.long
@each("host", INSIDE)
@each("door", [outbound_urls.parse_public_url, copy_urls.parse_copy_url])
def test_no_way_of_writing_leads_inside(door: Callable[[str], Any], host: str) -> None:
    """Refused as it is written; or what it stands for is looked up, and nobody is called."""
    with listening() as found:
        for written in (f"https://{host}:{found.port}/", f"https://{host}/", f"http://{host}:{found.port}/"):
            try:
                to = door(written)
            except UrlNotAllowed:
                continue
            assert http_delivery.post_once(to, {}, b"{}").error == http_delivery.UNKNOWN_HOST
        assert found.heard == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(outside: Program, status: int) -> None:
    with listening() as inside:
        outside.status, outside.head = status, {"Location": inside.address, "Refresh": f"0; {inside.address}"}
        assert call(outside).status == status
        assert inside.heard == []


def endless(_line: Any, part: bytes, head: bytes = b"", pause: float = 0.0) -> None:
    _line.sendall(head)
    try:
        while True:
            _line.sendall(part)
            time.sleep(pause)
    except OSError:
        return


def silent(line: Any) -> None:
    """Until the site hangs up."""
    with suppress(OSError):
        line.recv(1)


OK = b"HTTP/1.1 200 OK\r\n"
ENDLESS: dict[str, Callable[[Any], None]] = {
    "an answer": lambda line: endless(line, b"x" * 65_536, OK + b"\r\n"),
    "pieces": lambda line: endless(line, b"1\r\nx\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\n"),
    "a piece of a petabyte": lambda line: endless(
        line, b"x" * 65_536, OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n"
    ),
    "heads": lambda line: endless(line, b"A: a\r\n", OK),
    "one head": lambda line: endless(line, b"a" * 65_536, OK + b"A: "),
    "the first line": lambda line: endless(line, b"a" * 65_536, b"HTTP/1.1 200 "),
    "answers before the answer": lambda line: endless(line, b"HTTP/1.1 100 Continue\r\n\r\n"),
    "drip by drip": lambda line: endless(line, b"x", OK + b"Content-Length: 800\r\n\r\n", 0.05),
    "a head drip by drip": lambda line: endless(line, b"x", OK + b"A: ", 0.05),
    "silence": silent,
    "a negative length": lambda line: line.sendall(OK + b"Content-Length: -1\r\n\r\nx"),
    "a huge length": lambda line: line.sendall(OK + b"Content-Length: " + b"9" * 4000 + b"\r\n\r\nx"),
    "no HTTP": lambda line: line.sendall(b"220 mail.exemple.org ESMTP\r\n"),
    "nothing": lambda _line: None,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ENDLESS)
def test_no_answer_keeps_the_site(outside: Program, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over in time, and little of it kept."""
    monkeypatch.setattr(http_delivery, "WHOLE", 0.6)
    monkeypatch.setattr(http_delivery, "ONE_STEP", 0.6)
    outside.raw = ENDLESS[name]
    answer = call(outside)
    assert len(answer.text) <= http_delivery.KEPT
    assert answer.error in ("", http_delivery.TIMED_OUT, http_delivery.BROKEN)


@pytest.mark.long
def test_what_is_packed_is_not_unpacked(outside: Program) -> None:
    """A gigabyte of zeros in a megabyte: it was not asked for, and stays as it is."""
    outside.head = {"Content-Encoding": "gzip"}
    outside.status, outside.said = 200, gzip.compress(bytes(100 << 20))
    answer = call(outside)
    assert answer.is_well
    assert len(answer.text) <= http_delivery.KEPT


def test_an_answer_writes_nothing_into_a_page(outside: Program) -> None:
    outside.status, outside.said = 500, b"<script>zz()</script>\0\x1b[2J\xff\r\nSet-Cookie: a=b"
    answer = call(outside)
    assert answer.text.isprintable()


def test_a_path_writes_no_head(outside: Program) -> None:
    """Nothing in an address gets out of the line of the request."""
    for written in (
        "https://exemple.org/a b\tc",
        "https://exemple.org/\r\nX-A: b",
        "https://exemple.org/?\u2028",
    ):
        try:
            to = outbound_urls.parse_public_url(written)
        except UrlNotAllowed:
            continue
        call(outside, to.target)
    assert not any("x-a" in one.head for one in outside.heard)
    assert all(one.path.isascii() and " " not in one.path for one in outside.heard)


@pytest.mark.long
def test_slow_hooks_of_one_keep_nobody_else_waiting(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten that never answer, and one of somebody else: it is called in the same round."""
    settings.WEBHOOKS_LOCAL = True
    monkeypatch.setattr(webhook_sending, "SIDE_BY_SIDE", 1)
    monkeypatch.setattr(http_delivery, "WHOLE", 0.3)
    monkeypatch.setattr(http_delivery, "ONE_STEP", 0.3)
    with listening() as slow, listening() as quick:
        slow.raw = silent
        for one in [hook(slow, "Flora") for _ in range(10)] + [hook(quick, "Gaspard")]:
            webhook_actions.send_test_call(one, timezone.now())
        programs.send()
        assert quick.heard
    cache.clear()


# what makes documents

ABROAD = (
    '<img src="{to}/a">',
    '<link rel="stylesheet" href="{to}/b">',
    '<style>@import url("{to}/c");</style><p>x</p>',
    '<style>@font-face {{ font-family: a; src: url("{to}/d") }} p {{ font-family: a }}</style><p>x</p>',
    '<style>p {{ background: url("{to}/e"); list-style: url("{to}/e") }}</style><p>x</p>',
    '<object data="{to}/f"></object><embed src="{to}/g">',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="{to}/h" width="9" height="9"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="{to}/i#a"/></svg>',
    '<a rel="attachment" href="{to}/j">a</a>',
    '<link rel="attachment" href="{to}/k">',
    '<img src="file:///etc/hostname"><link rel="attachment" href="file:///etc/hostname">',
    '<base href="{to}/"><img src="l"><img srcset="m 2x">',
    '<iframe src="{to}/n"></iframe><meta http-equiv="refresh" content="0; {to}/o">',
)


def _made(html: str, fetch: Any) -> bytes:
    try:
        return pdf.html_to_pdf(html, fetch)
    except pdf.PdfUnavailable:
        pytest.skip("nothing makes PDFs here")
    except ValueError:  # a document that is not made has fetched nothing either
        return b""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("told", ABROAD)
def test_a_document_fetches_nothing(told: str) -> None:
    """Even where a word of somebody got out of its place: no request leaves, no file is read."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        to = f"http://127.0.0.1:{listener.getsockname()[1]}"
        html = f"<html><body>{told.format(to=to)}</body></html>"
        for fetch in (paper_downloads.fetch_paper_part, lambda url: phase_reports._fetched("<svg/>", url)):
            made = _made(html, fetch)
            assert b"/EmbeddedFile" not in made
        with pytest.raises(TimeoutError):
            listener.accept()


def test_the_names_of_a_chat_are_the_director_s(outside: Program) -> None:
    """Its address is checked again at each post: a setting that was changed shuts it."""
    from talleyrand.web.tournaments.notifications import chat_settings

    with pytest.raises((UrlNotAllowed, chat_settings.ChatRefusal)):
        chat_settings.save_chat(
            _tournament(), chat_settings.ChatRequest(f"http://127.0.0.1:{outside.port}/", "slack", "fr")
        )
    assert outside.heard == []


def _tournament() -> Any:
    from tests.web.tournaments import scene

    cast.person(cast.MASTER)
    return scene.tournament()
