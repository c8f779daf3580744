"""What else could have been ordered, on the practice board: at once."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.bots.coach_pages import coach_response
from talleyrand.web.bots.talk_texts import TalkTexts

from .bot_talk import BotTalk
from .practice_board import PracticeBoard


@never_cache
@require_safe
def practice_coach_page(request: HttpRequest, number: int, key: str = "", shared: str = "") -> HttpResponse:
    board = PracticeBoard.opened(key, shared, number)
    if board.played_turn is None:
        raise Http404

    def broken(power: str, orders: list[str]) -> list[str]:
        texts, question = TalkTexts(board.variant), board.question
        if not board.is_owner or question is None:
            return []
        found = BotTalk(board.game).broken_by(number, question, power, orders)
        return [texts.would_break(account, power) for account in found]

    return coach_response(request, board, board.played_turn.orders, broken=broken)
