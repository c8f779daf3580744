"""What every variant promises under every rulebook: rules, notation, sentences and JSON that fit together.

A new variant or rulebook is tried here without a line of code: it is enough that its folder exists.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from talleyrand import messages, notation, rulebooks, variants
from talleyrand.engine import game
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import Position, check_position
from talleyrand.engine.rulebook import Rulebook
from talleyrand.formats import adjudication
from talleyrand.formats.position_json import write_position
from talleyrand.notation import ORDER_STYLES, ReadingContext, parse_order, write_order
from tests.engine.random_games import GAMES, Played, play

LANGUAGES = ("fr", "en")

pytestmark = pytest.mark.one_in(3, of="names")


@pytest.fixture(scope="module", params=GAMES, ids="-".join)
def names(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A variant and a book."""
    variant, book = request.param
    return variant, book


@pytest.fixture(scope="module")
def stages(names: tuple[str, str], seed: int, full: bool) -> list[Played]:
    """Phases of their random games: all of some games, or the first ones with some retreats and winters.

    Every unit has its order, for some books let the reader of sheets complete what is missing.
    """
    games = 6 if full else 1
    played = [one for number in range(games) for one in play(*names, f"{seed} stage {number}", 24, 0)]
    moves = [one for one in played if one.before.phase.kind == "M"]
    others = [one for one in played if one.before.phase.kind != "M"]
    return played if full else [*moves[:2], moves[-1], *others[:4]]


def _context(one: Played, power: str, variant: str, book: str) -> ReadingContext:
    return ReadingContext(variants.load(variant), one.before, power, rulebooks.load(book))


