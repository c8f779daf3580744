"""The same shards on a Dask cluster (extra `cluster`). Its machines need Talleyrand with the extra
`simulation`, in the same version, and no folder in common: what they play comes back as bytes."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .shard_playing import play_shard
from .simulation_folder import SimulationFolder
from .simulation_plan import ShardError, SimulationPlan

PATIENCE = 20  # seconds until a scheduler that does not answer counts as absent
Tell = Callable[[float], None]


def run_on_cluster(folder: SimulationFolder, shards: Sequence[int], address: str, tell: Tell) -> None:
    """Have the cluster whose scheduler has this address play shards, and keep each as it comes.

    Raises ShardError (`no_dask`, `no_cluster`, `no_machines`, `cluster_failed`), OSError where a shard cannot
    be kept, and what keeps a shard from being played. Interrupted, it takes its shards back from the cluster.
    """
    if not shards:
        return
    distributed = _distributed()
    folder.check()
    tell(0.0)
    with _client(distributed, address) as client:
        waiting = {
            client.submit(play, folder.plan, shard, key=_key(folder.plan, shard)): shard for shard in shards
        }
        try:
            for done, future in enumerate(distributed.as_completed(list(waiting)), 1):
                folder.store_shard(waiting[future], _content(future))
                tell(done / len(shards))
        finally:
            client.cancel(list(waiting), force=True)


def play(plan: SimulationPlan, shard: int) -> bytes:
    """What a machine of the cluster does."""
    return play_shard(plan, shard, _in_silence)


def _in_silence(done: float) -> None:
    """Nobody listens between the shards."""


def _key(plan: SimulationPlan, shard: int) -> str:
    return f"talleyrand-{plan.checksum}-{shard}"


def _content(future: Any) -> bytes:
    try:
        content: bytes = future.result()
    except (ShardError, OSError):
        raise
    except Exception as fault:
        raise ShardError("cluster_failed", reason=_reason(fault)) from fault
    return content


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as fault:
        raise ShardError("no_cluster", address=address, reason=_reason(fault)) from None
    with client, client.as_current():
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise ShardError("no_machines", address=address) from None
        yield client


def _distributed() -> Any:
    if importlib.util.find_spec("distributed") is None:
        raise ShardError("no_dask")
    return importlib.import_module("distributed")


def _reason(fault: BaseException) -> str:
    return f"{type(fault).__name__}: {fault}".strip(": ")[:200]
