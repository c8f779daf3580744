"""How quick the pages are in a browser: python -m benchmarks.page_speed [--runs 5] [--chromium FILE].

Starts the site with an empty data folder, plays on it in a real Chromium told by CDP to have a slow network
or a slow processor, and prints each figure beside its limit. Ends with status 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, sync_playwright

from talleyrand import variants

from . import order_menus

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--accept-lang=de",
]
UNBOUND = ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
SERVE = (
    "import sys; from talleyrand.web.server.site_server import serve_site; "
    "sys.exit(serve_site('127.0.0.1', 0, sys.argv[1]))"
)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
SLOWER = 4  # times the processor's time, while panning


@dataclass(frozen=True)
class Network:
    """A profile of CDP: a delay before each answer in milliseconds, and kilobits a second."""

    name: str
    delay: float
    down: float
    up: float


THIRD_GENERATION = Network("3G: 150 ms, 1.6 Mbit/s", 150, 1600, 768)
DEVTOOLS = Network("DevTools “Fast 3G”: 562 ms, 1.44 Mbit/s", 562.5, 1440, 675)
PAINT_LIMIT, WEIGHT_LIMIT = 1000.0, 150.0
PAGES = {"classic": "the board of a classic game", "diplomatie_2000": "the page of the world map"}
FRAME_LIMITS = {"classic": 16.0, "diplomatie_2000": 25.0}

# When the map first stood on the screen: the first frame drawn after its last layer was there.
WATCH = """
const seen = () => {
  const board = document.querySelector("#viewport svg");
  if (!board?.querySelector("#layer-marks") || !board.getBoundingClientRect().width) {
    requestAnimationFrame(seen);
    return;
  }
  const shown = new MessageChannel();
  shown.port1.onmessage = () => { window.mapShown = performance.now(); };
  requestAnimationFrame(() => shown.port2.postMessage(0));
};
requestAnimationFrame(seen);
"""
TOLD = """() => ({
  first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
  map: window.mapShown,
  answer: performance.getEntriesByType("navigation")[0].responseStart,
  elements: document.querySelectorAll("*").length,
  drawn: document.querySelectorAll("#viewport svg *").length,
})"""
# A finger that moves the zoomed map a little in every frame. Gives the milliseconds from frame to frame, and
# what the main thread spent on each: until a message sent in it comes back, after style, layout and paint.
PAN = """async (count) => {
  const frame = document.getElementById("viewport");
  const box = frame.getBoundingClientRect();
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const finger = { pointerId: 1, pointerType: "touch", isPrimary: true, bubbles: true, cancelable: true };
  const send = (type, clientX, clientY) =>
    frame.dispatchEvent(new PointerEvent(type, { ...finger, clientX, clientY }));
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const gaps = [], spent = [];
  const painted = new MessageChannel();
  send("pointerdown", middle.x, middle.y);
  let before = await next();
  for (let step = 1; step <= count; step += 1) {
    const turn = (step / 24) * Math.PI;
    const begun = performance.now();
    const over = new Promise((done) => { painted.port1.onmessage = () => done(performance.now()); });
    send("pointermove", middle.x + Math.sin(turn) * 90, middle.y + Math.sin(turn / 2) * 60);
    painted.port2.postMessage(0);
    spent.push((await over) - begun);
    const now = await next();
    gaps.push(now - before);
    before = now;
  }
  send("pointerup", middle.x, middle.y);
  window.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1 }));
  return { gaps: gaps.slice(5), spent: spent.slice(5) };
}"""


@contextmanager
def serving() -> Iterator[str]:
    """A site of its own; gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TALLEYRAND_")}
        command = [sys.executable, "-c", SERVE, folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=kept) as server:
            assert server.stdout is not None
            try:
                yield server.stdout.readline().rpartition(" ")[2].strip().rstrip("/")
            finally:
                server.terminate()


def game(browser: Browser, site: str) -> str:
    """The address of a new classic game."""
    page = browser.new_page()
    page.goto(f"{site}/p/new/")
    page.click("button.big")
    page.wait_for_selector("#viewport svg")
    address = page.url
    page.close()
    return address


@dataclass
class Visit:
    """One load of a page: times in milliseconds, weights in kB as they travelled."""

    first: float
    map: float
    answer: float
    elements: int
    drawn: int
    document: float
    code: float
    files: int


