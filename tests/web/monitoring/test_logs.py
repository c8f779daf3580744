"""The log as lines of JSON: what happened where, and nothing that is anybody's."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from talleyrand.web.accounts import one_time_links
from talleyrand.web.common import logging_format
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.viewer_permissions import GameViewer
from tests.web import cast
from tests.web.conftest import begin
from tests.web.mail.correspondents import address_of, everybody
from tests.web.visibility import places
from tests.web.visibility.scene import MARKS, NAMES, Scene, opened

pytestmark = pytest.mark.django_db
PICTURES = (".png", ".pdf")


class Log:
    """What was written in one of the two forms."""

    def __init__(self, form: str) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.addFilter(logging_format.RedactSecrets())
        line = logging_format.LineFormatter("{asctime} {levelname} {name}: {message}", style="{")
        self.handler.setFormatter(logging_format.JsonFormatter() if form == "json" else line)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def json_log() -> Iterator[Log]:
    yield from _logging("json")


def _logging(form: str) -> Iterator[Log]:
    found, root, before = Log(form), logging.getLogger(), logging.getLogger().level
    names = ("django.request", "django.security", "talleyrand")
    levels = {name: logging.getLogger(name).level for name in names}
    root.addHandler(found.handler)
    root.setLevel(logging.INFO)
    for name in names:
        logging.getLogger(name).setLevel(logging.INFO)
    yield found
    root.removeHandler(found.handler)
    root.setLevel(before)
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture
def scene(by_post: None) -> Scene:
    everybody()
    return opened()


def secrets_of(scene: Scene) -> dict[str, str]:
    """All that must not be in a log, by what it is."""
    game = begin()
    return {
        **MARKS,
        **{f"name of {name}": name for name in NAMES},
        **{f"address of {name}": address_of(name) for name in cast.PLAYERS.values()},
        "calendar": calendar_feed.feed_token(cast.person("Flora")),
        "link": one_time_links.make_link(one_time_links.Kind.ACCOUNT, "one"),
        "practice": game.key,
        "shared": game.shared_key,
    }


def ask_everything(scene: Scene, canaries: dict[str, str]) -> int:
    """Every page and form as a player, with secrets in what is sent; and addresses made of them."""
    paths = [path for path in places.every(scene.fresh()) if not path.endswith(PICTURES)]
    sent = {
        "text": MARKS["letter"],
        "orders": MARKS["open_sheet"],
        "name": "Flora",
        "to": address_of("Flora"),
    }
    player, visitor = scene.client("france"), Client()
    for path in paths:
        player.get(path, {"next": MARKS["letter"], "mail": address_of("Flora")})
        visitor.post(path, sent)
    return 2 * len(paths) + _ask_strangely(canaries.values())


def _ask_strangely(secrets: Iterable[str]) -> int:
    ways = ("compte/lien", "parties/invitation", "calendrier", "p", "s", "en/p", "nothing")
    paths = [f"/{way}/{secret}/" for way in ways for secret in secrets]
    for path in paths:
        Client().get(path)
    return len(paths)


def found_in(text: str, canaries: dict[str, str]) -> list[str]:
    return [what for what, secret in canaries.items() if secret in text]


@pytest.mark.long
def test_nothing_of_anybody_in_the_log(json_log: Log, scene: Scene, record_property: Any) -> None:
    canaries = secrets_of(scene)
    asked = ask_everything(scene, canaries)
    assert sum("milliseconds" in one for one in json_log.records) == asked
    assert found_in(json_log.text, canaries) == []
    record_property("logs", f"logs: {asked} requests, {len(canaries)} secrets looked for")


@pytest.mark.long
def test_nothing_that_opens_something_in_plain_lines(scene: Scene) -> None:
    for log in _logging("line"):
        canaries = secrets_of(scene)
        opening = {name: canaries[name] for name in ("calendar", "link", "practice", "shared")}
        _ask_strangely(opening.values())
        assert "/p/…/" in log.text
        assert found_in(log.text, opening) == []


def test_nor_where_a_page_breaks(json_log: Log, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault says what the data were: its words stay out of the log, its kind and place are in it."""
    canaries = secrets_of(scene)

    def break_down(*_arguments: Any) -> None:
        try:
            raise KeyError(MARKS["letter"])
        except KeyError as problem:
            raise ValueError(f"{canaries} {address_of('Flora')}") from problem

    monkeypatch.setattr(GameViewer, "__init__", break_down)
    client = scene.client("france")
    client.raise_request_exception = False
    answer = client.get(f"/parties/{scene.game.key}/")
    assert answer.status_code == 500
    assert found_in(json_log.text, canaries) == []
    broken = [one for one in json_log.records if "fault" in one]
    assert [one["fault"] for one in broken] == ["ValueError < KeyError"]
    assert broken[0]["where"][-1].endswith(" break_down")
    assert {one["request"] for one in json_log.records} == {answer["X-Request-Id"]}


