"""Pictures and records out, records in, the links that are shared."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from talleyrand import variants
from talleyrand.formats import diplomacy_package
from talleyrand.formats import game_record as game_records
from talleyrand.web.practice import practice_records
from talleyrand.web.practice.models import PracticeGame
from tests.formats.test_records import corrected
from tests.web.conftest import Player, Response, begin

pytestmark = pytest.mark.django_db

SPRING = "FRANCE\nA Par-Bou\nF Bre-Man\nALLEMAGNE\nA Mun-Bou\nF Kie-Dan\nRUSSIE\nF StP (cs)-Bot\nnonsense"
AUTUMN = "FRANCE\nA Par-Pic\nALLEMAGNE\nF Dan-Sue\nRUSSIE\nF Bot S F Dan-Sue\n"


@pytest.fixture
def played(player: Player) -> Player:
    """A game with two phases played and orders in preparation for the third."""
    for number, sheet in enumerate((SPRING, AUTUMN), 1):
        player.draft(number, {"sheet": sheet})
        player.resolve(number, f"submission-number-{number}")
    player.draft(3, {"sheet": "ALLEMAGNE\nF Kie"})
    return player


def bring(client: Client, text: str, **more: Any) -> Response:
    return client.post("/p/import/", {"text": text, "submission": "an-import-of-my-own", **more}, follow=True)


def brought() -> PracticeGame:
    return PracticeGame.objects.latest("pk")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("prefix", ["", "/en"])
@pytest.mark.parametrize("form", ["txt", "json"])
def test_a_game_saved_is_read_back(played: Player, prefix: str, form: str) -> None:
    file = played.client.get(f"{prefix}/p/{played.game.key}/game.{form}")
    assert f'filename="talleyrand-classic.{form}"' in file["Content-Disposition"]
    bring(played.client, file.text)
    copy = brought()
    assert copy.pk != played.game.pk
    assert (copy.variant, copy.rulebook, copy.seed) == ("classic", "anjou_feu", played.game.seed)
    for old, new in zip(played.game.turns.all(), copy.turns.all(), strict=True):
        assert new.phase == old.phase
        assert new.answer["units"] == old.answer["units"]
        assert new.answer.get("centers") == old.answer.get("centers")


def test_a_game_saved_in_json_replays_to_the_same_bytes(played: Player) -> None:
    file = played.client.get(played.address("game.json"))
    bring(played.client, file.text)
    again = played.client.get(f"/p/{brought().key}/game.json")
    assert again.content == file.content


def test_the_record_is_what_the_command_line_replays(played: Player) -> None:
    record = game_records.read_game_record(json.loads(played.client.get(played.address("game.json")).text))
    answers = [one.answer()["units"] for one in game_records.replay(record)]
    assert answers == [turn.answer["units"] for turn in played.game.turns.all()]


def test_orders_in_preparation_are_not_in_the_file(played: Player) -> None:
    assert "F Kie\n" not in played.client.get(played.address("game.txt")).text


def test_a_saved_game_of_the_package_diplomacy(played: Player) -> None:
    record = game_records.read_game_record(practice_records.practice_record_json(played.game))
    bring(played.client, json.dumps(diplomacy_package.write_saved_game(record)))
    copy = brought()
    assert copy.pk != played.game.pk
    assert copy.turns.count() == 2
    page = played.client.get(f"/p/{copy.key}/")
    assert "Hiver 1901" in page.text


POSITION = (
    "phase : F1905M\nPositions\nFrance : A Par, F Esp (cs)\nTurquie : A Bul\nCentres\nFrance : Par, Esp\n"
)
QUESTION = (
    '{"phase": "F1905M", "units": {"FRANCE": ["A PAR"]}, "centers": {}, "orders": {"FRANCE": ["A Par-Bou"]}}'
)


def test_a_position_in_text(client: Client) -> None:
    page = bring(client, POSITION)
    assert "Automne 1905" in page.text
    assert brought().start_situation["units"] == {"FRANCE": ["A PAR", "F SPA/SC"], "TURKEY": ["A BUL"]}


def test_a_position_in_json_with_its_orders(client: Client) -> None:
    page = bring(client, QUESTION)
    assert "Automne 1905" in page.text
    assert brought().draft_orders == {"FRANCE": ["A Par-Bou"]}


def test_a_file_is_read_as_well(client: Client) -> None:
    file = SimpleUploadedFile("partie.txt", b"\xef\xbb\xbf" + POSITION.encode())
    client.post("/p/import/", {"file": file, "text": "", "submission": "a-file-of-my-own"})
    assert brought().start_situation["phase"] == "F1905M"


def test_an_import_sent_twice_is_one_game(client: Client) -> None:
    bring(client, POSITION)
    bring(client, POSITION)
    assert PracticeGame.objects.count() == 1


MANY = {"FRANCE": ["A Parissss - Burgundie"] * 390}
BAD: list[str | bytes] = [
    "",
    "   \n",
    "{",
    '{"phases": 3}',
    "[]",
    "[" * 200_000,
    '{"phases": []}x',
    '{"hello": "world"}',
    '{"variant": "nowhere", "phases": []}',
    '{"rulebook": "none", "phases": []}',
    '{"phases": [{"phase": "X1M"}]}',
    '{"phases": [{"phase": "S1901M"}, {"phase": "S1901M"}]}',
    '{"phases": [{"phase": "S1999M"}, {"phase": "S2999M"}]}',
    '{"phase": "S1901M", "units": {"FRANCE": ["A XYZ"]}}',
    '{"phase": "S1901M", "units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}',
    '{"phase": "S1901M", "units": {"FRANCE": ["F PAR"]}}',
    '{"map": "nowhere", "phases": []}',
    "variante : nulle part\nPrintemps 1901\nFRANCE\nA Par-Bou",
    "Positions\nFrance : A Xyz",
    "Positions\nFrance : A Par\nItalie : A Par",
    b"\xff\xfe\x00A",
    b"A Par-Bou\x00",
    bytes(range(256)),
    "x" * 3_500_000,
    "null",
    "<html><body>Bonjour</body></html>",
    "A Par-Bou\n" * 31_000,
    "FRANCE\n" + "A Par-Bou\n" * 401,
    "Printemps 1901\nFRANCE\n" + "A Par-Bou\n" * 401,
    json.dumps({"phases": [{"phase": f"S{1901 + year}M", "orders": MANY} for year in range(2)]}),
    '{"talleyrand": 2, "phases": []}',
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sent", BAD, ids=range(len(BAD)))
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_what_is_no_game_gets_a_sentence(client: Client, sent: str | bytes, prefix: str) -> None:
    body = sent if isinstance(sent, bytes) else sent.encode()
    response = client.post(f"{prefix}/p/import/", {"file": SimpleUploadedFile("partie", body)})
    assert response.status_code in (400, 413)
    told = re.search(r'<li class="error">(.*?)</li>', response.text, re.DOTALL)
    assert told or response.status_code == 413
    assert not PracticeGame.objects.exists()


def test_a_line_of_nobody_in_a_file_is_kept(client: Client) -> None:
    bring(client, "phase : S1901M\nA Par-Bou\n\nFRANCE\nA Mar-Esp\n")
    assert brought().draft_orders == {"": ["A Par-Bou"], "FRANCE": ["A Mar-Esp"]}


def test_what_was_pasted_is_not_lost(client: Client) -> None:
    response = bring(client, "Positions\nFrance : A Xyz")
    assert response.status_code == 400
    assert "France : A Xyz" in response.text


@pytest.mark.long
def test_pictures(played: Player) -> None:
    png = played.client.get(played.address("2/map.png"))
    assert png["Content-Type"] == "image/png"
    assert png.content.startswith(b"\x89PNG")
    assert "talleyrand-classic-F1901M.png" in png["Content-Disposition"]
    svg = played.client.get(played.address("1/map.svg"))
    assert svg.text.startswith("<svg")
    assert "layer-orders" in svg.text
    assert "Printemps 1901" in svg.text or "printemps 1901" in svg.text


def test_a_picture_shows_the_convoy_that_the_book_supplies(player: Player) -> None:
    player.game = begin(units={"ENGLAND": ["A LON", "F NTH"]})
    player.draft(1, {"lines": {"ENGLAND": ["A Lon - Bel"]}})
    player.resolve(1)
    (turn,) = player.game.turns.all()
    assert [entry["order"] for entry in turn.answer["orders"] if not entry["line"]] == ["F NTH C A LON - BEL"]
    svg = player.client.get(player.address("1/map.svg")).text
    assert "convoie" in svg
    assert "convoi rompu" not in svg


# the link that is shared


def shared(game: PracticeGame, path: str = "") -> str:
    return f"/s/{game.shared_key}/{path}"


def test_a_shared_game_is_looked_at_without_its_secrets(played: Player) -> None:
    page = played.client.get(shared(played.game))
    assert page.status_code == 200
    assert played.game.key not in page.text
    assert "F Kie" not in re.sub(r"<option.*?</option>", "", page.text)
    assert '<script id="lines" type="application/json">{}</script>' in page.text
    assert 'id="resolve"' not in page.text
    assert "lecture seule" in page.text
    results = played.client.get(shared(played.game, "1/"))
    assert "rebond" in results.text
    assert played.game.key not in results.text


@pytest.mark.long
def test_a_shared_game_shows_no_orders_in_preparation_on_its_picture(played: Player) -> None:
    assert "F KIE" in played.client.get(played.address("3/map.svg")).text
    assert "F KIE" not in played.client.get(shared(played.game, "3/map.svg")).text
    assert played.client.get(shared(played.game, "2/map.png")).content.startswith(b"\x89PNG")
    for form in ("txt", "json"):
        file = played.client.get(shared(played.game, f"game.{form}"))
        assert file.status_code == 200
        assert played.game.key not in file.text


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", ["1/draft/", "1/resolve/", "1/back/", "1/sheet/", "power/"])
def test_the_shared_address_changes_nothing(played: Player, path: str) -> None:
    assert played.client.post(shared(played.game, path)).status_code == 404
    assert played.client.post(f"/p/{played.game.shared_key}/{path}").status_code == 404


def test_a_copy_goes_on_by_itself(played: Player) -> None:
    sent = {"submission": "a-copy-of-my-own"}
    first = played.client.post(shared(played.game, "2/copy/"), sent)
    assert played.client.post(shared(played.game, "2/copy/"), sent)["Location"] == first["Location"]
    copy = brought()
    assert copy.turns.count() == 1
    assert copy.draft_orders["FRANCE"] == ["A Par-Pic"]
    assert copy.shared_key != played.game.shared_key
    Player(played.client, copy).resolve(2, "the-copy-s-submission")
    assert copy.turns.count() == 2
    assert played.refresh().turns.count() == 2
    assert played.game.draft_orders == {"GERMANY": ["F Kie"]}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sent", [{}, {"submission": ""}, {"submission": "x"}, {"submission": "y" * 65}])
def test_a_copy_never_leads_to_the_game_of_another(played: Player, sent: dict[str, str]) -> None:
    first = played.client.post(shared(played.game, "2/copy/"), sent)
    second = played.client.post(shared(played.game, "2/copy/"), sent)
    assert first["Location"] != second["Location"]


def test_a_copy_of_the_open_phase_has_no_orders_of_others(played: Player) -> None:
    played.client.post(shared(played.game, "3/copy/"), {"submission": "a-copy-of-my-own"})
    assert brought().draft_orders == {}
    assert brought().turns.count() == 2


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", variants.playable_names())
def test_every_variant_goes_out_and_in(client: Client, variant: str) -> None:
    client.post("/p/new/", {"variant": variant, "submission": "a-new-game-of-mine"})
    player = Player(client, brought())
    for number in (1, 2, 3):
        player.resolve(number, f"submission-number-{number}")
    text = client.get(player.address("game.txt")).text
    bring(client, text)
    copy = brought()
    assert copy.variant == variant
    assert [turn.answer["units"] for turn in copy.turns.all()] == [
        turn.answer["units"] for turn in player.game.turns.all()
    ]


def test_what_a_game_master_corrected_goes_in_and_out_again(client: Client) -> None:
    bring(client, json.dumps(corrected()))
    player = Player(client, brought())
    (turn,) = player.game.turns.all()
    record = client.get(player.address("game.json")).json()
    assert record["phases"][0]["corrected"]["reason"] == "Misread."
    (again,) = game_records.replay(game_records.read_game_record(record))
    assert again.answer()["units"] == turn.answer["units"]
    page = client.get(player.address("1/")).text
    assert "Misread." in page
    assert "/why/" not in page
    assert client.get(player.address("1/why/PAR/")).status_code == 404
    judged = {**corrected()["phases"][0], "corrected": None}
    bring(client, json.dumps({"variant": "classic", "phases": [judged]}), submission="without-a-correction")
    other = Player(client, PracticeGame.objects.exclude(pk=player.game.pk).get())
    ours, theirs = (client.get(one.address("1/scene.json")).json()["layers"] for one in (player, other))
    assert ours["layer-orders"] != theirs["layer-orders"]


@pytest.mark.parametrize("reason", ["a\0b", "a\ud800b", "x" * 400_000])
def test_an_imported_correction_can_be_looked_at_whatever_its_reason(client: Client, reason: str) -> None:
    bring(client, json.dumps(corrected(reason=reason)))
    page = client.get(Player(client, brought()).address("1/"))
    assert page.status_code == 200
    assert len(page.content) < 500_000


def test_a_correction_with_a_result_that_there_is_not_is_refused(client: Client) -> None:
    made = {"power": "FRANCE", "unit": "A PAR", "order": "A PAR - BUR", "results": ["flies"]}
    refused = bring(client, json.dumps(corrected(results=[made])))
    assert refused.status_code == 400
    assert "flies" in refused.text
    assert not PracticeGame.objects.exists()
