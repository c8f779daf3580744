"""Short transactions that are begun again where the database was busy with others."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from random import SystemRandom
from time import sleep
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

TRIES = 4
PAUSE = 0.05  # seconds, more from try to try
_chance = SystemRandom()


def writing(work: Callable[P, R]) -> Callable[P, R]:
    """Do `work` in one transaction; it is done again, from its beginning, where the database was locked.

    Inside another transaction it is a part of that one, and begun again with it alone.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> R:
        for tried in range(1, TRIES):
            try:
                with transaction.atomic():
                    return work(*args, **kwargs)
            except OperationalError:
                if connection.in_atomic_block:
                    raise
                sleep(_chance.uniform(PAUSE, 2 * PAUSE) * tried)
        with transaction.atomic():
            return work(*args, **kwargs)

    return done
