"""Attacks on a running site: python -m benchmarks.attack [--only NAME] [--keep].

What no test of continuous integration can hold: a site served as a club serves it (`talleyrand serve`), on
SQLite and on PostgreSQL, is attacked for a minute or two by lines of mail, by hosts, by the end of its
database's connections and by rows that somebody holds; and how long answers take is measured, where that
might tell something. Each attempt is one line: what held, with its figures. With `--keep` they are kept in
results/attack.txt. Ends with status 1 where something did not hold.
"""

from __future__ import annotations

import argparse
import http.client
import os
import smtplib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from tests import postgresql

from .costly_request_site import Scene, prepared
from .costly_requests import DOMAIN, NAMES, RESULTS, Site, served
from .load_processes import HERE, family

SEED, ASKED, TIMED = 1901, 150, 25
MAIL = b"Subject: S1901M\r\n\r\nA Par - Bur\r\n"
WELL = {200, 302, 304, 400, 403, 404, 405, 503}
PATIENCE = 60.0  # seconds
# A median of one over that of the other, within it: what a stranger's clock cannot tell apart here.
ALIKE = 1.5


class Fell(Exception):
    """What did not hold."""


def check(held: object, told: str) -> str:
    if not held:
        raise Fell(told)
    return told


def ask(
    site: Site, method: str, path: str, body: bytes = b"", **head: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """One request; 0 where the line is cut."""
    with closing(http.client.HTTPConnection(*site.page, timeout=60)) as line:
        try:
            line.request(method, path, body, {name.replace("_", "-"): told for name, told in head.items()})
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, http.client.HTTPMessage(), b""


def cookies(scene: Scene, who: str) -> str:
    return "; ".join(f"{name}={told}" for name, told in scene.cookies[who].items())


def honest(site: Site, scene: Scene) -> bool:
    """Whether the next honest mail is taken; its server comes again as long as it is told to."""
    until, mail = time.monotonic() + PATIENCE, MAIL + f"{time.monotonic()}\r\n".encode()
    while time.monotonic() < until:
        with suppress(smtplib.SMTPException), smtplib.SMTP(*site.mail, timeout=60) as line:
            return line.sendmail("flora@exemple.fr", [scene.mail], mail) == {}
        time.sleep(0.5)
    return False


def noise_of_mail(site: Site, scene: Scene) -> str:
    """Lines of no meaning, and commands in any order."""
    lot = Random(SEED)
    words = [
        b"EHLO x",
        b"MAIL FROM:<a@b>",
        f"RCPT TO:<{scene.mail}>".encode(),
        b"RSET",
        b".",
        b"",
        b"\0",
        b"\xff",
    ]
    for _ in range(ASKED):
        sent = lot.randbytes(3000) if lot.random() < 0.3 else b"\r\n".join(lot.choices(words, k=80)) + b"\r\n"
        with socket.create_connection(site.mail, 60) as line, suppress(OSError):
            line.sendall(sent)
    return check(honest(site, scene), f"{ASKED} lines of noise; the honest mail after them is taken")


def memory_by_mail(site: Site, scene: Scene) -> str:
    """Many mails at once that do not end."""
    before, lines = _memory(site), []
    try:
        for _ in range(60):
            with suppress(OSError):
                line = socket.create_connection(site.mail, 60)
                lines.append(line)
                line.settimeout(5)
                for said in (b"EHLO x", b"MAIL FROM:<a@b.fr>", f"RCPT TO:<{scene.mail}>".encode(), b"DATA"):
                    line.recv(1000)
                    line.sendall(said + b"\r\n")
                line.recv(1000)
                line.sendall((b"x" * 998 + b"\r\n") * 10_000)
        grown = (_memory(site) - before) >> 20
    finally:
        for line in lines:
            line.close()
    told = f"60 mails of 10 MB that do not end: the site grows by {grown} MB"
    return check(grown < 400 and honest(site, scene), told)


def _memory(site: Site) -> int:
    pages = (Path(f"/proc/{pid}/statm").read_text("ascii").split()[1] for pid in family([site.root]))
    return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE")


def hosts(site: Site, _scene: Scene) -> str:
    """Names and ways of writing them: none is a fault, and no answer repeats one."""
    lot, found = Random(SEED), Counter[int]()
    parts = [
        "127.0.0.1",
        "localhost",
        "evil.example",
        "[::1]",
        "@",
        "#",
        "..",
        "%00",
        "\xe9",
        ":0",
        ",",
        " ",
        "/",
    ]
    for _ in range(ASKED):
        host = "".join(lot.choices(parts, k=lot.randint(1, 3)))
        status, _head, body = ask(
            site, "GET", lot.choice(["/", "/compte/connexion/", "/health.txt"]), Host=host
        )
        found[status] += 1
        check(b"evil.example" not in body or status == 400, f"{host} is repeated")
    return check(set(found) <= {*WELL, 0}, f"{ASKED} hosts: {dict(sorted(found.items()))}")


def nobody_s_tag(site: Site, scene: Scene) -> str:
    """A conditional question about what one may not see answers as about what does not exist."""
    path = f"/parties/{scene.table}/desk/"
    told = {
        ask(site, "GET", one, If_None_Match=tag)[0]
        for one in (path, "/parties/aaaaaaaaaaaa/desk/")
        for tag in ("*", '"0"', 'W/"0"', '"' + "a" * 32 + '"')
    }
    return check(len(told) == 1 and 304 not in told, f"the desk of a game, by any tag: {sorted(told)}")


def forged_streams(site: Site, _scene: Scene) -> str:
    lot, found = Random(SEED), Counter[int]()
    for _ in range(ASKED // 4):
        words = "".join(lot.choices("abc:~-_.=%0{}", k=60))
        found[ask(site, "GET", f"/events/?{urlencode({'topics': words, 'since': words})}")[0]] += 1
    return check(200 not in found and set(found) <= WELL, f"forged streams: {dict(found)}")


def time_tells_no_account(site: Site, _scene: Scene) -> str:
    """Signing in with a wrong password, as somebody and as nobody, by turns."""
    took: dict[str, list[float]] = {"Flora": [], "Nemo1": []}
    for at in range(8):
        for who, found in took.items():
            _status, head, page = ask(site, "GET", "/compte/connexion/")
            jar = "; ".join(one.partition(";")[0] for one in head.get_all("Set-Cookie") or ())
            token = page.partition(b'csrfmiddlewaretoken" value="')[2][:64].decode()
            sent = {"csrfmiddlewaretoken": token, "login": who, "password": f"un mauvais mot {at}"}
            begun = time.perf_counter()
            form = "application/x-www-form-urlencoded"
            ask(site, "POST", "/compte/connexion/", urlencode(sent).encode(), Cookie=jar, Content_Type=form)
            found.append(time.perf_counter() - begun)
    return _alike("a wrong password, of somebody and of nobody", *took.values())


def time_tells_no_game(site: Site, scene: Scene) -> str:
    """A page that one may not see, and one that does not exist, by turns."""
    took: list[list[float]] = [[], []]
    for _ in range(TIMED):
        for found, key in zip(took, (scene.table, "aaaaaaaaaaaa"), strict=True):
            begun = time.perf_counter()
            ask(site, "GET", f"/parties/{key}/desk/")
            found.append(time.perf_counter() - begun)
    return _alike("the desk of a game and of none", *took)


def _alike(what: str, one: list[float], other: list[float]) -> str:
    ratio = statistics.median(one) / statistics.median(other)
    return check(1 / ALIKE < ratio < ALIKE, f"time of {what}: {ratio:.2f} to 1")


@contextmanager
def visitors(site: Site, scene: Scene) -> Iterator[Counter[int]]:
    """A few people who go on reading meanwhile: what they are answered."""
    found, stop = Counter[int](), threading.Event()
    paths = ("/", f"/parties/{scene.table}/", f"/p/{scene.composed}/", "/notifications/")

    def reading(at: int) -> None:
        while not stop.is_set():
            found[ask(site, "GET", paths[at], Cookie=cookies(scene, "Flora"))[0]] += 1

    threads = [threading.Thread(target=reading, args=(at,)) for at in range(len(paths))]
    for one in threads:
        one.start()
    try:
        yield found
    finally:
        stop.set()
        for one in threads:
            one.join(120)


def ended_connections(site: Site, scene: Scene) -> str:
    """All connections to PostgreSQL are ended, again and again, while people read."""
    import psycopg

    end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    ended = 0
    with (
        visitors(site, scene) as found,
        psycopg.connect(os.environ["TALLEYRAND_DATABASE"], autocommit=True) as line,
    ):
        for _ in range(20):
            time.sleep(0.3)
            row = line.execute(f"{end} AND backend_type = 'client backend'").fetchone()
            ended += int(row[0]) if row else 0
    time.sleep(1)
    after = {
        ask(site, "GET", path, Cookie=cookies(scene, "Flora"))[0]
        for path in ("/", f"/parties/{scene.table}/")
    }
    meanwhile = dict(sorted(found.items()))
    told = f"{ended} connections ended: answers meanwhile {meanwhile}, afterwards {sorted(after)}"
    return check(after == {200} and ended > 0 and 500 not in meanwhile, told)


def held_table(site: Site, scene: Scene) -> str:
    """Somebody holds the table of games for ten seconds: who needs it waits, and the others do not."""
    import psycopg

    path, took = f"/p/{scene.composed}/", []
    with psycopg.connect(os.environ["TALLEYRAND_DATABASE"]) as line:
        line.execute("LOCK TABLE games_game IN ACCESS EXCLUSIVE MODE")
        for _ in range(5):
            threading.Thread(target=ask, args=(site, "GET", f"/parties/{scene.table}/")).start()
        until = time.monotonic() + 10
        while time.monotonic() < until:
            begun = time.perf_counter()
            check(ask(site, "GET", path)[0] == 200, "a board beside it is not answered")
            took.append(time.perf_counter() - begun)
        line.rollback()
    status = ask(site, "GET", f"/parties/{scene.table}/", Cookie=cookies(scene, "Flora"))[0]
    return check(
        status == 200, f"games held for 10 s: {len(took)} boards meanwhile, the longest {max(took):.1f} s"
    )


ATTEMPTS: tuple[Callable[[Site, Scene], str], ...] = (
    noise_of_mail,
    memory_by_mail,
    hosts,
    nobody_s_tag,
    forged_streams,
    time_tells_no_account,
    time_tells_no_game,
)
OF_POSTGRESQL: tuple[Callable[[Site, Scene], str], ...] = (ended_connections, held_table)


def trial() -> int:
    """Every attempt on the database that the environment names."""
    import django

    django.setup()
    scene, data, fell = prepared(), Path(os.environ["TALLEYRAND_DATA"]), 0
    more = OF_POSTGRESQL if os.environ.get("TALLEYRAND_DATABASE") else ()
    with served(data) as site:
        site.settle()
        for attempt in (*ATTEMPTS, *more):
            try:
                told = f"held  {attempt(site, scene)}"
            except (Fell, OSError) as problem:
                told, fell = f"FELL  {attempt.__name__}: {problem}", fell + 1
            print(told, flush=True)
            sys.stderr.write(f"{told}\n")
    return min(fell, 1)


def tried(name: str) -> tuple[int, str]:
    """The lines of a database's attempts, in a process and a data folder of its own."""
    large = name == "PostgreSQL"
    with (
        tempfile.TemporaryDirectory() as folder,
        postgresql.cluster() if large else nullcontext("") as address,
    ):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("TALLEYRAND_")}
        environment = {
            **kept,
            "TALLEYRAND_DATA": f"{folder}/data",
            "TALLEYRAND_SMTP": f"smtp://{HERE}:9?tls=none",
            "TALLEYRAND_MAIL_FROM": f"jeu@{DOMAIN}",
            "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
            "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
            **({"TALLEYRAND_DATABASE": address} if address else {}),
        }
        Path(folder, "data").mkdir()
        command = [sys.executable, "-m", "benchmarks.attack", "--trial"]
        ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return ran.returncode, ran.stdout


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--keep", action="store_true", help="keep what is found in results/attack.txt")
    parser.add_argument("--trial", action="store_true", help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.trial:
        return trial()
    from .load import machine

    lines, worst = [machine()], 0
    for name in [wanted.only] if wanted.only else NAMES:
        status, told = tried(name)
        lines += ["", name, told.rstrip()]
        worst = max(worst, status)
    print("\n".join(lines))
    if wanted.keep:
        (RESULTS / "attack.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return worst


if __name__ == "__main__":
    sys.exit(main())
