"""How often something may be done: so many times in so many seconds, by whatever one counts.

This is the one counter of the site. Counting up is one step, whoever else counts at that moment, in as many
processes as there are: Django's cache does it in memory where one process answers (`settings.CACHES`), in a
table of the database elsewhere, and there always for what has to last beyond the process.

What was counted in the while before counts too, by the part of it that lies within the last so many seconds,
as if it had come evenly: nobody has twice the turns where one while ends and the next begins.

In memory, the process of low priority counts apart: of what is counted, it answers calls of the judge alone,
so that these have turns of their own beside the other calls of the API.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from django.core.cache import BaseCache, caches
from django.utils.crypto import salted_hmac

Rate = tuple[int, int]  # so many times in so many seconds
HERE, LASTING = "default", "lasting"


@dataclass(frozen=True)
class RateLimitHit:
    """One turn that was asked for. `wait`: for how many seconds there is none; 0 where this is one."""

    wait: int
    _give_back: Callable[[], object]

    def rollback(self) -> None:
        """Let this one not have counted; a count that is over meanwhile stays so."""
        try:
            self._give_back()
        except ValueError:
            return


def hit(kind: str, who: str | int, rate: Rate, *, lasting: bool = False, amount: int = 1) -> RateLimitHit:
    """Count one more of this `kind` for `who`, or an `amount`: nothing that a sender chooses freely.

    What finds no room fills what there is, and no more: who asks too often waits no longer for it. `lasting`:
    it is kept where the site is stopped meanwhile, and taken back with the transaction it is in.
    """
    most, seconds = rate
    cache = caches[LASTING if lasting else HERE]
    now = int(time.time())
    key, before = _key(kind, who, now // seconds), _before(cache, kind, who, rate, now)
    left = seconds - now % seconds
    taken = _more(cache, key, 2 * seconds, amount)
    beyond = min(amount, taken + before * left // seconds - most)
    if beyond <= 0:
        return RateLimitHit(0, partial(cache.decr, key, amount))
    with suppress(ValueError):  # it was thrown away meanwhile, as the cache was full
        cache.decr(key, beyond)
    return RateLimitHit(_wait(rate, taken - beyond, before, left), partial(cache.decr, key, amount - beyond))


def recent_hits(kind: str, who: str | int, rate: Rate, *, lasting: bool = False) -> int:
    """How many turns of this `kind` for `who` have been taken in the last so many seconds."""
    cache, seconds, now = caches[LASTING if lasting else HERE], rate[1], int(time.time())
    share = _before(cache, kind, who, rate, now) * (seconds - now % seconds) // seconds
    return int(cache.get(_key(kind, who, now // seconds), 0)) + share


def _wait(rate: Rate, taken: int, before: int, left: int) -> int:
    """In how many seconds there is a turn, where so many are taken in this while and so many were before."""
    most, seconds = rate
    if taken < most and before:  # as soon as what was before counts for less
        return left - _latest(most - taken, before, seconds)
    return left + seconds - _latest(most, min(taken, most) or 1, seconds)


def _latest(room: int, before: int, seconds: int) -> int:
    """With how many seconds of a while left what was before it counts for less than `room`."""
    return max(0, min(seconds, -(-seconds * room // before) - 1))


def _before(cache: BaseCache, kind: str, who: str | int, rate: Rate, now: int) -> int:
    return min(rate[0], int(cache.get(_key(kind, who, now // rate[1] - 1), 0)))


def hashed_key(text: str) -> str:
    """A text of any kind as something to count by, from which nobody reads it."""
    return salted_hmac("talleyrand.web.common.rate_limits", text, algorithm="sha256").hexdigest()


def _key(kind: str, who: str | int, number: int) -> str:
    return f"rate:{kind}:{who}:{number}"


def _more(cache: BaseCache, key: str, seconds: int, amount: int) -> int:
    for _try in range(2):
        try:
            return int(cache.incr(key, amount))
        except ValueError:  # nothing was counted yet
            cache.add(key, 0, seconds)
    return amount  # it was thrown away in this very moment, as the cache was full
