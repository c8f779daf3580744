"""Shards over a pool of processes. Whatever ends the run, the shards that were done stay."""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.sharedctypes import SynchronizedArray
from multiprocessing.synchronize import Event
from typing import NamedTuple

from talleyrand.parent_process import end_with_parent
from talleyrand.simulation.batch_adjudicator import NumbaMissingWarning

from .shard_playing import play_shard, precompile_plan
from .simulation_folder import SimulationFolder
from .simulation_plan import ShardError, ShardStopped, SimulationPlan

OFTEN = 0.5  # seconds between two looks at how far the processes are
Tell = Callable[[float], None]


def run_shards(folder: SimulationFolder, shards: Sequence[int], workers: int, tell: Tell) -> None:
    """Play shards and keep each as it is done; `tell` hears from time to time how much is done, from 0 to 1.

    Interrupted, it lets the processes stop after the phase they are in. Raises ShardError (`worker_lost`)
    where a process dies, OSError where a shard cannot be kept, and what keeps a shard from being played.
    """
    if not shards:
        return
    folder.check()
    tell(0.0)
    if workers == 1 or len(shards) == 1:
        _alone(folder, shards, tell)
    else:
        _together(folder, shards, workers, tell)
    tell(1.0)


def _alone(folder: SimulationFolder, shards: Sequence[int], tell: Tell) -> None:
    before = 0

    def watch(done: float) -> None:
        tell((before + done) / len(shards))

    for shard in shards:
        folder.store_shard(shard, play_shard(folder.plan, shard, watch))
        before += 1


def _together(folder: SimulationFolder, shards: Sequence[int], workers: int, tell: Tell) -> None:
    precompile_plan(folder.plan)
    with _pool(folder.plan, shards, workers) as (pool, progress):
        with _deaf_to_the_keyboard():
            waiting = {pool.submit(_play, shard): shard for shard in shards}
        while waiting:
            # an interruption inside `wait` would leave locks taken that the pool needs to end
            with _deaf_to_the_keyboard():
                done, _ = wait(waiting, timeout=OFTEN, return_when=FIRST_COMPLETED)
                for future in done:
                    folder.store_shard(waiting.pop(future), _content(future))
            tell(sum(progress[:]) / len(shards))


def _content(future: Future[bytes]) -> bytes:
    try:
        return future.result()
    except BrokenProcessPool:
        raise ShardError("worker_lost") from None


# the processes ------------------------------------------------------------------------------------


class WorkerTask(NamedTuple):
    """What a process of the pool knows: the plan, where to tell how far each shard is, and when to stop."""

    plan: SimulationPlan
    place: dict[int, int]
    progress: SynchronizedArray[float]
    stop: Event


_work: list[WorkerTask] = []


@contextmanager
def _pool(
    plan: SimulationPlan, shards: Sequence[int], workers: int
) -> Iterator[tuple[ProcessPoolExecutor, SynchronizedArray[float]]]:
    """New processes, which share nothing with this one but their work; told to stop where it ends early."""
    context = multiprocessing.get_context("spawn")
    place = {shard: at for at, shard in enumerate(shards)}
    work = WorkerTask(plan, place, context.Array("d", len(shards)), context.Event())
    pool = ProcessPoolExecutor(min(workers, len(shards)), context, _begin, work)
    try:
        yield pool, work.progress
    finally:
        work.stop.set()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf_to_the_keyboard() -> Iterator[None]:
    """Ctrl+C is heard afterwards; processes begun in here never hear it, as it is their parent's affair."""
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _begin(*work: object) -> None:
    """A process begins; it does not outlive its parent."""
    warnings.simplefilter("ignore", NumbaMissingWarning)  # whoever began the pool has heard it
    _work[:] = [WorkerTask(*work)]  # type: ignore[arg-type]
    end_with_parent()


def _play(shard: int) -> bytes:
    work = _work[0]

    def watch(done: float) -> None:
        if work.stop.is_set():
            raise ShardStopped
        work.progress[work.place[shard]] = done

    return play_shard(work.plan, shard, watch)
