"""The screen for the room: what everybody at a table may know, and the reading of the orders."""
