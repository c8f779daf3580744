"""Whom one does not want to play with."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from talleyrand.web.accounts.models import Person
from talleyrand.web.common.transactions import write_transaction

from .models import Block

MOST_BLOCKS = 200


@write_transaction
def block(person: Person, other: Person) -> bool:
    """Keep that somebody blocks another, once; False where they block too many already."""
    Person.objects.select_for_update().get(pk=person.pk)
    mine = Block.objects.filter(person=person)
    if not mine.filter(blocked=other).exists() and mine.count() >= MOST_BLOCKS:
        return False
    Block.objects.get_or_create(person=person, blocked=other)
    return True


def unblock(person: Person, other: int) -> None:
    """Block somebody no longer, by primary key; whom one does not block is no fault."""
    Block.objects.filter(person=person, blocked=other).delete()


def blocked_by(person: Person | None) -> QuerySet[Block]:
    """Whom somebody blocks."""
    return Block.objects.filter(person=person).select_related("blocked") if person else Block.objects.none()


def why_apart(person: Person, others: Collection[int]) -> str:
    """Why somebody is not to play with others, by primary key: `blocking`, or `blocked`; "" if nothing."""
    between = Q(person=person, blocked__in=others) | Q(blocked=person, person__in=others)
    found = set(Block.objects.filter(between).values_list("person", flat=True))
    if person.pk in found:
        return "blocking"
    return "blocked" if found else ""
