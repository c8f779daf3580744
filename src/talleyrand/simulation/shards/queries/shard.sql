-- The rows of a shard's file, from what was recorded of its games.
WITH written AS (
    SELECT game, step, power, list(text ORDER BY place) AS orders
    FROM orders JOIN texts ON line = number
    GROUP BY ALL
),
played AS (
    SELECT seats.at, seats.power,
        list({'phase': text, 'orders': coalesce(orders, [])} ORDER BY phases.step) AS phases,
        arg_max(text, phases.step) AS ended
    FROM seats
    JOIN phases ON phases.game = seats.at
    JOIN texts ON phases.phase = number
    LEFT JOIN written ON written.game = seats.at AND written.step = phases.step AND written.power = seats.power
    GROUP BY ALL
),
counted AS (
    SELECT game AS at, power,
        list({'year': year::INTEGER, 'centres': centres::USMALLINT} ORDER BY year) AS years,
        arg_max(centres, year)::USMALLINT AS centres
    FROM centres
    GROUP BY ALL
)
SELECT seats.game AS game, called AS power, bot, centres,
    EXISTS (FROM ends WHERE ends.game = seats.at AND winner = seats.power) AS won, centres > 0 AS alive,
    ended, years, phases
FROM seats
JOIN played ON played.at = seats.at AND played.power = seats.power
LEFT JOIN counted ON counted.at = seats.at AND counted.power = seats.power
ORDER BY seats.game, seats.power;
