"""A long stream of questions goes over to compiled code on its way, and answers as before."""

import io
import os
import sys
from pathlib import Path

import pytest

from talleyrand.cli import compiled_reasons
from talleyrand.cli.answer_forms import AnswerForm
from talleyrand.cli.compiled_reasons import CompiledReasons, load_for_long_stream
from talleyrand.formats.adjudication import adjudicate_question
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.json_lines import answer_stream
from tests.each import each
from tests.formats import crowds

pytest.importorskip("numpy")
reasons_compiler = pytest.importorskip("talleyrand.simulation.reasons_compiler")
QUESTION = crowds.contradictions(1, 40)


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is said that compiled code is kept; here it is not, and two questions are a long stream."""
    mark = tmp_path / "folder" / "reasons.kept"
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(compiled_reasons, "LONG_STREAM", 2)
    monkeypatch.setattr(reasons_compiler, "kept_mark", lambda: mark)
    return mark


@pytest.mark.parametrize("status", [0, 1])
def test_a_long_stream_is_answered_by_compiled_code_and_the_same(
    status: int, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the process that compiles fails, the stream goes on without, and starts no other."""
    program = f"import pathlib; {status} or pathlib.Path({str(mark)!r}).touch(); raise SystemExit({status})"
    monkeypatch.setattr(reasons_compiler, "_COMPILER", (sys.executable, "-c", program))
    mark.parent.mkdir()
    compiled = CompiledReasons(adjudicate_question)
    given = [compiled.reply(QUESTION) for _ in range(3)]
    process = compiled.process
    assert process is not None
    process.wait()
    given += [compiled.reply(QUESTION) for _ in range(3)]
    assert compiled.process is process
    assert (AdjudicatedQuestion.compiled_removals is not None) == (status == 0)
    assert len(given) == 6
    assert all(answer == given[0] for answer in given)


@each("kept", [True, False])
def test_whatever_keeps_compiled_code_away_costs_no_answer(
    mark: Path, monkeypatch: pytest.MonkeyPatch, *, kept: bool
) -> None:
    """No home, a compiler that is broken, no process left: it is tried once, and the stream goes on."""
    tried: list[int] = []

    def broken(*_: object) -> Path:
        tried.append(1)
        raise RuntimeError

    monkeypatch.setattr(reasons_compiler, "load_compiled_reasons" if kept else "kept_mark", broken)
    mark.parent.mkdir(exist_ok=True)
    mark.touch()
    lines = b"{}\n" * 5
    answers = answer_stream(io.BytesIO(lines), CompiledReasons(lambda _: {"done": True}).reply)
    assert list(answers) == [{"done": True}] * 5
    load_for_long_stream(io.BytesIO(lines))
    assert len(tried) == 2


def test_a_short_stream_starts_nothing(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons_compiler, "_COMPILER", ("/nowhere/to/be/found",))
    compiled = CompiledReasons(lambda question: {"id": question})
    assert [compiled.reply(number) for number in range(2)] == [{"id": number} for number in range(2)]
    assert compiled.process is None
    assert AdjudicatedQuestion.compiled_removals is None


def test_one_process_compiles_for_all(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another that finds it at work leaves it alone."""
    monkeypatch.setattr(os, "nice", lambda _: None)
    mark.parent.mkdir()
    with reasons_compiler._alone(mark.with_suffix(".lock")) as alone:
        assert alone
        reasons_compiler.compile_for_all()
        assert not mark.exists()
    reasons_compiler.compile_for_all()
    assert mark.exists()


@each("lines, kept, wanted", [(2, True, True), (1, True, False), (2, False, False)])
def test_what_is_kept_is_loaded_before_a_long_file_is_answered(
    lines: int, mark: Path, *, kept: bool, wanted: bool
) -> None:
    mark.parent.mkdir(exist_ok=True)
    mark.unlink(missing_ok=True)
    AdjudicatedQuestion.compiled_removals = None
    if kept:
        mark.touch()
    source = io.BytesIO(b"blank\n" + b"{}\n" * lines)
    source.readline()
    load_for_long_stream(source)
    assert source.read() == b"{}\n" * lines
    assert (AdjudicatedQuestion.compiled_removals is not None) == wanted


@each(
    "form, wanted",
    [
        (AnswerForm(), True),
        (AnswerForm(reasons="all"), True),
        (AnswerForm(reasons="none"), False),
        (AnswerForm(read_only=True), False),
        (AnswerForm(compared="all"), True),
    ],
)
def test_only_who_asks_for_reasons_has_them_compiled(form: AnswerForm, *, wanted: bool) -> None:
    assert form.finds_reasons == wanted
