"""The examples in our mails are orders that may be sent as they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import translation

from talleyrand.web.games.models import Game, GameState
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mailed_orders import order_parsing
from tests.each import each
from tests.web.mail.test_sheets import BUILDS, RETREATS, SPRING, question

CASES = {
    "builds": (BUILDS, "FRANCE", {"fr": "construit A ", "en": "build A "}, 2),
    "removals": (
        {**BUILDS, "centers": {"FRANCE": ["BRE"], "GERMANY": ["MUN"]}},
        *("FRANCE", {"fr": "retire ", "en": "remove "}, 1),
    ),
    "retreats": (RETREATS, "FRANCE", {"fr": "A Par - ", "en": "A Par - "}, 1),
    "movement": (SPRING, "FRANCE", {"fr": "", "en": ""}, 3),
}


@each("language", ["fr", "en"])
@each("case", CASES)
def test_an_example_may_be_sent_as_it_stands(case: str, language: str) -> None:
    situation, power, begins, count = CASES[case]
    asked: Mapping[str, Any] = question(situation)
    standing = GameStatusText(
        Game(variant="classic", phase=asked["phase"], phase_number=1, state=GameState.PLAYING)
    )
    standing.question = asked
    with translation.override(language):
        heading, *lines = standing.example(power)
    assert heading == "FRANCE"
    assert len(lines) == count
    assert all(line.startswith(begins[language]) for line in lines), lines
    found = order_parsing.parse_orders("\n".join([heading, *lines]), asked, power)
    assert (len(found.orders), found.aside) == (count, ())
