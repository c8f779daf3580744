"""`talleyrand adjudicate --columns`: a file that is there whole or not at all, and lines at fault told."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from talleyrand.cli.parallel_answers import MAX_JOBS
from tests.cli.run import Run
from tests.each import each
from tests.waiting import PATIENCE

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
FILE_COLUMNS = pytest.importorskip("talleyrand.simulation.columns.outcome_rows").FILE_COLUMNS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "fr/reference/ligne-de-commande.md", DOCS / "en/reference/command-line.md"]
GAME = {"id": "g", "rulebook": "datc", "phases": [{"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR"]}}]}
LINE = json.dumps(GAME).encode() + b"\n"
SQL_TYPES = {"int": "BIGINT", "text": "VARCHAR", "flag": "BOOLEAN"}


def described(file: Path) -> dict[str, str]:
    """The columns of a file with their types, as another program reads them."""
    with duckdb.connect() as database:
        rows = database.execute("DESCRIBE FROM read_parquet($file)", {"file": str(file)}).fetchall()
    return {row[0]: row[1] for row in rows}


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_the_reference_describes_every_column(page: Path, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.parquet"
    assert run("adjudicate", "--columns", str(file), "-", stdin=LINE).status == 0
    kinds = {column.name: SQL_TYPES[column.type_] for column in FILE_COLUMNS}
    assert described(file) == kinds
    table = re.findall(r"^\| `(\w+)` \| (BIGINT|VARCHAR|BOOLEAN) \|", page.read_text("utf-8"), re.MULTILINE)
    assert dict(table) == kinds


@pytest.mark.long
def test_lines_at_fault_are_told_by_their_number(run: Run, tmp_path: Path) -> None:
    games, file = tmp_path / "games.jsonl", tmp_path / "x.parquet"
    games.write_bytes(LINE + b"\n\n{\n" + LINE + b'{"phases": 5}\n' + LINE.strip())
    for jobs in ("1", "2"):
        ran = run("adjudicate", "--lang", "en", "--columns", str(file), "--jobs", jobs, str(games))
        assert (ran.status, ran.out) == (1, "")
        told = ran.err.splitlines()
        faults = [line.split(":")[0] for line in told if line.startswith("line ")]  # beside how far it is
        assert faults == ["line 4", "line 6"]
        assert told[-1].startswith("3 games, 3 phases, 66 rows")
    with duckdb.connect() as database:
        counted = "SELECT game, count(*) FROM read_parquet($file) GROUP BY game ORDER BY game"
        assert database.execute(counted, {"file": str(file)}).fetchall() == [(1, 22), (5, 22), (7, 22)]


def test_an_empty_file_has_no_rows(run: Run, tmp_path: Path) -> None:
    assert run("adjudicate", "--columns", str(tmp_path / "x.parquet"), "-").status == 0
    assert list(described(tmp_path / "x.parquet")) == [column.name for column in FILE_COLUMNS]


def test_a_rulebook_for_every_game(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "x.parquet")
    assert run("adjudicate", "--columns", file, "--rulebook", "anjou_feu", "-", stdin=LINE).status == 0
    told = run("adjudicate", "--columns", file, "--rulebook", "nobody", "-", stdin=LINE)
    assert told.status == 1


@each(
    "others",
    [("--json",), ("--jsonl", "-"), ("--compare", "all"), ("--reasons", "all"), ("--variant", "trio")],
)
def test_no_other_form_of_answer_goes_with_it(run: Run, tmp_path: Path, others: tuple[str, ...]) -> None:
    ran = run("adjudicate", "--lang", "en", "--columns", str(tmp_path / "x.parquet"), *others, "-")
    assert ran.status == 2
    assert "--columns" in ran.err
    assert not list(tmp_path.iterdir())


@each("arguments", [(), ("--jobs", "0", "-"), ("--jobs", str(MAX_JOBS + 1), "-")])
def test_arguments_that_are_none(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run("adjudicate", "--columns", str(tmp_path / "x.parquet"), *arguments).status == 2


def test_a_file_of_games_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("adjudicate", "--columns", str(tmp_path / "x.parquet"), str(tmp_path / "nothing")).status == 1
    assert run("adjudicate", "--columns", str(tmp_path / "no" / "x.parquet"), "-", stdin=LINE).status == 1
    assert run("adjudicate", "--columns", str(tmp_path), "-", stdin=LINE).status == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of Unix")
def test_a_link_stays_one_and_what_is_no_file_is_left_alone(run: Run, tmp_path: Path) -> None:
    link, file, pipe = tmp_path / "link.parquet", tmp_path / "x.parquet", tmp_path / "pipe"
    link.symlink_to(file.name)
    os.mkfifo(pipe)
    assert run("adjudicate", "--columns", str(link), "-", stdin=LINE).status == 0
    assert link.is_symlink()
    assert described(file)
    ran = run("adjudicate", "--lang", "en", "--columns", str(pipe), "-", stdin=LINE)
    assert ran.status == 2
    assert "pipe” is not an ordinary file" in ran.err
    assert pipe.is_fifo()


def test_a_sentence_says_what_to_install(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talleyrand.cli.column_commands.COLUMN_PACKAGES", ("nowhere_to_be_found",))
    ran = run("adjudicate", "--lang", "en", "--columns", str(tmp_path / "x.parquet"), "-")
    assert ran.status == 1
    assert 'pip install "talleyrand[simulation]"' in ran.err


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@each("ended", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)])
def test_whatever_ends_it_leaves_no_half_file(
    ended: tuple[signal.Signals, int], tmp_path: Path, interruptible: None
) -> None:
    end, status = ended
    file = tmp_path / "x.parquet"
    file.write_bytes(b"what was there")
    command = (sys.executable, "-m", "talleyrand", "adjudicate", "--columns", str(file), "--jobs", "2", "-")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as running:
        assert running.stdin is not None
        running.stdin.write(LINE * 2000)  # some batches: the first is on its way
        running.stdin.flush()
        while not any(part.stat().st_size for part in tmp_path.rglob("*.part")):
            assert running.poll() is None
        running.send_signal(end)
        running.stdin.close()
        assert running.wait(PATIENCE) == status
    assert file.read_bytes() == b"what was there"
    assert end is signal.SIGKILL or list(tmp_path.iterdir()) == [file]


def test_a_process_that_ends_by_itself(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talleyrand.simulation.columns.line_batches.ColumnMaker.columns", _end)
    ran = run(
        "adjudicate", "--lang", "en", "--columns", str(tmp_path / "x.parquet"), "--jobs", "2", "-", stdin=LINE
    )
    assert ran.status == 1
    assert "nothing was written" in ran.err
    assert not list(tmp_path.iterdir())


def _end(*_: object) -> None:
    os._exit(3)
