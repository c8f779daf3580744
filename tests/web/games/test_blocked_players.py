"""People who block each other: not in one game where names are known, and nothing that tells elsewhere."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.conduct import blocks
from talleyrand.web.conduct.models import Block
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.lobby import blocked_players, membership_actions, player_queues
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.games.models import Game, GameRole, Invitation
from talleyrand.web.games.record_models import PageReaders, PlayerProfile
from tests.web.cast import PLAYERS, client_of, person
from tests.web.games.tables import at, fill, link, made, refused, roles, words

pytestmark = pytest.mark.django_db
PAGE = "/compte/blocages/"
APART, OWN = "Vous ne pouvez pas rejoindre cette partie.", "Une personne que vous bloquez participe"
MARK = "avec une personne bloquée"
OPEN: dict[str, Any] = {"anonymity": Anonymity.OPEN}


def block(who: str = "Flora", whom: str = "Roman") -> None:
    assert blocks.block(person(who), person(whom))


def enter(name: str, game: Game) -> Any:
    return client_of(name).post(at(game, "rejoindre/"))


def test_neither_joins_the_other_where_names_are_known() -> None:
    block()
    with_roman, with_flora = made("Roman", **OPEN), made("Flora", **OPEN)
    refused(enter("Flora", with_roman), OWN)
    refused(enter("Roman", with_flora), APART)
    assert "Roman" not in roles(with_flora)
    assert "Flora" not in roles(with_roman)
    fill(with_roman, ["Sylvain"])  # nobody else is kept away


def test_an_invitation_is_no_way_round_and_stays_good() -> None:
    block()
    game = made("Flora", listed=False, **OPEN)
    way = link(game, is_single_use=True)
    refused(client_of("Roman").post(way), APART)
    assert Invitation.objects.get(game=game).revoked_at is None
    assert client_of("Sylvain").post(way).status_code == 302


def test_onlookers_keep_nobody_away() -> None:
    block()
    game = made(**OPEN)
    fill(game, ["Roman"])
    membership_actions.join_game(game, person("Flora"), role=GameRole.OBSERVER)
    membership_actions.remove_member(game, game.memberships.get(person=person("Roman")).pk, person("Agathe"))
    assert enter("Roman", game).status_code == 302


def test_a_list_marks_games_for_who_blocks_alone() -> None:
    block()
    made("Roman", **OPEN)
    told = {name: words(client_of(name).get("/parties/")).count(MARK) for name in ("Flora", "Sylvain")}
    assert told == {"Flora": 1, "Sylvain": 0}
    made("Flora", **OPEN)
    assert MARK not in words(client_of("Roman").get("/parties/"))


def test_nothing_tells_who_plays_in_an_anonymous_game() -> None:
    """Byte for byte what it was: list, door, and what joining answers; whoever blocks, or is blocked."""
    game = made("Roman")
    pages = ("/parties/", at(game), at(game, "rejoindre/"))
    browsers = {name: client_of(name) for name in ("Flora", "Sylvain")}
    before = {name: [_plain(one.get(page)) for page in pages] for name, one in browsers.items()}
    block("Flora", "Roman")
    block("Roman", "Sylvain")
    after = {name: [_plain(one.get(page)) for page in pages] for name, one in browsers.items()}
    assert after == before
    assert [one.post(pages[2]).status_code for one in browsers.values()] == [302, 302]


def _plain(answer: Any) -> str:
    """The page without the seals that each answer makes anew."""
    main = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    assert main
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", main)


def test_a_queue_tells_nothing_either() -> None:
    block()
    games = [player_queues.join_queue("silent", person(name), timezone.now()) for name in PLAYERS.values()]
    assert games[-1] is not None


def test_names_that_the_game_master_revealed_are_known() -> None:
    game = made("Roman")
    Game.objects.filter(pk=game.pk).update(powers_revealed_at=timezone.now())
    block()
    with pytest.raises(LobbyRefusal, match="blocking"):
        membership_actions.join_game(Game.objects.get(pk=game.pk), person("Flora"))
    assert blocked_players.games_with_blocked([], person("Flora")) == frozenset()


def test_one_blocks_and_unblocks_on_a_page_of_one_s_own() -> None:
    person("Roman")
    flora = client_of("Flora")
    assert "Bloquer" in words(flora.get("/joueurs/Roman/"))
    assert 'value="Roman"' in words(flora.get(f"{PAGE}?name=Roman"))
    for _twice in range(2):
        assert "qui n’en sait rien" in words(flora.post(PAGE, {"name": " roman "}, follow=True))
    assert "Flora" not in words(client_of("Roman").get(PAGE))
    kept = Block.objects.get()
    client_of("Sylvain").post(PAGE, {"do": "unblock", "person": kept.blocked_id})
    assert Block.objects.count() == 1
    for _twice in range(2):
        flora.post(PAGE, {"do": "unblock", "person": kept.blocked_id})
    assert not Block.objects.exists()


@pytest.mark.parametrize("name", ["Personne", "", "\0", "Flora", "x" * 5000, "Roman"])
def test_strangers_and_nobody_are_answered_alike(name: str) -> None:
    PlayerProfile.objects.create(person=person("Roman"), readers=PageReaders.NOBODY)
    answer = client_of("Flora").post(PAGE, {"name": name})
    refused(answer, "vous-même" if name == "Flora" else "dont vous pouvez ouvrir la page")
    assert not Block.objects.exists()


def test_whoever_was_named_in_a_game_can_be_blocked() -> None:
    """By a game that shows names, or did in the end; not by one in which they are a secret."""
    PlayerProfile.objects.create(person=person("Roman"), readers=PageReaders.NOBODY)
    game = made("Roman")
    fill(game, ["Flora"])
    refused(client_of("Flora").post(PAGE, {"name": "Roman"}), "dont vous pouvez")
    Game.objects.filter(pk=game.pk).update(state="ended", phase_number=3)
    assert client_of("Flora").post(PAGE, {"name": "Roman"}).status_code == 302


def test_two_hundred_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_BLOCKS", 1)
    block()
    person("Sylvain")
    refused(client_of("Flora").post(PAGE, {"name": "Sylvain"}), "débloquez d’abord")
    assert client_of("Flora").post(PAGE, {"name": "Roman"}).status_code == 302  # known already


def test_visitors_are_asked_to_sign_in() -> None:
    assert Client().get(PAGE).status_code == 302
    assert "/compte/blocages/" not in words(Client().get("/parties/"))


def test_blocks_are_exported_to_their_owner_and_go_with_either() -> None:
    block()
    assert personal_data.export_personal_data(person("Flora"))["conduct"]["blocks"][0]["name"] == "Roman"
    assert personal_data.export_personal_data(person("Roman"))["conduct"]["blocks"] == []
    personal_data.delete_account(person("Roman"))
    assert not Block.objects.exists()
