"""Reporting a message: who may, what goes with it, and that nobody else learns of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct import reports
from talleyrand.web.conduct.models import Moderator, Report
from talleyrand.web.games.models import Game
from talleyrand.web.notifications.models import Notification
from tests.web.cast import MASTER, client_of, person, table
from tests.web.games.tables import words
from tests.web.moderation.reporting import BAD, MODERATOR, letter, moderator, report, report_path, reported
from tests.web.press.post import address, room, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> Game:
    return table()


def test_a_report_holds_what_its_reporter_could_read(game: Game) -> None:
    """The message between those around it in its conversation, and nothing of any other."""
    for number in range(8):
        send(game, "Flora", ["RUSSIA"], f"avant {number}")
    send(game, "Roman", ["TURKEY"], "zz-secret-turc")
    found = reported(game, remark=" Toujours ainsi. ")
    told = [(one["signature"], one["text"]) for one in found.excerpt]
    assert told == [*(("France", f"avant {number}") for number in range(3, 8)), ("Russie", BAD)]
    assert [one["is_reported"] for one in found.excerpt] == [False] * 5 + [True]
    assert (found.accused, found.reporter, found.remark) == (
        person("Roman"),
        person("Flora"),
        "Toujours ainsi.",
    )


def test_a_moderator_reads_signatures_in_their_language_and_whose_the_remark_is(game: Game) -> None:
    found = reported(game, remark="Toujours ainsi.")
    desk = moderator()
    for prefix, signature in (("", "Russie"), ("/en", "Russia")):
        page = desk.get(f"{prefix}/moderation/{found.key}/").text
        assert f'<strong class="signature">{signature}</strong>' in page
        assert "<strong>Flora</strong></p><blockquote" in page
    before = [{name: told for name, told in one.items() if name != "signatures"} for one in found.excerpt]
    Report.objects.update(excerpt=before)
    assert ">Russie</strong>" in desk.get(f"/en/moderation/{found.key}/").text


@pytest.mark.parametrize("who", ["Roman", "Théa", "Sylvain"])
def test_for_its_writer_and_those_who_cannot_read_it_there_is_no_page(game: Game, who: str) -> None:
    message = letter(game)
    assert client_of(who).get(report_path(game, message)).status_code == 404
    assert report(game, message, by=who).status_code == 404
    assert Client().get(report_path(game, message)).status_code == 302
    assert not Report.objects.exists()


def test_the_link_is_beside_what_others_wrote_alone(game: Game) -> None:
    place = address(game, f"{letter(game).conversation.key}/")
    assert "/signaler/" in client_of("Flora").get(place).content.decode()
    assert "/signaler/" in client_of(MASTER).get(place).content.decode()
    assert "/signaler/" not in client_of("Roman").get(place).content.decode()


def test_twice_is_once_and_moderators_are_told_without_names(game: Game) -> None:
    Moderator.objects.create(person=person(MODERATOR))
    Moderator.objects.create(person=person("Roman"))
    message = letter(game)
    assert [report(game, message).status_code for _twice in range(2)] == [302, 302]
    assert Report.objects.count() == 1
    told = Notification.objects.filter(kind="reported")
    assert [one.person.name for one in told] == [MODERATOR]  # not who is accused
    assert not {"Roman", "Flora", BAD} & set(map(str, told.get().facts.values()))


@pytest.mark.parametrize(
    "sent", [{"reason": ""}, {"reason": "grudge"}, {"reason": "spam", "remark": "x" * 1001}, {"remark": "\0"}]
)
def test_bad_answers_get_a_sentence_and_lose_nothing(game: Game, sent: dict[str, str]) -> None:
    answer = report(game, letter(game), **sent)
    assert answer.status_code == 400
    assert 'class="wrong"' in words(answer)
    assert BAD in words(answer)
    assert not Report.objects.exists()


def test_so_many_a_day(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_A_DAY", 1)
    reported(game)
    answer = report(game, letter(game, "encore"))
    assert answer.status_code == 429
    assert "continuez demain" in words(answer)


def test_nobody_learns_that_something_was_reported(game: Game) -> None:
    """The one who wrote it, and the others, read the pages that they read before."""
    other = letter(game, "autre", to="TURKEY")
    place = address(game, f"{letter(game).conversation.key}/")
    before = _main(client_of("Roman").get(place))
    report(game, other, by="Théa")
    report(game, room(game, "FRANCE+RUSSIA").letters.get(), remark="zz-remarque")
    assert _main(client_of("Roman").get(place)) == before
    assert not Notification.objects.filter(person=person("Roman"), topic="conduct").exists()
    exported = str(personal_data.export_personal_data(person("Roman"))["conduct"])
    assert "zz-remarque" not in exported
    assert "Flora" not in exported


def _main(answer: Any) -> str:
    return str(answer.content.decode().partition("data-live")[2].partition("</ol>")[0])


def test_it_is_exported_and_goes_with_either_account(game: Game) -> None:
    moderator()
    found = reported(game, remark="zz-remarque")
    kept = personal_data.export_personal_data(person("Flora"))["conduct"]["reports"]
    assert [one["remark"] for one in kept] == ["zz-remarque"]
    personal_data.delete_account(person("Flora"))
    found.refresh_from_db()
    assert (found.reporter, found.remark) == (None, "")
    assert moderator().get(f"/moderation/{found.key}/").status_code == 200
    personal_data.delete_account(person("Roman"))
    found.refresh_from_db()
    assert (found.accused, bool(found.pseudonym)) == (None, True)
