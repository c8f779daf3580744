"""Letters between the powers of a game."""
