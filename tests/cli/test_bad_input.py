"""Bad input, on `adjudicate` as text and as a stream: a sentence, the rest answered, never a traceback."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import Run

UNITS = {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]}
PLAIN = "Positions\nFrance : A Par, F Bre\nAllemagne : A Mun\nPrintemps 1901\nFrance\n"

# A line of France's, the kind of its error, and a word of the sentence in each language.
LINES = [
    ("A Par - Tokyo", "not_understood", ("Tokyo", "Tokyo")),
    ("F Par - Bou", None, None),
    ("A Mun - Bou", "foreign_unit", ("Allemagne", "Germany")),
    ("A Ber - Kie", "no_such_unit", ("Berlin", "Berlin")),
    ("\x00\x07\x1b[31m", "not_understood", ("compris", "understood")),
    ("☃ ⚔ \u202e", "not_understood", ("compris", "understood")),
]


def question(orders: list[str], **fields: Any) -> bytes:
    asked = {"id": 1, "phase": "S1901M", "units": UNITS, "orders": {"FRANCE": orders}} | fields
    return json.dumps(asked).encode() + b"\n"


def quiet(ran: Any) -> bool:
    return "Traceback" not in ran.err + ran.out


@pytest.mark.parametrize(("line", "kind", "words"), LINES)
def test_a_bad_line_in_a_stream_leaves_the_others(
    run: Run, line: str, kind: str | None, words: tuple[str, str] | None
) -> None:
    ran = run("adjudicate", "--jsonl", stdin=question([line, "F Bre - Man"]))
    answer = json.loads(ran.out)
    bad, good = answer["orders"][:2]
    assert (bad["line"], bad["error"] and bad["error"]["kind"]) == (line, kind)
    assert good["results"] == ["moves"]
    if words:
        assert words[0] in bad["error"]["message"]["fr"]
        assert words[1] in bad["error"]["message"]["en"]
    else:
        assert [note["kind"] for note in bad["notes"]] == ["letter_corrected"]
    assert quiet(ran)


@pytest.mark.parametrize(("line", "kind", "words"), LINES)
@pytest.mark.parametrize("place", [0, 1])
def test_a_bad_line_in_a_text_leaves_the_others(
    run: Run, line: str, kind: str | None, words: tuple[str, str] | None, place: int
) -> None:
    ran = run(
        "adjudicate", "-", "--lang", ("fr", "en")[place], stdin=f"{PLAIN}{line}\nF Bre - Man\n".encode()
    )
    assert ran.status == 0
    assert ("F Manche", "F English Channel")[place] in ran.out
    if words:
        assert words[place] in ran.out
    assert quiet(ran)


def test_two_orders_for_one_unit(run: Run) -> None:
    lines = ["A Par - Bou", "A Par - Pic"]
    answer = json.loads(run("adjudicate", "--jsonl", stdin=question(lines)).out)
    assert [entry["error"]["kind"] for entry in answer["orders"][:2]] == ["multiple_orders"] * 2
    text = run("adjudicate", "-", stdin=(PLAIN + "\n".join(lines)).encode()).out
    assert text.count("plusieurs") >= 2


def test_a_text_cannot_ask_about_a_board_that_is_not_there(run: Run) -> None:
    ran = run("adjudicate", "-", stdin=("variante : atlantide\n" + PLAIN).encode())
    assert "atlantide" in ran.out + ran.err
    assert "sandad" in ran.out + ran.err, "the boards that are playable are listed"


@pytest.mark.parametrize(
    ("fields", "plain", "kind", "word"),
    [
        ({"rulebook": "nobody"}, "livre : nobody\n" + PLAIN, "unknown_rulebook", "nobody"),
        ({"variant": "nowhere"}, "variante : nowhere\n" + PLAIN, "unknown_variant", "nowhere"),
        ({"phase": "Z9M"}, "phase : Z9M\nPositions\nFrance : A Par\n", "unknown_phase", "Z9M"),
        ({"units": {"FRANCE": ["A XYZ"]}}, "Positions\nFrance : A Xyz\n", "bad_position", "Xyz"),
        ({"units": {"FRANCE": ["A NTH"]}}, "Positions\nFrance : A Nrd\n", "bad_position", "NTH"),
        (
            {"units": {"FRANCE": ["A PAR", "F PAR"]}},
            "Positions\nFrance : A Par, A Par\n",
            "bad_position",
            "PAR",
        ),
        (
            {"units": {"FRANCE": ["A SPA"], "ITALY": ["F SPA/SC"]}},
            "Positions\nFrance : A Esp\nItalie : F Esp (cs)\n",
            "bad_position",
            "SPA",
        ),
    ],
)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_question_that_cannot_be_answered(
    run: Run, fields: dict[str, Any], plain: str, kind: str, word: str, language: str
) -> None:
    good = question(["A Par - Bou"])
    ran = run("adjudicate", "--jsonl", stdin=question([], **fields) + good)
    bad, after = map(json.loads, ran.out.splitlines())
    assert bad["error"]["kind"] == kind
    assert word.casefold() in bad["error"]["message"][language].casefold()
    assert after["orders"][0]["results"] == ["moves"]
    told = run("adjudicate", "-", "--lang", language, stdin=plain.encode())
    assert told.status == 1
    assert word in told.err
    assert told.err.count("\n") == 1
    assert quiet(ran)
    assert quiet(told)


def test_binary_junk(run: Run) -> None:
    junk = bytes(range(256)) * 40
    ran = run("adjudicate", "--jsonl", stdin=junk.replace(b"\n", b"") + b"\n" + question(["A Par - Bou"]))
    bad, after = map(json.loads, ran.out.splitlines())
    assert bad["error"]["kind"] == "bad_json"
    assert after["orders"][0]["results"] == ["moves"]
    told = run("adjudicate", "-", stdin=junk)
    assert (told.status, "UTF-8" in told.err) == (1, True)
    assert quiet(told)


def test_a_truncated_json_line(run: Run) -> None:
    ran = run("adjudicate", "--jsonl", stdin=question([])[:40] + b"\n" + question(["A Par - Bou"]))
    bad, after = map(json.loads, ran.out.splitlines())
    assert (bad["id"], bad["error"]["kind"]) == (1, "bad_json")
    assert after["id"] == 1
    told = run("adjudicate", "-", stdin=question([])[:40])
    assert (told.status, "JSON" in told.err) == (1, True)


@pytest.mark.long
def test_a_sheet_of_a_megabyte(run: Run) -> None:
    lines = ["A Par - Bou", *["A Par - Bou et puis rien d’autre que du bruit"] * 12_000, "x" * 500_000]
    ran = run("adjudicate", "--jsonl", stdin=question(lines) + question(["A Par - Bou"]))
    big, after = map(json.loads, ran.out.splitlines())
    assert {entry["line_no"] for entry in big["orders"] if entry["line"]} == set(range(1, len(lines) + 1))
    assert after["orders"][0]["results"] == ["moves"]
    told = run("adjudicate", "-", stdin=(PLAIN + "\n".join(lines)).encode())
    assert told.status == 0
    assert quiet(told)


def test_a_text_that_is_too_long(run: Run) -> None:
    told = run("adjudicate", "-", stdin=b"x" * (8 << 20) + b"xx")
    assert (told.status, "8" in told.err) == (1, True)


@pytest.mark.parametrize("command", ["adjudicate", "read", "play", "draw"])
def test_a_file_that_is_not_there(run: Run, tmp_path: Path, command: str) -> None:
    more = ["--out", str(tmp_path / "x.svg")] if command == "draw" else []
    told = run(command, str(tmp_path / "nothing.txt"), *more)
    assert (told.status, "nothing.txt" in told.err) == (1, True)
    assert quiet(told)


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "Printemps 1901\nFrance\nA Par - Bou\nPrintemps 1901\n", "\x00"]
)
def test_play_never_fails_with_a_traceback(run: Run, text: str) -> None:
    ran = run("play", "-", stdin=text.encode())
    assert ran.status in (0, 1)
    assert quiet(ran)


@pytest.mark.parametrize("text", ["", "\n\n", '{"talleyrand": 1, "variant": "classic", "phases": []}'])
def test_play_says_that_there_is_nothing_to_play(run: Run, tmp_path: Path, text: str) -> None:
    game = tmp_path / "rien.txt"
    game.write_text(text, "utf-8")
    ran = run("play", str(game))
    assert (ran.status, ran.out) == (1, "")
    assert "rien.txt » ne contient aucune phase à jouer" in ran.err.replace("\u00a0", " ")
