"""Tables over the API: a game is made, joined, begun, left and ended by programs alone."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.lobby import player_groups
from talleyrand.web.games.models import Game, GameRole, GameState, Invitation
from tests.web import cast
from tests.web.api.asking import Program, program
from tests.web.api.test_door import refused

pytestmark = pytest.mark.django_db
NEW = {"name": "Le Congrès de Vienne"}


@pytest.fixture
def maelle() -> Program:
    return program("Maëlle", [Scope.READ, Scope.TABLES, Scope.DESK])


def made(maker: Program, **more: Any) -> dict[str, Any]:
    response = maker.ask("POST", "/games", {**NEW, **more})
    assert response.status_code == 201, response.content
    found: dict[str, Any] = response.json()
    return found


def link(maker: Program, key: str, **more: Any) -> str:
    response = maker.ask("POST", f"/games/{key}/invitations", more)
    assert response.status_code == 201, response.content
    return str(response.json()["token"])


def test_from_nothing_to_the_first_phase(maelle: Program) -> None:
    dates = {"movement": {"days": [4, 4], "minute": 1440}, "resting": {"months": [8]}, "zone": "Europe/Paris"}
    game = made(maelle, part="master", listed=False, terms={"press": "held", "patience": 0}, dates=dates)
    assert (game["role"], game["state"], game["terms"]["press"]) == ("master", "gathering", "held")
    assert game["terms"]["rhythm"]["movement"] == {"days": [4], "minute": 1440}
    token = link(maelle, game["key"])
    for name in ("Flora", "Gaspard"):
        told = program(name).get(f"/invitations/{token}").json()
        assert (told["game"], told["role"], told["open"]) == (game["key"], "player", True)
        joined = program(name).ask("POST", f"/invitations/{token}/join", {"wishes": ["FRANCE"]})
        assert joined.json()["role"] == "player"
    begun = maelle.ask("POST", f"/games/{game['key']}/begin", {"how": "lot"}).json()
    assert (begun["state"], begun["phase"]) == ("playing", "S1901M")


def test_open_points_are_settled(maelle: Program) -> None:
    chosen = {"game": "long", "colour": "never", "host_all": "with_un"}
    game = made(maelle, variant="diplomatie_2000", terms={"readings": chosen})
    assert game["terms"]["readings"] == {"game": "long", "colour": "never"}


def test_proposals_have_dates_of_their_own(maelle: Program) -> None:
    """What the terms tell may be sent back; another rule for orders keeps one for proposals."""
    dates = {"movement": {"days": [4], "minute": 1440}, "proposals": {"seconds": 43200}}
    world = {"variant": "diplomatie_2000", "part": "master"}
    game = made(maelle, **world, dates=dates)
    kept = game["terms"]["rhythm"]
    assert kept["proposals"] == {"seconds": 43200}
    assert made(maelle, **world, dates=kept)["terms"]["rhythm"] == kept
    place = f"/games/{game['key']}/desk/dates"
    told = maelle.ask("PUT", place, {"dates": {"movement": {"seconds": 3600}}}).json()
    assert told["terms"]["rhythm"]["proposals"] == {"seconds": 3600}
    classic = made(maelle, dates=dates)["terms"]["rhythm"]
    assert "proposals" not in classic


def test_the_same_game_sent_twice_is_made_once(maelle: Program) -> None:
    first, again = (maelle.ask("POST", "/games", NEW, Idempotency_Key="viennoiserie") for _ in range(2))
    assert first.json() == again.json()
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({}, "body.name"),
        ({"name": " "}, "body.name"),
        ({**NEW, "nom": "x"}, "body.nom"),
        ({**NEW, "variant": "nulle part"}, "body.variant"),
        ({**NEW, "rulebook": "mine"}, "body.rulebook"),
        ({**NEW, "own_rulebook": "[["}, "body.rulebook"),
        ({**NEW, "terms": {"press": "shouted"}}, "body.terms.press"),
        ({**NEW, "terms": {"naming": "pbm_en", "patience": 21}}, "body.terms.patience"),
        ({**NEW, "terms": {"last_year": 1850}}, "body.terms.last_year"),
        (
            {**NEW, "variant": "diplomatie_2000", "terms": {"readings": {"colour": "x"}}},
            "body.terms.readings.colour",
        ),
        ({**NEW, "terms": {"readings": {"colour": "never"}}}, "body.variant"),
        ({**NEW, "dates": {"movement": {"seconds": 1}}}, "body.dates"),
        ({**NEW, "dates": {"movement": {"days": []}}}, "body.dates"),
        ({**NEW, "dates": {"movement": {"by": "hand"}, "zone": "Nowhere/City"}}, "body.dates"),
        (
            {**NEW, "dates": {"movement": {"days": [1]}, "resting": {"months": list(range(1, 13))}}},
            "body.dates",
        ),
        (
            {**NEW, "dates": {"movement": {"days": [1]}, "resting": {"periods": [["02-31", "03-01"]]}}},
            "body.dates",
        ),
    ],
)
def test_games_that_cannot_be(maelle: Program, sent: dict[str, Any], where: str) -> None:
    response = maelle.ask("POST", "/games", sent)
    assert response.status_code == 422, response.content
    assert any(one["where"].startswith(where) for one in response.json()["fields"]), response.content
    assert not Game.objects.exists()


def test_what_is_done_at_a_table(maelle: Program) -> None:
    game = made(maelle, part="master", terms={"anonymity": "open"})
    flora = program("Flora")
    joined = flora.ask("POST", f"/games/{game['key']}/join", {"wishes": ["ITALY"]})
    assert joined.status_code == 201
    assert refused(flora.ask("POST", f"/games/{game['key']}/join", {}), 409)["code"] == "already"
    assert flora.ask("PUT", f"/games/{game['key']}/wishes", {"wishes": ["TURKEY"]}).status_code == 200
    people = maelle.get(f"/games/{game['key']}/people").json()
    assert people["count"]["player"] == 1
    (seated,) = (one["id"] for one in people["items"] if one["name"] == "Flora")
    assert maelle.ask("DELETE", f"/games/{game['key']}/people/{seated}").status_code == 204
    refused(maelle.ask("DELETE", f"/games/{game['key']}/people/{seated}"), 409)
    assert refused(maelle.ask("POST", f"/games/{game['key']}/begin", {}), 409)["code"] == "few"
    ended = maelle.ask("POST", f"/games/{game['key']}/abandon", {"reason": "Personne."}).json()
    assert ended["state"] == "abandoned"


def test_links(maelle: Program) -> None:
    game = made(maelle, part="master", listed=False)
    link(maelle, game["key"], once=True)
    (one,) = maelle.get(f"/games/{game['key']}/invitations").json()["items"]
    assert program("Flora").client.get(one["path"]).status_code == 200
    assert maelle.ask("DELETE", f"/games/{game['key']}/invitations/{one['id']}").status_code == 204
    refused(program("Flora").get(f"/invitations/{one['token']}"), 404)
    refused(program("Flora").ask("POST", f"/invitations/{one['token']}/join", {}), 409)
    assert Invitation.objects.get().revoked_at is not None


def test_by_hand_and_giving_up() -> None:
    game = cast.table(rhythm={"hours": 72}, absence_days=10)
    place = f"/games/{game.key}"
    flora = program("Flora")
    until = (timezone.now() + timedelta(days=3)).date()
    away = flora.ask("POST", f"{place}/absences", {"first": str(date.today()), "last": str(until)})  # noqa: DTZ011
    assert away.status_code == 201, away.content
    assert away.json()["mine"]
    assert program("Edmond").get(f"{place}/absences").json()["items"] == []
    refused(program("Edmond").ask("DELETE", f"{place}/absences/{away.json()['id']}"), 409)
    assert flora.ask("DELETE", f"{place}/absences/{away.json()['id']}").status_code == 204
    assert flora.ask("POST", f"{place}/powers/FRANCE/give-up").json()["role"] == "observer"
    refused(flora.ask("POST", f"{place}/powers/FRANCE/give-up"), 404)
    assert program("Edmond").ask("POST", f"{place}/leave").status_code == 204
    assert not game.memberships.filter(person__name="Edmond", left_at=None).exists()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("method", "rest", "sent"),
    [
        ("GET", "/invitations", None),
        ("POST", "/invitations", {}),
        ("DELETE", "/invitations/1", None),
        ("DELETE", "/people/1", None),
        ("POST", "/begin", {}),
        ("POST", "/abandon", {"reason": "x"}),
        ("POST", "/leave", None),
        ("PUT", "/wishes", {"wishes": []}),
        ("POST", "/pause", None),
        ("POST", "/go-on", None),
        ("POST", "/absences", {"first": "2030-01-01", "last": "2030-01-02"}),
        ("DELETE", "/absences/1", None),
        ("GET", "/absences", None),
        ("POST", "/powers/FRANCE/give-up", None),
        ("POST", "/proposals", {"power": "FRANCE", "number": 1}),
        ("POST", "/proposals/1/answers", {"power": "FRANCE", "choice": "yes"}),
        ("DELETE", "/proposals/1", None),
    ],
)
def test_a_stranger_changes_nothing(method: str, rest: str, sent: Any) -> None:
    game = cast.table()
    before = list(game.memberships.values_list("pk", "left_at"))
    refused(program("Sylvain").ask(method, f"/games/{game.key}{rest}", sent), 404)
    refused(program("Flora").ask(method, f"/games/nowhere{rest}", sent), 404)
    refused(program("Flora", [Scope.ORDERS]).ask(method, f"/games/{game.key}{rest}", sent), 403)
    assert before == list(game.memberships.values_list("pk", "left_at"))


def test_all_players_pause_and_one_goes_on() -> None:
    game = cast.table()
    game.memberships.filter(role=GameRole.GAME_MASTER).update(left_at=timezone.now())
    answers = [program(name).ask("POST", f"/games/{game.key}/pause").json() for name in cast.PLAYERS.values()]
    assert [one["paused"] for one in answers] == [False] * 6 + [True]
    assert program("Roman").ask("POST", f"/games/{game.key}/go-on").json()["state"] == GameState.PLAYING


def test_an_end_by_agreement() -> None:
    game = cast.table(draw="unanimous")
    Game.objects.update(phase="W1901A")  # once adjustments are open the end may be proposed
    flora = program("Flora")
    place = f"/games/{game.key}/proposals"
    proposed = flora.ask("POST", place, {"power": "FRANCE", "number": game.phase_number})
    assert proposed.status_code == 201, proposed.content
    row = proposed.json()["id"]
    refused(
        program("Edmond").ask("POST", f"{place}/{row}/answers", {"power": "FRANCE", "choice": "yes"}), 404
    )
    told = program("Edmond").ask("POST", f"{place}/{row}/answers", {"power": "ENGLAND", "choice": "no"})
    assert told.json()["asked"] == [{"power": "ENGLAND", "choice": "no"}]
    seen = flora.get(place).json()["items"][0]
    assert seen["vetoes"] == []
    assert {"power": "ENGLAND", "choice": "no"} not in seen["asked"]
    asked = [
        program("Edmond", scopes).get(place).json()["items"][0]["asked"]
        for scopes in ([Scope.READ], [Scope.READ, Scope.TABLES])
    ]
    assert asked == [[], [{"power": "ENGLAND", "choice": "no"}]], "a vote is as secret as a sheet"


def test_a_game_has_its_language_and_its_group(maelle: Program) -> None:
    assert made(maelle, terms={"language": "en"})["terms"]["language"] == "en"
    group = player_groups.create_group(cast.person("Maëlle"), "Le club")
    game = made(maelle, group=group.key, name="Entre nous")
    kept = Game.objects.get(key=game["key"])
    assert (kept.group, kept.is_listed) == (group, False)
    assert Game.objects.exclude(language="").get().language == "en"


@pytest.mark.parametrize("group", ["x", "", "\x00", "é" * 40])
def test_nobody_makes_a_game_in_a_group_that_is_not_theirs(maelle: Program, group: str) -> None:
    theirs = player_groups.create_group(cast.person("Flora"), "Le club")
    for key in (theirs.key, group or theirs.key):
        answer = maelle.ask("POST", "/games", {**NEW, "group": key})
        assert answer.status_code == 422, answer.content
    assert not Game.objects.exists()
    assert maelle.ask("POST", "/games", {**NEW, "terms": {"language": "de"}}).status_code == 422


def test_who_may_not_make_games_is_told_so(maelle: Program, settings: Any) -> None:
    settings.GAME_MAKERS = "organisers"
    answer = maelle.ask("POST", "/games", NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "makers")
    assert not Game.objects.exists()
