"""The pages by which people meet and behave, for `benchmarks.people_pages`: a game of ten years with its
letters opened and 2,000 comments, 100 followed games, 500 reports, 3,000 lines of the moderators' log, a
league of two divisions, the site's status, house rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

LAST_YEAR, MESSAGES_A_ROOM, COMMENTS, FOLLOWED, REPORTS, MEASURES = 1910, 60, 2000, 100, 500, 3000
RULES = "\n".join(f"Règle {number} : une phrase que chacun lit." for number in range(40))[:2000]
Act = Callable[[], object]


def community_pages(history: list[Any], busiest: str) -> dict[str, Act]:
    """By its name, what opens each page; `history` is a game that was played."""
    from django.test import Client

    from talleyrand.web.accounts.models import Person

    from .load_growth import client_of, getting

    lots = Random(1914)
    reader = Person.objects.get(name=busiest)
    chief = Person.objects.create_user("Modératrice", is_administrator=True)
    game, running = _finished_game(history, lots), _running_game(lots)
    _write_comments(game, lots)
    _write_comments(running, lots)
    _follow(reader)
    report = _moderate(lots, reader)
    member, moderator, visitor = client_of(reader), client_of(chief), Client()
    finished, infos = f"/parties/{game.key}/", f"/parties/{running.key}/infos/"
    ways = {
        "a finished game, with film and statistics": (visitor, finished),
        "its curve": (visitor, f"{finished}curves/"),
        "its opened letters": (visitor, f"{finished}messages/"),
        "one of its rooms": (visitor, f"{finished}messages/{_room(game)}/"),
        "its 2,000 comments": (visitor, f"{finished}commentaires/"),
        "2,000 comments of a game that runs": (member, f"/parties/{running.key}/commentaires/"),
        "100 followed games": (member, "/parties-suivies/"),
        "the moderators’ desk, 500 reports": (moderator, "/moderation/"),
        "one of the reports": (moderator, f"/moderation/{report}/"),
        "the moderators’ log, 3,000 lines": (moderator, "/moderation/journal/"),
        "somebody’s page for moderators": (moderator, f"/moderation/personnes/?name={busiest}"),
        "accounts of a game, for moderators": (moderator, f"/moderation/comptes/?game={running.key}"),
        "the site’s status": (moderator, "/administration/etat/"),
        "the site’s house rules": (visitor, "/charte/"),
        "a game’s door, with house rules": (member, f"{infos}rejoindre/"),
        "who leads the game": (moderator, f"{infos}bureau/"),
        "games to join, a reliability of 80": (member, "/parties/?reliability=80"),
        "the leagues": (visitor, "/tournois/ligues/"),
        "a league’s tables": (visitor, f"/tournois/ligues/{_league()}/"),
    }
    return {name: getting(client, path) for name, (client, path) in ways.items()}


def _finished_game(history: list[Any], lots: Random) -> Any:
    """A game of seven to its end, every pair of powers with its letters, which all have opened."""
    from talleyrand.web.accounts.models import Person
    from talleyrand.web.games import game_lifecycle
    from talleyrand.web.games.models import Game, PowerAssignment
    from talleyrand.web.press.models import Conversation, Message, OpenedLetters

    from .load_community import OPENED, Community

    community = Community(1914, [history])
    (key,) = community._games([(0, len(history))], list(Person.objects.order_by("pk")[:16]))
    game = Game.objects.get(pk=key)
    game_lifecycle.end_game(game, {"kind": "draw", "powers": ["FRANCE", "TURKEY"]}, OPENED)
    held = dict(PowerAssignment.objects.filter(seat__game=game).values_list("seat__power", "person"))
    OpenedLetters.objects.bulk_create(OpenedLetters(game=game, person_id=one) for one in held.values())
    for pair in itertools.combinations(held, 2):
        room = Conversation.objects.create(
            game=game, kind="pair", participants_key="+".join(pair), powers=list(pair)
        )
        Message.objects.bulk_create(
            Message(
                conversation=room,
                key=str(number),
                phase_number=1 + number % len(history),
                phase=history[number % len(history)].phase,
                signature=pair[number % 2],
                author_power=pair[number % 2],
                author_id=held[pair[number % 2]],
                text="Paix jusqu’en 1903 ? " * lots.randint(1, 20),
                state="delivered",
                delivered_at=OPENED + timedelta(hours=number),
            )
            for number in range(MESSAGES_A_ROOM)
        )
    return Game.objects.get(pk=key)


def _room(game: Any) -> str:
    from talleyrand.web.press.models import Conversation

    return str(Conversation.objects.filter(game=game).values_list("key", flat=True)[0])


def _running_game(lots: Random) -> Any:
    """One with house rules that gathers players, and is then played."""
    from talleyrand.web.games.models import Game
    from tests.web.cast import table

    game = table(house_rules_fr=RULES, least_reliability=0)
    Game.objects.filter(pk=game.pk).update(name=f"Avec une charte {lots.randint(1, 9)}")
    return game


def _write_comments(game: Any, lots: Random) -> None:
    from talleyrand.web.accounts.models import Person
    from talleyrand.web.onlookers.models import OnlookerComment

    people = list(Person.objects.order_by("pk").values_list("pk", flat=True)[:200])
    OnlookerComment.objects.bulk_create(
        OnlookerComment(
            game=game,
            person_id=people[number % len(people)],
            phase_number=1,
            phase="S1901M",
            text="Je parie sur la Turquie. " * lots.randint(1, 30),
            key=f"{game.pk}-{number}",
        )
        for number in range(COMMENTS)
    )


def _follow(reader: Any) -> None:
    from talleyrand.web.games.models import Game
    from talleyrand.web.onlookers.models import FollowedGame

    games = Game.objects.filter(name__startswith="Partie ")[:FOLLOWED]
    FollowedGame.objects.bulk_create(FollowedGame(game=game, person=reader, is_told=True) for game in games)


def _moderate(lots: Random, reader: Any) -> str:
    """Reports, half of them open; warnings and lines of the log, many of them about one person."""
    from talleyrand.web.accounts.models import Person
    from talleyrand.web.conduct.models import Measure, ModerationEntry, Report

    people = list(Person.objects.order_by("pk")[:1000])
    said = {"signature": "FRANCE", "text": "Un mot. " * 20, "at": "2026-01-01T12:00:00+00:00"}
    excerpt: list[dict[str, Any]] = [{**said, "reported": number == 5} for number in range(11)]
    made = Report.objects.bulk_create(
        Report(
            reporter=lots.choice(people),
            accused=reader if number % 5 == 0 else lots.choice(people),
            reason="insult",
            game_key="bench0000001",
            game_name="Partie 1",
            message_key=str(number),
            excerpt=excerpt,
            outcome="warned" if number % 2 else "",
        )
        for number in range(REPORTS)
    )
    Measure.objects.bulk_create(
        Measure(person=reader if number % 30 == 0 else lots.choice(people), kind="warning", reason="Poli.")
        for number in range(MEASURES)
    )
    ModerationEntry.objects.bulk_create(
        ModerationEntry(kind="warned", person=reader if number % 30 == 0 else lots.choice(people), text="…")
        for number in range(MEASURES)
    )
    return str(made[0].key)


def _league() -> str:
    """Two divisions of seven, drawn, their games being played."""
    from talleyrand.web.tournaments.league_pages import league_seasons
    from talleyrand.web.tournaments.models import TournamentLeague
    from tests.web.tournaments import online, scene

    made = league_seasons.create_league("Ligue de l’Ouest", scene.director(), "")
    for first in (0, 7):
        division = online.tournament(7, first=first, name=f"Division {first}")
        league_seasons.add_division(made, scene.director(), division.key)
    TournamentLeague.objects.filter(pk=made.pk).update(moving=2, is_listed=True)
    online.follow()
    return str(made.key)
