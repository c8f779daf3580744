"""The board of a game as its players and onlookers have it."""
