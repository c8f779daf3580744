"""A public copy, on another site, of what all may see of a tournament: sent whenever there is a network."""
