"""A duel on line: what each side sees and writes, and how it ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.endings import end_texts, game_results
from talleyrand.web.games.endings.power_standings import PowerStandings
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_master import position_changes
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import Game
from talleyrand.web.practice.models import PracticeGame
from talleyrand.web.press import press_rules
from tests.web.cast import DUELLISTS, client_of
from tests.web.games.playing import played, running

pytestmark = pytest.mark.django_db
HOMES = {"FIRST": ["Liste : France, Italie"], "SECOND": ["List: Russia"]}
BIDS = {"FIRST": ["Italie 8, Allemagne 3"], "SECOND": ["England 5; Germany 3"]}
SPRING = {"FIRST": ["A Par - Bur", "A Ven - Tyr"], "SECOND": ["F Lon - Nth", "A War - Gal"]}


def duel(*sheets: dict[str, list[str]]) -> Game:
    """A running game in which these sheets were judged, a phase after another."""
    game = running(variant="intimate")
    for lines in sheets:
        played(game, lines)
    return game


def board(client: Client, game: Game, path: str = "") -> str:
    answer = client.get(f"/parties/{game.key}/{path}", follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_two_seats_wait_for_each_other() -> None:
    game = duel()
    assert sorted(game.seats.values_list("power", flat=True)) == ["FIRST", "SECOND"]
    assert list(GameHistory(game).deciding_powers(1)) == ["FIRST", "SECOND"]
    page = board(client_of(DUELLISTS["FIRST"]), game)
    assert "Printemps 1901, choix des puissances d’origine" in page
    assert "Puissances d’origine, par ordre de préférence" in page


def test_bids_are_sealed_until_both_are_opened() -> None:
    game = duel(HOMES)
    first, second, anybody = client_of(DUELLISTS["FIRST"]), client_of(DUELLISTS["SECOND"]), Client()
    sent = {"sheet": "Italie 13", "submission": "bids-of-one", "action": "submit"}
    first.post(f"/parties/{game.key}/", sent)
    for other in (second, anybody):
        page = board(other, game)
        assert "Italie : 13" not in page
        assert "BID ITALY 13" not in page
    played(game, BIDS)
    for reader in (first, second, anybody):
        assert "Commandée cette année par" in board(reader, game)


def test_menus_offer_what_is_commanded_and_nothing_else() -> None:
    game = duel(HOMES, BIDS)
    first, second = (board(client_of(DUELLISTS[side]), game) for side in ("FIRST", "SECOND"))
    assert 'id="order-PAR"' in first
    assert 'id="order-VEN"' in first
    assert 'id="order-LON"' not in first
    assert 'id="order-LON"' in second
    assert 'id="order-MUN"' not in first + second


def test_a_year_is_played_and_paid() -> None:
    game = duel(HOMES, BIDS, SPRING, {"FIRST": ["A Bur - Bel"], "SECOND": ["F Nth - Nwy"]})
    game.refresh_from_db()
    assert game.phase == "W1901A"
    situation = GameHistory(game).situation(game.phase_number) or {}
    assert situation["politics"]["credits"] == {"FIRST": 16, "SECOND": 19}
    played(game, {"FIRST": ["A Par"], "SECOND": ["F Lon"]})
    situation = GameHistory(game).situation(game.phase_number) or {}
    assert game.phase == "S1902B"
    assert "A PAR" in situation["units"]["FRANCE"]
    assert "F LON" in situation["units"]["ENGLAND"]


def test_a_side_that_stands_in_a_home_centre_has_won() -> None:
    germany = {"FIRST": ["Allemagne"], "SECOND": ["Russia"]}
    game = duel(germany, {}, {"FIRST": ["A Ber - Pru"], "SECOND": ["A War - Ukr"]})
    played(game, {"FIRST": ["A Pru - War"], "SECOND": ["A Ukr - Rum"]})
    assert game.result is not None
    assert game.result["kind"] == "solo"
    assert game.result["powers"] == ["FIRST"]
    assert game.result["centres"]["FIRST"] == 4
    assert "Premier camp" in board(Client(), game)


def test_a_season_that_is_won_stays_won_when_it_is_corrected() -> None:
    game = duel({"FIRST": ["Allemagne"], "SECOND": ["Russia"]}, {}, {"FIRST": ["A Ber - Pru"]})
    after = GameHistory(game).situation(game.phase_number) or {}
    assert position_changes.winners_in_position(game, "S1901M", after) == ()
    units = {power: [*some] for power, some in after["units"].items()}
    units["RUSSIA"].remove("A WAR")
    units["GERMANY"] = ["A WAR"]
    won = {**after, "units": units}
    assert position_changes.winners_in_position(game, "S1901M", won) == ("FIRST",)


def test_a_side_counts_for_its_home_power_where_a_game_ends_otherwise() -> None:
    game = duel(HOMES, BIDS)
    situation = GameHistory(game).situation(game.phase_number) or {}
    definition = GameHistory(game).variant.definition
    standing = PowerStandings.from_situation(situation, definition)
    assert {seat: count for seat, count in standing.unit_counts.items() if count} == {"FIRST": 3, "SECOND": 4}
    assert standing.may_veto("FIRST")
    assert standing.may_propose_end("SECOND")
    assert game_results.shared_draw(definition, situation)["powers"] == ["FIRST", "SECOND"]
    ended = game_results.result_by_centres("agreed", definition, situation)
    assert (ended["powers"], ended["centres"]) == (["SECOND"], {"FIRST": 3, "SECOND": 4})
    terms = GameSettings(ends_at=game.created_at + timedelta(days=1))
    late = game_results.result_at_agreed_date(
        terms, definition, situation, game.created_at + timedelta(days=2)
    )
    assert late is not None
    assert late["powers"] == ["SECOND"]


def test_both_may_write_to_each_other_while_their_home_powers_live() -> None:
    game = duel(HOMES, BIDS)
    assert press_rules.eliminated_powers(game) == frozenset()


def test_it_is_played_on_the_practice_board() -> None:
    client = client_of("Flora")
    sent = {"variant": "intimate", "mine": "FIRST", "player": "hold", "submission": "a-duel-with-a-bot"}
    assert client.post("/p/new/", sent).status_code == 302
    made = PracticeGame.objects.get()
    page = client.get(f"/p/{made.key}/", follow=True).content.decode()
    assert "Puissances d’origine, par ordre de préférence" in page


@pytest.mark.parametrize("system", ["draw_size", "squares"])
def test_the_final_table_shows_the_two_who_play(system: str) -> None:
    game = running(variant="intimate", scoring=system)
    for lines in (HOMES, BIDS, SPRING):
        played(game, lines)
    situation = GameHistory(game).situation(game.phase_number)
    assert situation is not None
    setting = variants.load("intimate").definition
    told = game_results.result_by_centres("agreed", setting, situation, set())
    game_lifecycle.end_game(game, told, timezone.now())
    game.refresh_from_db()
    rows = end_texts.final_table_rows(game)
    assert [(row["code"], row["centres"]) for row in rows] == [("SECOND", 4), ("FIRST", 3)]
    assert all(row["points"] for row in rows)
    assert set((game.result or {})["points"]) == {"FIRST", "SECOND"}
    for path in ("parties/{}/fin/", "en/games/{}/end/"):
        page = client_of(DUELLISTS["FIRST"]).get("/" + path.format(game.key)).content.decode()
        table = page[page.index('<table class="counts"><caption') :].partition("</table>")[0]
        assert table.count("<tr") == 3
