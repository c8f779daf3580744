"""Turns: a few requests of one address at a time, in the order of their arrival, whatever becomes of some."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from talleyrand.web.limits.request_queue import AddressQueue, QueueFull

ONE = "198.51.100.7"


class Visit:
    """A request that stays until it is let go; `order` tells when each had its turn."""

    def __init__(self, turns: AddressQueue, name: str, order: list[str], address: str = ONE) -> None:
        self.go = asyncio.Event()
        self._order, self._name = order, name
        self.task = asyncio.create_task(self._visit(turns, address))

    async def _visit(self, turns: AddressQueue, address: str) -> None:
        async with turns.turn(address):
            self._order.append(self._name)
            await self.go.wait()


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_two_at_once_and_the_others_in_their_order() -> None:
    async def told() -> list[str]:
        order: list[str] = []
        turns = AddressQueue(2, 10)
        visits = [Visit(turns, name, order) for name in "abcd"]
        await settled()
        assert order == ["a", "b"]
        for visit in visits[1], visits[0], visits[3], visits[2]:
            visit.go.set()
            await settled()
        await asyncio.gather(*(visit.task for visit in visits))
        assert not turns._lines, "an address whose requests are answered is forgotten"
        return order

    assert asyncio.run(told()) == ["a", "b", "c", "d"]


def test_another_address_waits_for_nobody() -> None:
    async def told() -> list[str]:
        order: list[str] = []
        turns = AddressQueue(1, 10)
        visits = [Visit(turns, "a", order), Visit(turns, "b", order)]
        visits.append(Visit(turns, "c", order, "198.51.100.8"))
        await settled()
        found = list(order)
        for visit in visits:
            visit.go.set()
        await asyncio.gather(*(visit.task for visit in visits))
        return found

    assert asyncio.run(told()) == ["a", "c"]


def test_who_comes_when_too_many_wait_is_told() -> None:
    async def told() -> None:
        order: list[str] = []
        turns = AddressQueue(1, 1)
        visits = [Visit(turns, name, order) for name in "ab"]
        await settled()
        with pytest.raises(QueueFull):
            async with turns.turn(ONE):
                pass
        for visit in visits:
            visit.go.set()
        await asyncio.gather(*(visit.task for visit in visits))
        assert order == ["a", "b"]

    asyncio.run(told())


@pytest.mark.parametrize("at_its_turn", [False, True])
def test_who_leaves_while_waiting_holds_nobody_up(at_its_turn: bool) -> None:
    """Also in the very moment in which the turn comes."""

    async def told() -> list[str]:
        order: list[str] = []
        turns = AddressQueue(1, 10)
        first, leaving, last = (Visit(turns, name, order) for name in "abc")
        await settled()
        if at_its_turn:
            line = turns._lines[ONE]
            line.waiting.popleft().set_result(None)  # as the first one does when it is done
            leaving.task.cancel()
            with suppress(asyncio.CancelledError):
                await leaving.task
            line.running += 1  # the first one is not done
        else:
            leaving.task.cancel()
        await settled()
        first.go.set()
        last.go.set()
        await asyncio.wait_for(asyncio.gather(first.task, last.task), 5)
        return order

    assert asyncio.run(told()) == ["a", "c"]
