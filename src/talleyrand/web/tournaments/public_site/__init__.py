"""What everybody sees of a tournament, and what players do on their phones."""
