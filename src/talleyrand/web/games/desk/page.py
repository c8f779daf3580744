"""What the page of the desk shows: what has to be done, the powers, the dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.printing.pdf import installed
from talleyrand.web.boards import wording
from talleyrand.web.games import dating, frame, inbox, seats, seen, states, vacancies
from talleyrand.web.games.deadlines.sentence import sentence
from talleyrand.web.games.deadlines.words import listed, said
from talleyrand.web.games.deadlines.zones import said_zone
from talleyrand.web.games.models import OVER, RUNNING, Game, Proposal, Role, Seat, State
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.games.terms import Press
from talleyrand.web.practice import opponents

from . import revising, scripts, timing
from .acts import last_published


def page(sight: Sight) -> dict[str, Any]:
    """The context of the desk."""
    game = sight.game
    last = last_published(game)
    return {
        "open_now": game.state in RUNNING,
        "over": game.state in OVER,
        "paused": game.state == State.PAUSED,
        "tasks": list(_tasks(sight)),
        "held_letters": sight.is_master and game.terms.press == Press.HELD,
        "scripted": _scripted(game),
        "rows": rows(sight) if game.state != State.GATHERING else [],
        "dates": _dates(sight),
        "last": last,
        "last_title": _title(game, last.phase) if last and last.phase else "",
        "corrected": last is not None and revising.judged(last) is not None,
        "gazettes": _gazettes(game),
        "told": _told(game),
        "paper": installed(),
    }


def _title(game: Game, code: str) -> str:
    return wording.phase(variants.load(game.variant), code)


def when(moment: datetime | None) -> str:
    """A moment in the reader’s language and zone."""
    return said(moment, frame.zone(), wording.language()) if moment else ""


def named(game: Game, powers: tuple[str, ...] | list[str]) -> str:
    """Powers in a row, in words."""
    variant = variants.load(game.variant)
    return listed([wording.power(variant, power) for power in powers], wording.language())


# what has to be done


def _task(kind: str, text: str, link: str = "", label: str = "") -> dict[str, str]:
    return {"kind": kind, "text": text, "link": link, "label": label}


def _tasks(sight: Sight) -> Iterator[dict[str, str]]:
    game = sight.game
    if game.state == State.GATHERING:
        text = _("The game has not begun: gather the players at the table.")
        yield _task("begin", text, reverse("games:table", args=[game.key]), _("To the table"))
        return
    if game.state in OVER:
        return
    if game.trouble:
        yield _task("trouble", _("The judge could not settle this phase: the game waits for you."))
    yield from _waiting(game)
    yield from _talk(game)
    if sight.is_master:
        yield from _misfits(game)


def _waiting(game: Game) -> Iterator[dict[str, str]]:
    overdue = game.state == State.PLAYING and game.due is not None and game.due < timezone.now()
    powers = timing.missing(game)
    if powers and (overdue or game.waiting):
        text = _("The deadline has passed, and the game waits for: %(powers)s.")
        yield _task("waiting", text % {"powers": named(game, powers)})
    free = vacancies.to_play(game)
    if free:
        yield _task("vacant", _("Nobody plays: %(powers)s.") % {"powers": named(game, free)})


def _talk(game: Game) -> Iterator[dict[str, str]]:
    if Proposal.objects.filter(game=game, closed=None).exists():
        text = _("A proposal to end the game is open.")
        yield _task("proposal", text, reverse("games:end", args=[game.key]), _("Look at it"))


def _misfits(game: Game) -> Iterator[dict[str, str]]:
    last, situation = last_published(game), Story(game).situation(game.number)
    if last is None or situation is None or revising.judged(last) is None:
        return
    powers = revising.unread(game, game.number, situation)
    if powers:
        text = _("Since the correction, sheets hold orders that cannot be followed: %(powers)s.")
        yield _task("misfits", text % {"powers": named(game, powers)})


# the powers


def _scripted(game: Game) -> list[dict[str, str]]:
    """The powers that play by a script, which have no seat."""
    variant = variants.load(game.variant)
    return [{"code": power, "name": wording.power(variant, power)} for power in scripts.free(game)]


def rows(sight: Sight) -> list[dict[str, Any]]:
    """One row for each seat: by whom, how far, what was received, what is announced."""
    game = sight.game
    deciding = timing.deciding(game) if game.state in RUNNING else ()
    standing = inbox.standing(game, game.number) if game.state in RUNNING else {}
    people = _people(sight)
    sheets = received(sight)
    away, free = _away(sight), seats.vacant(game)
    return [
        _row(game, seat, standing.get(seat.power, ""), deciding=seat.power in deciding)
        | {
            "vacant": seat.power in free,
            "players": people.get(seat.power, []),
            "received": sheets.get(seat.power, []),
            "away": [when(until) for until in away.get(seat.power, [])],
        }
        for seat in game.seats.all()
    ]


def _row(game: Game, seat: Seat, standing: str, *, deciding: bool) -> dict[str, Any]:
    variant = variants.load(game.variant)
    return {
        "code": seat.power,
        "name": wording.power(variant, seat.power),
        "colour": wording.colour(variant, seat.power),
        "state": states.told(standing) if standing and (deciding or standing != inbox.NOTHING) else None,
        "deciding": deciding,
        "missed": seat.missed,
        "disorder": seat.disorder,
        "computer": opponents.title(seat.bot) if seat.bot else "",
    }


def _people(sight: Sight) -> dict[str, list[dict[str, Any]]]:
    """Who plays each power now, if the reader may know; a stand-in after the player."""
    if not sight.knows_people:
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    held = seen.tenures(sight).filter(until=None).select_related("seat", "person").order_by("stand_in")
    for tenure in held:
        told = {"name": tenure.person.name if tenure.person else "", "stand_in": tenure.stand_in}
        found.setdefault(tenure.seat.power, []).append(told)
    return found


def received(sight: Sight) -> dict[str, list[dict[str, Any]]]:
    """The sheets of the open phase, the last one first, without what they say."""
    found: dict[str, list[dict[str, Any]]] = {}
    sheets = seen.sheets(sight).filter(number=sight.game.number, withdrawn=None).order_by("-receipt")
    for sheet in sheets:
        told = {"receipt": sheet.receipt, "at": when(sheet.at), "origin": states.origin(sheet.origin)}
        found.setdefault(sheet.power, []).append(told)
    return found


def _away(sight: Sight) -> dict[str, list[datetime]]:
    """Until when those who play a power have said that they are away, from now on, if the reader may know."""
    found: dict[str, list[datetime]] = {}
    rows = list(seen.absences(sight).filter(until__gt=timezone.now())) if sight.knows_absences else []
    for power, person in seats.holders(sight.game).items() if rows else ():
        ends = [row.until for row in rows if row.person_id == person]
        if ends:
            found[power] = ends
    return found


# dates


def _dates(sight: Sight) -> dict[str, Any]:
    game = sight.game
    following = timing.next_date(game, timezone.now())
    return {
        "due": when(game.due),
        "due_at": game.due.isoformat() if game.due else "",
        "rule": sentence(dating.rhythm(game), wording.language()),
        "next": when(following),
        "zone": said_zone(frame.zone(), wording.language()),
        "most_hours": timing.MOST_HOURS,
        "missing": named(game, timing.missing(game)),
    }


# words published


def _gazettes(game: Game) -> list[dict[str, Any]]:
    phases = {one.number: one.phase for one in game.revisions.filter(current=True)}
    return [
        {"pk": one.pk, "text": one.text, "phase": _title(game, phases.get(one.number, ""))}
        for one in game.gazettes.order_by("-number", "-id")[:12]
        if one.number in phases
    ]


def _told(game: Game) -> list[tuple[int, str]]:
    """The phases on which a gazette may be published, the last one first."""
    published = game.revisions.filter(current=True).order_by("-number")
    return [
        (one.number, _title(game, one.phase) if one.phase else _("The beginning")) for one in published[:30]
    ]


def everybody(sight: Sight) -> list[dict[str, Any]]:
    """Who has a role at the desk or looks on."""
    found = sight.game.memberships.filter(left=None).exclude(role=Role.PLAYER).select_related("person")
    return [
        {"pk": one.pk, "name": one.person.name, "role": one.role, "me": one.person == sight.person}
        for one in found.order_by("role", "joined")
    ]
