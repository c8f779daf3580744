"""Boards of a tournament as games on the site: made of the draw, results by themselves, the next round."""

from __future__ import annotations

import hashlib
import html
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.tournament.acts.event_acts import SetOnlineBoards
from talleyrand.tournament.acts.result_acts import CorrectResult, WithdrawResult
from talleyrand.tournament.acts.round_acts import ReopenRound
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import OnlineBoards, RoundState
from talleyrand.web.accounts import guests
from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct.models import Measure, MeasureKind
from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameState, PowerAssignment
from talleyrand.web.tournaments import event_journal, online_rounds, online_seats
from talleyrand.web.tournaments.event_journal import JournalActor
from talleyrand.web.tournaments.models import Tournament, TournamentMembership
from tests.web import cast
from tests.web.tournaments import hall, online, scene

pytestmark = pytest.mark.django_db


class KilledError(BaseException):
    """The process ends here."""


def begun(people: int = 7, **terms: Any) -> tuple[Tournament, Game]:
    """Round 1 under way; the game of its first board."""
    made = online.tournament(people, **terms)
    online.follow()
    return online.fresh(made), online.games(made)[0]


def ban(number: int) -> None:
    """The account of somebody is banned from new games."""
    week = timezone.now() + timedelta(days=7)
    Measure.objects.create(person=online.account(number), kind=MeasureKind.BAN, ends_at=week)


def desk(made: Tournament, act: Any) -> None:
    event_journal.perform_acts(online.fresh(made), [act], JournalActor(scene.director()))


def ended(game: Game, *, leader: str = "FRANCE") -> Game:
    """The game over by its last year, without anybody having moved."""
    centres = dict.fromkeys(hall.POWERS, 3) | {"RUSSIA": 4, leader: 3 + 12}
    Game.objects.filter(pk=game.pk).update(
        state=GameState.ENDED,
        ended_at=timezone.now(),
        result={"kind": "time", "powers": [leader], "phase": "W1901A", "centres": centres},
    )
    return Game.objects.get(pk=game.pk)


class TestSeason:
    @pytest.mark.long
    def test_a_tournament_plays_itself_from_its_date_to_its_end(self) -> None:
        made = online.tournament(14)
        assert online.follow()
        one = online.event(made).rounds[1]
        assert one.state is RoundState.PLAYING
        games = online.games(made)
        assert online.follow() == 0
        assert Game.objects.count() == len(games) == 2
        first = online.play(games[0])
        assert first.state == GameState.ENDED
        assert first.result is not None
        assert online.follow() == 1
        boards = online.event(made).rounds[1].boards
        assert boards[1].result is not None
        assert dict(boards[1].result.centres) == first.result["centres"]
        assert boards[1].result.confirmed == "desk"
        assert boards[2].result is None
        online.play(games[1])
        online.follow()
        event = online.event(made)
        assert event.rounds[1].state is RoundState.CLOSED
        assert event.rounds[2].state is RoundState.PLAYING
        for game in online.games(made, 2):
            online.play(game)
        online.follow()
        assert online.event(made).over
        assert online.follow() == 0
        page = hall.text(Client().get(hall.path(made, "standings")))
        assert all(online.account_name(at) in html.unescape(page) for at in range(1, 15))

    def test_seats_of_the_games_are_those_of_the_draw(self) -> None:
        made, game = begun()
        event = online.event(made)
        players = power_assignments.players_by_power(game)
        for power, seat in event.rounds[1].boards[1].seats.items():
            assert players[power] == online.account(seat.person or 0).pk
        assert game.settings.anonymity == Anonymity.UNTIL_END
        assert (game.settings.last_year, game.settings.scoring) == (1901, "squares")
        assert game.is_listed
        open_game = begun(anonymity="open", press="none", pace="live")[1]
        assert (open_game.settings.anonymity, open_game.settings.press) == ("open", "none")
        assert open_game.pace == "live"


