"""The front door: what goes on here, and three ways in."""
