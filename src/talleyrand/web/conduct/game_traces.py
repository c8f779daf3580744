"""From where people give orders in a game: what a moderator may look at who wonders about two accounts.

It decides nothing. Devices and addresses are sealed for each game alone: no two games can be compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations

from django.db import DatabaseError
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from talleyrand.web.accounts import known_devices
from talleyrand.web.accounts.models import Person
from talleyrand.web.common import visitor_quota
from talleyrand.web.common.transactions import write_transaction

from .models import GameTrace

KEPT = timedelta(days=30)
CALM = timedelta(minutes=2)  # before a deadline everybody comes at once: nothing else is written then
MOST_PLACES = 50  # of one person in one game: of more, those of longest ago are forgotten


def note_trace(
    request: HttpRequest, person: Person, game_key: str, due: datetime | None, now: datetime
) -> None:
    """Keep from where somebody gives orders, once an hour of the day; never in the way of the orders."""
    if person.is_guest or (due is not None and due - now < CALM):
        return
    device = known_devices.device_name(request)
    where = {
        "game_key": game_key,
        "person": person,
        "device": _seal(game_key, device) if device else "",
        "address": _seal(game_key, visitor_quota.client_address(request)),
    }
    mark = 1 << now.astimezone(UTC).hour
    known = GameTrace.objects.filter(**where).first()
    if known is None or not known.hours & mark or now - known.last_at > timedelta(days=1):
        with suppress(DatabaseError):
            _keep(where, mark, now)


def _seal(game_key: str, told: str) -> str:
    return salted_hmac("talleyrand.conduct.trace", f"{game_key}:{told}", algorithm="sha256").hexdigest()[:32]


@write_transaction
def _keep(where: dict[str, object], mark: int, now: datetime) -> None:
    row, _made = GameTrace.objects.select_for_update().get_or_create(**where, defaults={"last_at": now})
    GameTrace.objects.filter(pk=row.pk).update(hours=row.hours | mark, last_at=now)
    mine = GameTrace.objects.filter(game_key=row.game_key, person=row.person_id).order_by("-last_at", "-pk")
    GameTrace.objects.filter(pk__in=list(mine.values_list("pk", flat=True)[MOST_PLACES:])).delete()


@dataclass(frozen=True)
class SharedTrace:
    """Two accounts that gave orders in one game from the same device or address; `hours`: of the day, in
    which both did so from the same address.
    """

    game_key: str
    people: tuple[Person, Person]
    same_device: bool
    same_address: bool
    hours: int
    last_at: datetime


def games_with_shared_traces(aside: Collection[str], now: datetime) -> QuerySet[GameTrace, str]:
    """The keys of games in which accounts share something, but of those that are left `aside`, the latest
    first.
    """
    recent = GameTrace.objects.filter(last_at__gt=now - KEPT).exclude(game_key__in=aside)
    found = Q()
    for column in ("device", "address"):
        shared = recent.exclude(**{column: ""}).order_by().values("game_key", column)
        shared = shared.annotate(people=Count("person", distinct=True)).filter(people__gt=1)
        found |= Q(game_key__in=shared.values("game_key"))
    games = recent.filter(found).values("game_key").annotate(latest=Max("last_at"))
    return games.order_by("-latest", "game_key").values_list("game_key", flat=True)


def shared_traces(game_keys: Collection[str], now: datetime) -> list[SharedTrace]:
    """All pairs of accounts that share something in these games, the latest first."""
    recent = GameTrace.objects.filter(last_at__gt=now - KEPT, game_key__in=game_keys)
    by_game: dict[str, dict[int, list[GameTrace]]] = defaultdict(lambda: defaultdict(list))
    for row in recent.select_related("person").order_by("person"):
        by_game[row.game_key][row.person_id].append(row)
    pairs = [_shared(*two) for people in by_game.values() for two in combinations(people.values(), 2)]
    told = [one for one in pairs if one.same_device or one.same_address]
    return sorted(told, key=lambda one: one.last_at, reverse=True)


def _shared(first: list[GameTrace], second: list[GameTrace]) -> SharedTrace:
    devices = [{one.device for one in rows if one.device} for rows in (first, second)]
    here, there = _hours_by_address(first), _hours_by_address(second)
    near = here.keys() & there.keys()
    hours = 0
    for address in near:
        hours |= here[address] & there[address]
    return SharedTrace(
        first[0].game_key,
        (first[0].person, second[0].person),
        bool(devices[0] & devices[1]),
        bool(near),
        hours.bit_count(),
        max(one.last_at for one in (*first, *second)),
    )


def _hours_by_address(rows: Iterable[GameTrace]) -> dict[str, int]:
    found: dict[str, int] = defaultdict(int)
    for one in rows:
        found[one.address] |= one.hours
    return found
