"""Checks a variant as its author left it: does the drawing say what the rules say, can its game begin?"""

from .findings import Finding, sentence
from .surveying import Survey, survey

__all__ = ["Finding", "Survey", "sentence", "survey"]
