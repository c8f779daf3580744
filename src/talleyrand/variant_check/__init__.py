"""Checks a variant as its author left it: does the drawing say what the rules say, can its game begin?"""

from .findings import VariantFinding, finding_sentence
from .variant_report import VariantReport, check_variant

__all__ = ["VariantFinding", "VariantReport", "check_variant", "finding_sentence"]
