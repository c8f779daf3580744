"""What the director does with the chat of his tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from talleyrand.web.common import outbound_urls, rate_limits
from talleyrand.web.common.transactions import write_transaction
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament, random_token

from . import chat_posts
from .chat_posts import CHAT_FORMATS, CHAT_KINDS, TEST
from .models import ChatPost, TournamentChat

TEST_LIMIT = (10, 600)  # of one person, in so many seconds
LANGUAGES = ("fr", "en")


class ChatRefusal(Exception):
    """Why not: `url` (`detail` says more), `format`, `kinds`, `none`, `waiting` or `often`."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


@dataclass(frozen=True)
class ChatRequest:
    """A chat as the director asks for it."""

    url: str = ""
    format: str = ""
    language: str = "fr"
    kinds: Sequence[str] = CHAT_KINDS


def chat_of(tournament: Tournament) -> TournamentChat | None:
    """The chat of a tournament, if it has one."""
    return TournamentChat.objects.filter(tournament=tournament).first()


@write_transaction
def save_chat(tournament: Tournament, wanted: ChatRequest) -> TournamentChat:
    """Have the chat as it is asked for; what waits for another address is not sent. Raises ChatRefusal."""
    _check(wanted)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    chat = TournamentChat.objects.select_for_update().filter(tournament=row).first()
    new = chat is None or chat.url != wanted.url.strip()
    chat = chat or TournamentChat(tournament=row)
    chat.url, chat.format, chat.language = wanted.url.strip(), wanted.format, wanted.language
    chat.kinds = [kind for kind in CHAT_KINDS if kind in wanted.kinds]
    if new:
        chat.delivered_at = chat.failed_at = chat.paused_at = chat.status_code = None
        chat.error = ""
        chat_posts.mark_all_as_posted(row, event_of(row), chat)
    chat.save()
    if new:
        ChatPost.objects.filter(chat=chat, outcome="").update(outcome="paused")
    return chat


def _check(wanted: ChatRequest) -> None:
    try:
        outbound_urls.parse_public_url(wanted.url)
    except outbound_urls.UrlNotAllowed as refused:
        raise ChatRefusal("address", refused.code) from refused
    if wanted.format not in CHAT_FORMATS or wanted.language not in LANGUAGES:
        raise ChatRefusal("form")
    if not set(wanted.kinds) <= set(CHAT_KINDS):
        raise ChatRefusal("kinds")


@write_transaction
def remove_chat(tournament: Tournament) -> None:
    """No chat any more, nor its address; twice does no harm."""
    TournamentChat.objects.filter(tournament=tournament).delete()


@write_transaction
def resume_chat(tournament: Tournament) -> None:
    """Post again what happens from now on, and what still waits, at once."""
    now = {"paused_at": None, "failed_at": None, "error": "", "status_code": None}
    TournamentChat.objects.filter(tournament=tournament).exclude(paused_at=None).update(**now)


@write_transaction
def send_test_post(tournament: Tournament, account: int) -> None:
    """Post once to see whether it arrives. Raises ChatRefusal."""
    chat = TournamentChat.objects.select_for_update().filter(tournament=tournament).first()
    if chat is None:
        raise ChatRefusal("none")
    if ChatPost.objects.filter(chat=chat, kind=TEST, outcome="").exists():
        raise ChatRefusal("waiting")
    if rate_limits.hit("chat_trial", account, TEST_LIMIT).wait:  # of whoever could have us knock at any door
        raise ChatRefusal("often")
    chat_posts.queue_post(
        chat, TEST, f"{TEST}:{random_token()}", chat_posts.chat_writer(tournament, chat).trial()
    )
