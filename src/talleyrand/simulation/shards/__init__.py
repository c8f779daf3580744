"""Games by the thousand: a plan cut into numbered shards, each played from its seed into one Parquet file.

    plan = SimulationPlan("classic", "datc", ("values",) * 7, True, games=1000, shards=50, seed=1, until=1920)
    folder = SimulationFolder.open(path, plan)
    run_shards(folder, folder.missing_shards(), workers=2, tell=print)
    SimulationResults(path).results_by(by_bot=True, by_power=False)

`simulation_plan` says what is asked, `shard_playing` plays a shard, `shard_recording` writes it down,
`simulation_folder` keeps what is done; `process_pool` has a pool of processes play, `dask_cluster` a Dask
cluster. `result_queries` puts the SQL of `queries/` to the files, `year_charts` draws and `record_export`
makes of one game a record that the engine replays.
"""
