"""Leagues on line: divisions, promotion between seasons, who may see and do what."""

from __future__ import annotations

import html
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.tournament.acts.event_acts import FinishEvent, SetOnlineBoards
from talleyrand.tournament.acts.people_acts import WithdrawPerson
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event, OnlineBoards, RoundState
from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct.models import Measure, MeasureKind
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.tournaments import event_journal, tournament_creation
from talleyrand.web.tournaments.circuit_pages import circuit_rows
from talleyrand.web.tournaments.circuit_pages.circuit_events import CircuitEvent
from talleyrand.web.tournaments.event_journal import JournalActor
from talleyrand.web.tournaments.league_pages import league_seasons, league_views
from talleyrand.web.tournaments.models import LeagueDivision, Tournament, TournamentCircuit, TournamentLeague
from tests.tournament import room
from tests.web import cast
from tests.web.tournaments import hall, online, scene

pytestmark = pytest.mark.django_db
BASE = "/tournois/ligues/"


def league(moving: int = 2, people: int = 7) -> tuple[TournamentLeague, Tournament, Tournament]:
    """Two divisions of seven, accounts 1 to 7 and 8 to 14, kept by Maëlle."""
    made = league_seasons.create_league("Ligue de l’Ouest", scene.director(), "")
    first = online.tournament(7, name="Division 1")
    second = online.tournament(people, first=7, name="Division 2")
    for one in (first, second):
        league_seasons.add_division(made, scene.director(), one.key)
    TournamentLeague.objects.filter(pk=made.pk).update(moving=moving, is_listed=True)
    return TournamentLeague.objects.get(pk=made.pk), first, second


def win(game: Game, power: str, second: str = "TURKEY") -> None:
    """The game over by its last year."""
    centres = {"AUSTRIA": 2, "ENGLAND": 3, "FRANCE": 4, "GERMANY": 5, "ITALY": 1, "RUSSIA": 6, "TURKEY": 7}
    centres[power], centres[second] = centres[second], centres[power]
    centres[power] += 34 - sum(centres.values())
    Game.objects.filter(pk=game.pk).update(
        state=GameState.ENDED,
        ended_at=timezone.now(),
        result={"kind": "time", "powers": [power], "phase": "W1901A", "centres": centres},
    )


def play_out(*divisions: Tournament) -> None:
    """All rounds of divisions, to the end."""
    for number in (1, 2):
        online.follow()
        for one in divisions:
            for game in online.games(one, number):
                win(game, "FRANCE")
    online.follow()


def accounts(made: Tournament) -> set[str]:
    return {one.account.name for one in made.passes.select_related("account") if one.account}


def order(made: Tournament) -> list[str]:
    """The accounts of a division, best first."""
    state = league_seasons.DivisionState(LeagueDivision.objects.get(tournament=made))
    return [state.event.people[who].name for who in state.ranked]


def press(made: TournamentLeague, name: str = cast.MASTER, **typed: str) -> Any:
    return cast.client_of(name).post(f"{BASE}{made.key}/reglages/", typed)


def page(made: TournamentLeague, client: Client | None = None, part: str = "") -> str:
    answer = (client or Client()).get(f"{BASE}{made.key}/{part}")
    assert answer.status_code == 200
    return html.unescape(hall.text(answer))


