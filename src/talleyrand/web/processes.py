"""The processes of a large site: pages, events, slow work. As many of each as wanted, on as many machines."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talleyrand.web import greeting, serve
from talleyrand.web.serve import CannotServe

if TYPE_CHECKING:
    from talleyrand.web.keeping import folders

LAST_REQUESTS = 10  # seconds that requests under way are given
IDLE = 600  # seconds after which a thread without work ends
BESIDE = "127.0.0.1"  # where a proxy is believed about whom it speaks for
# It writes where and as the site does.
LOGGERS: dict[str, Any] = {
    "handlers": {},
    "formatters": {},
    "loggers": {"_granian": {"handlers": [], "propagate": True}},
}


def pages(
    host: str, port: int, data: Path | str | None = None, *, processes: int = 1, threads: int = 8
) -> int:
    """Serve the pages by WSGI until interrupted; 1 if that cannot be, with a line saying why.

    No clock runs here, no mail leaves, no stream begins.
    """
    return _served(lambda: _pages(host, port, data, processes, threads))


def events(host: str, port: int, data: Path | str | None = None) -> int:
    """Serve what is live alone, until interrupted; 1 if that cannot be, with a line saying why."""
    return _served(lambda: _events(host, port, data))


def _served(work: Callable[[], None]) -> int:
    try:
        work()
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    return 0


def _pages(host: str, port: int, data: Path | str | None, processes: int, threads: int) -> None:
    serve.settle(data)
    serve.name_hosts(host)
    port = _free(host, port)
    hold = serve.connect(serve.prepare)
    try:
        greeting.announce(host, port)
        _forget_connections()
        _granian(host, port, processes, threads)
    finally:
        hold.release()


def _free(host: str, port: int) -> int:
    """A port that nobody listens at: the server lets its processes share theirs, so it would not say."""
    with serve.listen(host, port) as probe:
        return int(probe.getsockname()[1])


def _forget_connections() -> None:
    """None is shared with the processes that begin now."""
    from django.db import connections

    connections.close_all()


def _granian(host: str, port: int, processes: int, threads: int) -> None:
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    server = Granian(
        "talleyrand.web.wsgi:application",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=processes,
        blocking_threads=threads,
        blocking_threads_idle_timeout=IDLE,
        respawn_failed_workers=True,
        workers_kill_timeout=LAST_REQUESTS,
        log_level=LogLevels.error,
        log_dictconfig=LOGGERS,
    )
    server.serve(target_loader=_loaded, wrap_loader=False)


def _loaded() -> Callable[..., Any]:
    """The application, in the process that serves it."""
    from granian.utils.proxies import wrap_wsgi_with_proxy_headers

    threading.Thread(target=_end_with_parent, daemon=True).start()
    from talleyrand.web.wsgi import application

    believed = os.environ.get("FORWARDED_ALLOW_IPS", BESIDE)
    wrapped: Callable[..., Any] = wrap_wsgi_with_proxy_headers(application, believed)
    return wrapped


def _end_with_parent() -> None:
    """Whoever began this process may be killed: it would hold the port for nobody."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _events(host: str, port: int, data: Path | str | None) -> None:
    serve.settle(data)
    serve.name_hosts(host)
    listening = serve.listen(host, port)
    hold = serve.connect(serve.check_prepared)
    try:
        greeting.tell_addresses(host, listening.getsockname()[1])
        serve.answer(listening, application="talleyrand.web.events:application")
    finally:
        hold.release()


def work(
    stop: threading.Event, told: Callable[[], None], data: Path | str | None = None, *, at_once: int = 4
) -> None:
    """Do the slow work of a large site until `stop` is set; `told` hears that it has begun.

    Raises CannotServe.
    """
    serve.settle(data)
    hold = serve.connect(_check_workers)
    from talleyrand.web import low_priority
    from talleyrand.web.background import working

    low_priority.lower()

    try:
        told()
        with serve.posting(None), serve.sweeping():
            working.run(stop, at_once)
    finally:
        hold.release()


def _check_workers() -> folders.Hold:
    """The data folder, held as a site holds it. Raises ImproperlyConfigured and CannotServe."""
    from django.conf import settings

    from talleyrand.web.settings import environment

    if not settings.WORKERS:
        french = "régler 1, ici et pour les sites, pour qu’il y ait des ouvriers."
        english = "set 1, here and for the sites, so that there are workers."
        raise environment.refuse("TALLEYRAND_WORKERS", french, english)
    return serve.check_prepared()


__all__ = ["CannotServe", "events", "pages", "work"]
