"""The tournaments of lists: those to come, those that were, one's own."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet

from talleyrand.web.accounts.models import Person

from .models import Tournament


def coming(today: date) -> QuerySet[Tournament]:
    """Those that anybody may open and that are not over, the next one first."""
    ahead = Q(ends__gte=today) | Q(ends=None, opens__gte=today) | Q(opens=None)
    return Tournament.objects.filter(ahead, listed=True).order_by("opens", "pk")


def past(today: date) -> QuerySet[Tournament]:
    """Those that anybody may open and that are over, the last one first."""
    seen = Tournament.objects.filter(listed=True)
    return seen.exclude(pk__in=coming(today).order_by().values("pk"))


def mine(account: Person) -> QuerySet[Tournament]:
    """Those that an account directs, helps with or plays in."""
    here = Q(memberships__account=account) | Q(passes__account=account)
    return Tournament.objects.filter(pk__in=Tournament.objects.filter(here).values("pk"))
