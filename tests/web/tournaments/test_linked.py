"""A board that is a game on this site: who comes late or takes over, and what differs between the two."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from talleyrand.tournament.board_rules import PAIRS_SPLIT
from talleyrand.tournament.model import EventBoard, PowerSeat, SeatReplacement
from talleyrand.tournament.standings.scored_games import ranked_centres
from talleyrand.web.accounts.models import Person
from talleyrand.web.games import order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_start
from talleyrand.web.games.models import Game, GameMembership, GameRole, GameState, PowerAssignment
from talleyrand.web.games.models import GameSeat as Place
from talleyrand.web.tournaments import access_tokens, linked_game_comparison
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.cast import BEGUN, MASTER, STRANGER
from tests.web.tournaments import hall, scene

pytestmark = pytest.mark.django_db
SIX = "survivor_turkey"
BOARD = (1, 1)
OFFER = 'value="seated_in_game"'


def table(variant: str = SIX, **fields: Any) -> tuple[Tournament, Game]:
    """Board 1 of round 1 as a game of Maëlle's, after the seasons of 1901."""
    made, game = hall.playing(), cast.table(variant, last_year=1906)
    published(published(game))
    seated = dict(hall.event(made).rounds[1].boards[1].seats)
    if variant == SIX:
        seated["TURKEY"] = PowerSeat()
    hall.with_round(made, 1, boards={1: EventBoard(variant, seated, game=game.key, **fields)})
    return hall.fresh(made), game


def published(game: Game) -> Game:
    game.refresh_from_db()
    phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=game.phase_number))
    game.refresh_from_db()
    return game


def board(made: Tournament) -> EventBoard:
    return hall.event(made).rounds[1].boards[1]


def seat(made: Tournament, power: str, new: PowerSeat) -> None:
    """Another seat, as acts of the desk leave it."""
    held = board(made)
    hall.with_round(made, 1, boards={1: replace(held, seats={**held.seats, power: new})})


def page(made: Tournament, name: str = MASTER) -> str:
    answer = cast.client_of(name).get(hall.path(made, "desk_board", *BOARD))
    assert answer.status_code == 200
    return html.unescape(hall.text(answer))


def card(made: Tournament, name: str = MASTER) -> str:
    """The card of the game."""
    return page(made, name).partition('id="game"')[2].partition("</section>")[0]


def fields(text: str) -> dict[str, str]:
    """What the first form of the card keeps."""
    kept = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text.partition("</form>")[0]))
    return {**kept, "press": "seated_in_game"}


def press(made: Tournament, status: int = 302, **more: str) -> str:
    """Press the card's first button; what the page says then."""
    return sent(made, {**fields(card(made)), **more}, status=status)


def sent(made: Tournament, told: dict[str, str], name: str = MASTER, status: int = 302) -> str:
    client = cast.client_of(name)
    answer = client.post(hall.path(made, "desk_board", *BOARD), told)
    assert answer.status_code == status
    if status == 302:
        assert answer["Location"].endswith("#game")
        answer = client.get(hall.path(made, "desk_board", *BOARD))
    return html.unescape(hall.text(answer))


def holder(game: Game, power: str) -> str:
    found = power_assignments.players_by_power(game).get(power)
    return Person.objects.get(pk=found).name if found else ""


def known_as(made: Tournament, number: int, name: str) -> None:
    """Somebody of the event is an account."""
    held = access_tokens.token_of(made, number)
    held.account = cast.person(name)
    held.save()


@pytest.mark.long
def test_a_latecomer_of_the_desk_sits_down_in_the_game() -> None:
    made, game = table()
    cast.person(STRANGER)
    client = cast.client_of(MASTER)
    late = {"press": "late", "seat": "1 TURKEY", "person": "9", "missed": ""}
    answer = client.post(hall.path(made, "desk_boards", 1), late)
    assert answer["Location"] == hall.path(made, "desk_board", *BOARD) + "#game"
    assert board(made).seats["TURKEY"] == PowerSeat(9, missed=2)  # by the game
    assert 'name="account"' in card(made)
    refused = press(made, 409, account="Quelqu’un d’ici")
    assert 'value="Quelqu’un d’ici"' in refused
    assert "Aucun compte de ce nom" in refused
    assert "dès la phase en cours" in press(made, account=STRANGER.upper())
    game.refresh_from_db()
    assert (holder(game, "TURKEY"), game.variant, game.scripted_variant) == (STRANGER, "classic", SIX)
    assert OFFER not in card(made)
    assert "Différences avec le tournoi" not in card(made)


def test_whoever_has_an_account_is_not_asked_for_it() -> None:
    made, game = table()
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    known_as(made, 9, STRANGER)
    assert 'name="account"' not in card(made)
    press(made, account="Flora")  # what is typed all the same counts nothing
    assert holder(game, "TURKEY") == STRANGER


