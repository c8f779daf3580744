"""A game master starts the game by mail: it is asked first, with who plays, and done as on the page."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games import power_assignments
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.lobby import game_creation, game_start, membership_actions
from talleyrand.web.games.lobby.game_creation import GamePlan
from talleyrand.web.games.models import Game, GameRole, GameState
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.built_once import built_once
from tests.web.cast import ASSISTANT, MASTER, PLAYERS, STRANGER, member, person
from tests.web.games.acting import fresh, people_told
from tests.web.mail.correspondents import correspond
from tests.web.mail.masters import answered, arrived, directed, said, taken
from tests.web.mail.test_directing_questions import code, plain

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

START = "commencez la partie"
SEVEN = tuple(PLAYERS.values())


@built_once
def gathered(players: tuple[str, ...] = SEVEN, **terms: Any) -> Game:
    """A game by post whose players have come, and which waits for its game master."""
    settings = GameSettings(**{"by_post": True, **terms})
    plan = GamePlan(
        "La table ronde", "classic", "anjou_feu", settings, is_listed=True, role=GameRole.GAME_MASTER
    )
    game = game_creation.create_game(plan, person(MASTER), "")
    for name in players:
        membership_actions.join_game(game, person(name))
    correspond(MASTER)
    return fresh(game)


def test_asked_with_who_plays_and_done_once() -> None:
    game = gathered()
    asked = directed(game, START)
    assert asked.answer is not None
    assert asked.answer.subject.endswith("à confirmer")
    assert "La partie commence avec 7 joueurs : Agathe, Edmond, Flora," in plain(said(asked))
    assert "L’horloge part, et chacun apprend sa puissance" in said(asked)
    assert "sans joueur" not in said(asked)
    assert "rien n’a été fait" in said(directed(game, f"non {code(directed(game, START))}"))
    assert fresh(game).state == GameState.GATHERING
    done = directed(game, f"oui {code(asked)}")
    assert done.outcome == MailOutcome.DONE
    assert "Partie commencée" in said(done)
    now = fresh(game)
    assert (now.state, now.phase, now.phase_number) == (GameState.PLAYING, "S1901M", 1)
    assert now.deadline is not None
    assert set(power_assignments.player_ids(game)) == {person(name).pk for name in SEVEN}
    assert people_told(game, "begun") >= {*SEVEN}
    assert "cette question a déjà eu sa réponse" in said(directed(game, f"oui {code(asked)}"))
    assert game.log.filter(kind="drawn").count() == 1


def test_in_english_with_bare_words() -> None:
    game = gathered()
    reader = person(MASTER)
    reader.language = "en"
    reader.save()
    asked = directed(game, "Begin the game, please")
    assert "The game starts with 7 players: Agathe, Edmond, Flora," in said(asked)
    assert directed(game, "yes").outcome == MailOutcome.DONE
    assert fresh(game).state == GameState.PLAYING


def test_open_powers_are_named_by_their_number() -> None:
    game = gathered(SEVEN[:5])
    asked = directed(game, START)
    assert "2 puissances seraient sans joueur : en désordre civil" in plain(said(asked))
    directed(game, f"oui {code(asked)}")
    assert len(power_assignments.unplayed_powers(game)) == 2


def test_somebody_who_came_meanwhile_is_asked_about() -> None:
    game = gathered(SEVEN[:6])
    asked = directed(game, START)
    membership_actions.join_game(game, person(STRANGER))
    again = directed(game, f"oui {code(asked)}")
    assert "La partie a changé depuis cette question." in said(again)
    assert STRANGER in said(again)
    assert fresh(game).state == GameState.GATHERING
    directed(game, f"oui {code(again)}")
    assert person(STRANGER).pk in set(power_assignments.player_ids(game))


def test_refused_in_the_words_of_the_page() -> None:
    alone = gathered(SEVEN[:1])
    assert "Il faut au moins deux joueurs" in said(directed(alone, START))
    assert fresh(alone).state == GameState.GATHERING
    game = gathered()
    asked = code(directed(game, START))
    game_start.start_game(game, timezone.now())
    for text in (START, f"oui {asked}"):
        result = directed(game, text)
        assert result.outcome == MailOutcome.PARTLY_DONE
        assert "La partie a déjà commencé." in said(result)
    assert game.log.filter(kind="drawn").count() == 1


def test_who_is_no_game_master_starts_nothing() -> None:
    game = gathered()
    asked = code(directed(game, START))
    member(game, ASSISTANT, GameRole.ASSISTANT)
    for name in (ASSISTANT, "Flora", STRANGER):
        person(name)
        for text in (START, f"oui {asked}"):
            assert directed(game, text, name=name).outcome == MailOutcome.NOT_YOURS
    assert fresh(game).state == GameState.GATHERING


def test_what_needs_a_game_that_has_started() -> None:
    game = gathered()
    result = directed(game, "publiez\npause\nrappelez\nprolongez 24 h\nrevenez en arrière")
    assert result.outcome == MailOutcome.PARTLY_DONE
    assert fresh(game).state == GameState.GATHERING


def test_told_how_where_the_desk_is_told() -> None:
    game = gathered()
    assert "commencez" not in plain(" ".join(report_texts.desk_report(game, may_start=False)))
    assert "répondez « commencez la partie »" in plain(" ".join(report_texts.desk_report(game)))
    _arrival, answer = answered(game, "état")
    assert "répondez « commencez la partie »" in plain(answer.text)


def test_a_crash_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started and not written is not started; read again, it is started once."""
    game = gathered()
    arrival = arrived(game, f"oui {code(directed(game, START))}")
    start = game_start.start_game

    def and_die(*args: Any, **more: Any) -> None:
        start(*args, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(game_start, "start_game", and_die)
    with pytest.raises(KeyboardInterrupt):
        taken(arrival)
    assert fresh(game).state == GameState.GATHERING
    monkeypatch.undo()
    assert [taken(arrival).outcome for _time in range(2)] == [MailOutcome.DONE] * 2
    assert fresh(game).state == GameState.PLAYING
    assert game.log.filter(kind="drawn").count() == 1
