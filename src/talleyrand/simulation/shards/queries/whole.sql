-- All the games together.
SELECT count(DISTINCT game) AS games, count(DISTINCT game) FILTER (won) AS solos, avg(years[-1].year) AS last_year
FROM read_parquet($files, hive_partitioning = false);
