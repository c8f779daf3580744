"""What the pages of a variant's own rules show, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from talleyrand import variants
from talleyrand.engine.board import Mobility
from talleyrand.variants import LANGUAGES, Variant
from talleyrand.web.boards import display_names

from . import example_boards, variant_rules
from .rules_texts import LocalizedText, RulesWords
from .variant_rules import OpenPoint, VariantRule, WrittenLine

Shown = dict[str, Any]
READINGS = "readings"
"""The last chapter: every reading of ours in one list."""
_MARKED = re.compile(r"\{([^}]+)\}|`([^`]+)`")


def variant_rules_contents(variant: Variant) -> list[Shown]:
    """The chapters with the titles of their rules, our readings last."""
    language = display_names.reader_language()
    found: list[Shown] = [
        {
            "id": chapter.id,
            "title": chapter.title[language],
            "rules": [{"id": rule.id, "title": rule.title[language]} for rule in chapter.rules],
        }
        for chapter in variant_rules.variant_chapters(variant.name)
    ]
    readings: Shown = {"id": READINGS, "title": RulesWords(language)["our_readings"], "rules": []}
    return [*found, readings] if any(variant_rules.open_points(variant.name)) else found


def variant_chapter_context(variant: Variant, name: str) -> Shown:
    """A chapter ready for a page; raises KeyError where there is none of that name."""
    listed = variant_rules_contents(variant)
    ids = [one["id"] for one in listed]
    if name not in ids:
        raise KeyError(name)
    place = ids.index(name)
    rules = () if name == READINGS else variant_rules.variant_chapters(variant.name)[place].rules
    return {
        **listed[place],
        "number": place + 1,
        "rules": [_rule(variant, rule) for rule in rules],
        "readings": list(_readings(variant)) if name == READINGS else [],
        "previous": listed[place - 1] if place else None,
        "next": listed[place + 1] if place + 1 < len(listed) else None,
    }


def _rule(variant: Variant, rule: VariantRule) -> Shown:
    language = display_names.reader_language()
    return {
        "id": rule.id,
        "title": rule.title[language],
        "says": [
            {"texts": [variant_rules_html(one.text, variant) for one in same], "source": where[language]}
            for where, same in groupby(rule.says, lambda one: one.where)
        ],
        "points": [_point(variant, point) for point in rule.points],
        "choices": [_point(variant, point) for point in rule.choices],
        "lines": [_line(variant, line) for line in rule.lines],
        "worth": power_worth_table(variant) if rule.table == "worth" else None,
        "kinds": unit_kinds_table(variant) if rule.table == "kinds" else None,
    }


def _point(variant: Variant, point: OpenPoint) -> Shown:
    language = display_names.reader_language()
    return {
        "id": point.id,
        "text": variant_rules_html(point.text, variant),
        "where": point.where[language],
        "option": point.option,
        "values": [
            {"value": value, "text": variant_rules_html(point.values[value], variant), "usual": place == 0}
            for place, value in enumerate(options_with_values(variant).get(point.option, ()))
        ],
    }


def _readings(variant: Variant) -> Iterator[Shown]:
    """Our readings chapter by chapter."""
    told = variant_rules.open_points(variant.name)
    for one, points in groupby(told, lambda pair: pair[0]):
        yield {
            "id": one.id,
            "title": one.title[display_names.reader_language()],
            "points": [
                {
                    **_point(variant, point),
                    "rule": next(rule.id for rule in one.rules if point in rule.points),
                }
                for _chapter, point in points
            ],
        }


def options_with_values(variant: Variant) -> dict[str, tuple[str, ...]]:
    """The choices that a game of the variant has, each with its values, the usual one first."""
    politics = variant.definition.politics
    return dict(politics.options) if politics else {}


def _line(variant: Variant, line: WrittenLine) -> Shown:
    language = display_names.reader_language()
    other = next(tongue for tongue in LANGUAGES if tongue != language)
    same = line.written[language] == line.written[other]
    return {
        "written": line.written[language],
        "other": "" if same else line.written[other],
        "other_language": other,
        "means": variant_rules_html(line.means, variant),
    }


def variant_rules_html(text: LocalizedText, variant: Variant) -> SafeString:
    """A text for a page: orders between braces as the language writes them, other lines between backticks."""
    language = display_names.reader_language()
    parts = _MARKED.split(text[language])
    whole = [escape(one) for one in parts[::3]]
    marked = [
        f"<code>{escape(example_boards.order_as_written(order, variant, language) if order else line)}</code>"
        for order, line in zip(parts[1::3], parts[2::3], strict=True)
    ]
    # Escaped piece by piece; the marks around the orders are ours.
    return mark_safe("".join(a + b for a, b in zip(whole, [*marked, ""], strict=True)))  # noqa: S308


# tables


def power_worth_table(variant: Variant) -> Shown:
    """What each power counts for, figure by figure."""
    politics, language = variant.definition.politics, display_names.reader_language()
    found = politics.power_figures(variant.board) if politics else {}
    figures = list(next(iter(found.values()), {}))
    return {
        "titles": [variant.sentence(language, "worth", figure) for figure in figures],
        "rows": [
            {
                "code": power,
                "name": display_names.power_name(variant, power),
                "colour": display_names.power_colour(variant, power),
                "cells": ["" if cell is None else cell for cell in row.values()],
            }
            for power, row in found.items()
        ],
    }


def unit_kinds_table(variant: Variant) -> list[Shown]:
    """Each kind of unit with what it may do."""
    names = variant.names(display_names.reader_language()).units
    return [
        {
            "letter": letter,
            "name": names[letter].name,
            "land": kind.mobility is not Mobility.SEA,
            "sea": kind.mobility is not Mobility.LAND,
            "convoys": kind.convoys,
            "convoyed": kind.convoyable,
            "captures": kind.captures,
        }
        for letter, kind in variant.board.kinds.items()
    ]


def variant_with_rules(name: str) -> Variant:
    """A variant whose rules have pages; raises KeyError for another."""
    if name not in variant_rules.variants_with_rules():
        raise KeyError(name)
    return variants.load_board(name)


def variant_rules_title(variant: Variant) -> str:
    """What the rules of a variant are called."""
    return _("The rules of %(variant)s") % {"variant": variant.title[display_names.reader_language()]}
