"""A long stream of questions goes over to compiled code on its way, and answers as before."""

import sys
import time
from collections.abc import Iterator

import pytest

from talleyrand.cli import compiled_reasons
from talleyrand.formats.adjudication import AnswerJson, adjudicate_question
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from tests.formats import crowds

QUESTION = crowds.contradictions(1, 40)


def _answers(most: int) -> Iterator[AnswerJson]:
    """The same answer again and again, until one comes by compiled code."""
    for _ in range(most):
        compiled = AdjudicatedQuestion.compiled_removals
        yield adjudicate_question(QUESTION)
        if compiled:
            return
        time.sleep(0.05)


@pytest.mark.parametrize("status", [0, 1])
def test_a_long_stream_is_answered_by_compiled_code_and_the_same(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the process that compiles fails, the stream goes on without."""
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(compiled_reasons, "LONG_STREAM", 2)
    monkeypatch.setattr(compiled_reasons, "_LOADER", (sys.executable, "-c", f"raise SystemExit({status})"))
    with compiled_reasons.compiled_reasons(_answers(400 if status == 0 else 20)) as answers:
        given = list(answers)
    assert (AdjudicatedQuestion.compiled_removals is not None) == (status == 0)
    assert len(given) > 2
    assert all(answer == given[0] for answer in given)


def test_a_short_stream_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(compiled_reasons, "_LOADER", ("/nowhere/to/be/found",))
    with compiled_reasons.compiled_reasons(iter(range(compiled_reasons.LONG_STREAM - 1))) as answers:
        assert list(answers) == list(range(compiled_reasons.LONG_STREAM - 1))
    assert AdjudicatedQuestion.compiled_removals is None