def test_who_has_played_another_power_of_the_game_is_not_seated() -> None:
    made, game = table()
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    known_as(made, 9, "Gaspard")
    wanted = {"press": "seated_in_game", "power": "TURKEY", "step": "take", "mark": "0", "person": "9"}
    assert "Cette personne a joué une autre puissance dans cette partie" in sent(made, wanted, status=409)
    game.refresh_from_db()
    assert (holder(game, "GERMANY"), holder(game, "TURKEY"), game.scripted_variant) == ("Gaspard", "", "")


@pytest.mark.long
def test_taken_back_in_the_tournament_the_script_may_have_it_back() -> None:
    made, game = table()
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    known_as(made, 9, STRANGER)
    press(made)
    seat(made, "TURKEY", PowerSeat())
    assert "Rendre à son script" in card(made)
    press(made)
    game.refresh_from_db()
    assert (game.variant, game.scripted_variant) == (SIX, "")
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    press(made)
    published(game)
    seat(made, "TURKEY", PowerSeat())
    assert "n’a pas de joueur à cette table. Impossible de la rendre à" in card(made)
    assert OFFER not in card(made)


@pytest.mark.long
def test_a_newcomer_takes_over_in_the_game_once() -> None:
    made, game = table("classic")
    cast.person(STRANGER)
    assert OFFER not in card(made)
    client = cast.client_of(MASTER)
    relieved = {"press": "relieve", "power": "FRANCE", "person": "8", "seasons": ""}
    assert client.post(hall.path(made, "desk_board", *BOARD), relieved).status_code == 302
    assert board(made).seats["FRANCE"].reliefs == (SeatReplacement(8, 10),)  # 1902 to 1906, by the game
    form = {**fields(card(made)), "account": STRANGER}
    assert "changé de joueur" in sent(made, form)
    assert holder(game, "FRANCE") == STRANGER
    assert "a changé de mains depuis" in sent(made, form, status=409)
    assert PowerAssignment.objects.filter(seat__game=game, seat__power="FRANCE").count() == 2
    assert OFFER not in card(made)


WRONG: list[dict[str, str]] = [
    {"power": "NOWHERE"},
    {"step": "replace"},
    {"mark": "7"},
    {"person": "9" * 400},
    {"account": "\x00"},
    {"account": "x" * 5000},
    {"account": MASTER},
]


@pytest.mark.long
def test_somebody_unknown_sits_where_somebody_known_never_came() -> None:
    made, game = table("classic")
    cast.person(STRANGER)
    known_as(made, 3, cast.PLAYERS["FRANCE"])
    assert OFFER not in card(made)
    seat(made, "FRANCE", PowerSeat(8))
    press(made, account=STRANGER)
    assert holder(game, "FRANCE") == STRANGER
    assert OFFER not in card(made)


@pytest.mark.long
def test_what_is_refused_changes_nothing() -> None:
    made, game = table()
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    cast.person(STRANGER)
    form = {**fields(card(made)), "account": STRANGER}
    for wrong in WRONG:
        assert 'class="refusal"' in sent(made, {**form, **wrong}, status=409), wrong
    game.refresh_from_db()
    assert (game.variant, holder(game, "TURKEY")) == (SIX, "")


@pytest.mark.long
def test_the_game_master_alone_seats_somebody() -> None:
    made, game = table()
    seat(made, "TURKEY", PowerSeat(9, missed=2))
    known_as(made, 9, STRANGER)
    form = fields(card(made))
    scene.assistant(made)  # an assistant of the game too
    assert OFFER not in card(made, cast.ASSISTANT)
    assert "par son maître de jeu" in card(made, cast.ASSISTANT)
    sent(made, form, cast.ASSISTANT, 409)
    assert holder(game, "TURKEY") == ""
    GameMembership.objects.filter(game=game, role=GameRole.GAME_MASTER).update(left_at=BEGUN)
    assert "n’a pas de maître de jeu" in card(made)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED)
    assert "maître de jeu" not in card(made)


def test_a_game_that_one_may_not_open_is_none() -> None:
    made, game = table()
    GameMembership.objects.filter(game=game, role=GameRole.GAME_MASTER).update(left_at=BEGUN)
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    hidden = card(made)
    hall.with_round(made, 1, boards={1: replace(board(made), game="elsewhere")})
    assert hidden == card(made)
    assert game.name not in hidden
    hall.with_round(made, 1, boards={1: replace(board(made), game="")})
    assert 'id="game"' not in page(made)


DIFFERENT: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("classic", {}, {}, ""),
    (SIX, {}, {}, ""),
    ("classic", {"rulebook": "datc"}, {}, "\u202f; celui du tournoi demande"),
    ("classic", {"rulebook": {"extends": "anjou_feu"}}, {}, "\u202f; celui du tournoi demande"),
    ("classic", {"settings_json": {}}, {}, "pas de dernière année"),
    ("classic", {"settings_json": {"last_year": 1905}}, {}, "1905"),
    ("classic", {}, {"last_year": 1904}, "1904"),
    ("classic", {}, {"variant": SIX}, "Survivor Turkey"),
    ("classic", {}, {"variant": "escalation"}, "Ce site ne peut pas mener de partie de la variante"),
    ("classic", {}, {"variant": "intimate"}, "celle de cette table est Diplomatie intime"),
    ("intimate", {}, {"variant": "intimate", "seats": {"FRANCE": PowerSeat(1), "ITALY": PowerSeat(2)}}, ""),
    ("classic", {}, {"variant": "pairs"}, "Autriche + France"),
    (
        "classic",
        {"settings_json": {"shares": PAIRS_SPLIT.shares, "last_year": 1906}},
        {"variant": "pairs"},
        "",
    ),
    (
        "classic",
        {"settings_json": {"shares": [["ITALY"]], "last_year": 1906}},
        {"variant": "pairs"},
        "Italie",
    ),
    ("classic", {}, {"seats": {"FRANCE": PowerSeat(1)}}, "Turquie"),
    ("classic", {}, {"seats": {"SPAIN": PowerSeat(1)}}, "aucune place pour"),
    (SIX, {"state": GameState.ENDED}, {}, ""),
]


