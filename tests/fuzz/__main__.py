"""Adds lines answered like no other to the corpus: `python -m tests.fuzz SECONDS [SEED]`."""

from __future__ import annotations

import json
import random
import sys
import time

from tests.fuzz.checks import check
from tests.fuzz.mutations import mutated
from tests.fuzz.scenes import CORPUS, corpus, drawn, seeds

LONGEST = 200


def main(seconds: float, seed: str) -> None:
    known: set[frozenset[str]] = set()
    for text in seeds():
        known |= {check(drawn(random.Random(f"{number} {text!a}"), [[text]])) for number in range(3)}
    kept = list(corpus())
    draw, end = random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        text = mutated(draw, seeds())
        if len(text) > LONGEST:
            continue
        found = check(drawn(random.Random(f"0 {text!a}"), [[text]]))
        if found not in known:
            known.add(found)
            kept.append(text)
            print(f"{text!a}: {', '.join(sorted(found))}")
    (CORPUS / "found.jsonl").write_text("".join(f"{json.dumps(text)}\n" for text in kept), "ascii")


if __name__ == "__main__":
    main(float(sys.argv[1]), *(sys.argv[2:] or ["1901"]))
