"""An event: its people, rounds, boards and results as values, what can be done to them, and what comes of it.

Pure: no database, no clock, no chance but by a seed. `web.tournaments` keeps events and asks from here.
"""
