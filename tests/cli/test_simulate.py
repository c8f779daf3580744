"""`talleyrand simulate`: games played, counted, drawn and exported, and what is refused."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from talleyrand import cli
from tests.cli.run import Ran, Run
from tests.waiting import PATIENCE, wait_until

for needed in ("numpy", "duckdb"):
    pytest.importorskip(needed)
MANIFEST = "simulation.json"
SMALL = ("--games", "14", "--shards", "4", "--until", "1902", "--bots", "random,hold", "--workers", "1")


@pytest.fixture
def run(run: Run) -> Run:
    """The same, with ordinary blanks."""

    def command(*arguments: str) -> Ran:
        ran = run(*arguments)
        return Ran(ran.status, ran.out.replace("\u00a0", " "), ran.err.replace("\u00a0", " "))

    return command


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    assert cli.main(["simulate", "--out", str(folder), *SMALL]) == 0
    return folder


@pytest.mark.long
def test_a_run_says_what_it_did_and_goes_on_without_being_told_again(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "games"
    first = run("simulate", "--out", str(folder), *SMALL, "--shard", "2/3", "--lang", "en")
    assert (first.status, first.out) == (0, "")
    assert "Finished shards: 1 of 1, in " in first.err
    assert f"in “{folder}”." in first.err
    assert [file.name for file in folder.glob("*.parquet")] == ["shard-000002.parquet"]
    rest = run("simulate", "--out", str(folder), "--workers", "1")
    assert "Lots finis : 3 sur 3, en" in rest.err
    assert len(list(folder.glob("*.parquet"))) == 4
    done = run("simulate", "--out", str(folder))
    assert (done.status, done.err) == (0, f"Tout est déjà joué dans « {folder} ».\n")


@pytest.mark.long
def test_results_as_a_table(run: Run, finished: Path) -> None:
    ran = run("simulate", "results", str(finished), "--lang", "en")
    heading, columns, *rows, explained = ran.out.splitlines()
    assert heading.startswith("14 games of 14 (4 shards of 4), 0 solos, until 1902.0 on average")
    assert columns.split() == ["bot", "games", "seats", "centres", "solos", "survivals", "share", "±"]
    assert {row.split()[0]: row.split()[1:3] for row in rows} == {
        "random": ["14", "14"],
        "hold": ["14", "84"],
    }
    assert "14.3% if all were equal" in explained


def test_results_add_up(run: Run, finished: Path) -> None:
    rows = json.loads(run("simulate", "results", str(finished), "--by", "both", "--json").out)
    assert len(rows) == 14
    assert sum(row["seats"] for row in rows) == 7 * 14
    assert {row["seats"] for row in rows if row["bot"] == "random"} == {2}
    assert sum(row["share"] * row["seats"] for row in rows) == pytest.approx(14, abs=1e-4)
    powers = json.loads(run("simulate", "results", str(finished), "--by", "power", "--json").out)
    assert [row["games"] for row in powers] == [14] * 7
    assert sum(row["share"] for row in powers) == pytest.approx(1, abs=1e-5)


def test_openings(run: Run, finished: Path) -> None:
    ran = run("simulate", "openings", str(finished), "--power", "france", "--bot", "hold")
    assert ran.out.splitlines() == [
        "France",
        "  12 fois (100,0 %) · 3,00 centres · part " + ran.out.split("part ")[1].splitlines()[0],
    ]
    assert ran.out.endswith(": F BRE H, A MAR H, A PAR H\n")
    deep = json.loads(
        run(
            "simulate", "openings", str(finished), "--depth", "2", "--most", "1", "--bot", "hold", "--json"
        ).out
    )
    assert [len(row["opening"]) for row in deep] == [2] * 7


@pytest.mark.one_in(3)
@pytest.mark.parametrize("more", [(), ("--by", "bot"), ("--game", "3"), ("--lang", "en")])
def test_a_chart(run: Run, finished: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    file = tmp_path / "centres.svg"
    assert run("simulate", "chart", str(finished), "--out", str(file), *more).status == 0
    drawn = ET.parse(file).getroot()
    lines = drawn.findall(".//{*}polyline")
    assert len(lines) == 2 * (2 if "bot" in more else 7)
    assert len(lines[0].attrib["points"].split()) == 2  # 1901 and 1902


def test_a_chart_as_png(run: Run, finished: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "centres.png"
    assert run("simulate", "chart", str(finished), "--out", str(file)).status == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_an_exported_game_is_played_again(run: Run, finished: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert run("simulate", "export", str(finished), "5", "--out", str(file)).status == 0
    last = json.loads(run("play", str(file), "--json").out.splitlines()[-1])
    rows = json.loads(run("simulate", "export", str(finished), "5").out)
    assert rows == json.loads(file.read_text())
    assert rows["seed"] == "0/5"
    assert sum(map(len, last["centers"].values())) >= 22


# what is refused


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--games", "-5"), 1, "games : -5 est impossible ; il faut un nombre de 1 à 100000000."),
        (("--games", "many"), 2, "--games"),
        (("--games", "3", "--shards", "4"), 1, "shards : 4 est impossible"),
        (("--seed", "-1"), 1, "seed : -1 est impossible"),
        (("--until", "1850"), 1, "until : 1850 est impossible ; il faut un nombre de 1901 à 2100."),
        (("--shard", "0/3"), 2, "« 0/3 » : écrivez une part sous la forme I/N"),
        (("--shard", "4/3"), 2, "« 4/3 »"),
        (("--shard", "three"), 2, "« three »"),
        (("--games", "20", "--shards", "2", "--shard", "3/3"), 1, "la part 3 est vide"),
        (("--workers", "0"), 2, "0 processus"),
        (("--bots", "dumbledore"), 1, "bot inconnu : « dumbledore ». Disponibles : hold, random"),
        (("--bots", "values:mighty"), 1, "force inconnue : « mighty »"),
        (("--bots", "values*9"), 1, "9 bots pour 7 puissances."),
        (("--bots", "BOREA=values,hold"), 1, "« BOREA » n’est pas une puissance"),
        (("--bots", "?"), 1, "écrivez une liste de bots comme"),
        (("--variant", "atlantis"), 1, "atlantis"),
        (("--rulebook", "mine"), 1, "mine"),
        (("--rulebook", "absent.toml"), 1, "absent.toml"),
        (("--workers", "1", "--dask", "tcp://127.0.0.1:1"), 2, "--dask"),
    ],
)
def test_what_cannot_be_played(
    run: Run, arguments: tuple[str, ...], status: int, sentence: str, tmp_path: Path
) -> None:
    ran = run("simulate", "--out", str(tmp_path / "new"), *arguments)
    assert ran.status == status
    assert sentence in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "new" / "shard-000001.parquet").exists()


@pytest.mark.parametrize(
    "arguments", [("--seed", "7"), ("--games", "15"), ("--bots", "hold"), ("--until", "1903")]
)
def test_a_folder_keeps_one_question(run: Run, finished: Path, arguments: tuple[str, ...]) -> None:
    ran = run("simulate", "--out", str(finished), *arguments)
    assert ran.status == 1
    assert f"« {finished} » contient d’autres parties : {arguments[0][2:]} y vaut" in ran.err


@pytest.mark.parametrize("below", [("results",), ("openings",), ("chart", "--out", "x.svg"), ("export",)])
def test_no_games_to_tell_of(run: Run, below: tuple[str, ...], tmp_path: Path) -> None:
    more = ("0",) if below == ("export",) else ()
    for place in (tmp_path, tmp_path / "absent"):
        ran = run("simulate", below[0], str(place), *more, *below[1:])
        assert ran.status == 1
        assert "n’est pas un dossier de parties simulées" in ran.err


def test_nothing_played_yet(run: Run, finished: Path, tmp_path: Path) -> None:
    shutil.copy(finished / MANIFEST, tmp_path / MANIFEST)
    ran = run("simulate", "results", str(tmp_path))
    assert (ran.status, "ne contient encore aucun lot fini" in ran.err) == (1, True)
    ran = run("simulate", "export", str(tmp_path), "3")
    assert ran.status == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("openings", "--power", "BOREA"), "« BOREA » n’est pas une puissance"),
        (("openings", "--bot", "values"), "« values » ne joue pas dans ces parties. Bots : random, hold."),
        (("openings", "--most", "0"), "--depth et --most"),
        (("chart", "--out", "picture.gif"), "picture.gif"),
        (("chart", "--game", "14", "--out", "x.svg"), "elles sont numérotées de 0 à 13."),
        (("export", "14"), "il n’y a pas de partie 14 : elles sont numérotées de 0 à 13."),
        (("export", "-1"), "il n’y a pas de partie -1"),
    ],
)
def test_what_cannot_be_told(run: Run, finished: Path, arguments: tuple[str, ...], sentence: str) -> None:
    ran = run("simulate", arguments[0], str(finished), *arguments[1:])
    assert ran.status == 1
    assert sentence in ran.err


def test_another_program_s_parquet_file(run: Run, finished: Path, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    shutil.copy(finished / MANIFEST, tmp_path / MANIFEST)
    file = tmp_path / "shard-000001.parquet"
    duckdb.sql("SELECT 1 AS one").write_parquet(str(file))
    ran = run("simulate", "results", str(tmp_path))
    assert (ran.status, f"« {file} » vient d’autres parties" in ran.err) == (1, True)


def test_a_folder_that_cannot_be_written_to(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here already")
    ran = run("simulate", "--out", str(tmp_path / "file" / "games"), *SMALL)
    assert ran.status == 1
    assert "impossible de lire ou d’écrire" in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk at hand")
def test_a_full_disk(run: Run, finished: Path) -> None:
    assert "le disque est plein" in run("simulate", "export", str(finished), "1", "--out", "/dev/full").err


@pytest.mark.long
@pytest.mark.usefixtures("interruptible")
def test_an_interruption_says_how_to_go_on(tmp_path: Path) -> None:
    """Ctrl+C, as a terminal sends it: to the command and to all its processes."""
    arguments = ("--games", "4000", "--shards", "400", "--bots", "random", "--workers", "2", "--lang", "en")
    command = [sys.executable, "-m", "talleyrand", "simulate", "--out", str(tmp_path), *arguments]
    begun = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_until(lambda: list(tmp_path.glob("*.parquet")), patience=300)
    os.killpg(begun.pid, signal.SIGINT)
    _, said = begun.communicate(timeout=PATIENCE)
    assert begun.returncode == 130
    assert "Interrupted: run the same command to continue." in said
    assert "Traceback" not in said
    assert not list(tmp_path.glob(".*"))


# the reference


@pytest.mark.long
@pytest.mark.parametrize("page", ["fr/reference/simulation.md", "en/reference/simulation.md"])
def test_the_reference_shows_what_comes_out(
    run: Run, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(
        r"^```console\n\$ talleyrand ([^\n]*)\n(.*?)^```$", _page(page), re.MULTILINE | re.DOTALL
    )
    assert len(examples) == 2
    for command, shown in examples:
        ran = run(*shlex.split(command))
        assert ran.status == 0, ran.err
        printed = iter(ran.out.splitlines())
        for line in shown.splitlines():
            assert any(_spaced(found).startswith(_spaced(line)) for found in printed), (line, ran.out)


@pytest.mark.parametrize("page", ["fr/reference/simulation.md", "en/reference/simulation.md"])
def test_every_option_is_in_the_reference(run: Run, page: str) -> None:
    text = _page(page)
    for below in ((), ("results",), ("openings",), ("chart",), ("export",)):
        options = set(re.findall(r"--[a-z-]+", run("simulate", *below, "--help").out)) - {"--help", "--lang"}
        assert not {option for option in options if option not in text}, below


def _page(name: str) -> str:
    return (Path(__file__).parents[2] / "docs" / name).read_text("utf-8")


def _spaced(line: str) -> str:
    """The columns of a table, whatever their width."""
    return " ".join(line.split())
