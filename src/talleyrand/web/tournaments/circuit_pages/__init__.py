"""Circuits: several events that make a season."""