class TestOnceOnly:
    def test_a_crash_while_games_are_made_leaves_no_game_twice_and_none_without_its_board(self) -> None:
        made = online.tournament(14)
        real, calls = game_start.start_game, []

        def crash(*args: Any, **more: Any) -> Any:
            calls.append(1)
            if len(calls) == 2:
                raise KilledError
            return real(*args, **more)

        with mock.patch.object(game_start, "start_game", crash), pytest.raises(KilledError):
            online.follow()
        assert Game.objects.count() == 1
        assert [bool(one.game) for one in online.event(made).rounds[1].boards.values()] == [True, False]
        online.follow()
        online.follow()
        assert Game.objects.count() == 2
        assert len({one.game for one in online.event(made).rounds[1].boards.values()}) == 2

    def test_a_game_that_a_player_makes_beforehand_is_no_board(self) -> None:
        """A form may have any key, also one made of what a published draw shows."""
        made = online.tournament()
        with mock.patch.object(online_rounds, "make_games", return_value=0):
            online.follow()
        event = online.event(made)
        held = event.rounds[1].boards[1]
        first = next(iter(online_seats.board_accounts(made, event, 1, 1).values()))
        public = [made.key, 1, 1, {power: seat.person for power, seat in held.seats.items()}]
        key = hashlib.sha256(json.dumps(public, sort_keys=True).encode()).hexdigest()[:48]
        own = game_creation.create_game(online_rounds.game_plan(made, event, 1, 1), first, key)
        online.follow()
        board = online.event(made).rounds[1].boards[1]
        assert board.game not in ("", own.key)
        assert Game.objects.get(key=board.game).memberships.filter(left_at=None).count() == 7

    def test_a_crash_between_a_result_and_the_next_round_loses_neither(self) -> None:
        made, game = begun()
        ended(game)
        with (
            mock.patch.object(online_rounds, "close_rounds", side_effect=KilledError),
            pytest.raises(KilledError),
        ):
            online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLAYING
        online.follow()
        assert online.event(made).rounds[2].state is RoundState.PLAYING
        entries = [one.acts[-1]["kind"] for one in online.fresh(made).entries.all()]
        assert entries.count("result_corrected") + entries.count("years_counted") == 1
        assert entries.count("round_closed") == 1

    def test_what_the_desk_corrects_stays_until_the_game_itself_ends_otherwise(self) -> None:
        made, game = begun(14)
        ended(game)
        online.follow()
        right = online.event(made).rounds[1].boards[1].result
        assert right is not None
        centres = {**right.centres, "FRANCE": 14, "ITALY": 4}
        desk(made, CorrectResult(1, 1, replace(right, centres=centres)))
        online.follow()
        assert _centres(made)["ITALY"] == 4
        desk(made, WithdrawResult(1, 1))
        online.follow()
        assert online.event(made).rounds[1].boards[1].result is None
        ended(game, leader="TURKEY")
        online.follow()
        assert _centres(made)["TURKEY"] == 15

    def test_a_correction_of_the_desk_is_lost_by_no_other_end(self) -> None:
        made, game = begun(14)
        ended(game)
        online.follow()
        ended(game, leader="TURKEY")
        online.follow()
        right = online.event(made).rounds[1].boards[1].result
        assert right is not None
        assert right.centres["TURKEY"] == 15  # nobody had corrected anything
        centres = {**right.centres, "TURKEY": 14, "ITALY": 4}
        desk(made, CorrectResult(1, 1, replace(right, centres=centres)))
        ended(game, leader="ENGLAND")
        assert online.follow() == 0
        assert _centres(made) == centres
        page = hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_board", 1, 1)))
        assert "avec d’autres centres" in html.unescape(page)

    def test_one_board_that_fails_keeps_no_other_waiting(self, caplog: pytest.LogCaptureFixture) -> None:
        made = online.tournament(14)
        real, calls = game_start.start_game, []

        def fail(*args: Any, **more: Any) -> Any:
            calls.append(1)
            if len(calls) == 1:
                raise RuntimeError
            return real(*args, **more)

        with mock.patch.object(game_start, "start_game", fail):
            online.follow()
        assert [bool(one.game) for one in online.event(made).rounds[1].boards.values()] == [False, True]
        assert "could not be followed" in caplog.text
        online.follow()
        assert Game.objects.count() == 2

    def test_a_round_that_the_desk_opens_again_stays_open(self) -> None:
        made, game = begun()
        ended(game)
        online.follow()
        desk(made, ReopenRound(1))
        online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLAYING


def _centres(made: Tournament) -> dict[str, int]:
    result = online.event(made).rounds[1].boards[1].result
    assert result is not None
    return dict(result.centres)