class TestSeasons:
    def test_two_go_up_and_two_go_down(self) -> None:
        made, first, second = league()
        play_out(first, second)
        above, below = order(first), order(second)
        assert "monte" in page(made)
        keep = page(made, cast.client_of(cast.MASTER), "reglages/")
        assert "next?1" in keep
        assert press(made, press="next?1").status_code == 302
        assert press(made, press="next?1").status_code == 302  # twice is once
        divisions = list(made.divisions.filter(season=2))
        assert [one.rank for one in divisions] == [1, 2]
        assert accounts(divisions[0].tournament) == {*above[:5], *below[:2]}
        assert accounts(divisions[1].tournament) == {*above[5:], *below[2:]}
        event = online.event(divisions[0].tournament)
        assert (event.online, event.terms) == (OnlineBoards.HIDDEN, online.event(first).terms)
        assert [one.state for one in event.rounds.values()] == [RoundState.PLANNED] * 2
        assert not event.over
        assert divisions[0].tournament.memberships.count() == 1
        assert online.follow() == 0  # its first round has no date yet
        text = page(made)
        assert "▲" not in text
        assert 'href="?season=1"' in text.replace(f"/tournois/ligues/{made.key}/", "")
        assert text.count("Inscriptions\u00a0: ") == 2
        assert "S’inscrire" in text
        before = page(made, part="?season=1")
        assert "S’inscrire" not in before
        assert before.count("▲") == before.count("▼") == 2
        for nowhere in ("3", "0", "-1", "deux", "9" * 5000):
            assert Client().get(f"{BASE}{made.key}/", {"season": nowhere}).status_code == 404

    @pytest.mark.long
    def test_a_season_of_real_games_of_two_divisions(self) -> None:
        made, first, second = league(moving=1)
        for number in (1, 2):
            online.follow()
            for one in (first, second):
                for game in online.games(one, number):
                    assert online.play(game).state == GameState.ENDED
            online.follow()
        assert online.event(first).over
        assert online.event(second).over
        up, down = order(second)[0], order(first)[-1]
        league_seasons.begin_next_season(made, 1)
        top, bottom = (one.tournament for one in made.divisions.filter(season=2))
        assert up in accounts(top)
        assert down in accounts(bottom)
        for one in (top, bottom):
            online.begin(one)
        online.follow()
        assert all(len(online.games(one)) == 1 for one in (top, bottom))

    def test_whoever_withdraws_leaves_a_place_to_one_more_from_below(self) -> None:
        made, first, second = league(moving=1)
        play_out(first, second)
        gone = next(at for at, one in online.event(first).people.items() if one.name == order(first)[0])
        act = WithdrawPerson(gone, gone=True)
        event_journal.perform_acts(online.fresh(first), [act], JournalActor(scene.director()))
        above, below = order(first), order(second)
        league_seasons.begin_next_season(made, 1)
        top, bottom = (one.tournament for one in made.divisions.filter(season=2))
        assert accounts(top) == {*above[:5], *below[:2]}
        assert accounts(bottom) == {above[5], *below[2:]}

    def test_an_account_with_two_entries_has_one_place_in_the_next_season(self) -> None:
        made, first, second = league()
        play_out(first, second)
        double = online.account(1)
        second.passes.filter(person_number=7).update(account=double)
        league_seasons.begin_next_season(made, 1)
        seats = [
            one.account for row in made.divisions.filter(season=2) for one in row.tournament.passes.all()
        ]
        assert seats.count(double) == 1
        assert len(seats) == 13

    def test_who_no_longer_directs_a_division_makes_no_season_and_reads_nobody(self) -> None:
        made, first, second = league()
        play_out(first, second)
        Tournament.objects.filter(pk=second.pk).update(is_listed=False)
        second.memberships.update(account=cast.person(cast.STRANGER))
        keep = page(made, cast.client_of(cast.MASTER), "reglages/")
        assert second.key not in keep
        assert not any(name in keep for name in [*order(first), *order(second)])
        assert "vous ne dirigez pas la division 2" in keep.lower()
        answer = press(made, press="next?1")
        assert answer.status_code == 409
        assert made.divisions.count() == 2
        assert press(made, press=f"remove?{second.division.pk}").status_code == 302

    def test_no_season_is_made_of_standings_that_cannot_be_computed(self) -> None:
        made, first, second = league()
        play_out(first, second)
        row = Tournament.objects.get(pk=second.pk)
        row.document["regulations"] = {"extends": "none of these"}
        row.state_token = "broken"
        row.save()
        answer = press(made, press="next?1")
        assert answer.status_code == 409
        text = html.unescape(hall.text(answer))
        assert text.lower().count("le classement de la division 2 ne peut pas être calculé") == 2
        assert made.divisions.count() == 2
        assert page(made)

    def test_who_may_make_no_games_makes_no_league_and_no_season(self, settings: Any) -> None:
        made, first, second = league()
        play_out(first, second)
        settings.GAME_MAKERS = "organisers"
        assert press(made, press="next?1").status_code == 409
        answer = cast.client_of(cast.MASTER).post(BASE, {"name": "Une autre"})
        assert answer.status_code == 409
        assert "administrateur" in html.unescape(hall.text(answer)).partition('role="alert"')[2][:300]
        settings.GAME_MAKERS = "everyone"
        week = timezone.now() + timedelta(days=7)
        Measure.objects.create(person=scene.director(), kind=MeasureKind.BAN, ends_at=week)
        assert press(made, press="next?1").status_code == 409
        assert cast.client_of(cast.MASTER).post(BASE, {"name": "Une autre"}).status_code == 409
        assert (TournamentLeague.objects.count(), made.divisions.count()) == (1, 2)

    def test_two_leagues_that_take_a_tournament_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made, first, _second = league()
        other = league_seasons.create_league("Ligue de l’Est", scene.director(), "")
        monkeypatch.setattr(league_seasons, "addable_tournaments", lambda _account: [first])
        answer = press(other, press="add", tournament=first.key)
        assert answer.status_code == 409
        assert "qui n’est dans aucune ligue" in html.unescape(hall.text(answer))
        assert (made.divisions.count(), other.divisions.count()) == (2, 0)

    def test_a_season_under_way_has_no_next_one(self) -> None:
        made, first, _second = league()
        play_out(first)
        answer = press(made, press="next?1")
        assert answer.status_code == 409
        assert "la saison n’est pas finie" in html.unescape(hall.text(answer)).lower()
        assert made.divisions.count() == 2
        with pytest.raises(ActRefused, match="league_not_over"):
            league_seasons.begin_next_season(made, 1)

    def test_a_crash_makes_no_half_of_a_season(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made, first, second = league()
        play_out(first, second)
        real, calls = tournament_creation.create_tournament, []

        def crash(event: Event, account: Any, **more: Any) -> Tournament:
            calls.append(1)
            if len(calls) == 2:
                raise MemoryError
            return real(event, account, **more)

        monkeypatch.setattr(tournament_creation, "create_tournament", crash)
        with pytest.raises(MemoryError):
            league_seasons.begin_next_season(made, 1)
        assert Tournament.objects.count() == made.divisions.count() == 2
        monkeypatch.undo()
        assert league_seasons.begin_next_season(made, 1)
        assert made.divisions.count() == 4

    def test_a_circuit_counts_a_division_and_a_weekend_alike(self) -> None:
        _made, first, second = league()
        play_out(first, second)
        table = tournament_creation.create_tournament(room.ended(), scene.director())
        event_journal.perform_acts(table, [FinishEvent()], JournalActor(scene.director()))
        circuit = circuit_rows.create_circuit("Circuit", scene.director(), "")
        client = cast.client_of(cast.MASTER)
        for one in (first, table):
            client.post(f"/tournois/circuits/{circuit.key}/reglages/", {"press": "add", "event": one.key})
        TournamentCircuit.objects.filter(pk=circuit.pk).update(is_listed=True)
        Tournament.objects.filter(pk=table.pk).update(is_listed=True)
        text = html.unescape(hall.text(Client().get(f"/tournois/circuits/{circuit.key}/")))
        assert order(first)[0] in text
        assert all(known.name in text for known in list(room.ended().people.values())[2:5])
        assert CircuitEvent(1, None, online.fresh(first)).counts  # type: ignore[arg-type]


class TestPages:
    def test_a_page_is_made_once_for_each_state_of_its_divisions(
        self, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
    ) -> None:
        made, first, second = league()
        play_out(first, second)
        stranger = page(made)
        monkeypatch.setattr(league_views, "_division", None)
        with django_assert_max_num_queries(6):
            assert page(made) == stranger
        monkeypatch.undo()
        mine = page(made, cast.client_of(online.account_name(1)))
        assert "Ma page" in mine
        assert page(made) == stranger
        act = WithdrawPerson(1, gone=True)
        event_journal.perform_acts(online.fresh(first), [act], JournalActor(scene.director()))
        assert page(made) != stranger

    def test_an_account_keeps_so_many_leagues_and_all_are_found(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(league_seasons, "MOST_LEAGUES", 2)
        monkeypatch.setattr(league_views, "LEAGUES_A_PAGE", 1)
        client = cast.client_of(cast.MASTER)
        statuses = [client.post(BASE, {"name": f"Ligue {at}"}).status_code for at in range(3)]
        assert statuses == [302, 302, 409]
        pages = [hall.text(client.get(BASE, {"page": at})) for at in ("1", "2")]
        assert ["Ligue 1" in one for one in pages] == [True, False]
        assert ["Ligue 0" in one for one in pages] == [False, True]

    def test_who_may_see_a_league(self) -> None:
        made, first, _second = league()
        Tournament.objects.filter(pk=first.pk).update(is_listed=False)
        text = page(made)
        assert "Division 2" in text
        assert online.account_name(1) not in text
        assert Client().get(f"{BASE}{made.key}/reglages/").status_code in (302, 404)
        assert cast.client_of(cast.STRANGER).get(f"{BASE}{made.key}/reglages/").status_code == 404
        TournamentLeague.objects.filter(pk=made.pk).update(is_listed=False)
        assert Client().get(f"{BASE}{made.key}/").status_code == 404
        assert cast.client_of(cast.MASTER).get(f"{BASE}{made.key}/").status_code == 200
        assert made.name not in hall.text(Client().get(BASE))

    def test_games_under_way_are_told_by_nothing(self) -> None:
        made, first, second = league()
        online.follow()
        win(online.games(second)[0], "FRANCE")
        online.follow()
        text = page(made)
        assert "Sans résultat" in text
        rows = text.partition("season-podium")[2].partition("</ol>")[0]
        assert all(online.account_name(at) not in rows for at in range(1, 8))
        assert "▲" not in text
        assert first.name in text

    def test_it_is_made_once_however_often_it_is_sent(self) -> None:
        client = cast.client_of(cast.MASTER)
        token = client.get(BASE).context["submission"]
        for _time in range(2):
            answer = client.post(BASE, {"name": " Ligue\u200b de l’Est ", "submission": token})
            assert answer.status_code == 302
        assert [one.name for one in TournamentLeague.objects.all()] == ["Ligue de l’Est"]
        other = cast.client_of(cast.STRANGER)
        other.post(BASE, {"name": "Autre", "submission": token})
        assert TournamentLeague.objects.count() == 2
        assert Client().post(BASE, {"name": "X"}).status_code == 404

    @pytest.mark.parametrize("name", ["", " ", "x" * 121, "\0", "\u202e\u200b"])
    def test_a_name_that_is_none(self, name: str) -> None:
        answer = cast.client_of(cast.MASTER).post(BASE, {"name": name})
        assert answer.status_code == 409
        assert 'role="alert"' in hall.text(answer)
        assert not TournamentLeague.objects.exists()

    @pytest.mark.parametrize(
        "typed",
        [
            {"press": "about", "name": "Ligue", "moving": "-1"},
            {"press": "about", "name": "Ligue", "moving": "21"},
            {"press": "about", "name": "Ligue", "moving": "deux"},
            {"press": "about", "name": "", "moving": "1"},
            {"press": "add", "tournament": "\0"},
            {"press": "add", "tournament": "nowhere"},
            {"press": "next?1"},
            {"press": "delete"},
            {"press": "\u202e"},
            {},
        ],
    )
    def test_what_cannot_be_is_refused_in_a_sentence(self, typed: dict[str, str]) -> None:
        made = league()[0]
        answer = cast.client_of(cast.MASTER).post(f"{BASE}{made.key}/reglages/", typed)
        assert answer.status_code == 409
        assert 'role="alert"' in hall.text(answer)
        assert made.divisions.count() == 2

    def test_only_tournaments_that_one_directs_on_line_become_divisions(self) -> None:
        made = league()[0]
        table = scene.tournament(0)
        assert press(made, press="add", tournament=table.key).status_code == 409
        act = SetOnlineBoards(OnlineBoards.OPEN, {})
        event_journal.perform_acts(table, [act], JournalActor(scene.director()))
        assert press(made, cast.STRANGER, press="add", tournament=table.key).status_code == 404
        table.memberships.update(account=cast.person(cast.STRANGER))
        assert press(made, press="add", tournament=table.key).status_code == 409
        table.memberships.update(account=scene.director())
        for _time in range(2):
            assert press(made, press="add", tournament=table.key).status_code == 302
        assert [one.rank for one in made.divisions.all()] == [1, 2, 3]

    def test_deleted_with_its_keeper_and_told_before(self) -> None:
        made, first, _second = league()
        keeper = scene.director()
        assert {"league": made.name, "key": made.key} in personal_data.export_personal_data(keeper)[
            "tournaments"
        ]
        assert any(made.name in note for note in personal_data.deletion_notes(keeper))
        press(made, press="delete", sure="1")
        assert not TournamentLeague.objects.exists()
        assert Tournament.objects.filter(pk=first.pk).exists()
