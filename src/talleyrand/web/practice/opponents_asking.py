"""From a request to play on to the threads in which the computer thinks."""

from __future__ import annotations

from django.http import HttpRequest

from talleyrand.web import errors
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.visitors import has_spent, visitor

from . import games, opponents, opponents_pages, opponents_threads
from . import opponents_thinking as thinking
from .games import Story
from .models import PracticeGame


def resolve(request: HttpRequest, game: PracticeGame, number: int, submission: str) -> None:
    """Play the open phase, with the computer's orders where it plays; they may take a while.

    Raises Overtaken, Finished and Unanswered.
    """
    if not game.bots or (not opponents.available() and not _needs_computers(game, number)):
        games.resolve(game, number, submission)
        return
    think(request, game, number, submission, thinking.CHOICE)


def _needs_computers(game: PracticeGame, number: int) -> bool:
    return bool(thinking.decides(Story(game).open_question(number), game.bots))


def think(request: HttpRequest, game: PracticeGame, number: int, submission: str, until: str) -> None:
    if not opponents.available():
        raise Unanswered(opponents_pages.missing())
    if has_spent(visitor(request)):
        raise Unanswered(errors.spent_sentence())
    try:
        thinking.ask(game, number, submission, visitor(request), until)
    except thinking.Crowded as crowded:
        raise Unanswered(opponents_pages.crowded(crowded)) from crowded
    opponents_threads.wake()
    opponents_threads.wait_a_little(game)
