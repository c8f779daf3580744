"""The practice board in any year, with the splits of a variant; its texts bring the same game back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from talleyrand.web.games.phase_pages import game_records
from talleyrand.web.practice import practice_record_text, practice_records
from talleyrand.web.practice.models import PracticeGame
from tests.web.cast import client_of
from tests.web.games.playing import played
from tests.web.games.test_splits import begun

pytestmark = pytest.mark.django_db


def made(**sent: str) -> PracticeGame | None:
    client_of("Flora").post(reverse("practice:new"), {"variant": "classic", **sent})
    return PracticeGame.objects.order_by("-pk").first()


@pytest.mark.parametrize(
    ("sent", "phase", "passive"),
    [
        ({"split": "elimination_five"}, "S1801M", ["GERMANY", "ITALY"]),
        ({"split": "elimination_six", "first_year": "1"}, "S1M", ["ITALY"]),
        ({"first_year": "1066"}, "S1066M", None),
        ({"first_year": ""}, "S1901M", None),
        ({"first_year": "demain"}, "S1901M", None),
        ({"first_year": "٣"}, "S1901M", None),
        ({"variant": "survivor_turkey", "first_year": "1801"}, "S1801M", None),
        ({"variant": "trio", "first_year": "50"}, "Y50D", None),
    ],
)
def test_a_game_begins_as_it_was_chosen(sent: dict[str, str], phase: str, passive: list[str] | None) -> None:
    game = made(**sent)
    assert game is not None
    assert game.start_situation["phase"] == phase
    assert game.start_situation.get("passive") == passive
    text = practice_record_text.practice_record_text(game)
    again = practice_records.import_game(text)
    assert (again.start["phase"], again.start.get("passive")) == (phase, passive)


def test_a_split_that_is_not_there_makes_no_game() -> None:
    assert made(split="quartets") is None
    assert made(variant="sandad", split="pairs") is None


def test_the_text_of_a_game_of_1801_is_the_same_game_elsewhere() -> None:
    game = begun("elimination_five", 5)
    played(game, {"FRANCE": ["A Mar - Pie"]})
    played(game, {})  # the text of one phase alone would be read as a question
    again = practice_records.import_game(game_records.game_record_text(game))
    assert again.start["phase"] == "S1801M"
    assert (again.start["passive"], again.start["first_year"]) == (["GERMANY", "ITALY"], 1801)
    assert [turn.phase for turn in again.turns] == ["S1801M", "F1801M"]
