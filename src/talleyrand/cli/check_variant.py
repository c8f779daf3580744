"""`talleyrand check-variant`: whether a variant's drawing says what its rules say, for those who make one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path

from talleyrand.variant_check import (
    VariantFinding,
    VariantReport,
    check_variant,
    finding_sentence,
)
from talleyrand.variants import LANGUAGES, all_names, variant_folder

from .console import CliSentences
from .failures import DONE, FAULT
from .output import print_json


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("check-variant")
    parser.add_argument(
        "variant", metavar=say("metavar.variant_or_folder"), help=say("help.check-variant.variant")
    )
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.set_defaults(run=check)


def check(options: argparse.Namespace, say: CliSentences) -> int:
    """Print what was found; the status is 1 if the variant's own list does not admit all of it."""
    done = check_variant(_folder(options.variant))
    if options.json:
        print_json(variant_report_json(done))
    else:
        _print(done, say)
    return FAULT if done.findings else DONE


def _folder(name: str) -> Path | Traversable:
    """A variant at hand by its name, or any folder."""
    return variant_folder(name) if name in all_names() else Path(name)


def variant_report_json(done: VariantReport) -> dict[str, object]:
    """A report as JSON: findings with their codes and sentences, what is admitted, the tightest measures."""
    return {
        "variant": done.name,
        "findings": [_value(finding) for finding in done.findings],
        "admitted": [_value(finding) for finding in done.admitted],
        "tightest": {what: dict(places) for what, places in done.measures.items()},
    }


def _value(finding: VariantFinding) -> dict[str, object]:
    said = {language: finding_sentence(finding, language) for language in LANGUAGES}
    return {"finding": finding.code, "about": list(finding.about), "facts": dict(finding.facts), **said}


def _print(done: VariantReport, say: CliSentences) -> None:
    for finding in done.findings:
        print(finding_sentence(finding, say.language))
    for finding in done.admitted:
        print(say("check.admitted", sentence=finding_sentence(finding, say.language)))
    for what, places in done.measures.items():
        tightest = ", ".join(f"{name} {value:g}" for name, value in places[:4])
        print(say(f"check.{what}", places=tightest))
    count = len(done.findings)
    print(say("check.clean" if not count else "check.found", variant=done.name, count=str(count)))
