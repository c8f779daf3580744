"""The lock files: every package pinned and hashed, nothing that says where it came from."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ]+)(?: ; [^\\]+)? \\$")
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}(?: \\)?$")


def pins(lock: Path) -> dict[str, str]:
    """The package and version of every pin of a lock file."""
    found = map(PIN.match, lock.read_text().splitlines())
    return {pin["name"]: pin["version"] for pin in found if pin}


def test_there_is_a_lock_for_each_environment() -> None:
    assert [lock.name for lock in LOCKS] == [
        "bare.txt",
        "build.txt",
        "image.txt",
        "maps.txt",
        "peers.txt",
        "run.txt",
        "test.txt",
    ]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_each_line_of_a_lock_is_a_pin_or_a_hash(lock: Path) -> None:
    strange = [line for line in lock.read_text().splitlines() if not (PIN.match(line) or HASH.match(line))]
    assert strange == []


def test_environments_agree_on_versions() -> None:
    everything: dict[str, set[str]] = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            everything.setdefault(name, set()).add(version)
    assert {name: found for name, found in everything.items() if len(found) > 1} == {}


def required(*extras: str) -> set[str]:
    """The packages that pyproject.toml names for these extras, as lock files spell them."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = [re.split(r"[\[<>=~; ]", line, maxsplit=1)[0] for extra in extras for line in declared[extra]]
    return {name.lower().replace("_", "-") for name in named}


def test_what_the_site_needs_is_locked_for_it() -> None:
    assert required("web", "draw") <= pins(ROOT / "requirements/run.txt").keys()
    of_the_image = required("web", "draw", "pdf", "simulation", "postgresql")
    assert of_the_image <= pins(ROOT / "requirements/image.txt").keys()


def test_what_comes_as_sources_is_built_with_what_is_locked() -> None:
    """An isolated build would download its tools by name, whatever their hash."""
    assert pins(ROOT / "requirements/build.txt").keys() >= {"hatchling", "setuptools"}
    installs = re.findall(r"install_into .*-r .*", (ROOT / "requirements/environment.sh").read_text())
    assert len(installs) == 2
    assert all("--require-hashes --no-build-isolation" in line for line in installs)
    for program in ("run", "test"):
        (line,) = re.findall(r"^project_environment .*$", (ROOT / program).read_text(), re.MULTILINE)
        assert line.startswith('project_environment "$venv" requirements/build.txt requirements/')


def test_what_the_checks_need_is_locked_for_them() -> None:
    assert required("web", "draw", "dev") <= pins(ROOT / "requirements/test.txt").keys()


def test_peers_under_the_agpl_are_locked_for_the_tests_alone() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    everywhere = required(*declared["optional-dependencies"]) | pins(ROOT / "requirements/run.txt").keys()
    assert {"diplomacy", "pydip"} <= pins(ROOT / "requirements/peers.txt").keys()
    assert not {"diplomacy", "pydip"} & everywhere
    assert declared["dependencies"] == []


def test_scripts_are_checked_by_packages_with_their_integrity() -> None:
    text = (ROOT / "package-lock.json").read_text()
    packages = json.loads(text)["packages"]
    assert "http" not in text
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_every_package_has_its_line_among_the_third_parties() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    every = required(*(extra for extra in declared if extra != "all"))
    every = every.union(*(pins(lock) for lock in LOCKS))
    written = re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", (ROOT / "THIRD_PARTY.md").read_text().lower())
    assert every - set(written) == set()
