"""Private facts forgotten, a tournament deleted: who may, when, and what is left."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talleyrand.tournament import season_ranking
from talleyrand.tournament.acts.event_acts import FinishEvent
from talleyrand.tournament.acts.people_acts import AddPerson
from talleyrand.tournament.exports import event_archive
from talleyrand.tournament.model import EventPerson as Known
from talleyrand.web.tournaments import access_tokens, event_journal, tournament_personal_data
from talleyrand.web.tournaments.circuit_pages import circuit_rows
from talleyrand.web.tournaments.models import (
    AccessToken,
    JournalEntry,
    Tournament,
    TournamentCircuit,
    TournamentMembership,
)
from talleyrand.web.tournaments.papers import tournament_archives
from tests.web import cast
from tests.web.tournaments import scene, weekend
from tests.web.tournaments.desk.director import Desk, refusal

pytestmark = pytest.mark.django_db
PAGES = ("desk_forget", "desk_delete")


@pytest.fixture
def made() -> Tournament:
    """Nineteen people, a journal, an assistant, and Agathe with her account."""
    one = weekend.tournament()
    by = event_journal.JournalActor(scene.director())
    event_journal.perform_acts(one, [AddPerson(Known("Zoé Secrète", minutes=90))], by)
    scene.assistant(one)
    AccessToken.objects.filter(pk=access_tokens.token_of(one, 1).pk).update(account=cast.person("Agathe"))
    return Tournament.objects.get(pk=one.pk)


def over(made: Tournament) -> Tournament:
    event_journal.perform_acts(made, [FinishEvent()], event_journal.JournalActor(scene.director()))
    return Tournament.objects.get(pk=made.pk)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("who", [cast.ASSISTANT, "Agathe", cast.STRANGER])
def test_they_are_there_for_the_director_alone(made: Tournament, page: str, who: str) -> None:
    over(made)
    desk = Desk(made, who)
    assert desk.get(page).status_code == 404
    assert desk.post(page, name=made.name, sure="1").status_code == 404
    assert JournalEntry.objects.filter(tournament=made).count() == 2
    assert Desk(made).get(page).status_code == 200


@pytest.mark.parametrize("typed", ["", "Anjou", "Anjou Feu 2026 bis", "Anjou\0Feu", "x" * 5000])
def test_another_name_deletes_nothing(made: Tournament, typed: str) -> None:
    answer = Desk(made).post("desk_delete", name=typed)
    assert (answer.status_code, "rien n’a été supprimé" in refusal(answer)) == (409, True)
    assert Tournament.objects.filter(pk=made.pk).exists()
    assert f'value="{typed[:200]}"' in answer.content.decode()


@pytest.mark.parametrize("typed", ["Anjou Feu 2026", "  anjou feu\u202f2026 "])
def test_it_goes_with_all_that_was_its(made: Tournament, typed: str) -> None:
    season = circuit_rows.create_circuit("Loire", scene.director(), "")
    circuit_rows.change_circuit(season, lambda circuit: season_ranking.add_event(circuit, made.key))
    desk = Desk(made)
    assert "Loire" in desk.get("desk_delete").content.decode()
    answer = desk.post("desk_delete", name=typed)
    assert answer.status_code == 302
    for model in (JournalEntry, AccessToken, TournamentMembership, Tournament):
        assert not model.objects.exists(), model
    assert {desk.get(page).status_code for page in ("welcome", "desk", "desk_delete")} == {404}
    assert desk.post("desk_delete", name=typed).status_code == 404  # twice
    for path in ("", "reglages/"):
        assert desk.browser.get(f"/tournois/circuits/{season.key}/{path}").status_code == 200, path


def test_who_may_not_see_a_circuit_is_not_told_its_name(made: Tournament) -> None:
    season = circuit_rows.create_circuit("Circuit de Roman", cast.person("Roman"), "")
    circuit_rows.change_circuit(season, lambda circuit: season_ranking.add_event(circuit, made.key))
    assert "Circuit de Roman" not in Desk(made).get("desk_delete").content.decode()
    TournamentCircuit.objects.update(is_listed=True)
    assert "Circuit de Roman" in Desk(made).get("desk_delete").content.decode()


@pytest.mark.long
@pytest.mark.parametrize(("done", "sure"), [(False, "1"), (True, ""), (True, "0")])
def test_nothing_is_forgotten_before_its_time_or_unsure(made: Tournament, done: bool, sure: str) -> None:
    before = over(made) if done else made
    answer = Desk(made).post("desk_forget", sure=sure)
    assert (answer.status_code, "ien n’a été effacé" in refusal(answer)) == (409, True)
    after = Tournament.objects.get(pk=made.pk)
    assert (after.document, after.version) == (before.document, before.version)


@pytest.mark.long
def test_nothing_private_is_left_in_document_journal_or_archive(made: Tournament) -> None:
    desk, version = Desk(over(made)), over(made).version
    assert "19 dates de naissance" in desk.get("desk_forget").content.decode()
    told = desk.press("desk_forget", sure="1").content.decode()
    assert "Aucune donnée privée restante" in told
    after = Tournament.objects.get(pk=made.pk)
    (entry,) = after.entries.all()
    assert (entry.number, after.version, entry.acts, entry.changes) == (version + 1, version + 1, [], [])
    kept = json.dumps([after.document, entry.acts, entry.changes], ensure_ascii=False)
    assert [mark for mark in weekend.SECRETS if mark in kept] == []
    assert '"minutes": 90' not in kept
    assert "Données privées effacées" in desk.get("desk_log").content.decode()
    assert "undo?entry" not in desk.get("desk_entry", entry.number).content.decode()
    desk.press("desk_forget", sure="1")  # twice
    assert Tournament.objects.get(pk=made.pk).version == version + 1


@pytest.mark.long
def test_the_desk_goes_on_after_it_and_so_does_the_archive(made: Tournament) -> None:
    desk = Desk(over(made))
    desk.press("desk_forget", sure="1")
    row = Tournament.objects.get(pk=made.pk)
    again = event_journal.perform_acts(
        row, [FinishEvent(over=False)], event_journal.JournalActor(scene.director())
    )
    assert again is not None
    assert (
        event_journal.undo_entry(row, again.number, event_journal.JournalActor(scene.director())) is not None
    )
    row = Tournament.objects.get(pk=made.pk)
    told = event_archive.read_archive(
        event_archive.write_archive(tournament_archives.archive_of(row, links=False))
    )
    assert [(one.number, one.undoes, one.undone) for one in told.entries] == [
        (1, None, None),
        (2, None, 3),
        (3, 2, None),
    ]
    back: Any = tournament_archives.tournament_from_archive(told, scene.director())
    assert back.document == row.document


def test_who_deletes_an_account_is_told_what_stays(made: Tournament) -> None:
    (player,) = tournament_personal_data.tournament_deletion_notes(cast.person("Agathe"))
    assert made.name in player
    (director,) = tournament_personal_data.tournament_deletion_notes(scene.director())
    assert made.name in director
    assert tournament_personal_data.tournament_deletion_notes(cast.person(cast.ASSISTANT)) == []
    cast.person("Agathe").delete()
    assert AccessToken.objects.get(tournament=made, person_number=1).account is None
