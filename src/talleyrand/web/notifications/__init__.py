"""What to tell whom: counters that pages watch, and the outbox."""
