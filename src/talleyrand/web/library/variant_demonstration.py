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
from talleyrand.formats import position_json
from talleyrand.variants import Variant
from talleyrand.web.boards import adjudicator, display_names, politics_context, result_rows

from . import example_boards, map_crops, variant_rules_context
from .example_boards import ExampleBoard, Question
from .rules_texts import LocalizedText, localized_text

Shown = dict[str, Any]
PICTURES = ("orders", "result", "world")
PLAIN = (["moves"], ["holds"])


@dataclass(frozen=True)
class VariantDemonstrationPhase:
    """A phase: its orders, what it teaches, and the places that its picture shows."""

    phase: str
    text: LocalizedText
    orders: Mapping[str, tuple[str, ...]]
    view: tuple[str, ...]


@cache
def variant_demonstration_phases(name: str) -> tuple[VariantDemonstrationPhase, ...]:
    """The game of a variant, phase by phase; empty where it has none."""
    file = variants.variant_folder(name) / "demonstration.toml"
    if name not in variants.all_names() or not file.is_file():
        return ()
    return tuple(
        VariantDemonstrationPhase(
            table["phase"],
            localized_text(table),
            {power: tuple(lines) for power, lines in table.get("orders", {}).items()},
            tuple(table["view"]),
        )
        for table in tomllib.loads(file.read_text("utf-8"))["stage"]
    )


@lru_cache(maxsize=4)
def variant_demonstration_boards(name: str) -> tuple[ExampleBoard, ...]:
    """Every phase judged; raises TalleyrandError for a game that ends before its last scene."""
    variant = variants.load(name)
    situation: Question | None = dict(position_json.write_position(variant.definition.start, variant.board))
    played: list[ExampleBoard] = []
    for number, scene in enumerate(variant_demonstration_phases(name), 1):
        if situation is None or situation["phase"] != scene.phase:
            raise TalleyrandError("unknown_phase", phase=scene.phase)
        asked = adjudicator.make_question(name, rulebooks.FALLBACK, "", situation)
        orders = {power: list(lines) for power, lines in scene.orders.items()}
        board = example_boards.adjudicate_example(f"stage-{number}", {**asked, "orders": orders})
        played.append(board)
        situation = adjudicator.situation_after(board.question, board.answer)
    return tuple(played)


def demonstration_titles(variant: Variant) -> list[tuple[int, str]]:
    """The phases with their numbers."""
    return [
        (number, demonstration_phase_title(variant, scene.phase))
        for number, scene in enumerate(variant_demonstration_phases(variant.name), 1)
    ]


def demonstration_phase_title(variant: Variant, phase: str) -> str:
    return display_names.phase_name(variant, phase)


def variant_demonstration_context(variant: Variant, number: int) -> Shown:
    """A phase ready for a page; raises IndexError beyond the game's end."""
    told = variant_demonstration_phases(variant.name)
    if not 1 <= number <= len(told):
        raise IndexError(number)
    scene, board = told[number - 1], variant_demonstration_boards(variant.name)[number - 1]
    return {
        "number": number,
        "prefix": f"stage-{number}-",
        "title": demonstration_phase_title(variant, scene.phase),
        "text": variant_rules_context.variant_rules_html(scene.text, variant),
        **politics_context.phase_politics(variant, board.question, board.answer),
        "results": _results(variant, board),
        "notable": {"results": _results(variant, board, notable=True)},
        "position": json.dumps(board.question, ensure_ascii=False),
        "submission": secrets.token_urlsafe(18),
        "captures": [
            (
                variant.names(display_names.reader_language()).location(code),
                display_names.power_name(variant, power),
            )
            for code, power in example_boards.captured_centres(board)
        ],
        "out": [
            display_names.power_name(variant, power) for power in example_boards.eliminated_in_example(board)
        ],
        "pictures": {
            kind: reverse("library:variant_demonstration_picture", args=[variant.name, number, kind])
            for kind in PICTURES
        },
    }


def _results(variant: Variant, board: ExampleBoard, *, notable: bool = False) -> list[Shown]:
    """What became of the units, or of those that did not just move or hold; votes are told beside them."""
    entries = [
        entry
        for entry in board.answer["orders"]
        if entry.get("unit") and not (notable and entry["results"] in PLAIN)
    ]
    return result_rows.results_by_power(variant, {**board.answer, "orders": entries})


def variant_demonstration_svg(variant: Variant, number: int, kind: str) -> str:
    """The picture of a phase; raises LookupError where there is none."""
    if kind not in PICTURES or not 1 <= number <= len(variant_demonstration_phases(variant.name)):
        raise LookupError(kind)
    board = variant_demonstration_boards(variant.name)[number - 1]
    svg = board.svg(display_names.reader_language(), solved=kind != "orders", whole=True)
    if kind == "world":
        return svg
    frame = map_crops.crop_box(variant, variant_demonstration_phases(variant.name)[number - 1].view)
    return map_crops.crop_svg(svg, frame)
