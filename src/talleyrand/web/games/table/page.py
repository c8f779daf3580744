"""What the page of a table shows: the terms, who sits where, absences, links, the log."""

from __future__ import annotations

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
from talleyrand.web.accounts import addresses
from talleyrand.web.addresses import absolute
from talleyrand.web.boards import wording
from talleyrand.web.games import dating, frame, log_words, seats, seen, vacancies
from talleyrand.web.games.deadlines.words import said
from talleyrand.web.games.models import OVER, RUNNING, Absence, Entry, Game, Role, Seat, State, Tenure
from talleyrand.web.games.sight import Sight
from talleyrand.web.games.story import Story
from talleyrand.web.practice import opponents

from . import absences, agreement, gathering, invitations, pauses, shares, starting
from .joining import role_words
from .wishing import ranks

LINES, A_PAGE = 8, 50


@dataclass(frozen=True)
class Line:
    """A line of the log; `who` is a role, `name` a person for those who may know."""

    at: str
    who: str
    name: str
    text: str


def context(request: HttpRequest, sight: Sight, typed: dict[str, Any]) -> dict[str, Any]:
    """Everything that this visitor may see of the table; `typed` comes back from a form refused."""
    game = sight.game
    variant = variants.load(game.variant)
    gathers = game.state == State.GATHERING
    zone = frame.zone()
    return {
        **frame.page(sight, "table"),
        "typed": typed,
        "gathers": gathers,
        "running": game.state in RUNNING,
        "over": game.state in OVER,
        "terms": agreement.parts(game, zone),
        "seated": [] if gathers else _seats(sight, variant),
        "people": _people(sight),
        "post": _post(sight),
        "mine": list(_my_wishes(sight)) if gathers else [],
        "begin": _begin(sight, variant, typed) if gathers and sight.hosts else None,
        "links": _links(request, sight, variant),
        "away": _absences(sight, zone),
        "put_off": _put_off(game),
        "may_announce": sight.role == Role.PLAYER and bool(game.terms.absence_days),
        "pause": _pause(sight),
        "free": _free(sight, variant),
        "may_abandon": sight.is_master or (gathers and sight.hosts),
        "lines": lines(seen.entries(sight).order_by("-pk")[:LINES], sight, variant),
        "more_lines": seen.entries(sight).count() > LINES,
        "log_hidden": not sight.at_desk and not game.terms.log_open,
    }


def _seats(sight: Sight, variant: Variant) -> list[dict[str, Any]]:
    """Each power, whether it is played, and who has played it so far as one may know."""
    known: dict[int, list[Tenure]] = {}
    # one’s own name tells oneself nothing, and others who look at the same screen too much
    for tenure in seen.tenures(sight).select_related("person") if sight.knows_people else ():
        known.setdefault(tenure.seat_id, []).append(tenure)
    holders = seats.holders(sight.game)
    return [
        {
            "name": wording.power(variant, seat.power),
            "colour": wording.colour(variant, seat.power),
            "mine": seat.power in sight.powers,
            "state": _state(sight.game, seat, holders[seat.power] is not None),
            "computer": opponents.title(seat.bot) if seat.bot else "",
            "story": [_tenure(one, variant, sight.game) for one in known.get(seat.pk, [])],
        }
        for seat in sight.game.seats.all()
    ]


def _state(game: Game, seat: Seat, played: bool) -> str:
    if game.state in OVER or seat.bot:
        return ""
    if not played:
        return _("free, in civil disorder") if seat.disorder else _("free")
    return _("in civil disorder until its player returns") if seat.disorder else _("played")


def _tenure(tenure: Tenure, variant: Variant, game: Game) -> dict[str, Any]:
    return {
        "name": tenure.person.name if tenure.person else _("somebody who has left the site"),
        "stand_in": tenure.stand_in,
        "since": _since(tenure, variant, game),
        "now": tenure.until is None,
    }


def _since(tenure: Tenure, variant: Variant, game: Game) -> str:
    """From which phase on somebody has played a seat that he did not have from the start."""
    if tenure.first <= 1:
        return ""
    phase = game.revisions.filter(number=tenure.first, current=True).values_list("phase", flat=True).first()
    told = phase or (game.phase if tenure.first == game.number else "")
    return wording.phase(variant, told) if told else ""


def _people(sight: Sight) -> list[dict[str, Any]]:
    """How many have each role, by name where that is no secret."""
    found = []
    for role in (Role.MASTER, Role.ASSISTANT, Role.PLAYER, Role.OBSERVER):
        there = gathering.members(sight.game, role)
        if there:
            names = [
                {"pk": one.pk, "name": one.person.name, "me": one.person == sight.person} for one in there
            ]
            found.append(
                {
                    "role": role_words(role),
                    "count": len(there),
                    "names": names if sight.knows_people else [],
                    "places": seats.to_fill(sight.game) if role == Role.PLAYER else 0,
                }
            )
    return found


