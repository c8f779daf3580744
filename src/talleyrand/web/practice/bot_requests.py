"""From a request to play on to the threads in which the computer thinks."""

from __future__ import annotations

from django.http import HttpRequest

from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.bots import bot_players, bot_threads
from talleyrand.web.common import error_pages
from talleyrand.web.common.visitor_quota import quota_exceeded, visitor_id

from . import bot_progress, practice_games
from . import practice_bot_tasks as thinking
from .models import PracticeGame
from .practice_games import PracticeHistory


def resolve_with_bots(request: HttpRequest, game: PracticeGame, number: int, submission: str) -> None:
    """Play the open phase, with the computer's orders where it plays; they may take a while.

    Raises PracticeOvertaken, PracticeFinished and QuestionRefusal.
    """
    if not game.bots or not (
        bot_players.bots_available()
        or thinking.deciding_bots(PracticeHistory(game).open_question(number), game.bots)
    ):
        practice_games.resolve_practice_phase(game, number, submission)
        return
    start_bots(request, game, number, submission, thinking.UNTIL_CHOICE)


def start_bots(request: HttpRequest, game: PracticeGame, number: int, submission: str, until: str) -> None:
    if not bot_players.bots_available():
        raise QuestionRefusal(bot_progress.no_bots_text())
    if quota_exceeded(visitor_id(request)):
        raise QuestionRefusal(str(error_pages.QUOTA_USED_UP))
    try:
        thinking.request_practice_bots(game, number, submission, visitor_id(request), until)
    except thinking.BotsBusy as crowded:
        raise QuestionRefusal(bot_progress.bots_busy_text(crowded)) from crowded
    bot_threads.wake_bots()
    bot_threads.wait_for_quick_bots(game)
