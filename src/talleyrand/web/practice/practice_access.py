"""A game by one of its addresses, and that it was opened: what nobody opens for long may be deleted."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import DatabaseError
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone

from .models import PracticeGame

NOTED_EVERY = timedelta(days=1)  # at most so often


def game_or_404(key: str, shared: str = "") -> PracticeGame:
    """The game of whoever plays, or without `key` that of whoever only looks; Http404 for none."""
    game = get_object_or_404(PracticeGame, **({"key": key} if key else {"shared_key": shared}))
    now = timezone.now()
    if game.opened_at is None or now - game.opened_at > NOTED_EVERY:
        old = Q(opened_at=None) | Q(opened_at__lt=now - NOTED_EVERY)
        with suppress(DatabaseError):  # a page is shown also where nothing can be written
            PracticeGame.objects.filter(old, pk=game.pk).update(opened_at=now)
    return game
