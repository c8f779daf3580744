"""The tournaments of lists: those to come, those that were, one's own."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet

from talleyrand.web.accounts.models import Person

from .models import Tournament


def coming_tournaments(today: date) -> QuerySet[Tournament]:
    """Those that anybody may open and that are not over, the next one first."""
    ahead = Q(last_day__gte=today) | Q(last_day=None, first_day__gte=today) | Q(first_day=None)
    return Tournament.objects.filter(ahead, is_listed=True).order_by("first_day", "pk")


def past_tournaments(today: date) -> QuerySet[Tournament]:
    """Those that anybody may open and that are over, the last one first."""
    seen = Tournament.objects.filter(is_listed=True)
    return seen.exclude(pk__in=coming_tournaments(today).order_by().values("pk"))


def tournaments_of(account: Person) -> QuerySet[Tournament]:
    """Those that an account directs, helps with or plays in."""
    here = Q(memberships__account=account) | Q(passes__account=account)
    return Tournament.objects.filter(pk__in=Tournament.objects.filter(here).values("pk"))
