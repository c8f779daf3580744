"""Leagues: divisions on line, season after season, with promotion and relegation."""
