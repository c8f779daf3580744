"""Requests that want to cost a site dearly: python -m benchmarks.costly_requests [--only NAME] [--search
WORD].

A site is served as a club serves it (`talleyrand serve`), once on SQLite and once on PostgreSQL. Each request
of `costly_request_cases` is sent alone, and the processor time that the site takes for it, with all that it
goes on doing afterwards, is held against its bound: 1 s for a stranger, 2 s for whoever has signed in. What
is done behind the queue is printed apart: at low priority, and bounded for each address and hour.

Then strangers send the dearest of them as fast as the site lets them, and another visitor asks for the home
page meanwhile: its median is held against three times the median of an idle site. With `--keep` the figures
are kept in results/hostile.txt. Ends with status 1 where a bound is missed or an answer is a fault of the
site's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import smtplib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests import postgresql

from .costly_request_cases import (
    DIRECTOR,
    PLAYER,
    PROGRAM,
    STRANGER,
    Request,
    compared,
    mails,
    requests,
    sent,
)
from .costly_request_site import Scene, prepared
from .load_http_client import Answer, Browser
from .load_processes import HERE, command, processor, tried_apart
from .load_report import Report

NAMES = ("SQLite", "PostgreSQL")
RESULTS = Path(__file__).parent / "results"
DOMAIN = "jeu.exemple.org"
QUIET, LONGEST = 0.4, 400.0  # seconds without work, after which a request is over; when it is given up
CROWD, STORM = 6, 20.0  # lines of strangers, and seconds of them
TIMES = 3.0  # the median of another visitor's home page, under them


@dataclass
class Found:
    """What was measured on one database."""

    costs: list[dict[str, Any]] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    busy: list[float] = field(default_factory=list)
    stormed: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)

    def note(self, name: str, cost: float, queued: float, limit: float, status: int) -> None:
        """Seconds of processor for a request, those behind the queue apart; 0: it has no other bound."""
        own = max(0.0, cost - queued)
        self.costs.append({"name": name, "cost": own, "queued": queued, "limit": limit, "status": status})
        sys.stderr.write(f"  {own:6.2f} s  {queued:6.2f} s  {status}  {name}\n")


@dataclass(frozen=True)
class Site:
    """A site that answers, and its processes."""

    page: tuple[str, int]
    mail: tuple[str, int]
    root: int

    def used(self) -> float:
        return processor([self.root])

    def settle(self) -> float:
        """Wait until the site rests; the processor time that it has used by then."""
        before, until = self.used(), time.monotonic() + LONGEST
        while time.monotonic() < until:
            time.sleep(QUIET)
            now = self.used()
            if now - before <= 0.02 and not _is_making():
                break
            before = now
        return before


@contextmanager
def served(data: Path) -> Iterator[Site]:
    """The site of the environment, in processes of its own."""
    page, mail = _ports()
    words = (
        "-m",
        "talleyrand",
        "serve",
        "--data",
        str(data),
        "--port",
        str(page),
        "--smtp",
        f"{HERE}:{mail}",
    )
    log = (data / "site.log").open("wb")
    with log, subprocess.Popen(command(*words), stdout=log, stderr=log) as process:
        try:
            _wait(page, process)
            _wait(mail, process)
            yield Site((HERE, page), (HERE, mail), process.pid)
        finally:
            process.terminate()
            process.wait(60)


def _ports() -> tuple[int, int]:
    import socket

    with socket.socket() as one, socket.socket() as other:
        one.bind((HERE, 0))
        other.bind((HERE, 0))
        return one.getsockname()[1], other.getsockname()[1]


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    import socket

    until = time.monotonic() + LONGEST
    while time.monotonic() < until and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((HERE, port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("the site does not answer")


# one after the other


class Visitor:
    """Whoever sends: a browser with its cookies, or a program with its token."""

    def __init__(self, site: Site, who: str, scene: Scene, address: str = HERE) -> None:
        self.browser = Browser(site.page, address, dict(scene.cookies.get(who, {})))
        self.token = scene.token if who == PROGRAM else ""

    async def begin(self) -> None:
        """Have the cookie that forms want."""
        if not self.token:
            await self.browser.get("/")

    async def send(self, request: Request) -> Answer:
        self.browser.token = self.token
        return await self.browser.ask(request.method, request.path, request.body, request.kind)


async def one_by_one(site: Site, scene: Scene, wanted: list[Request], found: Found) -> None:
    """What each request costs, the answer and everything that goes on after it."""
    visitors = {who: Visitor(site, who, scene) for who in (STRANGER, PLAYER, DIRECTOR, PROGRAM)}
    for visitor in visitors.values():
        await visitor.begin()
    for _ in range(2):  # whoever has just started has pages to read and words to load
        await visitors[STRANGER].browser.get(f"/p/{scene.composed}/")
        await visitors[PROGRAM].send(sent("", "/api/judge", {"phase": "S1901M"}, PROGRAM))
        await visitors[STRANGER].send(compared({"phase": "S1901M"}, ""))
        await asyncio.to_thread(site.settle)
    for request in wanted:
        before, queued = await asyncio.to_thread(site.settle), await asyncio.to_thread(_queued)
        status = await _answered(visitors[request.who], request)
        cost, behind = (
            await asyncio.to_thread(site.settle) - before,
            await asyncio.to_thread(_queued) - queued,
        )
        found.note(request.name, cost, behind, 0.0 if request.beside else request.limit, status)
        if status >= 500 and status not in (501, 503):
            found.wrong.append(f"{request.name}: {status}")


def _is_making() -> bool:
    """Whether a document is wanted or under way: on a busy machine the process of low priority may wait."""
    from talleyrand.web.background.models import GeneratedDocument

    return GeneratedDocument.objects.filter(content=None, error="").exists()


def _queued() -> float:
    """Seconds of processor that documents have taken so far."""
    from django.db.models import Sum

    from talleyrand.web.background.models import GeneratedDocument

    return GeneratedDocument.objects.aggregate(used=Sum("cpu_seconds"))["used"] or 0.0


async def _answered(visitor: Visitor, request: Request) -> int:
    """The status of an answer; what is being prepared is asked for again; 0 where the line is cut."""
    begun, status = time.monotonic(), 0
    while time.monotonic() - begun < LONGEST:
        try:
            async with asyncio.timeout(LONGEST):
                status = (await visitor.send(request)).status
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError):
            visitor.browser.close()
            break
        if status != 202:
            break
        await asyncio.sleep(1)
    return status


def by_mail(site: Site, scene: Scene, found: Found) -> None:
    """What mails cost, from the first octet to the answer that leaves."""
    for name, content in mails().items():
        before = site.settle()
        try:
            with smtplib.SMTP(*site.mail, timeout=LONGEST) as line:
                line.sendmail("qui@exemple.org", [scene.mail], content)
                status = 250
        except smtplib.SMTPResponseException as refused:
            status = refused.smtp_code
        except smtplib.SMTPRecipientsRefused as refused:
            status = max(code for code, _text in refused.recipients.values())
        found.note(f"mail: {name}", site.settle() - before, 0.0, 1.0, status)


# all at once


async def storm(site: Site, scene: Scene, wanted: list[Request], found: Found) -> None:
    """The home page of another visitor, while strangers send the dearest requests without a pause."""
    visitor = Visitor(site, STRANGER, scene, "127.0.0.2")
    found.idle = [await _home(visitor) for _ in range(60)][10:]
    names = {one["name"] for one in sorted(found.costs, key=lambda one: -one["cost"])}
    dearest = [one for one in wanted if one.who == STRANGER and one.name in names][:]
    costs = {one["name"]: one["cost"] for one in found.costs}
    dearest = sorted(dearest, key=lambda one: -costs.get(one.name, 0.0))[:10]
    until = time.monotonic() + STORM
    crowd = [asyncio.create_task(_again(site, scene, dearest, at, until, found)) for at in range(CROWD)]
    await asyncio.sleep(0.5)
    while time.monotonic() < until:
        found.busy.append(await _home(visitor))
        await asyncio.sleep(0.05)
    await asyncio.gather(*crowd)


async def _home(visitor: Visitor) -> float:
    begun = time.perf_counter()
    answer = await visitor.browser.get("/")
    assert answer.status == 200
    return time.perf_counter() - begun


async def _again(
    site: Site, scene: Scene, dearest: list[Request], at: int, until: float, found: Found
) -> None:
    visitor = Visitor(site, STRANGER, scene)
    await visitor.begin()
    while time.monotonic() < until:
        status = await _answered(visitor, dearest[at % len(dearest)])
        at += 1
        found.stormed += 1
        found.refused += status in (429, 503)
        if status >= 500 and status != 503:
            found.wrong.append(f"{dearest[at % len(dearest)].name}, many at once: {status}")


# both databases


class Sink:
    """Where the mail of the site goes: counted, and forgotten."""

    def __init__(self) -> None:
        from aiosmtpd.controller import Controller

        self.count = 0
        self.controller = Controller(self, hostname=HERE, port=_ports()[0])

    async def handle_DATA(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802 its name
        self.count += 1
        return "250 OK"

    def __enter__(self) -> int:
        self.controller.start()
        return int(self.controller.port)

    def __exit__(self, *_: object) -> None:
        self.controller.stop()


def trial(search: str) -> dict[str, Any]:
    """Everything on the database that the environment names."""
    import django

    django.setup()
    scene, data, found = prepared(), Path(os.environ["TALLEYRAND_DATA"]), Found()
    wanted = [one for one in requests(scene) if search in one.name]
    with served(data) as site:
        site.settle()
        asyncio.run(one_by_one(site, scene, wanted, found))
        if search in "mail: ":
            by_mail(site, scene, found)
        if not search:
            asyncio.run(storm(site, scene, wanted, found))
    log = (data / "site.log").read_text("utf-8", "replace")
    if "Traceback" in log:
        found.wrong.append("a traceback in the log of the site")
        sys.stderr.write(log[-4000:])
    return asdict(found)


def tried(name: str, search: str) -> dict[str, Any] | None:
    """What a trial found, in a process and a data folder of its own; None where it broke off."""
    made = postgresql.cluster(haste=postgresql.MANY) if name == "PostgreSQL" else nullcontext("")
    with made as address, Sink() as relay:
        variables = {
            "TALLEYRAND_SMTP": f"smtp://{HERE}:{relay}?tls=none",
            "TALLEYRAND_MAIL_FROM": f"jeu@{DOMAIN}",
            "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
            **({"TALLEYRAND_DATABASE": address} if address else {}),
        }
        return tried_apart("costly_requests", ["--search", search], variables)


def tell(report: Report, found: dict[str, Any]) -> None:
    """A line for each request, the bounds that were missed counted."""
    report.wrong(found["wrong"])
    report.say("    own     queue  bound  status")
    for one in found["costs"]:
        missed = bool(one["limit"]) and one["cost"] > one["limit"]
        report.missed += missed
        queued = f"{one['queued']:7.2f} s" if one["queued"] else " " * 9
        bound = f"{one['limit']:.0f} s" if one["limit"] else "-"
        mark = "  MISSED" if missed else ""
        report.say(f"{one['cost']:6.2f} s {queued}  {bound:5}  {one['status']:3}  {one['name']}{mark}")
    if found["busy"]:
        idle, busy = (1000 * statistics.median(found[name]) for name in ("idle", "busy"))
        missed = busy > TIMES * idle
        report.missed += missed
        report.say(
            f"\n{found['stormed']} of the dearest requests of strangers in {STORM:.0f} s, over {CROWD} lines "
            f"at once; {found['refused']} told to come back\nhome page of another visitor meanwhile: median "
            f"{busy:.1f} ms, {busy / idle:.1f} times the {idle:.1f} ms of an idle site"
            f"{'  MISSED' if missed else ''}; worst {1000 * max(found['busy']):.0f} ms"
        )


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costly_requests")
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--search", default="", help="requests whose name holds this")
    parser.add_argument("--keep", action="store_true", help="in results/hostile.txt")
    parser.add_argument("--trial", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Measure, print, and say whether every bound is kept."""
    wanted = asked()
    if wanted.trial:
        print(json.dumps(trial(wanted.search)))
        return 0
    from .load import machine

    report = Report()
    report.say(machine())
    for name in [wanted.only] if wanted.only else NAMES:
        report.say(f"\n{name}, load {os.getloadavg()[0]:.1f}")
        found = tried(name, wanted.search)
        if found is None:
            report.wrong(["broke off, see above"])
        else:
            tell(report, found)
    report.say(f"\n{report.missed} bounds missed")
    if wanted.keep:
        (RESULTS / "hostile.txt").write_text("\n".join([*report.lines, ""]), encoding="utf-8")
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
