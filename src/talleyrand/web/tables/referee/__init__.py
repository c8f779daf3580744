"""What the referee of a table may do, a player or not: never with the eyes of a game master."""
