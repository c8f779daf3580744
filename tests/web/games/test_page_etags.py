"""Pages of published phases are not sent again while they show the same to the same reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameSeat, PhaseRevision
from talleyrand.web.notifications import outbox
from talleyrand.web.practice.models import PracticeGame
from tests.web.cast import PLAYERS, client_of, deal, person
from tests.web.games.playing import Window, played, running
from tests.web.press.post import send

pytestmark = pytest.mark.django_db
PUBLISHED = ["1/", "1/revisions/1/"]
Change = Callable[[Window], object]


@pytest.fixture
def game() -> Game:
    found = running()
    played(found)
    return found


def seen(window: Window, path: str = "1/") -> str:
    """The tag of a page that somebody has looked at once."""
    return str(window.get(path)["ETag"])


def again(window: Window, etag: str, path: str = "1/", **headers: str) -> Any:
    return window.get(path, headers={"if-none-match": etag, **headers})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["Flora", "Maëlle", "Oscar", ""])
@pytest.mark.parametrize("path", PUBLISHED)
def test_a_page_that_shows_the_same_is_not_sent_again(game: Game, name: str, path: str) -> None:
    window = Window(game, name)
    etag = seen(window, path)
    for _ in range(2):
        answer = again(window, etag, path)
        assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)
        # the policy of the page that the browser has names the nonce of that page
        assert "Content-Security-Policy" not in answer
        assert set(answer["Cache-Control"].split(", ")) == {"private", "no-cache"}


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_a_compressed_page_too(game: Game, encoding: str) -> None:
    window = Window(game, "Flora")
    window.get("1/")
    etag = window.get("1/", headers={"accept-encoding": encoding})["ETag"]
    assert etag.startswith("W/")
    assert again(window, etag, **{"accept-encoding": encoding}).status_code == 304


def test_the_open_phase_and_the_lists_are_never_kept(game: Game) -> None:
    for path in ("", "2/"):
        answer = Window(game, "Flora").get(path)
        assert "ETag" not in answer
        assert "no-store" in answer["Cache-Control"]


def in_english(window: Window) -> None:
    window.prefix = "/en"


def cookie(name: str, value: str) -> Change:
    return lambda window: window.client.cookies.__setitem__(name, value)


def at_the_desk(window: Window) -> None:
    GameMembership.objects.filter(game=window.game, person=person("Flora")).update(role=GameRole.ASSISTANT)


def power_lost(window: Window) -> None:
    power_assignments.end_assignment(window.game, "FRANCE")


def second_power(window: Window) -> None:
    deal(window.game, "ITALY", "Flora")


def corrected(window: Window) -> None:
    PhaseRevision.objects.filter(game=window.game, phase_number=1).update(
        kind="override", reason="Une erreur"
    )


def drafted(window: Window) -> None:
    GameSeat.objects.filter(game=window.game, power="FRANCE").update(
        draft_orders=["A Par H"], draft_phase_number=2
    )


def clock_went_on(window: Window) -> None:
    Game.objects.filter(pk=window.game.pk).update(deadline=timezone.now() + timedelta(hours=3))


def paused(window: Window) -> None:
    Game.objects.filter(pk=window.game.pk).update(state="paused", time_left_when_paused=timedelta(hours=3))


def told(window: Window) -> None:
    outbox.notify([person("Flora").pk], "begun", {"game": "Autre"}, about="", path="/x/", once="told")


def written_to(window: Window) -> None:
    send(window.game, "Gaspard", "FRANCE")


CHANGES = {
    "language": in_english,
    "theme": cookie("theme", "night"),
    "palette": cookie("palette", "soft"),
    "patterns": cookie("patterns", "on"),
    "form secret": cookie("csrftoken", "b" * 32),
    "role": at_the_desk,
    "power lost": power_lost,
    "second power": second_power,
    "correction": corrected,
    "draft": drafted,
    "deadline": clock_went_on,
    "pause": paused,
    "news": told,
    "letter": written_to,
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CHANGES)
def test_whatever_it_shows_makes_it_another(game: Game, name: str) -> None:
    window = Window(game, "Flora")
    etag = seen(window)
    assert again(window, etag).status_code == 304
    CHANGES[name](window)
    answer = again(window, etag)
    assert answer.status_code == 200
    assert answer["ETag"].partition(".")[0] != etag.partition(".")[0]


@pytest.mark.long
def test_no_tag_of_one_reader_is_another_readers(game: Game) -> None:
    tags = {name: seen(Window(game, name)) for name in (*PLAYERS.values(), "Maëlle", "Armand", "Oscar", "")}
    assert len({etag.partition(".")[0] for etag in tags.values()}) == len(tags)
    for name in tags:
        window = Window(game, name)
        window.get("1/")
        assert all(again(window, etag).status_code == 200 for whose, etag in tags.items() if whose != name)


def test_who_may_not_open_it_is_told_nothing_by_a_tag() -> None:
    found = running(watching="invited")
    played(found)
    etag = seen(Window(found, "Flora"))
    assert again(Window(found, "Sylvain"), etag).status_code == 404
    assert again(Window(found), etag).status_code == 404


def test_the_copy_of_a_kept_page_is_made_once_and_of_a_new_page_again(game: Game) -> None:
    window = Window(game, "Flora")
    first = window.get("1/")
    token = first["ETag"].rpartition(".")[2].strip('"')
    assert first.context["copy_submission"] == token
    etag = again(window, first["ETag"])["ETag"]
    assert etag.endswith(f'{token}"')
    for _ in range(2):
        window.client.post(window.address("1/copy/"), {"submission": token})
    assert PracticeGame.objects.filter(submission_id=token).count() == 1
    answer = again(window, etag)
    assert answer.status_code == 200
    assert answer.context["copy_submission"] != token


ZEROS = "0" * 32


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "sent", ['"', "*", "W/", '"a.b"', f'"{ZEROS}."><script>"', f'"{ZEROS}.{"x" * 5000}"', "\0", "é"]
)
def test_a_tag_that_is_none_of_ours_is_no_way_in(game: Game, sent: str) -> None:
    window = Window(game, "Flora")
    answer = again(window, sent)
    assert answer.status_code in (200, 304)
    if answer.status_code == 200:
        assert re.fullmatch("[A-Za-z0-9_-]{22}", answer.context["copy_submission"])


def test_who_signs_out_leaves_no_page_behind() -> None:
    client = client_of("Flora")
    assert client.post("/compte/deconnexion/")["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in Client().get("/parties/")
