"""Starts the site on this machine: one process, one data folder."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from talleyrand.web import greeting, network
from talleyrand.web.keeping import folders, stages
from talleyrand.web.keeping.faults import CannotKeep

if TYPE_CHECKING:
    from talleyrand.web.watching import checks

Done = TypeVar("Done")
Told = Callable[[Mapping[str, int]], None]
Place = tuple[str, int]  # a host and a port
SITE = "talleyrand.web.asgi:application"
LAST_SWEEP = 5.0  # seconds that the clock is given to finish what it has begun
LAST_LOOK = 5.0
HELP = (sys.executable, "-c", "import sys; from talleyrand.web import serve; sys.exit(serve.help_out())")
BESIDE = (
    sys.executable,
    "-c",
    "import sys; from talleyrand.web import serve; serve.answer_beside(sys.argv[1])",
)
logger = logging.getLogger(__name__)
LAST_POST = 15.0  # and the post: a mail that is being taken is answered


class CannotServe(Exception):
    """Why the site does not start, in one line."""


def run(
    host: str = "127.0.0.1", port: int = 8000, data: Path | str | None = None, smtp: Place | None = None
) -> int:
    """Prepare the data folder, serve until interrupted; 1 if that cannot be, with a line saying why.

    With `smtp`, mail to the games is taken there.
    """
    try:
        _run(host, port, data, smtp)
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:  # while it starts too
        sys.stderr.write("\n")
    return 0


def settle(data: Path | str | None) -> None:
    """Have the settings read for a data folder."""
    if data is not None:
        os.environ["TALLEYRAND_DATA"] = str(data)
    os.environ["DJANGO_SETTINGS_MODULE"] = "talleyrand.web.settings"


def _run(host: str, port: int, data: Path | str | None, smtp: Place | None) -> None:
    settle(data)
    name_hosts(host)
    listening = [listen(host, port)]
    listening += _beside(host, listening[0].getsockname()[1])
    mail = listen(*smtp, option="--smtp") if smtp else None
    if mail is not None:
        connect(_check_post)
    hold = connect(_begin)
    try:
        greeting.announce(host, listening[0].getsockname()[1], _named(mail) if mail else "")
        with _duties(mail), _others(listening[0]):
            answer(*listening)
    finally:
        hold.release()


def name_hosts(host: str) -> None:
    """Answer by the names of this machine, unless others are given."""
    if "TALLEYRAND_HOSTS" not in os.environ:
        everywhere = host in network.EVERYWHERE
        os.environ["TALLEYRAND_HOSTS"] = (
            network.WORD if everywhere else ",".join((*network.HERE, network.written(host)))
        )


@contextmanager
def _duties(mail: socket.socket | None) -> Iterator[None]:
    """Meanwhile whatever a site has to do besides answering, unless others do it."""
    from django.conf import settings

    if settings.DUTIES == "pages":
        yield
        return
    with _ticking(), posting(mail), watching(), sweeping():
        yield


@contextmanager
def _others(listening: socket.socket) -> Iterator[None]:
    """Meanwhile other processes answer at the same socket, where more than one was asked for."""
    from django.conf import settings

    from talleyrand.web import beside, offspring

    if settings.PROCESSES == 1:
        yield
        return

    def work(stop: threading.Event) -> None:
        beside.run(stop, settings.PROCESSES - 1, BESIDE, listening)

    with threaded("beside", work, 2 * offspring.LAST):
        yield


@contextmanager
def _ticking() -> Iterator[None]:
    """Meanwhile a thread publishes the phases of games when they are due, with others where they are many."""
    from talleyrand.web import offspring, rush
    from talleyrand.web.games import clock
    from talleyrand.web.watching import rounds

    with (
        threaded("rush", lambda stop: rush.run(stop, HELP), 2 * offspring.LAST),
        threaded("clock", lambda stop: clock.run(stop, rounds.Noting()), LAST_SWEEP),
    ):
        yield


@contextmanager
def watching() -> Iterator[None]:
    """Meanwhile a thread looks how the site fares, and deletes what has had its time."""
    from talleyrand.web.watching import rounds

    with threaded("watch", rounds.run, LAST_LOOK):
        yield


@contextmanager
def posting(listening: socket.socket | None) -> Iterator[None]:
    """Meanwhile a thread sends what is to leave, and reads the mail that is kept."""
    from django.conf import settings

    from talleyrand.web.mail import post

    if not settings.HAS_MAIL:
        yield
        return
    with threaded("post", lambda stop: post.run(stop, listening), LAST_POST):
        yield


@contextmanager
def sweeping() -> Iterator[None]:
    """Meanwhile threads do the slow work that is due."""
    from talleyrand.web.background import sweeping as sweeps

    with sweeps.sweeping():
        yield


@contextmanager
def threaded(name: str, work: Callable[[threading.Event], None], patience: float) -> Iterator[None]:
    stop = threading.Event()
    thread = threading.Thread(target=work, args=(stop,), name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(patience)


def keep_time(stop: threading.Event, told: Told, data: Path | str | None = None) -> None:
    """Run a clock beside the site until `stop` is set; `told` hears what each sweep did, by steps.

    Raises CannotServe, where the site has not prepared the data folder yet too.
    """
    settle(data)
    hold = connect(check_prepared)
    from talleyrand.web.games import clock
    from talleyrand.web.watching import rounds

    noting = rounds.Noting()

    def heard(one: clock.Clock) -> None:
        noting(one)
        told(one.done)

    try:
        with watching():
            clock.run(stop, heard)
    finally:
        hold.release()


def answer_beside(number: str) -> None:
    """Answer at the socket of this number, until the site that began this process is gone."""
    from talleyrand.web import offspring

    offspring.with_input(lambda: os.kill(os.getpid(), signal.SIGTERM))
    settle(None)
    hold = connect(check_prepared)
    try:
        answer(socket.socket(fileno=int(number)))
    finally:
        hold.release()


def help_out() -> int:
    """A clock that a site starts while many games are due, and that ends with it; 1 where it cannot be."""
    from talleyrand.web import offspring

    stop = threading.Event()
    offspring.with_input(stop.set)
    try:
        keep_time(stop, lambda _done: None)
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def health(data: Path | str | None = None) -> tuple[bool, list[str]]:
    """Whether a site is well, and a line of each check and count. Nothing is written. Raises CannotServe."""
    settle(data)
    folder = Path(os.environ.get("TALLEYRAND_DATA", ""))
    if not (os.environ.get("TALLEYRAND_DATABASE") or (folder / "talleyrand.sqlite3").exists()):
        raise CannotServe(f"Il n’y a pas de site dans {folder}. / There is no site in {folder}.")
    found = connect(_looked)
    counted = [f"{name}: {count}" for name, count in found.counts.items()]
    return found.is_well, [*(f"{name}: {said}" for name, said in found.checks.items()), *counted]


def _looked() -> checks.Health:
    from django.utils import timezone

    from talleyrand.web.watching import checks

    return checks.look(timezone.now())


def take_mail(
    stop: threading.Event,
    told: Callable[[str], None],
    data: Path | str | None = None,
    *,
    place: Place = ("127.0.0.1", 8025),
    lmtp: bool = False,
    path: Path | None = None,
) -> None:
    """Take mail to the games beside the site until `stop` is set, by SMTP or LMTP, which may come over the
    local socket `path`; `told` hears where. Raises CannotServe.
    """
    settle(data)
    connect(_check_post)
    hold = connect(check_prepared)
    from talleyrand.web.mail import post

    try:
        listening = listen(*place) if path is None else _listen_at(path)
        told(_named(listening, lmtp=lmtp))
        post.run(stop, listening, lmtp=lmtp)
        if path is not None:
            path.unlink(missing_ok=True)
    finally:
        hold.release()


def _check_post() -> None:
    """Raises ImproperlyConfigured where games are not played by post."""
    from django.conf import settings

    from talleyrand.web.settings import environment

    if not settings.POST_DOMAIN:
        french = "dire à quel domaine arrive le courrier des parties, comme jeu.exemple.org."
        english = "say at which domain mail to the games arrives, like game.example.org."
        raise environment.refuse("TALLEYRAND_MAIL_DOMAIN", french, english)
    if not settings.HAS_MAIL:
        french = "le courrier des parties demande un serveur pour les réponses, smtp://…"
        english = "play by post needs a server for the answers, smtp://…"
        raise environment.refuse("TALLEYRAND_SMTP", french, english)


def new_password(name: str, data: Path | str | None = None) -> str:
    """The address of a link by which somebody sets a new password, without the site’s own name where that
    is not set; "" for nobody. Raises CannotServe.
    """
    settle(data)
    hold = connect(check_prepared)
    from django.conf import settings

    from talleyrand.web.accounts import announcing

    try:
        path = announcing.new_password(name)
    finally:
        hold.release()
    return f"{settings.ADDRESS}{path}" if path else ""


def check_prepared() -> folders.Hold:
    """The data folder, held as a site holds it. Raises CannotServe."""
    from django.conf import settings

    hold = folders.Hold(Path(settings.DATA))
    hold.together()
    if stages.pending():
        raise CannotServe(
            "La base n’est pas à jour : démarrer d’abord le site. / "
            "The database is not up to date: start the site first."
        )
    return hold


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Take the port before anything else, so that a second site says so at once."""
    try:
        return _bound(host, port)
    except (OSError, OverflowError) as problem:
        raise CannotServe(_refused(host, port, problem, option)) from problem


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
    if host != network.EVERYWHERE[0] or not socket.has_ipv6:
        return []
    try:
        return [_bound(network.EVERYWHERE[1], port, long_alone=True)]
    except OSError:
        return []


