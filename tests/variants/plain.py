"""The variants that keep all that a classic game keeps, and fit in arrays: those without politics."""

from talleyrand import variants

PLAIN = tuple(name for name in variants.playable_names() if variants.load(name).definition.politics is None)
