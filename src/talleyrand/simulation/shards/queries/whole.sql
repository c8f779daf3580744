-- All the games together.
SELECT count(DISTINCT game) AS games, sum(won::INTEGER)::BIGINT AS solos, avg(years[-1].year) AS last_year
FROM read_parquet($files, hive_partitioning = false);
