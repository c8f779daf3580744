"""Starts the site on this machine: one process, one data folder."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from talleyrand.web.backup import data_folder, migration_state
from talleyrand.web.backup.backup_errors import BackupError
from talleyrand.web.common import network
from talleyrand.web.server import startup_banner

if TYPE_CHECKING:
    from talleyrand.web.monitoring import health_checks

Done = TypeVar("Done")
StepCounts = Callable[[Mapping[str, int]], None]
HostAndPort = tuple[str, int]  # a host and a port
SITE = "talleyrand.web.server.asgi:application"
LAST_SWEEP = 5.0  # seconds that the clock is given to finish what it has begun
LAST_LOOK = 5.0
_IMPORTS = "import sys; from talleyrand.web.server import site_server; "
BURST_CLOCK_COMMAND = (sys.executable, "-P", "-c", f"{_IMPORTS}sys.exit(site_server.run_burst_clock())")
WEB_PROCESS_COMMAND = (sys.executable, "-P", "-c", f"{_IMPORTS}site_server.run_web_process(sys.argv[1])")
logger = logging.getLogger(__name__)
LAST_POST = 15.0  # and the post: a mail that is being taken is answered


class CannotServe(Exception):
    """Why the site does not start, in one line."""


def serve_site(
    host: str = "127.0.0.1", port: int = 8000, data: Path | str | None = None, smtp: HostAndPort | None = None
) -> int:
    """Prepare the data folder, serve until interrupted; 1 if that cannot be, with a line saying why.

    With `smtp`, mail to the games is taken there.
    """
    return exit_status(lambda: _run(host, port, data, smtp))


def exit_status(serve: Callable[[], None]) -> int:
    """Serve until interrupted, while it starts too; 1 if that cannot be, with a line saying why."""
    try:
        serve()
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\n")
    return 0


def load_settings(data: Path | str | None) -> None:
    """Have the settings read for a data folder."""
    if data is not None:
        os.environ["TALLEYRAND_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "talleyrand.web.settings"


def _run(host: str, port: int, data: Path | str | None, smtp: HostAndPort | None) -> None:
    load_settings(data)
    set_allowed_hosts(host)
    listening = [bind_port(host, port)]
    listening += _beside(host, listening[0].getsockname()[1])
    mail = bind_port(*smtp, option="--smtp") if smtp else None
    if mail is not None:
        with_django(_check_post)
    with held_folder(_begin):
        startup_banner.print_banner(host, listening[0].getsockname()[1], _address_text(mail) if mail else "")
        with _duties(mail), _others(listening[0]):
            run_asgi(*listening)


def set_allowed_hosts(host: str) -> None:
    """Answer by the names of this machine, unless others are given."""
    if "TALLEYRAND_HOSTS" not in os.environ:
        everywhere = host in network.ALL_INTERFACES
        os.environ["TALLEYRAND_HOSTS"] = (
            network.LAN_WORD if everywhere else ",".join((*network.LOOPBACK_HOSTS, network.host_in_url(host)))
        )


@contextmanager
def _duties(mail: socket.socket | None) -> Iterator[None]:
    """Meanwhile whatever a site has to do besides answering, unless others do it."""
    from django.conf import settings

    from talleyrand.web.background import periodic_runner

    if settings.DUTIES == "pages":
        yield
        return
    with _ticking(), mail_thread(mail), monitoring_thread(), periodic_runner.running_periodic_jobs():
        yield


def _others(listening: socket.socket) -> AbstractContextManager[None]:
    """Meanwhile other processes answer at the same socket, where more than one was asked for."""
    from django.conf import settings

    from talleyrand.web.limits import child_processes
    from talleyrand.web.server import web_processes

    if settings.PROCESSES == 1:
        return nullcontext()

    def work(stop: threading.Event) -> None:
        web_processes.run_web_processes(stop, settings.PROCESSES - 1, WEB_PROCESS_COMMAND, listening)

    return stoppable_thread("beside", work, 2 * child_processes.STOP_SECONDS)


@contextmanager
def _ticking() -> Iterator[None]:
    """Meanwhile a thread publishes the phases of games when they are due, with others where they are many."""
    from talleyrand.web.games import deadline_clock
    from talleyrand.web.limits import child_processes
    from talleyrand.web.monitoring import monitor
    from talleyrand.web.server import burst_clocks

    with (
        stoppable_thread(
            "rush",
            lambda stop: burst_clocks.run_burst_clocks(stop, BURST_CLOCK_COMMAND),
            2 * child_processes.STOP_SECONDS,
        ),
        stoppable_thread(
            "clock", lambda stop: deadline_clock.run_deadline_clock(stop, monitor.SweepRecorder()), LAST_SWEEP
        ),
    ):
        yield


def monitoring_thread() -> AbstractContextManager[None]:
    """Meanwhile a thread looks how the site fares, and deletes what has had its time."""
    from talleyrand.web.monitoring import monitor

    return stoppable_thread("watch", monitor.run_monitor, LAST_LOOK)


def mail_thread(listening: socket.socket | None) -> AbstractContextManager[None]:
    """Meanwhile a thread sends what is to leave, and reads the mail that is kept, once there is a server."""
    from talleyrand.web.mail import mail_worker

    return stoppable_thread("post", lambda stop: mail_worker.run_mail_worker(stop, listening), LAST_POST)


@contextmanager
def stoppable_thread(name: str, work: Callable[[threading.Event], None], patience: float) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(patience)


def run_clock(stop: threading.Event, told: StepCounts, data: Path | str | None = None) -> None:
    """Run a clock beside the site until `stop` is set; `told` hears what each sweep did, by steps.

    Raises CannotServe, where the site has not prepared the data folder yet too.
    """
    load_settings(data)
    with held_folder():
        from talleyrand.web.games import deadline_clock
        from talleyrand.web.monitoring import monitor

        noting = monitor.SweepRecorder()

        def heard(one: deadline_clock.DeadlineClock) -> None:
            noting(one)
            told(one.step_counts)

        with monitoring_thread():
            deadline_clock.run_deadline_clock(stop, heard)


def run_web_process(number: str) -> None:
    """Answer at the socket of this number, until the site that began this process is gone."""
    from talleyrand.web.limits import child_processes

    child_processes.stop_with_parent(lambda: os.kill(os.getpid(), signal.SIGTERM))
    load_settings(None)
    with held_folder():
        run_asgi(socket.socket(fileno=int(number)))


def run_burst_clock() -> int:
    """A clock that a site starts while many games are due, and that ends with it; 1 where it cannot be."""
    from talleyrand.web.limits import child_processes

    stop = threading.Event()
    child_processes.stop_with_parent(stop.set)
    return exit_status(lambda: run_clock(stop, lambda _done: None))


def check_site_health(data: Path | str | None = None) -> tuple[bool, list[str]]:
    """Whether a site is well, and a line of each check and count. Nothing is written. Raises CannotServe."""
    load_settings(data)
    _check_site(Path(os.environ.get("TALLEYRAND_DATA", "")))
    found = with_django(_looked)
    counted = [f"{name}: {count}" for name, count in found.counts.items()]
    return found.is_well, [*(f"{name}: {said}" for name, said in found.checks.items()), *counted]


def upgrade_site(data: Path | str | None = None) -> None:
    """Bring the data of a folder up to date without serving them. Raises CannotServe."""
    load_settings(data)
    with_django(prepare_data_folder).release()


def planned_upgrade(data: Path | str | None = None) -> tuple[list[str], list[tuple[str, str]]]:
    """What the next start would change: steps of the database, and entries of the changelog that are new to
    the folder, each with its language. Nothing is written. Raises CannotServe.
    """
    load_settings(data)
    _check_site(Path(os.environ.get("TALLEYRAND_DATA", "")))

    def look() -> tuple[list[str], list[tuple[str, str]]]:
        from django.conf import settings

        from talleyrand.web.administration import version_changes

        fresh = [(one.language, one.text) for one in version_changes.unseen_entries(settings.DATA)]
        return migration_state.pending_migrations(), fresh

    return with_django(look)


def _check_site(folder: Path) -> None:
    if not (os.environ.get("TALLEYRAND_DATABASE") or (folder / "talleyrand.sqlite3").exists()):
        raise CannotServe(f"Il n’y a pas de site dans {folder}. / There is no site in {folder}.")


def _looked() -> health_checks.Health:
    from django.utils import timezone

    from talleyrand.web.monitoring import health_checks

    return health_checks.check_health(timezone.now())


def run_mail_server(
    stop: threading.Event,
    told: Callable[[str], None],
    data: Path | str | None = None,
    *,
    place: HostAndPort = ("127.0.0.1", 8025),
    lmtp: bool = False,
    path: Path | None = None,
) -> None:
    """Take mail to the games beside the site until `stop` is set, by SMTP or LMTP, which may come over the
    local socket `path`; `told` hears where. Raises CannotServe.
    """
    load_settings(data)
    with_django(_check_post)
    with held_folder():
        from talleyrand.web.mail import mail_worker

        listening = bind_port(*place) if path is None else _listen_at(path)
        told(_address_text(listening, lmtp=lmtp))
        mail_worker.run_mail_worker(stop, listening, lmtp=lmtp)
        if path is not None:
            path.unlink(missing_ok=True)


def _check_post() -> None:
    """Raises ImproperlyConfigured where games are not played by post."""
    from django.conf import settings

    from talleyrand.web.settings import environment

    if not settings.GAME_MAIL_DOMAIN:
        raise environment.setting_error("TALLEYRAND_MAIL_DOMAIN", "no_mail_domain")
    if not settings.HAS_MAIL:
        raise environment.setting_error("TALLEYRAND_SMTP", "no_smtp")


def password_link(name: str, data: Path | str | None = None) -> str:
    """The address of a link by which somebody sets a new password, without the site’s own name where that
    is not set; "" for nobody. Raises CannotServe.
    """
    load_settings(data)
    with held_folder():
        from django.conf import settings

        from talleyrand.web.accounts import one_time_links

        path = one_time_links.new_password_path(name)
    return f"{settings.SITE_URL}{path}" if path else ""


def compute_ratings_again(data: Path | str | None = None) -> list[tuple[str, int, str]]:
    """The ratings of each kind of game computed from the first one on: how many, and their digest. Raises
    CannotServe.
    """
    load_settings(data)
    with held_folder():
        from talleyrand.web.games.player_records import rating_history, record_queue

        while record_queue.count_finished_games():
            pass
        return rating_history.computed_again()


@contextmanager
def held_folder(take: Callable[[], data_folder.DataFolderLock] | None = None) -> Iterator[None]:
    """Meanwhile the data folder is held as `take` does it, or as a site holds it. Raises CannotServe."""
    hold = with_django(take or lock_prepared_folder)
    try:
        yield
    finally:
        hold.release()


def lock_prepared_folder() -> data_folder.DataFolderLock:
    """The data folder, held as a site holds it. Raises CannotServe."""
    from django.conf import settings

    hold = data_folder.DataFolderLock(Path(settings.DATA))
    hold.share()
    if migration_state.has_pending():
        raise CannotServe(
            "La base n’est pas à jour : démarrer d’abord le site. / "
            "The database is not up to date: start the site first."
        )
    return hold


def bind_port(host: str, port: int, option: str = "--port") -> socket.socket:
    """Take the port before anything else, so that a second site says so at once."""
    try:
        return _bound(host, port)
    except (OSError, OverflowError) as problem:
        raise CannotServe(
            f"Impossible d’écouter sur {host}:{port} ({problem}). "
            f"Essayer un autre port : {option} {port + 1}. / "
            f"Cannot listen on {host}:{port} ({problem}). Try another port: {option} {port + 1}."
        ) from problem


def _bound(host: str, port: int, *, long_alone: bool = False) -> socket.socket:
    """A socket that listens; with `long_alone`, to IPv6 and not to IPv4 as well."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Told that it is TCP, asyncio sends the parts of an answer without waiting for each to be acknowledged.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if long_alone:
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, OverflowError):
        listening.close()
        raise
    return listening


