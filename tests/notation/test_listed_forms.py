"""The comparison of tables of listed forms says what it wants when it is called otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notation.listed_forms import main


@pytest.mark.parametrize("arguments", [[], ["a", "b", "c"]])
def test_another_count_of_files_is_refused_with_a_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "one file" in capsys.readouterr().err


def test_two_tables_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("classic\tdatc\t-\tMar\tMAR\tF MAR H\n", "utf-8")
    new.write_text("classic\tdatc\t-\tMar\tNAF\tF NAF H\n", "utf-8")
    assert main([str(old), str(new)]) == 0
    assert capsys.readouterr().out == "classic  datc  -  Mar: MAR (F MAR H) → NAF (F NAF H)\n"
