"""The turning points of a game: which they are, what is said of them, where they are marked."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from talleyrand import variants
from talleyrand.drawing.line_chart import ChartLabels, ChartLine, draw_chart
from talleyrand.web.boards.turning_points import MOST, ChartPhase, turning_point_rows, turning_points
from talleyrand.web.games.models import Game, GameState
from tests.web.cast import PLAYERS, client_of, table
from tests.web.conftest import Player, begin
from tests.web.games.test_endings import play

CLASSIC = variants.load("classic")
HOMES = {power: list(places) for power, places in CLASSIC.board.homes.items()}


def owned(**changed: list[str]) -> dict[str, list[str]]:
    """The home centres, but for what is told; who takes a centre takes it from whoever has it."""
    taken = {place for places in changed.values() for place in places}
    rest = {power: [one for one in places if one not in taken] for power, places in HOMES.items()}
    return {power: sorted({*rest[power], *changed.get(power, [])}) for power in rest}


def stage(phase: str, following: str, centres: dict[str, list[str]] | None) -> ChartPhase:
    situation: dict[str, Any] = {"phase": following} | ({"centers": centres} if centres else {})
    return ChartPhase(phase, situation)


START: dict[str, Any] = {"phase": "S1901M", "centers": owned()}
GAME = [
    stage("S1901M", "F1901M", owned()),
    stage("F1901M", "F1901R", owned()),
    stage("F1901R", "W1901A", owned(GERMANY=["WAR", "MOS", "BEL"])),
    stage("W1901A", "S1902M", owned(GERMANY=["WAR", "MOS", "BEL"])),
    stage("S1902M", "F1902M", owned(GERMANY=["WAR", "MOS", "BEL"])),
    stage("F1902M", "S1903M", owned(GERMANY=["WAR", "MOS", "BEL", "SEV", "STP"])),
]


def rows(language: str, stages: list[ChartPhase] = GAME) -> list[dict[str, Any]]:
    with translation.override(language):
        return turning_point_rows(CLASSIC, START, stages, lambda number: f"/{number}/")


def test_they_are_told_by_who_took_what_from_whom() -> None:
    first, second = rows("en")
    assert first["text"] == "Germany takes Moscow and Warsaw from Russia; Germany takes Belgium (neutral)."
    assert second["text"] == (
        "Germany takes Sevastopol and St. Petersburg from Russia. Russia has no centre left."
    )
    assert (first["url"], second["url"]) == ("/2/", "/6/")  # the moves, not the retreats after them
    assert [(one["mark"], one["year"]) for one in (first, second)] == [(1, 1901), (2, 1902)]


def test_they_are_told_in_french() -> None:
    first, second = rows("fr")
    assert first["text"] == (
        "L’Allemagne prend Moscou et Varsovie à la Russie\u202f; l’Allemagne prend la Belgique (neutre)."
    )
    assert second["text"].endswith("La Russie n’a plus de centre.")


def test_a_quiet_game_and_one_without_known_centres_have_none() -> None:
    assert rows("en", GAME[:2]) == []
    assert rows("en", []) == []
    with translation.override("en"):
        assert turning_points(CLASSIC, {"phase": "S1901M"}, [stage("S1901M", "F1901M", None)]) == []


def test_what_it_takes_to_win_is_told() -> None:
    many = [place for power, places in HOMES.items() if power != "TURKEY" for place in places][:18]
    (only,) = rows("en", [stage("F1901M", "F1901M", owned(FRANCE=many))])
    assert "France has enough centres to win." in only["text"]
    assert "more centres change hands" in only["text"] or only["text"].count(";") < 4


def test_only_the_greatest_are_told_in_the_order_of_the_game() -> None:
    stages, neutral = [], ["BEL", "HOL", "DEN", "SWE", "NWY", "SPA", "POR", "TUN"]
    for number in range(1, len(neutral) + 1):
        year = 1900 + number
        centres = owned(TURKEY=[*HOMES["RUSSIA"], *neutral[:number]])
        stages.append(stage(f"F{year}M", f"S{year + 1}M", centres))
    found = turning_points(CLASSIC, START, stages)
    assert len(found) <= MOST
    assert [one.number for one in found] == sorted(one.number for one in found)
    assert found[0].number == 1
    assert all(found[0].shift >= one.shift for one in found)


@pytest.mark.parametrize(("years", "told"), [(3, 2), (6, 3), (14, MOST)])
def test_where_every_year_turns_the_game_half_are_told(years: int, told: int) -> None:
    both = [*HOMES["RUSSIA"], *HOMES["TURKEY"]]
    swings = [owned(TURKEY=both, RUSSIA=[]), owned(RUSSIA=both, TURKEY=[])]
    stages = [stage(f"F{1901 + at}M", f"S{1902 + at}M", swings[at % 2]) for at in range(years)]
    assert len(turning_points(CLASSIC, START, stages)) == told


def test_they_are_marked_on_the_chart() -> None:
    line = ChartLine("FRAN", "#00f", ((1900, 3), (1901, 5), (1902, 7)))
    words = ChartLabels("", "", "", "")
    plain, marked = draw_chart([line], words), draw_chart([line], words, marks=[(1901, "1"), (1901, "2")])
    assert "1·2" in marked
    assert "1·2" not in plain
    assert marked.count("<line") == plain.count("<line") + 1


# pages


@pytest.mark.django_db
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_the_practice_board_tells_them_at_once(client: Client, prefix: str) -> None:
    start: dict[str, Any] = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A BUR", "A PIC"], "GERMANY": []},
        "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER", "KIE"]},
    }
    player = Player(client, begin(**start))
    player.draft(1, {"orders": {"BUR": "A BUR - MUN", "PIC": "A PIC - BEL"}})
    player.resolve(1)
    page = client.get(f"{prefix}/p/{player.game.key}/curves/")
    text = " ".join(html.unescape(re.sub("<[^>]+>", " ", page.text)).split())
    said = "France takes Munich from Germany; France takes Belgium (neutral)."
    told = "La France prend Munich à l’Allemagne ; la France prend la Belgique (neutre)."
    assert (said if prefix else told) in text
    assert f'href="{prefix}/p/{player.game.key}/1/"' in page.text
    shared = client.get(f"{prefix}/s/{player.game.shared_key}/curves/")
    assert f'href="{prefix}/s/{player.game.shared_key}/1/"' in shared.text


@pytest.fixture
def lost_homes() -> Game:
    """A year online in which Austria has taken Venice."""
    game = play(table(), AUSTRIA=["A VIE - TYR", "F TRI H"], ITALY=["A VEN - APU"])
    return play(game, AUSTRIA=["A TYR - VEN"], ITALY=["A ROM H"])


@pytest.mark.django_db
def test_a_game_on_line_tells_them_once_it_is_over(lost_homes: Game) -> None:
    curves, end = f"/parties/{lost_homes.key}/curves/", f"/parties/{lost_homes.key}/fin/"
    reader = client_of(PLAYERS["FRANCE"])
    assert "Tournants" not in reader.get(curves).text
    Game.objects.update(state=GameState.ENDED, result={"kind": "abandoned", "powers": []})
    for page in (reader.get(curves), reader.get(end), Client().get(end)):
        text = html.unescape(page.text)
        assert "L’Autriche prend Venise à l’Italie." in text
        assert f'href="/parties/{lost_homes.key}/2/"' in text
