"""Looking for a game in the lists: each question alone and all together, in pages and over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import power_assignments, recipients
from talleyrand.web.games.game_settings import (
    Anonymity,
    BotSeatRule,
    GameSettings,
    Pace,
    PressSetting,
    SpectatorRule,
    listing_facets,
    pace_of,
)
from talleyrand.web.games.lobby import game_creation, membership_actions, saved_searches
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.lobby.game_filters import NAMES, GameFilter
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayerProfile, usual_parts
from talleyrand.web.notifications.models import Notification
from tests.web.api.asking import program
from tests.web.cast import PLAYERS, STRANGER, client_of, person, table
from tests.web.games.tables import fill, made, words

from .computing import begun

pytestmark = pytest.mark.django_db
TAKEN_OVER: dict[str, Any] = {"bots_when": BotSeatRule.BOTH, "bot_seats_open": True}
FRIDAY = {"movement": {"days": [4], "minute": 1440}}


def create(name: str, variant: str = "classic", rulebook: Any = "anjou_feu", **terms: Any) -> Game:
    plan = GamePlan(name, variant, rulebook, GameSettings(**terms), is_listed=True, role="player")
    return game_creation.create_game(plan, person("Agathe"), "")


def names(query: str, show: str = "join") -> set[str]:
    return {card["game"].name for card in Client().get(f"/parties/?show={show}&{query}").context["cards"]}


def test_the_game_that_lacks_fewest_players_comes_first() -> None:
    for name, players in (("three", 2), ("six", 5), ("one", 0), ("other three", 2)):
        game = create(name)
        for other in [name for name in PLAYERS.values() if name != "Agathe"][:players]:
            membership_actions.join_game(game, person(other))
    cards = Client().get("/parties/").context["cards"]
    assert [card["game"].name for card in cards] == ["six", "other three", "three", "one"]
    [first] = [one["game"] for one in Client().get("/").context["joining"]][:1]
    assert first.name == "six"


@pytest.fixture
def several() -> None:
    create("usual")
    create("duel", variant="sandad")
    create("datc", rulebook="datc")
    create("own", rulebook={"extends": "datc"})
    create("friday", rhythm=FRIDAY)
    create("gunboat", press=PressSetting.NONE, anonymity=Anonymity.OPEN)
    create("english", language="en")
    create("bots", bots="hold")
    fill(create("almost"), [name for name in PLAYERS.values() if name not in ("Agathe", "Théa")])


ANSWERS = [
    ("variant=sandad", {"duel"}),
    ("rulebook_name=datc", {"datc"}),
    ("rulebook_name=own", {"own"}),
    ("pace=week", {"friday"}),
    ("press=none", {"gunboat"}),
    ("anonymity=open", {"gunboat"}),
    ("bots=yes", {"bots"}),
    ("seats=1", {"almost"}),
    ("bots=no&press=full&seats=2&anonymity=until_end&variant=classic&pace=days", {"almost"}),
    ("press=none&bots=yes", set()),
]


@pytest.mark.usefixtures("several")
@pytest.mark.parametrize(("query", "found"), ANSWERS)
def test_each_question_finds_its_games(query: str, found: set[str]) -> None:
    assert names(query) == found


def test_a_bots_seat_to_take_over_is_in_the_list_after_open_ones() -> None:
    create("gathers", bots="random", bot_seats_open=True)
    kept, offered, left = begun(led=False), begun(led=False, **TAKEN_OVER), begun(led=False, bots="")
    for name, game in {"kept": kept, "offered": offered, "left": left}.items():
        Game.objects.filter(pk=game.pk).update(name=name)
    listed = [card["game"].name for card in Client().get("/parties/?show=join").context["cards"]]
    assert listed == ["left", "offered", "gathers"]
    assert names("", "seats") == {"left", "offered"}
    assert names("bots=seat") == names("bots=seat", "seats") == {"offered"}
    told = words(Client().get("/parties/?bots=seat"))
    assert "Place de bot à reprendre" in told
    assert "Italie" in told
    assert "Place libre" not in told
    asking = program(STRANGER, [Scope.READ])
    assert [one["name"] for one in asking.get("/games?show=join&bots=seat").json()["items"]] == ["offered"]
    power_assignments.assign_power(offered, "ITALY", person(STRANGER))
    assert names("bots=seat") == {"offered"}, "other bots have seats there"
    Game.objects.filter(pk=offered.pk).update(state=GameState.ENDED)
    assert names("bots=seat") == set()


def test_who_looks_for_a_bots_seat_hears_of_one() -> None:
    saved_searches.save_search(person(STRANGER), GameFilter(bots="seat"))
    told = begun(led=False, **TAKEN_OVER)
    begun(led=False)
    heard = Notification.objects.filter(person=person(STRANGER), kind=recipients.SEAT_FOUND)
    assert [one.facts["game"] for one in heard] == [told.name]


@pytest.mark.usefixtures("several")
def test_a_game_of_any_language_is_for_readers_of_each() -> None:
    everything = names("")
    assert names("language=en") == everything
    assert names("language=fr") == everything - {"english"}


@pytest.mark.usefixtures("several")
def test_programs_ask_the_same_way() -> None:
    asking = program(STRANGER, [Scope.READ])

    def told(query: str) -> set[str]:
        return {one["name"] for one in asking.get(f"/games?show=join&{query}").json()["items"]}

    assert told("rulebook=own") == {"own"}
    assert told("pace=week&press=full") == {"friday"}
    assert told("missing=1") == {"almost"}
    assert told("bots=yes") == {"bots"}
    assert told("variant=mars") == told("rulebook=mars") == set()
    for nonsense in ("pace=never", "missing=0", "missing=x", "bots=perhaps", "language=de"):
        assert asking.get(f"/games?show=join&{nonsense}").status_code == 422


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["mars", "%00", "' OR 1=1 --", "9" * 4000, "%F0%9F%8E%B2", "<script>"])
def test_an_answer_that_does_not_exist_counts_as_any(name: str, value: str) -> None:
    create("usual")
    answer = Client().get(f"/parties/?{name}={value}")
    assert [card["game"].name for card in answer.context["cards"]] == ["usual"]
    assert "<script>" not in answer.text.replace('<script type="', "")


def test_what_was_asked_stays_and_goes_on_to_the_other_lists() -> None:
    page = Client().get("/en/games/?press=none&pace=live")
    assert '<option value="none" selected>' in page.text
    assert "?show=watch&amp;pace=live&amp;press=none" in page.text
    assert "A phase lasts: live, under 12 hours · Press: None" in words(page)
    assert "No game has all of that" in words(page)


def test_running_and_finished_games_are_found_too() -> None:
    game = table(rhythm=FRIDAY)
    assert names("pace=week", "watch") == {game.name}
    assert names("pace=live", "watch") == set()
    Game.objects.update(state="ended")
    assert names("pace=week&seats=1", "ended") == {game.name}


def test_a_card_shows_the_board_to_those_who_may_see_it() -> None:
    game = table()
    page = Client().get("/parties/?show=watch")
    assert f"/maps/game/{game.key}.svg?phase=1" in page.text
    made()
    assert "/maps/classic.svg" in Client().get("/parties/").text


def test_one_s_own_games_are_not_among_them() -> None:
    create("usual")
    assert client_of("Agathe").get("/parties/?press=full").context["cards"] == []


PACES = [
    ({}, Pace.DAYS),
    ({"hours": 0}, Pace.MANUAL),
    ({"hours": 24}, Pace.DAY),
    ({"hours": 0.25}, Pace.LIVE),
    ({"movement": {"by": "hand"}}, Pace.MANUAL),
    ({"movement": {"seconds": 7 * 86400}}, Pace.WEEK),
    ({"movement": {"days": [0, 1, 2, 3, 4, 5, 6], "minute": 1200}}, Pace.DAY),
    ({"movement": {"days": [1, 4], "minute": 1200}}, Pace.DAYS),
    (FRIDAY, Pace.WEEK),
]


@pytest.mark.parametrize(("rhythm", "pace"), PACES)
def test_the_pace_of_every_rule(rhythm: dict[str, Any], pace: Pace) -> None:
    assert pace_of(rhythm) == pace


def test_the_columns_follow_the_agreement() -> None:
    game = create("usual")
    game.settings_json = GameSettings(rhythm={"hours": 24}).as_json()
    game.save(update_fields=["settings_json"])
    kept = Game.objects.values(*listing_facets({}, "")).get()
    assert kept == listing_facets(game.settings_json, "anjou_feu")
    assert kept["pace"] == Pace.DAY


def test_a_filter_is_told_as_an_address_and_in_words() -> None:
    wanted = GameFilter.from_values({"press": "none", "variant": "classic", "pace": "x"})
    assert wanted.query == "variant=classic&press=none"
    assert wanted.words == ["Variante\u00a0: Diplomacy", "Messages\u00a0: Aucun"]
    assert GameFilter.from_values({}).chosen == {}


def test_replacements_wanted_are_on_one_page_with_what_is_left() -> None:
    create("gathering")
    game, full = table(), table(anonymity=Anonymity.OPEN)
    membership_actions.leave_game(game, person("Gaspard"))
    page = Client().get("/en/games/?show=seats")
    assert [card["game"] for card in page.context["cards"]] == [game]
    assert 'Open seat: Germany</strong> <span class="hint">3 centres, 3 units</span>' in words(page)
    assert f"/maps/game/{game.key}.svg?phase=1" in page.text
    assert "Gaspard" not in page.text
    told = program(STRANGER, [Scope.READ]).get("/games?show=seats").json()["items"]
    assert [one["key"] for one in told] == [game.key]
    assert client_of("Flora").get("/parties/?show=seats").context["cards"] == []
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    assert "No game needs a replacement right now." in words(Client().get("/en/games/?show=seats"))
    assert full.state == "playing"


def test_a_board_that_only_guests_may_see_is_not_shown_in_the_list() -> None:
    game = table(watching=SpectatorRule.INVITED)
    membership_actions.leave_game(game, person("Gaspard"))
    page = Client().get("/parties/?show=seats")
    assert [card["game"] for card in page.context["cards"]] == [game]
    assert f"/maps/game/{game.key}.svg" not in page.text
    assert "Allemagne" in page.text
    assert "3 centres" not in page.text
    assert Client().get(f"/maps/game/{game.key}.svg").status_code == 404


def rated(name: str, reliability: int, readers: PageReaders = PageReaders.MEMBERS, *parts: str) -> None:
    shown = {"readers": readers, "shown_parts": [*parts] or usual_parts(), "reliability": reliability}
    PlayerProfile.objects.update_or_create(person=person(name), defaults=shown)


def found_by(reader: str, least: int) -> set[str]:
    page = client_of(reader).get(f"/parties/?reliability={least}")
    return {card["game"].name for card in page.context["cards"]}


def test_the_mean_reliability_counts_who_shows_theirs_in_open_games_alone() -> None:
    rated("Agathe", 95)
    games: dict[str, dict[str, Any]] = {
        "open": {"anonymity": Anonymity.OPEN},
        "anonymous": {},
        "strict": {"least_reliability": 80},
    }
    for name, terms in games.items():
        fill(create(name, **terms), ["Bruno"])
    assert found_by(STRANGER, 95) == {"open"}
    rated("Bruno", 70)
    assert found_by(STRANGER, 90) == set()
    assert found_by(STRANGER, 80) == {"open", "strict"}
    rated("Bruno", 0, PageReaders.MEMBERS, PagePart.SINCE)
    assert found_by(STRANGER, 95) == {"open"}
    rated("Bruno", 0, PageReaders.NOBODY)
    assert found_by(STRANGER, 95) == {"open"}
    assert names("reliability=60") == {"strict"}  # of members alone, a visitor learns nothing
    rated("Agathe", 95, PageReaders.EVERYBODY)
    assert names("reliability=60") == {"open", "strict"}
    assert names("reliability=61") == {"open", "anonymous", "strict"}  # no answer there is
    got = program(STRANGER, [Scope.READ]).get("/games?show=join&reliability=80").json()
    assert {one["name"] for one in got["items"]} == {"open", "strict"}


def test_a_search_by_reliability_hears_of_what_its_list_shows() -> None:
    rated("Agathe", 85)
    saved_searches.save_search(person(STRANGER), GameFilter(reliability="80"))
    saved_searches.save_search(person("Zoé"), GameFilter(reliability="90"))
    create("anonymous")
    create("open", anonymity=Anonymity.OPEN)
    create("strict", least_reliability=90)
    told = Notification.objects.filter(kind="game_found").order_by("pk")
    assert {(one.person.name, one.facts["game"]) for one in told} == {
        (STRANGER, "open"),
        (STRANGER, "strict"),
        ("Zoé", "strict"),
    }
