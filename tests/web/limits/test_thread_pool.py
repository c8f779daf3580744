"""The pages behind ASGI: a few threads, each with its connection, and nothing of one request in another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgiref import testing
from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.test import override_settings
from django.urls import path
from django.utils import translation

from talleyrand.web.limits.thread_pool import ThreadPoolHandler, threads_for_pages
from talleyrand.web.settings.databases import REQUEST_THREADS
from tests.waiting import reached

communicator: Any = testing.ApplicationCommunicator  # it comes without types
MOMENT = 30.0  # seconds
PAGES = threads_for_pages(REQUEST_THREADS)
meeting = threading.Barrier(PAGES)
inside: list[str] = []
entered: list[str] = []
free = threading.Event()


def met(request: HttpRequest) -> HttpResponse:
    """Answers once as many are there as may be."""
    inside.append(threading.current_thread().name)
    meeting.wait(MOMENT)
    return HttpResponse(request.body)


def held(request: HttpRequest) -> HttpResponse:
    """Answers once it is free to."""
    entered.append(str(request.method))
    assert free.wait(MOMENT)
    return HttpResponse()


def connected(_request: HttpRequest) -> HttpResponse:
    connection.ensure_connection()
    return HttpResponse(str(id(connection.connection)))


def parted(_request: HttpRequest) -> HttpResponse:
    connection.close()
    return HttpResponse()


def spoken(request: HttpRequest) -> HttpResponse:
    before = translation.get_language()
    translation.activate(request.GET["language"])
    return HttpResponse(before)


def broken(_request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


def a_file(_request: HttpRequest) -> HttpResponseBase:
    return FileResponse(Path(__file__).open("rb"))


def crumbs(_request: HttpRequest) -> HttpResponse:
    answer = HttpResponse("ça", status=201, headers={"X-Said": "é"})
    answer.set_cookie("one", "1")
    answer.set_cookie("two", "2", httponly=True)
    return answer


urlpatterns = [
    path(f"{view.__name__}/", view) for view in (met, held, connected, parted, spoken, broken, a_file, crumbs)
]
handler404 = lambda _request, exception: HttpResponse(status=404)  # noqa: ARG005, E731 as Django calls it
handler500 = lambda _request: HttpResponse(status=500)  # noqa: E731


@pytest.fixture(autouse=True)
def _site() -> Iterator[None]:
    with override_settings(ROOT_URLCONF=__name__, MIDDLEWARE=[], ALLOWED_HOSTS=["testserver"]):
        yield


def scope(where: str, method: str = "POST") -> dict[str, Any]:
    at, _, query = where.partition("?")
    return {
        "type": "http",
        "method": method,
        "path": at,
        "query_string": query.encode(),
        "headers": [(b"host", b"testserver")],
    }


async def asked(pages: ThreadPoolHandler, where: str, *parts: bytes) -> tuple[dict[str, Any], bytes]:
    """The head of an answer, and its body; the request comes in parts."""
    talk = communicator(pages, scope(where))
    for part in parts:
        await talk.send_input({"type": "http.request", "body": part, "more_body": True})
    await talk.send_input({"type": "http.request", "body": b""})
    head = await talk.receive_output(MOMENT)
    body = await talk.receive_output(MOMENT)
    assert not body.get("more_body")
    return head, body["body"]


def test_as_many_at_once_as_there_are_threads_for_pages() -> None:
    async def crowd() -> list[tuple[dict[str, Any], bytes]]:
        pages = ThreadPoolHandler(REQUEST_THREADS)
        return await asyncio.gather(*(asked(pages, "/met/", b"%d" % one, b"!") for one in range(2 * PAGES)))

    inside.clear()
    answers = asyncio.run(crowd())
    assert [body for _, body in answers] == [b"%d!" % one for one in range(2 * PAGES)]
    assert PAGES <= len(set(inside)) <= REQUEST_THREADS


def test_orders_wait_for_no_page() -> None:
    """However many reload: a thread is theirs."""

    async def storm() -> int:
        pages = ThreadPoolHandler(REQUEST_THREADS)
        waiting = [asyncio.create_task(asked(pages, "/held/")) for _ in range(2 * REQUEST_THREADS)]
        await reached(lambda: len(entered) == PAGES)
        head, _body = await asked(pages, "/KEY/1/orders/FRANCE/")
        assert len(entered) == PAGES
        free.set()
        await asyncio.gather(*waiting)
        return int(head["status"])

    entered.clear()
    free.clear()
    assert asyncio.run(storm()) == 404  # answered


@pytest.mark.django_db(transaction=True)
def test_a_thread_keeps_its_connection() -> None:
    async def visits() -> list[bytes]:
        pages = ThreadPoolHandler(1)
        found = [(await asked(pages, "/connected/"))[1] for _ in range(3)]
        await asked(pages, "/parted/")
        return found

    assert len(set(asyncio.run(visits()))) == 1


def test_a_language_is_that_of_one_request() -> None:
    async def visits() -> list[bytes]:
        pages = ThreadPoolHandler(1)
        return [(await asked(pages, f"/spoken/?language={one}"))[1] for one in ("en", "de", "en")]

    with translation.override("fr"):
        assert asyncio.run(visits()) == [b"fr", b"fr", b"fr"]


def test_a_fault_is_a_page_and_the_next_is_answered() -> None:
    async def visits() -> list[int]:
        pages = ThreadPoolHandler(1)
        return [(await asked(pages, where))[0]["status"] for where in ("/broken/", "/crumbs/", "/nothing/")]

    assert asyncio.run(visits()) == [500, 201, 404]


def test_the_head_is_whole() -> None:
    head, body = asyncio.run(asked(ThreadPoolHandler(1), "/crumbs/"))
    cookies = [value for name, value in head["headers"] if name == b"Set-Cookie"]
    assert body == "ça".encode()
    assert (b"X-Said", "é".encode("latin-1")) in head["headers"]
    assert [one.split(b";")[0] for one in cookies] == [b"one=1", b"two=2"]


def test_a_file_comes_whole() -> None:
    head, body = asyncio.run(asked(ThreadPoolHandler(1), "/a_file/"))
    assert body == Path(__file__).read_bytes()
    assert dict(head["headers"])[b"Content-Length"] == b"%d" % len(body)


def test_what_is_broken_off_is_not_begun() -> None:
    async def leave() -> bool:
        talk = communicator(ThreadPoolHandler(1), scope("/broken/"))
        await talk.send_input({"type": "http.request", "body": b"half", "more_body": True})
        await talk.send_input({"type": "http.disconnect"})
        await talk.wait(MOMENT)
        return bool(await talk.receive_nothing())

    assert asyncio.run(leave())


@pytest.mark.parametrize(("method", "begun"), [("GET", False), ("HEAD", False), ("POST", True)])
def test_a_page_is_not_made_for_who_has_given_it_up(method: str, begun: bool) -> None:
    """Whoever reloads again and again would wait for all the pages that he no longer waits for."""
    entered.clear()
    free.clear()

    async def leave() -> None:
        pages = ThreadPoolHandler(1)
        held = asyncio.create_task(asked(pages, "/held/"))
        await reached(lambda: entered)
        talk = communicator(pages, scope("/held/", method))
        await talk.send_input({"type": "http.request", "body": b""})
        await talk.send_input({"type": "http.disconnect"})
        if not begun:
            await talk.wait(MOMENT)
        free.set()
        await held
        if begun:
            await talk.wait(MOMENT)

    asyncio.run(leave())
    assert entered == ["POST"] + [method] * begun
