"""A phase of a game as text is read back as the same question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import translation

from talleyrand.formats import adjudication
from talleyrand.formats.plain_text import read_game_text
from talleyrand.web.boards import position_texts
from talleyrand.web.practice import practice_games
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.practice.practice_games import PracticeHistory
from tests.web.conftest import begin

SHEETS = [
    {"GERMANY": ["A Mun - Bou", "A Ber - Kie", "F Kie - Dan"], "FRANCE": ["A Par - Pic"]},
    {"GERMANY": ["A Bou - Bel"], "FRANCE": ["F Bre - AtM"]},
]
RETREATS = {
    "phase": "F1901R",
    "units": {"GERMANY": ["A BUR"], "FRANCE": ["A PIC"]},
    "dislodged": {"FRANCE": [{"unit": "A MAR", "by": "PIE", "convoyed": False, "retreats": ["GAS"]}]},
    "contested": ["SPA"],
    "centers": {"FRANCE": ["PAR"]},
}


def understood(text: str) -> dict[str, Any]:
    return json.loads(text) if text.startswith("{") else read_game_text(text).question()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_phase_of_a_game(db: None, language: str) -> None:
    game = begin()
    for number, sheet in enumerate(SHEETS, 1):
        PracticeGame.objects.filter(pk=game.pk).update(draft_orders=sheet)
        practice_games.resolve_practice_phase(game, number, f"submission-number-{number}")
    story = PracticeHistory(game)
    with translation.override(language):
        for turn in game.turns.all():
            question = story.question(turn.phase_number)
            assert question is not None
            text = position_texts.question_text(question, turn.orders)
            assert not text.startswith("{")
            assert adjudication.adjudicate_question(understood(text)) == adjudication.adjudicate_question(
                {**question, "orders": turn.orders}
            )


@pytest.mark.parametrize("language", ["fr", "en"])
def test_retreats(language: str) -> None:
    question = {"variant": "classic", "rulebook": "datc", "seed": "s", **RETREATS}
    with translation.override(language):
        text = position_texts.question_text(question, {"FRANCE": ["A Mar - Gas"]})
    read = understood(text)
    for field in ("phase", "units", "contested", "centers"):
        assert read[field] == question[field]
    assert read["dislodged"]["FRANCE"][0]["by"] == "PIE"


@pytest.mark.parametrize(
    ("more", "orders"),
    [
        ({"homes": {"FRANCE": ["PAR"]}}, {}),
        ({"rulebook": {"extends": "datc", "options": {"convoy_paradox": "all_hold"}}}, {}),
        ({}, {"FRANCE": ["Printemps 1903"]}),
        ({}, {"FRANCE": ["A Par - Bou // a remark", "Positions"]}),
    ],
    ids=["homes", "own book", "heading", "section"],
)
def test_what_no_text_says_goes_as_json(more: dict[str, Any], orders: dict[str, list[str]]) -> None:
    question = {"variant": "classic", "phase": "S1902M", "units": {"FRANCE": ["A PAR"]}, **more}
    text = position_texts.question_text(question, orders)
    assert json.loads(text) == {**question, "orders": orders}
