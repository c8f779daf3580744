"""The practice board: a game against oneself, without an account."""
