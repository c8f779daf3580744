"""People's pages, joined with all the others that are public, tell nothing of who plays in a game where that
is secret, nor that two accounts are one person.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.game_settings import Anonymity, SpectatorRule
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import Game
from talleyrand.web.games.player_records import rating_history, record_queue
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayerProfile
from tests.web.api.asking import program
from tests.web.cast import PLAYERS, STRANGER, client_of, person, table
from tests.web.games.finished import end, play

pytestmark = pytest.mark.django_db
NAMES = tuple(PLAYERS.values())


def show_all(*names: str) -> None:
    """Pages open to everyone, with all that they can tell."""
    for name in names:
        PlayerProfile.objects.update_or_create(
            person=person(name),
            defaults={"readers": PageReaders.EVERYBODY, "shown_parts": [*PagePart.values]},
        )


def pages() -> dict[str, str]:
    """What everyone may read of everyone who plays: pages in both languages, and the API."""
    record_queue.count_finished_games()
    rating_history.compute_due_ratings()
    found: dict[str, str] = {}
    for reader, client in (("visitor", Client()), ("stranger", client_of(STRANGER))):
        for name in NAMES:
            for path in (f"/joueurs/{name}/", f"/en/players/{name}/"):
                response: Any = client.get(path)
                assert response.status_code == 200
                # what is around it is another at each visit: words by which the page hears of news
                [found[f"{reader} {path}"]] = re.findall(
                    "<main.*</main>", response.content.decode(), re.DOTALL
                )
    stranger = program(STRANGER)
    return found | {name: stranger.get(f"/players/{name}").content.decode() for name in NAMES}


def _missed(game: Game) -> None:
    play(game, silent=["FRANCE"])


def _left(game: Game) -> None:
    membership_actions.leave_game(game, person("Gaspard"))


def _replaced(game: Game) -> None:
    membership_actions.join_game(game, person("Irène2"), power="GERMANY")


def _paused(game: Game) -> None:
    game_lifecycle.pause_game(game, timezone.now())


@pytest.mark.parametrize("watching", list(SpectatorRule))
def test_nothing_that_happens_in_an_anonymous_game_changes_a_page(watching: SpectatorRule) -> None:
    """Byte for byte: whoever reads all pages after each phase, and compares, learns nothing."""
    show_all(*NAMES)
    end(play(play(table(), silent=["ITALY"])), ["FRANCE"])
    before = pages()
    game = table(anonymity=Anonymity.UNTIL_END, watching=watching)
    assert pages() == before
    for step in (_missed, _missed, _left, _replaced, _missed, _paused):
        step(game)
        assert pages() == before, step.__name__


def test_when_it_is_over_each_page_tells_what_the_game_itself_tells() -> None:
    show_all(*NAMES)
    game = play(table(anonymity=Anonymity.UNTIL_END), silent=["FRANCE"])
    before = pages()
    end(game, ["FRANCE"])
    after = pages()
    assert {name for name in NAMES if before[name] != after[name]} == set(NAMES)
    assert all(game.key in after[f"visitor /joueurs/{name}/"] for name in NAMES)


def test_a_game_by_invitation_is_told_of_to_nobody_even_when_it_is_over() -> None:
    show_all(*NAMES)
    game = table(anonymity=Anonymity.OPEN)
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    before = pages()
    play(game, silent=["FRANCE"])
    assert pages() == before
    end(game, ["FRANCE"])
    assert pages() == before


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({"anonymity": Anonymity.OPEN}, True),
        ({"anonymity": Anonymity.UNTIL_END}, False),
        ({}, False),
        ({"anonymity": Anonymity.OPEN, "watching": SpectatorRule.INVITED}, False),
    ],
)
def test_running_games_are_told_of_where_everyone_may_watch_and_knows_who_plays(
    terms: dict[str, Any], told: bool
) -> None:
    show_all(*NAMES)
    game = table(**terms)
    assert (game.key in pages()["visitor /joueurs/Flora/"]) is told


HIDING: dict[str, Callable[[Person], object]] = {
    "page": lambda one: PlayerProfile.objects.filter(person=one).update(readers=PageReaders.NOBODY),
    "games": lambda one: PlayerProfile.objects.filter(person=one).update(shown_parts=[]),
}


@pytest.mark.parametrize("hidden", HIDING)
def test_whoever_hides_is_named_on_no_page_of_others(hidden: str) -> None:
    """Flora and Gaspard were allies; Gaspard does not say so: Flora's page names the power alone."""
    show_all(*NAMES)
    game = play(table(), FRANCE=["A Mar S A Mun - Bou"], GERMANY=["A Mun - Bou"])
    while game.phase != "F1902M":
        game = play(game, FRANCE=["A Par S A Bou"], GERMANY=["A Bou S A Par"])
    end(game)
    assert "Gaspard" in pages()["visitor /joueurs/Flora/"]
    HIDING[hidden](person("Gaspard"))
    shown: Any = Client().get("/joueurs/Flora/")
    assert "Allemagne, 1901–1902" in shown.content.decode()
    assert "Gaspard" not in shown.content.decode()
    assert "Gaspard" not in program(STRANGER).get("/players/Flora").content.decode()


def test_two_accounts_of_one_person_have_nothing_in_common() -> None:
    """Same address, same zone, same hours: nothing of that is on a page."""
    show_all("Flora", "Masque")
    Person.objects.filter(name__in=("Flora", "Masque")).update(email="une@exemple.fr", time_zone="Asia/Tokyo")
    end(play(table()), ["FRANCE"])
    mask: Any = Client().get("/joueurs/Masque/")
    flora: Any = Client().get("/joueurs/Flora/")
    for page in (mask, flora):
        assert not re.search("exemple|Tokyo", page.content.decode())
    assert "Flora" not in mask.content.decode()
    assert "Masque" not in flora.content.decode()
