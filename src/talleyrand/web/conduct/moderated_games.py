"""The games of which moderators have read what others write, or who plays: they join none of them."""

from __future__ import annotations

from collections.abc import Collection

from django.utils import timezone

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction

from .models import ModeratedGame


@write_transaction
def note_read(moderator: Person, game_keys: Collection[str]) -> None:
    """Keep that somebody is about to read of these games; whoever joins one at this moment does so before."""
    new = set(game_keys) - set(_read_by(moderator, game_keys))
    if new:
        Person.objects.select_for_update(no_key=True).get(pk=moderator.pk)
        rows = [ModeratedGame(person=moderator, game_key=key, at=timezone.now()) for key in sorted(new)]
        ModeratedGame.objects.bulk_create(rows, ignore_conflicts=True)


def has_read(person: Person, game_key: str) -> bool:
    """Whether somebody knows more of a game than its players do."""
    return bool(_read_by(person, [game_key]))


def _read_by(person: Person, game_keys: Collection[str]) -> list[str]:
    kept = ModeratedGame.objects.filter(person=person, game_key__in=game_keys)
    return list(kept.values_list("game_key", flat=True))
