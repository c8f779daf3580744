"""A new site, started as people start it: the link it prints, and nothing of it anywhere else."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from tests.web.server.test_serve import command, environment

from .doors import PASSWORD


@contextmanager
def started(folder: Path) -> Iterator[tuple[str, str]]:
    """The address of a site and the link it prints, if any."""
    log = (folder / "log").open("a")
    server = subprocess.Popen(
        command(0, folder / "data"),
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=environment(TALLEYRAND_LOG="DEBUG"),
    )
    assert server.stdout is not None
    with server, log:
        try:
            yield _told(iter(server.stdout.readline, ""))
        finally:
            server.terminate()


def _told(lines: Iterator[str]) -> tuple[str, str]:
    said: list[str] = []
    for line in lines:
        if line.startswith("Ctrl+C"):
            break
        said.append(line.rpartition(" ")[2].strip())
    return said[0], said[1] if len(said) > 1 else ""


def browser() -> OpenerDirector:
    return build_opener(HTTPCookieProcessor(CookieJar()))


def sign_up(opened: OpenerDirector, link: str) -> str:
    page = opened.open(link).read().decode()
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    sent = {"username": "Maëlle", "password1": PASSWORD, "password2": PASSWORD, "zone": "Europe/Paris"}
    body = urlencode({**sent, "csrfmiddlewaretoken": token[1]}).encode()
    return str(opened.open(link, body).geturl())


@pytest.mark.long
def test_the_link_of_a_new_site_works_once_and_is_written_nowhere_else(tmp_path: Path) -> None:
    with started(tmp_path) as (_site, first):
        assert first
    with started(tmp_path) as (site, link):
        assert link.startswith(f"{site}compte/lien/")
        assert link != first
        assert _status(site + first.split("/", 3)[3]) == 404
        chief = browser()
        assert sign_up(chief, link).startswith(site)
        assert chief.open(f"{site}administration/liens/").status == 200
        assert _status(link) == 404
    with started(tmp_path) as (_site, none):
        assert none == ""
    token = link.rstrip("/").rpartition("/")[2]
    kept = (file for file in tmp_path.rglob("*") if file.is_file())
    assert [file.name for file in kept if token.encode() in file.read_bytes()] == []


def _status(address: str) -> int:
    try:
        return int(browser().open(address).status)
    except HTTPError as refused:
        return refused.code


def told_password(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    words = ["password", name, "--lang", "en", "--data", str(folder / "data")]
    return subprocess.run(
        [sys.executable, "-m", "talleyrand", *words],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )


@pytest.mark.long
def test_a_password_that_was_lost(tmp_path: Path, prepare_site: Callable[[Path], Path]) -> None:
    """The only administrator comes back in, on a site without mail; while it serves and once only."""
    assert told_password(tmp_path, "Maëlle").returncode == 1
    prepare_site(tmp_path / "data")
    with started(tmp_path) as (site, link):
        sign_up(browser(), link)
        assert "No account named Personne" in told_password(tmp_path, "Personne").stderr
        told = told_password(tmp_path, "maëlle")
        assert told.returncode == 0, told.stderr
        page = browser().open(site.rstrip("/") + told.stdout.splitlines()[-1]).read().decode()
        assert "password1" in page
