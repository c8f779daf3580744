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

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.record_models import PlayedGame, PlayerProfile

COUNTED_GAMES = 20
PHASES_A_GAME_LEFT = 10


def reliability_percent(due: int, missed: int, left: int) -> int | None:
    """The figure; None where nothing was due yet."""
    weighed = due + PHASES_A_GAME_LEFT * left
    return 100 * (due - missed) // weighed if weighed else None


def reliability_of(person: Person) -> int | None:
    """Somebody's reliability in hundredths; None while no finished game counts."""
    return PlayerProfile.objects.filter(person=person).values_list("reliability", flat=True).first()


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
