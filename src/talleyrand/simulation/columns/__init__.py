"""Recorded games, a line each, to a file of columns with what became of every unit in every phase.

`recorded_games` turns lines into numbers, `game_columns` plays them in arrays, `engine_columns` has the
readable engine play what is left, `parquet` writes the file by PyArrow.
"""
