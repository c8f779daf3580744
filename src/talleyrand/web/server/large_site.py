"""The processes of a large site: pages, events, slow work. As many of each as wanted, on as many machines."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talleyrand.web.server import site_server, startup_banner
from talleyrand.web.server.site_server import CannotServe

if TYPE_CHECKING:
    from talleyrand.web.backup import data_folder

LAST_REQUESTS = 10  # seconds that requests under way are given
BESIDE = "127.0.0.1"  # where a proxy is believed about whom it speaks for
# It writes where and as the site does.
LOGGERS: dict[str, Any] = {
    "handlers": {},
    "formatters": {},
    "loggers": {"_granian": {"handlers": [], "propagate": True}},
}


def serve_pages(
    host: str, port: int, data: Path | str | None = None, *, processes: int = 1, threads: int = 8
) -> int:
    """Serve the pages until interrupted; 1 if that cannot be, with a line saying why.

    No clock runs here, no mail leaves, no stream begins.
    """
    return site_server.exit_status(lambda: _pages(host, port, data, processes, threads))


def serve_event_streams(host: str, port: int, data: Path | str | None = None) -> int:
    """Serve what is live alone, until interrupted; 1 if that cannot be, with a line saying why."""
    return site_server.exit_status(lambda: _events(host, port, data))


def _pages(host: str, port: int, data: Path | str | None, processes: int, threads: int) -> None:
    site_server.load_settings(data)
    site_server.set_allowed_hosts(host)
    port = _free(host, port)
    with site_server.held_folder(site_server.prepare_data_folder):
        from django.db import connections

        startup_banner.print_banner(host, port)
        connections.close_all()  # none is shared with the processes that begin now
        _granian(host, port, processes, threads)


def _free(host: str, port: int) -> int:
    """A port that nobody listens at: the server lets its processes share theirs, so it would not say."""
    with site_server.bind_port(host, port) as probe:
        return int(probe.getsockname()[1])


def _granian(host: str, port: int, processes: int, threads: int) -> None:
    from granian import Granian
    from granian.constants import Interfaces
    from granian.log import LogLevels

    server = Granian(
        "talleyrand.web.server.pages_asgi:pages",
        address=host,
        port=port,
        interface=Interfaces.ASGINL,
        websockets=False,
        workers=processes,
        respawn_failed_workers=True,
        workers_kill_timeout=LAST_REQUESTS,
        log_level=LogLevels.error,
        log_dictconfig=LOGGERS,
    )
    server.serve(target_loader=partial(_loaded, threads), wrap_loader=False)


def _loaded(threads: int) -> Callable[..., Any]:
    """The application, in the process that serves it."""
    from granian.utils.proxies import wrap_asgi_with_proxy_headers

    threading.Thread(target=_end_with_parent, daemon=True).start()
    from talleyrand.web.server.pages_asgi import pages

    believed = os.environ.get("FORWARDED_ALLOW_IPS", BESIDE)
    wrapped: Callable[..., Any] = wrap_asgi_with_proxy_headers(pages(threads), believed)
    return wrapped


def _end_with_parent() -> None:
    """Whoever began this process may be killed: it would hold the port for nobody."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _events(host: str, port: int, data: Path | str | None) -> None:
    site_server.load_settings(data)
    site_server.set_allowed_hosts(host)
    listening = site_server.bind_port(host, port)
    with site_server.held_folder():
        startup_banner.print_addresses(host, listening.getsockname()[1])
        site_server.run_asgi(listening, application="talleyrand.web.server.event_stream_asgi:application")


def run_worker(
    stop: threading.Event, told: Callable[[], None], data: Path | str | None = None, *, at_once: int = 4
) -> None:
    """Do the slow work of a large site until `stop` is set; `told` hears that it has begun.

    Raises CannotServe.
    """
    site_server.load_settings(data)
    with site_server.held_folder(_check_workers):
        from talleyrand.web.background import periodic_runner, queue_worker
        from talleyrand.web.limits import low_priority

        low_priority.lower_priority()
        told()
        with site_server.mail_thread(None), periodic_runner.running_periodic_jobs():
            queue_worker.run_queue_worker(stop, at_once)


def _check_workers() -> data_folder.DataFolderLock:
    """The data folder, held as a site holds it. Raises ImproperlyConfigured and CannotServe."""
    from django.conf import settings

    from talleyrand.web.settings import environment

    if not settings.WORKERS:
        raise environment.setting_error("TALLEYRAND_WORKERS", "no_workers")
    return site_server.lock_prepared_folder()


__all__ = ["CannotServe", "run_worker", "serve_event_streams", "serve_pages"]
