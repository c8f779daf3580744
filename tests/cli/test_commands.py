"""What each command prints, and its exit codes."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from talleyrand import rulebooks, variants
from talleyrand.cli.console import chosen_language
from tests.cli.run import Run
from tests.waiting import PATIENCE, wait_until

POSITION = """Positions
France : A Par, A Mar
Allemagne : A Mun, F Kie

Printemps 1901
France
A Par - Bou
A Mar S A Par-Bou
Allemagne
A Mun - Bou
F Kie - Mun
"""
GAME = """Printemps 1901
France : A Par - Bou; F Bre - AtM
Automne 1901
France : A Bou - Bel; F AtM - Por
Hiver 1901
France : A Par
"""


@pytest.fixture
def position(tmp_path: Path) -> str:
    return _file(tmp_path / "position.txt", POSITION)


@pytest.fixture
def game(tmp_path: Path) -> str:
    return _file(tmp_path / "game.txt", GAME)


def _file(path: Path, text: str) -> str:
    path.write_text(text, "utf-8")
    return str(path)


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


# languages


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ([], {}, "fr"),
        ([], {"LANG": "C"}, "fr"),
        ([], {"LANG": "en_GB.UTF-8"}, "en"),
        ([], {"LANG": "en_GB.UTF-8", "TALLEYRAND_LANG": "fr"}, "fr"),
        ([], {"LANG": "fr_FR.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        (["--lang", "en"], {"TALLEYRAND_LANG": "fr"}, "en"),
        (["play", "--lang=fr"], {"LANG": "en"}, "fr"),
        (["--lang"], {"LANG": "de_DE"}, "fr"),
    ],
)
def test_the_language(arguments: Sequence[str], environment: dict[str, str], language: str) -> None:
    assert chosen_language(arguments, environment) == language


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--help"], ["usage\u00a0: ", "affiche cette aide", "commandes", "Arbitrage"]),
        (["--lang", "en", "--help"], ["usage: ", "show this help", "commands", "A Diplomacy adjudicator"]),
        (["adjudicate", "--help"], ["FICHIER", "--compare NOMS", "--jsonl"]),
    ],
)
def test_help_speaks_the_language(run: Run, arguments: list[str], words: list[str]) -> None:
    ran = run(*arguments)
    assert ran.status == 0
    for word in words:
        assert word in ran.out


@pytest.mark.parametrize("command", ["adjudicate", "read", "play", "draw", "rulebooks", "variants", "serve"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_command_has_its_help(run: Run, command: str, language: str) -> None:
    ran = run(command, "--lang", language, "--help")
    assert ran.status == 0
    assert command in run("--help", "--lang", language).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "commandes"),
        (["flop"], "choix inconnu"),
        (["adjudicate"], "indiquez le fichier à résoudre (ou - pour l’entrée"),
        (["adjudicate", "x", "--jsonl", "y"], "--jsonl"),
        (["adjudicate", "x", "--compare", " ,"], "indiquez les règlements à comparer, séparés par des"),
        (["adjudicate", "--flop", "x"], "arguments inconnus"),
        (["play"], "il manque"),
        (["serve", "--port", "99999"], "valeur incorrecte"),
        (["rulebooks", "datc", "datc", "datc"], "deux règlements"),
        (["variants", "--lang", "de"], "choix inconnu"),
    ],
)
def test_faults_of_usage(run: Run, arguments: list[str], words: str) -> None:
    ran = run(*arguments)
    assert ran.status == 2
    assert words in ran.err
    assert ran.out == ""


def test_the_version(run: Run) -> None:
    assert run("--version").out.startswith("talleyrand ")


# variants and rulebooks


def test_variants_as_json(run: Run) -> None:
    (listed,) = lines(run("variants", "--json").out)
    assert [variant["name"] for variant in listed] == list(variants.playable_names())
    classic = listed[0]
    assert (len(classic["provinces"]), len(classic["centres"]), classic["victory"]) == (75, 34, 18)
    assert classic["homes"]["RUSSIA"] == ["MOS", "STP", "SEV", "WAR"]
    assert classic["provinces"]["STP"]["coasts"] == ["NC", "SC"]
    assert classic["phases"] == ["SM", "SR", "FM", "FR", "WA"]
    assert set(classic["units"]) == {"A", "F"}


def test_variants_for_people(run: Run) -> None:
    assert "75 provinces, 34 centres" in run("variants").out
    english = run("variants", "--lang", "en").out
    assert "75 provinces, 34 centres; 18 to win" in english
    assert "232 provinces, 125 centres\n  Every state with at least 1,000 victory points" in english
    assert "victory takes 63" not in english


def test_rulebooks_as_json(run: Run) -> None:
    (listed,) = lines(run("rulebooks", "--json").out)
    assert [book["name"] for book in listed] == list(rulebooks.names())
    for book in listed:
        assert book["options"].keys() == rulebooks.options().keys()


def test_where_two_rulebooks_differ(run: Run) -> None:
    (listed,) = lines(run("rulebooks", "--json", "datc", "anjou_feu").out)
    first, second = (book["options"] for book in listed)
    assert first.keys() == second.keys()
    assert "convoy_paradox" in first
    assert all(first[name]["value"] != second[name]["value"] for name in first)
    shown = run("rulebooks", "datc", "anjou_feu").out
    assert "datc: convoy_paradox = szykman [" in shown
    assert "mêmes options" in run("rulebooks", "datc", "datc").out


def test_where_the_value_of_a_silent_point_comes_from(run: Run) -> None:
    shown = run("rulebooks", "renegade_2023").out
    assert "(notre lecture\u00a0: valeur d’usage)" in shown
    english = run("rulebooks", "--lang", "en", "datc").out
    assert "(our reading: as in Anjou Feu)" in english
    (listed,) = lines(run("rulebooks", "--json", "datc").out)
    supplied = {name: row["supplied"] for name, row in listed[0]["options"].items()}
    assert supplied["convoy_paradox"] is None
    assert supplied["civil_disorder_retreat"] == "anjou_feu"


def test_an_unknown_rulebook(run: Run) -> None:
    ran = run("rulebooks", "nobody")
    assert ran.status == 1
    assert "nobody" in ran.err


# adjudicate and read


def test_adjudicate_for_people(run: Run, position: str) -> None:
    ran = run("adjudicate", position)
    assert ran.status == 0
    for words in (
        "Printemps 1901, mouvements",
        "A Paris - Bourgogne",
        "F Kiel - Munich",
        "ordre illégal",
        "Pas permis",
        "Position obtenue",
        "France\u00a0: A Bourgogne, A Marseille",
        "Phase suivante\u00a0: automne 1901, mouvements",
    ):
        assert words in ran.out
    english = run("adjudicate", "--lang", "en", position).out
    assert "France: A Burgundy, A Marseilles" in english
    assert "Not allowed" in english


def test_a_text_from_standard_input(run: Run) -> None:
    assert "A Bourgogne" in run("adjudicate", "-", stdin=POSITION.encode()).out


def test_a_question_in_json(run: Run, tmp_path: Path) -> None:
    question = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A Par - Bou"]}}
    assert "A Bourgogne" in run("adjudicate", _file(tmp_path / "q.json", json.dumps(question))).out


def test_read_does_not_judge(run: Run, position: str) -> None:
    ran = run("read", position)
    assert "A Marseille soutient A Paris - Bourgogne" in ran.out
    assert "soutien donné" not in ran.out
    assert "Position obtenue" not in ran.out


def test_cases_of_the_datc(run: Run, tmp_path: Path) -> None:
    text = "// shorthand\n# 6.A.1 MOVING\nENG F NTH - PIC = illegal\n"
    ran = run("adjudicate", _file(tmp_path / "datc.txt", text))
    assert "# 6.A.1 MOVING" in ran.out
    assert "ordre illégal" in ran.out


def test_a_rulebook_of_ones_own(run: Run, tmp_path: Path) -> None:
    orders = _file(tmp_path / "q.txt", "Positions\nFrance : A Par\nFrance\n").replace("q.txt", "q2.txt")
    _file(Path(orders), "Positions\nFrance : A Par\nOrdres\nFrance : A Par - Bou; A Par - Pic")
    book = _file(tmp_path / "own.toml", '[options]\nmultiple_legal_orders = "first"\n')
    assert "A Bourgogne" in run("adjudicate", orders, "--rulebook", book).out
    assert "France\u00a0: A Paris" in run("adjudicate", orders).out
    broken = _file(tmp_path / "broken.toml", "[[")
    ran = run("adjudicate", orders, "--rulebook", broken)
    assert (ran.status, "broken" in ran.err) == (1, True)


def test_comparing_rulebooks(run: Run, tmp_path: Path) -> None:
    text = "Positions\nFrance : A Par\nOrdres\nFrance : A Par - Bou; A Par - Pic"
    question = _file(tmp_path / "q.txt", text)
    shown = run("adjudicate", question, "--compare", "datc, anjou_feu").out
    assert "Résultat 2\u00a0: anjou_feu" in shown
    assert "A Paris - Bourgogne\u00a0: se déplace" in shown
    assert "M41 Plusieurs ordres légaux" in shown
    english = run("adjudicate", "--lang", "en", question, "--compare", "datc,anjou_feu").out
    assert "datc and anjou_feu give different results (France: A Paris)" in english
    assert "Même résultat selon\u00a0: datc" in run("adjudicate", question, "--compare", "datc,datc,").out
    assert run("adjudicate", question, "--compare", "all,datc").status == 0
    assert run("adjudicate", question, "--compare", "nobody").status == 1


def test_comparing_with_a_book_of_one_s_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _file(tmp_path / "house.toml", 'extends = "datc"\n[options]\nmultiple_legal_orders = "last"\n')
    text = "Positions\nFrance : A Par\nOrdres\nFrance : A Par - Bou; A Par - Pic"
    question = _file(tmp_path / "q.txt", text)
    (found,) = lines(run("adjudicate", question, "--json", "--compare", "datc,house.toml").out)
    assert found["groups"] == [["datc"], ["house.toml"]]
    assert found["differences"][0]["unit"] == "A PAR"
    ((option,),) = found["because"][0]["options"]
    assert option == "multiple_legal_orders"


def test_comparing_with_the_book_that_a_question_carries(run: Run, tmp_path: Path) -> None:
    book = {"extends": "datc", "options": {"multiple_legal_orders": "last"}}
    orders = {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]}
    asked = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": orders, "rulebook": book}
    question = _file(tmp_path / "q.json", json.dumps(asked))
    (found,) = lines(run("adjudicate", question, "--json", "--compare", "datc").out)
    assert found["groups"] == [["question"], ["datc"]]
    assert "Résultat 1\u00a0: question" in run("adjudicate", question, "--compare", "datc").out


def test_comparisons_line_by_line(run: Run) -> None:
    asked = [
        {
            "id": 7,
            "phase": "S1901M",
            "units": {"FRANCE": ["A PAR"]},
            "orders": {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]},
        },
        {"id": 8, "phase": "S1901M", "units": 3},
    ]
    sent = "\n".join(map(json.dumps, asked)).encode()
    first, second = lines(run("adjudicate", "--jsonl", "-", "--compare", "datc,anjou_feu", stdin=sent).out)
    assert (first["id"], first["groups"]) == (7, [["datc"], ["anjou_feu"]])
    assert (second["id"], second["error"]["kind"]) == (8, "bad_question")


def test_adjudicating_in_json(run: Run, position: str) -> None:
    (answer,) = lines(run("adjudicate", "--json", position).out)
    assert answer["next"] == "F1901M"
    (reading,) = lines(run("read", "--json", position).out)
    assert [entry["unit"] for entry in reading["orders"]][:2] == ["A PAR", "A MAR"]


def test_a_line_under_no_power_is_told(run: Run) -> None:
    ran = run("adjudicate", "-", stdin=b"A Par - Bou\nFrance\nA Mar - Esp\n")
    assert "A Par - Bou" in ran.out
    assert "A Espagne" in ran.out


# streams


def test_a_stream_stays_open_and_answers_at_once() -> None:
    command = [sys.executable, "-m", "talleyrand", "adjudicate", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for number in range(3):
            process.stdin.write(b'{"id": %d, "phase": "S1901M"}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


def test_a_stream_from_a_file(run: Run, tmp_path: Path) -> None:
    questions = _file(tmp_path / "q.jsonl", '{"id": 1, "phase": "S1901M"}\n{"id": 2}\n')
    one, two = lines(run("adjudicate", "--jsonl", questions).out)
    assert (one["next"], two["error"]["kind"]) == ("F1901M", "bad_question")
    assert set(lines(run("read", "--jsonl", questions).out)[0]) == {"id", "orders", "notes"}


@pytest.mark.long
def test_a_closed_pipe_is_quiet() -> None:
    command = f"{shlex.quote(sys.executable)} -m talleyrand variants --json | head -c 10"
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=PATIENCE, check=True)
    assert done.stderr == b""


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_command_is_quiet() -> None:
    command = [sys.executable, "-m", "talleyrand", "adjudicate", "--jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": 1, "phase": "S1901M"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (130, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_terminal_without_our_letters(position: str, encoding: str) -> None:
    environment = {"PYTHONIOENCODING": encoding, "TALLEYRAND_LANG": "fr"}
    command = [sys.executable, "-m", "talleyrand", "adjudicate", position]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=environment, check=True)
    assert done.stderr == b""
    assert b"Position obtenue" in done.stdout


# play


def test_play_for_people(run: Run, game: str) -> None:
    ran = run("play", game)
    assert ran.status == 0
    for words in ("Printemps 1901, mouvements", "Automne 1901", "Hiver 1901", "Ajustements"):
        assert words in ran.out


def test_play_gives_the_same_bytes(run: Run, game: str, tmp_path: Path) -> None:
    first = run("play", game, "--json").out
    assert [answer["phase"] for answer in lines(first)] == ["S1901M", "F1901M", "W1901A"]
    assert run("play", game, "--json").out == first
    record = _file(tmp_path / "record.json", run("play", game, "--record").out)
    assert run("play", record, "--json").out == first


def test_play_reads_and_writes_saved_games(run: Run, game: str, tmp_path: Path) -> None:
    saved = run("play", game, "--saved-game").out
    assert json.loads(saved)["map"] == "standard"
    again = lines(run("play", _file(tmp_path / "saved.jsonl", saved * 2), "--json").out)
    assert [answer["phase"] for answer in again] == ["S1901M", "F1901M", "W1901A"] * 2
    assert not any(answer["notes"] for answer in again)


def test_play_takes_a_folder(run: Run, tmp_path: Path) -> None:
    _file(tmp_path / "S1901M.txt", "France : A Par - Bou")
    assert "A Bourgogne" in run("play", str(tmp_path)).out


# draw


def test_draw_an_svg(run: Run, position: str, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    assert run("draw", position, "--out", str(out)).status == 0
    assert out.read_text("utf-8").startswith("<")
    assert "p-PAR" in out.read_text("utf-8")


def test_draw_tells_the_lines_it_leaves_out(run: Run, tmp_path: Path) -> None:
    sheet = _file(
        tmp_path / "sheet.txt", "phase : S1901M\nbonjour\n\nFRANCE\nA Par - Burgondi\nA Mar - Esp\n"
    )
    done = run("draw", sheet, "--out", str(tmp_path / "board.svg"))
    assert done.status == 0
    assert "Burgondi" in done.err
    assert "bonjour" in done.err
    assert "Mar" not in done.err


@pytest.mark.long
def test_draw_a_png(run: Run, position: str, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path / "board.png"
    assert run("draw", position, "--out", str(out), "--width", "400").status == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert run("draw", position, "--out", str(out), "--width", "4").status == 1


def test_draw_wants_a_picture_it_knows(run: Run, position: str, tmp_path: Path) -> None:
    ran = run("draw", position, "--out", str(tmp_path / "board.pdf"))
    assert (ran.status, ".svg" in ran.err) == (1, True)


# serve


def test_serve_says_which_extra_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talleyrand.cli.site_commands.SITE_PACKAGES", ("no_such_module",))
    ran = run("serve")
    assert ran.status == 1
    assert "talleyrand[web]" in ran.err


def _serve_by(monkeypatch: pytest.MonkeyPatch, serving: Callable[..., object]) -> None:
    """Have this called instead of the site."""
    modules = {"talleyrand.web.server.site_server": SimpleNamespace(serve_site=serving)}
    monkeypatch.setattr(
        "talleyrand.cli.site_commands.import_module", lambda name: modules.get(name) or import_module(name)
    )
    monkeypatch.setattr("talleyrand.cli.site_commands.SITE_PACKAGES", ())


def test_what_serve_begins_ends_with_it(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    file = tmp_path / "number"
    begun = f"import os, time; open({str(file)!r}, 'w').write(f'{{os.getpid()}}!'); time.sleep(300)"
    found: list[int] = []

    def serving(*_: object) -> None:
        wait_until(lambda: file.exists() and file.read_text().endswith("!"))
        found.append(int(file.read_text()[:-1]))
        os.kill(found[0], 0)

    monkeypatch.setattr("talleyrand.cli.site_commands.WARM_UP_ARGUMENTS", ("-c", begun))
    _serve_by(monkeypatch, serving)
    assert run("serve").status == 0
    with pytest.raises(ProcessLookupError):
        os.kill(found[0], 0)


@pytest.mark.parametrize(("given", "folder"), [("", "data"), (" ", "data"), ("/srv/games", "/srv/games")])
def test_serve_takes_an_empty_folder_setting_for_none(
    run: Run, monkeypatch: pytest.MonkeyPatch, given: str, folder: str
) -> None:
    taken: list[Path] = []
    _serve_by(monkeypatch, lambda _host, _port, data, _smtp: taken.append(data))
    monkeypatch.setenv("TALLEYRAND_DATA", given)
    assert run("serve").status == 0
    assert taken == [Path(folder)]
