"""Making a game, gathering its players, and who sits where."""
