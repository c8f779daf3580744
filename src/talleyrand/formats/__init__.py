"""Questions, games and positions in the forms of others: our JSON, sheets, saved games, DATC text."""
