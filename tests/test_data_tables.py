"""Tables are read as they are written, whatever is kept of them."""

import sys
import tomllib
from pathlib import Path

import pytest

import talleyrand
from talleyrand.data_tables import read_table

FIRST, SECOND = 'name = "Éire"\nlist = [1, 2.5, true]\n', 'name = "Iceland"\n'


@pytest.fixture(autouse=True)
def compiled_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def kept(folder: Path) -> list[Path]:
    return [*(folder / "__pycache__").iterdir()] if (folder / "__pycache__").exists() else []


def test_a_table_is_kept_and_read_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "names.fr.toml"
    file.write_text(FIRST, "utf-8")
    told = read_table(file)
    assert told == tomllib.loads(FIRST)
    assert len(kept(tmp_path)) == 1
    monkeypatch.delattr(tomllib, "loads")
    assert read_table(file) == told


def test_what_is_kept_of_another_text_counts_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "names.toml"
    for text in (FIRST, SECOND, FIRST + SECOND.replace("name", "other"), FIRST):
        file.write_text(text, "utf-8")
        assert read_table(file) == tomllib.loads(text)
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("broken", [b"", b"\0", FIRST.encode() + b"\0", FIRST.encode() + b"\0{", b"\xff\0{}"])
def test_a_broken_one_is_made_again(tmp_path: Path, broken: bytes) -> None:
    file = tmp_path / "names.toml"
    file.write_text(FIRST, "utf-8")
    read_table(file)
    (only,) = kept(tmp_path)
    only.write_bytes(broken)
    assert read_table(file) == tomllib.loads(FIRST)
    assert only.read_bytes().startswith(FIRST.encode())


def test_nothing_is_kept_where_compiled_code_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "names.toml"
    file.write_text(FIRST, "utf-8")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert read_table(file) == tomllib.loads(FIRST)
    assert not kept(tmp_path)


def test_a_folder_where_nothing_can_be_kept_is_read_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "names.toml"
    file.write_text(FIRST, "utf-8")
    (tmp_path / "__pycache__").write_text("")
    assert read_table(file) == tomllib.loads(FIRST)


def test_a_text_that_is_no_table_is_told(tmp_path: Path) -> None:
    file = tmp_path / "names.toml"
    file.write_text("name =\n", "utf-8")
    with pytest.raises(ValueError, match="line 1"):
        read_table(file)
    assert not kept(tmp_path)


def test_every_table_of_the_package_can_be_kept(tmp_path: Path) -> None:
    for number, table in enumerate(sorted(Path(talleyrand.__file__).parent.rglob("*.toml"))):
        copy = tmp_path / f"{number}.toml"
        copy.write_bytes(table.read_bytes())
        assert read_table(copy) == read_table(copy) == tomllib.loads(table.read_text("utf-8"))
