"""The lines written by hand are well formed, and the orders they expect are possible.

The reader is not run here: these tests guard the examination, not the candidate.
"""

from __future__ import annotations

from collections import Counter

import pytest

from talleyrand.engine import position
from talleyrand.notation import parse_normal
from tests.notation.written_lines import (
    EXPECTATIONS,
    LINE_FIELDS,
    REFUSALS,
    SCENE_FIELDS,
    THEMES,
    scenes,
    written_lines,
)

LANGUAGES = [language for language in ("fr", "en") if any(scenes(language))]
WRITTEN = [line for language in LANGUAGES for line in written_lines(language)]


def test_there_are_enough_lines() -> None:
    assert "fr" in LANGUAGES
    assert all(len(written_lines(language)) >= 300 for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_is_examined(language: str) -> None:
    assert {line.theme for line in written_lines(language)} == set(THEMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_asked_twice(language: str) -> None:
    asked = Counter((line.scene, line.text) for line in written_lines(language))
    assert [question for question, times in asked.items() if times > 1] == []
    names = Counter(scene["name"] for scene in scenes(language))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_has_its_shape(language: str) -> None:
    for scene in scenes(language):
        assert set(scene) <= SCENE_FIELDS, scene["name"]
        for line in scene["line"]:
            expected = [key for key in EXPECTATIONS if key in line]
            assert set(line) <= LINE_FIELDS, (scene["name"], line)
            assert len(expected) == 1, (scene["name"], line)
            assert line[expected[0]], (scene["name"], line)
            assert line["theme"] in THEMES, (scene["name"], line)
            assert line.get("refused", REFUSALS[0]) in REFUSALS, (scene["name"], line)
            assert len(line.get("orders", ("one", "two"))) > 1, (scene["name"], line)


def test_every_scene_can_stand() -> None:
    for line in {line.scene: line for line in WRITTEN}.values():
        context = line.context
        position.check_position(context.variant.board, context.position)
        assert context.power in context.variant.board.powers, line.scene
        assert str(context.rulebook.title), line.scene


def test_every_expected_order_is_possible() -> None:
    for line in WRITTEN:
        context = line.context
        assert context.power is not None
        for text in line.orders:
            followed = context.rules.check_order(
                context.variant.board,
                context.position,
                context.power,
                parse_normal(text),
                context.rulebook.adjudication_rules,
            )
            assert str(followed) == text, line
