"""Mail goes out: the outbox, the pace, and what does not arrive."""