@pytest.mark.parametrize("variant", variants.playable_names())
def test_a_variant_can_be_played_from_its_start(variant: str) -> None:
    loaded = variants.load(variant)
    setting = loaded.definition
    check_position(setting.board, setting.start)
    rules = setting.rules_for(setting.start.phase)
    assert setting.start.phase == setting.calendar.start
    assert rules.powers_with_choices(setting.board, setting.start, Rulebook())
    assert 0 < setting.victory.centres_needed(setting.board) <= len(setting.board.centres)
    for code in {*setting.calendar.opening, *setting.calendar.cycle}:
        assert code[1] in setting.phase_rules
        assert all(loaded.seasons[code[0]][language] for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", variants.playable_names())
def test_a_variant_is_named_whole_in_each_language(variant: str, language: str) -> None:
    loaded = variants.load(variant)
    names, board = loaded.names(language), loaded.board
    assert loaded.title[language]
    assert set(names.provinces) >= set(board.provinces)
    assert set(names.powers) >= set(board.powers)
    assert set(names.units) >= set(board.kinds)
    assert len({names.location(place) for place in board.locations}) == len(board.locations)


def _offered(one: Played, dice: random.Random, most: int) -> list[tuple[str, Any]]:
    """Some of the orders that each power may give, all kinds of them."""
    rules, board = one.setting.rules_for(one.before.phase), one.setting.board
    found = []
    for power in rules.powers_with_choices(board, one.before, one.book):
        by_kind: dict[str, list[Any]] = {}
        for order in rules.legal_orders(board, one.before, power, one.book):
            by_kind.setdefault(type(order).__name__, []).append(order)
        for orders in by_kind.values():
            found += [(power, order) for order in dice.sample(orders, min(most, len(orders)))]
    return found


def test_every_order_is_read_back_from_its_normal_form(stages: list[Played], names: tuple[str, str]) -> None:
    variant = variants.load(names[0])
    for one in stages:
        for _, order in _offered(one, random.Random("normal"), 40):
            assert parse_order(str(order), variant) == order


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", ORDER_STYLES)
def test_every_order_is_read_back_as_it_is_written(
    stages: list[Played], names: tuple[str, str], style: str, language: str, full: bool
) -> None:
    variant, book = names
    for one in stages:
        contexts = {power: _context(one, power, variant, book) for power in one.setting.board.seats}
        for power, order in _offered(one, random.Random(style), 40 if full else 3):
            text = write_order(order, contexts[power].variant, language, style)
            line = notation.read_line(text, contexts[power])
            assert (line.order, line.refusal) == (order, None), text


def test_what_may_be_ordered_is_the_same_in_json(stages: list[Played], names: tuple[str, str]) -> None:
    for one in stages:
        rules, board = one.setting.rules_for(one.before.phase), one.setting.board
        found = adjudication.legal_orders(_question(one, names))
        assert tuple(found) == rules.powers_with_choices(board, one.before, one.book)
        for power, by_unit in found.items():
            assert isinstance(by_unit, dict)
            orders = [str(order) for order in rules.legal_orders(board, one.before, power, one.book)]
            assert sorted(order for listed in by_unit.values() for order in listed) == sorted(orders)


def _question(one: Played, names: tuple[str, str]) -> dict[str, Any]:
    variant, book = names
    lines = {power: [str(order) for order in orders] for power, orders in one.orders.items()}
    position = write_position(one.before, one.setting.board)
    politics = one.setting.politics
    affairs = {"politics": politics.write_state(one.setting.board, one.before)} if politics else {}
    return {"id": 1, "variant": variant, "rulebook": book, **position, **affairs, "orders": lines}


def test_the_json_answers_as_the_engine_judges(stages: list[Played], names: tuple[str, str]) -> None:
    for one in stages:
        answer: dict[str, Any] = adjudication.adjudicate_question(_question(one, names))
        assert json.loads(json.dumps(answer)) == answer
        after = write_position(one.turn.outcome.position_after, one.setting.board)
        told = {name: answer[name] for name in ("units", "dislodged", "contested", "centers")}
        assert told == {name: after[name] for name in told}
        assert answer["next"] == (str(one.turn.next_position.phase) if one.turn.next_position else None)
        assert (answer["winner"], answer["eliminated"]) == (list(one.turn.winner), list(one.turn.eliminated))
        _compare_orders(one, answer)


def _compare_orders(one: Played, answer: dict[str, Any]) -> None:
    results = {
        (verdict.power, str(verdict.unit), str(verdict.order)): [str(result) for result in verdict.results]
        for verdict in one.turn.outcome.verdicts
    }
    for entry in answer["orders"]:
        assert (entry["error"] is not None) == _is_unmade(entry) or entry["order"] == "WAIVE"
        assert results[entry["power"], entry["unit"] or " ", str(entry["order"])] == entry["results"]


def _is_unmade(entry: dict[str, Any]) -> bool:
    """Whether a winter has no place for an order: that is told as an impossible move is."""
    unmade = {"build_void", "build_ignored", "removal_ignored"} & set(entry["results"])
    return bool(unmade) and entry["cause"]["code"] != "already_removed"


def test_everything_has_its_sentences(stages: list[Played], names: tuple[str, str]) -> None:
    variant, book = variants.load(names[0]), rulebooks.load(names[1])
    for one in stages:
        for verdict in one.turn.outcome.verdicts:
            sentences = {messages.cause_sentence(verdict, variant, language, book) for language in LANGUAGES}
            assert len(sentences) == len(LANGUAGES)
            assert all(
                sentence[0].isupper() and sentence[-1] == "." and "{" not in sentence
                for sentence in sentences
            )


def test_the_same_question_has_the_same_answer(stages: list[Played], names: tuple[str, str]) -> None:
    for one in stages[:3]:
        question = json.dumps(_question(one, names))
        first, second = (json.dumps(adjudication.adjudicate_question(json.loads(question))) for _ in range(2))
        assert first == second


def test_a_position_without_orders_can_be_judged(stages: list[Played]) -> None:
    for one in stages:
        turn = game.play_phase(one.setting, one.before, {}, one.book)
        assert not turn.outcome.refused
        moved = {OrderResult.MOVES, OrderResult.RETREATS, OrderResult.BUILDS}
        told = [
            verdict for verdict in turn.outcome.verdicts if verdict.power not in one.setting.scripted_powers
        ]
        assert not [verdict for verdict in told if moved & set(verdict.results)]


def test_an_empty_board_is_no_trouble(names: tuple[str, str]) -> None:
    setting, book = variants.load(names[0]).definition, rulebooks.load(names[1]).adjudication_rules
    for code in setting.calendar.cycle:
        phase = setting.calendar.first._replace(season=code[0], kind=code[1])
        turn = game.play_phase(setting, Position(phase, centres={}), {}, book)
        assert not turn.outcome.verdicts
        assert turn.next_position is not None
