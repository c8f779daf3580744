"""Comments of onlookers: no player reads one before the end, and nobody writes without end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct.models import Measure, MeasureKind, ModerationEntry, Moderator, Report
from talleyrand.web.games import game_lifecycle, power_assignments
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.onlookers import comments
from talleyrand.web.onlookers.models import OnlookerComment
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.games.playing import played, running
from tests.web.visibility import calls, places
from tests.web.visibility.scene import Scene, _mails, _programs
from tests.web.visibility.test_matrix import read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
SAID = "zz-said <b>of France</b>"
KNOWN = "zz-said"


def commented(**terms: Any) -> Game:
    game = running(**terms)
    comments.write_comment(GameViewer(game, cast.person(cast.STRANGER)), SAID, "a key")
    return game


def page(game: Game, who: str, **sent: str) -> Any:
    client = cast.client_of(who) if who else Client()
    path = f"/parties/{game.key}/commentaires/"
    return client.post(path, sent) if sent else client.get(path)


def test_onlookers_and_the_game_master_read_them() -> None:
    game = commented()
    for who in (cast.STRANGER, cast.OBSERVER, cast.MASTER):
        answer = page(game, who)
        assert KNOWN in answer.text, who
        assert "<b>of" not in answer.text
    assert "Printemps 1901" in page(game, cast.OBSERVER).text


@pytest.mark.parametrize("who", ["", "Flora", cast.ASSISTANT])
def test_nobody_else_does_before_the_end(who: str) -> None:
    game = commented()
    assert page(game, who).status_code == 404
    assert page(game, who, text="zz-mine").status_code == 404
    assert OnlookerComment.objects.count() == 1


@pytest.mark.parametrize("who", ["Flora", cast.ASSISTANT, "Roman", ""])
def test_no_way_leads_a_player_to_them(who: str, settings: Any) -> None:
    """Every address of the game, its files and feeds, one’s data, and the API; Roman has left."""
    settings.API_RATES = dict.fromkeys(settings.API_RATES, (10**9, 60))
    game = commented()
    played(game)
    scene = Scene(game)
    _programs(scene)
    _mails(scene)
    membership_actions.leave_game(game, cast.person("Roman"))
    client = cast.client_of(who) if who else Client()
    known = [path for path in places.every(scene.fresh()) if not path.endswith((".png", ".pdf", ".apng"))]
    texts = {path: read(client, path) for path in known if game.key in path or "donnees" in path}
    assert f"/parties/{game.key}/commentaires/" in texts
    asking = program(who) if who else Program()
    for line in calls.lines():
        for path in calls.addresses(line, scene.fresh()) if line.method == "GET" else ():
            answer = asking.get(path)
            texts[f"API {path}"] = answer.content.decode()
    assert [path for path, text in texts.items() if KNOWN in text] == []


def test_whoever_sits_down_reads_no_more() -> None:
    game = commented()
    membership_actions.leave_game(game, cast.person("Edmond"))
    assert KNOWN in page(game, cast.STRANGER).text
    membership_actions.join_game(game, cast.person(cast.STRANGER), power="ENGLAND")
    assert page(game, cast.STRANGER).status_code == 404
    assert page(game, "Edmond").status_code == 404, "who has played knows more than onlookers"
    power_assignments.assign_power(game, "FRANCE", cast.person(cast.OBSERVER), stand_in=True)
    assert page(game, cast.OBSERVER).status_code == 404


def test_who_is_banned_writes_none() -> None:
    game, ends = commented(), timezone.now() + timedelta(days=1)
    ban = Measure.objects.create(
        person=cast.person(cast.STRANGER), kind=MeasureKind.BAN, reason="zz", ends_at=ends
    )
    answer = page(game, cast.STRANGER, text="zz-still")
    assert answer.status_code == 409
    assert "zz-still" in answer.text, "nothing typed is lost"
    assert OnlookerComment.objects.count() == 1
    ban.delete()
    assert page(game, cast.STRANGER, text="zz-again").status_code == 302


def test_all_read_them_once_the_game_is_over() -> None:
    game = commented()
    game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    for who in ("", "Flora", cast.ASSISTANT):
        assert KNOWN in page(game, who).text
    assert page(game, cast.STRANGER, text="zz-late").status_code == 409
    assert OnlookerComment.objects.count() == 1


def test_a_hidden_game_and_one_for_participants_have_none() -> None:
    game = running(watching="invited")
    assert page(game, cast.STRANGER).status_code == 404
    assert page(game, cast.OBSERVER, text="zz").status_code == 302, "invited to look on"


def test_writing_and_taking_back() -> None:
    game = running()
    answer = page(game, cast.STRANGER, text="  Bien  joué\u202e !  ", submission="s" * 22)
    assert answer.status_code == 302
    page(game, cast.STRANGER, text="Bien joué !", submission="s" * 22)
    (kept,) = OnlookerComment.objects.all()
    assert (kept.text, kept.phase) == ("Bien  joué !", "S1901M")
    gone = f"/parties/{game.key}/commentaires/supprimer/"
    for who, left in ((cast.OBSERVER, 1), ("Flora", 1), (cast.STRANGER, 0), (cast.STRANGER, 0)):
        for number in (str(kept.pk), "", "x", "9" * 40):
            cast.client_of(who).post(gone, {"comment": number})
        assert OnlookerComment.objects.count() == left, who


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Écrivez d’abord"),
        ("\u200b \n", "Écrivez d’abord"),
        ("é" * 1001, "caractères au plus"),
        ("x" * 9000, "caractères au plus"),
        ("\N{REPLACEMENT CHARACTER}", "abîmé"),
    ],
)
def test_what_is_not_taken(text: str, said: str) -> None:
    answer = page(running(), cast.STRANGER, text=text)
    assert answer.status_code == 409
    assert said in answer.text
    assert not OnlookerComment.objects.exists()


def test_there_is_an_end_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comments, "MOST_OF_PERSON", 1)
    game = commented()
    answer = page(game, cast.STRANGER, text="Encore")
    assert answer.status_code == 409
    assert "trop de commentaires" in answer.text
    assert page(game, cast.OBSERVER, text="Moi aussi").status_code == 302


def test_they_are_in_one_s_data_and_go_with_the_account() -> None:
    game = commented()
    mine = cast.person(cast.STRANGER)
    told = personal_data.export_personal_data(mine)["onlooking"]["comments"]
    assert [(one["game"], one["text"]) for one in told] == [(game.key, SAID)]
    personal_data.delete_account(mine)
    assert not OnlookerComment.objects.exists()


# what is not to be there


def gone(game: Game, who: str) -> int:
    """How many comments still have a text once somebody has pressed the button."""
    number = str(OnlookerComment.objects.get().pk)
    cast.client_of(who).post(f"/parties/{game.key}/commentaires/supprimer/", {"comment": number})
    return OnlookerComment.objects.filter(removed_at=None).count()


@pytest.mark.parametrize("is_over", [False, True])
def test_the_game_master_and_moderators_remove_them(is_over: bool) -> None:
    """Nobody else does, nor a moderator who plays there, before the end or after."""
    game = commented()
    if is_over:
        game_lifecycle.end_game(game, {"kind": "over", "powers": []}, timezone.now())
    Moderator.objects.create(person=cast.person("Flora"))
    for who in ("Flora", "Gaspard", cast.ASSISTANT, cast.OBSERVER):
        assert gone(game, who) == 1, who
    assert gone(game, cast.MASTER) == 0
    assert KNOWN not in page(game, cast.MASTER).text
    assert "Retiré par le maître de jeu" in page(game, cast.OBSERVER).text
    assert game.log.filter(kind="comment_removed", is_public=False).count() == 1
    OnlookerComment.objects.update(removed_at=None)
    Moderator.objects.create(person=cast.person(cast.OBSERVER))
    assert gone(game, cast.OBSERVER) == 0
    entry = ModerationEntry.objects.get(kind="remove")
    assert (entry.by, entry.person, entry.text) == (
        cast.person(cast.OBSERVER),
        cast.person(cast.STRANGER),
        "",
    )


def test_what_was_removed_does_not_come_back_by_the_same_form() -> None:
    game = running()
    page(game, cast.STRANGER, text=SAID, submission="s" * 22)
    assert gone(game, cast.MASTER) == 0
    page(game, cast.STRANGER, text=SAID, submission="s" * 22)
    assert OnlookerComment.objects.get().text == ""
    assert "Supprimer" in page(game, cast.STRANGER).text, "its place is still theirs to delete"


def test_a_game_master_who_plays_reads_none_before_the_end() -> None:
    game = commented()
    power_assignments.assign_power(game, "FRANCE", cast.person(cast.OBSERVER))
    sight = GameViewer(game, cast.person(cast.MASTER)).with_known(
        "master", [("FRANCE", cast.person(cast.MASTER).pk)]
    )
    assert sight.is_game_master
    assert not comments.may_read_comments(sight)
    assert not comments.may_remove(sight)
    assert comments.may_read_comments(GameViewer(game, cast.person(cast.MASTER)))


def report(game: Game, who: str, **sent: str) -> Any:
    number = OnlookerComment.objects.get().pk
    client, path = cast.client_of(who), f"/parties/{game.key}/commentaires/{number}/signaler/"
    return client.post(path, sent) if sent else client.get(path)


def test_readers_report_one_by_the_way_of_messages() -> None:
    game = commented()
    assert KNOWN in report(game, cast.OBSERVER).text
    assert "/signaler/" in page(game, cast.OBSERVER).text
    assert "/signaler/" not in page(game, cast.STRANGER).text
    for _twice in range(2):
        assert report(game, cast.OBSERVER, reason="insult").status_code == 302
    found = Report.objects.get()
    assert (found.kind, found.accused, found.excerpt[0]["text"]) == (
        "comment",
        cast.person(cast.STRANGER),
        SAID,
    )
    assert report(game, cast.OBSERVER, reason="grudge").status_code == 400


@pytest.mark.parametrize("who", ["Flora", cast.ASSISTANT, cast.STRANGER])
def test_who_cannot_read_it_or_wrote_it_reports_none(who: str) -> None:
    game = commented()
    assert report(game, who).status_code == 404
    assert report(game, who, reason="insult").status_code == 404
    assert not Report.objects.exists()


def test_a_moderator_removes_what_was_reported_and_no_longer_joins() -> None:
    game = commented()
    report(game, cast.OBSERVER, reason="insult")
    found, nora = Report.objects.get(), cast.person("Nora")
    Moderator.objects.create(person=nora)
    client = cast.client_of("Nora")
    path = f"/moderation/{found.key}/"
    assert 'value="remove"' in client.get(path).text
    for _twice in range(2):
        assert client.post(path, {"act": "remove"}).status_code == 302
    assert OnlookerComment.objects.get().text == ""
    assert KNOWN in client.get(path).text, "the report keeps its copy"
    assert list(found.entries.values_list("kind", flat=True)) == ["remove"]
    membership_actions.leave_game(game, cast.person("Edmond"))
    with pytest.raises(LobbyRefusal, match="moderated"):
        membership_actions.join_game(game, nora, power="ENGLAND")
