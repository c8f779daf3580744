"""Hears recorded phases: python -m tests.oracle FILE.jsonl, a question of the contract a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.question_input import read_question
from tests.oracle.resolutions import TooMany
from tests.oracle.telling import Several, hear


def main() -> int:
    """Print what is told wrongly of the phases of a file, and how many were heard; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle")
    parser.add_argument("file", type=Path)
    seen = Counter[str]()
    for line in parser.parse_args().file.read_text("utf-8").splitlines():
        question = json.loads(line)
        try:
            heard = hear(resolve_question(read_question(question)))
        except (TooMany, Several) as left:
            seen[type(left).__name__] += 1
            continue
        seen.update(phases=1, sentences=heard.sentences, steps=heard.steps, false=len(heard.faults))
        print(*(f"{question.get('id')}: {fault}\n" for fault in heard.faults), sep="", end="")
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    return int(bool(seen["false"]))


if __name__ == "__main__":
    sys.exit(main())
