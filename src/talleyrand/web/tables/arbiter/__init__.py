"""What the arbiter of a table may do, a player or not: never with the eyes of a game master."""
