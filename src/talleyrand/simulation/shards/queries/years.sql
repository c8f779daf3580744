-- Centres at the end of each year, on average. A game that is over stays as it ended.
WITH seats AS (
    SELECT game, CASE WHEN $by_bot THEN bot ELSE power END AS who, years
    FROM read_parquet($files, hive_partitioning = false)
    WHERE centres IS NOT NULL AND ($game IS NULL OR game = $game)
),
counted AS (
    SELECT year FROM (SELECT min(years[1].year) AS first, max(years[-1].year) AS last FROM seats),
        generate_series(first, last) AS all_years(year)
)
SELECT who, year::INTEGER AS year, avg(coalesce([one.centres FOR one IN years IF one.year <= counted.year][-1], 0)) AS centres,
    count(*) AS seats
FROM seats, counted
GROUP BY ALL
ORDER BY who, year;
