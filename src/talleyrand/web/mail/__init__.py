"""Play by post: mail in and out, a client of games and press."""
