"""What the page of the desk shows: what has to be done, the powers, the dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.printing.pdf import is_installed
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.games import (
    open_seats,
    order_state_labels,
    order_submission,
    page_context,
    phase_deadlines,
    power_assignments,
    visibility,
)
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone, join_names
from talleyrand.web.games.deadlines.deadline_sentence import deadline_sentence
from talleyrand.web.games.deadlines.zone_names import zone_text
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import (
    ENDED_STATES,
    RUNNING_STATES,
    EndProposal,
    Game,
    GameRole,
    GameSeat,
    GameState,
)
from talleyrand.web.games.viewer_permissions import GameViewer

from . import deadline_actions, phase_corrections, scripted_powers
from .action_base import last_published_revision


def desk_context(sight: GameViewer) -> dict[str, Any]:
    """The context of the desk."""
    game = sight.game
    last = last_published_revision(game)
    return {
        "open_now": game.state in RUNNING_STATES,
        "over": game.state in ENDED_STATES,
        "paused": game.state == GameState.PAUSED,
        "tasks": list(_tasks(sight)),
        "scripted": _scripted(game),
        "rows": power_rows(sight) if game.state != GameState.GATHERING else [],
        "dates": _dates(sight),
        "last": last,
        "last_title": _title(game, last.phase) if last and last.phase else "",
        "corrected": last is not None and phase_corrections.adjudicated_revision(last) is not None,
        "gazettes": _gazettes(game),
        "told": _gazette_phases(game),
        "paper": is_installed(),
    }


def _title(game: Game, code: str) -> str:
    return display_names.phase_name(variants.load(game.variant), code) if code else _("Start of the game")


def reader_time(moment: datetime | None) -> str:
    """A moment in the reader’s language and zone."""
    return (
        date_text_with_zone(moment, page_context.reader_time_zone(), display_names.reader_language())
        if moment
        else ""
    )


def power_names(game: Game, powers: tuple[str, ...] | list[str]) -> str:
    """Powers in a row, in words."""
    variant = variants.load(game.variant)
    return join_names(
        [display_names.power_name(variant, power) for power in powers], display_names.reader_language()
    )


# what has to be done


def _task(kind: str, text: str, link: str = "", label: str = "") -> dict[str, str]:
    return {"kind": kind, "text": text, "link": link, "label": label}


def _tasks(sight: GameViewer) -> Iterator[dict[str, str]]:
    game = sight.game
    if game.state == GameState.GATHERING:
        text = _("The game hasn’t started: bring the players together first.")
        yield _task("begin", text, reverse("games:table", args=[game.key]), _("Go to game info"))
        return
    if game.state in ENDED_STATES:
        return
    if game.adjudication_error:
        yield _task("trouble", _("This phase could not be resolved; the game is waiting for you."))
    yield from _waiting(game)
    yield from _talk(game)
    if sight.is_game_master:
        yield from _misfits(game)


def _waiting(game: Game) -> Iterator[dict[str, str]]:
    overdue = game.state == GameState.PLAYING and game.deadline is not None and game.deadline < timezone.now()
    powers = deadline_actions.powers_missing_orders(game)
    if powers and (overdue or game.is_waiting):
        text = _("The deadline has passed; missing: %(powers)s.")
        yield _task("waiting", text % {"powers": power_names(game, powers)})
    free = open_seats.open_powers(game)
    if free:
        yield _task("vacant", _("Open seat: %(powers)s.") % {"powers": power_names(game, free)})


def _talk(game: Game) -> Iterator[dict[str, str]]:
    if EndProposal.objects.filter(game=game, closed_at=None).exists():
        text = _("A proposal to end the game is open.")
        yield _task("proposal", text, reverse("games:end", args=[game.key]), _("View"))


def _misfits(game: Game) -> Iterator[dict[str, str]]:
    last, situation = last_published_revision(game), GameHistory(game).situation(game.phase_number)
    if last is None or situation is None or phase_corrections.adjudicated_revision(last) is None:
        return
    powers = phase_corrections.powers_with_invalid_orders_or_none(game, game.phase_number, situation)
    if powers:
        text = _("Since the correction, some submitted orders can’t be followed: %(powers)s.")
        yield _task("misfits", text % {"powers": power_names(game, powers)})


# the powers


def _scripted(game: Game) -> list[dict[str, str]]:
    """The powers that play by a script, which have no seat."""
    variant = variants.load(game.variant)
    return [
        {"code": power, "name": display_names.power_name(variant, power)}
        for power in scripted_powers.free_scripted_powers(game)
    ]


def power_rows(sight: GameViewer) -> list[dict[str, Any]]:
    """One row for each seat: by whom, how far, what was received, what is announced."""
    game = sight.game
    deciding = deadline_actions.powers_with_orders_to_give(game) if game.state in RUNNING_STATES else ()
    standing = order_submission.order_states(game, game.phase_number) if game.state in RUNNING_STATES else {}
    people = _people(sight)
    sheets = received_orders(sight)
    away, free = _away(sight), power_assignments.unplayed_powers(game)
    return [
        _row(game, seat, standing.get(seat.power, ""), deciding=seat.power in deciding)
        | {
            "vacant": seat.power in free,
            "players": people.get(seat.power, []),
            "received": sheets.get(seat.power, []),
            "away": [reader_time(until) for until in away.get(seat.power, [])],
        }
        for seat in game.seats.all()
    ]


def _row(game: Game, seat: GameSeat, standing: str, *, deciding: bool) -> dict[str, Any]:
    variant = variants.load(game.variant)
    return {
        "code": seat.power,
        "name": display_names.power_name(variant, seat.power),
        "colour": display_names.power_colour(variant, seat.power),
        "state": order_state_labels.order_state_label(standing)
        if standing and (deciding or standing != order_submission.NO_ORDERS)
        else None,
        "deciding": deciding,
        "missed": seat.missed_phases,
        "disorder": seat.in_civil_disorder,
        "computer": bot_players.bot_title(seat.bot) if seat.bot else "",
    }


def _people(sight: GameViewer) -> dict[str, list[dict[str, Any]]]:
    """Who plays each power now, if the reader may know; a stand-in after the player."""
    if not sight.may_see_players:
        return {}
    found: dict[str, list[dict[str, Any]]] = {}
    held = (
        visibility.visible_assignments(sight)
        .filter(ended_at=None)
        .select_related("seat", "person")
        .order_by("is_stand_in")
    )
    for tenure in held:
        told = {"name": tenure.person.shown_name if tenure.person else "", "stand_in": tenure.is_stand_in}
        found.setdefault(tenure.seat.power, []).append(told)
    return found


def received_orders(sight: GameViewer) -> dict[str, list[dict[str, Any]]]:
    """The sheets of the open phase, the last one first, without what they say."""
    found: dict[str, list[dict[str, Any]]] = {}
    sheets = (
        visibility.visible_order_sets(sight)
        .filter(phase_number=sight.game.phase_number, withdrawn_at=None)
        .order_by("-receipt_number")
    )
    for sheet in sheets:
        told = {
            "receipt": sheet.receipt_number,
            "at": reader_time(sheet.received_at),
            "origin": order_state_labels.origin_label(sheet.origin),
        }
        found.setdefault(sheet.power, []).append(told)
    return found


def _away(sight: GameViewer) -> dict[str, list[datetime]]:
    """Until when those who play a power have said that they are away, from now on, if the reader may know."""
    found: dict[str, list[datetime]] = {}
    rows = (
        list(visibility.visible_absences(sight).filter(ends_at__gt=timezone.now()))
        if sight.may_see_absences
        else []
    )
    for power, person in power_assignments.players_by_power(sight.game).items() if rows else ():
        ends = [row.ends_at for row in rows if row.person_id == person]
        if ends:
            found[power] = ends
    return found


# dates


def _dates(sight: GameViewer) -> dict[str, Any]:
    game = sight.game
    following = deadline_actions.next_deadline(game, timezone.now())
    return {
        "due": reader_time(game.deadline),
        "due_at": game.deadline.isoformat() if game.deadline else "",
        "rule": deadline_sentence(
            phase_deadlines.deadline_settings_of(game), display_names.reader_language()
        ),
        "next": reader_time(following),
        "zone": zone_text(page_context.reader_time_zone(), display_names.reader_language()),
        "most_hours": deadline_actions.MOST_EXTENSION_HOURS,
        "missing": power_names(game, deadline_actions.powers_missing_orders(game)),
    }


# words published


def _gazettes(game: Game) -> list[dict[str, Any]]:
    phases = {one.phase_number: one.phase for one in game.revisions.filter(is_current=True)}
    return [
        {"pk": one.pk, "text": one.text, "phase": _title(game, phases.get(one.phase_number, ""))}
        for one in game.gazettes.order_by("-phase_number", "-id")[:12]
        if one.phase_number in phases
    ]


def _gazette_phases(game: Game) -> list[tuple[int, str]]:
    """The phases on which a gazette may be published, the last one first."""
    published = game.revisions.filter(is_current=True).order_by("-phase_number")
    return [(one.phase_number, _title(game, one.phase)) for one in published[:30]]


def role_rows(sight: GameViewer) -> list[dict[str, Any]]:
    """Who has a role at the desk or looks on."""
    found = sight.game.memberships.filter(left_at=None).exclude(role=GameRole.PLAYER).select_related("person")
    return [
        {"pk": one.pk, "name": one.person.shown_name, "role": one.role, "me": one.person == sight.person}
        for one in found.order_by("role", "joined_at")
    ]
