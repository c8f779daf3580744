"""What the pages of letters show: the list of rooms, and one room with its letters.

Whoever plays several powers sees the rooms of one of them at a time (`own`), and those of everybody.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from talleyrand.web.games.game_settings import PressSetting
from talleyrand.web.games.viewer_permissions import GameViewer

from . import message_reports, message_visibility, press_rules, press_texts
from .conversation_names import ConversationNames, recipients_of
from .message_form import MessageComposer
from .message_text import first_line
from .models import Conversation, Message, MessageState
from .press_rules import EVERYBODY, GAME_MASTER, UNSIGNED, ConversationKind, Recipients

MOST_SHOWN = 100
MOST_FOUND = 50
KINDS = (ConversationKind.ALL, ConversationKind.MASTER, ConversationKind.PAIR, ConversationKind.GROUP)


def press_page(sight: GameViewer) -> dict[str, Any]:
    """What every page of letters has: the rules in sentences."""
    desk = MessageComposer.for_viewer(sight)
    return {"press": desk, "rules": desk.rule_texts()}


def power_shown(sight: GameViewer, *asked: str) -> str:
    """The first of one’s several powers among those asked for, or the first that one may order; "" for
    whoever has not several.
    """
    if len(sight.powers) < 2:
        return ""
    return next(power for power in (*asked, *sight.orderable_powers, *sight.powers) if power in sight.powers)


def conversation_list(sight: GameViewer, asked: str = "") -> dict[str, Any]:
    """The rooms with letters, unread ones first, and whom one may write to besides; of the power asked for,
    where one has several.
    """
    own = power_shown(sight, asked)
    naming = ConversationNames.for_viewer(sight, own)
    known = _known(sight, own)
    unread = message_visibility.unread_by_conversation(sight)
    rows = _rows(sight, naming, known, unread)
    context = press_page(sight)
    return {
        **context,
        "rows": [row for row in rows if not row["between"]],
        "between": [row for row in rows if row["between"]],
        "openings": _openings(context["press"], naming, known),
        "own_powers": _own_powers(sight, naming, unread),
        "several": _may_choose(context["press"]),
        "held": message_visibility.held_messages(sight).count(),
    }


def conversation_tabs(sight: GameViewer, desk: MessageComposer, to: Recipients, asked: str) -> dict[str, Any]:
    """The way from a room to the others of the same power, always in the same order, with what is unread
    there; the game master has those with himself.
    """
    own = power_shown(sight, *([asked] if asked in to.powers or not to.powers else []), *to.powers)
    naming = ConversationNames.for_viewer(sight, own)
    known = _known(sight, own)
    unread = message_visibility.unread_by_conversation(sight)
    for room in known:
        if recipients_of(room) == to:
            unread.pop(room.pk, None)
    tabs = [
        {
            **_tab(naming, recipients_of(room)),
            "url": _room_url(naming, room),
            "unread": unread.get(room.pk, 0),
        }
        for room in known
        if not _is_between(sight, recipients_of(room))
    ]
    tabs += _openings(desk, naming, known)
    rank = {power: number for number, power in enumerate(_powers(sight))}
    tabs.sort(key=lambda tab: (KINDS.index(tab["to"].kind), *(rank.get(one, -1) for one in tab["to"].powers)))
    return {
        "own_powers": _own_powers(sight, naming, unread),
        "tabs": [{**tab, "shown": tab["to"] == to} for tab in tabs],
    }


def _known(sight: GameViewer, own: str) -> list[Conversation]:
    """The rooms in which something may be read, of one power where it is said."""
    rooms = message_visibility.visible_conversations(sight)
    return [room for room in rooms if not own or room.kind == ConversationKind.ALL or own in room.powers]


def _own_powers(
    sight: GameViewer, naming: ConversationNames, unread: Mapping[int, int]
) -> list[dict[str, Any]]:
    """One’s several powers, with what is unread in the rooms of each; none for whoever has one."""
    if not naming.own or len(sight.powers) < 2:
        return []
    rooms = dict(Conversation.objects.filter(pk__in=unread).values_list("pk", "powers"))
    return [
        {
            **naming.power(power),
            "shown": power == naming.own,
            "unread": sum(count for room, count in unread.items() if power in rooms[room]),
        }
        for power in sight.powers
    ]


def _tab(naming: ConversationNames, to: Recipients) -> dict[str, Any]:
    return {"to": to, "title": naming.title(to), "powers": naming.titled_powers(to)}


def _room_url(naming: ConversationNames, room: Conversation) -> str:
    place = reverse("press:room", args=[naming.sight.game.key, room.key])
    return f"{place}?{urlencode({'as': naming.own})}" if len(naming.sight.powers) > 1 else place


def _is_between(sight: GameViewer, to: Recipients) -> bool:
    """Whether the game master only reads what is written there."""
    return sight.is_game_master and to.kind in (ConversationKind.PAIR, ConversationKind.GROUP)


def unread_by_game_master(sight: GameViewer) -> list[dict[str, Any]]:
    """The rooms of a power and the game master with letters that he has not read: `room`, `title`, `unread`.

    None for anybody else.
    """
    unread = message_visibility.unread_by_conversation(sight) if sight.is_game_master else {}
    naming = ConversationNames.for_viewer(sight)
    return [
        {"room": room, "title": naming.title(recipients_of(room)), "unread": unread[room.pk]}
        for room in Conversation.objects.filter(pk__in=unread, kind=ConversationKind.MASTER).order_by("pk")
    ]


def _rows(
    sight: GameViewer, naming: ConversationNames, rooms: Sequence[Conversation], unread: Mapping[int, int]
) -> list[dict[str, Any]]:
    last = _last_letters(sight)
    rows = [_row(sight, naming, room, last[room.pk], unread) for room in rooms if room.pk in last]
    rows.sort(key=lambda row: row["at"], reverse=True)
    return sorted(rows, key=lambda row: not row["unread"])


def _row(
    sight: GameViewer, naming: ConversationNames, room: Conversation, last: Message, unread: Mapping[int, int]
) -> dict[str, Any]:
    to = recipients_of(room)
    return {
        **_tab(naming, to),
        "url": _room_url(naming, room),
        "between": _is_between(sight, to),
        "signed": naming.signature(last)["name"],
        "line": first_line(last.text),
        "at": last.delivered_at or last.written_at,
        "fate": press_texts.state_text(last.state, through_master=False),
        "unread": unread.get(room.pk, 0),
    }


def _last_letters(sight: GameViewer) -> dict[int, Message]:
    """The last letter of each room that one may see."""
    order = Coalesce("delivered_at", "written_at")
    named = message_visibility.visible_messages(sight).order_by(order, "id").values_list("conversation", "pk")
    last = dict(named)
    return {one.conversation_id: one for one in Message.objects.filter(pk__in=last.values())}


def _openings(
    desk: MessageComposer, naming: ConversationNames, known: Iterable[Conversation]
) -> list[dict[str, Any]]:
    """Rooms without a letter in which one may write, to be opened at a touch."""
    there, powers = {room.participants_key for room in known}, _powers(desk.sight)
    found: dict[str, dict[str, Any]] = {}
    for writer in desk.author.signatures:
        if len(desk.sight.powers) > 1 and writer != naming.own:
            continue
        for one in _nearby(writer, powers):
            to = press_rules.recipients_for(writer, [one], powers)
            if (
                to.participants_key not in there
                and press_rules.press_permission(desk.situation, desk.author, to, writer).allowed
            ):
                url = _opening_url(naming, to, one)
                found[to.participants_key] = {**_tab(naming, to), "url": url, "unread": 0}
    return list(found.values())


def _nearby(writer: str, powers: Iterable[str]) -> list[str]:
    """Whom a writer may address alone."""
    ends = [EVERYBODY] if writer == GAME_MASTER else [EVERYBODY, GAME_MASTER]
    return [*ends, *(power for power in powers if power != writer)]


def _opening_url(naming: ConversationNames, to: Recipients, one: str) -> str:
    sight = naming.sight
    several = len(sight.orderable_powers) > 1 and to.kind != ConversationKind.ALL
    asked = {"to": one, **({"as": naming.own} if several else {})}
    return f"{reverse('press:new', args=[sight.game.key])}?{urlencode(asked)}"


def _may_choose(desk: MessageComposer) -> bool:
    """Whether one may write to several powers at once."""
    powers = _powers(desk.sight)
    group = Recipients(ConversationKind.GROUP, tuple(powers))
    return len(powers) > 2 and any(
        press_rules.press_permission(desk.situation, desk.author, group, one).allowed
        for one in desk.author.powers
    )


def _powers(sight: GameViewer) -> list[str]:
    return list(sight.game.seats.values_list("power", flat=True))


def recipient_chooser(sight: GameViewer, chosen: Iterable[str], writer: str, wrong: str) -> dict[str, Any]:
    """The form that chooses whom to write to."""
    context, naming, picked = press_page(sight), ConversationNames.for_viewer(sight), set(chosen)
    signatures = context["press"].author.signatures
    own = signatures[0] if len(signatures) == 1 else ""
    return {
        **context,
        "signatures": naming.choices(signatures),
        "writer": writer,
        "choices": [
            {**naming.power(power), "chosen": power in picked} for power in _powers(sight) if power != own
        ],
        "may_choose": _may_choose(context["press"]),
        "wrong": wrong,
    }


def conversation_page(
    sight: GameViewer, to: Recipients, room: Conversation | None, *, whole: bool = False
) -> dict[str, Any]:
    """A room’s page: its letters and the rules."""
    return {**press_page(sight), **conversation_messages(sight, to, room, whole=whole)}


def conversation_messages(
    sight: GameViewer, to: Recipients, room: Conversation | None, *, whole: bool = False
) -> dict[str, Any]:
    """A room with its letters, the newest last; without a row yet it is empty."""
    naming = ConversationNames.for_viewer(sight)
    letters = list(message_visibility.visible_messages(sight).filter(conversation=room)) if room else []
    shown = letters if whole else letters[-MOST_SHOWN:]
    until = message_visibility.read_until(sight.person, room) if room and sight.person else None
    return {
        "room": room,
        "to": to,
        "title_of_room": naming.title(to),
        "members": naming.titled_powers(to),
        "public": to.kind == ConversationKind.ALL,
        "inherited": to.kind != ConversationKind.ALL and not sight.is_game_master,
        "earlier": len(letters) - len(shown),
        "shown": _lines(sight, naming, shown, until, marked=bool(room and sight.role)),
        "last": max((one.delivered_at for one in shown if one.delivered_at), default=None),
    }


def _lines(
    sight: GameViewer,
    naming: ConversationNames,
    letters: Sequence[Message],
    until: datetime | None,
    *,
    marked: bool,
) -> list[dict[str, Any]]:
    """The letters of a page, each with the phase where another one begins."""
    lines: list[dict[str, Any]] = []
    phase = ""
    for letter in letters:
        own = letter.signature == GAME_MASTER if sight.is_game_master else letter.author_power in sight.powers
        fresh = letter.state == MessageState.DELIVERED and (until is None or letter.delivered_at > until)  # type: ignore[operator]
        line = {**_line(sight, naming, letter), "own": own, "new": marked and fresh and not own}
        line["may_report"] = not own and message_reports.may_report(sight, letter)
        line["first_new"] = line["new"] and not any(one["new"] for one in lines)
        told = naming.phase(letter)
        line["phase"], phase = ("" if told == phase else told), told
        lines.append(line)
    return lines


def _line(sight: GameViewer, naming: ConversationNames, letter: Message) -> dict[str, Any]:
    between = letter.signature != GAME_MASTER and letter.conversation.kind != ConversationKind.MASTER
    through = (sight.game.settings.press == PressSetting.HELD and between) or bool(letter.hold_reasons)
    concerned = sight.is_game_master or letter.author_power in sight.powers
    return {
        "key": letter.key,
        "state": letter.state,
        "signature": naming.signature(letter),
        "at": letter.delivered_at or letter.written_at,
        "text": letter.text,
        "about": naming.proposal_text(letter.proposal_key),
        "reason": letter.return_reason,
        "fate": press_texts.state_text(letter.state, through) if concerned else "",
    }


def proposal_threads(
    sight: GameViewer, number: int, by_key: Iterable[str]
) -> dict[str, list[dict[str, Any]]]:
    """What was said to everybody of the proposals of a phase, the oldest first.

    Letters on their way are not among them, nor whose an unsigned one is: the page is everybody's.
    """
    naming = ConversationNames.for_viewer(sight)
    about = message_visibility.visible_messages(sight).filter(
        proposal_key__startswith=f"{number}.", state=MessageState.DELIVERED
    )
    told: dict[str, list[dict[str, Any]]] = {key: [] for key in by_key}
    for letter in about.filter(conversation__kind=ConversationKind.ALL):
        unsigned = {"name": _("Unsigned"), "colour": ""}
        signature = unsigned if letter.signature == UNSIGNED else naming.signature(letter)
        line = {"key": letter.key, "signed": letter.signature, "signature": signature}
        if letter.proposal_key in told:
            told[letter.proposal_key].append({**line, "at": letter.delivered_at, "text": letter.text})
    return told


def search_messages(sight: GameViewer, asked: str) -> list[dict[str, Any]]:
    """The newest of one’s letters that hold some words, in any case and with any accents."""
    naming, wanted = ConversationNames.for_viewer(sight), search_form(asked)
    hits: list[dict[str, Any]] = []
    if not wanted:
        return hits
    for letter in message_visibility.visible_messages(sight).reverse().iterator(chunk_size=200):
        if wanted in search_form(letter.text):
            to = recipients_of(letter.conversation)
            hits.append(
                {**_line(sight, naming, letter), "room": letter.conversation, "title": naming.title(to)}
            )
        if len(hits) == MOST_FOUND:
            break
    return hits


def search_form(text: str) -> str:
    """A text as it is compared in a search."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in apart if not unicodedata.combining(one)).split())


def held_page(sight: GameViewer, wrong: str = "", key: str = "", reason: str = "") -> dict[str, Any]:
    """The letters that wait for the game master, oldest first."""
    naming = ConversationNames.for_viewer(sight)
    letters = [
        {
            **_line(sight, naming, letter),
            "to": naming.title(recipients_of(letter.conversation)),
            "room": letter.conversation,
            "number": message_visibility.message_number(letter),
            "doubts": press_texts.hold_reason_texts(letter.hold_reasons),
            "wrong": wrong if letter.key == key else "",
            "given_reason": reason if letter.key == key else "",
        }
        for letter in message_visibility.held_messages(sight)
    ]
    return {**press_page(sight), "shown": letters}