def _refused(host: str, port: int, problem: Exception, option: str) -> str:
    return (
        f"Impossible d’écouter sur {host}:{port} ({problem}). Essayer un autre port : {option} {port + 1}. / "
        f"Cannot listen on {host}:{port} ({problem}). Try another port: {option} {port + 1}."
    )


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


def _named(listening: socket.socket, *, lmtp: bool = False) -> str:
    """Where mail is taken: smtp://127.0.0.1:8025."""
    name = listening.getsockname()
    if isinstance(name, str):
        return f"lmtp:{name}"
    host = f"[{name[0]}]" if ":" in name[0] else name[0]
    return f"{'lmtp' if lmtp else 'smtp'}://{host}:{name[1]}"


def _begin() -> folders.Hold:
    """The data, prepared; and the computer's players go on, unless others see to that."""
    from django.conf import settings

    hold = prepare()
    if settings.DUTIES != "pages":
        _resume()
    return hold


def prepare() -> folders.Hold:
    """Data of this version, held for as long as the site serves them."""
    from django.conf import settings

    from talleyrand.web.keeping import upgrade

    return upgrade.begin(Path(settings.DATA), settings.DATABASES["default"])


def connect(work: Callable[[], Done]) -> Done:
    """Work with the site's settings and database; what is wrong with them becomes CannotServe."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db.utils import DatabaseError

    try:
        import django

        django.setup()
        return work()
    except (ImproperlyConfigured, CannotKeep) as problem:
        raise CannotServe(str(problem)) from problem
    except DatabaseError as problem:
        raise CannotServe(_broken(problem)) from problem


def _resume() -> None:
    """What the computer's players were thinking about when the site stopped is due again."""
    from talleyrand.web.practice import opponents_queues

    opponents_queues.forget_workers()


def _broken(problem: Exception) -> str:
    from django.conf import settings

    name, said = settings.DATABASES["default"]["NAME"], " ".join(str(problem).split())
    return f"La base {name} ne s’ouvre pas ({said}). / The database {name} does not open ({said})."


def answer(*listening: socket.socket, application: str = SITE) -> None:
    """Serve an ASGI application on sockets until interrupted."""
    import uvicorn

    from talleyrand.web import connections
    from talleyrand.web.notices import door, room

    class Server(uvicorn.Server):
        """Ends what lasts for hours before it waits for what lasts a moment."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            door.hub.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        application,
        http=connections.Patient,
        log_level="warning",
        log_config=None,  # it writes where and as the site does
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    config.load()  # which says how many streams it would hold
    room.make()
    with _low_priority() if application == SITE else nullcontext():
        Server(config).run(sockets=list(listening))


@contextmanager
def _low_priority() -> Iterator[None]:
    """Meanwhile a process beside this one answers what anybody may make dear."""
    from talleyrand.web.low_priority import Here

    assert Here.process is not None  # the application has been loaded
    try:
        Here.process.begin()
    except OSError:
        logger.exception("no process of low priority could be started: this one does its work")
    try:
        yield
    finally:
        Here.process.end()
