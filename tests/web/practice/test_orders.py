"""Orders in preparation: each way to give them, and what nobody should send."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talleyrand.notation import order_reader
from tests.web.conftest import Player, begin

pytestmark = pytest.mark.django_db


def test_an_order_of_the_list_is_kept_as_a_player_writes_it(player: Player) -> None:
    answer = json.loads(player.draft(1, {"orders": {"PAR": "A PAR - BUR"}}).content)
    assert answer["given"] == {"PAR": "A PAR - BUR"}
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bou"]}
    assert answer["progress"] == {"given": 1, "total": 22}
    assert 'data-province="PAR"' in answer["layers"]["layer-orders"]


def test_english_pages_write_english(player: Player) -> None:
    player.prefix = "/en"
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    assert player.refresh().draft_orders == {"FRANCE": ["A Par - Bur"]}


def test_a_second_order_for_a_unit_takes_the_place_of_the_first(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR", "MAR": "A MAR - SPA"}})
    player.draft(1, {"orders": {"PAR": "A PAR H"}})
    assert player.refresh().draft_orders == {"FRANCE": ["A Mar - Esp", "A Par H"]}
    player.draft(1, {"orders": {"PAR": ""}})
    assert player.refresh().draft_orders == {"FRANCE": ["A Mar - Esp"]}


def test_a_sheet_with_headings(player: Player) -> None:
    sheet = "FRANCE\nA Par-Bou ; F Bre-AtM\n\nEngland:\nF Lon - North Sea\n"
    answer = json.loads(player.draft(1, {"sheet": sheet}).content)
    assert answer["given"] == {"PAR": "A PAR - BUR", "BRE": "F BRE - MAO", "LON": "F LON - NTH"}
    assert player.refresh().draft_orders == {
        "FRANCE": ["A Par-Bou", "F Bre-AtM"],
        "ENGLAND": ["F Lon - North Sea"],
    }


def test_lines_without_heading_belong_to_the_power_of_their_unit(player: Player) -> None:
    player.draft(1, {"sheet": "A Par-Bou\nF Kie-Dan"})
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"], "GERMANY": ["F Kie-Dan"]}


def test_a_line_of_nobody_is_kept_and_said(player: Player) -> None:
    answer = json.loads(player.draft(1, {"sheet": "A Par-Bou\nnonsense here"}).content)
    assert "nonsense here" in answer["readings"]
    assert "De qui est cet ordre" in answer["readings"]
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"], "": ["nonsense here"]}
    assert "nonsense here" in player.client.get(player.address()).text
    assert "nonsense here" in player.client.get(player.resolve(1)["Location"]).text


def test_a_refused_line_is_kept_with_its_reason(player: Player) -> None:
    answer = json.loads(player.draft(1, {"sheet": "FRANCE\nA Par-Lon\nA Ber-Kie"}).content)
    assert answer["given"] == {}
    assert answer["readings"].count('class="wrong"') == 2
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Lon", "A Ber-Kie"]}


def test_a_reload_loses_nothing(player: Player) -> None:
    player.draft(1, {"orders": {"PAR": "A PAR - BUR"}})
    page = player.client.get(player.address()).text
    assert '<option value="A PAR - BUR" selected>' in page
    assert "A Par - Bou</textarea>" in page.replace("\n", "")


def test_playing_one_power_shows_and_changes_that_one_alone(player: Player) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Bou\nENGLAND\nF Lon-Nrd"})
    player.client.post(player.address("power/"), {"power": "FRANCE"})
    page = player.client.get(player.address()).text
    assert 'id="order-PAR"' in page
    assert 'id="order-LON"' not in page
    player.draft(1, {"sheet": "A Par H"})
    assert player.refresh().draft_orders == {"ENGLAND": ["F Lon-Nrd"], "FRANCE": ["A Par H"]}


def test_playing_one_power_writes_no_other_s_orders(player: Player) -> None:
    player.client.post(player.address("power/"), {"power": "FRANCE"})
    response = player.draft(1, {"sheet": "FRANCE\nA Par H\nENGLAND\nF Lon-Nrd"})
    assert response.status_code == 400
    assert "F Lon-Nrd" in json.loads(response.content)["message"]
    assert player.refresh().draft_orders == {}


@pytest.mark.parametrize("power", ["ATLANTIS", "\x00", "france", "x" * 5000])
def test_powers_of_other_games(player: Player, power: str) -> None:
    response = player.client.post(player.address("power/"), {"power": power}, follow=True)
    assert "Cette puissance n’existe pas dans cette partie" in response.text
    assert player.refresh().played_power == ""


def test_a_sheet_made_from_an_older_one_does_not_overwrite_the_newer(player: Player) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Bou\n", "base": ""})
    response = player.draft(1, {"sheet": "FRANCE\nA Par H\n", "base": ""})
    assert response.status_code == 400
    assert "autre fenêtre" in json.loads(response.content)["message"]
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"]}
    player.draft(1, {"sheet": "FRANCE\nA Par H\n", "base": "FRANCE\nA Par-Bou\n"})
    assert player.refresh().draft_orders == {"FRANCE": ["A Par H"]}


def test_undo_puts_the_lines_back(player: Player) -> None:
    player.draft(1, {"lines": {"FRANCE": ["A Par-Bou"], "ITALY": []}})
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"]}
    player.draft(1, {"lines": {}})
    assert player.refresh().draft_orders == {}


def test_without_scripts_the_menus_come_with_the_form(player: Player) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Lon"})
    sent = {"order-PAR": "", "order-MAR": "A MAR - SPA", "order-BRE": "", "scripted": "", "action": "save"}
    response = player.client.post(
        player.address("1/resolve/"), {**sent, "submission": "0123456789abcdef"}, follow=True
    )
    assert "Ordres enregistrés" in response.text
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Lon", "A Mar - Esp"]}
    assert not player.game.turns.exists()


@pytest.mark.parametrize("menu", [{"order-PAR": "A PAR - LON"}, {"waive-FRANCE": "9" * 5000}])
def test_without_scripts_a_menu_that_cannot_be_gets_a_sentence(player: Player, menu: dict[str, str]) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Mar-Esp"})
    sent = {"submission": "a-submission-of-mine", **menu}
    response = player.client.post(player.address("1/resolve/"), sent, follow=True)
    assert response.status_code == 200
    assert 'class="error"' in response.text
    assert player.refresh().draft_orders == {"FRANCE": ["A Mar-Esp"]}
    assert not player.game.turns.exists()


def test_without_scripts_a_sheet_is_a_form(player: Player) -> None:
    response = player.client.post(
        player.address("1/sheet/"), {"sheet": "A Par-Bou\r\nF Bre-AtM"}, follow=True
    )
    assert "Ordres enregistrés" in response.text
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou", "F Bre-AtM"]}


def test_builds_and_waives(player: Player) -> None:
    game = begin(phase="W1901A", units={"FRANCE": ["A BUR"]}, centers={"FRANCE": ["BRE", "MAR", "PAR"]})
    player.game = game
    player.draft(1, {"orders": {"PAR": "A PAR B", "BRE": "F BRE B"}})
    answer = json.loads(player.draft(1, {"orders": {"PAR": ""}}).content)
    assert answer["given"]["BRE"] == "F BRE B"
    assert answer["progress"] == {"given": 1, "total": 2}
    answer = json.loads(player.draft(1, {"waives": {"FRANCE": 1}}).content)
    assert answer["waives"] == {"FRANCE": 1}
    assert answer["progress"] == {"given": 2, "total": 2}
    page = player.client.get(player.address()).text
    assert '<option value="1" selected>1</option>' in page
    assert "renonce" in player.client.get(player.resolve(1)["Location"]).text.lower()


def test_what_is_written_is_never_run(player: Player) -> None:
    line = "<img src=x onerror=alert(1)></textarea></script>"
    answer = json.loads(player.draft(1, {"sheet": f"FRANCE\n{line}"}).content)
    assert "<img" not in answer["readings"]
    assert "<img src=x" not in player.client.get(player.address()).text
    assert "<img src=x" not in player.client.get(player.resolve(1)["Location"]).text


BAD_BODIES = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"\xff\xfe{}",
    b"{}",
    b'{"orders": []}',
    b'{"orders": {"PAR": 3}}',
    b'{"orders": {"PAR": "A PAR - LON"}}',
    b'{"orders": {"PAR": "A PAR - BUR\\u0000"}}',
    b'{"orders": {"NOWHERE": "A PAR H"}}',
    b'{"orders": {"PAR": ""}, "sheet": 3}x',
    b'{"lines": {"ATLANTIS": ["A PAR H"]}}',
    b'{"lines": {"FRANCE": "A PAR H"}}',
    b'{"lines": {"FRANCE": [3]}}',
    b'{"waives": {"FRANCE": 1}}',
    b'{"waives": {"FRANCE": true}}',
    b'{"sheet": "A Par-Bou\\u0000"}',
    b'{"sheet": "A Par\\ud800-Bou"}',
    b'{"sheet": "A Par\\u0007-Bou"}',
    b"[" * 100_000,
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("body", BAD_BODIES, ids=range(len(BAD_BODIES)))
def test_what_nobody_should_send_changes_nothing(player: Player, body: bytes) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Bou"})
    response = player.raw_draft(1, body)
    assert response.status_code == 400
    assert json.loads(response.content)["message"].endswith(".")
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"]}


TOO_MUCH: list[Any] = ["A Par-Bou\n" * 100_000, "x" * 1001, "A Par-Bou\n" * 401, "é" * 100_001]


@pytest.mark.parametrize("sheet", TOO_MUCH, ids=["one megabyte", "long line", "many lines", "long sheet"])
def test_sheets_that_are_too_long(player: Player, sheet: str) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par-Bou"})
    response = player.draft(1, {"sheet": sheet})
    assert response.status_code in (400, 413)
    assert "trop" in json.loads(response.content)["message"].casefold()
    form = player.client.post(player.address("1/sheet/"), {"sheet": sheet}, follow=True)
    assert "trop" in form.text.casefold()
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"]}


@pytest.mark.parametrize("number", [0, 2, 99])
def test_phases_that_do_not_wait(player: Player, number: int) -> None:
    response = player.draft(number, {"sheet": "A Par-Bou"})
    assert response.status_code == 409
    assert player.refresh().draft_orders == {}


@pytest.mark.parametrize("heading", ["Printemps 1900", "AUTOMNE 1901", "== F1902M ==", "Spring 1903 :"])
def test_the_heading_of_another_phase_is_told(player: Player, heading: str) -> None:
    answer = player.draft(1, {"sheet": f"{heading}\nFRANCE\nA Par-Bou"})
    assert answer.status_code == 200
    assert "Les ordres sont gardés\u00a0: vérifiez qu’ils sont pour elle" in answer.json()["readings"]
    assert player.refresh().draft_orders == {"FRANCE": ["A Par-Bou"]}
    page = player.client.post(
        player.address("1/sheet/"), {"sheet": f"{heading}\nFRANCE\nA Par-Bou"}, follow=True
    )
    assert "Les ordres sont gardés\u00a0: vérifiez qu’ils sont pour elle" in page.text


@pytest.mark.parametrize("heading", ["", "Printemps 1901", "Spring 1901", "S1901M", "Ordres du 3 mai 1901"])
def test_the_phase_s_own_heading_or_none_is_not(player: Player, heading: str) -> None:
    answer = player.draft(1, {"sheet": f"{heading}\nFRANCE\nA Par-Bou"})
    assert "autre phase" not in answer.json()["readings"]


@pytest.mark.long
def test_a_long_sheet_that_means_nothing_is_not_compared_with_every_order(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To tell whose a line is, nobody needs to know what it may have meant: that takes seconds."""
    asked: list[object] = []

    def noted(*given: object) -> str:
        asked.append(given)
        return ""

    monkeypatch.setattr(order_reader, "nearest_legal_order", noted)
    answer = player.draft(1, {"sheet": "\n".join(f"A Parx{n}-Burx{n}" for n in range(399))})
    assert answer.status_code == 200
    assert not asked
