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

from talleyrand.tournament.board_rules import seat_players
from talleyrand.tournament.exports.played_seats import last_public_round
from talleyrand.tournament.model import Event, OnlineBoards, RoundState
from talleyrand.web import background
from talleyrand.web.tournaments.models import Tournament

from . import event_texts
from .event_texts import TEXT_STYLES, EventTextWriter
from .models import ChatPost, TournamentChat

DRAWS, STANDINGS, RULINGS, PRIZES, TEST = "draws", "standings", "rulings", "prizes", "trial"
CHAT_KINDS = (DRAWS, STANDINGS, RULINGS, PRIZES)
CHAT_FORMATS = ("discord", "slack", "text")
CHAT_JOB = "chats"
FEW_SEATS = 6  # seats that have changed: more are a new draw
LONGEST_POSTS = {"discord": 1900, "slack": 3500, "text": 3500}  # characters of one post
DISCORD_NO_EMBEDS = 1 << 2  # Discord makes no pictures of addresses that somebody has for a name


@dataclass(frozen=True)
class ChatItem:
    """Something to post: `subject` what, how it is, its text in parts."""

    kind: str
    subject: str
    state: Any
    parts: list[str]


def queue_chat_posts(tournament: Tournament, event: Event) -> None:
    """Write down what is to be posted of an event; to be called in a transaction."""
    chat = TournamentChat.objects.select_for_update().filter(tournament=tournament).first()
    if chat is None:
        return
    for item in _fresh(tournament, event, chat):
        if item.kind in chat.kinds and chat.paused_at is None and item.parts:
            queue_post(chat, item.kind, f"{item.subject}:{tournament.version}", item.parts)
        chat.posted_states = {**chat.posted_states, item.subject: item.state}
    chat.save(update_fields=["posted_states"])


def mark_all_as_posted(tournament: Tournament, event: Event, chat: TournamentChat) -> None:
    """Nothing of what has happened is posted in a new chat."""
    chat.posted_states = {}
    chat.posted_states = {one.subject: one.state for one in _fresh(tournament, event, chat)}


def chat_writer(tournament: Tournament, chat: TournamentChat) -> EventTextWriter:
    """Writes as the program at the other end reads."""
    style = TEXT_STYLES["markdown"] if chat.format == "discord" else TEXT_STYLES["text"]
    return EventTextWriter(tournament, chat.language, style)


def queue_post(chat: TournamentChat, kind: str, once: str, parts: list[str]) -> None:
    """Have a text leave for the chat, in as many posts as it takes."""
    now = timezone.now()
    pieces = event_texts.split_parts(parts, LONGEST_POSTS[chat.format])
    rows = [_row(chat, kind, f"{once}:{at}", piece, now) for at, piece in enumerate(pieces)]
    ChatPost.objects.bulk_create(rows, ignore_conflicts=True)
    background.run_soon(CHAT_JOB)


def _row(chat: TournamentChat, kind: str, once: str, text: str, now: datetime) -> ChatPost:
    return ChatPost(
        chat=chat,
        idempotency_key=once[:120],
        kind=kind,
        body=post_body(chat.format, text),
        created_at=now,
        due_at=now,
    )


def post_body(form: str, text: str) -> str:
    """A text as the program at the other end reads it: nobody is called by it, whatever his name is."""
    told: dict[str, Any] = {"text": text}
    if form == "discord":
        told = {"content": text, "allowed_mentions": {"parse": []}, "flags": DISCORD_NO_EMBEDS}
    elif form == "slack":
        safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        told = {"text": safe, "mrkdwn": False, "unfurl_links": False}
    return json.dumps(told, ensure_ascii=False)


def _fresh(tournament: Tournament, event: Event, chat: TournamentChat) -> Iterator[ChatItem]:
    write = chat_writer(tournament, chat)
    for number, one in sorted(event.rounds.items()):
        if one.state is RoundState.PLAYING and not one.cancelled:
            yield from _draw(event, number, chat, write)
        if one.state is RoundState.CLOSED and number <= last_public_round(event):
            yield from _once(chat, STANDINGS, f"standings {number}", "shown", write.standings)
    for number, ruling in sorted(event.rulings.items()):
        if ruling.shown:
            said = _mark(ruling.text)
            yield from _once(chat, RULINGS, f"ruling {number}", said, lambda at=number: write.ruling(at))
    if event.over and all(one.revealed for one in event.rounds.values()):
        parts = write.prizes()
        yield from _once(chat, PRIZES, "prizes", _mark("\n".join(parts)), lambda: parts)


def _once(chat: TournamentChat, kind: str, about: str, state: str, written: Any) -> Iterator[ChatItem]:
    if chat.posted_states.get(about) != state:
        yield ChatItem(kind, about, state, written())


def _draw(event: Event, number: int, chat: TournamentChat, write: EventTextWriter) -> Iterator[ChatItem]:
    """The whole draw, or the few seats that have changed since it was posted."""
    about = f"draw {number}"
    now = _seats(event, number)
    before = chat.posted_states.get(about)
    if before == now or event.online is OnlineBoards.HIDDEN:  # who plays what is told by the results
        return
    if not isinstance(before, dict):
        yield ChatItem(DRAWS, about, now, write.draw(number))
        return
    changed = [place for place in now if before.get(place) != now[place]]
    if 0 < len(changed) <= FEW_SEATS:
        yield ChatItem(DRAWS, about, now, write.changes(number, [_place(one) for one in changed]))
    else:
        yield ChatItem(DRAWS, about, now, write.draw(number) if changed else [])


def _seats(event: Event, number: int) -> dict[str, list[int]]:
    boards = sorted(event.rounds[number].boards.items())
    return {
        f"{at} {power}": list(seat_players(seat))
        for at, board in boards
        for power, seat in board.seats.items()
    }


def _place(told: str) -> tuple[int, str]:
    at, _space, power = told.partition(" ")
    return int(at), power


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
