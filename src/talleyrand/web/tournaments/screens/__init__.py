"""Pages projected for the room."""
