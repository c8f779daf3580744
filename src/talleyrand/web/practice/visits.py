"""A game by one of its addresses, and that it was opened: what nobody opens for long may be deleted."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import DatabaseError
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone

from .models import PracticeGame

NOTED = timedelta(days=1)  # at most so often


def own(key: str) -> PracticeGame:
    """The game of whoever plays; Http404 for none."""
    return _opened(get_object_or_404(PracticeGame, key=key))


def shared(address: str) -> PracticeGame:
    """The game that is looked at, or whose picture is fetched by another site; Http404 for none."""
    return _opened(get_object_or_404(PracticeGame, shared=address))


def _opened(game: PracticeGame) -> PracticeGame:
    now = timezone.now()
    if game.opened is None or now - game.opened > NOTED:
        old = Q(opened=None) | Q(opened__lt=now - NOTED)
        with suppress(DatabaseError):  # a page is shown also where nothing can be written
            PracticeGame.objects.filter(old, pk=game.pk).update(opened=now)
    return game
