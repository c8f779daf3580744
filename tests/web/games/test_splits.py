"""Games for fewer people than the board has powers: from the form to the end."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.boards import adjudicator
from talleyrand.web.games import deadline_clock, power_assignments
from talleyrand.web.games.endings import game_results
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.lobby import game_start, invitations, membership_actions, split_form
from talleyrand.web.games.models import Game, GameRole
from talleyrand.web.mail.invitations import invitation_texts
from tests.web.cast import STRANGER, client_of, person
from tests.web.games.acting import fresh
from tests.web.games.phases import SLOW
from tests.web.games.playing import played
from tests.web.games.tables import SIX, at, fill, made, refused

pytestmark = pytest.mark.django_db
NEW = "/parties/nouvelle/"
CLASSIC = variants.load("classic")
PAIRS = [["ENGLAND"], ["AUSTRIA", "FRANCE"], ["GERMANY", "TURKEY"], ["ITALY", "RUSSIA"]]


def sent(**answers: str) -> tuple[Any, Game | None]:
    answer = client_of("Flora").post(NEW, {"name": "Petite table", **answers})
    return answer, Game.objects.order_by("-pk").first()


def terms_of(split: str) -> dict[str, Any]:
    found = CLASSIC.splits[split]
    told = {"split": split, "shares": found.shares, "passive": found.passive, "disordered": found.absent}
    return {**told, "first_year": found.first_year}


def begun(split: str, players: int, **more: Any) -> Game:
    """A game of the first so many of the cast, without game master, just begun."""
    game = made(SIX[0], **{**terms_of(split), **more})
    fill(game, SIX[1 : players - 1])
    fill(game, ["Agathe"])
    return game_start.start_game(game, timezone.now())


def test_the_form_shows_exactly_what_fits() -> None:
    games = {
        people: {value for value in split_form.game_options(people) if not value.endswith("/own")}
        for people in range(2, 23)
    }
    assert {"classic/three_two_two", "classic/russia_alone", "trio/"} <= games[3]
    assert "classic/pairs" in games[4]
    assert {"classic/elimination_five", "classic/disorder_five", "sandad/"} <= games[5]
    assert {"classic/elimination_six", "survivor_turkey/"} <= games[6]
    assert "classic/" in games[7]
    assert "diplomatie_2000/" in games[8]
    assert "diplomatie_2000/" in games[21]
    assert not games[22]
    for people, values in games.items():
        for value in values:
            variant, _slash, split = value.partition("/")
            found = variants.find_split(variants.load(variant), split)
            assert found.players >= people
            assert found.players == people or people in variants.load(variant).people
    page = client_of("Flora").post(NEW, {"name": "Nous quatre", "count": "4"}).content.decode()
    assert 'value="classic/pairs"' in page
    assert 'value="sandad/"' not in page
    assert 'value="Nous quatre"' in page
    assert not Game.objects.exists()


@pytest.mark.parametrize("people", ["", "0", "1", "22", "99", "-3", "quatre", "٣", "4" * 50])
def test_numbers_for_which_there_is_no_game_show_every_variant(people: str) -> None:
    page = client_of("Flora").post(NEW, {"name": "x", "count": people}).content.decode()
    assert 'name="game"' not in page
    assert 'name="variant"' in page or people == ""


def test_we_are_four() -> None:
    answer, game = sent(people="4", game="classic/pairs")
    assert answer.status_code == 302
    assert game is not None
    assert [list(share) for share in game.settings.shares] == PAIRS
    assert (game.settings.split, game.settings.first_year, game.seats.count()) == ("pairs", 0, 7)
    assert power_assignments.player_seat_count(game) == 4
    fill(game, [name for name in SIX if name != "Flora"][:3])
    assert fresh(game).state == "gathering"
    started = game_start.start_game(game, timezone.now())
    people = power_assignments.players_by_power(started)
    assert None not in people.values()
    assert all(len({people[power] for power in share}) == 1 for share in PAIRS)
    assert len(set(people.values())) == 4
    terms = client_of("Flora").get(f"/parties/{game.key}/infos/").content.decode()
    assert "À chaque joueur" in terms


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"people": "4", "game": "classic/elimination_five"}, "pas faite pour 4 joueurs"),
        ({"people": "4", "game": "classic/quartets"}, "pas cette répartition"),
        ({"people": "4", "game": "atlantis/"}, "Choisissez"),
        ({"people": "5", "game": "classic/"}, "pas faite pour 5 joueurs"),
        ({"people": "3", "game": "classic/own"}, "Dites qui joue"),
        ({"first_year": "1801", "last_year": "1800"}, "commence en 1801"),
        ({"people": "5", "game": "classic/elimination_five", "last_year": "1800"}, "commence en 1801"),
        ({"centres_to_win": "17"}, "de 18 à 34"),
        ({"centres_to_win": "35"}, "de 18 à 34"),
        ({"variant": "diplomatie_2000", "centres_to_win": "80", "scoring": "draw_size"}, "à sa façon"),
    ],
)
def test_what_cannot_be_played_is_refused(answers: dict[str, str], told: str) -> None:
    answer, game = sent(**answers)
    assert answer.status_code == 400
    assert told in answer.content.decode().replace("\u00a0", " ")
    assert game is None


def own(*shares: str, passive: str = "", disordered: str = "") -> dict[str, str]:
    told = {power: str(number) for number, share in enumerate(shares, 1) for power in share.split()}
    told |= dict.fromkeys(passive.split(), "passive") | dict.fromkeys(disordered.split(), "disordered")
    fields = {f"share-{power}": who for power, who in told.items()}
    return {"people": str(len(shares)), "game": "classic/own", **fields}


def test_a_split_of_ones_own() -> None:
    asked = own("ENGLAND FRANCE", "RUSSIA AUSTRIA", passive="ITALY GERMANY", disordered="TURKEY")
    answer, game = sent(**asked, first_year="1000", centres_to_win="20")
    assert answer.status_code == 302
    assert game is not None
    kept = game.settings
    assert kept.shares == (("ENGLAND", "FRANCE"), ("AUSTRIA", "RUSSIA"))
    assert (kept.passive, kept.disordered, kept.split) == (("GERMANY", "ITALY"), ("TURKEY",), "")
    assert (kept.first_year, kept.centres_to_win) == (1000, 20)
    fill(game, [name for name in SIX if name != "Flora"][:1])
    started = game_start.start_game(game, timezone.now())
    assert started.phase == "S1000M"
    assert set(started.seats.values_list("power", flat=True)) == {
        "AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY",
    }  # fmt: skip
    situation = GameHistory(started).situation(1)
    assert situation is not None
    assert (situation["passive"], situation["centres_to_win"]) == (["GERMANY", "ITALY"], 20)


@pytest.mark.parametrize(
    "asked",
    [
        own("ENGLAND FRANCE", "RUSSIA AUSTRIA", passive="ITALY GERMANY"),
        own("ENGLAND FRANCE AUSTRIA GERMANY ITALY RUSSIA TURKEY", ""),
        own("ENGLAND FRANCE AUSTRIA GERMANY ITALY RUSSIA TURKEY"),
        {**own("ENGLAND FRANCE AUSTRIA", "GERMANY ITALY RUSSIA TURKEY"), "share-SPAIN": "1"},
        {**own("ENGLAND FRANCE AUSTRIA", "GERMANY ITALY RUSSIA TURKEY"), "share-TURKEY": "3"},
    ],
)
def test_a_split_that_leaves_something_out_is_refused(asked: dict[str, str]) -> None:
    answer, game = sent(**asked)
    assert (answer.status_code, game) == (400, None)


def test_eliminated_powers_stand_in_a_game_of_1801() -> None:
    game = begun("elimination_five", 5)
    assert game.phase == "S1801M"
    assert game.seats.count() == 5
    page = client_of(SIX[0]).get(f"/parties/{game.key}/").content.decode()
    assert "rintemps 1801" in page
    played(game, {"FRANCE": ["A Mar - Pie"]})
    history = GameHistory(fresh(game))
    assert (history.published_phases, fresh(game).phase) == (["S1801M"], "F1801M")
    situation = history.situation(fresh(game).phase_number)
    assert situation is not None
    assert (situation["passive"], situation["first_year"]) == (["GERMANY", "ITALY"], 1801)
    assert sorted(situation["units"]["ITALY"]) == ["A ROM", "A VEN", "F NAP"]
    question = history.open_question()
    assert question is not None
    assert not {"GERMANY", "ITALY"} & set(adjudicator.deciding_powers(question))


def test_powers_that_nobody_could_play_share_no_draw() -> None:
    game = begun("elimination_six", 6)
    situation = GameHistory(game).situation(1)
    assert situation is not None
    drawn = game_results.shared_draw(CLASSIC.definition, situation, game.settings.unplayed)
    assert drawn["powers"] == [power for power in CLASSIC.board.powers if power != "ITALY"]
    led = game_results.result_by_centres("agreed", CLASSIC.definition, situation, {"RUSSIA"})
    assert "RUSSIA" not in led["powers"]


def test_powers_in_disorder_all_game_call_for_nobody() -> None:
    game = begun("disorder_five", 5)
    assert power_assignments.player_seat_count(game) == 5
    assert set(power_assignments.unplayed_powers(game)) == {"GERMANY", "ITALY"}
    assert set(game.seats.filter(in_civil_disorder=True).values_list("power", flat=True)) == {
        "GERMANY",
        "ITALY",
    }
    page = client_of("Roman" if "Roman" not in SIX[:5] else SIX[5]).get("/parties/").content.decode()
    assert f"/parties/{game.key}/rejoindre" not in page
    assert "en désordre civil toute la partie" in client_of(SIX[0]).get(
        f"/parties/{game.key}/infos/"
    ).content.decode().replace("\u00a0", " ")


def test_nobody_takes_a_power_that_is_in_disorder_by_the_terms_beside_a_free_one() -> None:
    game = begun("disorder_five", 5)
    leaver = game.memberships.filter(role="player").exclude(person=game.creator).latest("pk").person
    freed = power_assignments.powers_played_by(game, leaver)[0]
    membership_actions.leave_game(game, leaver)
    door = at(game, "rejoindre/")
    refused(client_of(STRANGER).post(door, {"power": "GERMANY"}), "Personne ne peut prendre cette puissance")
    assert client_of(STRANGER).post(door, {"power": freed}).status_code == 302
    assert power_assignments.powers_played_by(game, person(STRANGER)) == (freed,)


@pytest.mark.parametrize("early", [True, False])
def test_retreats_that_nobody_decides_are_waited_for_by_nobody(*, early: bool) -> None:
    game = begun("disorder_five", 5, rhythm={**SLOW, "early": early})
    played(game, {"FRANCE": ["A Par - Bou"], "RUSSIA": ["A Var - Sil"]})
    played(game, {"FRANCE": ["A Bou - Mun"], "RUSSIA": ["A Sil S A Bou - Mun"]})
    assert game.phase == "F1901R"
    assert deadline_clock.check_due_games(timezone.now()) == early
    assert fresh(game).phase == ("W1901A" if early else "F1901R")
    assert deadline_clock.check_due_games(timezone.now()) == 0


def test_whoever_has_a_power_by_a_link_has_its_share() -> None:
    game = made(SIX[0], part=GameRole.GAME_MASTER, **terms_of("pairs"))
    link = invitations.create_invitation(game, person(SIX[0]), GameRole.PLAYER, power="TURKEY")
    membership_actions.join_game(game, person("Agathe"), invitation=link)
    fill(game, SIX[1:3])
    started = game_start.start_game(game, timezone.now(), person(SIX[0]))
    people = power_assignments.players_by_power(started)
    assert people["TURKEY"] == people["GERMANY"] == person("Agathe").pk
    unplayed = set(power_assignments.unplayed_powers(started))
    assert sorted(unplayed) in [sorted(share) for share in PAIRS]


def test_bots_take_the_share_that_nobody_took() -> None:
    game = made(SIX[0], **terms_of("russia_alone"), bots="values:normal")
    fill(game, SIX[1:2])
    started = game_start.start_game(game, timezone.now())
    bots = set(power_assignments.bots_by_power(started))
    assert tuple(sorted(bots)) in [tuple(sorted(one)) for one in CLASSIC.splits["russia_alone"].shares]


def test_old_terms_are_read_as_they_were() -> None:
    game = made()
    kept = {name: value for name, value in game.settings_json.items() if name not in (
        "split", "shares", "passive", "disordered", "first_year", "centres_to_win",
    )}  # fmt: skip
    Game.objects.filter(pk=game.pk).update(settings_json=kept)
    assert fresh(game).settings == game.settings
    assert fresh(game).settings.shares == ()


def test_an_invitation_by_mail_tells_who_plays_what() -> None:
    game = made(SIX[0], **terms_of("elimination_five"))
    _subject, told = invitation_texts.invitation_text(game, person(SIX[0]))
    for said in ("Éliminées d’avance", "La partie commence en 1801", "Règlement"):
        assert said in " ".join(told.replace("\u00a0", " ").split())
