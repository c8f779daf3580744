"""What the chat of a tournament is posted: each thing once, and what has changed in a draw since.

What had happened before there was a chat is not posted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from talleyrand.tournament.boards import sat
from talleyrand.tournament.model import Event, RoundState
from talleyrand.web import background
from talleyrand.web.tournaments.hall import ranking
from talleyrand.web.tournaments.models import Tournament

from . import texts
from .models import Chat, Post
from .texts import STYLES, Writer

DRAWS, STANDINGS, RULINGS, PRIZES, TRIAL = "draws", "standings", "rulings", "prizes", "trial"
KINDS = (DRAWS, STANDINGS, RULINGS, PRIZES)
FORMS = ("discord", "slack", "text")
JOB = "chats"
FEW = 6  # seats that have changed: more are a new draw
LONGEST = {"discord": 1900, "slack": 3500, "text": 3500}  # characters of one post
QUIET = 1 << 2  # Discord makes no pictures of addresses that somebody has for a name


@dataclass(frozen=True)
class Item:
    """Something to post: `about` what, how it is, its text in parts."""

    kind: str
    about: str
    state: Any
    parts: list[str]


def look(tournament: Tournament, event: Event) -> None:
    """Write down what is to be posted of an event; to be called in a transaction."""
    chat = Chat.objects.select_for_update().filter(tournament=tournament).first()
    if chat is None:
        return
    for item in _fresh(tournament, event, chat):
        if item.kind in chat.kinds and chat.paused is None and item.parts:
            post(chat, item.kind, f"{item.about}:{tournament.version}", item.parts)
        chat.posted = {**chat.posted, item.about: item.state}
    chat.save(update_fields=["posted"])


def begin(tournament: Tournament, event: Event, chat: Chat) -> None:
    """Nothing of what has happened is posted in a new chat."""
    chat.posted = {}
    chat.posted = {one.about: one.state for one in _fresh(tournament, event, chat)}


def writer(tournament: Tournament, chat: Chat) -> Writer:
    """Writes as the program at the other end reads."""
    style = STYLES["markdown"] if chat.form == "discord" else STYLES["text"]
    return Writer(tournament, chat.language, style)


def post(chat: Chat, kind: str, once: str, parts: list[str]) -> None:
    """Have a text leave for the chat, in as many posts as it takes."""
    now = timezone.now()
    pieces = texts.split(parts, LONGEST[chat.form])
    rows = [_row(chat, kind, f"{once}:{at}", piece, now) for at, piece in enumerate(pieces)]
    Post.objects.bulk_create(rows, ignore_conflicts=True)
    background.soon(JOB)


def _row(chat: Chat, kind: str, once: str, text: str, now: datetime) -> Post:
    return Post(chat=chat, once=once[:120], kind=kind, body=body(chat.form, text), made=now, due=now)


def body(form: str, text: str) -> str:
    """A text as the program at the other end reads it: nobody is called by it, whatever his name is."""
    told: dict[str, Any] = {"text": text}
    if form == "discord":
        told = {"content": text, "allowed_mentions": {"parse": []}, "flags": QUIET}
    elif form == "slack":
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        told = {"text": safe, "mrkdwn": False, "unfurl_links": False}
    return json.dumps(told, ensure_ascii=False)


def _fresh(tournament: Tournament, event: Event, chat: Chat) -> Iterator[Item]:
    write = writer(tournament, chat)
    for number, one in sorted(event.rounds.items()):
        if one.state is RoundState.PLAYING and not one.cancelled:
            yield from _draw(event, number, chat, write)
        if one.state is RoundState.CLOSED and number <= ranking.latest(event):
            yield from _once(chat, STANDINGS, f"standings {number}", "shown", write.standings)
    for number, ruling in sorted(event.rulings.items()):
        if ruling.shown:
            said = _mark(ruling.text)
            yield from _once(chat, RULINGS, f"ruling {number}", said, lambda at=number: write.ruling(at))
    if event.over and all(one.revealed for one in event.rounds.values()):
        parts = write.prizes()
        yield from _once(chat, PRIZES, "prizes", _mark("\n".join(parts)), lambda: parts)


def _once(chat: Chat, kind: str, about: str, state: str, written: Any) -> Iterator[Item]:
    if chat.posted.get(about) != state:
        yield Item(kind, about, state, written())


def _draw(event: Event, number: int, chat: Chat, write: Writer) -> Iterator[Item]:
    """The whole draw, or the few seats that have changed since it was posted."""
    about = f"draw {number}"
    now = _seats(event, number)
    before = chat.posted.get(about)
    if before == now:
        return
    if not isinstance(before, dict):
        yield Item(DRAWS, about, now, write.draw(number))
        return
    changed = [place for place in now if before.get(place) != now[place]]
    if 0 < len(changed) <= FEW:
        yield Item(DRAWS, about, now, write.changes(number, [_place(one) for one in changed]))
    else:
        yield Item(DRAWS, about, now, write.draw(number) if changed else [])


def _seats(event: Event, number: int) -> dict[str, list[int]]:
    boards = sorted(event.rounds[number].boards.items())
    return {f"{at} {power}": list(sat(seat)) for at, board in boards for power, seat in board.seats.items()}


def _place(told: str) -> tuple[int, str]:
    at, _space, power = told.partition(" ")
    return int(at), power


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
