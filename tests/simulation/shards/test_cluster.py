"""The same shards on a Dask cluster: one of its own, on this machine."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from talleyrand.simulation.shards.dask_cluster import run_on_cluster
from talleyrand.simulation.shards.simulation_folder import SimulationFolder
from talleyrand.simulation.shards.simulation_plan import ShardError
from tests.simulation.shards.plans import plan, played

pytestmark = pytest.mark.filterwarnings("ignore")  # what Dask does with sockets and forks is its own affair


@pytest.fixture(autouse=True)
def _clients_gone() -> Iterator[None]:
    """A client that never reached anybody is closed here and now: closed later, in the middle of the start
    of another cluster, it waits for itself.
    """
    yield
    gc.collect()


@pytest.fixture
def address() -> Iterator[str]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.long
def test_a_cluster_plays_the_same_shards(address: str, tmp_path: Path) -> None:
    asked, told = plan("random", games=6, shards=3, years=2), list[float]()
    folder = SimulationFolder.open(tmp_path / "cluster", asked)
    run_on_cluster(folder, [1, 3], address, told.append)
    assert folder.done_shards() == [1, 3]
    assert told == [0.0, 0.5, 1.0]
    alone = played(tmp_path / "alone", asked)
    assert folder.shard_path(3).read_bytes() == alone.shard_path(3).read_bytes()


@pytest.mark.long
def test_nobody_at_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("talleyrand.simulation.shards.dask_cluster.PATIENCE", 1)
    folder = SimulationFolder.open(tmp_path, plan())
    for address in ("tcp://127.0.0.1:9", "nonsense://x", ""):
        with pytest.raises(ShardError) as refused:
            run_on_cluster(folder, [1], address, list[float]().append)
        assert refused.value.code == "no_cluster"


@pytest.mark.long
def test_a_cluster_without_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("talleyrand.simulation.shards.dask_cluster.PATIENCE", 1)
    empty = {"n_workers": 0, "processes": True, "host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(**empty) as cluster, pytest.raises(ShardError) as refused:
        run_on_cluster(
            SimulationFolder.open(tmp_path, plan()), [1], cluster.scheduler_address, list[float]().append
        )
    assert refused.value.code == "no_machines"
