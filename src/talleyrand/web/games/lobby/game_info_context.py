"""What the page of a table shows: the terms, who sits where, absences, links, the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.variants import Variant
from talleyrand.web.accounts import email_addresses
from talleyrand.web.boards import display_names
from talleyrand.web.bots import bot_players
from talleyrand.web.common.absolute_urls import absolute_url
from talleyrand.web.games import (
    game_log_texts,
    open_seats,
    page_context,
    phase_deadlines,
    power_assignments,
    visibility,
)
from talleyrand.web.games.deadlines.date_texts import date_text_with_zone
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import (
    ENDED_STATES,
    RUNNING_STATES,
    Absence,
    Game,
    GameLogEntry,
    GameRole,
    GameSeat,
    GameState,
    PowerAssignment,
)
from talleyrand.web.games.player_records import person_page_access
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications import preferences, topic_versions

from . import (
    absences,
    desk_handover,
    game_settings_texts,
    game_start,
    invitations,
    membership_actions,
    pause_requests,
    power_shares,
    split_form,
)
from .join_views import role_text
from .preference_form import preference_choices

LOG_LINES, LOG_LINES_A_PAGE = 8, 50


@dataclass(frozen=True)
class GameLogLine:
    """A line of the log; `role` is a role, `name` a person for those who may know."""

    at: str
    role: str
    name: str
    text: str


def game_info_context(request: HttpRequest, sight: GameViewer, typed: dict[str, Any]) -> dict[str, Any]:
    """Everything that this visitor may see of the table; `typed` comes back from a form refused."""
    game = sight.game
    variant = variants.load(game.variant)
    gathers = game.state == GameState.GATHERING
    zone = page_context.reader_time_zone()
    return {
        **page_context.game_page_context(sight, "table"),
        "typed": typed,
        "gathers": gathers,
        "running": game.state in RUNNING_STATES,
        "over": game.state in ENDED_STATES,
        "rulebook": game.rulebook if isinstance(game.rulebook, str) else "",
        "terms": game_settings_texts.settings_sections(game, zone),
        "absent": bool(sight.role) and desk_handover.absent_game_master(sight.whole_game, timezone.now()),
        "may_change_rules": sight.is_host and game.state not in ENDED_STATES,
        "seated": [] if gathers else _seats(sight, variant),
        "people": _people(sight),
        "post": _post(sight),
        "mine": list(_my_wishes(sight)) if gathers else [],
        "starts": game_start.start_text(game) if gathers else "",
        "begin": _begin(sight, variant, typed) if gathers and sight.is_host else None,
        "links": _links(request, sight, variant),
        "away": _absences(sight, zone),
        "put_off": _put_off(game),
        "may_announce": sight.role == GameRole.PLAYER and bool(game.settings.absence_days),
        "may_mute": bool(sight.role) and sight.person is not None and not sight.person.is_guest,
        "muted": sight.person is not None
        and topic_versions.game_topic(game.key) in preferences.muted_topics(sight.person),
        "pause": _pause(sight),
        "free": _free(sight, variant),
        "may_abandon": sight.is_game_master or (gathers and sight.is_host),
        "lines": log_lines(visibility.visible_log_entries(sight).order_by("-pk")[:LOG_LINES], sight, variant),
        "more_lines": visibility.visible_log_entries(sight).count() > LOG_LINES,
        "log_hidden": not sight.is_at_desk and not game.settings.log_open,
    }


def _seats(sight: GameViewer, variant: Variant) -> list[dict[str, Any]]:
    """Each power, whether it is played, and who has played it so far as one may know."""
    known: dict[int, list[PowerAssignment]] = {}
    # one’s own name tells oneself nothing, and others who look at the same screen too much
    for tenure in (
        visibility.visible_assignments(sight).select_related("person__profile")
        if sight.may_see_players
        else ()
    ):
        known.setdefault(tenure.seat_id, []).append(tenure)
    holders = power_assignments.players_by_power(sight.game)
    return [
        {
            "name": display_names.power_name(variant, seat.power),
            "colour": display_names.power_colour(variant, seat.power),
            "mine": seat.power in sight.powers,
            "state": _state(sight, seat, holders[seat.power] is not None),
            "computer": bot_players.bot_title(seat.bot) if seat.bot else "",
            "story": [
                {
                    **tenure_row(one, variant, sight.game),
                    "url": person_page_access.page_url(one.person, sight.person),
                }
                for one in known.get(seat.pk, [])
            ],
        }
        for seat in sight.game.seats.all()
    ]


def _state(sight: GameViewer, seat: GameSeat, played: bool) -> str:
    game, lost = sight.game, seat.in_civil_disorder and not sight.is_delayed
    if game.state in ENDED_STATES or seat.bot:
        return ""
    if not played and seat.power in game.settings.disordered:
        return _("in civil disorder all game")
    if not played and seat.power in power_assignments.seats_given_by_rules(game):
        return _("neutral")
    if not played:
        return _("open seat, in civil disorder") if lost else _("open seat")
    return _("in civil disorder until the player returns") if lost else _("played")


def tenure_row(tenure: PowerAssignment, variant: Variant, game: Game) -> dict[str, Any]:
    """Somebody who plays or has played a seat: the name, whether for a while, since which phase ("" from the
    start).
    """
    return {
        "name": tenure.person.shown_name if tenure.person else _("deleted account"),
        "stand_in": tenure.is_stand_in,
        "since": _since(tenure, variant, game),
        "now": tenure.ended_at is None,
    }


def _since(tenure: PowerAssignment, variant: Variant, game: Game) -> str:
    """From which phase on somebody has played a seat that he did not have from the start."""
    if tenure.first_phase_number <= 1:
        return ""
    phase = (
        game.revisions.filter(phase_number=tenure.first_phase_number, is_current=True)
        .values_list("phase", flat=True)
        .first()
    )
    told = phase or (game.phase if tenure.first_phase_number == game.phase_number else "")
    return display_names.phase_name(variant, told) if told else ""


def _people(sight: GameViewer) -> list[dict[str, Any]]:
    """How many have each role, by name where that is no secret."""
    found, may_block = [], sight.person is not None and not sight.person.is_guest
    for role in (GameRole.GAME_MASTER, GameRole.ASSISTANT, GameRole.PLAYER, GameRole.OBSERVER):
        there = membership_actions.members_with_role(sight.game, role)
        if there:
            names = [
                {
                    "pk": one.pk,
                    "name": one.person.shown_name,
                    "me": one.person == sight.person,
                    "url": person_page_access.page_url(one.person, sight.person),
                    "may_block": may_block and not one.person.is_guest,
                }
                for one in there
                if sight.may_see_players
            ]
            found.append(
                {
                    "role": role_text(role),
                    "count": len(there),
                    "names": names,
                    "places": power_assignments.player_seat_count(sight.game)
                    if role == GameRole.PLAYER
                    else 0,
                }
            )
    return found


def _post(sight: GameViewer) -> dict[str, Any] | None:
    """In a game by post: how many players mail reaches, for whoever gathers them, and whether it does me."""
    if not sight.game.settings.by_post or sight.is_game_over:
        return None
    players = [one.person_id for one in membership_actions.members_with_role(sight.game, GameRole.PLAYER)]
    me = sight.person if sight.role in (GameRole.PLAYER, GameRole.GAME_MASTER) else None
    return {
        "taken": settings.HAS_PLAY_BY_MAIL,
        "hosts": sight.may_invite,
        "reached": email_addresses.count_with_confirmed_email(players),
        "players": len(players),
        "unreached": me is not None and not email_addresses.confirmed_email(me),
    }


def _my_wishes(sight: GameViewer) -> Iterator[dict[str, Any]]:
    """My wishes, while they may be changed."""
    mine = sight.game.memberships.filter(person=sight.person, role=GameRole.PLAYER, left_at=None).first()
    if sight.person is not None and mine is not None and not sight.powers:
        yield from preference_choices(sight.game, mine.preferences)


def _begin(sight: GameViewer, variant: Variant, typed: dict[str, Any]) -> dict[str, Any]:
    """What the one who gathers the players needs to begin."""
    players = membership_actions.members_with_role(sight.game, GameRole.PLAYER)
    held = power_assignments.players_by_power(sight.game)
    people = {one.person_id: one.pk for one in players}
    chosen = {power: people.get(person or 0, "") for power, person in held.items()}
    dealt = sight.game.settings.shares
    return {
        "count": len(players),
        "few": len(players) < game_start.fewest_players(sight.game),
        "dealt": bool(dealt),
        "computer": bot_players.bot_title(bot) if (bot := sight.game.settings.bots_at_start) else "",
        "wants_master": game_start.lacks_game_master(sight.game),
        "empty": power_assignments.player_seat_count(sight.game) - len(players),
        "by_hand": sight.is_game_master,
        "shares": "" if any(held.values()) or dealt else _shares(variant, len(players)),
        "players": [(str(one.pk), one.person.shown_name) for one in players] if sight.is_game_master else [],
        "powers": [
            (power, display_names.power_name(variant, power), str(typed.get(f"give-{power}", chosen[power])))
            for power in held
        ],
    }


def _shares(variant: Variant, players: int) -> str:
    """The shares that the rules print for so many players, in words; "" where there are none."""
    return split_form.shares_text(variant, power_shares.power_shares(variant, players) or ())


def _links(request: HttpRequest, sight: GameViewer, variant: Variant) -> dict[str, Any] | None:
    if not sight.may_invite:
        return None
    known = (GameRole.PLAYER, GameRole.GAME_MASTER, GameRole.ASSISTANT, GameRole.OBSERVER)
    roles = [role for role in known if membership_actions.may_give_role_by_link(sight.game, role)]
    return {
        "roles": [(str(role), role_text(role)) for role in roles],
        "powers": [
            (power, display_names.power_name(variant, power))
            for power, person in power_assignments.players_by_power(sight.game).items()
            if person is None and sight.may_see_players
        ],
        "links": [
            {
                "pk": one.pk,
                "address": absolute_url(request, reverse("games:join", args=[one.token])),
                "role": role_text(one.role),
                "power": display_names.power_name(variant, one.power) if one.power else "",
                "once": one.is_single_use,
            }
            for one in invitations.open_invitations(sight.game)
        ],
    }


def _absences(sight: GameViewer, zone: str) -> list[dict[str, Any]]:
    """Absences to come, as far as one may know of them."""
    coming = visibility.visible_absences(sight).filter(ends_at__gt=timezone.now()).select_related("person")
    return [_absence(one, sight, zone) for one in coming]


def _put_off(game: Game) -> bool:
    """Whether absences have moved the deadline of the open phase."""
    if game.state != GameState.PLAYING or not absences.current_absences(game).exists():
        return False
    return phase_deadlines.is_moved_by_absences(game, GameHistory(game).deciding_powers(game.phase_number))


def _absence(one: Absence, sight: GameViewer, zone: str) -> dict[str, Any]:
    language = display_names.reader_language()
    return {
        "pk": one.pk,
        "mine": one.person == sight.person,
        "name": one.person.shown_name if sight.may_see_players else "",
        "since": date_text_with_zone(one.starts_at, zone, language, begins=True),
        "until": date_text_with_zone(one.ends_at, zone, language),
    }


def _pause(sight: GameViewer) -> dict[str, Any] | None:
    """What a player may do about pauses."""
    game = sight.game
    if not sight.powers or game.state not in RUNNING_STATES:
        return None
    led = bool(membership_actions.members_with_role(game, GameRole.GAME_MASTER))
    asked, needed = pause_requests.powers_asking_for_pause(game), pause_requests.powers_needed_for_pause(game)
    return {
        "led": led,
        "rests": game.state == GameState.PAUSED,
        "asked": set(sight.powers) <= asked,
        "count": len(asked & needed),
        "needed": len(needed),
    }


def _free(sight: GameViewer, variant: Variant) -> dict[str, list[str]]:
    """The seats for those who may take one: `open` ones call for somebody, the `bots`' may be taken over."""
    if sight.role not in ("", GameRole.OBSERVER) or not sight.finds:
        return {}
    bots, found = power_assignments.bots_by_power(sight.game), defaultdict(list)
    for power in open_seats.joinable_powers_for(sight.game, sight.person):
        found["bots" if power in bots else "open"].append(display_names.power_name(variant, power))
    return dict(found)


def log_entries_page(sight: GameViewer, number: str) -> Page[GameLogEntry]:
    """The whole log, the newest lines first."""
    return Paginator(visibility.visible_log_entries(sight).order_by("-pk"), LOG_LINES_A_PAGE).get_page(number)


def log_lines(entries: Any, sight: GameViewer, variant: Variant) -> list[GameLogLine]:
    """Entries in words; persons only for those who may know them."""
    zone, language = page_context.reader_time_zone(), display_names.reader_language()
    return [
        GameLogLine(
            date_text_with_zone(entry.created_at, zone, language),
            game_log_texts.role_name(entry.role),
            entry.person.shown_name if entry.person and sight.may_see_players else "",
            game_log_texts.log_sentence(entry, variant, zone, people=sight.may_see_players),
        )
        for entry in entries
    ]
