"""Lots that anybody can draw again: the same seed, phase and candidates give the same one."""

from __future__ import annotations

import json
from collections.abc import Iterable


def draw_one(seed: str, phase: str, candidates: Iterable[str]) -> str:
    """One of the candidates, whatever order they are given in.

    SHA-256 of the JSON list `[seed, phase, [candidates, sorted]]` (ASCII, no blank), read as one number,
    modulo their number, is the place of the one drawn. Raises ValueError without candidates.
    """
    listed = sorted(candidates)
    if not listed:
        raise ValueError("no candidates")
    from hashlib import sha256  # which takes longer to load than a phase to play, and few phases draw

    text = json.dumps([seed, phase, listed], ensure_ascii=True, separators=(",", ":"))
    return listed[int.from_bytes(sha256(text.encode("ascii")).digest()) % len(listed)]
