"""Private groups: their games are found by members alone, wherever one asks; their links and their ends."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.api.scopes import Scope
from talleyrand.web.games.deadlines import calendar_feed
from talleyrand.web.games.finding_models import GroupMember, PlayerGroup
from talleyrand.web.games.game_settings import GameSettings, SpectatorRule
from talleyrand.web.games.lobby import (
    game_creation,
    game_start,
    membership_actions,
    newcomer_limits,
    player_groups,
)
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameState
from talleyrand.web.notifications.models import Notification
from talleyrand.web.webhooks.models import Webhook
from tests.web.api.asking import program
from tests.web.cast import PLAYERS, STRANGER, client_of, person
from tests.web.games.tables import fill, made, words
from tests.web.games.test_table_races import together
from tests.web.visibility import places

pytestmark = pytest.mark.django_db
NAME, GAME = "zz-groupe-secret", "zz-partie-du-groupe"
SEVEN = list(PLAYERS.values())


def group(*names: str) -> PlayerGroup:
    made = player_groups.create_group(person("Agathe"), NAME)
    for name in names:
        player_groups.join_group(made, made.token, person(name))
    return made


def game_of(made: PlayerGroup, **terms: Any) -> Game:
    agreed: dict[str, Any] = {"is_listed": True, "role": "player", "group": made}
    plan = GamePlan(GAME, "classic", "anjou_feu", GameSettings(**terms), **agreed)
    return game_creation.create_game(plan, person("Agathe"), "")


def test_a_name_sent_twice_is_one_group() -> None:
    first = group("Flora")
    client_of("Agathe").post("/parties/groupes/", {"name": f" {NAME} "})
    assert PlayerGroup.objects.get() == first
    client_of("Flora").post("/parties/groupes/", {"name": NAME})  # another's group of that name is another
    assert PlayerGroup.objects.count() == 2


def test_its_page_leads_to_no_board_that_only_players_see() -> None:
    made = group("Flora", "Roman")
    game = game_of(made, watching=SpectatorRule.INVITED)
    membership_actions.join_game(game, person("Flora"))
    door = f'href="/parties/{game.key}/'
    assert all(door in client_of(name).get(at(made)).text for name in ("Flora", "Roman"))
    game_start.start_game(game, timezone.now())
    assert door in client_of("Flora").get(at(made)).text
    assert door not in client_of("Roman").get(at(made)).text
    assert GAME in client_of("Roman").get(at(made)).text


def test_a_newcomer_with_three_listed_games_comes_to_one_of_their_group() -> None:
    for _number in range(newcomer_limits.NEWCOMER_GAMES):
        fill(made(by="Edmond"), ["Flora"])
    game = game_of(group("Flora"))
    door = f"/parties/{game.key}/infos/rejoindre/"
    assert "trois parties publiques" not in words(client_of("Flora").get(door))
    assert client_of("Flora").post(door).status_code == 302
    assert game.memberships.filter(person=person("Flora")).exists()


def at(made: PlayerGroup) -> str:
    return f"/parties/groupes/{made.key}/"


def do(who: str, made: PlayerGroup, act: str, **more: object) -> Any:
    return client_of(who).post(at(made), {"do": act, **more})


LISTS = ("join", "seats", "watch", "ended")


def found(client: Client) -> set[str]:
    """In which lists the game stands, on the pages and over the API of the same person."""
    return {show for show in LISTS if GAME in client.get(f"/parties/?show={show}").text}


def test_members_find_its_games_and_join_without_a_link() -> None:
    game = game_of(group("Flora", "Roman"))
    assert not game.is_listed
    assert found(client_of("Flora")) == {"join"}
    assert "groupe privé" in client_of("Flora").get("/parties/").text
    told = program("Flora", [Scope.READ]).get("/games?show=join").json()["items"]
    assert [one["name"] for one in told] == [GAME]
    assert client_of("Flora").post(f"/parties/{game.key}/infos/rejoindre/").status_code == 302
    assert game.memberships.filter(person=person("Flora")).exists()
    # the terms say so, without a name
    terms = words(client_of("Roman").get(f"/parties/{game.key}/infos/"))
    assert "Seuls les membres d’un groupe privé" in terms
    assert NAME not in terms
    heard = Notification.objects.filter(kind="group_game").values_list("person__name", flat=True)
    assert sorted(heard) == ["Flora", "Roman"]


def moments(game: Game) -> Any:
    """The game gathering, running with a seat free, ended."""
    yield game
    for name in SEVEN[1:]:
        membership_actions.join_game(game, person(name))
    game_start.start_game(game, timezone.now())
    membership_actions.leave_game(game, person("Roman"))
    yield Game.objects.get(pk=game.pk)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, ended_at=timezone.now())
    yield Game.objects.get(pk=game.pk)


@pytest.mark.parametrize("who", ["", STRANGER])
def test_nobody_else_learns_of_them(who: str) -> None:
    made = group(*SEVEN[1:], "Zoé")
    client = client_of(who) if who else Client()
    Webhook.objects.create(person=person("Flora"), address="https://example.org/", created_at=timezone.now())
    own = calendar_feed.feed_token(person("Flora"))  # whoever has it is Flora
    for game in moments(game_of(made)):
        asked = [path for path in places.every(game) if own not in path] if game.phase_number else []
        for path in [*asked, f"/parties/{game.key}/infos/", f"/parties/{game.key}/infos/rejoindre/", "/"]:
            answer = client.get(path)
            told = b"".join(answer) if answer.streaming else answer.content
            assert GAME.encode() not in told, path
            assert NAME.encode() not in told, path
        assert not found(client)
        assert client.get(f"/parties/{game.key}/").status_code == 404
        assert client.get(at(made)).status_code in (302, 404)
        if who:
            asking = program(who, [Scope.READ])
            assert all(asking.get(f"/games?show={show}").json()["items"] == [] for show in (*LISTS, "mine"))
            assert asking.get(f"/games/{game.key}").status_code == 404
        # whoever is in the group sees it
        assert found(client_of("Zoé"))


def test_whoever_left_or_was_removed_finds_them_no_more() -> None:
    made = group("Flora", "Roman")
    game = game_of(made)
    do("Flora", made, "leave")
    assert not found(client_of("Flora"))
    member = GroupMember.objects.get(person=person("Roman"))
    link = made.token
    assert do("Agathe", made, "remove", member=member.pk).status_code == 302
    assert not found(client_of("Roman"))
    assert client_of("Roman").get(f"/parties/{game.key}/infos/").status_code == 404
    assert client_of("Roman").get(f"/parties/groupes/rejoindre/{link}/").status_code == 404
    with pytest.raises(LobbyRefusal):
        membership_actions.join_game(game, person("Roman"))


def test_one_comes_in_by_the_link() -> None:
    made = group()
    door = f"/parties/groupes/rejoindre/{made.token}/"
    assert NAME in Client().get(door).text
    assert "?next=" in Client().post(door)["Location"]
    client = client_of("Flora")
    assert client.get(door).status_code == 200
    assert not made.members.filter(person=person("Flora")).exists()
    assert NAME in client.post(door, follow=True).text
    assert "déjà de ce groupe" in words(client.post(door, follow=True))
    assert made.members.count() == 2
    assert client_of("Agathe").post(at(made), {"do": "link"}).status_code == 302
    assert client_of("Zoé").post(door).status_code == 404


def test_a_group_by_the_pages() -> None:
    client = client_of("Flora")
    assert "Vous n’êtes d’aucun groupe" in words(client.get("/parties/groupes/"))
    page = client.post("/parties/groupes/", {"name": "  Le club <b> "}, follow=True)
    assert "Le club &lt;b&gt;" in page.text
    made = PlayerGroup.objects.get()
    form = client.get(f"/parties/nouvelle/?group={made.key}")
    assert "Seuls les membres de «\u00a0Le club &lt;b&gt;\u00a0»" in form.text
    assert client.post("/parties/nouvelle/", {"name": "Du club", "group": made.key}).status_code == 302
    game = Game.objects.get()
    assert (game.group, game.is_listed) == (made, False)
    assert "Du club" in client.get(at(made)).text
    assert "Le club" in client.get("/en/games/groups/").text


BAD_NAMES = ["", "   ", "\u200b", "x" * 81, "x" * 100_000, "\x00"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_are_none(name: str) -> None:
    answer = client_of("Flora").post("/parties/groupes/", {"name": name})
    assert answer.status_code in (400, 409)
    assert not PlayerGroup.objects.exists()


def test_a_game_for_a_group_of_others_is_not_made() -> None:
    made = group("Flora")
    for key in (made.key, "mars", "é", "\x00", "x" * 5000):
        sent = {"name": "À moi", "group": key}
        assert client_of(STRANGER).post("/parties/nouvelle/", sent).status_code in (400, 404)
    assert client_of(STRANGER).get(f"/parties/nouvelle/?group={made.key}").status_code == 404
    assert not Game.objects.exists()


@pytest.mark.parametrize("act", ["remove", "link", "delete", "leave", "", "rename"])
def test_only_who_leads_it_changes_it(act: str) -> None:
    made = group("Flora", "Roman")
    member = GroupMember.objects.get(person=person("Roman"))
    before = (made.token, made.members.count())
    assert do(STRANGER, made, act, member=member.pk).status_code == 404
    if act != "leave":
        assert do("Flora", made, act, member=member.pk).status_code == 409
        made.refresh_from_db()
        assert (made.token, made.members.count()) == before


def test_nobody_of_another_group_is_removed() -> None:
    made, other = group("Flora"), player_groups.create_group(person(STRANGER), "Autre")
    for member in (other.members.get().pk, made.members.get(person=person("Agathe")).pk, 0, "x", "9" * 40):
        assert do("Agathe", made, "remove", member=member).status_code == 409
    assert other.members.count() == 1


def test_the_eldest_leads_it_when_its_owner_goes_and_it_ends_with_the_last() -> None:
    made = group("Flora", "Roman")
    game = game_of(made)
    personal_data.delete_account(person("Agathe"))
    assert made.members.get(is_owner=True).person.name == "Flora"
    do("Flora", made, "leave")
    do("Roman", made, "leave")
    assert not PlayerGroup.objects.exists()
    game.refresh_from_db()
    assert game.group is None
    assert not found(client_of("Flora"))


def test_a_deleted_group_leaves_its_games_to_those_who_play() -> None:
    made = group("Flora")
    game = game_of(made)
    membership_actions.join_game(game, person("Flora"))
    do("Agathe", made, "delete")
    assert client_of("Flora").get(f"/parties/{game.key}/infos/").status_code == 200
    with pytest.raises(LobbyRefusal):
        membership_actions.join_game(Game.objects.get(), person("Roman"))


def test_there_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_groups, "MOST_GROUPS", 2)
    monkeypatch.setattr(player_groups, "MOST_MEMBERS", 2)
    made = group("Flora")
    with pytest.raises(LobbyRefusal) as refused:
        player_groups.join_group(made, made.token, person("Roman"))
    assert refused.value.code == "group_full"
    player_groups.create_group(person("Agathe"), "Deux")
    answer = client_of("Agathe").post("/parties/groupes/", {"name": "Trois"})
    assert "quittez-en un" in words(answer)
    assert 'value="Trois"' in answer.text


def test_one_s_groups_are_one_s_data() -> None:
    group("Flora")
    told = personal_data.export_personal_data(person("Flora"))["finding"]["groups"]
    assert [(one["name"], one["leads"]) for one in told] == [(NAME, False)]
    assert personal_data.export_personal_data(person(STRANGER))["finding"]["groups"] == []


@pytest.mark.django_db(transaction=True)
def test_the_last_place_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_groups, "MOST_MEMBERS", 2)
    made = group()
    people = [person(name) for name in ("Flora", "Roman", "Zoé")]
    together(*[lambda one=one: player_groups.join_group(made, made.token, one) for one in people])
    assert made.members.count() == 2
