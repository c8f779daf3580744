"""Learning by playing: ten boards to solve, then a first half-hour of a game, without an account."""