@pytest.mark.long
def test_what_differs_is_said() -> None:
    made = hall.playing()
    for variant, there, here, told in DIFFERENT:
        game = cast.table(variant, begun=False, last_year=1906)
        Game.objects.filter(pk=game.pk).update(**there)
        game.refresh_from_db()
        held = replace(board(made), **{"variant": variant, **here})
        found = list(linked_game_comparison.game_differences(hall.event(made), 1, held, game))
        assert any(told in one for one in found) if told else found == [], (variant, there, here, found)


def test_what_differs_is_on_the_board_s_page_as_soon_as_it_is_linked() -> None:
    made, game = table("classic")
    Game.objects.filter(pk=game.pk).update(rulebook="datc")
    hall.with_round(made, 1, boards={1: replace(board(made), game="")})
    client = cast.client_of(MASTER)
    link = {"press": "board_changed", "round": 1, "board": 1, "game": game.key, "counts": "on"}
    answer = client.post(hall.path(made, "desk_board", *BOARD), link, follow=True)
    assert "Différences avec le tournoi" in html.unescape(hall.text(answer))


ALLIES = {"ENGLAND": 1, "AUSTRIA": 2, "FRANCE": 2, "GERMANY": 3, "TURKEY": 3, "ITALY": 4, "RUSSIA": 4}
FOUR = {1: "Edmond", 2: "Agathe", 3: "Gaspard", 4: "Roman"}


def alliances(last_after: str = "R") -> tuple[Tournament, Game]:
    """Four people at a board, three of whom play two powers each; the same in a game of the year 1901."""
    made = hall.playing()
    made_of = {"name": "À quatre", "variant": "classic", "rulebook": "anjou_feu"}
    terms = GameSettings(last_year=1901, last_after=last_after).as_json()
    game = Game.objects.create(**made_of, settings_json=terms)
    cast.member(game, MASTER, GameRole.GAME_MASTER)
    joined = {who: cast.member(game, name, GameRole.PLAYER).pk for who, name in FOUR.items()}
    for power in hall.POWERS:
        Place.objects.create(game=game, power=power)
    game_start.start_game(game, BEGUN, chosen={power: joined[who] for power, who in ALLIES.items()})
    seated = {power: PowerSeat(who) for power, who in ALLIES.items()}
    hall.with_round(made, 1, boards={1: EventBoard("pairs", seated, game=game.key, last_year=1901)})
    for who, name in FOUR.items():
        known_as(made, who, name)
    return hall.fresh(made), game


@pytest.mark.parametrize("last_after", ["R", "A"])
def test_three_of_four_play_two_powers_each_and_their_better_one_counts(last_after: str) -> None:
    made, game = alliances(last_after)
    assert OFFER not in card(made)
    assert "Différences avec le tournoi" not in card(made)
    game.refresh_from_db()
    for power, order in (("FRANCE", "A Par-Pic"), ("AUSTRIA", "A Bud-Ser")):
        told = {"number": 1, "key": power, "origin": "text", "at": BEGUN, "by": cast.person("Agathe")}
        order_submission.submit_orders(game, power, [order], **told)  # type: ignore[arg-type]
    while game.state != GameState.ENDED:
        published(game)
    answer = cast.client_of(MASTER).post(hall.path(made, "desk_board", *BOARD), {"press": "taken"})
    assert answer.status_code == 302
    result = board(made).result
    assert result
    assert (result.centres["AUSTRIA"], result.centres["FRANCE"], result.year) == (4, 3, 1901)
    assert set(ranked_centres(board(made), result)) == {"ENGLAND", "AUSTRIA", "GERMANY", "RUSSIA"}


@pytest.mark.long
def test_who_takes_over_two_powers_is_seated_in_each() -> None:
    made, game = alliances()
    for power in ("AUSTRIA", "FRANCE"):
        seat(made, power, PowerSeat(2, reliefs=(SeatReplacement(8, 1),)))
    known_as(made, 8, STRANGER)
    for _power in range(2):
        press(made)
    assert {holder(game, power) for power in ("AUSTRIA", "FRANCE")} == {STRANGER}
    assert OFFER not in card(made)
    assert not GameMembership.objects.filter(game=game, person=cast.person("Agathe"), left_at=None).exists()