class Scales:
    """What travelled for a page, by kind, as CDP counts it."""

    def __init__(self, session: CDPSession) -> None:
        self.kinds: dict[str, str] = {}
        self.bytes: dict[str, float] = {}
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)

    def _received(self, event: dict[str, Any]) -> None:
        self.kinds[event["requestId"]] = event["type"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.bytes[event["requestId"]] = event["encodedDataLength"]

    def kilobytes(self, *kinds: str) -> float:
        return sum(self.bytes.get(one, 0) for one, kind in self.kinds.items() if kind in kinds) / 1000


def visit(context: BrowserContext, address: str, network: Network | None) -> Visit:
    """Load a page and read its clocks and scales."""
    page = context.new_page()
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    if network:
        session.send("Network.emulateNetworkConditions", conditions(network))
    scales = Scales(session)
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("window.mapShown")
    told = page.evaluate(TOLD)
    page.close()
    code = scales.kilobytes("Script", "Stylesheet")
    return Visit(**told, document=scales.kilobytes("Document"), code=code, files=len(scales.kinds))


def conditions(network: Network) -> dict[str, Any]:
    return {
        "offline": False,
        "latency": network.delay,
        "downloadThroughput": network.down * 1000 / 8,
        "uploadThroughput": network.up * 1000 / 8,
    }


def loads(browser: Browser, address: str, network: Network | None, runs: int) -> tuple[Visit, Visit]:
    """The median load with nothing kept, and the median repeat in the same browser."""
    cold, warm = [], []
    for _ in range(runs):
        context = browser.new_context(**PHONE)
        cold.append(visit(context, address, network))
        warm.append(visit(context, address, network))
        context.close()
    return middling(cold), middling(warm)


def middling(visits: Sequence[Visit]) -> Visit:
    """The visit whose first sight of the map lies in the middle."""
    return sorted(visits, key=lambda one: one.map)[len(visits) // 2]


@dataclass(frozen=True)
class Frames:
    """95 of 100 frames took no longer: from one to the next, and on the main thread alone."""

    gap: float
    spent: float


def panning(browser: Browser, address: str, runs: int) -> Frames:
    """Move the zoomed map by a finger on a slowed processor; the median of several times."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("document.querySelector('#viewport svg').dataset.zoom")  # the scripts listen
    page.evaluate("() => { for (let i = 0; i < 3; i += 1) document.getElementById('zoom-in').click(); }")
    page.wait_for_selector("#viewport.zoomed")
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.wait_for_timeout(1500)
    found = [panned(page) for _ in range(runs)]
    context.close()
    return Frames(median(one.gap for one in found), median(one.spent for one in found))


def panned(page: Page) -> Frames:
    told = page.evaluate(PAN, 120)
    page.wait_for_timeout(400)
    return Frames(*(quantiles(told[name], n=20)[-1] for name in ("gaps", "spent")))


# what is printed


@dataclass
class Report:
    """Lines of figures; counts those beyond their limit."""

    missed: int = 0

    def line(self, name: str, value: float, unit: str, limit: float | None = None) -> None:
        beside = ""
        if limit is not None:
            beside = f"limit {limit:6.0f}   {value / limit:5.2f} of it"
            self.missed += value > limit
        print(f"  {name:58}{value:9.1f} {unit:3} {beside}".rstrip(), flush=True)


def addresses(browser: Browser, site: str) -> dict[str, str]:
    """A classic game in its first phase, and the page of the world map once that is drawn."""
    pages = {"classic": game(browser, site)}
    if (variants.load_board("diplomatie_2000").map_folder / "map.svg").is_file():
        pages["diplomatie_2000"] = f"{site}/en/variants/diplomatie_2000/"
    return pages


def tell_loads(report: Report, browser: Browser, variant: str, address: str, runs: int) -> None:
    print(f"\n{PAGES[variant]}")
    for network in (None, THIRD_GENERATION, DEVTOOLS):
        cold, warm = loads(browser, address, network, runs)
        limit = PAINT_LIMIT if network is THIRD_GENERATION else None
        print(f" {network.name if network else 'no throttle'}")
        report.line("first paint", cold.first, "ms", limit)
        report.line("first sight of the map", cold.map, "ms", limit)
        report.line("again, with what the browser kept: first sight of the map", warm.map, "ms", limit)
        if network is None:
            report.line("answer of the server", cold.answer, "ms")
            report.line("script and style, compressed", cold.code, "kB", WEIGHT_LIMIT)
            report.line("document with its map, compressed", cold.document, "kB")
            report.line("again: everything", warm.code + warm.document, "kB")
            report.line("files", cold.files, "")
            report.line("elements of the page", cold.elements, "")
            report.line("elements of its map", cold.drawn, "")


def tell_panning(report: Report, browser: Browser, variant: str, address: str, runs: int) -> None:
    frames = panning(browser, address, runs)
    print(f" panning at {SLOWER}x processor time, 95 frames of 100 within")
    report.line("from frame to frame", frames.gap, "ms", FRAME_LIMITS[variant])
    report.line("on the main thread", frames.spent, "ms")


def chromium_file(parser: argparse.ArgumentParser, given: str) -> str:
    """The browser to measure in: the one given or one at hand; without any the command ends, saying so."""
    file = given or next((path for name in NAMES if (path := shutil.which(name))), "")
    if not file or not Path(file).exists():
        parser.error("Chromium is missing: --chromium FILE")
    return file


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page_speed")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--chromium", default=os.environ.get("TALLEYRAND_CHROMIUM", ""))
    wanted = parser.parse_args()
    file = chromium_file(parser, wanted.chromium)
    report = Report()
    with serving() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=file, args=FLAGS)
        unbound = playwright.chromium.launch(executable_path=file, args=[*FLAGS, *UNBOUND])
        describe(browser, wanted.runs)
        for variant, address in addresses(browser, site).items():
            tell_loads(report, browser, variant, address, wanted.runs)
            tell_panning(report, unbound, variant, address, wanted.runs)
        unbound.close()
        browser.close()
    order_menus.tell()
    print(f"\n{'every limit is kept' if not report.missed else f'{report.missed} limits are missed'}")
    return int(report.missed > 0)


def describe(browser: Browser, runs: int) -> None:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    print(f"Chromium {browser.version}, {machine}, load {os.getloadavg()[0]:.1f}")
    print(f"a phone of 390 by 844 at two dots a pixel, medians of {runs} runs, nothing kept between them")


if __name__ == "__main__":
    sys.exit(main())
