"""The first half-hour: the scripts play, the guide speaks, and the address holds it all."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.variants import LANGUAGES
from talleyrand.web.boards import adjudicator
from talleyrand.web.library.lessons import guided_game, scripted_orders
from talleyrand.web.library.lessons.guided_game import GuidedGameHistory

pytestmark = pytest.mark.django_db
Response = Any
IBERIA = [
    ["A Par - Bur", "A Mar - Spa", "F Bre - MAO"],
    ["F MAO - Por"],
    ["F Bre", "A Mar"],
    ["F Bre - Eng"],
    ["A Mar S A Par"],
]
IDLE: list[list[str]] = [[], [], [], []]


def phases(story: GuidedGameHistory) -> list[str]:
    return [scene.played.question["phase"] for scene in story.scenes]


def said(story: GuidedGameHistory) -> list[str]:
    return [
        text["en"]
        for scene in story.scenes
        if scene.has_own_orders
        for text in guided_game.guide_comments(scene.played)
    ]


def test_a_good_opening_goes_through_two_years() -> None:
    story = guided_game.play_guided_game(IBERIA)
    assert phases(story) == ["S1901M", "F1901M", "W1901A", "S1902M", "F1902M"]
    assert story.open_question is None
    assert len(story.scenes[-1].played.centres("FRANCE")) >= 5
    assert any("Spain and Portugal are yours" in text for text in said(story))


def test_who_does_nothing_is_invaded_and_told_so() -> None:
    story = guided_game.play_guided_game([*IDLE, *IDLE])
    assert story.open_question is None
    assert any("German army entered Burgundy" in text for text in said(story))
    assert any("Germany is in Paris" in text or "guard them" in text for text in said(story))


@pytest.mark.long
def test_a_dislodged_unit_is_asked_where_it_retreats(client: Client) -> None:
    sheets = [["A Par - Bur", "A Mar S A Par - Bur"]]
    while (story := guided_game.play_guided_game(sheets)).open_question and story.open_question[
        "phase"
    ] != "F1902R":
        sheets.append([])
    assert story.open_question is not None
    assert any("Burgundy is yours" in text for text in said(story))
    assert any("One of your units was dislodged" in text for text in said(story))
    page = client.get(at(played=["\n".join(lines) for lines in sheets])).text
    assert "bat en retraite dans une province voisine" in page
    over = guided_game.play_guided_game([*sheets, ["A Bur R Gas"]])
    assert over.open_question is None
    assert "A GAS" in over.scenes[-1].played.units("FRANCE")


def test_centres_are_counted_where_a_retreat_is_still_to_come() -> None:
    """Brest and Marseilles are entered while an army is dislodged: nobody is told that all centres held."""
    sheets = [
        ["F Bre - MAO", "A Par - Bur", "A Mar S A Par - Bur"],
        ["F MAO - Por", "A Mar - Spa", "A Bur H"],
        *IDLE[:3],
    ]
    story = guided_game.play_guided_game(sheets)
    assert story.open_question is not None
    assert story.open_question["phase"] == "F1902R"
    autumn = story.scenes[-1].played
    assert autumn.centres("FRANCE") == {"PAR", "POR", "SPA"}
    remarks = [text["en"] for text in guided_game.guide_comments(autumn)]
    assert any("found an undefended centre" in text for text in remarks)
    assert not any("centres held" in text for text in remarks)


@pytest.mark.parametrize("number", range(6))
def test_a_phase_waits_until_it_is_ordered(number: int) -> None:
    story = guided_game.play_guided_game(IBERIA[:number])
    assert sum(scene.has_own_orders for scene in story.scenes) == min(number, 5)
    assert (story.open_question is None) == (number >= 5)


def test_whatever_is_too_much_is_left_aside() -> None:
    assert guided_game.play_guided_game([*IBERIA, ["A Par - Bur"], []]).open_question is None


@pytest.mark.long
def test_scripts_only_give_legal_orders_and_one_for_each_unit() -> None:
    for sheets in (IBERIA, IDLE, [["A Par - Bur", "A Mar S A Par - Bur"], ["A Bur - Mun"], [], []]):
        for scene in guided_game.play_guided_game(sheets).scenes:
            legal = adjudicator.legal_orders(scene.played.question)
            wishes = (
                guided_game.guided_game().phase(scene.played.question["phase"]).scripted_preferences or {}
            )
            for power, orders in scripted_orders.scripted_orders(
                scene.played.question, wishes, "FRANCE"
            ).items():
                assert set(orders) <= set(legal[power])
                places = [order.split()[1].partition("/")[0] for order in orders]
                assert len(places) == len(set(places))


def test_every_wish_can_be_read_on_the_board() -> None:
    """A wish misspelt would never be legal, and nobody would notice."""
    board = variants.load("classic").board
    for turn in guided_game.guided_game().phases.values():
        for power, orders in (turn.scripted_preferences or {}).items():
            assert power in board.powers
            for order in orders:
                places = [word for word in order.split() if len(word) > 1 and word not in ("-", "WAIVE")]
                assert set(places) <= set(board.locations), order


def test_scripts_retreat_to_different_places() -> None:
    question = adjudicator.make_question(
        "classic",
        "datc",
        "",
        {
            "phase": "S1902R",
            "units": {"GERMANY": ["A BUR"], "ITALY": ["A GAS"], "ENGLAND": ["A PIC", "F BEL"]},
            "dislodged": {
                "AUSTRIA": [{"unit": "A BUR", "by": "MUN"}, {"unit": "A GAS", "by": "SPA"}],
            },
            "contested": ["MAR", "RUH"],
        },
    )
    orders = scripted_orders.scripted_orders(question, {}, "FRANCE")["AUSTRIA"]
    assert len({order.split()[-1] for order in orders}) == len(orders)
    assert len(orders) == 2


def test_scripts_build_no_more_than_they_may() -> None:
    situation = {
        "phase": "W1901A",
        "units": {"ENGLAND": ["F NTH", "F NWG", "A NWY"]},
        "centers": {"ENGLAND": ["LON", "EDI", "LVP", "NWY"]},
    }
    question = adjudicator.make_question("classic", "datc", "", situation)
    wishes = {"ENGLAND": ("F BRE B", "F LON B", "A LON B", "F EDI B")}
    assert scripted_orders.scripted_orders(question, wishes, "FRANCE")["ENGLAND"] == ["F LON B"]


def test_the_guide_speaks_both_languages() -> None:
    guide = guided_game.guided_game()
    remarks = [*guide.remarks, *(one for turn in guide.phases.values() for one in turn.remarks)]
    for text in [*(turn.brief for turn in guide.phases.values()), *(one.text for one in remarks)]:
        assert all(text[language] for language in LANGUAGES)
        assert not re.search(r"[^\W\d]'[^\W\d]| [:;?!»]|« ", text["fr"]), text["fr"]


# the pages


def at(path: str = "/apprendre/demi-heure/", **query: Any) -> str:
    return f"{path}?{urlencode(query, doseq=True)}"


@pytest.mark.long
def test_it_is_played_page_by_page(client: Client) -> None:
    played: list[str] = []
    for lines in IBERIA:
        page = client.get(at(played=played))
        assert 'id="resolve"' in page.text
        judged = client.get(at(played=played, sheet="\n".join(lines), judge="1"))
        assert judged.status_code == 302
        played.append("\n".join(lines))
        looked = client.get(judged["Location"])
        assert 'class="guide"' in looked.text
        assert 'id="onward"' in looked.text
    assert "La demi-heure est finie" in looked.text
    assert "Vous tenez" in looked.text


def test_the_other_countries_orders_are_not_told_before(client: Client) -> None:
    drawn = re.search(r'<g id="layer-orders" class="board"[^>]*>(.*?)</g>', client.get(at()).text, re.DOTALL)
    assert drawn is not None
    assert "data-province" not in drawn[1]
    assert "A Munich - Bourgogne" in client.get(at(played="", look="1")).text


def test_in_english(client: Client) -> None:
    page = client.get(at("/en/learn/half-hour/", played="A Par - Bur", look="1")).text
    assert "Germany wanted Burgundy" in page
    assert "Continue: Fall 1901" in page or "Continue: Autumn 1901" in page


def test_without_scripts_the_menus_are_played(client: Client) -> None:
    sent = {"order-PAR": "A PAR - BUR", "order-BRE": "", "sheet": "F Bre - AtM", "base": "", "judge": "1"}
    answer = client.get("/apprendre/demi-heure/", sent)
    assert "A+Par+-+Bou" in answer["Location"]
    assert "F+Bre+-+AtM" in answer["Location"]


def test_a_phase_can_be_played_again_with_its_orders(client: Client) -> None:
    page = client.get(at(played=["A Par - Bur\nF Bre - MAO"], look="1")).text
    again = re.search(r'class="button quiet" href="([^"]+)"', page)
    assert again is not None
    text = client.get(again[1].replace("&amp;", "&")).text
    assert '<option value="A PAR - BUR" selected>' in text


def test_changes_travel_with_what_was_played(client: Client) -> None:
    url = at("/apprendre/demi-heure/brouillon/", played=["\n".join(IBERIA[0])])
    body = json.dumps({"orders": {"MAO": "F MAO - POR"}, "from": {}})
    answer = client.post(url, body, content_type="application/json").json()
    assert answer["given"] == {"MAO": "F MAO - POR"}
    assert answer["address"].startswith("/apprendre/demi-heure/?played=A+Par+-+Bur")
    page = client.get(answer["address"]).text
    assert '<option value="F MAO - POR" selected>' in page


def test_a_change_after_the_end_is_refused(client: Client) -> None:
    url = at("/apprendre/demi-heure/brouillon/", played=["\n".join(lines) for lines in IBERIA])
    answer = client.post(url, b'{"sheet": "", "from": {}}', content_type="application/json")
    assert answer.status_code == 409
    assert "finie" in answer.json()["message"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "query",
    [
        {"played": ["nonsense", "", "\ufffd"]},
        {"played": ["x" * 400]},
        {"played": ["A Par - Bur\x00"]},
        {"played": [""] * 50, "look": "1"},
        {"sheet": "x" * 4001},
        {"sheet": "GERMANY\nA Mun H", "judge": "1"},
        {"look": "1"},
        {"order-PAR": "A PAR - LON", "judge": "1"},
    ],
)
def test_strange_addresses_are_answered_in_words(client: Client, query: dict[str, Any]) -> None:
    answer = client.get(at(**query), follow=True)
    assert answer.status_code in (200, 400)
    assert "<h1>" in answer.text
