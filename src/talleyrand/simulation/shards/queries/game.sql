-- One game: a row for each power.
SELECT power, bot, centres, won, ended, years, phases
FROM read_parquet($files, hive_partitioning = false)
WHERE game = $game;
