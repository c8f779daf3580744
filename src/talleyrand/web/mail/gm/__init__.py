"""The game master’s words by mail: read, carried out once each, and answered."""