class TestWhoPlays:
    def test_without_enough_people_the_round_waits_and_the_desk_reads_why(self) -> None:
        made = online.tournament(6)
        online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLANNED
        page = hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online")))
        assert "6" in page.partition('class="refusal"')[2][:200]

    def test_whoever_has_no_account_is_banned_or_works_at_the_desk_has_no_seat(self) -> None:
        made = online.tournament(10)
        made.passes.filter(person_number=9).update(account=None)
        ends = timezone.now() + timedelta(days=1)
        Measure.objects.create(person=online.account(10), kind=MeasureKind.BAN, reason="zz", ends_at=ends)
        account = online.account(8)
        TournamentMembership.objects.create(tournament=made, account=account, role="assistant")
        online.follow()
        assert sorted(online.event(made).rounds[1].present) == [1, 2, 3, 4, 5, 6, 7]
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        assert [at for at in range(1, 11) if online.account_name(at) in page] == [8, 9, 10]

    def test_one_account_has_one_seat_whatever_entries_it_has(self) -> None:
        made = online.tournament(8)
        made.passes.filter(person_number=8).update(account=online.account(7))
        online.follow()
        assert sorted(online.event(made).rounds[1].present) == [1, 2, 3, 4, 5, 6, 7]
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        assert f"parties anonymes)\u00a0: {online.account_name(8)}" in page

    def test_a_board_drawn_by_hand_with_one_account_twice_waits_and_says_so(self) -> None:
        made = online.tournament()
        with mock.patch.object(online_rounds, "make_games", return_value=0):
            online.follow()
        made.passes.filter(person_number=7).update(account=online.account(6))
        online.follow()
        assert not Game.objects.exists()
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        said = page.partition("d’un même compte")[2][:200]
        assert online.account_name(6) in said
        assert online.account_name(7) in said

    def test_who_is_banned_has_no_seat(self) -> None:
        made = online.tournament(8)
        ban(3)
        online.follow()
        assert 3 not in online.event(made).rounds[1].present

    def test_who_is_banned_after_the_draw_has_no_game(self) -> None:
        made = online.tournament()
        with mock.patch.object(online_rounds, "make_games", return_value=0):
            online.follow()
        ban(3)
        online.follow()
        assert not Game.objects.exists()
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        assert online.account_name(3) in page.partition("sont exclues")[2][:200]
        Measure.objects.update(lifted_at=timezone.now())
        online.follow()
        assert Game.objects.count() == 1

    def test_a_guest_has_no_seat(self) -> None:
        made = online.tournament(8)
        made.passes.filter(person_number=3).update(account=guests.make_guest("Gaël", "ABCD"))
        online.follow()
        assert 3 not in online.event(made).rounds[1].present

    def test_games_are_made_only_while_a_director_may_make_some(self, settings: Any) -> None:
        made = online.tournament()
        settings.GAME_MAKERS = "organisers"
        online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLANNED
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        assert "adressez-vous à un administrateur" in page
        Person.objects.filter(pk=scene.director().pk).update(approval="organiser")
        online.follow()
        assert Game.objects.count() == 1

    def test_games_are_made_by_and_by_and_never_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = online.tournament(14)
        monkeypatch.setattr(online_rounds, "MOST_BOARDS", 1)
        online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLANNED
        page = html.unescape(hall.text(cast.client_of(cast.MASTER).get(hall.path(made, "desk_online"))))
        assert "a ronde 1 aurait 2 tables" in page
        monkeypatch.setattr(online_rounds, "MOST_BOARDS", 2)
        monkeypatch.setattr(online_rounds, "MOST_AT_ONCE", 1)
        for count in (1, 2, 2):
            online_rounds.make_games(online.fresh(made), timezone.now())
            online.follow()
            assert Game.objects.count() == 2 or count == 1

    @pytest.mark.parametrize("leaves", [False, True])
    def test_whoever_works_at_the_desk_takes_no_seat_of_an_anonymous_game(self, leaves: bool) -> None:
        """Neither a bot's nor one that is free, before or after they leave the desk."""
        made = online.tournament()
        client, late = cast.client_of(cast.MASTER), cast.person(cast.ASSISTANT)
        TournamentMembership.objects.create(tournament=made, account=cast.person(cast.STRANGER))
        online.follow()
        game = online.games(made)[0]
        client.post(hall.path(made, "desk_staff"), {"name": late.name, "press": "assistant"})
        seats = online.event(made).rounds[1].boards[1].seats
        for power in ("FRANCE", "ITALY"):
            membership_actions.leave_game(game, online.account(seats[power].person or 0))
        if leaves:
            made.memberships.exclude(account=scene.director()).delete()
        for person in (scene.director(), late, cast.person(cast.STRANGER)):
            with pytest.raises(LobbyRefusal, match="saw_all"):
                membership_actions.join_game(game, person, power="FRANCE")

    def test_a_replacement_in_an_anonymous_game_is_not_taken_on_at_the_desk(self) -> None:
        made, game = begun()
        france = online.event(made).rounds[1].boards[1].seats["FRANCE"].person or 0
        membership_actions.leave_game(game, online.account(france))
        membership_actions.join_game(game, cast.person(cast.STRANGER), power="FRANCE")
        client = cast.client_of(cast.MASTER)
        client.post(hall.path(made, "desk_staff"), {"name": cast.STRANGER, "press": "assistant"})
        assert made.memberships.count() == 1

    def test_a_player_of_anonymous_games_is_not_taken_on_at_the_desk(self) -> None:
        made = begun()[0]
        client = cast.client_of(cast.MASTER)
        client.post(hall.path(made, "desk_staff"), {"name": online.account_name(3), "press": "assistant"})
        assert made.memberships.count() == 1

    def test_a_substitute_gets_their_seasons_and_a_page_and_a_bot_gets_nothing(self) -> None:
        made, game = begun()
        seats = online.event(made).rounds[1].boards[1].seats
        france, italy = seats["FRANCE"].person or 0, seats["ITALY"].person or 0
        online.play(game, 1)
        game = Game.objects.get(pk=game.pk)
        membership_actions.leave_game(game, online.account(france))
        membership_actions.leave_game(game, online.account(italy))
        stranger = cast.person(cast.STRANGER)
        membership_actions.join_game(game, stranger, power="FRANCE")
        online.play(game)
        online.follow()
        event = online.event(made)
        seat = event.rounds[1].boards[1].seats["FRANCE"]
        newcomer = next(at for at, one in event.people.items() if one.name == cast.STRANGER)
        assert (seat.person, seat.missed) == (france, 0)
        assert [(one.person, one.seasons) for one in seat.reliefs] == [(newcomer, 1)]
        assert event.rounds[1].boards[1].seats["ITALY"].missed == 1
        assert not event.rounds[1].boards[1].seats["ITALY"].reliefs
        assert newcomer not in event.rounds[2].present  # who stands in for once has not signed up
        page = hall.text(cast.client_of(cast.STRANGER).get(hall.path(made, "mine")))
        assert cast.STRANGER in page
        assert PowerAssignment.objects.filter(seat__game=game, person=stranger).exists()


