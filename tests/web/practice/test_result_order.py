"""Results as their reader wants them: mine, what failed of others, the rest; nothing twice, nothing lost."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from django.http import QueryDict

from talleyrand import variants
from talleyrand.web.boards import result_rows
from talleyrand.web.boards.board_filter import BoardFilter
from tests.web.conftest import Player
from tests.web.games.playing import Window, played, running

pytestmark = pytest.mark.django_db
SPRING = {
    "FRANCE": ["A MAR-SPA", "A PAR-BUR", "F BRE - LON"],
    "GERMANY": ["A MUN-BUR", "F KIE-DEN", "A BER-KIE"],
    "RUSSIA": ["A MOS-UKR"],
}


def provinces(page: str) -> list[str]:
    return re.findall(r'<li class="result[^>]*data-province="(\w*)"', page)


@pytest.mark.parametrize("own", ["FRANCE", ""])
def test_the_page_of_practice_holds_each_order_once(player: Player, own: str) -> None:
    player.game.played_power = own
    player.game.draft_orders = SPRING
    player.game.save()
    page = player.client.get(player.resolve(1)["Location"]).text
    turn = player.refresh().turns.last()
    assert turn is not None
    played = [(one["unit"] or "").partition(" ")[2].partition("/")[0] for one in turn.answer["orders"]]
    assert Counter(provinces(page)) == Counter(played)
    mine, others = page.split('<ul class="failures"')
    failed = others.split("</ul>")[0]
    assert provinces(mine) == (["PAR", "BRE", "MAR", "BRE"] if own else []), "what failed first"
    assert set(provinces(failed)) == ({"MUN"} if own else {"MUN", "PAR", "BRE"})
    assert page.count('<details class="power" open') == 3, "who ordered nothing is folded"


def test_a_folded_power_counts_what_is_not_told_above(player: Player) -> None:
    others = {
        "AUSTRIA": ["A VIE H", "A BUD H", "F TRI H"],
        "ENGLAND": ["A LVP H", "F EDI H", "F LON H"],
        "ITALY": ["A ROM H", "A VEN H", "F NAP H"],
    }
    player.game.draft_orders = {**SPRING, **others}
    player.game.save()
    page = " ".join(player.client.get(player.resolve(1)["Location"]).text.split())
    assert page.count("2 autres unités") == 2, "France and Germany, whose other unit bounced"
    assert page.count('<span class="hint">3 unités</span>') == 3


@pytest.mark.long
def test_who_plays_nobody_or_the_power_of_somebody_else_reads_their_own_first() -> None:
    game = running()
    played(game)
    order = {}
    for name in ("Flora", "Gaspard", "Oscar"):
        page = Window(game, name).get("1/").text
        assert sorted(provinces(page)) == sorted(provinces(Window(game).get("1/").text))
        order[name] = provinces(page.split('<ul class="failures"')[0])
    assert order == {"Flora": ["PAR", "MAR", "BRE"], "Gaspard": ["MUN", "KIE", "BER"], "Oscar": []}


def entry(results: list[str], **more: Any) -> dict[str, Any]:
    return {"power": "FRANCE", "unit": "A PAR", "order": "A PAR H", "results": results, **more}


def test_what_fails_is_each_result_that_is_a_failure_or_a_refusal() -> None:
    classic = variants.load("classic")
    error = {"error": {"message": {"fr": "non", "en": "no"}}}
    told = {
        "moves": result_rows.result_entry(classic, entry(["moves"])),
        "both": result_rows.result_entry(classic, entry(["support_given", "dislodged"])),
        "refused": result_rows.result_entry(classic, entry(["holds"], **error)),
        "nothing": result_rows.result_entry(classic, entry([])),
    }
    assert {name: one["failed"] for name, one in told.items()} == {
        "moves": False,
        "both": True,
        "refused": True,
        "nothing": False,
    }


def test_much_that_others_did_is_folded_and_little_or_what_was_asked_for_is_not() -> None:
    classic = variants.load("classic")
    many = {"orders": [entry(["holds"]) for _ in range(9)]}
    few = {"orders": many["orders"][:8]}
    assert result_rows.results_by_power(classic, many)[0]["folded"]
    assert not result_rows.results_by_power(classic, few)[0]["folded"]
    assert not result_rows.results_by_power(classic, many, ["FRANCE"])[0]["folded"]
    silent = [{**entry(["holds"]), "order": None, "power": "ITALY"} for _ in range(9)]
    told = {
        row["code"]: row["folded"]
        for row in result_rows.results_by_power(classic, {"orders": few["orders"] + silent})
    }
    assert told == {"FRANCE": False, "ITALY": True}, "who ordered nothing"
    chosen = BoardFilter.from_query(classic, QueryDict("only=FRANCE"))
    assert not chosen.filtered_results(result_rows.results_by_power(classic, many))[0]["folded"]
