"""Speaking to the bots on the practice board."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from talleyrand.web.boards import order_requests
from talleyrand.web.boards.adjudicator import Question
from talleyrand.web.bots import bot_negotiation
from talleyrand.web.common import error_pages
from talleyrand.web.common.visitor_quota import charge_cpu_seconds, quota_exceeded, visitor_id

from . import bot_talk, practice_access, practice_games
from .bot_talk import BotTalk, Message
from .models import PracticeGame
from .practice_bot_tasks import practice_bot_task_of
from .practice_games import PracticeFinished, PracticeHistory, PracticeOvertaken
from .talk_context import speakers
from .talk_form import TalkForm
from .views import overtaken_text

NOT_UNDERSTOOD = "not_understood"


class TalkRefusal(Exception):
    """Nothing may be said now; the text says why."""


@require_POST
def talk_view(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """Say something to a bot, which answers at once."""
    game = practice_access.game_or_404(key)
    try:
        visitor = visitor_id(request)
        if quota_exceeded(visitor):
            raise TalkRefusal(str(error_pages.QUOTA_USED_UP))
        charge_cpu_seconds(visitor, bot_negotiation.TALK_CPU_SECONDS)
        _say(game, number, request)
    except TalkRefusal as refused:
        messages.error(request, str(refused))
    except PracticeFinished:
        messages.warning(request, _("The game is over."))
    except PracticeOvertaken:
        messages.warning(request, overtaken_text())
    return redirect(reverse("practice:board", args=[key]) + "#talk")


def _say(game: PracticeGame, number: int, request: HttpRequest) -> None:
    question = PracticeHistory(game).open_question(number)
    if practice_bot_task_of(game) is not None:
        raise TalkRefusal(_("The bots are thinking: speak to them in the next phase."))
    if len(BotTalk(game).messages) >= bot_talk.MOST_MESSAGES:
        raise TalkRefusal(_("Enough was said in this game: the bots listen no more."))
    form = TalkForm(question, speakers(game), bot_talk.talking_bots(game), request.POST)
    if not form.is_valid():
        raise TalkRefusal(_("Nothing was said: choose a power, and what you propose, from the lists."))
    submission = order_requests.submission_id_of(request)
    practice_games.add_message(game, number, _answered(game, number, question, form, submission))


def _answered(
    game: PracticeGame, number: int, question: Question, form: TalkForm, submission: str
) -> Message:
    """The message of a form, with the bot's answer."""
    sent, talk = form.cleaned_data, BotTalk(game)
    offers = talk.offers(question, speakers(game), bot_talk.talking_bots(game))
    mine = [one.proposal for one in offers if (one.bot, one.partner) == (sent["to"], sent["by"])]
    read = form.read(mine[0] if mine else None)
    phase = str(question["phase"])
    found = bot_talk.new_message(number, phase, sent["by"], sent["to"], sent["text"], submission, read)
    if read.proposal:
        answer = talk.negotiation(question, sent["by"], sent["to"]).answer(read.proposal)
        found |= {"answer": answer.code, "about": answer.about, "until": answer.until}
    last = next((one["answer"] for one in reversed(talk.messages) if one["to"] == sent["to"]), "")
    if read.problem == NOT_UNDERSTOOD and last.endswith(NOT_UNDERSTOOD):
        found |= {"answer": f"still_{NOT_UNDERSTOOD}"}
    return found
