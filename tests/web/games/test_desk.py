"""The pages of the desk: who may open them and act there, and what is answered to what makes no sense."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from talleyrand.web.boards import adjudicator as judge
from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.game_master import game_master_texts
from talleyrand.web.games.models import (
    Game,
    GameLogEntry,
    GameSeat,
    GameState,
    Invitation,
    OrderSet,
    PhaseRevision,
)
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, PLAYERS, client_of, person, table
from tests.web.games.desks import ROLES, act, hidden, on, page_of, played, position, said, send, visitor
from tests.web.press.post import room as room_of
from tests.web.press.post import send as write_to

pytestmark = pytest.mark.django_db

# Pages and acts, and whether an assistant is let in.
PAGES = {
    "": True,
    "rule/": False,
    "preview/": False,
    "adjudicate/": False,
    "back/": False,
    "correct/": False,
    "position/": False,
    "orders/FRANCE/": False,
    "seat/FRANCE/": False,
    "people/": False,
    "end/": False,
}
ACTS = {
    "extend/": True,
    "pause/": True,
    "resume/": True,
    "remind/": True,
    "retry/": True,
    "gazette/": True,
    "gazette/7/remove/": True,
    "rule/": False,
    "adjudicate/": False,
    "back/": False,
    "restore/": False,
    "correct/": False,
    "position/": False,
    "orders/FRANCE/": False,
    "seat/FRANCE/": False,
    "people/": False,
    "reveal/": False,
    "end/": False,
}


# who is let in


@pytest.mark.one_in(2)
@pytest.mark.parametrize("role", [*ROLES, "nobody"])
def test_who_may_open_a_page(role: str) -> None:
    game, client = played(), visitor(role)
    may = {path: role == "master" or (role == "assistant" and PAGES[path]) for path in PAGES}
    answers = {path: client.get(f"/parties/{game.key}/desk/{path}") for path in PAGES}
    opened = {path: answer.status_code for path, answer in answers.items()}
    assert opened == {path: 200 if may[path] else 404 for path in PAGES}
    for answer in answers.values():
        assert answer.status_code == 404 or "no-store" in answer["Cache-Control"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("role", [*ROLES, "nobody"])
def test_who_may_act(role: str) -> None:
    """With an empty form: whoever is let in gets a sentence, others are not told that there is a desk."""
    game, client = played(), visitor(role)
    before = Game.objects.values().get(pk=game.pk)
    may = {path: role == "master" or (role == "assistant" and ACTS[path]) for path in ACTS}
    answers = {path: act(game, path, {}, client).status_code for path in ACTS}
    assert {path for path, status in answers.items() if status == 404} == {p for p in ACTS if not may[p]}
    assert set(answers.values()) <= {200, 302, 400, 404, 409}
    if role not in ("master", "assistant"):
        assert Game.objects.values().get(pk=game.pk) == before
        assert PhaseRevision.objects.filter(game=game).count() == 2


def test_nothing_is_done_by_following_a_link() -> None:
    game, client = played(), client_of(MASTER)
    before = Game.objects.values().get(pk=game.pk)
    answers = {path: client.get(f"/parties/{game.key}/desk/{path}").status_code for path in ACTS}
    assert {path: 200 if path in PAGES else 405 for path in ACTS} == answers
    assert Game.objects.values().get(pk=game.pk) == before


@pytest.mark.long
def test_the_pages_are_there_in_english() -> None:
    game, client = played(), client_of(MASTER)
    for path in PAGES:
        answer = client.get(f"/en/games/{game.key}/desk/{path}")
        assert answer.status_code == 200, path
        assert 'lang="en"' in answer.text


@pytest.mark.long
@pytest.mark.parametrize("state", ["gathering", "abandoned", "unpublished"])
def test_every_page_answers_in_every_state(state: str) -> None:
    game, client = table(begun=state != "gathering"), client_of(MASTER)
    if state == "abandoned":
        act(game, "end/", {"action": "abandon"}, client)
    for path in PAGES:
        assert client.get(f"/parties/{game.key}/desk/{path}", follow=True).status_code == 200, path


def test_an_assistant_reads_no_order_and_no_name() -> None:
    game = played()
    send(game, "FRANCE", ["A Bou-Mun"])
    text = page_of(game, client=client_of(ASSISTANT))
    assert "envoyés" in text
    assert not [name for name in PLAYERS.values() if name in text]
    assert "Bou-Mun" not in text
    assert "Saisir des ordres" not in text
    assert "Flora" in page_of(game)


def test_an_assistant_reads_names_where_everybody_may() -> None:
    game = table(anonymity="open")
    assert "Flora" in page_of(game, client=client_of(ASSISTANT))


# dates


def test_extending_twice_by_a_double_click_extends_once() -> None:
    game = played()
    sent = {**hidden(page_of(game)), "how": "hours", "hours": "24"}
    assert game.deadline is not None
    for _ in range(2):
        assert act(game, "extend/", sent).status_code == 302
    assert Game.objects.get(pk=game.pk).deadline == game.deadline + timedelta(hours=24)
    assert Notification.objects.filter(kind="extended", person=person("Flora")).count() == 1
    assert GameLogEntry.objects.filter(kind="redated").count() == 1


NO_DATES: tuple[dict[str, str], ...] = (
    {},
    {"how": "hours"},
    {"how": "hours", "hours": "0"},
    {"how": "hours", "hours": "-3"},
    {"how": "hours", "hours": "9" * 30},
    {"how": "hours", "hours": "٣"},
    {"how": "until", "until": ""},
    {"how": "until", "until": "demain"},
    {"how": "until", "until": "2020-02-30T10:00"},
    {"how": "until", "until": "0001-01-01T00:00"},
    {"how": "until", "until": "9999-12-31T23:59"},
    {"how": "until", "until": "2001-01-01T00:00"},
)


@pytest.mark.long
def test_a_date_that_makes_no_sense_changes_nothing() -> None:
    game, client = played(), client_of(MASTER)
    due = game.deadline.isoformat() if game.deadline else ""
    for sent in NO_DATES:
        text = said(act(game, "extend/", {**sent, "due": due}, client), client)
        assert any(
            game_master_texts.game_master_refusal_text(code) in text for code in ("undated", "past")
        ), sent
        assert Game.objects.get(pk=game.pk).deadline == game.deadline
    for wrong in ("", "hier", "2020-02-30T10:00", "\x00"):
        text = said(act(game, "extend/", {"how": "hours", "hours": "5", "due": wrong}, client), client)
        assert game_master_texts.game_master_refusal_text("redated") in text
    assert Game.objects.get(pk=game.pk).deadline == game.deadline


@pytest.mark.parametrize("name", ["extend/", "resume/"])
def test_a_mistyped_year_moves_no_deadline(name: str) -> None:
    game, client = played(), client_of(MASTER)
    if name == "resume/":
        act(game, "pause/", {}, client)
    before = Game.objects.get(pk=game.pk).deadline
    until = f"{timezone.now() + timedelta(days=400):%Y-%m-%dT%H:%M}"
    due = before.isoformat() if before else ""
    text = said(act(game, name, {"how": "until", "until": until, "due": due}, client), client)
    assert game_master_texts.game_master_refusal_text("too_far") in text
    assert Game.objects.get(pk=game.pk).deadline == before


def test_a_deadline_typed_is_in_the_readers_zone() -> None:
    game = played()
    master = person(MASTER)
    master.time_zone = "America/Toronto"
    master.save()
    evening = (timezone.now() + timedelta(days=30)).astimezone(ZoneInfo("America/Toronto"))
    evening = evening.replace(hour=20, minute=0, second=0, microsecond=0)
    sent = {
        "how": "until",
        "until": f"{evening:%Y-%m-%dT%H:%M}",
        "due": game.deadline.isoformat() if game.deadline else "",
    }
    act(game, "extend/", sent)
    assert Game.objects.get(pk=game.pk).deadline == evening


def test_only_a_game_master_shortens() -> None:
    game = played()
    soon = (timezone.now() + timedelta(hours=30)).isoformat()
    sent = {"how": "until", "until": soon, "due": game.deadline.isoformat() if game.deadline else ""}
    act(game, "extend/", sent, client_of(ASSISTANT))
    assert Game.objects.get(pk=game.pk).deadline == game.deadline
    act(game, "extend/", sent)
    assert Game.objects.get(pk=game.pk).deadline != game.deadline


def test_a_deadline_a_minute_from_now_is_asked_about_first() -> None:
    game = played()
    soon = (timezone.now() + timedelta(minutes=3)).isoformat()
    sent = {"how": "until", "until": soon, "due": game.deadline.isoformat() if game.deadline else ""}
    asked = act(game, "extend/", sent).text.replace("\u00a0", " ")
    assert "c’est dans 2 minutes" in asked
    assert "Ordres manquants : Autriche" in asked
    assert "Une échéance si proche ?" in asked
    assert Game.objects.get(pk=game.pk).deadline == game.deadline
    at_once = {**sent, "until": (timezone.now() + timedelta(seconds=50)).isoformat()}
    assert ": dans moins d’une minute." in act(game, "extend/", at_once).text.replace("\u00a0", " ")
    act(game, "extend/", {**sent, "confirmed": "1"})
    assert Game.objects.get(pk=game.pk).deadline != game.deadline


def test_what_comes_later_than_everybody_knows_is_not_asked_about() -> None:
    game, now = played(), timezone.now()
    Game.objects.filter(pk=game.pk).update(deadline=now + timedelta(minutes=2))
    later = {"how": "until", "until": (now + timedelta(minutes=7)).isoformat()}
    act(game, "extend/", {**later, "due": (now + timedelta(minutes=2)).isoformat()})
    assert Game.objects.get(pk=game.pk).deadline == now + timedelta(minutes=7)
    Game.objects.filter(pk=game.pk).update(deadline=now - timedelta(minutes=2))
    sent = {"how": "until", "until": (now + timedelta(minutes=9)).isoformat()}
    over = {**sent, "due": (now - timedelta(minutes=2)).isoformat()}
    assert "Une échéance si proche" in act(game, "extend/", over, client_of(ASSISTANT)).text


def test_a_game_that_goes_on_for_minutes_is_asked_about_first() -> None:
    game = played()
    act(game, "pause/", {})
    sent = {"until": (timezone.now() + timedelta(minutes=5)).isoformat()}
    asked = act(game, "resume/", sent).text
    assert "Une échéance si proche" in asked
    assert ">Reprendre la partie</button>" in asked
    assert Game.objects.get(pk=game.pk).state == "paused"
    act(game, "resume/", {**sent, "confirmed": "1"})
    assert Game.objects.get(pk=game.pk).state == "playing"


def test_pause_and_go_on() -> None:
    game = played()
    for path, state in (
        ("pause/", "paused"),
        ("pause/", "paused"),
        ("resume/", "playing"),
        ("resume/", "playing"),
    ):
        act(game, path, {}, client_of(ASSISTANT))
        assert Game.objects.get(pk=game.pk).state == state
    assert [one.kind for one in GameLogEntry.objects.filter(role="assistant")] == ["paused", "resumed"]


def test_the_missing_are_reminded_once() -> None:
    game = played()
    send(game, "FRANCE", ["A Esp H"])
    for _ in range(2):
        act(game, "remind/", {"number": "2"}, client_of(ASSISTANT))
    reminded = set(Notification.objects.filter(kind="missing").values_list("person__name", flat=True))
    assert reminded == set(PLAYERS.values()) - {"Flora"}
    assert Notification.objects.filter(kind="missing").count() == 6
    assert GameLogEntry.objects.get(kind="reminded").facts == {"phase": "F1901M"}


@pytest.mark.long
def test_another_rule_for_the_dates() -> None:
    game = played()
    text = page_of(game, "rule/")
    assert "72" in text
    sent = {
        "dates-pace": "every",
        "dates-length": "24 h",
        "dates-zone": "Europe/Paris",
        "dates-early": "never",
    }
    answer = act(game, "rule/", sent)
    assert answer.status_code == 302, answer.text
    game.refresh_from_db()
    assert game.settings.rhythm["early"] is False
    due = game.deadline
    act(game, "rule/", {**sent, "follow": "1"})
    game.refresh_from_db()
    assert game.deadline != due
    soon, due = {**sent, "dates-length": "10 min", "follow": "1"}, game.deadline
    asked = act(game, "rule/", soon).text
    assert "Une échéance si proche" in asked
    assert Game.objects.get(pk=game.pk).deadline == due
    assert '<input type="hidden" name="dates-length" value="10 min">' in asked
    act(game, "rule/", {**soon, "confirmed": "1"})
    game.refresh_from_db()
    assert game.deadline is not None
    assert game.deadline - timezone.now() < timedelta(minutes=11)
    refused = act(game, "rule/", {**sent, "dates-length": "une éternité"})
    assert refused.status_code == 400
    assert "une éternité" in refused.text


# judging


def test_a_preview_publishes_nothing_and_says_so() -> None:
    game = played()
    send(game, "FRANCE", ["A Esp-Por"])
    text = page_of(game, "preview/")
    assert "Aperçu" in text
    assert "A Espagne - Portugal" in text
    assert PhaseRevision.objects.filter(game=game).count() == 2
    assert Game.objects.get(pk=game.pk).phase_number == 2


def test_judging_now_asks_first_and_names_the_missing() -> None:
    game = played()
    send(game, "FRANCE", ["A Esp-Por"])
    text = page_of(game, "adjudicate/")
    assert "Turquie" in text
    sent = hidden(text)
    for _ in range(2):
        act(game, "adjudicate/", sent)
    game.refresh_from_db()
    assert game.phase_number == 3
    assert PhaseRevision.objects.filter(game=game, is_current=True).count() == 3


def test_taking_back_warns_of_sheets_for_the_open_phase() -> None:
    game = played()
    assert "desk-warning" not in page_of(game, "back/")
    send(game, "FRANCE", ["A Esp-Por"])
    text = page_of(game, "back/")
    assert "desk-warning" in text
    for _ in range(2):
        act(game, "back/", hidden(text))
    game.refresh_from_db()
    assert (game.phase_number, game.phase) == (1, "S1901M")
    assert OrderSet.objects.get(game=game, phase_number=2).withdrawn_at is not None


# the table of what waits


def test_what_waits_stands_on_top() -> None:
    game = played()
    Game.objects.filter(pk=game.pk).update(
        adjudication_error="fault", next_check_at=None, deadline=timezone.now() - timedelta(hours=1)
    )
    GameSeat.objects.get(game=game, power="TURKEY").tenures.update(ended_at=timezone.now())
    text = page_of(game)
    for kind in ("trouble", "waiting", "vacant"):
        assert f'class="task {kind}"' in text
    act(game, "retry/", {})
    assert Game.objects.get(pk=game.pk).adjudication_error == ""


@pytest.mark.long
def test_sheets_that_no_longer_fit_stand_on_top() -> None:
    game = played()
    send(game, "GERMANY", ["A Mun-Ruh"])
    text = position(game).replace("A Munich", "A Silésie")
    sent = {**on(game), "text": text, "reason": "Vu de travers."}
    shown = act(game, "position/", {**sent, "action": "look"})
    assert "Allemagne" in shown.text.partition('id="changes"')[2]
    act(game, "position/", {**sent, "seen": hidden(shown.text)["seen"], "action": "save"})
    assert 'class="task misfits"' in page_of(game)
    assert 'class="task misfits"' not in page_of(game, client=client_of(ASSISTANT))


@pytest.mark.long
def test_a_position_that_cannot_be_judged_is_mended_at_the_desk() -> None:
    """Two units in one place, by whatever fault: the desk opens, says so, and another position helps."""
    game, client = played(), client_of(MASTER)
    send(game, "GERMANY", ["A Mun-Ruh"])
    last = PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    assert last.next_situation is not None
    units = {**last.next_situation["units"], "ITALY": [*last.next_situation["units"]["ITALY"], "A MUN"]}
    PhaseRevision.objects.filter(pk=last.pk).update(next_situation={**last.next_situation, "units": units})
    Game.objects.filter(pk=game.pk).update(adjudication_error="refused", next_check_at=None)
    assert 'class="task trouble"' in page_of(game, client=client)
    for path in ("preview/", "adjudicate/", "orders/FRANCE/", "back/", "correct/", "seat/FRANCE/"):
        assert client.get(f"/parties/{game.key}/desk/{path}", follow=True).status_code == 200, path
    assert act(game, "adjudicate/", {"number": "2"}, client).status_code == 302
    assert Game.objects.get(pk=game.pk).phase_number == 2
    text = re.sub("(Italie : .*), A Munich", r"\1", position(game))
    sent = {**on(game), "text": text, "reason": "Une armée de trop."}
    shown = act(game, "position/", {**sent, "action": "look"}, client)
    assert shown.status_code == 200, shown.text
    act(game, "position/", {**sent, "seen": hidden(shown.text)["seen"], "action": "save"}, client)
    game.refresh_from_db()
    assert game.adjudication_error == ""
    phase_adjudication.adjudicate_phase(game, 2, timezone.now())


def test_a_fault_of_the_judge_is_told_at_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    game, client = played(), client_of(MASTER)
    send(game, "GERMANY", ["A Mun-Ruh"])

    def broken(*_anything: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(judge, "adjudicate", broken)
    monkeypatch.setattr(judge, "read_orders", broken)
    preview = client.get(f"/parties/{game.key}/desk/preview/")
    assert game_master_texts.game_master_refusal_text("unjudged") in said(preview, client)
    assert game_master_texts.game_master_refusal_text("unjudged") in said(
        act(game, "adjudicate/", {"number": "2"}, client), client
    )
    assert Game.objects.get(pk=game.pk).phase_number == 2
    act(game, "back/", on(game))
    assert Game.objects.get(pk=game.pk).phase_number == 1


def test_a_link_gives_a_free_seat() -> None:
    game = played()
    act(game, "seat/FRANCE/", {"action": "invite"})
    assert not Invitation.objects.exists()
    mark = hidden(page_of(game, "seat/FRANCE/"))["mark"]
    act(game, "seat/FRANCE/", {"action": "vacate", "mark": mark, "confirmed": "1"})
    for _ in range(2):
        act(game, "seat/FRANCE/", {"action": "invite"})
    link = Invitation.objects.get(revoked_at=None)
    assert link.token in page_of(game, "seat/FRANCE/")
    assert Game.objects.get(pk=game.pk).state == GameState.PLAYING


@pytest.mark.long
def test_a_message_to_the_game_master_is_a_task_until_it_is_read() -> None:
    game = played()
    write_to(game, MASTER, "*", "À tous")
    write_to(game, PLAYERS["FRANCE"], "*", "À tous aussi")
    write_to(game, PLAYERS["FRANCE"], "GERMANY", "Entre nous")
    assert "Rien à faire." in page_of(game)
    for text in ("Un", "Deux"):
        write_to(game, PLAYERS["FRANCE"], "@", text)
    write_to(game, PLAYERS["ITALY"], "@", "Trois")
    page = page_of(game)
    assert "Rien à faire." not in page
    assert "France\u00a0: 2 messages non lus." in page
    assert "Italie\u00a0: 1 message non lu." in page
    assert "message non lu" not in page_of(game, client=client_of(ASSISTANT))
    assert "messages non lus" not in page_of(game, client=client_of(ASSISTANT))
    place = f"/parties/{game.key}/messages/{room_of(game, 'FRANCE+@').key}/"
    assert f'href="{place}#new"' in page
    client_of(MASTER).get(place)
    assert "France\u00a0: 2" not in page_of(game)
