"""The server: it starts soon, says where it is, and says in one line why it cannot."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from tests.waiting import PATIENCE

pytestmark = pytest.mark.long

RUN = """
import sys
from talleyrand.web.server.site_server import serve_site
sys.exit(serve_site("127.0.0.1", int(sys.argv[1]), sys.argv[2]))
"""


def command(port: int, folder: Path) -> list[str]:
    return [sys.executable, "-c", RUN, str(port), str(folder)]


def environment(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")} | more


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    server = subprocess.Popen(command(0, folder), stdout=subprocess.PIPE, text=True, env=environment())
    assert server.stdout is not None
    with server:
        line = server.stdout.readline()
        try:
            yield int(line.strip().rstrip("/").rpartition(":")[2])
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory, prepare_site: Callable[[Path], Path]) -> Iterator[int]:
    with serving(prepare_site(tmp_path_factory.mktemp("data"))) as found:
        yield found


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, str]:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_it_serves_the_first_page_and_its_files(port: int) -> None:
    status, page = ask(port, "GET", "/")
    assert status == 200
    assert "Jouer à plusieurs" in page
    for path in ("/static/css/site.css", "/static/js/board.js", "/static/icon.svg"):
        assert ask(port, "GET", path)[0] == 200


@pytest.mark.parametrize("path", ["/p/import/", "/p/position/look/"])
def test_ten_megabytes_hear_why_they_are_refused(port: int, path: str) -> None:
    """As a browser does: all is sent before the answer is read."""
    status, sentence = ask(port, "POST", path, b"x" * 10_000_000)
    assert status == 413
    assert "six mégaoctets" in sentence


def test_other_hosts_are_refused(port: int) -> None:
    assert ask(port, "GET", "/", Host="evil.example")[0] == 400
    assert ask(port, "GET", "/", Host=f"localhost:{port + 1}")[0] == 400
    assert ask(port, "GET", "/", Host=f"localhost:{port}")[0] == 200


@pytest.mark.parametrize("announced", ["100000000", "99999999999999999999"])
def test_a_huge_body_is_refused_before_it_is_read(port: int, announced: str) -> None:
    with socket.create_connection(("127.0.0.1", port), 30) as line:
        line.sendall(
            f"POST /p/new/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {announced}\r\n\r\n".encode()
        )
        answer = line.recv(10_000).decode()
    assert " 413 " in answer.splitlines()[0]


def test_a_body_without_announced_length_is_counted(port: int) -> None:
    chunks = (b"x" * 1_000_000 for _ in range(8))
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        try:
            connection.request("POST", "/p/new/", chunks, encode_chunked=True)
            status = connection.getresponse().status
        except ConnectionError:  # it hung up while we were still sending
            status = 413
    assert status == 413
    assert ask(port, "GET", "/")[0] == 200


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        refused = subprocess.run(
            command(number, tmp_path),
            capture_output=True,
            text=True,
            env=environment(),
            check=False,
            timeout=PATIENCE,
        )
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert f"--port {number + 1}" in refused.stderr


def test_a_wrong_setting_is_one_line(tmp_path: Path) -> None:
    refused = subprocess.run(
        command(0, tmp_path),
        capture_output=True,
        text=True,
        env=environment(TALLEYRAND_DEBUG="perhaps"),
        check=False,
        timeout=PATIENCE,
    )
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "TALLEYRAND_DEBUG" in refused.stderr


def test_a_damaged_database_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "talleyrand.sqlite3").write_bytes(b"no database" * 1000)
    refused = subprocess.run(
        command(0, tmp_path), capture_output=True, text=True, env=environment(), check=False, timeout=PATIENCE
    )
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert "talleyrand.sqlite3" in refused.stderr


class Visitor:
    """A browser with its cookies."""

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.opener = build_opener(HTTPCookieProcessor())

    def get(self, path: str) -> str:
        with self.opener.open(self.origin + path, timeout=PATIENCE) as answer:
            self.path = answer.url.removeprefix(self.origin)
            text: str = answer.read().decode()
        return text

    def post(self, path: str, body: bytes, **headers: str) -> str:
        with self.opener.open(Request(self.origin + path, body, headers), timeout=PATIENCE) as answer:
            self.path = answer.url.removeprefix(self.origin)
            text: str = answer.read().decode()
        return text


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    with subprocess.Popen(
        command(0, tmp_path), stdout=subprocess.PIPE, text=True, env=environment()
    ) as server:
        assert server.stdout is not None
        visitor = Visitor(int(server.stdout.readline().strip().rstrip("/").rpartition(":")[2]))
        token = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', visitor.get("/"))[0]
        visitor.post("/p/new/", f"variant=classic&csrfmiddlewaretoken={token}".encode())
        board = visitor.path
        change = json.dumps({"orders": {"PAR": "A PAR - BUR"}}).encode()
        headers = {"X-CSRFToken": token, "Content-Type": "application/json"}
        visitor.post(f"{board}1/draft/", change, **headers)
        server.kill()
    with serving(tmp_path) as port:
        assert "A Par - Bou" in ask(port, "GET", board)[1]
    with closing(sqlite3.connect(tmp_path / "talleyrand.sqlite3")) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
