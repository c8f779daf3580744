"""A line that is refused is told first and counted, wherever orders are: nothing says that all is well."""

from __future__ import annotations

import re

import pytest

from tests.web.games import desks
from tests.web.games.playing import Window, running

pytestmark = pytest.mark.django_db
GOOD = ["A Par - Bou", "A Mar - Esp", "F Bre - AtM"]
WRONG = "A Par - Londres"
COUNT = {"": "1 ligne refusée", "/en": "1 line refused"}
LINES = {"": "Lignes comprises : 3 sur 4".replace(" :", "\u00a0:"), "/en": "Lines understood: 3 of 4"}
PREFIXES = ["", "/en"]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_the_answer_to_a_script_counts_what_was_refused(prefix: str) -> None:
    flora = Window(running(), "Flora", prefix=prefix)
    drafted = flora.draft({"lines": {"FRANCE": [*GOOD, WRONG]}}).json()
    assert (drafted["progress"], drafted["refused"]) == ({"given": 3, "total": 3}, COUNT[prefix])
    assert WRONG in drafted["refusals"]["PAR"]
    told = flora.act("hand_in", [*GOOD, WRONG]).json()
    assert WRONG in told["message"]
    assert LINES[prefix] in told["message"]
    assert told["refused"] == COUNT[prefix]
    assert COUNT[prefix] in told["standing"]
    assert not flora.act("hand_in", GOOD, submission="t" * 22).json()["refused"]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_page_without_scripts_shows_it_before_the_orders_and_by_the_unit(prefix: str) -> None:
    flora = Window(running(), "Flora", prefix=prefix)
    sent = flora.post(sheet="\n".join([*GOOD, WRONG]), action="hand_in")
    page = flora.client.get(sent["Location"]).text
    assert page.index(f">{WRONG}</a>") < page.index('id="pane-list"') < page.index(f"{WRONG} – ")
    assert page.count(COUNT[prefix]) == 2, "in the state and in the bar"
    assert '<li class="warning">' in page
    found = re.search(r'href="([^"]+/FRANCE/1/)"', page)
    assert found is not None
    receipt = flora.client.get(found[1]).text
    assert receipt.index(f">{WRONG}</a>") < receipt.index("A PAR - BUR")


def test_refused_lines_stand_before_those_read_otherwise_than_written() -> None:
    flora = Window(running(), "Flora")
    told = flora.draft({"lines": {"FRANCE": ["F Par - Bou", "F Bre - Londres", "???"]}}).json()["readings"]
    assert told.index("F Bre - Londres") < told.index("???") < told.index("F Par - Bou")


def test_the_game_master_is_warned_of_what_he_entered() -> None:
    game = desks.played()
    client = desks.visitor("master")
    form = desks.hidden(desks.page_of(game, "orders/FRANCE/"))
    page = desks.said(desks.act(game, "orders/FRANCE/", {**form, "sheet": "F Bre - Lon"}, client), client)
    assert page.index("F Bre - Lon</a>") < page.index("<textarea")
    assert '<li class="warning">' in page
