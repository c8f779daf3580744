"""What became of the orders of a game: counted once each, by the power that gave them."""

from __future__ import annotations

from talleyrand import variants
from talleyrand.web.boards.order_statistics import order_statistics

CLASSIC = variants.load("classic")


def entry(power: str, *results: str) -> dict[str, object]:
    return {"power": power, "order": "A PAR H", "results": list(results)}


def test_each_result_is_counted_for_its_power() -> None:
    first = {
        "orders": [
            entry("FRANCE", "moves"),
            entry("FRANCE", "bounces", "dislodged"),
            entry("FRANCE", "support_cut"),
            entry("FRANCE", "holds"),
            entry("GERMANY", "support_given"),
            entry("GERMANY", "convoys"),
            entry("ITALY", "holds"),
        ]
    }
    rows = {row["name"]: row for row in order_statistics(CLASSIC, [first, first, {}])}
    assert list(rows) == ["France", "Allemagne", "Italie"]
    france = rows["France"]
    assert [france[name] for name in ("moves", "bounces", "supports", "cut", "convoys", "dislodged")] == [
        *(2, 2, 0, 2, 0, 2)
    ]
    assert (france["rate"], rows["Allemagne"]["rate"], rows["Italie"]["rate"]) == (33, 100, None)


def test_a_game_without_orders_has_none() -> None:
    assert order_statistics(CLASSIC, []) == []
