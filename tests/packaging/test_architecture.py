"""ARCHITECTURE.md names files and names that are there."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "talleyrand"
SOURCES = [path.as_posix() for path in SRC.rglob("*") if path.is_file()]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def files(name: str) -> list[Path]:
    """Those that a path stands for, however much of its beginning is left out."""
    if (ROOT / name).exists():
        return [ROOT / name]
    return [Path(path) for path in SOURCES if path.endswith(f"/{name}")]


def test_every_file_is_there_and_is_one() -> None:
    named = set(re.findall(r"`([\w/]+\.(?:py|js|md|toml))`", TEXT))
    assert len(named) > 50
    assert {name: len(files(name)) for name in named if len(files(name)) != 1} == {}


def test_every_room_of_the_site_has_its_row() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(one["layers"] for one in contracts if one["id"] == "site")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", TEXT, re.MULTILINE)
    assert set(re.findall(r"\w+", " ".join(layers))) - set(re.findall(r"\w+", " ".join(rows))) == set()


def test_the_answers_are_defined_where_they_say() -> None:
    rows = re.findall(r"^\| (.+\?) \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
    assert len(rows) == 20 + 7
    for question, where, names in rows:
        code = "\n".join(
            path.read_text("utf-8") for name in re.findall(r"`([\w/]+\.py)`", where) for path in files(name)
        )
        for name in re.findall(r"`([\w.]+)`", names):
            for part in name.split("."):
                assert re.search(rf"(?:def|class) {part}\b", code), (question, name)
