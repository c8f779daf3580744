"""A long stream of questions goes over to compiled code on its way, and answers as before."""

import sys
from contextlib import closing

import pytest

from talleyrand.cli import compiled_reasons
from talleyrand.cli.answer_forms import AnswerForm
from talleyrand.cli.compiled_reasons import CompiledReasons
from talleyrand.formats.adjudication import adjudicate_question
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from tests.each import each
from tests.formats import crowds

QUESTION = crowds.contradictions(1, 40)


@pytest.mark.parametrize("status", [0, 1])
def test_a_long_stream_is_answered_by_compiled_code_and_the_same(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the process that compiles fails, the stream goes on without."""
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(compiled_reasons, "LONG_STREAM", 2)
    monkeypatch.setattr(compiled_reasons, "_LOADER", (sys.executable, "-c", f"raise SystemExit({status})"))
    with closing(CompiledReasons(adjudicate_question)) as compiled:
        given = [compiled.reply(QUESTION) for _ in range(3)]
        assert compiled.process is not None
        assert AdjudicatedQuestion.compiled_removals is None
        compiled.process.wait()
        given += [compiled.reply(QUESTION) for _ in range(3)]
    assert (AdjudicatedQuestion.compiled_removals is not None) == (status == 0)
    assert len(given) == 6
    assert all(answer == given[0] for answer in given)


def test_a_short_stream_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(compiled_reasons, "_LOADER", ("/nowhere/to/be/found",))
    few = range(compiled_reasons.LONG_STREAM - 1)
    with closing(CompiledReasons(lambda question: {"id": question})) as compiled:
        assert [compiled.reply(number) for number in few] == [{"id": number} for number in few]
        assert compiled.process is None
    assert AdjudicatedQuestion.compiled_removals is None


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
