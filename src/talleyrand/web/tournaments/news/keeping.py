"""What the director does with the chat of his tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from talleyrand.web import rates
from talleyrand.web.games.writing import writing
from talleyrand.web.tournaments.documents import event_of
from talleyrand.web.tournaments.models import Tournament, secret
from talleyrand.web.webhooks import destinations

from . import chatting
from .chatting import FORMS, KINDS, TRIAL
from .models import Chat, Post

TRIALS = (10, 600)  # of one person, in so many seconds
LANGUAGES = ("fr", "en")


class NotPossible(Exception):
    """Why not: `address` (`detail` says more), `form`, `kinds`, `none`, `waiting` or `often`."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


@dataclass(frozen=True)
class Wanted:
    """A chat as the director asks for it."""

    address: str = ""
    form: str = ""
    language: str = "fr"
    kinds: Sequence[str] = KINDS


def of(tournament: Tournament) -> Chat | None:
    """The chat of a tournament, if it has one."""
    return Chat.objects.filter(tournament=tournament).first()


@writing
def keep(tournament: Tournament, wanted: Wanted) -> Chat:
    """Have the chat as it is asked for; what waits for another address is not sent. Raises NotPossible."""
    _check(wanted)
    row = Tournament.objects.select_for_update().get(pk=tournament.pk)
    chat = Chat.objects.select_for_update().filter(tournament=row).first()
    new = chat is None or chat.address != wanted.address.strip()
    chat = chat or Chat(tournament=row)
    chat.address, chat.form, chat.language = wanted.address.strip(), wanted.form, wanted.language
    chat.kinds = [kind for kind in KINDS if kind in wanted.kinds]
    if new:
        chat.reached = chat.failed = chat.paused = chat.status = None
        chat.problem = ""
        chatting.begin(row, event_of(row), chat)
    chat.save()
    if new:
        Post.objects.filter(chat=chat, outcome="").update(outcome="paused")
    return chat


def _check(wanted: Wanted) -> None:
    try:
        destinations.read(wanted.address)
    except destinations.NotAllowed as refused:
        raise NotPossible("address", refused.code) from refused
    if wanted.form not in FORMS or wanted.language not in LANGUAGES:
        raise NotPossible("form")
    if not set(wanted.kinds) <= set(KINDS):
        raise NotPossible("kinds")


@writing
def remove(tournament: Tournament) -> None:
    """No chat any more, nor its address; twice does no harm."""
    Chat.objects.filter(tournament=tournament).delete()


@writing
def resume(tournament: Tournament) -> None:
    """Post again what happens from now on, and what still waits, at once."""
    now = {"paused": None, "failed": None, "problem": "", "status": None}
    Chat.objects.filter(tournament=tournament).exclude(paused=None).update(**now)


@writing
def trial(tournament: Tournament, account: int) -> None:
    """Post once to see whether it arrives. Raises NotPossible."""
    chat = Chat.objects.select_for_update().filter(tournament=tournament).first()
    if chat is None:
        raise NotPossible("none")
    if Post.objects.filter(chat=chat, kind=TRIAL, outcome="").exists():
        raise NotPossible("waiting")
    if rates.take("chat_trial", account, TRIALS).wait:  # of whoever could have us knock at any door
        raise NotPossible("often")
    chatting.post(chat, TRIAL, f"{TRIAL}:{secret()}", chatting.writer(tournament, chat).trial())
