"""Settings from the environment: absent is the default, wrong refuses to start in one line."""

from __future__ import annotations

import logging
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from talleyrand.web.common.logging_format import RedactSecrets
from talleyrand.web.settings.mail_server import SENDS_NOTHING, game_mail_domain, mail_settings
from tests.waiting import PATIENCE

SHOW = (
    "from talleyrand.web import settings as s; "
    "print(s.DEBUG, s.ALLOWED_HOSTS, sorted(s.ALLOWED_PORTS), s.SECRET_KEY)"
)


def load(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
    environment = {**kept, "TALLEYRAND_DATA": str(folder), **variables}
    return subprocess.run(
        [sys.executable, "-c", SHOW],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def test_defaults(tmp_path: Path) -> None:
    shown = load(tmp_path)
    assert shown.stdout.startswith("False ['localhost', '127.0.0.1', '[::1]'] ")


def test_the_address_of_the_world_is_one_of_the_site_s_names(tmp_path: Path) -> None:
    shown = load(tmp_path, TALLEYRAND_ADDRESS="https://diplomatie.example:8443/")
    assert "'diplomatie.example'" in shown.stdout


def test_ports_are_those_that_were_written(tmp_path: Path) -> None:
    hosts, origin = "club.example:8443,[::1]:9000,autre.example", "https://c.example:1"
    shown = load(tmp_path, TALLEYRAND_HOSTS=hosts, TALLEYRAND_ORIGINS=origin)
    assert "['club.example', '[::1]', 'autre.example'] [1, 8443, 9000]" in shown.stdout


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path: Path) -> None:
    first, second = load(tmp_path), load(tmp_path)
    assert first.stdout == second.stdout
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    load(tmp_path / "a folder" / "with blanks")
    assert (tmp_path / "a folder" / "with blanks" / "secret_key").is_file()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TALLEYRAND_DEBUG", "perhaps"),
        ("TALLEYRAND_HTTPS", "2"),
        ("TALLEYRAND_HOSTS", "one two"),
        ("TALLEYRAND_HOSTS", "example.org:65536"),
        ("TALLEYRAND_ORIGINS", "https://example.org:port"),
        ("TALLEYRAND_ADDRESS", "https://example.org:99999"),
        ("TALLEYRAND_ORIGINS", "example.org"),
        ("TALLEYRAND_ADDRESS", "example.org"),
        ("TALLEYRAND_ADDRESS", "https://example.org/board"),
        ("TALLEYRAND_LANGUAGE", "de"),
        ("TALLEYRAND_LANGUAGE", "fr,club.example.org"),
        ("TALLEYRAND_LOG", "loud"),
        ("TALLEYRAND_LOG_FORMAT", "xml"),
        ("TALLEYRAND_METRICS", "short"),
        ("TALLEYRAND_METRICS", "é" * 24),
        ("TALLEYRAND_KEEP_PRACTICE", "-1"),
        ("TALLEYRAND_KEEP_PRACTICE", "some"),
        ("TALLEYRAND_SECRET_KEY", "short"),
        ("TALLEYRAND_DATA", "/proc/nowhere"),
        ("TALLEYRAND_DATABASE", "mysql://u:p@h/games"),
        ("TALLEYRAND_DATABASE", "postgresql://host:port/games"),
        ("TALLEYRAND_DATABASE", "postgresql://host"),
        ("TALLEYRAND_SIGNUP", "everybody"),
        ("TALLEYRAND_SMTP", "mail.example.org"),
        ("TALLEYRAND_SMTP", "smtp://"),
        ("TALLEYRAND_SMTP", "smtp://host:port"),
        ("TALLEYRAND_SMTP", "smtp://host/inbox"),
        ("TALLEYRAND_SMTP", "smtp://host?tls=perhaps"),
        ("TALLEYRAND_SMTP", "smtp://host?tls=none&retries=3"),
        ("TALLEYRAND_SMTP", "imap://host"),
        ("TALLEYRAND_MAIL_DOMAIN", "somebody else@example.org"),
        ("TALLEYRAND_MAIL_DOMAIN", "a+b@example.org"),
        ("TALLEYRAND_MAIL_DOMAIN", "@example.org"),
        ("TALLEYRAND_MAIL_DOMAIN", f"{'a' * 21}@example.org"),
        ("TALLEYRAND_MAIL_DOMAIN", f"{'a.' * 60}org"),
        ("TALLEYRAND_MAIL_HOPS", "-1"),
        ("TALLEYRAND_MAIL_PACE", "0"),
    ],
)
def test_a_wrong_value_refuses_to_start(tmp_path: Path, name: str, value: str) -> None:
    refused = load(tmp_path, **{name: value})
    assert refused.returncode != 0
    last = refused.stderr.strip().splitlines()[-1]
    assert f"{name} : " in last
    assert f"{name}: " in last


