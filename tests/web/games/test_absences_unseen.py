"""The dates of an absence tell who somebody is in another game: others see what the deadline does."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import game_lifecycle, game_log
from talleyrand.web.games.deadlines.date_texts import MONTHS
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import absences
from talleyrand.web.games.models import Game, GameLogEntry
from talleyrand.web.notifications import topic_versions
from talleyrand.web.notifications.models import Notification, TopicVersion
from tests.web.api.asking import program
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, STRANGER, client_of, person, table

from .acting import DAY, fresh
from .tables import at

pytestmark = pytest.mark.django_db
OTHERS = ["Gaspard", OBSERVER, ASSISTANT, STRANGER, ""]
PAGES = ("", "log/")


def opened(days: int = 3, **terms: Any) -> Game:
    """A game whose phase is due so many days from now."""
    game = table(rhythm={"hours": 24 * days, "early": False}, **terms)
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(phase_opened_at=now, deadline=now + days * DAY)
    return fresh(game)


def announced(game: Game, first: int, last: int, name: str = "Flora") -> list[str]:
    """Somebody says on the page of the table that they are away; what would betray the dates."""
    today = timezone.localdate()
    since, until = today + timedelta(days=first), today + timedelta(days=last)
    sent = {"since": str(since), "until": str(until)}
    assert client_of(name).post(at(game, "absence/"), sent).status_code == 302
    return [form for day in (since, until) for form in told(day)]


def told(day: date) -> list[str]:
    return [f"{day.day} {MONTHS['fr'][day.month - 1]} {day.year}".replace("1er", "1"), str(day)]


def visitor(name: str) -> Client:
    return client_of(name) if name else Client()


def read(game: Game, name: str, *more: str) -> str:
    """All that the pages of the table and the API tell somebody of absences."""
    texts = [visitor(name).get(at(game, path)).text for path in PAGES]
    texts += [visitor(name).get(f"/parties/{game.key}/{path}").text for path in more]
    if name:
        asked = program(name)
        texts += [asked.get(f"/games/{game.key}/{path}").content.decode() for path in ("absences", "log")]
    return "\n".join(texts).replace("\u00a0", " ").replace("1er ", "1 ")


def found(text: str, forms: list[str]) -> list[str]:
    return [form for form in forms if form in text]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", OTHERS)
def test_nobody_else_reads_the_dates(name: str) -> None:
    game = opened()
    forms = announced(game, 40, 45)
    assert found(read(game, name, "desk/"), forms) == []
    assert "absence" not in "".join(
        line["kind"] for line in program(name or STRANGER).get(f"/games/{game.key}/log").json()["items"]
    )


@pytest.mark.long
def test_whoever_is_away_reads_them_and_so_does_the_game_master() -> None:
    game = opened()
    forms = announced(game, 40, 45)
    assert found(read(game, "Flora"), forms[::2]) == forms[::2]
    assert found(read(game, MASTER, "desk/"), forms[::2]) == forms[::2]
    [own] = program("Flora").get(f"/games/{game.key}/absences").json()["items"]
    assert (own["mine"], own["player"]) == (True, None)


def test_a_withdrawn_one_is_as_secret() -> None:
    game = opened()
    forms = announced(game, 40, 45)
    absences.withdraw_absence(game, person("Flora"), absences.current_absences(game).get().pk)
    assert found(read(game, "Gaspard"), forms) == []
    assert found(read(game, "Flora"), forms[:1]) == forms[:1]


@pytest.mark.parametrize("change", ["revealed", "ended"])
def test_the_dates_stay_secret_where_the_names_are_told_in_the_end(change: str) -> None:
    """With a name they would tell even more of other games."""
    game = opened()
    forms = announced(game, 40, 45)
    if change == "ended":
        game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    else:
        Game.objects.filter(pk=game.pk).update(powers_revealed_at=timezone.now())
    for name in ("Gaspard", STRANGER, ""):
        assert found(read(game, name), forms) == []


def test_where_everybody_knows_who_plays_what_the_players_read_the_dates() -> None:
    game = opened(anonymity=Anonymity.OPEN)
    forms = announced(game, 40, 45)
    assert found(read(game, "Gaspard"), forms[::2]) == forms[::2]
    assert program("Gaspard").get(f"/games/{game.key}/absences").json()["items"][0]["player"] == "Flora"
    assert found(read(game, STRANGER), forms) == []


# what the deadline does


def test_all_are_told_that_the_deadline_has_moved() -> None:
    game = opened()
    announced(game, 2, 5)
    moved = fresh(game).deadline
    assert moved
    assert game.deadline
    assert moved > game.deadline
    for name in ("Flora", "Gaspard", OBSERVER):
        page = client_of(name).get(at(game)).text
        assert "a repoussé l’échéance de cette phase" in page
        assert "Échéance repoussée au" in page.replace("\u00a0", " ")
    assert GameLogEntry.objects.get(kind="put_off").facts["due"] == moved.isoformat()
    assert GameLogEntry.objects.get(kind="put_off").person is None


def test_nothing_is_told_of_one_that_moves_nothing() -> None:
    game = opened()
    before = versions(game)
    announced(game, 40, 45)
    assert fresh(game).deadline == game.deadline
    assert "repoussé" not in client_of("Gaspard").get(at(game)).text
    assert not GameLogEntry.objects.filter(kind="put_off").exists()
    assert not Notification.objects.filter(kind="extended").exists()
    assert versions(game) == before  # no page but one’s own hears that anything has happened


def versions(game: Game) -> dict[str, int]:
    topics = [
        topic_versions.game_topic(game.key),
        *(topic_versions.person_topic(person(one).pk) for one in OTHERS[:3]),
    ]
    return dict(TopicVersion.objects.filter(topic__in=topics).values_list("topic", "version"))


def test_a_phase_that_opens_behind_an_absence_says_so() -> None:
    game = opened()
    assert game.deadline
    absence(game, game.deadline + timedelta(hours=1), game.deadline + 4 * DAY)
    assert "repoussé" not in client_of("Gaspard").get(at(game)).text
    Game.objects.filter(pk=game.pk).update(phase_opened_at=game.deadline, deadline=game.deadline + 6 * DAY)
    assert "a repoussé l’échéance de cette phase" in client_of("Gaspard").get(at(game)).text


def absence(game: Game, since: datetime, until: datetime) -> None:
    game.absences.create(person=person("Flora"), starts_at=since, ends_at=until)
    game_log.add_log_entry(
        game, "absence", by=person("Flora"), since=since.isoformat(), until=until.isoformat()
    )


def test_the_form_and_the_terms_say_who_reads_the_dates() -> None:
    page = client_of("Flora").get(at(opened())).text
    assert "Les autres joueurs ne voient pas ces dates, seulement" in page
    assert "Les autres joueurs voient ce que fait l’échéance, pas les dates." in page
    open_game = client_of("Flora").get(at(opened(anonymity=Anonymity.OPEN))).text
    assert "Les autres joueurs voient ce que fait l’échéance" not in open_game
