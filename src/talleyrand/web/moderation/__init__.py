"""What moderators see and do, and what those whom it concerns read of it."""
