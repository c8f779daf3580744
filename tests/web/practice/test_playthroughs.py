"""The known games, played on the page from their sheets: the same results as on the command line."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from talleyrand.formats.game_record import replay
from tests.playthroughs.replays import FOLDER, GAMES, record, results, told
from tests.web.conftest import Player, begin


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("name", GAMES)
def test_a_known_game_on_the_page(client: Client, name: str) -> None:
    played = record(name)
    player = Player(client, begin(played.variant.name, played.loaded_rulebook.name))
    sheets = {path.stem: path.read_text("utf-8") for path in (FOLDER / name).glob("*.txt")}
    for number, one in enumerate(replay(played), 1):
        sent = player.draft(number, {"sheet": sheets.get(str(one.position.phase), "")})
        assert sent.status_code == 200, json.loads(sent.content)
        player.resolve(number, f"the-phase-numbered-{number}")
    answers = [turn.answer for turn in player.game.turns.all()]
    assert results(answers) == told(name)
