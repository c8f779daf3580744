"""How far somebody turns up, as anybody can compute it again from public pages.

Of one's last 20 finished games in the public list, with L games left:

    reliability = (phases due - phases missed) / (phases due + 10 L), in hundredths, rounded down

A phase is due for a power that has something to decide in it, from whoever held its seat then, a stand-in
instead of whom they stand in for; it is missed where the report says that no orders were received. A game is
left where one's power had something to decide after one had given it up. Games that still run tell nothing:
the figure would say who plays in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Avg, Case, IntegerField, OuterRef, QuerySet, Subquery, TextField, When
from django.db.models.functions import Cast

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.model_fields import json_text
from talleyrand.web.games.game_settings import Anonymity
from talleyrand.web.games.models import Game, GameMembership, GameRole
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayedGame, PlayerProfile

COUNTED_GAMES = 20
PHASES_A_GAME_LEFT = 10


def reliability_percent(due: int, missed: int, left: int) -> int | None:
    """The figure; None where nothing was due yet."""
    weighed = due + PHASES_A_GAME_LEFT * left
    return 100 * (due - missed) // weighed if weighed else None


def reliability_of(person: Person) -> int | None:
    """Somebody's reliability in hundredths; None while no finished game counts."""
    return PlayerProfile.objects.filter(person=person).values_list("reliability", flat=True).first()


def with_reliability(games: QuerySet[Game], *, for_members: bool) -> Any:
    """With `mean_reliability`, that of the players who show theirs to such a reader, and `asked_reliability`,
    what the terms ask for.

    A mean of few people tells of each of them: there is none where nobody may know who plays.
    """
    readers = (PageReaders.EVERYBODY, *((PageReaders.MEMBERS,) if for_members else ()))
    shown = GameMembership.objects.filter(game=OuterRef("pk"), role=GameRole.PLAYER, left_at=None).filter(
        person__is_active=True, person__is_guest=False, person__profile__readers__in=readers
    )
    parts = Cast("person__profile__shown_parts", TextField())
    telling = shown.alias(parts=parts).filter(parts__contains=f'"{PagePart.RELIABILITY}"').order_by()
    of_each_game = telling.values("game").annotate(mean=Avg("person__profile__reliability"))
    mean = Subquery(of_each_game.values("mean"))
    return games.annotate(
        mean_reliability=Case(When(anonymity=Anonymity.OPEN, then=mean)),
        asked_reliability=Cast(json_text("settings_json__least_reliability"), IntegerField()),
    )


def recount_reliability(people: Iterable[int]) -> None:
    """Compute the kept figures of some people again, by primary key, inside a transaction."""
    for person in sorted(set(people)):
        # held before anything is counted: two of somebody's games may be counted at the same moment
        profile, _made = PlayerProfile.objects.select_for_update().get_or_create(person_id=person)
        counted = PlayedGame.objects.filter(person=person).order_by("-finished__ended_at", "-finished__game")
        rows = list(counted.values_list("phases_due", "phases_missed", "has_left")[:COUNTED_GAMES])
        due, missed, left = (sum(column) for column in zip(*rows, strict=True)) if rows else (0, 0, 0)
        PlayerProfile.objects.filter(pk=profile.pk).update(
            reliability=reliability_percent(due, missed, left),
            phases_due=due,
            phases_missed=missed,
            games_left=left,
        )
