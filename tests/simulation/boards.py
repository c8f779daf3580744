"""The variants whose games arrays hold: those without politics."""

from talleyrand import variants

IN_ARRAYS = tuple(name for name in variants.names() if variants.load(name).setting.politics is None)
