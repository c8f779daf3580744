"""The post at work: beside the site, in its process, and when something goes wrong."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from talleyrand.web.games import first_phase
from talleyrand.web.mail import mail_worker, mailboxes
from talleyrand.web.mail.inbound import inbound_processing
from talleyrand.web.mail.models import InboundDelivery
from talleyrand.web.mail.outbound import email_sending
from talleyrand.web.mail.subscriptions import subscription_sweep
from tests.waiting import PATIENCE, wait_until
from tests.web.cast import BEGUN, table

from .correspondents import DOMAIN, correspond
from .office import Office, open_office, submit
from .servers import box

ROOT = Path(__file__).parents[3]
SMTP = ("-m", "talleyrand", "smtp")
SERVE = ("-m", "talleyrand", "serve", "--port", "0")


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    settings = {"DJANGO_SETTINGS_MODULE": "talleyrand.web.settings", "TALLEYRAND_DATA": str(folder)}
    return {**kept, **settings, "TALLEYRAND_LANG": "fr", **more}


def by_mail(office: Office) -> dict[str, str]:
    return {
        "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
        "TALLEYRAND_SMTP": f"smtp://127.0.0.1:{office.port}?tls=none",
        "TALLEYRAND_MAIL_FROM": f"Talleyrand <site@{DOMAIN}>",
    }


def done(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env=environment(folder, **more),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@contextmanager
def at_work(folder: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, *words],
        env=environment(folder, **more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


def port(process: subprocess.Popen[str], scheme: str) -> int:
    """Where it says that it listens."""
    assert process.stdout is not None
    for line in process.stdout:
        _before, found, place = line.partition(f"{scheme}://127.0.0.1:")
        if found:
            return int("".join(sign for sign in place.partition(".")[0] if sign.isdigit()))
    raise AssertionError("it did not say where it listens")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Path:
    """A data folder that a site has prepared."""
    return prepare_site(tmp_path_factory.mktemp("site"))


def outcomes(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "talleyrand.sqlite3", timeout=20)) as base:
        return [str(row[0]) for row in base.execute("SELECT outcome FROM mail_inbounddelivery")]


# processes

PREPARE = """
import django; django.setup()
from talleyrand.web.games import first_phase
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.models import MailboxPurpose
from django.utils import timezone
from tests.web.cast import person, table
from tests.web.mail.correspondents import correspond
correspond("Flora")
game = first_phase.open_first_phase(table(begun=False), timezone.now())
mailbox = mailboxes.get_mailbox(MailboxPurpose.ORDERS, game, person("Flora"), "FRANCE")
print(mailboxes.mailbox_address(mailbox))
"""


@pytest.mark.parametrize(
    ("words", "scheme"),
    [
        ((*SMTP, "--port", "0"), "smtp"),
        ((*SMTP, "--lmtp", "--port", "0"), "lmtp"),
        ((*SERVE, "--smtp", "0"), "smtp"),
    ],
)
def test_a_mail_is_answered(site: Path, words: tuple[str, ...], scheme: str) -> None:
    with open_office() as office:
        to = done(site, "-c", PREPARE, **by_mail(office)).stdout.strip()
        with at_work(site, *words, **by_mail(office)) as process:
            assert submit(port(process, scheme), to, "A Par - Bou", lmtp=scheme == "lmtp").is_taken
            (item,) = office.wait(1, PATIENCE)[:1]
            process.send_signal(signal.SIGTERM)
            _out, err = process.communicate(timeout=PATIENCE)
    assert item.to == ("flora.kerbrat@exemple-flora.fr",)
    assert "Traceback" not in err
    assert process.returncode in (0, -signal.SIGTERM)
    assert outcomes(site)[-1] == "taken"


def test_on_a_socket_file_that_is_taken_away_at_the_end(site: Path, tmp_path: Path) -> None:
    place = tmp_path / "lmtp"
    with (
        open_office() as office,
        at_work(site, *SMTP, "--lmtp", "--socket", str(place), **by_mail(office)) as process,
    ):
        assert process.stdout is not None
        assert str(place) in process.stdout.readline()
        second = done(site, *SMTP, "--lmtp", "--socket", str(place), **by_mail(office))
        assert second.returncode == 1
        with smtplib.LMTP(str(place)) as line:
            assert line.ehlo()[0] == 250
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert not place.exists()


def test_a_socket_file_that_somebody_left(site: Path, tmp_path: Path) -> None:
    place = tmp_path / "lmtp"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place))
    with (
        open_office() as office,
        at_work(site, *SMTP, "--lmtp", "--socket", str(place), **by_mail(office)) as process,
    ):
        assert process.stdout is not None
        assert str(place) in process.stdout.readline()


# what does not start


@pytest.mark.parametrize(
    ("words", "without", "said"),
    [
        (SMTP, "TALLEYRAND_MAIL_DOMAIN", "TALLEYRAND_MAIL_DOMAIN"),
        (SMTP, "TALLEYRAND_SMTP", "TALLEYRAND_SMTP"),
        ((*SERVE, "--smtp", "0"), "TALLEYRAND_MAIL_DOMAIN", "TALLEYRAND_MAIL_DOMAIN"),
        ((*SERVE, "--smtp", "0"), "TALLEYRAND_SMTP", "TALLEYRAND_SMTP"),
        ((*SMTP, "--host", "203.0.113.7", "--port", "0"), "", "203.0.113.7"),
        ((*SMTP, "--lmtp", "--socket", "/nowhere/lmtp"), "", "/nowhere/lmtp"),
        ((*SMTP, "--socket", "/tmp/lmtp"), "", "--lmtp"),
    ],
)
def test_it_says_in_one_line_why_it_does_not_start(
    site: Path, words: tuple[str, ...], without: str, said: str
) -> None:
    settings = {name: value for name, value in by_mail(Office(port=25)).items() if name != without}
    found = done(site, *words, **settings)
    assert found.returncode in (1, 2)
    assert found.stderr.count("\n") == 1
    assert said in found.stderr


@pytest.mark.parametrize(("words", "option"), [(SMTP, "--port"), (SERVE, "--smtp")])
def test_a_port_that_is_taken(site: Path, words: tuple[str, ...], option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        found = done(site, *words, option, str(number), **by_mail(Office(port=25)))
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert f"{option} {number + 1}" in found.stderr


@pytest.mark.parametrize(
    "words", [(*SMTP, "--port", "x"), (*SMTP, "--port", "70000"), (*SERVE, "--smtp", "x:y")]
)
def test_what_is_no_port(site: Path, words: tuple[str, ...]) -> None:
    found = done(site, *words)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr


def test_a_folder_that_no_site_has_prepared(tmp_path: Path) -> None:
    found = done(tmp_path, *SMTP, **by_mail(Office(port=25)))
    assert found.returncode == 1
    assert "démarrer d’abord le site" in found.stderr


# the loop


@pytest.fixture
def running() -> Iterator[Callable[..., int]]:
    """Begins the post on a port; ends it after the test."""
    stop, threads = threading.Event(), []

    def begin() -> int:
        place = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=mail_worker.run_mail_worker, args=(stop, place))
        threads.append(thread)
        thread.start()
        return int(place.getsockname()[1])

    yield begin
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


pytestmark = [pytest.mark.usefixtures("interruptible"), pytest.mark.long]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("by_post")
class TestLoop:
    def test_a_mail_is_read_at_once(
        self, office: Office, running: Callable[..., int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(mail_worker, "PAUSE", 3600.0)
        correspond("Flora")
        to = mailboxes.mailbox_address(box(table()))
        assert submit(running(), to, "A Par - Bou").is_taken
        (item, *_others) = office.wait(1, PATIENCE)
        assert item.to == ("flora.kerbrat@exemple-flora.fr",)

    def test_what_fails_stops_nothing_else(
        self,
        office: Office,
        running: Callable[..., int],
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        befallen: list[Exception] = [OperationalError("gone"), ZeroDivisionError()]
        sort = inbound_processing.process_due_mail

        def troubled(now: datetime) -> int:
            if befallen:
                raise befallen.pop()
            return sort(now)

        def broken(_now: datetime) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr(mail_worker, "PAUSE", 0.02)
        monkeypatch.setattr(inbound_processing, "process_due_mail", troubled)
        monkeypatch.setattr(subscription_sweep, "queue_due_mail", broken)
        correspond("Flora")
        assert submit(running(), mailboxes.mailbox_address(box(table())), "A Par - Bou").is_taken
        office.wait(1, PATIENCE)
        assert not befallen
        assert "the post stumbled" in caplog.text

    def test_orders_do_not_wait_for_mail_that_cannot_leave(
        self, running: Callable[..., int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hanging = threading.Event()
        monkeypatch.setattr(email_sending, "send_due_emails", lambda _now: hanging.wait(PATIENCE))
        correspond("Flora")
        game = first_phase.open_first_phase(table(begun=False), BEGUN)
        assert submit(running(), mailboxes.mailbox_address(box(game)), "A Par - Bou").is_taken
        wait_until(lambda: unread() == 0)
        hanging.set()

    def test_without_play_by_post_mail_leaves_alone(self, settings: Any) -> None:
        for has_post in (False, True):
            settings.HAS_PLAY_BY_MAIL = has_post
            works = mail_worker.outbound_work()
            assert email_sending.send_due_emails in works
            assert (subscription_sweep.queue_due_mail in works) == has_post


def unread() -> int:
    return InboundDelivery.objects.filter(outcome="").count()
