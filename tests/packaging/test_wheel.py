"""The wheel: everything the package is made of, and no other package."""

import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--no-build-isolation",
    ]
    subprocess.run([*command, "--wheel-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def metadata(wheel: zipfile.ZipFile, name: str) -> bytes:
    (path,) = (entry for entry in wheel.namelist() if entry.endswith(f".dist-info/{name}"))
    return wheel.read(path)


def test_every_file_of_the_package_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    tracked = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in wheel.namelist() if not name.split("/")[0].endswith(".dist-info")}
    assert packed == {*tracked, "talleyrand/CHANGELOG.md"}


def test_maps_and_rules_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    packed = set(wheel.namelist())
    assert {"talleyrand/variants/classic/variant.toml", "talleyrand/py.typed"} <= packed


def test_nothing_is_required_without_an_extra(wheel: zipfile.ZipFile) -> None:
    requirements = message_from_bytes(metadata(wheel, "METADATA")).get_all("Requires-Dist", [])
    assert [line for line in requirements if "extra ==" not in line] == []


def test_the_licence_and_the_notices_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    names = [name.rsplit("/", 1)[1] for name in wheel.namelist() if ".dist-info/licenses/" in name]
    assert sorted(names) == ["LICENSE", "THIRD_PARTY.md"]


def test_the_command_is_installed(wheel: zipfile.ZipFile) -> None:
    assert b"talleyrand = talleyrand.cli:main" in metadata(wheel, "entry_points.txt")
