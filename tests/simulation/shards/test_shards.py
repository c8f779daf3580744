"""Shards: cut, played by whoever it may be, kept whole, taken up again."""

import json
import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Barrier, Thread

import pytest

from talleyrand.simulation.shards import simulation_folder as folders
from talleyrand.simulation.shards.process_pool import run_shards
from talleyrand.simulation.shards.result_queries import SimulationResults
from talleyrand.simulation.shards.shard_playing import Shard, play_shard
from talleyrand.simulation.shards.shard_recording import write_shard
from talleyrand.simulation.shards.simulation_folder import SimulationFolder
from talleyrand.simulation.shards.simulation_plan import (
    ShardError,
    ShardStopped,
    SimulationPlan,
    default_shard_count,
    read_plan,
)
from tests.simulation.shards.plans import plan, played, silent

Games = dict[int, list[dict[str, object]]]


def games_of(folder: SimulationFolder) -> Games:
    results = SimulationResults(folder.path)
    return {
        game: results.game(game) for shard in folder.done_shards() for game in folder.plan.games_of(shard)
    }


# cutting


@pytest.mark.parametrize(("games", "shards"), [(1, 1), (7, 7), (210, 30), (1000, 7), (13, 5)])
def test_every_game_is_in_one_shard(games: int, shards: int) -> None:
    asked = plan(games=games, shards=shards)
    cut = [asked.games_of(shard) for shard in range(1, shards + 1)]
    assert list(chain(*cut)) == list(range(games))
    assert max(map(len, cut)) - min(map(len, cut)) <= 1
    assert all(game in asked.games_of(asked.shard_of(game)) for game in range(games))


