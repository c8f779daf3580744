"""How a game ends: proposals, votes, last years and dates."""
