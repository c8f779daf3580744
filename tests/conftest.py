"""What every test shares: the size of the long suites, what is drawn of them, the seed of positions."""

import gc
import math
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import draws

settings.register_profile("sample", max_examples=40, derandomize=True, database=None, deadline=None)
settings.register_profile("full", max_examples=1000, derandomize=True, database=None, deadline=None)


E2E = Path(__file__).parent / "e2e"

# What differs most from database to database, by transactions, locks and rows: one in twelve of their tests.
CORE, OF_CORE = ("games", "press", "notifications", "accounts", "backup", "tournaments"), 12
ALL = "all"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the long suites at full size")
    parser.addoption("--seed", type=int, default=1901, help="seed of the random positions (default 1901)")
    parser.addoption("--draw", help=f"what samples are drawn by: the last commit, or {ALL} cases")
    parser.addoption(
        "--within", type=float, default=math.inf, help="begin no test after so many seconds of work"
    )
    parser.addoption("--one-in", type=int, default=1, help="run one test in so many, of each draw others")


def pytest_configure(config: pytest.Config) -> None:
    config.option.draw = config.option.draw or draws.last_commit()
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
    kept, draw, one_in = set(asked), config.getoption("--draw"), config.getoption("--one-in")
    if draw != ALL and not config.getoption("--full"):
        core = min(one_in, OF_CORE) if beside else one_in
        lots = {item: draws.lot(draw, item.nodeid) % (core if _is_core(item) else one_in) for item in asked}
        kept = {item for item in draws.sampled(asked, draw) if lots[item] == 0}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where there is no time left, the rest is left out, and counted so.

    It is the processor's time, in each worker: on a busy machine the same tests take longer.
    """
    if sum(os.times()[:4]) > item.config.getoption("--within"):
        pytest.skip("no time left")


def pytest_collection_finish() -> None:
    """What was collected stays to the end: it is not looked through for what nobody holds again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _is_core(item: pytest.Item) -> bool:
    return any(f"tests/web/{part}/" in item.path.as_posix() for part in CORE)


def _asks(item: pytest.Item) -> bool:
    return bool({"db", "transactional_db", "live_server"} & set(getattr(item, "fixturenames", ())))


def pytest_report_header(config: pytest.Config) -> str:
    size = "at full size" if config.getoption("--full") else "a sample (--full for all)"
    one_in = 1 if config.getoption("--full") else config.getoption("--one-in")
    core = f", one in {OF_CORE} of {', '.join(CORE)}" if "TALLEYRAND_DATABASE" in os.environ else ""
    drawn = f"; one test in {one_in}{core}" if one_in > 1 else ""
    return f"long suites: {size}, draw {config.getoption('--draw')}{drawn}, seed {config.getoption('--seed')}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the tests recorded as worth telling: how much they sampled, and what they found."""
    for report in terminalreporter.getreports("passed"):
        for _, value in report.user_properties:
            terminalreporter.write_line(str(value))


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long suites run at full size rather than as a sample of the draw."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of the random positions, the same from run to run unless `--seed` says otherwise."""
    return int(request.config.getoption("--seed"))


@pytest.fixture(scope="session")
def draw(request: pytest.FixtureRequest) -> str:
    """What samples are drawn by: the last commit unless `--draw` says otherwise."""
    return str(request.config.getoption("--draw"))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's background job ignores interruptions, and so would the commands it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