@pytest.mark.parametrize("games", [1, 9, 10, 11, 99, 100, 1000, 50_000, 1_000_000])
def test_the_usual_shards_are_never_too_many(games: int) -> None:
    assert 1 <= default_shard_count(games, ("values",)) <= max(50, games // 500)


@pytest.mark.parametrize("games", [1, 14, 210, 50_000])
def test_games_of_bots_that_take_their_time_are_shards_of_their_own(games: int) -> None:
    assert default_shard_count(games, ("search:hard", "values")) == min(games, 1000)


def test_progress_is_told_within_a_phase() -> None:
    told = list[float]()
    played = Shard(plan("search:easy", games=1, shards=1, years=1), 1)
    played.step(told.append)
    assert len(told) == 7
    assert told == sorted(told)
    assert 0 < told[0] < told[-1] < played.progress() + 1e-9


@pytest.mark.parametrize(
    "change",
    [
        {"games": 0},
        {"games": 5, "shards": 6},
        {"games": 100_000_000, "shards": 1},
        {"games": 100_000_000, "shards": 100_000_000},
        {"seed": -1},
        {"years": 0},
    ],
)
def test_a_plan_that_nobody_can_play_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(ShardError) as refused:
        plan(**change)  # type: ignore[arg-type]
    assert refused.value.code == "out_of_range"


def test_a_plan_reads_what_it_wrote() -> None:
    asked = plan(rulebook={"name": "mine", "extends": "datc", "options": {}})
    assert read_plan(json.loads(json.dumps(asked.as_json())), "games") == asked


# playing


@pytest.mark.long
def test_a_game_does_not_depend_on_its_shard(tmp_path: Path) -> None:
    cut = [plan("random", games=6, shards=shards, years=2) for shards in (1, 2, 6)]
    first, *others = (games_of(played(tmp_path / str(one.shards), one)) for one in cut)
    assert len(first) == 6
    assert all(other == first for other in others)
    assert games_of(played(tmp_path / "other", plan("random", games=6, seed=1902, years=2))) != first


def test_the_same_shard_is_the_same_bytes() -> None:
    asked = plan("random", years=1)
    assert play_shard(asked, 1, silent) == play_shard(asked, 1, silent)


def test_another_version_of_the_program_does_not_play() -> None:
    asked = SimulationPlan(**plan().as_json() | {"bots": ("hold",) * 7, "version": "0.0.1"})  # type: ignore[arg-type]
    with pytest.raises(ShardError) as refused:
        play_shard(asked, 1, silent)
    assert refused.value.code == "other_version"


@pytest.mark.long
def test_processes_play_the_same_games(tmp_path: Path) -> None:
    asked, told = plan("random", games=6, shards=3, years=2), list[float]()
    folder = SimulationFolder.open(tmp_path / "pool", asked)
    run_shards(folder, folder.missing_shards(), 2, told.append)
    assert folder.done_shards() == [1, 2, 3]
    assert told[0] == 0.0
    assert told[-1] == 1.0
    assert told == sorted(told)
    assert games_of(folder) == games_of(played(tmp_path / "alone", asked))
    assert not multiprocessing.active_children()


@pytest.mark.long
def test_an_interruption_keeps_what_is_done(tmp_path: Path) -> None:
    folder = SimulationFolder.open(tmp_path, plan("random", games=400, shards=40, years=4))

    def interrupt(done: float) -> None:
        if folder.done_shards():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_shards(folder, folder.missing_shards(), 2, interrupt)
    assert not multiprocessing.active_children()
    done = folder.done_shards()
    assert 1 <= len(done) < 40
    assert folder.missing_shards() == [shard for shard in range(1, 41) if shard not in done]
    assert not list(tmp_path.glob(".*"))


@pytest.mark.long
def test_a_process_that_dies_is_told_of(tmp_path: Path) -> None:
    folder = SimulationFolder.open(tmp_path, plan("random", games=400, shards=40, years=9))

    def kill(done: float) -> None:
        for process in multiprocessing.active_children():
            process.kill()

    with pytest.raises(ShardError) as refused:
        run_shards(folder, folder.missing_shards(), 2, kill)
    assert refused.value.code == "worker_lost"
    assert not multiprocessing.active_children()


def test_a_shard_stops_in_its_midst() -> None:
    def stop(done: float) -> None:
        raise ShardStopped

    with pytest.raises(ShardStopped):
        play_shard(plan("random"), 1, stop)


@pytest.mark.long
def test_a_fault_comes_back_from_a_process_as_it_was(tmp_path: Path) -> None:
    other = plan().as_json() | {"bots": ("hold",) * 7, "version": "0"}
    folder = SimulationFolder(tmp_path, SimulationPlan(**other))  # type: ignore[arg-type]
    with pytest.raises(ShardError) as refused:
        run_shards(folder, [1, 2], 2, silent)
    assert (refused.value.code, refused.value.facts["plan"]) == ("other_version", "0")


# keeping


@pytest.mark.long
def test_half_a_file_does_not_count(tmp_path: Path) -> None:
    folder = played(tmp_path, plan(years=1))
    whole = folder.shard_path(1).read_bytes()
    for half in (b"", b"PAR1", whole[: len(whole) // 2], whole[:-1], b"PAR1" * 9):
        folder.shard_path(1).write_bytes(half)
        assert folder.done_shards() == [2]
        assert folder.missing_shards() == [1]
    folder.store_shard(1, whole)
    assert folder.done_shards() == [1, 2]


def test_a_file_damaged_in_its_midst_is_named(tmp_path: Path) -> None:
    folder = played(tmp_path, plan(years=1))
    whole = folder.shard_path(1).read_bytes()
    folder.shard_path(1).write_bytes(whole[:50] + whole[90:])
    with pytest.raises(ShardError) as refused:
        SimulationResults(tmp_path).results_by(by_bot=True, by_power=True)
    assert refused.value.code == "unreadable_shards"


@contextmanager
def no_room() -> Iterator[None]:
    """No file of this process may be longer than a line."""
    limits = pytest.importorskip("resource")
    before = limits.getrlimit(limits.RLIMIT_FSIZE)
    limits.setrlimit(limits.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        limits.setrlimit(limits.RLIMIT_FSIZE, before)


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    folder = SimulationFolder.open(tmp_path, plan())
    with no_room(), pytest.raises(OSError, match="too large") as refused:
        folder.store_shard(1, b"PAR1" * 100)
    assert refused.value.filename == str(folder.shard_path(1))
    assert [file.name for file in tmp_path.iterdir()] == [folders.MANIFEST]


def test_nothing_is_played_for_a_folder_that_keeps_nothing(tmp_path: Path) -> None:
    folder, told = SimulationFolder.open(tmp_path / "games", plan()), list[float]()
    (folder.path / folders.MANIFEST).unlink()
    folder.path.rmdir()
    with pytest.raises(PermissionError):
        run_shards(folder, [1, 2], 1, told.append)
    assert not told


def test_a_folder_of_temporary_files_without_room_is_told_of() -> None:
    shard = Shard(plan("hold", years=1), 1)
    shard.step(silent)
    with no_room(), pytest.raises(ShardError) as refused:
        write_shard(shard.recorded(), shard.plan, 1, {})
    assert refused.value.code == "not_written"


def test_two_who_begin_at_once_ask_the_same_question(tmp_path: Path) -> None:
    file, begun = tmp_path / folders.MANIFEST, Barrier(8)

    def begin(number: int) -> None:
        begun.wait()
        folders.write_atomically(file, str(number).encode() * 1000, first=True)
        read[number] = file.read_bytes()

    read: dict[int, bytes] = {}
    together = [Thread(target=begin, args=(number,)) for number in range(8)]
    for one in together:
        one.start()
    for one in together:
        one.join()
    assert len(read) == 8
    assert set(read.values()) == {file.read_bytes()}
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_named_like_a_column_changes_no_answer(tmp_path: Path) -> None:
    folder = played(tmp_path / "game=7" / "won=1" / "bot=[x]*", plan("hold", games=2, shards=1, years=1))
    results = SimulationResults(folder.path)
    assert results.overall().games == 2
    assert [row["bot"] for row in results.results_by(by_bot=True, by_power=False)] == ["hold"]
    assert len(results.game(1)) == 7
    assert len(results.openings()) == 7
    assert len(results.years(by_bot=False)) == 7


def test_a_stranger_s_file_is_refused(tmp_path: Path) -> None:
    folder = played(tmp_path / "one", plan(years=1))
    other = played(tmp_path / "other", plan(years=1, seed=5))
    folder.shard_path(1).write_bytes(other.shard_path(1).read_bytes())
    with pytest.raises(ShardError) as refused:
        folder.done_shards()
    assert refused.value.code == "foreign_shard"
    folder.shard_path(1).write_bytes(
        folder.shard_path(2).read_bytes()
    )  # the right plan's, at the wrong place
    with pytest.raises(ShardError):
        folder.done_shards()


@pytest.mark.parametrize("change", [{"games": 8}, {"seed": 2}, {"bots": "hold"}, {"rulebook": "anjou_feu"}])
def test_another_question_does_not_go_into_the_same_folder(change: dict[str, object], tmp_path: Path) -> None:
    SimulationFolder.open(tmp_path, plan())
    SimulationFolder.open(tmp_path, plan())
    with pytest.raises(ShardError) as refused:
        SimulationFolder.open(tmp_path, plan(**change))  # type: ignore[arg-type]
    assert refused.value.code == "another_plan"
    assert refused.value.facts["what"] == next(iter(change))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_manifest"),
        ("[]", "bad_manifest"),
        ("{}", "bad_manifest"),
        ("\x00", "bad_manifest"),
        ('{"games": 3}', "bad_manifest"),
    ],
)
def test_a_damaged_manifest_is_refused(text: str, code: str, tmp_path: Path) -> None:
    (tmp_path / folders.MANIFEST).write_text(text)
    with pytest.raises(ShardError) as refused:
        SimulationFolder.existing(tmp_path)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "value",
    [{"form": 2}, {"games": "3"}, {"bots": []}, {"bots": ["hold"] * 6}, {"until": True}, {"rotating": 1}],
)
def test_a_manifest_with_other_values_is_refused(value: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / folders.MANIFEST).write_text(json.dumps(plan().as_json() | value))
    with pytest.raises(ShardError):
        SimulationFolder.existing(tmp_path)
