"""Orders in normal form are read by a short way, which says what the usual one says of every sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import rulebooks, variants
from talleyrand.engine.step_budget import StepBudget
from talleyrand.notation import OrderLine, ReadingContext, naming_profiles, read_lines, sheet_reader
from tests.notation.positions import positions

STRAYS = (
    "",
    "FRANCE",
    "Printemps 1901",
    "A PAR - BUR ;",
    "A PAR - BUR; A MAR H",
    "A PAR - BUR // remark",
    "A PAR - BUR - MUN",
    "~~A PAR H~~",
    "a par h",
    "A PAR",
    "WAIVE",
    "Bonne chance !",
    "Jean",
    "If not, A PAR H",
)


def told(lines: Sequence[str], context: ReadingContext, effort: int) -> tuple[Sequence[OrderLine], int]:
    object.__setattr__(context, "effort", StepBudget(effort))
    return read_lines(lines, context), context.effort.remaining


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", variants.playable_names())
@given(data=st.data())
def test_the_short_way_reads_as_the_usual_one(name: str, data: st.DataObject) -> None:
    variant = variants.load(name)
    position = data.draw(positions(variant))
    power = data.draw(st.sampled_from((*variant.board.powers, None)))
    book = rulebooks.load(data.draw(st.sampled_from(rulebooks.names())))
    naming = data.draw(st.sampled_from((None, *naming_profiles(variant))))
    context = ReadingContext(variant, position, power, book, naming)
    orders = [str(order) for order in context.options] or ["A PAR H"]
    given_lines = st.one_of(st.sampled_from(orders), st.sampled_from(orders), st.sampled_from(STRAYS))
    sheet = data.draw(st.lists(given_lines, max_size=8))
    effort = data.draw(st.sampled_from((30_000, 200, 60)))
    short = told(sheet, context, effort)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sheet_reader, "read_plain_line", lambda *_: None)
        assert repr(short) == repr(told(sheet, context, effort))  # with what takes no part in comparisons


def essence(line: OrderLine) -> OrderLine:
    """A line without the order that is nearest to it."""
    return line if line.refusal is None else replace(line, refusal=replace(line.refusal, nearest_order=""))


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", variants.playable_names())
@given(data=st.data())
def test_where_no_nearest_order_is_wanted_the_lines_are_the_same(name: str, data: st.DataObject) -> None:
    variant = variants.load(name)
    position = data.draw(positions(variant))
    power = data.draw(st.sampled_from(variant.board.powers))
    book = rulebooks.load(data.draw(st.sampled_from(rulebooks.names())))
    orders = [str(order) for order in ReadingContext(variant, position, None, book).options] or ["A PAR H"]
    legal, other = st.sampled_from(orders), st.sampled_from(orders)
    crossed = st.tuples(legal, other).map(lambda two: two[0][:6] + two[1][6:])
    changed = st.tuples(st.sampled_from("AF"), legal).map(lambda two: two[0] + two[1][1:])
    lines = st.one_of(legal, crossed, changed, legal.map(lambda one: f"{one} VIA"), st.sampled_from(STRAYS))
    sheet = data.draw(st.lists(lines, max_size=8))
    usual = ReadingContext(variant, position, power, book, effort=StepBudget(10**6))
    quick = replace(usual, effort=StepBudget(10**6), count_options=lambda *_: len(usual.options))
    assert repr([*map(essence, read_lines(sheet, quick))]) == repr([*map(essence, read_lines(sheet, usual))])
    assert not quick.effort.cut_short
    assert quick.effort.remaining <= usual.effort.remaining


def test_a_sheet_in_normal_form_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    classic = variants.load("classic")
    context = ReadingContext(classic, classic.definition.start, "FRANCE", rulebooks.load("datc"))
    monkeypatch.setattr(sheet_reader._SheetReader, "_usual", None)
    lines = read_lines(["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"], context)
    assert [str(line.order) for line in lines] == ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"]
