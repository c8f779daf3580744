"""What is written is read back: every order, in every style, language and naming profile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talleyrand import rulebooks, variants
from talleyrand.engine.errors import OrderRefusal, TalleyrandError
from talleyrand.engine.orders import Move, Order, PoliticalOrder, Support
from talleyrand.notation import (
    ORDER_STYLES,
    ReadingContext,
    naming_profiles,
    parse_normal,
    parse_order,
    read_line,
    write_order,
)
from talleyrand.variants import Variant
from tests.notation.positions import positions

BOOK = rulebooks.load("anjou_feu")


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", variants.playable_names())
@given(data=st.data())
def test_orders_are_read_back(name: str, data: st.DataObject) -> None:
    variant = variants.load(name)
    position = data.draw(positions(variant))
    power = data.draw(st.sampled_from(variant.board.powers))
    context = ReadingContext(variant, position, power, BOOK)
    if not context.options:
        return
    order = data.draw(st.sampled_from(context.options))
    assert parse_order(str(order), variant) == order
    for language in ("fr", "en"):
        for style in ORDER_STYLES:
            _read_back(context, order, language, style)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", variants.playable_names())
@given(data=st.data())
def test_a_profile_reads_its_own_abbreviations(name: str, data: st.DataObject) -> None:
    variant = variants.load(name)
    position = data.draw(positions(variant))
    power = data.draw(st.sampled_from((*variant.board.powers, None)))
    naming = data.draw(st.sampled_from(naming_profiles(variant)))
    context = ReadingContext(variant, position, power, BOOK, naming)
    # A line of politics is read for a power alone: without one nobody knows whose it is.
    options = [one for one in context.options if power or not isinstance(one, PoliticalOrder)]
    if options:
        order = data.draw(st.sampled_from(options))
        for language in ("fr", "en"):
            written = write_order(order, variant, language, "short", naming)
            line = read_line(written, context)
            assert line.refusal is None, (written, line.refusal)
            assert line.order == order, written


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", variants.playable_names())
@given(data=st.data())
def test_an_impossible_order_is_refused_as_it_is_written(name: str, data: st.DataObject) -> None:
    variant = variants.load(name)
    position = data.draw(positions(variant).filter(lambda found: found.phase.kind == "M"))
    unit, other = data.draw(st.permutations(position.units))[:2]
    goal = data.draw(st.sampled_from(sorted(variant.board.locations)))
    orders: list[Order] = [Move(unit.name, goal), Support(unit.name, other.name)]
    order = data.draw(st.sampled_from([*orders, Support(unit.name, other.name, goal)]))
    context = ReadingContext(variant, position, unit.power, BOOK, _profile_of(variant, "fr"))
    checked = context.rules.check_order(variant.board, position, unit.power, order, BOOK.adjudication_rules)
    if isinstance(checked, OrderRefusal):
        for style in ORDER_STYLES:
            line = read_line(write_order(order, variant, "fr", style), context)
            assert line.refusal is not None
            assert line.refusal.code == checked.code
            assert line.order == order


def _read_back(context: ReadingContext, order: Order, language: str, style: str) -> None:
    naming = _profile_of(context.variant, language) if style == "short" else None
    own = ReadingContext(context.variant, context.position, context.power, context.rulebook, naming)
    written = write_order(order, context.variant, language, style)
    line = read_line(written, own)
    assert line.refusal is None, (written, line.refusal)
    assert line.order == order, written


def _profile_of(variant: Variant, language: str) -> str:
    """The profile in which a language abbreviates."""
    return next(iter(variant.names(language).abbreviations))


@pytest.mark.parametrize(
    "text",
    [
        "A PAR  H", "a par h", "A PAR", "A PAR -", "A PAR - BUR VIA VIA", "A PAR S A BUR H", "F NTH C A LON",
        "A PAR H\n", " A PAR H", "A PAR - ", "WAIVE ", "", "A PAR X", "A PAR/XYZ H",
    ],
)  # fmt: skip
def test_only_the_normal_form_is_normal(text: str) -> None:
    with pytest.raises(TalleyrandError, match="not_normal_form"):
        parse_normal(text)


def test_unknown_style_and_language_are_named() -> None:
    variant = variants.load("classic")
    order = parse_normal("A PAR H")
    for language, style, naming, code in (
        ("fr", "long", None, "unknown_style"),
        ("de", "full", None, "unknown_language"),
        ("fr", "short", "klingon", "unknown_naming"),
    ):
        with pytest.raises(TalleyrandError) as caught:
            write_order(order, variant, language, style, naming)
        assert caught.value.code == code
