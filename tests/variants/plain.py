"""The variants on which all holds that a classic game keeps: those without politics of their own."""

from talleyrand import variants

PLAIN = tuple(name for name in variants.names() if variants.load(name).setting.politics is None)