def _beside(host: str, port: int) -> list[socket.socket]:
    """The same port for IPv6, where the whole network was asked for and there is such a thing."""
    if host != network.ALL_INTERFACES[0] or not socket.has_ipv6:
        return []
    try:
        return [_bound(network.ALL_INTERFACES[1], port, long_alone=True)]
    except OSError:
        return []


def _listen_at(path: Path) -> socket.socket:
    """Take a local socket; one that nobody listens at any more is replaced."""
    listening = socket.socket(socket.AF_UNIX)
    try:
        if path.is_socket() and not _answers(path):
            path.unlink()
        listening.bind(str(path))
        path.chmod(0o666)  # who may come near is said by its folder
        listening.listen(128)
    except OSError as problem:
        listening.close()
        raise CannotServe(
            f"Impossible d’écouter sur {path} ({problem}). / Cannot listen on {path} ({problem})."
        ) from problem
    return listening


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _address_text(listening: socket.socket, *, lmtp: bool = False) -> str:
    """Where mail is taken: smtp://127.0.0.1:8025."""
    name = listening.getsockname()
    if isinstance(name, str):
        return f"lmtp:{name}"
    host = f"[{name[0]}]" if ":" in name[0] else name[0]
    return f"{'lmtp' if lmtp else 'smtp'}://{host}:{name[1]}"


