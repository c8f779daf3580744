"""The demonstration game of a variant: orders as data in its folder, judged as any game is."""

from __future__ import annotations

import json
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.urls import reverse

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import positions
from talleyrand.variants import Variant
from talleyrand.web.boards import politics, referee, results, wording

from . import rules_boards, rules_frames, variant_rules_pages
from .rules_boards import Board, Question
from .rules_texts import Said, said

Shown = dict[str, Any]
PICTURES = ("orders", "result", "world")
PLAIN = (["moves"], ["holds"])


@dataclass(frozen=True)
class Scene:
    """A phase: its orders, what it teaches, and the places that its picture shows."""

    phase: str
    text: Said
    orders: Mapping[str, tuple[str, ...]]
    view: tuple[str, ...]


@cache
def scenes(name: str) -> tuple[Scene, ...]:
    """The game of a variant, phase by phase; empty where it has none."""
    file = variants.folder_of(name) / "demonstration.toml"
    if name not in variants.every_name() or not file.is_file():
        return ()
    return tuple(
        Scene(
            table["phase"],
            said(table),
            {power: tuple(lines) for power, lines in table.get("orders", {}).items()},
            tuple(table["view"]),
        )
        for table in tomllib.loads(file.read_text("utf-8"))["stage"]
    )


@lru_cache(maxsize=4)
def game(name: str) -> tuple[Board, ...]:
    """Every phase judged; raises TalleyrandError for a game that ends before its last scene."""
    variant = variants.load(name)
    situation: Question | None = dict(positions.write_position(variant.setting.start, variant.board))
    played: list[Board] = []
    for number, scene in enumerate(scenes(name), 1):
        if situation is None or situation["phase"] != scene.phase:
            raise TalleyrandError("unknown_phase", phase=scene.phase)
        asked = referee.ask(name, rulebooks.FALLBACK, "", situation)
        orders = {power: list(lines) for power, lines in scene.orders.items()}
        board = rules_boards.judge(f"stage-{number}", {**asked, "orders": orders})
        played.append(board)
        situation = referee.following(board.question, board.answer)
    return tuple(played)


def titles(variant: Variant) -> list[tuple[int, str]]:
    """The phases with their numbers."""
    return [
        (number, phase_title(variant, scene.phase)) for number, scene in enumerate(scenes(variant.name), 1)
    ]


def phase_title(variant: Variant, phase: str) -> str:
    return wording.phase(variant, phase)


def stage(variant: Variant, number: int) -> Shown:
    """A phase ready for a page; raises IndexError beyond the game's end."""
    told = scenes(variant.name)
    if not 1 <= number <= len(told):
        raise IndexError(number)
    scene, board = told[number - 1], game(variant.name)[number - 1]
    return {
        "number": number,
        "prefix": f"stage-{number}-",
        "title": phase_title(variant, scene.phase),
        "text": variant_rules_pages.written(scene.text, variant),
        **politics.of_phase(variant, board.question, board.answer),
        "results": _results(variant, board),
        "notable": {"results": _results(variant, board, notable=True)},
        "position": json.dumps(board.question, ensure_ascii=False),
        "submission": secrets.token_urlsafe(18),
        "captures": [
            (variant.names(wording.language()).location(code), wording.power(variant, power))
            for code, power in rules_boards.captures(board)
        ],
        "out": [wording.power(variant, power) for power in rules_boards.out(board)],
        "pictures": {
            kind: reverse("library:variant_demonstration_picture", args=[variant.name, number, kind])
            for kind in PICTURES
        },
    }


def _results(variant: Variant, board: Board, *, notable: bool = False) -> list[Shown]:
    """What became of the units, or of those that did not just move or hold; votes are told beside them."""
    entries = [
        entry
        for entry in board.answer["orders"]
        if entry.get("unit") and not (notable and entry["results"] in PLAIN)
    ]
    return results.by_power(variant, {**board.answer, "orders": entries})


def drawn(variant: Variant, number: int, kind: str) -> str:
    """The picture of a phase; raises LookupError where there is none."""
    if kind not in PICTURES or not 1 <= number <= len(scenes(variant.name)):
        raise LookupError(kind)
    board = game(variant.name)[number - 1]
    svg = board.svg(wording.language(), solved=kind != "orders", whole=True)
    if kind == "world":
        return svg
    frame = rules_frames.frame(variant, scenes(variant.name)[number - 1].view)
    return rules_frames.cut(svg, frame)