class TestSecrets:
    def test_nothing_tells_who_plays_what_before_the_result(self) -> None:
        made, game = begun(14)
        event = online.event(made)
        other = event.rounds[1].boards[2]
        me = event.rounds[1].boards[1].seats["FRANCE"].person or 0
        names = {event.people[seat.person or 0].name for seat in other.seats.values()}
        mine = cast.client_of(online.account_name(me))
        for client in (Client(), mine):
            board = html.unescape(hall.text(client.get(hall.path(made, "board", 1, 2))))
            assert "secret jusqu’à la fin" in board
            assert not any(one in board for one in names)
            whole = html.unescape(hall.text(client.get(hall.path(made, "round", 1))))
            assert not any(one in whole for one in names)
            person = hall.text(client.get(hall.path(made, "person", other.seats["ITALY"].person)))
            assert "table 2" not in person.lower()
        public = hall.text(Client().get(f"/api/tournaments/{made.key}/event"))
        assert '"boards"' in public
        assert '"person"' not in public
        own = html.unescape(hall.text(mine.get(hall.path(made, "board", 1, 1))))
        assert event.people[me].name in own
        assert event.people[event.rounds[1].boards[1].seats["ITALY"].person or 0].name not in own
        assert f"/{game.key}/" in own
        ended(game)
        online.follow()
        told = html.unescape(hall.text(Client().get(hall.path(made, "board", 1, 1))))
        assert event.people[me].name in told
        standings = html.unescape(hall.text(Client().get(hall.path(made, "standings"))))
        seated = {seat.person for seat in other.seats.values()}
        assert not any(event.people[who or 0].name in standings for who in seated)

    def test_players_cannot_enter_a_result_themselves(self) -> None:
        made = begun()[0]
        mine = cast.client_of(online.account_name(1))
        page = hall.text(mine.get(hall.path(made, "board", 1, 1)))
        assert 'name="result.centres' not in page
        mine.post(hall.path(made, "enter_result", 1, 1), hall.result())
        assert online.event(made).rounds[1].boards[1].result is None

    def test_names_stay_secret_for_games_under_way(self) -> None:
        made = begun()[0]
        with pytest.raises(ActRefused, match="act_round_playing"):
            desk(made, SetOnlineBoards(OnlineBoards.OPEN, {"anonymity": "open"}))


