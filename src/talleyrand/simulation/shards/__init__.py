"""Games by the thousand: a plan cut into numbered shards, each played from its seed into one Parquet file.

    plan = Plan("classic", "datc", ("values",) * 7, rotating=True, games=1000, shards=50, seed=1, until=1920)
    folder = Folder.open(path, plan)
    run(folder, folder.missing(), workers=2, tell=print)
    Results(path).reached(by_bot=True, by_power=False)

`plan` says what is asked, `playing` plays a shard, `recording` writes it down, `folder` keeps what is done;
`running` has a pool of processes play, `cluster` a Dask cluster. `asking` puts the SQL of `queries/` to the
files, `charts` draws and `exporting` makes of one game a record that the engine replays.
"""
