"""What the pages of letters show: the list of rooms, and one room with its letters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from talleyrand.web.games import frame
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.terms import Press

from . import marks, numbering, rules, seen, sentences
from .composing import Desk
from .models import Fate, Letter, Room
from .naming import Naming, address_of
from .rules import EVERYBODY, MASTER, NOBODY, Address, Kind
from .text import first_line

MOST_SHOWN = 100
MOST_FOUND = 50


def page(sight: Sight) -> dict[str, Any]:
    """What every page of letters has: the frame, and the rules in sentences."""
    desk = Desk.of(sight)
    return {**frame.page(sight, "letters"), "press": desk, "rules": desk.said(), "over": desk.moment.over}


def room_list(sight: Sight) -> dict[str, Any]:
    """The rooms with letters, unread ones first, and whom one may write to besides."""
    naming = Naming.of(sight)
    known = list(seen.rooms(sight))
    rows = _rows(sight, naming, known)
    context = page(sight)
    own = [row for row in rows if not row["between"]]
    return {
        **context,
        "rows": own,
        "between": [row for row in rows if row["between"]],
        "openings": _openings(context["press"], naming, {room.members for room in known}),
        "several": _may_choose(context["press"]),
        "held": seen.held(sight).count(),
    }


def _rows(sight: Sight, naming: Naming, rooms: Sequence[Room]) -> list[dict[str, Any]]:
    last, unread = _last_letters(sight), marks.by_room(sight)
    rows = [_row(sight, naming, room, last[room.pk], unread) for room in rooms if room.pk in last]
    rows.sort(key=lambda row: row["at"], reverse=True)
    return sorted(rows, key=lambda row: not row["unread"])


def _row(sight: Sight, naming: Naming, room: Room, last: Letter, unread: dict[int, int]) -> dict[str, Any]:
    to = address_of(room)
    return {
        "room": room,
        "title": naming.title(to),
        "powers": naming.inside(to),
        "between": sight.is_master and to.kind in (Kind.PAIR, Kind.GROUP),
        "signed": naming.signature(last)["name"],
        "line": first_line(last.text),
        "at": last.delivered or last.written,
        "fate": sentences.fate(last.state, through_master=False),
        "unread": unread.get(room.pk, 0),
    }


def _last_letters(sight: Sight) -> dict[int, Letter]:
    """The last letter of each room that one may see."""
    order = Coalesce("delivered", "written")
    named = seen.letters(sight).order_by(order, "id").values_list("room", "pk")
    last = dict(named)
    return {one.room_id: one for one in Letter.objects.filter(pk__in=last.values())}


def _openings(desk: Desk, naming: Naming, known: set[str]) -> list[dict[str, Any]]:
    """Rooms without a letter in which one may write, to be opened at a touch."""
    found: dict[str, dict[str, Any]] = {}
    for writer in desk.pen.signatures:
        for one in _nearby(desk, writer):
            to = rules.address(writer, [one], _powers(desk.sight))
            if to.members not in known and rules.verdict(desk.moment, desk.pen, to, writer).allowed:
                found.setdefault(to.members, _opening(naming, to, one, writer))
    return list(found.values())


def _nearby(desk: Desk, writer: str) -> list[str]:
    """Whom a writer may address alone."""
    ends = [EVERYBODY] if writer == MASTER else [EVERYBODY, MASTER]
    return [*ends, *(power for power in _powers(desk.sight) if power != writer)]


def _opening(naming: Naming, to: Address, one: str, writer: str) -> dict[str, Any]:
    several = len(naming.sight.acting) > 1 and to.kind != Kind.ALL
    return {
        "title": naming.title(to),
        "powers": naming.inside(to),
        "to": one,
        "writer": writer if several else "",
    }


def _may_choose(desk: Desk) -> bool:
    """Whether one may write to several powers at once."""
    powers = _powers(desk.sight)
    group = Address(Kind.GROUP, tuple(powers))
    return len(powers) > 2 and any(
        rules.verdict(desk.moment, desk.pen, group, one).allowed for one in desk.pen.powers
    )


def _powers(sight: Sight) -> list[str]:
    return list(sight.game.seats.values_list("power", flat=True))


def chooser(sight: Sight, chosen: Iterable[str], writer: str, wrong: str) -> dict[str, Any]:
    """The form that chooses whom to write to."""
    context, naming, picked = page(sight), Naming.of(sight), set(chosen)
    signatures = context["press"].pen.signatures
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


def room_page(sight: Sight, to: Address, room: Room | None, *, whole: bool = False) -> dict[str, Any]:
    """A room’s page: its letters and the frame."""
    return {**page(sight), **correspondence(sight, to, room, whole=whole)}


def correspondence(sight: Sight, to: Address, room: Room | None, *, whole: bool = False) -> dict[str, Any]:
    """A room with its letters, the newest last; without a row yet it is empty."""
    naming = Naming.of(sight)
    letters = list(seen.letters(sight).filter(room=room)) if room else []
    shown = letters if whole else letters[-MOST_SHOWN:]
    until = marks.until(sight.person, room) if room and sight.person else None
    return {
        "room": room,
        "to": to,
        "title_of_room": naming.title(to),
        "members": naming.inside(to),
        "public": to.kind == Kind.ALL,
        "inherited": to.kind != Kind.ALL and not sight.is_master,
        "earlier": len(letters) - len(shown),
        "shown": _lines(sight, naming, shown, until, marked=bool(room and sight.role)),
        "last": max((one.delivered for one in shown if one.delivered), default=None),
    }


def _lines(
    sight: Sight, naming: Naming, letters: Sequence[Letter], until: datetime | None, *, marked: bool
) -> list[dict[str, Any]]:
    """The letters of a page, each with the season where another one begins."""
    lines: list[dict[str, Any]] = []
    season = ""
    for letter in letters:
        own = letter.signed == MASTER if sight.is_master else letter.writer in sight.powers
        fresh = letter.state == Fate.DELIVERED and (until is None or letter.delivered > until)  # type: ignore[operator]
        line = {**_line(sight, naming, letter), "own": own, "new": marked and fresh and not own}
        line["first_new"] = line["new"] and not any(one["new"] for one in lines)
        told = naming.phase(letter)
        line["season"], season = ("" if told == season else told), told
        lines.append(line)
    return lines


def _line(sight: Sight, naming: Naming, letter: Letter) -> dict[str, Any]:
    between = letter.signed != MASTER and letter.room.kind != Kind.MASTER
    through = (sight.game.terms.press == Press.HELD and between) or bool(letter.doubts)
    concerned = sight.is_master or letter.writer in sight.powers
    return {
        "key": letter.key,
        "state": letter.state,
        "signature": naming.signature(letter),
        "at": letter.delivered or letter.written,
        "text": letter.text,
        "about": naming.about(letter.about),
        "reason": letter.reason,
        "fate": sentences.fate(letter.state, through) if concerned else "",
    }


def threads(sight: Sight, number: int, by_key: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """What was said to everybody of the proposals of a phase, the oldest first.

    Letters on their way are not among them, nor whose an unsigned one is: the page is everybody's.
    """
    naming = Naming.of(sight)
    about = seen.letters(sight).filter(about__startswith=f"{number}.", state=Fate.DELIVERED)
    told: dict[str, list[dict[str, Any]]] = {key: [] for key in by_key}
    for letter in about.filter(room__kind=Kind.ALL):
        unsigned = {"name": _("Without signature"), "colour": ""}
        signature = unsigned if letter.signed == NOBODY else naming.signature(letter)
        line = {"key": letter.key, "signed": letter.signed, "signature": signature}
        if letter.about in told:
            told[letter.about].append({**line, "at": letter.delivered, "text": letter.text})
    return told


def found(sight: Sight, asked: str) -> list[dict[str, Any]]:
    """The newest of one’s letters that hold some words, in any case and with any accents."""
    naming, wanted = Naming.of(sight), plain(asked)
    hits: list[dict[str, Any]] = []
    if not wanted:
        return hits
    for letter in seen.letters(sight).reverse().iterator(chunk_size=200):
        if wanted in plain(letter.text):
            to = address_of(letter.room)
            hits.append({**_line(sight, naming, letter), "room": letter.room, "title": naming.title(to)})
        if len(hits) == MOST_FOUND:
            break
    return hits


def plain(text: str) -> str:
    """A text as it is compared in a search."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in apart if not unicodedata.combining(one)).split())


def held_page(sight: Sight, wrong: str = "", key: str = "", reason: str = "") -> dict[str, Any]:
    """The letters that wait for the game master, oldest first."""
    naming = Naming.of(sight)
    letters = [
        {
            **_line(sight, naming, letter),
            "to": naming.title(address_of(letter.room)),
            "room": letter.room,
            "number": numbering.number(letter),
            "doubts": sentences.doubts(letter.doubts),
            "wrong": wrong if letter.key == key else "",
            "given_reason": reason if letter.key == key else "",
        }
        for letter in seen.held(sight)
    ]
    return {**page(sight), "shown": letters}
