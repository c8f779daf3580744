"""The bots that play on the practice board and in online games, and the queue that gives them time."""
