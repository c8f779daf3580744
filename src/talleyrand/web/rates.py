"""How often something may be done: so many times in so many seconds, by whatever one counts.

This is the one counter of the site. Counting up is one step, whoever else counts at that moment, in as many
processes as there are: Django's cache does it in memory where one process answers (`settings.CACHES`), in a
table of the database elsewhere, and there always for what has to last beyond the process.

In memory, the process of low priority counts apart: of what is counted, it answers calls of the judge alone,
so that these have turns of their own beside the other calls of the API.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.core.cache import BaseCache, caches
from django.utils.crypto import salted_hmac

Rate = tuple[int, int]  # so many times in so many seconds
HERE, LASTING = "default", "lasting"


@dataclass(frozen=True)
class Taken:
    """One turn that was asked for. `wait`: for how many seconds there is none; 0 where this is one."""

    wait: int
    _give_back: Callable[[], object]

    def rollback(self) -> None:
        """Let this one not have counted; a count that is over meanwhile stays so."""
        try:
            self._give_back()
        except ValueError:
            return


def take(kind: str, who: str | int, rate: Rate, *, lasting: bool = False, amount: int = 1) -> Taken:
    """Count one more of this `kind` for `who`, or an `amount`: nothing that a sender chooses freely.

    `lasting`: it is kept where the site is stopped meanwhile, and taken back with the transaction it is in.
    """
    most, seconds = rate
    cache = caches[LASTING if lasting else HERE]
    key = _key(kind, who, rate)
    taken = _more(cache, key, seconds, amount)
    left = seconds - int(time.time()) % seconds
    return Taken(left if taken > most else 0, partial(cache.decr, key, amount))


def count(kind: str, who: str | int, rate: Rate, *, lasting: bool = False) -> int:
    """How many turns of this `kind` for `who` have been taken in this while."""
    return int(caches[LASTING if lasting else HERE].get(_key(kind, who, rate), 0))


def sealed(text: str) -> str:
    """A text of any kind as something to count by, from which nobody reads it."""
    return salted_hmac("talleyrand.web.rates", text, algorithm="sha256").hexdigest()


def _key(kind: str, who: str | int, rate: Rate) -> str:
    return f"rate:{kind}:{who}:{int(time.time()) // rate[1]}"


def _more(cache: BaseCache, key: str, seconds: int, amount: int) -> int:
    for _try in range(2):
        try:
            return int(cache.incr(key, amount))
        except ValueError:  # nothing was counted yet
            cache.add(key, 0, seconds)
    return amount  # it was thrown away in this very moment, as the cache was full
