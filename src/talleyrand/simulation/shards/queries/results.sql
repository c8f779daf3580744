-- What each bot, power, or bot with a power reached. A game's sum-of-squares share is 1 for its winner, shared
-- by those who win together; without one it is the square of the centres over the sum of all squares. Seats of
-- one game hang together, so the standard error counts games. Seats without land are left out.
WITH seats AS (
    SELECT game, CASE WHEN $by_bot THEN bot END AS bot, CASE WHEN $by_power THEN power END AS power,
        centres::INTEGER AS centres, won, alive,
        CASE WHEN bool_or(won) OVER whole THEN won::INTEGER / sum(won::INTEGER) OVER whole
            ELSE centres::INTEGER ** 2 / nullif(sum(centres::INTEGER ** 2) OVER whole, 0) END AS share
    FROM read_parquet($files, hive_partitioning = false)
    WHERE centres IS NOT NULL
    WINDOW whole AS (PARTITION BY game)
),
games AS (
    SELECT bot, power, game, count(*) AS seats, sum(centres) AS centres, sum(won::INTEGER) AS solos,
        sum(alive::INTEGER) AS survivals, avg(share) AS share
    FROM seats
    GROUP BY ALL
)
SELECT bot, power, count(*) AS games, sum(seats)::BIGINT AS seats, sum(centres) / sum(seats) AS centres,
    sum(solos)::BIGINT AS solos, sum(survivals)::BIGINT AS survivals, avg(share) AS share,
    stddev_samp(share) / sqrt(count(*)) AS share_error
FROM games
GROUP BY ALL
ORDER BY avg(share) DESC NULLS LAST, bot, power;