class TestDesk:
    def post(self, made: Tournament, typed: dict[str, str], name: str = cast.MASTER) -> Any:
        return cast.client_of(name).post(hall.path(made, "desk_online"), typed)

    def test_the_director_chooses_terms_and_begins(self) -> None:
        made = scene.tournament(0, preset="sum")
        chosen = {"pace": "two_days", "press": "public", "anonymity": "open", "language": "", "bots": ""}
        terms = {"press": "online", "made": "1", **{f"terms.{name}": one for name, one in chosen.items()}}
        assert self.post(made, terms).status_code == 302
        assert online.event(made).terms["pace"] == "two_days"
        assert self.post(made, terms).status_code == 302  # twice is once
        assert online.fresh(made).follows_games
        assert self.post(made, {"press": "begins?now=1", "round": "2"}).status_code == 302
        assert online.event(made).rounds[2].starts
        assert self.post(made, {"press": "online", "made": ""}).status_code == 302
        assert not online.fresh(made).follows_games

    @pytest.mark.parametrize(
        "typed",
        [
            {"press": "online", "made": "1", "terms.pace": "hourly"},
            {"press": "online", "made": "1", "terms.bots": "\u202ebot"},
            {"press": "online", "made": "1", "terms.language": "x" * 5000},
            {"press": "begins", "round": "1", "starts": "demain"},
            {"press": "begins", "round": "99", "starts": ""},
            {"press": "begins", "round": "", "starts": ""},
        ],
    )
    def test_what_cannot_be_is_refused_in_a_sentence(self, typed: dict[str, str]) -> None:
        made = scene.tournament(0, preset="sum")
        answer = self.post(made, typed)
        assert answer.status_code == 409
        assert 'role="alert"' in hall.text(answer)
        assert not online.event(made).terms

    def test_an_assistant_and_a_stranger_change_no_terms(self) -> None:
        made = scene.tournament(0, preset="sum")
        scene.assistant(made)
        assert self.post(made, {"press": "online", "made": "1"}, cast.ASSISTANT).status_code == 403
        assert self.post(made, {"press": "online", "made": "1"}, cast.STRANGER).status_code == 404
        assert not online.event(made).terms

    def test_to_sign_up_one_signs_in(self) -> None:
        made = online.tournament(6)
        path = hall.path(made, "sign_up")
        assert Client().get(path)["Location"].endswith(f"?next={path}")
        client = cast.client_of(online.account_name(7))
        page = client.get(path)
        sent = {"submission": page.context["submission"], "name": "Gaëlle", "accepted": "1"}
        sent["rounds"] = ["1", "2"]
        assert client.post(path, sent).status_code == 302
        online.follow()
        assert online.event(made).rounds[1].state is RoundState.PLAYING

    def test_once_every_round_is_drawn_nobody_is_offered_to_sign_up(self) -> None:
        made = online.tournament(6)
        button = f'href="{hall.path(made, "sign_up")}"'
        client = cast.client_of(online.account_name(7))
        hall.with_round(made, 1, state=RoundState.PLAYING)
        assert button in client.get(hall.path(made, "welcome")).text
        sent = {"submission": client.get(hall.path(made, "sign_up")).context["submission"], "accepted": "1"}
        hall.with_round(made, 2, state=RoundState.PLAYING)
        assert button not in client.get(hall.path(made, "welcome")).text
        assert "Les inscriptions sont fermées" in hall.text(client.get(hall.path(made, "sign_up")))
        assert client.post(hall.path(made, "sign_up"), {**sent, "name": "Gaëlle"}).status_code == 409
        assert len(online.event(made).people) == 6
