"""The visibility matrix, asked of every page, feed, export and picture."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.test import Client

from tests.web.visibility import expected, places
from tests.web.visibility.scene import AT, MARKS, MOMENTS, NAMES, WHO, Scene

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
PICTURES = (".png", ".pdf")  # looked at apart: they take long


def read(client: Client, path: str) -> str:
    """All that an address tells, head included; nothing where it is closed."""
    response: Any = client.get(path)
    silent = (
        path in ("/health/", "/health.txt") and response.status_code == 503
    )  # no clock beats in a test that takes minutes
    assert response.status_code < 500 or silent, path
    if response.status_code not in (200, 304) and not silent:
        return response.get("Location", "") if response.status_code != 404 else ""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return "\n".join([*map(str, response.headers.items()), _text(response, body)])


def _text(response: Any, body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    if "json" in response.get("Content-Type", ""):
        return json.dumps(json.loads(text), ensure_ascii=False)
    return text.replace("\r\n ", "").replace("&#x27;", "’")


def told(scene: Scene, who: str, marks: Iterable[str], drawn: list[str] | None = None) -> dict[str, str]:
    """What a reader finds at the addresses drawn, or at all; and at the others until all marks are found."""
    client, every = scene.client(who), addresses(scene)
    texts = {path: read(client, path) for path in (every if drawn is None else drawn)}
    for path in every:
        if all(_where(texts, mark) for mark in marks):
            break
        if path not in texts:
            texts[path] = read(client, path)
    return texts


def addresses(scene: Scene) -> list[str]:
    return [path for path in places.every(scene.fresh()) if not path.endswith(PICTURES)]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("moment", MOMENTS)
def test_secrets(moment: str, full: bool, draw: str, record_property: Any) -> None:
    """Each reader finds what the table says and no more; another’s name only where everybody may know it.

    In a sample each looks at a part of the pages, and at more until all that is due has been found.
    """
    scene = AT[moment]()
    every, asked, wrong = addresses(scene), 0, {}
    for who in WHO:
        due = expected.seen(moment, who)
        drawn = every if full else places.drawn(every, draw, who)
        texts = told(scene, who, [MARKS[name] for name in due], drawn)
        asked += len(texts)
        found = {name for name, mark in MARKS.items() if _where(texts, mark)}
        leaks = {name: _where(texts, MARKS[name]) for name in found - due} | _strangers(texts, who, moment)
        if leaks or due - found:
            wrong[who] = (leaks, sorted(due - found))
    assert wrong == {}
    record_property("asked", f"visibility, {moment}: {asked} pages, feeds and exports asked")


ANSWERED = {
    "gathering": ["already", "already", "not_begun", "not_begun"],
    "ended": ["over"] * 4,
    "abandoned": ["over"] * 4,
}


@pytest.mark.parametrize("at", MOMENTS)
def test_nobody_holds_a_second_power(at: str) -> None:
    """What the others see in the table is what they see after whoever held one has asked for another."""
    assert AT[at]().refused == ANSWERED.get(at, ["held_other"] * 4)


def _strangers(texts: dict[str, str], who: str, moment: str) -> dict[str, list[str]]:
    """Where other people’s names stand that the reader may not know."""
    if who == "master" or moment in expected.KNOWN:
        return {}
    others = [name for name in NAMES if name != WHO[who]]
    return {name: _where(texts, name) for name in others if _where(texts, name)}


def _where(texts: dict[str, str], mark: str) -> list[str]:
    return [path for path, text in texts.items() if mark in text][:4]


@pytest.mark.long
@pytest.mark.parametrize("moment", ["revealed"])
def test_who_played_is_known_in_the_end(moment: str) -> None:
    texts = told(AT[moment](), "visitor", NAMES, [])
    assert [name for name in NAMES if not _where(texts, name)] == []


@pytest.mark.long
def test_the_game_master_knows_who_plays() -> None:
    texts = told(AT["open"](), "master", NAMES, [])
    assert [name for name in NAMES if not _where(texts, name)] == []


def test_pictures_of_the_open_phase() -> None:
    """A picture is sent around: nobody's orders are on it, not even one's own; on the page they are."""
    scene = AT["open"]()
    game = scene.fresh()
    path = f"/parties/{game.key}/{game.phase_number}/map.svg"
    drawn = {who: scene.client(who).get(path).content for who in ("visitor", "observer", "master", "france")}
    assert b"<svg" in drawn["visitor"]
    assert set(drawn.values()) == {drawn["visitor"]}
    layers = (
        scene.client("france").get(f"/parties/{game.key}/{game.phase_number}/scene.json").json()["layers"]
    )
    others = (
        scene.client("russia").get(f"/parties/{game.key}/{game.phase_number}/scene.json").json()["layers"]
    )
    assert layers != others


@pytest.mark.long
def test_a_hidden_game_is_not_there(full: bool, draw: str) -> None:
    """A game that is not listed answers those without a role as one that does not exist."""
    scene = AT["open"]()
    scene.game.is_listed = False
    scene.game.save(update_fields=["is_listed"])
    key = scene.game.key
    # a feed is its owner's, whoever fetches it
    paths = [path for path in addresses(scene) if key in path and not path.endswith(".ics")]
    for who in ("visitor", "replaced", "administrator"):
        client, asked = scene.client(who), paths if full else places.drawn(paths, draw, who)
        answers = {path: client.get(path).status_code for path in asked}
        nowhere = {path: client.get(path.replace(key, "nowherenowhe")).status_code for path in asked}
        assert answers == nowhere, who
        assert 404 in answers.values(), who
        assert 200 not in answers.values(), who


def test_the_table_is_large_enough_to_trust() -> None:
    assert expected.cells() + len(NAMES) * len(MOMENTS) * len(WHO) > 1000
