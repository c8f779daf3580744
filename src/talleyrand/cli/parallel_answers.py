"""A stream answered by several processes: in the order of the questions, each as soon as all before it are.

However long the stream is, no more is in flight than some lines for each process, and BYTES_IN_FLIGHT.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from queue import Queue
from threading import Condition, Thread
from typing import BinaryIO

from talleyrand.formats.json_lines import AnswerFunction, QuestionLine, answer_line, question_lines
from talleyrand.parent_process import end_pool, end_with_parent

from .answer_forms import AnswerForm, collect_rarely
from .compiled_reasons import CompiledReasons, load_for_long_stream
from .console import CommandError, json_line

MAX_JOBS = 64
BATCH_LINES, BATCH_BYTES = 32, 1 << 16
BATCHES_A_JOB = 4
BYTES_IN_FLIGHT = 32 << 20


@dataclass(frozen=True)
class _Batch:
    """Lines that are answered together, and the answers that are to come."""

    lines: int
    bytes_: int
    answers: Future[bytes]


def answer_in_parallel(
    source: BinaryIO, form: AnswerForm, jobs: int, start_method: str | None = None
) -> Generator[bytes, None, None]:
    """The answers to a stream by so many processes, several lines at a time as they come; closes the stream.

    `start_method` is that of `multiprocessing`, the system's own unless given. Raises CommandError
    (`error.process_ended`) where a process ends before its answers are there, with how many are complete.
    """
    before = multiprocessing.active_children()
    context = multiprocessing.get_context(start_method)
    if form.finds_reasons and context.get_start_method() == "fork":
        load_for_long_stream(source)
    pool = ProcessPoolExecutor(jobs, context, _begin, (form,))
    done = 0
    try:
        pool.submit(_ready).result()  # before there is any thread: what is forked has one alone
        reader = _Reader(source, pool, jobs)
        for batch in reader.batches():
            yield batch.answers.result()
            done += batch.lines
            reader.release(batch)
        pool.shutdown()
    except BrokenProcessPool:
        raise CommandError("error.process_ended", count=str(done)) from None
    finally:
        end_pool(pool, before)


@dataclass
class _Reader:
    """A thread that reads lines as they come and has them answered, while there is room for more."""

    source: BinaryIO
    pool: ProcessPoolExecutor
    jobs: int
    bytes_in_flight: int = 0
    room: Condition = field(default_factory=Condition)

    def batches(self) -> Iterator[_Batch]:
        """Every batch in the order of the stream; raises what reading it raises."""
        read: Queue[_Batch | BaseException | None] = Queue(BATCHES_A_JOB * self.jobs)
        # It may wait for input when all else is over: nobody waits for it.
        Thread(target=self._read_batches, args=(read,), daemon=True).start()
        while (found := read.get()) is not None:
            if isinstance(found, BaseException):
                raise found
            yield found

    def _read_batches(self, read: Queue[_Batch | BaseException | None]) -> None:
        try:
            with self.source:
                for come in question_lines(self.source):
                    for lines in _cut(come):
                        read.put(self._begun_batch(lines))
        except BaseException as fault:  # noqa: BLE001 it is raised where the batches are waited for
            read.put(fault)
        else:
            read.put(None)

    def _begun_batch(self, lines: list[QuestionLine]) -> _Batch:
        size = sum(map(_size, lines))
        with self.room:
            self.room.wait_for(lambda: self.bytes_in_flight + size <= BYTES_IN_FLIGHT)
            self.bytes_in_flight += size
        return _Batch(len(lines), size, self.pool.submit(_answers, lines))

    def release(self, batch: _Batch) -> None:
        """The answers of a batch are written: there is room for others."""
        with self.room:
            self.bytes_in_flight -= batch.bytes_
            self.room.notify()


def _size(line: QuestionLine) -> int:
    return len(line or b"")


def _cut(lines: list[QuestionLine]) -> Iterator[list[QuestionLine]]:
    """Lines that have come together, few enough for one process; a long one alone."""
    batch: list[QuestionLine] = []
    for line in lines:
        if len(batch) == BATCH_LINES or (batch and sum(map(_size, batch)) + _size(line) > BATCH_BYTES):
            yield batch
            batch = []
        batch.append(line)
    if batch:
        yield batch


# in the processes

_REPLY: list[tuple[AnswerFunction, Sequence[str]]] = []  # with the languages of what is wrong with a line


def _begin(form: AnswerForm) -> None:
    """Who asked ends this process: neither Ctrl-C nor anything else does; and it does not outlive them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _REPLY[:] = [(CompiledReasons(form.reply).reply if form.finds_reasons else form.reply, form.languages)]
    collect_rarely()
    end_with_parent()


def _ready() -> None:
    """Whether a process begins at all."""


def _answers(lines: list[QuestionLine]) -> bytes:
    ((reply, languages),) = _REPLY
    return b"".join(json_line(answer_line(line, reply, languages)) for line in lines)


def own_stdin() -> BinaryIO:
    """Standard input as a stream of its own, which nobody waits for when the program ends."""
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except OSError:  # it is none of the system's
        return sys.stdin.buffer
