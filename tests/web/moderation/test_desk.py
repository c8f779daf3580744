"""The moderators' desk: whose it is, what is done there, what those whom it concerns read and may do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct import bans
from talleyrand.web.conduct.models import Measure, ModerationEntry, Moderator, Report
from talleyrand.web.games.finding_models import QueuePlace
from talleyrand.web.games.lobby import player_queues
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole
from talleyrand.web.moderation import views
from talleyrand.web.monitoring import retention
from talleyrand.web.notifications.models import Notification
from tests.web.cast import MASTER, STRANGER, client_of, person, table
from tests.web.games.acting import hand_in
from tests.web.games.tables import at, fill, made, refused, roles, words
from tests.web.moderation.reporting import BAD, DESK, MODERATOR, act, letter, moderator, report, reported
from tests.web.press.post import send

pytestmark = pytest.mark.django_db
PEOPLE = f"{DESK}personnes/?name="
OWN = "/compte/avertissements/"
REASON = "zz-motif-dit"


@pytest.fixture
def game(db: None) -> Game:
    return table()


def ban(name: str = "Roman", days: int = 7) -> None:
    person(name)
    answer = moderator().post(f"{PEOPLE}{name}", {"act": "ban", "text": REASON, "days": days})
    assert answer.status_code == 302


def test_for_all_others_there_is_no_desk(game: Game) -> None:
    found = reported(game)
    pages = (DESK, f"{DESK}journal/", f"{PEOPLE}Roman", f"{DESK}{found.key}/", f"{DESK}{'x' * 16}/")
    for client in (Client(), client_of("Flora"), client_of("Roman"), client_of(MASTER)):
        assert [client.get(page).status_code for page in pages] == [404] * len(pages)
        assert client.post(pages[3], {"act": "ban", "text": "x", "days": 365}).status_code == 404
    assert [moderator().get(page).status_code for page in pages] == [200] * 4 + [404]
    assert not ModerationEntry.objects.exists()


def test_whoever_is_in_the_game_leaves_it_to_another(game: Game) -> None:
    """A moderator who plays would read who plays what, and the messages of others; also from the log."""
    found = reported(game)
    act(found, "warn", REASON)
    second = report(game, letter(game, "encore"))
    assert second.status_code == 302
    for name in ("Théa", MASTER, "Roman", "Flora"):
        Moderator.objects.create(person=person(name))
        client = client_of(name)
        told = words(client.get(DESK))
        assert "1 signalement vous concerne" in told
        assert client.get(f"{DESK}{found.key}/").status_code == 404
        pages = [told, words(client.get(f"{DESK}journal/")), words(client.get(f"{PEOPLE}Roman"))]
        assert not [page for page in pages if BAD in page or REASON in page]


def test_a_report_is_read_and_closed_once(game: Game) -> None:
    found = reported(game, remark="zz-remarque")
    page = words(moderator().get(f"{DESK}{found.key}/"))
    assert [one for one in (BAD, "zz-remarque", "Roman", "Flora", "Russie") if one not in page] == []
    assert act(found, "note", "zz-note").status_code == 302
    assert act(found, "dismiss").status_code == 302
    assert act(found, "dismiss").status_code == 302  # the same press twice
    refused(act(found, "warn", "trop tard"), "a clos ce signalement")
    assert act(found, "note", "encore").status_code == 302
    assert list(found.entries.order_by("pk").values_list("kind", flat=True)) == ["note", "dismiss", "note"]
    assert "Aucun signalement" in words(moderator().get(DESK))
    assert not Measure.objects.exists()
    assert not Notification.objects.filter(person=person("Roman"), topic="conduct").exists()


def test_a_warning_reaches_its_person_without_the_moderator_s_name(game: Game) -> None:
    found = reported(game)
    for _twice in range(2):
        assert act(found, "warn", REASON).status_code == 302
    assert Measure.objects.count() == 1
    told = Notification.objects.get(person=person("Roman"), kind="warned")
    assert told.path == OWN
    page = words(client_of("Roman").get(OWN))
    assert REASON in page
    assert MODERATOR not in page
    assert "Flora" not in page
    assert REASON not in words(client_of("Flora").get(OWN))
    assert send(game, "Roman", ["FRANCE"], "je peux écrire").status_code == 302


@pytest.mark.parametrize(
    "sent", [{}, {"act": "hang"}, {"act": "warn"}, {"act": "ban", "text": "x"}, {"act": "note"}]
)
def test_bad_answers_do_nothing(game: Game, sent: dict[str, Any]) -> None:
    found = reported(game)
    answer = moderator().post(f"{DESK}{found.key}/", sent)
    assert answer.status_code == (409 if sent else 200)
    assert not ModerationEntry.objects.exists()
    assert Report.objects.get().outcome == ""


@pytest.mark.parametrize("days", ["0", "-1", "2", "36500", "x", "\0"])
def test_a_ban_lasts_as_long_as_is_offered(days: str) -> None:
    person("Roman")
    answer = moderator().post(f"{PEOPLE}Roman", {"act": "ban", "text": "x", "days": days})
    assert answer.status_code == 409
    assert not Measure.objects.exists()


def test_a_ban_bars_new_games_and_messages_to_players(game: Game) -> None:
    waiting, open_game = made(), made("Flora")
    fill(waiting, ["Roman"])
    player_queues.join_queue("silent", person("Roman"), timezone.now())
    ban()
    assert "Roman" not in roles(waiting)
    assert not QueuePlace.objects.exists()
    roman = client_of("Roman")
    refused(roman.post(at(open_game, "rejoindre/")), "Vous ne pouvez entrer dans aucune autre partie")
    with pytest.raises(LobbyRefusal, match="banned"):
        player_queues.join_queue("silent", person("Roman"), timezone.now())
    count = Game.objects.count()
    roman.post("/parties/nouvelle/", {"kind": "friends", "name": "À moi"})
    assert Game.objects.count() == count
    answer = send(game, "Roman", ["FRANCE"], "zz-gardé")
    refused(answer, "seulement au maître de jeu")
    assert "zz-gardé" in words(answer)  # nothing typed is lost
    assert send(game, "Roman", ["@"], "pardon").status_code == 302


def test_who_was_in_the_game_lifts_no_ban_that_came_of_it(game: Game) -> None:
    act(reported(game), "ban", REASON, days="7")
    Moderator.objects.create(person=person("Flora"))
    answer = client_of("Flora").post(f"{PEOPLE}Roman", {"act": "lift"})
    assert answer.status_code == 409
    assert bans.running_ban(person("Roman"))
    assert moderator().post(f"{PEOPLE}Roman", {"act": "lift"}).status_code == 302
    assert bans.running_ban(person("Roman")) is None


def test_games_that_run_go_on(game: Game) -> None:
    ban()
    assert roles(game)["Roman"] == GameRole.PLAYER
    assert hand_in(game, "RUSSIA", ["A MOS-UKR"], by=person("Roman")).submitted_by == person("Roman")


def test_a_ban_ends_by_itself_and_may_be_lifted() -> None:
    ban(days=1)
    assert bans.running_ban(person("Roman"))
    Measure.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert bans.running_ban(person("Roman")) is None
    assert "terminée" in words(client_of("Roman").get(OWN))
    ModerationEntry.objects.update(at=timezone.now() - timedelta(days=2))
    ban(days=30)
    assert "vous ne pouvez ni rejoindre ni créer" in words(client_of("Roman").get(OWN))
    assert moderator().post(f"{PEOPLE}Roman", {"act": "lift"}).status_code == 302
    assert bans.running_ban(person("Roman")) is None
    assert Notification.objects.filter(person=person("Roman"), kind="ban_lifted").count() == 1


def test_nobody_judges_themselves_and_no_administrator_is_banned() -> None:
    person("Agathe", is_administrator=True)
    refused(moderator().post(f"{PEOPLE}Agathe", {"act": "ban", "text": "x", "days": 7}), "administrateur")
    refused(moderator().post(f"{PEOPLE}{MODERATOR}", {"act": "note", "text": "x"}), "Cela vous concerne")
    assert "Personne ici n’a ce nom" in words(moderator().get(f"{PEOPLE}Nemo", follow=True))


def test_what_was_done_about_a_moderator_is_for_the_others() -> None:
    """Neither who warned them, nor what others noted; they read the warning itself like everybody."""
    moderator()
    Moderator.objects.create(person=person("Nora"))
    for kind, text in (("warn", "zz-averti"), ("note", "zz-note")):
        client_of("Nora").post(f"{PEOPLE}{MODERATOR}", {"act": kind, "text": text})
    pages = [words(moderator().get(page)) for page in (f"{DESK}journal/", f"{PEOPLE}{MODERATOR}")]
    assert not [page for page in pages if "Nora" in page or "zz-note" in page]
    assert "zz-averti" in words(moderator().get(OWN))
    others = words(client_of("Nora").get(f"{DESK}journal/"))
    assert "zz-note" in others


def test_a_record_tells_nothing_of_the_reader_s_own_affairs(game: Game) -> None:
    """Neither that a report of their game was closed, nor that a ban came of it."""
    act(reported(game), "ban", REASON, days="7")
    Moderator.objects.create(person=person("Flora"))
    seen, others = (words(who.get(f"{PEOPLE}Roman")) for who in (client_of("Flora"), moderator()))
    assert "1 signalement clos" in others
    assert 'value="lift"' in others
    assert "signalement clos" not in seen
    assert 'value="lift"' not in seen


def test_what_is_much_comes_in_pages(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ON_A_PAGE", 2)
    for number in range(3):
        report(game, letter(game, f"zz {number}"))
        person("Nora")
        moderator().post(f"{PEOPLE}Nora", {"act": "warn", "text": f"zz-{number}-dit"})
    first, second = (words(moderator().get(f"{DESK}?page={at}")) for at in (1, 2))
    assert (first.count("La table ronde"), second.count("La table ronde")) == (2, 1)
    assert "Page 1 sur 2" in first
    record, rest = (words(moderator().get(f"{PEOPLE}Nora&page={at}")) for at in ("1", "2"))
    assert ("zz-2-dit" in record, "zz-0-dit" in record, "zz-0-dit" in rest) == (True, False, True)
    assert "1 mesure plus ancienne" in record
    assert "?name=Nora&amp;page=2" in record
    assert "1 mesure plus ancienne" in words(client_of("Nora").get(OWN))
    for odd in ("0", "x", "9" * 30, ""):
        assert moderator().get(f"{DESK}?page={odd}").status_code == 200


def test_a_moderator_is_named_with_their_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(**_about: Any) -> None:
        raise DatabaseError("full")

    person("Agathe", is_administrator=True)
    agathe = client_of("Agathe")
    agathe.raise_request_exception = False
    person(STRANGER)
    monkeypatch.setattr(ModerationEntry.objects, "create", full)
    assert agathe.post(f"{DESK}moderateurs/", {"name": STRANGER, "action": "add"}).status_code >= 500
    assert not Moderator.objects.exists()


def test_administrators_name_moderators() -> None:
    person("Agathe", is_administrator=True)
    person(STRANGER)
    agathe, place = client_of("Agathe"), f"{DESK}moderateurs/"
    for name in (STRANGER, STRANGER, "Nemo", "\0"):
        assert agathe.post(place, {"name": name, "action": "add"}).status_code == 302
    assert [one.person.name for one in Moderator.objects.all()] == [STRANGER]
    assert moderator().post(place, {"name": "Flora", "action": "add"}).status_code == 404
    agathe.post(place, {"name": STRANGER, "action": "remove"})
    assert client_of(STRANGER).get(DESK).status_code == 404
    kinds = ModerationEntry.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["named", "unnamed"]


def test_it_is_exported_and_goes_with_the_account(game: Game) -> None:
    act(reported(game), "ban", REASON, days=7)
    kept = personal_data.export_personal_data(person("Roman"))["conduct"]["measures"]
    assert [one["reason"] for one in kept] == [REASON]
    own = personal_data.export_personal_data(person(MODERATOR))["conduct"]["moderation"]
    assert [(one["kind"], one["text"]) for one in own] == [("ban", REASON)]
    personal_data.delete_account(person(MODERATOR))
    assert ModerationEntry.objects.get().by is None
    assert "compte supprimé" in _log()
    personal_data.delete_account(person("Roman"))
    assert not Measure.objects.exists()
    assert not ModerationEntry.objects.exists()


def _log() -> str:
    person("Agathe2", is_administrator=True)
    return words(client_of("Agathe2").get(f"{DESK}journal/"))


def test_what_is_over_is_deleted_after_two_years(game: Game) -> None:
    message = letter(game, "encore")
    act(reported(game), "ban", REASON, days=365)
    report(game, message)
    now = timezone.now()
    assert retention.prune(now + timedelta(days=729))["moderation"] == 0
    assert (
        retention.prune(now + timedelta(days=731))["moderation"] == 3
    )  # the report, its line, and who read it
    assert Measure.objects.exists()  # the ban ended a year later
    assert Report.objects.filter(outcome="").exists()
    assert retention.prune(now + timedelta(days=731 + 365))["moderation"] == 1
