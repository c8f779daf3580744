"""Names and texts of players in what is no page of theirs: heads, drawings, calendars, cards, letters."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from icalendar import Calendar

from talleyrand.web.common import security_headers
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.models import Game
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests.web import cast
from tests.web.conftest import begin
from tests.web.security.heads import amiss
from tests.web.security.places import CHIEF, Site

pytestmark = pytest.mark.django_db
MARK = "zzmark"
# A name of a game, a remark, a line of a sheet: each as somebody would write it who wants to get out of it.
TEXTS = {
    "a tag": f'<script>{MARK}()</script><img src=x onerror="{MARK}()">',
    "the end of a drawing": f"]]></text></style></svg><script>{MARK}()</script>",
    "an attribute": f'" onload="{MARK}()" x=\'',
    "lines of a head": f"a\r\nSet-Cookie: {MARK}=1\r\n\r\n<script>{MARK}()</script>",
    "a calendar": f"a\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:{MARK}\r\nATTACH:http://{MARK}.example/",
    "lines of Unicode": f"a\u2028END:VEVENT\u2029SUMMARY:{MARK}\x0b\x0c\x85b",
    "a formula": f'=HYPERLINK("http://{MARK}.example/")',
    "a template": "{{ settings.SECRET_KEY }}{% debug %}%(name)s{0}",
    "a file": f'"; filename="{MARK}.exe',
    "the other way": f"\u202e{MARK}\u2066\u200b",
}


@pytest.fixture(params=TEXTS)
def text(request: pytest.FixtureRequest) -> str:
    return TEXTS[request.param]


@pytest.fixture
def table(text: str) -> Game:
    """A begun game whose name is that text; even where a form would have refused it."""
    game = cast.table()
    Game.objects.filter(pk=game.pk).update(name=text[:100])
    return Game.objects.get(pk=game.pk)


def whole(answer: Any) -> str:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return str(body.decode("utf-8", "replace"))


@pytest.mark.one_in(2)
def test_a_head_holds_nothing_of_a_name(table: Game) -> None:
    flora = cast.client_of("Flora")
    base = f"/parties/{table.key}"
    paths = (
        f"{base}/1/map.svg",
        f"{base}/game.json",
        f"{base}/game.txt",
        f"{base}/messages/letters.txt",
        f"{base}/",
    )
    for path in paths:
        answer = flora.get(path)
        assert answer.status_code == 200
        heads = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        assert MARK not in heads
        named = re.search(r'filename="([^"]*)"', heads)
        assert named is None or re.fullmatch(r"[A-Za-z0-9._-]+", named[1])
        assert amiss(answer) == []


PAGES = ("", "infos/", "messages/", "fin/", "infos/journal/", "messages/nouvelle/")


@pytest.mark.one_in(2)
def test_a_page_shows_a_text_and_runs_none(table: Game) -> None:
    chief = cast.client_of(CHIEF)
    for path in PAGES:
        page = whole(chief.get(f"/parties/{table.key}/{path}"))
        assert f"<script>{MARK}" not in page
        assert f'onerror="{MARK}' not in page
        assert f'onload="{MARK}' not in page


@pytest.mark.one_in(2)
def test_a_sheet_draws_nothing_of_its_own(text: str) -> None:
    """A drawing is read by programs that obey scripts: no word of a player is in it."""
    game = cast.table()
    flora = cast.client_of("Flora")
    flora.post(
        f"/parties/{game.key}/1/orders/FRANCE/draft/",
        json.dumps({"sheet": f"A Par - Bur {text}\n{text}"}),
        content_type="application/json",
    )
    drawn = whole(flora.get(f"/parties/{game.key}/1/map.svg"))
    kinds = {element.tag.rpartition("}")[2] for element in ET.fromstring(drawn).iter()}
    assert not kinds & {"script", "foreignObject", "a", "iframe", "image", "animate", "set"}
    assert MARK not in drawn
    assert not re.search(r"\son\w+\s*=|javascript:|https?://(?!www\.w3\.org/)", drawn)


@pytest.mark.one_in(2)
def test_a_practice_game_draws_nothing_of_its_file(text: str) -> None:
    """What was brought in: a sheet with remarks, then its pictures and its texts."""
    client = Client()
    answer = client.post("/p/import/", {"text": f"FRANCE\nA Par - Bur {text}\n; {text}\n"})
    board = (
        answer["Location"]
        if answer.status_code == 302
        else client.post("/p/new/", {"variant": "classic"})["Location"]
    )
    drawn = whole(client.get(f"{board}1/map.svg"))
    assert MARK not in drawn
    assert "<script" not in drawn
    assert f"<script>{MARK}" not in whole(client.get(board))


def test_a_calendar_holds_one_event_a_game(table: Game) -> None:
    Game.objects.filter(pk=table.pk).update(deadline=cast.BEGUN)
    flora = cast.person("Flora")
    body = Client().get(f"/parties/calendrier/{calendar_feed.feed_token(flora)}/{table.key}.ics").content
    lines = body.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    assert not any(sign in body for sign in (b"\x0b", b"\x0c", "\u2028".encode(), "\u2029".encode()))
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", body)
    read = Calendar.from_ical(body)
    events = list(read.walk("VEVENT"))
    assert len(events) == 1
    assert set(events[0]) == {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "URL", "TRANSP"}


@pytest.mark.one_in(2)
def test_cards_hold_one_address_each(site: Site, text: str) -> None:
    """An address book that somebody puts into his mail program."""
    Game.objects.filter(pk=site.scene.game.pk).update(name=text[:100])
    body = site.client("Flora").get(f"/parties/{site.scene.game.key}/courriel/addresses.vcf").content
    unfolded = body.replace(b"\r\n ", b"")
    names = {line.partition(b":")[0].partition(b";")[0] for line in unfolded.split(b"\r\n") if line}
    assert names == {b"BEGIN", b"VERSION", b"UID", b"FN", b"N", b"ORG", b"EMAIL", b"CATEGORIES", b"END"}
    assert body.count(b"BEGIN:VCARD") == body.count(b"\nEMAIL;")


@pytest.mark.one_in(2)
def test_a_letter_stays_a_letter(site: Site, text: str) -> None:
    """In a text that is kept, nobody writes under another's name: every line of a letter is moved."""
    scene = site.scene
    scene.write(
        "Flora",
        "FRANCE",
        Recipients(ConversationKind.PAIR, ("FRANCE", "GERMANY")),
        f"{text}\nAllemagne, 2026-01-01 00:00 (UTC)",
    )
    told = whole(site.client("Flora").get(f"/parties/{scene.game.key}/messages/letters.txt"))
    feigned = [line for line in told.splitlines() if "2026-01-01 00:00" in line]
    assert feigned
    assert all(line.startswith("    ") for line in feigned)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "path",
    [
        "/static/../../secret_key",
        "/static/%2e%2e/%2e%2e/secret_key",
        "/static/..%2f..%2fsecret_key",
        "/static/....//....//secret_key",
        "/static/%00",
        "/static/css/site.css%00.png",
        "/static//etc/passwd",
        "/static/C:\\windows\\win.ini",
        "/static/.env",
        "/p/..%2f..%2fsecret_key/",
        "/p/{practice}/1/map.../secret_key",
        "/p/{practice}/game.%2e%2e%2fsecret_key",
        "/reglements/regles/..%2f..%2fsettings.pdf",
        "/reglements/regles/%2e%2e/",
        "/reglements/regles/anjou_feu/planches/..%2f..%2fsecret_key.svg",
        "/variantes/..%2fclassic/",
        "/variantes/__init__/",
        "/parties/../../secret_key/",
        "//ailleurs.example/%2e%2e",
        "/\\ailleurs.example",
    ],
)
def test_no_path_leads_out(client: Client, path: str) -> None:
    answer = client.get(path.format(practice=begin().key))
    assert answer.status_code in (301, 404)
    assert answer.headers.get("Location", "/x").startswith("/")
    assert not answer.headers.get("Location", "/x").startswith(("//", "/\\"))


@pytest.mark.parametrize("path", ["//ailleurs.example/", "/%5c/ailleurs.example", "/;//ailleurs.example"])
def test_no_link_of_a_page_leads_out(client: Client, path: str) -> None:
    """The page of an error offers itself in the other language: under a path of ours."""
    page = whole(client.get(path))
    links = re.findall(r'(?:href|action)="([^"]*)"', page)
    assert links
    assert all(not link.startswith(("//", "/\\", "http")) for link in links)


def test_the_policy_of_a_drawing_lets_nothing_run(site: Site) -> None:
    """Opened by itself, a drawing is a document."""
    answer = site.client().get(f"/parties/{site.scene.game.key}/1/map.svg")
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert answer["X-Content-Type-Options"] == security_headers.FIXED["X-Content-Type-Options"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