@pytest.mark.parametrize("content", [b"x", b"\xff" * 49, b"\0" * 49, ("é" * 49).encode()])
def test_a_damaged_key_refuses_to_start(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "secret_key").write_bytes(content)
    refused = load(tmp_path)
    assert refused.returncode != 0
    assert "secret_key" in refused.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize("sender", ["", "nobody", "<site@example.org", "a@b>", "a b@c", "a@b, c@d"])
def test_mail_has_a_sender(tmp_path: Path, sender: str) -> None:
    refused = load(tmp_path, TALLEYRAND_SMTP="smtp://host", TALLEYRAND_MAIL_FROM=sender)
    assert refused.returncode != 0
    assert "TALLEYRAND_MAIL_FROM: " in refused.stderr.strip().splitlines()[-1]


MAIL = {
    "smtp://mail.example.org": ("mail.example.org", 587, "", "", True, False),
    "smtp://localhost:25?tls=none": ("localhost", 25, "", "", False, False),
    "smtps://me%40example.org:p%40ss%2F@mail.example.org": (
        "mail.example.org",
        465,
        "me@example.org",
        "p@ss/",
        False,
        True,
    ),
    "smtp://[::1]:2525?tls=starttls": ("::1", 2525, "", "", True, False),
}


@pytest.mark.parametrize("address", MAIL)
def test_the_server_that_takes_mail(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("SERVER", address)
    monkeypatch.setenv("SENDER", "Talleyrand <site@example.org>")
    names = ("HOST", "PORT", "HOST_USER", "HOST_PASSWORD", "USE_TLS", "USE_SSL")
    found = mail_settings("SERVER", "SENDER")
    assert tuple(found[f"EMAIL_{name}"] for name in names) == MAIL[address]
    assert found["DEFAULT_FROM_EMAIL"] == "Talleyrand <site@example.org>"


def test_without_a_server_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SERVER", raising=False)
    assert mail_settings("SERVER", "SENDER") == {"EMAIL_BACKEND": SENDS_NOTHING}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("", ("", "")),
        ("Game.Example.org", ("game.example.org", "")),
        (" club@example.org ", ("example.org", "club")),
        ("localhost", ("localhost", "")),
    ],
)
def test_where_mail_arrives(monkeypatch: pytest.MonkeyPatch, given: str, found: tuple[str, str]) -> None:
    monkeypatch.setenv("PLACE", given)
    assert game_mail_domain("PLACE") == found


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("TALLEYRAND_SMTP", "smtp://me:hush-hush@host:port"),
        ("TALLEYRAND_SMTP", "smtp://me:hush/hush@host"),
        ("TALLEYRAND_DATABASE", "postgresql://me:hush-hush@host:port/games"),
        ("TALLEYRAND_DATABASE", "postgresql://me:hush/hush@host/games"),
    ],
)
def test_a_refused_address_keeps_its_password(tmp_path: Path, name: str, address: str) -> None:
    refused = load(tmp_path, **{name: address})
    assert refused.returncode != 0
    assert "hush" not in refused.stderr


@pytest.mark.parametrize(
    "path", ["/compte/lien/{}/", "/parties/invitation/{}/", "/parties/calendrier/{}.ics"]
)
def test_what_opens_a_door_is_in_no_log(path: str) -> None:
    told = path.format("q7-geheim")
    line = logging.LogRecord(
        "django.request", logging.ERROR, "", 0, "Internal Server Error: %s", (told,), None
    )
    assert RedactSecrets().filter(line)
    assert "geheim" not in line.getMessage()
    assert path.partition("{")[0] in line.getMessage()
