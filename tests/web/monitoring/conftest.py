"""A site whose clock has just beaten, and whoever runs it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock
from talleyrand.web.games.models import Game, Heartbeat
from tests.web.cast import client_of, person, table
from tests.web.mail.correspondents import by_post

__all__ = ["by_post"]
HOUR = timedelta(hours=1)


@pytest.fixture
def beating(db: None) -> None:
    deadline_clock.record_heartbeat(timezone.now())


@pytest.fixture
def silent(beating: None) -> None:
    Heartbeat.objects.update(last_seen_at=timezone.now() - HOUR)


@pytest.fixture
def game(db: None) -> Game:
    """Begun; nothing is due."""
    one = table()
    Game.objects.filter(pk=one.pk).update(next_check_at=timezone.now() + HOUR)
    return one


@pytest.fixture
def chief(db: None) -> Client:
    administrator = person("Adèle")
    administrator.is_administrator = True
    administrator.save()
    return client_of("Adèle")
