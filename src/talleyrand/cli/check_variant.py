"""`talleyrand check-variant`: whether a variant's drawing says what its rules say, for those who make one."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path

from talleyrand.survey import Finding, Survey, sentence, survey
from talleyrand.variants import LANGUAGES, every_name, folder_of

from .failures import DONE, FAULT
from .output import print_json
from .sentences import Speaker


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add the command."""
    parser = command("check-variant")
    parser.add_argument(
        "variant", metavar=say("metavar.variant_or_folder"), help=say("help.check-variant.variant")
    )
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.set_defaults(run=check)


def check(options: argparse.Namespace, say: Speaker) -> int:
    """Print what was found; the status is 1 if the variant's own list does not admit all of it."""
    done = survey(_folder(options.variant))
    if options.json:
        print_json(survey_value(done))
    else:
        _print(done, say)
    return FAULT if done.findings else DONE


def _folder(name: str) -> Path | Traversable:
    """A variant at hand by its name, or any folder."""
    return folder_of(name) if name in every_name() else Path(name)


def survey_value(done: Survey) -> dict[str, object]:
    """A survey as JSON: findings with their codes and sentences, what is admitted, the tightest measures."""
    return {
        "variant": done.name,
        "findings": [_value(finding) for finding in done.findings],
        "admitted": [_value(finding) for finding in done.admitted],
        "tightest": {what: dict(places) for what, places in done.measures.items()},
    }


def _value(finding: Finding) -> dict[str, object]:
    said = {language: sentence(finding, language) for language in LANGUAGES}
    return {"finding": finding.code, "about": list(finding.about), "facts": dict(finding.facts), **said}


def _print(done: Survey, say: Speaker) -> None:
    for finding in done.findings:
        print(sentence(finding, say.language))
    for finding in done.admitted:
        print(say("check.admitted", sentence=sentence(finding, say.language)))
    for what, places in done.measures.items():
        tightest = ", ".join(f"{name} {value:g}" for name, value in places[:4])
        print(say(f"check.{what}", places=tightest))
    count = len(done.findings)
    print(say("check.clean" if not count else "check.found", variant=done.name, count=str(count)))