def _post(sight: Sight) -> dict[str, Any] | None:
    """In a game by post: how many players mail reaches, for whoever gathers them, and whether it does me."""
    if not sight.game.terms.by_post or sight.is_over:
        return None
    players = [one.person_id for one in gathering.members(sight.game, Role.PLAYER)]
    me = sight.person if sight.role in (Role.PLAYER, Role.MASTER) else None
    return {
        "taken": settings.HAS_POST,
        "hosts": sight.may_invite,
        "reached": addresses.reachable(players),
        "players": len(players),
        "unreached": me is not None and not addresses.confirmed(me),
    }


def _my_wishes(sight: Sight) -> Iterator[dict[str, Any]]:
    """My wishes, while they may be changed."""
    mine = sight.game.memberships.filter(person=sight.person, role=Role.PLAYER, left=None).first()
    if sight.person is not None and mine is not None and not sight.powers:
        yield from ranks(sight.game, mine.wishes)


def _begin(sight: Sight, variant: Variant, typed: dict[str, Any]) -> dict[str, Any]:
    """What the one who gathers the players needs to begin."""
    players = gathering.members(sight.game, Role.PLAYER)
    held = seats.holders(sight.game)
    people = {one.person_id: one.pk for one in players}
    chosen = {power: people.get(person or 0, "") for power, person in held.items()}
    return {
        "count": len(players),
        "few": len(players) < starting.least_players(sight.game),
        "computer": opponents.title(sight.game.terms.bots) if sight.game.terms.bots else "",
        "wants_master": starting.wants_master(sight.game),
        "empty": seats.to_fill(sight.game) - len(players),
        "by_hand": sight.is_master,
        "shares": _shares(variant, len(players)) if not any(held.values()) else "",
        "players": [(str(one.pk), one.person.name) for one in players] if sight.is_master else [],
        "powers": [
            (power, wording.power(variant, power), str(typed.get(f"give-{power}", chosen[power])))
            for power in held
        ],
    }


def _shares(variant: Variant, players: int) -> str:
    """The shares that the rules print for so many players, in words; "" where there are none."""
    parts = shares.shares(variant.name, players) or ()
    return "; ".join(" + ".join(wording.power(variant, power) for power in part) for part in parts)


def _links(request: HttpRequest, sight: Sight, variant: Variant) -> dict[str, Any] | None:
    if not sight.may_invite:
        return None
    known = (Role.PLAYER, Role.MASTER, Role.ASSISTANT, Role.OBSERVER)
    roles = [role for role in known if gathering.may_have(sight.game, role)]
    return {
        "roles": [(str(role), role_words(role)) for role in roles],
        "powers": [
            (power, wording.power(variant, power))
            for power, person in seats.holders(sight.game).items()
            if person is None and sight.knows_people
        ],
        "links": [
            {
                "pk": one.pk,
                "address": absolute(request, reverse("games:join", args=[one.token])),
                "role": role_words(one.role),
                "power": wording.power(variant, one.power) if one.power else "",
                "once": one.once,
            }
            for one in invitations.current(sight.game)
        ],
    }


def _absences(sight: Sight, zone: str) -> list[dict[str, Any]]:
    """Absences to come, as far as one may know of them."""
    coming = seen.absences(sight).filter(until__gt=timezone.now()).select_related("person")
    return [_absence(one, sight, zone) for one in coming]


def _put_off(game: Game) -> bool:
    """Whether absences have moved the deadline of the open phase."""
    if game.state != State.PLAYING or not absences.announced(game).exists():
        return False
    return dating.is_put_off(game, Story(game).choosers(game.number))


def _absence(one: Absence, sight: Sight, zone: str) -> dict[str, Any]:
    language = wording.language()
    return {
        "pk": one.pk,
        "mine": one.person == sight.person,
        "name": one.person.name if sight.knows_people else "",
        "since": said(one.since, zone, language, begins=True),
        "until": said(one.until, zone, language),
    }


def _pause(sight: Sight) -> dict[str, Any] | None:
    """What a player may do about pauses."""
    game = sight.game
    if not sight.powers or game.state not in RUNNING:
        return None
    led = bool(gathering.members(game, Role.MASTER))
    asked, needed = pauses.asked(game), pauses.needed(game)
    return {
        "led": led,
        "rests": game.state == State.PAUSED,
        "asked": set(sight.powers) <= asked,
        "count": len(asked & needed),
        "needed": len(needed),
    }


def _free(sight: Sight, variant: Variant) -> list[str]:
    """The seats that call for somebody, for those who may take one."""
    if sight.role not in ("", Role.OBSERVER) or not sight.game.listed:
        return []
    return [wording.power(variant, power) for power in vacancies.open_to(sight.game, sight.person)]


def log_page(sight: Sight, number: str) -> Page[Entry]:
    """The whole log, the newest lines first."""
    return Paginator(seen.entries(sight).order_by("-pk"), A_PAGE).get_page(number)


def lines(entries: Any, sight: Sight, variant: Variant) -> list[Line]:
    """Entries in words; persons only for those who may know them."""
    zone, language = frame.zone(), wording.language()
    return [
        Line(
            said(entry.at, zone, language),
            log_words.role(entry.role),
            entry.by.name if entry.by and sight.knows_people else "",
            log_words.sentence(entry, variant, zone, people=sight.knows_people),
        )
        for entry in entries
    ]
