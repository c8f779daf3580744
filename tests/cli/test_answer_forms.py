"""`--lang` and `--reasons none` of `adjudicate` and `read`."""

import json
from pathlib import Path
from typing import Any

from talleyrand.formats.adjudication import adjudicate_question
from tests.cli.run import Run
from tests.each import each
from tests.formats.test_answer_forms import BAD, MOVES, QUESTIONS, kept

BOTH, FRENCH, NONE = ("fr", "en"), ("fr",), ()
Value = Any


def file_of_questions(folder: Path) -> str:
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(question) + "\n" for question in QUESTIONS) + "{\n", "utf-8")
    return str(file)


def values(out: str) -> Value:
    return [json.loads(line) for line in out.splitlines()]


@each("command", ["adjudicate", "read"])
@each(
    "options, languages",
    [(("--lang", "both"), BOTH), (("--lang", "fr"), FRENCH), (("--lang", "none"), NONE)],
)
def test_a_stream_is_answered_in_the_languages_asked_for(
    run: Run, tmp_path: Path, command: str, options: tuple[str, ...], languages: tuple[str, ...]
) -> None:
    file = file_of_questions(tmp_path)
    whole = values(run(command, "--jsonl", file).out)
    assert values(run(command, "--jsonl", file, *options).out) == kept(whole, languages)


def test_a_language_before_the_command_is_that_of_its_sentences_alone(run: Run, tmp_path: Path) -> None:
    file = file_of_questions(tmp_path)
    assert run("--lang", "fr", "adjudicate", "--jsonl", file).out == run("adjudicate", "--jsonl", file).out


def test_without_reasons(run: Run, tmp_path: Path) -> None:
    told = run("adjudicate", "--jsonl", file_of_questions(tmp_path), "--reasons", "none")
    assert values(told.out)[0] == adjudicate_question(MOVES, with_reasons=False)


def test_one_file_in_json(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps(MOVES), "utf-8")
    whole = json.loads(run("adjudicate", "--json", str(file)).out)
    assert json.loads(run("adjudicate", "--json", str(file), "--lang", "none").out) == kept(whole, NONE)
    file.write_text(json.dumps(BAD), "utf-8")
    assert "nowhere" in run("adjudicate", "--json", str(file), "--lang", "none").err


@each("language", ["both", "none"])
def test_an_answer_in_words_has_one_language(run: Run, tmp_path: Path, language: str) -> None:
    file = tmp_path / "question.json"
    file.write_text(json.dumps(MOVES), "utf-8")
    told = run("adjudicate", str(file), "--lang", language)
    assert (told.status, told.out) == (2, "")
    assert f"--lang {language}" in told.err


@each("option, value", [("--lang", "de"), ("--reasons", "few")])
def test_a_bad_value_is_told_with_those_there_are(run: Run, option: str, value: str) -> None:
    told = run("adjudicate", "--jsonl", "-", option, value, environment={"LANG": "fr"})
    assert told.status == 2
    assert value in told.err
    assert "none" in told.err
