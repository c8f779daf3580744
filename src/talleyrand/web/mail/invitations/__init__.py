"""People who are invited by mail, and sit down by mail."""
