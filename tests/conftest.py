"""What every test shares: the size of the long suites and the seed of what is drawn at random."""

import math
import os
import signal
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("sample", max_examples=40, derandomize=True, database=None, deadline=None)
settings.register_profile("full", max_examples=1000, derandomize=True, database=None, deadline=None)


E2E = Path(__file__).parent / "e2e"

# What differs most from database to database, by transactions, locks and rows: one in six of their tests.
CORE, OF_CORE = ("games", "press", "notifications", "accounts", "backup", "tournaments"), 6


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the long suites at full size")
    parser.addoption("--seed", type=int, default=1901, help="seed of the random positions (default 1901)")
    parser.addoption("--one-in", type=int, default=1, help="run one test in so many, drawn by the seed")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("full" if config.getoption("--full") else "sample")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is drawn; beside another database what asks for one, and more of the parts in CORE.

    Raises UsageError for a browser's test outside tests/e2e: no stage would run it.
    """
    lost = [item for item in items if item.get_closest_marker("browser") and E2E not in item.path.parents]
    if lost:
        raise pytest.UsageError(f"{lost[0].nodeid} opens a browser: its place is tests/e2e")
    beside = "TALLEYRAND_DATABASE" in os.environ
    asked = [item for item in items if not beside or item.get_closest_marker("django_db") or _asks(item)]
    kept = {item for item in asked if _is_drawn(item, config, core=beside and _is_core(item))}
    if not config.getoption("--full"):
        kept &= _sampled(asked, config.getoption("--seed"))
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def _is_core(item: pytest.Item) -> bool:
    return any(f"tests/web/{part}/" in item.path.as_posix() for part in CORE)


def _is_drawn(item: pytest.Item, config: pytest.Config, *, core: bool) -> bool:
    one_in = 1 if config.getoption("--full") else config.getoption("--one-in")
    one_in = min(one_in, OF_CORE) if core else one_in
    return _lot(item, config.getoption("--seed")) % one_in == 0


def _lot(item: pytest.Item, seed: int) -> int:
    return zlib.crc32(f"{seed} {item.nodeid}".encode())


def _sampled(items: list[pytest.Item], seed: int) -> set[pytest.Item]:
    """All items but, of each test marked `one_in(n)`, one of its cases in n: those with the smallest lots."""
    kept, cases = set(items), defaultdict(list)
    for item in items:
        if item.get_closest_marker("one_in"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, whole in cases.items():
        marker = whole[0].get_closest_marker("one_in")
        assert marker is not None
        drawn = sorted(whole, key=lambda item: _lot(item, seed))[: math.ceil(len(whole) / marker.args[0])]
        told = f"{name}: {len(drawn)} of {len(whole)} cases, seed {seed}"
        drawn[0].user_properties.append(("sampled", told))
        kept -= set(whole) - set(drawn)
    return kept


def _asks(item: pytest.Item) -> bool:
    return bool({"db", "transactional_db", "live_server"} & set(getattr(item, "fixturenames", ())))


def pytest_report_header(config: pytest.Config) -> str:
    size = "at full size" if config.getoption("--full") else "a sample (--full for all)"
    one_in = 1 if config.getoption("--full") else config.getoption("--one-in")
    core = f", one in {OF_CORE} of {', '.join(CORE)}" if "TALLEYRAND_DATABASE" in os.environ else ""
    drawn = f"; one test in {one_in}{core}" if one_in > 1 else ""
    return f"long suites: {size}, seed {config.getoption('--seed')}{drawn}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the tests recorded as worth telling: how much they sampled, and what they found."""
    for report in terminalreporter.getreports("passed"):
        for _, value in report.user_properties:
            terminalreporter.write_line(str(value))


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long suites run at full size rather than as a seeded sample."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of the random positions, the same from run to run unless `--seed` says otherwise."""
    return int(request.config.getoption("--seed"))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's background job ignores interruptions, and so would the commands it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