def test_a_line_of_a_request(json_log: Log, client: Client) -> None:
    answer = client.get("/parties/zz/")
    told = next(one for one in json_log.records if "route" in one)
    assert told.pop("milliseconds") > 0
    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "INFO",
        "logger": "talleyrand.web.monitoring.request_metrics",
        "message": "GET /parties/<str:key>/ 404",
        "request": answer["X-Request-Id"],
        "method": "GET",
        "route": "parties/<str:key>/",
        "status": 404,
    }


@pytest.mark.long
def test_each_request_has_a_number_of_its_own(client: Client) -> None:
    numbers = {client.get("/parties/")["X-Request-Id"] for _ in range(20)}
    assert len(numbers) == 20
    mine = client.get("/parties/", headers={"x-request-id": "mine\n"})["X-Request-Id"]
    assert mine not in ("mine", *numbers)


def test_outside_a_request_there_is_no_number(json_log: Log) -> None:
    logging.getLogger("talleyrand").warning("two\nlines of “%s”", "text")
    told = json_log.records
    assert len(told) == 1
    assert told[0]["message"] == "two\nlines of “text”"
    assert "request" not in told[0]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Not Found: /p/s3cr3t/1/draft/", "Not Found: /p/…/1/draft/"),
        ("/en/s/s3cr3t/1/map.svg", "/en/s/…/1/map.svg"),
        ("/p/new/ and /p/import/", "/p/new/ and /p/import/"),
        ("/compte/lien/s3cr3t/", "/compte/lien/…/"),
        ("/zz/aB3-deFGhijk_lmnopqrstu/", "/zz/…/"),
        ("/zz/aBcDeFGhijKlmNopqrstuv", "/zz/…"),
        ("to flora.martin@exemple-flora.fr.", "to …@…"),
        ("ConnectionRefusedError in test_the_settings_are_in_the_reference", None),
        ("game Ab3_defGH-12: phase S1901M failed", None),
    ],
)
def test_what_is_blotted_out(text: str, left: str | None) -> None:
    assert logging_format.redact(text) == (text if left is None else left)


def test_a_fault_in_plain_lines_is_blotted_too(request: pytest.FixtureRequest) -> None:
    log = Log("line")
    try:
        raise ValueError("zz@exemple.fr at /p/s3cr3t/")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 0, "failed", (), __import__("sys").exc_info())
    log.handler.handle(record)
    assert "ValueError: …@… at /p/…/" in log.text
    assert "s3cr3t" not in log.text


@pytest.mark.long
def test_signing_in_leaves_no_trace(json_log: Log, client: Client) -> None:
    cast.person("Flora")
    for password in ("wrong-password", "", "a" * 5000):
        client.post("/compte/connexion/", {"login": "Flora", "password": password})
    assert SESSION_KEY not in client.session
    assert found_in(json_log.text, {"name": "Flora", "password": "wrong-password"}) == []


def test_a_site_that_is_ill_does_not_fill_the_log(json_log: Log, client: Client) -> None:
    """The monitor hears it each minute; its own line is at INFO."""
    assert client.get("/health/").status_code == 503
    assert [one["level"] for one in json_log.records] == ["INFO"]
