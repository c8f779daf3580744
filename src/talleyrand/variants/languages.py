"""The languages in which names and sentences are."""

LANGUAGES = ("fr", "en")
