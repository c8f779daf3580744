"""The draw of powers: anybody can make it again, and nobody is better off than another."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from talleyrand.web.games.lobby.power_draw import draw_powers, power_draw_seed

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
SEVEN = tuple(range(1, 8))
SEEDS = tuple(f"graine {number}" for number in range(2100))


def test_the_rule_word_for_word() -> None:
    """Drawn again with nothing but the rule as it is written down."""
    made = draw_powers("1901", SEVEN, POWERS, {2: ["FRANCE"], 5: ["FRANCE", "TURKEY"]})

    def lot(kind: str, name: str) -> str:
        return sha256(f'["1901","{kind}","{name}"]'.encode()).hexdigest()

    order = sorted(SEVEN, key=lambda number: lot("player", str(number)))
    ranked = sorted(POWERS, key=lambda power: lot("power", power))
    assert made.players == tuple(order)
    assert made.powers == tuple(ranked)
    assert order.index(5) < order.index(2)
    assert made.power_by_player[5] == "FRANCE"
    left = [number for number in order if number != 5]
    assert [made.power_by_player[number] for number in left] == [
        power for power in ranked if power != "FRANCE"
    ]


def test_kept_for_ever() -> None:
    """These results must never change: games of before are drawn again by them."""
    assert power_draw_seed("1901") == sha256(b'["1901","powers"]').hexdigest()
    made = draw_powers("1901", SEVEN, POWERS, {})
    assert made.players == (6, 4, 5, 3, 2, 7, 1)
    assert made.powers == ("ENGLAND", "AUSTRIA", "ITALY", "FRANCE", "RUSSIA", "GERMANY", "TURKEY")
    assert made.power_by_player == dict(zip(made.players, made.powers, strict=True))


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ({}, {}),
        ({3: ["ITALY"]}, {3: "ITALY"}),
        ({3: ["MARS", "ITALY"]}, {3: "ITALY"}),
        ({1: ["FRANCE"], 2: ["RUSSIA"], 3: ["TURKEY"]}, {1: "FRANCE", 2: "RUSSIA", 3: "TURKEY"}),
        ({number: [POWERS[number - 1]] for number in SEVEN}, dict(zip(SEVEN, POWERS, strict=True))),
    ],
)
def test_wishes_that_nobody_else_has_are_granted(
    wishes: dict[int, list[str]], expected: dict[int, str]
) -> None:
    for seed in SEEDS[:50]:
        given = draw_powers(seed, SEVEN, POWERS, wishes).power_by_player
        assert {number: given[number] for number in expected} == expected
        assert sorted(given.values()) == sorted(POWERS)


def test_fewer_players_than_powers() -> None:
    given = draw_powers("x", (1, 2, 3), POWERS, {2: ["ITALY"]}).power_by_player
    assert len(set(given.values())) == 3
    assert given[2] == "ITALY"
    assert draw_powers("x", (), POWERS, {}).power_by_player == {}
    with pytest.raises(ValueError, match="more players"):
        draw_powers("x", SEVEN, POWERS[:6], {})


def test_without_wishes_all_have_the_same_chances() -> None:
    counts = Counter[tuple[int, str]]()
    for seed in SEEDS:
        counts.update(draw_powers(seed, SEVEN, POWERS, {}).power_by_player.items())
    # 300 each on average; five standard deviations of such a count are 80
    assert all(220 < counts[number, power] < 380 for number in SEVEN for power in POWERS)


def test_all_with_the_same_wish_have_the_same_chances() -> None:
    wishes = {number: ["TURKEY", "RUSSIA"] for number in SEVEN}
    counts = Counter[tuple[int, str]]()
    for seed in SEEDS:
        counts.update(draw_powers(seed, SEVEN, POWERS, wishes).power_by_player.items())
    for power in ("TURKEY", "RUSSIA"):
        assert all(220 < counts[number, power] < 380 for number in SEVEN)


def test_no_wish_takes_what_another_drawn_before_wishes() -> None:
    for seed in SEEDS[:200]:
        made = draw_powers(seed, SEVEN, POWERS, {number: ["TURKEY"] for number in SEVEN[:4]})
        winner = next(number for number in made.players if number <= 4)
        assert made.power_by_player[winner] == "TURKEY"


def test_another_seed_is_another_draw() -> None:
    assert (
        len(
            {
                tuple(sorted(draw_powers(seed, SEVEN, POWERS, {}).power_by_player.items()))
                for seed in SEEDS[:100]
            }
        )
        > 90
    )
