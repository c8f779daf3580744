"""How a game reads the open points of its variant’s text: chosen before it begins, then kept."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from talleyrand import variants
from talleyrand.formats import game_record as formats
from talleyrand.web.games import game_variant_options
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.lobby import game_settings_texts
from talleyrand.web.games.models import Game
from talleyrand.web.games.phase_pages import game_records
from talleyrand.web.practice import practice_records as practice
from tests.web.cast import MASTER, client_of
from tests.web.games.states import NAME, begun, fresh, gathered, played
from tests.web.games.test_politics import politics

pytestmark = pytest.mark.django_db
NEW = "/parties/nouvelle/"
WORLD = variants.load(NAME)
LONG = {"game": "long", "nine_proposals": "2"}
KEPT = {"game": "long", "options": {"nine_proposals": "2"}}


@pytest.fixture
def maker() -> Client:
    return client_of(MASTER)


def sent(**chosen: str) -> dict[str, str]:
    own = {f"{NAME}-{option}": value for option, value in chosen.items()}
    return {"name": "Le monde", "variant": NAME, **own}


def words(answer: Any) -> str:
    return " ".join(html.unescape(answer.content.decode()).split())


def terms(game: Game) -> str:
    return " ".join(
        sentence
        for _title, told in game_settings_texts.settings_sections(game, "Europe/Paris")
        for sentence in told
    )


# choosing


def test_each_is_offered_with_the_words_of_the_rules_page(maker: Client) -> None:
    rules = words(maker.get("/variantes/diplomatie_2000/regles/readings/"))
    rules += words(maker.get("/variantes/diplomatie_2000/regles/points/"))
    page = maker.get(NEW)
    asked = next(item for group in page.context["groups"] for item in group.items if item.name == "variant")
    offered = asked.options["diplomatie_2000"].questions.items
    assert all(item.name.startswith(NAME) for item in offered)
    assert {item.name.partition("-")[2] for item in offered} == {*WORLD.definition.politics.options}  # type: ignore[union-attr]
    for item in offered:
        assert item.value == next(iter(item.options))
        for option in item.options.values():
            assert " ".join(option.label.split("«")[0].split()) in rules


def test_what_is_chosen_is_kept_and_the_usual_is_not(maker: Client) -> None:
    maker.post(NEW, sent(**LONG, colour="army_or_fleet"))
    assert Game.objects.get().settings.readings == LONG


def test_another_board_has_none_of_them(maker: Client) -> None:
    assert maker.post(NEW, {**sent(**LONG), "variant": "classic"}).status_code == 302
    game = Game.objects.get()
    assert game.settings.readings == {}
    assert list(game_variant_options.variant_option_sentences(game, variants.load("classic"))) == []


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"colour": "sometimes"}, "Choisissez l’une des options."),
        ({"moon": "full"}, "Cette variante n’a pas de point ouvert « moon »."),
    ],
)
def test_what_nobody_can_choose(maker: Client, chosen: dict[str, str], said: str) -> None:
    answer = maker.post(NEW, sent(**chosen))
    assert answer.status_code == 400
    assert said in words(answer)
    assert not Game.objects.exists()


# playing


@pytest.mark.long
def test_the_game_begins_with_them_and_keeps_them() -> None:
    game = begun(readings=LONG)
    assert politics(game) == KEPT
    played(game)
    played(game)
    after = politics(game)
    assert (after["game"], after["options"]) == ("long", {"nine_proposals": "2"})


def test_the_terms_say_what_is_not_usual() -> None:
    usual, other = terms(gathered(players=())), terms(gathered(players=("UMAR",), readings=LONG))
    assert "1\u00a0000 points de victoire" in usual
    assert "1\u00a0317 points de victoire" in other
    assert "1\u00a0000 points" not in other
    sentence = "Deux bulletins à neuf propositions, trois à partir de dix."
    assert (sentence in usual, sentence in other) == (False, True)
    with override("en"):
        assert "Two ballots with nine proposals, three from ten on." in terms(Game.objects.last())  # type: ignore[arg-type]


# exporting


@pytest.mark.long
def test_a_record_replays_them() -> None:
    game = begun(readings=LONG)
    played(game, {"UMAR": ["2 : M MOR - ROU"]})
    told = json.loads(json.dumps(game_records.game_record_json(fresh(game), seeded=True)))
    assert told["start"]["politics"] == KEPT
    answers = [turn.answer() for turn in formats.replay(formats.read_game_record(told))]
    assert [answer["politics"]["options"] for answer in answers] == [{"nine_proposals": "2"}]  # type: ignore[index]
    assert formats.write_game_record(formats.read_game_record(told)) == told


def test_the_practice_board_goes_on_with_them() -> None:
    game = begun(readings=LONG)
    played(game, {"UMAR": ["2 : M MOR - ROU"]})
    brought = practice.import_game(json.dumps(game_records.game_record_json(fresh(game), seeded=True)))
    assert brought.start["politics"] == KEPT
    assert brought.turns[0].answer["politics"]["options"] == {"nine_proposals": "2"}
    question = GameHistory(fresh(game)).question(2)
    assert question is not None
    pasted = practice.import_game(json.dumps(question))
    told = {name: value for name, value in question["politics"].items() if name != "open"}
    assert pasted.start["politics"] == told
    assert told["proposals"] == {"UMAR": ["2 M MOR - ROU"]}


def test_a_position_that_the_game_master_set_remembers_its_affairs() -> None:
    game = begun(readings=LONG)
    played(game, {"UMAR": ["2 : M MOR - ROU"]})
    question = GameHistory(fresh(game)).question(2)
    assert question is not None
    board = {name: question[name] for name in ("units", "centers")}
    for more, proposed in (({}, True), ({"politics": KEPT}, False)):
        whole = game_records.game_record_json(fresh(game), seeded=True)
        whole["phases"].append({"phase": "S2001M", "position": {**board, **more}})
        last = list(formats.replay(formats.read_game_record(whole)))[-1].answer()
        told = last["politics"]
        assert isinstance(told, dict)
        assert bool(told["ballots"]) is proposed
        assert told["options"] == {"nine_proposals": "2"}


@pytest.mark.long
def test_a_usual_game_is_recorded_without_them() -> None:
    assert "politics" not in game_records.game_record_json(begun(), seeded=True)["start"]


def test_the_text_says_them_in_remarks() -> None:
    game = begun(readings=LONG)
    text = game_records.game_record_text(game).replace("\u00a0", " ")
    assert "// Partie longue : il faut 1 317 pV pour gagner, " in text
    assert "Positions" not in text