def _begin() -> data_folder.DataFolderLock:
    """The data, prepared; and what the bots were thinking about is due again, unless others see to that."""
    from django.conf import settings

    from talleyrand.web.bots import bot_queue

    hold = prepare_data_folder()
    if settings.DUTIES != "pages":
        bot_queue.release_all_claims()
    return hold


def prepare_data_folder() -> data_folder.DataFolderLock:
    """Data of this version, held for as long as the site serves them."""
    from django.conf import settings

    from talleyrand.web.backup import upgrade

    return upgrade.lock_and_upgrade(Path(settings.DATA), settings.DATABASES["default"])


def with_django(work: Callable[[], Done]) -> Done:
    """Work with the site's settings and database; what is wrong with them becomes CannotServe."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db.utils import DatabaseError

    try:
        import django

        django.setup()
        return work()
    except (ImproperlyConfigured, BackupError) as problem:
        raise CannotServe(str(problem)) from problem
    except DatabaseError as problem:
        from django.conf import settings

        name, said = settings.DATABASES["default"]["NAME"], " ".join(str(problem).split())
        raise CannotServe(
            f"La base {name} ne s’ouvre pas ({said}). / The database {name} does not open ({said})."
        ) from problem


def run_asgi(*listening: socket.socket, application: str = SITE) -> None:
    """Serve an ASGI application on sockets until interrupted."""
    import uvicorn

    from talleyrand.web.limits import connection_limits
    from talleyrand.web.notifications import event_streams, stream_limit

    class Server(uvicorn.Server):
        """Ends what lasts for hours before it waits for what lasts a moment."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            event_streams.hub.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        application,
        http=connection_limits.TimedHttpProtocol,
        log_level="warning",
        log_config=None,  # it writes where and as the site does
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    config.load()  # which says how many streams it would hold
    stream_limit.raise_file_limit()
    with _low_priority() if application == SITE else nullcontext():
        Server(config).run(sockets=list(listening))


@contextmanager
def _low_priority() -> Iterator[None]:
    """Meanwhile a process beside this one answers what anybody may make dear."""
    from talleyrand.web.limits.low_priority import LowPriorityWork

    assert LowPriorityWork.process is not None  # the application has been loaded
    try:
        LowPriorityWork.process.start()
    except OSError:
        logger.exception("no process of low priority could be started: this one does its work")
    try:
        yield
    finally:
        LowPriorityWork.process.stop()
