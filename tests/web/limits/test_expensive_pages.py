"""Pages that cost what their visitor wants are answered by the process of low priority, in turns."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest
from asgiref import testing
from django.test import Client

from talleyrand.web.limits import thread_pool
from talleyrand.web.limits.low_priority import ProcessGone
from talleyrand.web.limits.thread_pool import BufferedResponse, ThreadPoolHandler, is_expensive
from talleyrand.web.practice.models import PracticeGame
from tests.each import each
from tests.waiting import reached

communicator: Any = testing.ApplicationCommunicator  # it comes without types
MOMENT = 30.0  # seconds
NEW = "/p/new/"


class Beside:
    """Stands for the process of low priority: what is asked of it is answered as the test says."""

    def __init__(self, answer: Callable[[int], BufferedResponse | None]) -> None:
        self.is_ready = True
        self.asked: list[tuple[str, bytes]] = []
        self._answer = answer

    def has_been_asked(self, times: int) -> bool:
        return len(self.asked) == times

    def submit(self, path: str, scope: Any, sent: bytes) -> Future[BufferedResponse]:
        assert path == thread_pool.ANSWERED
        self.asked.append((scope["path"], sent))
        future = Future[BufferedResponse]()
        answer = self._answer(len(self.asked))
        if answer is None:
            future.set_exception(ProcessGone())
        else:
            future.set_result(answer)
        return future


ANSWER = BufferedResponse(200, [(b"Content-Type", b"text/plain")], b"of low priority")


def scope(where: str, method: str = "GET") -> dict[str, Any]:
    return {
        "type": "http",
        "method": method,
        "path": where,
        "query_string": b"",
        "headers": [(b"host", b"testserver")],
        "client": ("198.51.100.7", 4000),
    }


async def answered(
    pages: ThreadPoolHandler, where: str, method: str = "GET", body: bytes = b""
) -> tuple[int, bytes]:
    talk = communicator(pages, scope(where, method))
    await talk.send_input({"type": "http.request", "body": body})
    head = await talk.receive_output(MOMENT)
    return head["status"], (await talk.receive_output(MOMENT))["body"]


def pages(beside: Beside) -> ThreadPoolHandler:
    return ThreadPoolHandler(1, beside)  # type: ignore[arg-type]  # as good as a process here


@each(
    "path",
    [
        "/p/new/",
        "/p/import/",
        "/s/x/1/",
        "/apprendre/",
        "/reglements/comparer/",
        "/api/judge",
        "/api/judge/batch",
        "/en/p/new/",
        "/en/learn/",
    ],
)
def test_what_its_visitor_makes_dear_is_asked_of_it(path: str) -> None:
    beside = Beside(lambda _many: ANSWER)
    assert asyncio.run(answered(pages(beside), path, "POST", b"a board")) == (200, ANSWER.body)
    assert beside.asked == [(path, b"a board")]


@each("path", ["/", "/en/", "/comptes/", "/tables/", "/sante/", "/api/games"])
def test_other_pages_are_answered_here(path: str) -> None:
    assert not is_expensive(path)


@pytest.mark.django_db
def test_a_reading_is_asked_for_again_where_the_process_died() -> None:
    beside = Beside(lambda many: ANSWER if many == 2 else None)
    assert asyncio.run(answered(pages(beside), NEW)) == (200, ANSWER.body)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("method", "asked"), [("GET", 2), ("POST", 1)])
def test_what_is_never_answered_is_told_to_come_back(method: str, asked: int) -> None:
    """What would change something is asked for once: it may have been done before the process died."""
    beside = Beside(lambda _many: None)
    status, page = asyncio.run(answered(pages(beside), "/p/import/", method))
    assert (status, len(beside.asked)) == (503, asked)
    assert "La réponse s’est perdue. Votre demande a peut-être été" in page.decode()
    assert "Rien n’a été" not in page.decode()
    assert not PracticeGame.objects.exists()


@pytest.mark.django_db
def test_a_program_is_told_in_its_own_form() -> None:
    status, body = asyncio.run(answered(pages(Beside(lambda _many: None)), "/api/judge", "POST", b"{}"))
    assert status == 503
    assert json.loads(body)["code"] == "busy"


@pytest.mark.django_db
def test_too_many_of_one_address_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of that address are answered in their turn, and another address at once."""
    monkeypatch.setattr(thread_pool, "MOST_WAITING", 1)
    waiting: list[Future[BufferedResponse]] = []

    class Held(Beside):
        def submit(self, path: str, scope: Any, sent: bytes) -> Future[BufferedResponse]:
            super().submit(path, scope, sent)
            waiting.append(Future[BufferedResponse]())
            return waiting[-1]

    beside = Held(lambda _many: ANSWER)

    async def crowd() -> list[int]:
        site = pages(beside)
        held = [asyncio.create_task(answered(site, NEW)) for _ in range(thread_pool.AT_ONCE + 1)]
        await reached(lambda: len(waiting) >= thread_pool.AT_ONCE)
        found = [(await answered(site, NEW))[0]]
        for number in range(thread_pool.AT_ONCE + 1):
            await reached(lambda number=number: len(waiting) > number)  # type: ignore[misc]
            waiting[number].set_result(ANSWER)
        return [*found, *(status for status, _body in await asyncio.gather(*held))]

    assert asyncio.run(crowd()) == [503, 200, 200, 200]


@pytest.mark.django_db
def test_who_hangs_up_and_asks_again_waits_for_the_first() -> None:
    """Else an address would have as many at once as it hangs up on."""
    held = Future[BufferedResponse]()

    class Held(Beside):
        def submit(self, path: str, scope: Any, sent: bytes) -> Future[BufferedResponse]:
            super().submit(path, scope, sent)
            return held

    beside = Held(lambda _many: ANSWER)

    async def leave() -> int:
        site = pages(beside)
        talks = [communicator(site, scope(NEW)) for _ in range(thread_pool.AT_ONCE + 2)]
        for number, talk in enumerate(talks, 1):
            await talk.send_input({"type": "http.request", "body": b""})
            await reached(partial(beside.has_been_asked, min(number, thread_pool.AT_ONCE)))
            await talk.send_input({"type": "http.disconnect"})
        for talk in talks[thread_pool.AT_ONCE :]:  # their turn has not come, and they are gone
            await talk.wait(MOMENT)
        found = len(beside.asked)
        held.set_result(ANSWER)
        for talk in talks:
            await talk.wait(MOMENT)
        return found

    assert asyncio.run(leave()) == thread_pool.AT_ONCE


@pytest.mark.django_db(transaction=True)
def test_it_answers_as_this_process_would() -> None:
    """The same page, whoever makes it: head, cookies and language."""
    here = Client().get("/en/p/import/", headers={"host": "testserver"})
    there = thread_pool.answer_request(scope("/en/p/import/"), b"")
    assert (there.status, dict(there.headers)[b"Content-Language"]) == (here.status_code, b"en")
    assert there.counted[0] == ("practice", "GET", str(here.status_code))


def test_what_it_answers_is_counted_with_the_rest() -> None:
    counted: list[Any] = []
    kind = ("library", "GET", "200")
    beside = Beside(lambda _many: BufferedResponse(200, [], b"", (kind, 0.5)))
    site = ThreadPoolHandler(1, beside, lambda *one: counted.append(one))  # type: ignore[arg-type]  # as above
    asyncio.run(answered(site, "/apprendre/"))
    assert counted == [(kind, 0.5)]
