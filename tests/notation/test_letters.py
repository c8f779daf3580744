"""What people write around their orders is no order: greetings, names, refusals to order, remarks.

`letters/` holds such lines, a section for each sort. Names that a list has as a place ("Mar", "Dan") are not
among them: alone on a line they are that place.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.engine.step_budget import StepBudget
from talleyrand.notation import NoteKind, ReadingContext, read_lines

CLASSIC = variants.load("classic")
START = CLASSIC.definition.start
FEW = (
    "A PAR,F BRE FRANCE|F NWY,F NTH ENGLAND|A MUN,F DEN GERMANY|A ROM,F ION ITALY|"
    "A SER,F ALB AUSTRIA|A WAR,F BLA RUSSIA"
)
FRIENDLY = {"fr": ("bonjour", "au revoir"), "en": ("hello", "goodbye")}


def sections(language: str) -> dict[str, list[str]]:
    """The lines of a language by their sort."""
    found: dict[str, list[str]] = {}
    for line in (Path(__file__).parent / f"letters/{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            found[line[2:]] = []
        elif line.strip():
            found[[*found][-1]].append(line)
    return found


def contexts(book: str) -> Iterator[ReadingContext]:
    """Every power at the start, with few units, with all its builds, and with all but one unit to remove:
    five for each power.
    """
    loaded = rulebooks.load(book)
    few = tuple(
        Unit(unit.split()[0], unit.split()[1], group.split()[-1])
        for group in FEW.split("|")
        for unit in group.rpartition(" ")[0].split(",")
    )
    winter, fall = Phase("W", 1901, "A"), Phase("F", 1905, "M")
    for power in CLASSIC.board.powers:
        own = {p: tuple(u.province for u in START.units if u.power == p) for p in CLASSIC.board.powers}
        others = tuple(unit for unit in START.units if unit.power != power)
        yield _context(START, power, loaded)
        yield _context(Position(fall, few), power, loaded)
        yield _context(Position(winter, few, centres=dict.fromkeys(own, ())), power, loaded)
        yield _context(Position(winter, others, centres=own), power, loaded)
        yield _context(Position(winter, START.units, centres={**own, power: own[power][:1]}), power, loaded)


def _context(position: Position, power: str, book: rulebooks.LoadedRulebook) -> ReadingContext:
    return ReadingContext(CLASSIC, position, power, book, effort=StepBudget(sys.maxsize))


def sampled(full: bool) -> list[ReadingContext]:
    """All contexts, or one of each power: each of the five situations is among them."""
    found = list(contexts("anjou_feu"))
    return found if full else [found[5 * power + power % 5] for power in range(len(found) // 5)]


@pytest.mark.long
@pytest.mark.parametrize("language", FRIENDLY)
def test_nothing_around_the_orders_is_one(language: str, full: bool) -> None:
    found = sections(language)
    lines = [line for name, texts in found.items() if name not in FRIENDLY[language] for line in texts]
    assert len(lines) > 400
    wrong = {
        (context.power, str(context.position.phase), line.text, str(line.order))
        for number, context in enumerate(sampled(full))
        for part in ([lines[:300], lines[300:]] if full else [lines[number % 3 :: 3]])
        for line in read_lines(part, context)
        if line.order is not None and line.refusal is None
    }
    assert wrong == set()


@pytest.mark.long
@pytest.mark.parametrize("language", FRIENDLY)
def test_greetings_are_no_errors(language: str, full: bool) -> None:
    lines = [line for name in FRIENDLY[language] for line in sections(language)[name]]
    for context in sampled(full):
        found = [line for text in lines for line in read_lines([text], context)]
        assert [line.text for line in found if line.refusal or line.order] == []


@pytest.mark.parametrize("language", FRIENDLY)
def test_signatures_are_no_errors(language: str) -> None:
    context = next(contexts("anjou_feu"))
    goodbye = {"fr": "Cordialement,", "en": "Best regards,"}[language]
    refused = set()
    for name in sections(language)["signatures"]:
        lines = read_lines(["A Vie - Gal", "", goodbye, name, ""], context)
        assert str(lines[0].order) == "A VIE - GAL"
        refused |= {line.text for line in lines if line.refusal is not None}
        assert [line.order for line in lines[1:]] == [None] * 4, name
    assert refused == set()


@pytest.mark.parametrize(
    "name", ["Marc", "Marie Dupont", "Boris", "Victor Hugo", "Jean-Pierre", "-- Dan", "— Mar"]
)
def test_a_name_at_the_end_is_no_error(name: str) -> None:
    lines = read_lines(["A Vie - Gal", "", name], next(contexts("anjou_feu")))
    assert [line.refusal for line in lines] == [None] * 3
    assert [str(line.order) for line in lines if line.order] == ["A VIE - GAL"]


def test_an_unread_order_is_no_signature() -> None:
    """In winter a name could be a unit: it is one's own only behind a goodbye or a blank line."""
    winter = next(context for context in contexts("anjou_feu") if context.position.phase.kind == "A")
    lines = read_lines(["A Vie", "Mrsls"], winter)
    assert lines[1].refusal is not None
    lines = read_lines(["A Vie", "", "Dupont"], winter)
    assert [note.kind for note in lines[2].notes] == [NoteKind.REMARK]


@pytest.mark.parametrize(
    "text", ["> A Vie - Gal", ">> A Vie - Gal", "  > > AUSTRIA: A Vie - Gal ; A Bud H", "Dan wrote:"]
)
def test_what_is_quoted_is_no_order(text: str) -> None:
    context = next(contexts("anjou_feu"))
    lines = read_lines([text, "A Vie - Tyr"], context)
    assert [str(line.order) for line in lines] == ["None", "A VIE - TYR"]
    assert all(line.refusal is None for line in lines)
