"""What pages of a game with 21 states keep short, and what they tell at once."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils.translation import override

from talleyrand.web.games import phase_adjudication
from tests.web.cast import BEGUN, MASTER, client_of
from tests.web.games import playing
from tests.web.games.states import begun, fresh, hand_in, played, player
from tests.web.games.test_politics_pages import PACE, page

pytestmark = pytest.mark.django_db


def holders(text: str) -> dict[str, bool]:
    """The powers of a page of results, and whether their results are open."""
    summary = r'<details class="power"( open)?> <summary>.*?</svg></span>(.*?)(?: <span|</summary>)'
    found = re.findall(summary, text)
    return {name: bool(is_open) for is_open, name in found}


def absent_season() -> str:
    """The results of a season in which nearly every state sends nothing."""
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M MOR - CAI"]})
    hand_in(game, "INDE", "2) UMAR", "A JAI - DEL", "A DEL - NEP")
    hand_in(game, "MCCA", "AS : BOG")
    phase = fresh(game)
    phase_adjudication.adjudicate_phase(phase, phase.phase_number, BEGUN)
    return page(game, player("INDE"), "2/")


@pytest.mark.long
def test_many_without_a_sheet_are_one_line_until_asked_for() -> None:
    text = absent_season()
    assert "<summary>19 puissances en désordre civil (pas d’ordres reçus)</summary>" in text
    assert "Pas d’ordres reçus, désordre civil :" not in text.replace("\u00a0", " ")
    listed = text[text.index("19 puissances en désordre civil") :][:1500]
    assert "Mercosur" in listed


def test_units_that_nobody_ordered_are_folded_on_a_large_board() -> None:
    text = absent_season()
    told = holders(text)
    assert len(told) > 20
    assert [name for name, is_open in told.items() if is_open] == [
        "Union indienne",  # the reader's own
        "Cartel d’Or",  # its unit is stopped
        "Marché commun centre-américain",
    ]
    failed = text.partition('<ul class="failures"')[2].partition("</ul>")[0]
    assert "Organisation des Nations unies" in failed, "its M has a mission"
    assert "5 unités sans ordre" in text
    assert "/2/why/LIM/" in text


def test_a_small_board_folds_those_who_ordered_nothing() -> None:
    game = playing.running()
    playing.played(game, {"FRANCE": ["A PAR - BUR"]})
    text = page(game, "Flora", "1/")
    told = holders(text)
    assert len(told) == 7
    assert [name for name, is_open in told.items() if is_open] == ["France"]
    assert text.count('<li class="result') == 22


def test_the_map_asks_the_secretary_general_for_removals_alone() -> None:
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M MOR - CAI"], "INDE": ["2 : M MOR H"]})
    text = page(game, MASTER)
    status = re.search(r'<p id="status"[^>]*>(.*?)</p>', text)
    assert status
    assert status[1].startswith("Touchez une unité pour la retirer")


def test_judging_is_near_at_hand_on_the_desk_of_a_large_game() -> None:
    game = begun(rhythm=PACE)
    text = page(game, MASTER, "desk/")
    jumps = text[text.index("desk-jumps") : text.index("desk-columns")]
    for title in re.findall(r'href="#([a-z-]+)"', jumps):
        assert f'id="{title}"' in text
        assert text.index("desk-jumps") < text.index('id="powers-title"')
    assert 'href="#judging-title"' in jumps


def test_the_receipt_of_a_second_proposal_says_which_one_stands() -> None:
    game = begun(rhythm=PACE)
    while not fresh(game).phase.startswith("F2001P"):
        played(game)
    hand_in(game, "UMAR", "1A : RUSS")
    second = hand_in(game, "UMAR", "1A : INDE")
    number = fresh(game).phase_number
    with override("fr"):
        address = reverse("games:receipt", args=[game.key, number, "UMAR", second.receipt_number])
    receipt = client_of(player("UMAR")).get(address).text
    for text in (receipt, page(game, player("UMAR"))):
        told = " ".join(text.replace("\u00a0", " ").split())
        assert "et elle reste : « 1A RUSS 20 » ; cette ligne est sans effet" in told


def test_an_option_of_a_mission_does_not_repeat_its_unit() -> None:
    text = page(begun(rhythm=PACE), player("INDE"))
    block = text[text.index("M Washington</label>") :]
    said = re.findall(r"<option value=\"M WAS [^\"]+\">(.*?)</option>", block[: block.index("</select>")])
    assert len(said) > 10
    assert not [words for words in said if words.startswith("M ")]


@pytest.mark.long
def test_a_long_form_is_made_of_lists() -> None:
    """Five proposals to rank in five places are twenty-five answers; four are sixteen, side by side."""
    game = begun(rhythm=PACE)
    makers = ("INDE", "UMAR", "CHIN", "RUSS", "CASO")
    played(game, {state: ["2 : M MOR H"] for state in makers[:4]})
    assert 'type="radio" name="leaflet-ONU.0-3"' in page(game, MASTER)
    played(game)
    played(game, {state: ["2 : M MOR H"] for state in makers})
    text = page(game, MASTER)
    assert "En cas d’égalité au vote sur les missions" in text
    assert 'type="radio" name="leaflet-' not in text
    assert '<select id="leaflet-ONU.0-4"' in text
