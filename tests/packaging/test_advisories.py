"""No package that is known to be unsafe: neither locked, nor let in by pyproject.toml.

Known is what `requirements/advisories.toml` says: nothing is asked of anybody here. That each pin has its
hash and each package its licence is in `test_locks`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.packaging.test_locks import LOCKS, ROOT, pins

ADVISORIES = tomllib.loads((ROOT / "requirements/advisories.toml").read_text("utf-8"))["advisory"]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def unsafe(package: str, version: str) -> list[str]:
    """The advisories against a version."""
    mine = [one for one in ADVISORIES if one["package"] == package]
    return [one["id"] for one in mine if Version(version) < Version(one["safe"])]


def lowest() -> dict[str, str]:
    """The least version of each package that an extra accepts."""
    found = {}
    for line in (line for extra in DECLARED.values() for line in extra):
        wanted = Requirement(line)
        floors = [one.version for one in wanted.specifier if one.operator in (">=", "==")]
        if floors:
            found[wanted.name.lower().replace("_", "-")] = floors[0]
    return found


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_no_lock_holds_what_is_unsafe(lock: Path) -> None:
    found = {name: unsafe(name, version) for name, version in pins(lock).items()}
    assert {name: ids for name, ids in found.items() if ids} == {}


def test_nothing_unsafe_is_let_in_without_a_lock() -> None:
    found = {name: unsafe(name, version) for name, version in lowest().items()}
    assert {name: ids for name, ids in found.items() if ids} == {}


def test_every_advisory_is_about_a_package_of_ours() -> None:
    """A list that names what nobody installs any more is not looked after."""
    ours = {name for lock in LOCKS for name in pins(lock)}
    assert {one["package"] for one in ADVISORIES} - ours == set()


def test_every_advisory_says_what_it_is() -> None:
    for one in ADVISORIES:
        assert set(one) == {"package", "safe", "id", "about"}
        assert re.fullmatch(r"(CVE|PYSEC)-\d{4}-\d+", one["id"]), one
    assert len({(one["package"], one["id"]) for one in ADVISORIES}) == len(ADVISORIES)


@pytest.mark.parametrize(
    ("package", "version", "told"),
    [
        ("django", "5.2.7", ["CVE-2025-64459", "CVE-2026-15307"]),
        ("django", "5.2.16", ["CVE-2026-15307"]),
        ("django", "5.2.17", []),
        ("h11", "0.9", ["CVE-2025-43859"]),
        ("h11", "0.16.0", []),
        ("nothing", "0", []),
    ],
)
def test_versions_are_numbers_and_not_words(package: str, version: str, told: list[str]) -> None:
    assert unsafe(package, version) == told
