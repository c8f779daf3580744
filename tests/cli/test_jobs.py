"""`--jobs`: several processes answer as one does, in order, and end together."""

import inspect
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from talleyrand.cli.answer_forms import AnswerForm
from talleyrand.cli.console import json_line
from talleyrand.cli.parallel_answers import BYTES_IN_FLIGHT, MAX_JOBS, answer_in_parallel
from talleyrand.formats.json_checks import MAX_JSON_BYTES
from talleyrand.formats.json_lines import answer_stream
from tests.cli.run import Run
from tests.each import each
from tests.formats.test_answer_forms import QUESTIONS
from tests.waiting import PATIENCE, wait_until

FORM = AnswerForm(("en",), reasons="none")
COMMAND = (sys.executable, "-m", "talleyrand", "adjudicate", "--jsonl", "-", "--jobs", "2")
LINE = json.dumps(QUESTIONS[0]).encode() + b"\n"
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and /proc of Linux")


def stream(times: int) -> bytes:
    """Questions of all kinds, each with its number, and bad lines between them."""
    lines = [json.dumps(question | {"id": number}) for number, question in enumerate(QUESTIONS * times)]
    bad = [b'{"id": 2, "phase": "S19', b"", b"\xff\xfe", b'{"id": 3, "id": 4}', b"x" * (MAX_JSON_BYTES + 1)]
    return b"\n".join([*(line.encode() for line in lines), *bad, *(line.encode() for line in lines)])


@pytest.mark.long
@each("method", ["fork", "spawn"] if sys.platform == "linux" else ["spawn"])
def test_several_processes_answer_as_one_does(method: str) -> None:
    asked = stream(6)
    alone = [json_line(answer) for answer in answer_stream(io.BytesIO(asked), FORM.reply, FORM.languages)]
    assert b"".join(answer_in_parallel(io.BytesIO(asked), FORM, 3, method)) == b"".join(alone)


@pytest.mark.long
def test_the_command_gives_the_same_bytes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_bytes(stream(1))
    alone = run("adjudicate", "--jsonl", str(file), "--compare", "datc,anjou_feu")
    assert alone.status == 0
    assert run("adjudicate", "--jsonl", str(file), "--compare", "datc,anjou_feu", "--jobs", "2") == alone


@each("jobs", ["0", "-1", str(MAX_JOBS + 1), "1000000"])
def test_a_number_of_processes_that_there_cannot_be(run: Run, jobs: str) -> None:
    told = run("read", "--jsonl", "-", "--jobs", jobs)
    assert (told.status, told.out) == (2, "")
    assert str(MAX_JOBS) in told.err


def test_one_question_needs_one_process(run: Run) -> None:
    assert run("read", "-", "--jobs", "2").status == 2


def test_a_file_that_is_not_there(run: Run) -> None:
    assert run("read", "--jsonl", "nowhere.jsonl", "--jobs", "2").status == 1


@pytest.fixture
def talk() -> Iterator[subprocess.Popen[bytes]]:
    """The command behind another program, which writes line by line."""
    running = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    with running:
        yield running
        running.kill()


def ask(running: subprocess.Popen[bytes]) -> bytes:
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(LINE)
    running.stdin.flush()
    return running.stdout.readline()


def children(process: int) -> list[int]:
    """The processes that a process began and that are still there."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    return [int(child) for child in found]


def wait_until_gone(processes: list[int]) -> None:
    wait_until(lambda: not any(map(_lives, processes)), lambda: list(filter(_lives, processes)), patience=30)


def _lives(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    try:
        return stat.read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@UNIX
def test_each_answer_comes_before_the_next_question(talk: subprocess.Popen[bytes]) -> None:
    assert json.loads(ask(talk)) == json.loads(ask(talk))
    assert talk.stdin is not None
    talk.stdin.close()
    assert talk.wait(PATIENCE) == 0


@UNIX
def test_a_process_that_is_killed_is_told_and_nothing_is_lost_silently(talk: subprocess.Popen[bytes]) -> None:
    ask(talk)
    started = children(talk.pid)
    assert len(started) == 2
    for child in started:
        with suppress(ProcessLookupError):  # the command ends the second itself, once the first is gone
            os.kill(child, signal.SIGKILL)
    assert ask(talk) == b""
    assert talk.stderr is not None
    assert b"1" in talk.stderr.read()
    assert talk.wait(PATIENCE) == 1


@pytest.mark.long
@UNIX
@pytest.mark.usefixtures("interruptible")
@each("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_all_end_with_the_one_that_is_asked(sent: signal.Signals) -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as running:
        ask(running)
        started = children(running.pid)
        if sent is signal.SIGINT:
            os.killpg(running.pid, sent)  # as a terminal does
        else:
            running.send_signal(sent)
        assert running.wait(PATIENCE) == (130 if sent is signal.SIGINT else -sent)
        wait_until_gone(started)


@UNIX
def test_all_end_where_nobody_reads(talk: subprocess.Popen[bytes]) -> None:
    ask(talk)
    started = children(talk.pid)
    assert talk.stdout is not None
    assert talk.stdin is not None
    talk.stdout.close()
    talk.stdin.write(LINE)
    talk.stdin.flush()
    assert talk.wait(PATIENCE) == 1
    wait_until_gone(started)


class _Endless(io.RawIOBase):
    """Lines of half the greatest length, without end; counts what is read of it."""

    given = 0

    def read1(self, size: int = -1, /) -> bytes:
        self.given += size
        ends = self.given % (MAX_JSON_BYTES // 2) < size
        return b"x" * (size - 1) + (b"\n" if ends else b"x")


@pytest.mark.long
@UNIX
def test_no_more_is_read_than_what_is_in_flight() -> None:
    """Many processes are asked for, and lines of megabytes: what waits is bounded all the same."""
    source = _Endless()
    answers = answer_in_parallel(source, FORM, 8)  # type: ignore[arg-type]
    next(answers)
    reader = inspect.getgeneratorlocals(answers)["reader"]
    wait_until(lambda: reader.room._waiters)  # for an answer to be taken
    assert source.given <= 2 * BYTES_IN_FLIGHT
    answering = [child.pid for child in multiprocessing.active_children() if child.pid]
    assert len(answering) >= 8
    answers.close()
    wait_until_gone(answering)
