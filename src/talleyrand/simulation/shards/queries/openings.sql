-- The order sets of each power in the first movement phases, how often they were given, and what came of them.
WITH seats AS (
    SELECT game, power, bot, centres::INTEGER AS centres, won,
        CASE WHEN bool_or(won) OVER whole THEN won::INTEGER / sum(won::INTEGER) OVER whole
            ELSE centres::INTEGER ** 2 / nullif(sum(centres::INTEGER ** 2) OVER whole, 0) END AS share,
        [one.orders FOR one IN phases IF one.phase LIKE '%M'][1:$depth::INTEGER] AS opening
    FROM read_parquet($files, hive_partitioning = false)
    WHERE centres IS NOT NULL
    WINDOW whole AS (PARTITION BY game)
)
SELECT power, opening, count(*) AS games, count(*) / sum(count(*)) OVER (PARTITION BY power) AS part,
    avg(centres) AS centres, sum(won::INTEGER)::BIGINT AS solos, avg(share) AS share,
    stddev_samp(share) / sqrt(count(*)) AS share_error
FROM seats
WHERE ($power IS NULL OR power = $power) AND ($bot IS NULL OR bot = $bot)
GROUP BY power, opening
QUALIFY row_number() OVER (PARTITION BY power ORDER BY count(*) DESC, opening) <= $most
ORDER BY power, count(*) DESC, opening;
