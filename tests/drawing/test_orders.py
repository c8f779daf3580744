"""Orders and what became of them: each drawn once, where it belongs, told without colour."""

from xml.etree.ElementTree import Element

import pytest

from talleyrand import drawing
from talleyrand.drawing.map_scene import MapScene
from talleyrand.drawing.overlap import covers_label
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import OrderResult
from talleyrand.engine.position import DislodgedUnit, Phase, Position, Unit
from talleyrand.notation import parse_normal
from tests.drawing.pictures import (
    CLASSIC,
    TRIO,
    anchor,
    classed,
    distance,
    layer,
    line,
    marked,
    order,
    ordered,
    parsed,
    points,
    spot,
    standing,
    titles,
    verdict,
    verdicts,
)

MIXED = verdicts("""
    FRANCE: A PAR - BUR: moves
    FRANCE: A MAR S A PAR - BUR: support_given
    GERMANY: A MUN - BUR: bounces dislodged destroyed
    GERMANY: A RUH S A MUN - BUR: support_cut
    ITALY: A TYR - MUN: moves
    RUSSIA: F STP/NC S A FIN: support_void
    RUSSIA: A MOS H: holds
    ENGLAND: A LON - TUN: moves: sea
    ENGLAND: F ENG C A LON - TUN: convoys
    ENGLAND: F MAO C A LON - TUN: convoys
    ENGLAND: F WES C A LON - TUN: convoys dislodged
    TURKEY: F BLA C A ANK - SEV: convoy_void
    TURKEY: A ARM - NAF: illegal
    GERMANY: F BAL C A LVN - SWE: convoy_disrupted dislodged
    GERMANY: A LVN - SWE: convoy_disrupted
    AUSTRIA: A VIE - GAL: bounces
""")


class TestEveryVerdict:
    root = parsed(drawing.draw_board(CLASSIC, standing(MIXED), verdicts=MIXED))

    def test_is_drawn_once_with_its_result(self) -> None:
        found = [
            (node.get("data-power"), node.get("data-unit"), node.get("data-order"), node.get("data-result"))
            for node in layer(self.root, "orders")
        ]
        wanted = [(v.power, str(v.unit), str(v.order), " ".join(v.results)) for v in MIXED]
        assert sorted(found) == sorted(wanted)

    @pytest.mark.parametrize(
        ("text", "marks"),
        [
            ("A PAR - BUR", []),
            ("A MAR S A PAR - BUR", ["support_given"]),
            ("A MUN - BUR", ["bounces", "destroyed"]),
            ("A RUH S A MUN - BUR", ["support_cut"]),
            ("F STP/NC S A FIN", ["void"]),
            ("A MOS H", []),
            ("F MAO C A LON - TUN", ["convoys"]),
            ("F WES C A LON - TUN", ["convoys", "dislodged"]),
            ("F BLA C A ANK - SEV", ["void"]),
            ("A ARM - NAF", ["illegal"]),
            ("A LVN - SWE", ["convoy_disrupted"]),
            ("F BAL C A LVN - SWE", ["convoy_disrupted", "dislodged"]),
        ],
    )
    def test_is_told_by_its_own_marks(self, text: str, marks: list[str]) -> None:
        assert [(node.get("class") or "").split()[1] for node in marked(self.root, text)] == marks

    def test_marks_of_one_unit_lie_apart(self) -> None:
        first, second = (spot(node) for node in marked(self.root, "F BAL C A LVN - SWE"))
        assert abs(first - second) > 10

    def test_a_failed_move_has_a_broken_line(self) -> None:
        assert "failed" in (ordered(self.root, "A VIE - GAL").get("class") or "")
        assert "failed" not in (ordered(self.root, "A PAR - BUR").get("class") or "")
        assert ".board .failed .line { stroke-dasharray" in drawing.BOARD_CSS.replace(
            ".failed .rim, .board ", ""
        )

    def test_is_said_in_words(self) -> None:
        assert "Autriche – armée, Vienne → Galicie (rebond)" in titles(self.root)

    def test_the_legend_explains_the_marks_in_use(self) -> None:
        said = {node.text for node in classed(layer(self.root, "legend"), "said")}
        assert {"soutien donné", "soutien coupé", "convoi rompu", "sans objet", "ordre illégal"} <= said
        assert "construite" not in said


@pytest.mark.parametrize("result", list(OrderResult))
def test_no_result_is_unknown_to_the_drawing(result: OrderResult) -> None:
    judged = (verdict(f"FRANCE: A PAR - BUR: {result}"),)
    root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged, language="en"))
    group = ordered(root, "A PAR - BUR")
    assert group.get("data-result") == result
    assert (group.findtext("title") or "").startswith("France – army, Paris → Burgundy (")


class TestMoves:
    def test_goes_from_the_unit_to_its_aim(self) -> None:
        judged = verdicts("FRANCE: A PAR - BUR: moves")
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        track = line(ordered(root, "A PAR - BUR"))
        head = points(classed(ordered(root, "A PAR - BUR"), "head")[0])
        assert abs(track[0] - anchor(CLASSIC, "PAR")) < 1
        assert 8 < abs(head[0] - anchor(CLASSIC, "BUR")) < 16

    def test_to_a_coast_goes_to_that_coast(self) -> None:
        for coast in ("NC", "SC"):
            judged = verdicts(f"FRANCE: F MAO - SPA/{coast}: moves")
            root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
            head = points(classed(ordered(root, f"F MAO - SPA/{coast}"), "head")[0])
            assert abs(head[0] - anchor(CLASSIC, f"SPA/{coast}")) < 16

    @pytest.mark.parametrize("order", ["A MUN - RUH", "F LON - NTH", "A VIE - TRI", "F BRE - ENG"])
    def test_the_head_of_a_move_is_not_hidden_by_a_label(self, order: str) -> None:
        start = CLASSIC.definition.start
        root = parsed(drawing.draw_board(CLASSIC, start, orders=[parse_normal(order)]))
        tip = points(classed(ordered(root, order), "head")[0])[0]
        assert not covers_label(MapScene(CLASSIC, start, "fr"), tip)

    @pytest.mark.parametrize(
        ("one", "other"), [("BER", "SIL"), ("MOS", "STP"), ("SER", "TRI"), ("ROM", "NAP")]
    )
    def test_opposite_moves_do_not_cover_each_other(self, one: str, other: str) -> None:
        judged = verdicts(f"RUSSIA: A {one} - {other}: bounces\nFRANCE: A {other} - {one}: bounces")
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        there, back = line(ordered(root, f"A {one} - {other}")), line(ordered(root, f"A {other} - {one}"))
        middle = there[len(there) // 2]
        assert distance(middle, back) > 7

    def test_moves_to_one_place_end_apart(self) -> None:
        judged = verdicts("""
            ITALY: F TYS - ION: bounces
            TURKEY: F AEG - ION: bounces
            TURKEY: F GRE - ION: bounces
            AUSTRIA: F ADR - ION: bounces
            ITALY: F TUN - ION: bounces
        """)
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        ends = [spot(node) for v in judged for node in marked(root, str(v.order))]
        assert len(ends) == 5
        assert min(abs(a - b) for a in ends for b in ends if a is not b) > 8

    def test_a_cross_stands_where_a_move_stopped(self) -> None:
        judged = verdicts("AUSTRIA: A VIE - GAL: bounces")
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        (cross,) = marked(root, "A VIE - GAL")
        assert abs(spot(cross) - line(ordered(root, "A VIE - GAL"))[-1]) < 1
        assert classed(ordered(root, "A VIE - GAL"), "head") == []


class TestSupports:
    judged = verdicts("""
        FRANCE: A PAR - BUR: moves
        FRANCE: A MAR S A PAR - BUR: support_given
        FRANCE: A GAS S A PAR - BUR: support_cut
        FRANCE: A PIC S A BEL: support_given
        GERMANY: A BEL H: holds
        RUSSIA: F SEV S A RUM - BUL: support_void
    """)
    root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))

    def test_leads_onto_the_move_it_helps(self) -> None:
        move = line(ordered(self.root, "A PAR - BUR"))
        for text in ("A MAR S A PAR - BUR", "A GAS S A PAR - BUR"):
            track = line(ordered(self.root, text))
            assert abs(track[0] - anchor(CLASSIC, text[2:5])) < 1
            assert distance(track[-1], move) < 2

    def test_two_supports_of_one_move_meet_it_apart(self) -> None:
        first, second = (line(ordered(self.root, f"A {place} S A PAR - BUR"))[-1] for place in ("MAR", "GAS"))
        assert abs(first - second) > 3

    def test_a_hold_is_supported_at_the_unit(self) -> None:
        track = line(ordered(self.root, "A PIC S A BEL"))
        assert 6 < abs(track[-1] - anchor(CLASSIC, "BEL")) < 16

    def test_a_move_nobody_ordered_is_shown_hollow(self) -> None:
        group = ordered(self.root, "F SEV S A RUM - BUL")
        (hollow,) = classed(group, "unordered")
        assert abs(points(classed(hollow, "head")[0])[0] - anchor(CLASSIC, "BUL")) < 16
        assert classed(ordered(self.root, "A MAR S A PAR - BUR"), "unordered") == []


class TestConvoys:
    def test_the_army_passes_over_its_fleets(self) -> None:
        root = parsed(drawing.draw_board(CLASSIC, standing(MIXED), verdicts=MIXED))
        track = line(ordered(root, "A LON - TUN"))
        for fleet in ("ENG", "MAO", "WES"):
            assert distance(anchor(CLASSIC, fleet), track) < 3

    def test_each_fleet_makes_waves_at_its_place(self) -> None:
        root = parsed(drawing.draw_board(CLASSIC, standing(MIXED), verdicts=MIXED))
        for fleet in ("ENG", "MAO", "WES"):
            (waves,) = classed(ordered(root, f"F {fleet} C A LON - TUN"), "line")
            assert "Q" in (waves.get("d") or "")
            assert distance(anchor(CLASSIC, fleet), points(waves)) < 14

    def test_an_army_that_went_by_land_leaves_the_fleet_alone(self) -> None:
        lines = "FRANCE: A PIC - BEL: moves: {}\nFRANCE: F ENG C A PIC - BEL: convoys"
        gaps = []
        for route in ("land", "sea"):
            judged = verdicts(lines.format(route))
            root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
            gaps.append(distance(anchor(CLASSIC, "ENG"), line(ordered(root, "A PIC - BEL"))))
        assert gaps[0] > 20
        assert gaps[1] < 3

    def test_the_fleet_of_another_army_is_left_alone(self) -> None:
        judged = verdicts("""
            ENGLAND: A LON - BEL: moves: sea
            ENGLAND: F ENG C A WAL - BEL: convoy_void
            ENGLAND: F NTH C A LON - BEL: convoys
        """)
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        track = line(ordered(root, "A LON - BEL"))
        assert distance(anchor(CLASSIC, "NTH"), track) < 3
        assert distance(anchor(CLASSIC, "ENG"), track) > 20

    def test_without_a_chain_of_fleets_the_arrow_is_straight(self) -> None:
        judged = verdicts("ENGLAND: A LON - TUN: convoy_disrupted\nENGLAND: F WES C A LON - TUN: convoy_void")
        root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
        assert distance(anchor(CLASSIC, "WES"), line(ordered(root, "A LON - TUN"))) > 3
        assert len(classed(ordered(root, "F WES C A LON - TUN"), "line")) == 2


class TestRetreats:
    position = Position(
        Phase.parse("F1905R"),
        (Unit("A", "BUR", "FRANCE"), Unit("A", "SER", "TURKEY")),
        (
            DislodgedUnit(Unit("A", "BUR", "GERMANY"), "PAR", retreats=("MUN", "RUH")),
            DislodgedUnit(Unit("A", "SER", "AUSTRIA"), "BUL", retreats=("TRI",)),
        ),
        contested=frozenset({"GAS"}),
    )
    judged = verdicts("GERMANY: A BUR R MUN: retreats\nAUSTRIA: A SER D: disbanded")
    root = parsed(drawing.draw_board(CLASSIC, position, verdicts=judged))

    def test_starts_where_the_dislodged_unit_lies(self) -> None:
        group = ordered(self.root, "A BUR R MUN")
        assert abs(line(group)[0] - anchor(CLASSIC, "BUR", "retreat")) < 1
        assert abs(points(classed(group, "head")[0])[0] - anchor(CLASSIC, "MUN")) < 16

    def test_a_unit_that_disbands_is_crossed_out(self) -> None:
        (cross,) = marked(self.root, "A SER D")
        assert "leaves" in (cross.get("class") or "")
        assert spot(cross) == anchor(CLASSIC, "SER", "retreat")

    def test_a_contested_province_is_marked(self) -> None:
        (swords,) = classed(layer(self.root, "marks"), "contested")
        assert (swords.get("data-province"), spot(swords)) == ("GAS", anchor(CLASSIC, "GAS"))
        assert "Gascogne\u00a0: vide après un rebond" in titles(swords)


def test_provinces_that_the_orders_left_empty_are_marked() -> None:
    judged = verdicts("AUSTRIA: A VIE - GAL: bounces\nRUSSIA: A WAR - GAL: bounces")
    root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged, contested={"GAL"}))
    (swords,) = classed(layer(root, "marks"), "contested")
    assert spot(swords) == anchor(CLASSIC, "GAL")
    assert "vide après un rebond" in [node.text for node in classed(root, "said")]


def test_the_mark_does_not_cover_a_unit_that_left_the_contested_province() -> None:
    judged = verdicts(
        "AUSTRIA: A BUD - SER: moves\nAUSTRIA: A VIE - BUD: bounces\nRUSSIA: A GAL - BUD: bounces"
    )
    root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged, contested={"BUD"}))
    (swords,) = classed(layer(root, "marks"), "contested")
    assert spot(swords) == anchor(CLASSIC, "BUD", "retreat")


def test_a_line_gives_way_to_a_line_laid_after_it() -> None:
    judged = verdicts("""
        AUSTRIA: A BUD - SER: moves
        AUSTRIA: A TRI - BUD: bounces
        AUSTRIA: A VIE - BUD: bounces
    """)
    root = parsed(drawing.draw_board(CLASSIC, standing(judged), verdicts=judged))
    leaving, coming = line(ordered(root, "A BUD - SER")), line(ordered(root, "A TRI - BUD"))
    assert min(distance(point, coming) for point in leaving[2:]) > 8


class TestAdjustments:
    position = Position(
        Phase.parse("W1905A"),
        (Unit("F", "BRE", "FRANCE"), Unit("A", "TRI", "AUSTRIA")),
        centres=CLASSIC.board.homes,
    )

    def drawn(self, lines: str) -> Element:
        return parsed(drawing.draw_board(CLASSIC, self.position, verdicts=verdicts(lines)))

    def test_a_build_is_a_ring_around_the_new_unit(self) -> None:
        root = self.drawn("RUSSIA: F STP/NC B: builds")
        group = ordered(root, "F STP/NC B")
        (ring,), (ghost,) = classed(group, "ring"), classed(group, "ghost")
        assert spot(ring) == spot(ghost) == anchor(CLASSIC, "STP/NC")
        assert [node.get("data-unit") for node in layer(root, "units")] == ["F BRE", "A TRI"]

    def test_a_removal_is_a_cross_with_or_without_an_order(self) -> None:
        for result in ("disbanded", "removed"):
            root = self.drawn(f"AUSTRIA: A TRI D: {result}")
            (cross,) = marked(root, "A TRI D")
            assert "leaves" in (cross.get("class") or "")
            assert spot(cross) == anchor(CLASSIC, "TRI")
        ruled = (verdicts("AUSTRIA: A TRI D: removed")[0]._replace(order=None),)
        root = parsed(drawing.draw_board(CLASSIC, self.position, verdicts=ruled))
        assert len(classed(layer(root, "marks"), "leaves")) == 1

    def test_a_unit_gone_already_is_shown_under_its_cross(self) -> None:
        judged = verdicts("AUSTRIA: A VIE D: disbanded")
        root = parsed(drawing.draw_board(CLASSIC, self.position, verdicts=judged))
        assert len(classed(ordered(root, "A VIE D"), "ghost")) == 1

    def test_a_build_that_does_not_happen_is_marked_void(self) -> None:
        for result in ("build_void", "build_ignored"):
            root = self.drawn(f"FRANCE: A PAR B: {result}")
            assert ["void" in (node.get("class") or "") for node in marked(root, "A PAR B")] == [True]

    def test_a_build_given_up_stands_among_the_orders(self) -> None:
        root = self.drawn("FRANCE: WAIVE: waived")
        group = ordered(root, "WAIVE")
        assert group.findtext("title") == "France – construction non faite (construction non faite)"
        assert group.get("data-unit") is None


class TestGivenOrders:
    given = tuple(map(order, ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H")))
    position = CLASSIC.definition.start

    def test_are_drawn_without_results(self) -> None:
        root = parsed(drawing.draw_board(CLASSIC, self.position, orders=self.given))
        found = [(node.get("data-order"), node.get("data-result")) for node in layer(root, "orders")]
        assert sorted(found) == sorted((str(each), None) for each in self.given)
        assert len(layer(root, "marks")) == 0

    def test_take_the_power_of_the_unit_or_the_one_said(self) -> None:
        for orders in (self.given, {"FRANCE": self.given}, iter(self.given)):
            root = parsed(drawing.draw_board(CLASSIC, self.position, orders=orders))
            assert {node.get("data-power") for node in layer(root, "orders")} == {"FRANCE"}

    def test_give_way_to_their_verdict(self) -> None:
        judged = verdicts("FRANCE: A PAR - BUR: moves")
        root = parsed(drawing.draw_board(CLASSIC, self.position, orders=self.given, verdicts=judged))
        assert ordered(root, "A PAR - BUR").get("data-result") == "moves"
        assert len(layer(root, "orders")) == 3

    def test_give_way_to_the_verdict_on_another_order_of_the_unit(self) -> None:
        judged = verdicts("FRANCE: A PAR H: holds")
        root = parsed(drawing.draw_board(CLASSIC, self.position, orders=self.given, verdicts=judged))
        assert "A PAR - BUR" not in [node.get("data-order") for node in layer(root, "orders")]

    def test_only_the_last_for_a_unit_is_drawn(self) -> None:
        orders = [order(f"A PAR - {to}") for to in ("GAS", "PIC", "BUR")] * 2000
        root = parsed(drawing.draw_board(CLASSIC, self.position, orders=orders))
        assert [node.get("data-order") for node in layer(root, "orders")] == ["A PAR - BUR"]

    @pytest.mark.parametrize(
        "text",
        [
            "A XXX - BUR",
            "A PAR - XXX",
            "A PAR S A XXX",
            "A PAR S A XXX - YYY",
            "F BRE C A XXX - YYY",
            "Z PAR H",
        ],
    )
    def test_with_unknown_places_or_kinds_are_kept(self, text: str) -> None:
        root = parsed(drawing.draw_board(CLASSIC, self.position, orders=[order(text)]))
        assert ordered(root, text).findtext("title")


def test_a_board_of_its_own_kinds_and_coasts() -> None:
    judged = verdicts("""
        BOREA: A FRO - PEA: bounces
        BOREA: F NEE/EC - MOR: moves
        SOLANA: A SAF - PEA: bounces
        SOLANA: P BEA S A SAF - PEA: support_given
        VESPERA: P LAG - EVE: moves
    """)
    root = parsed(drawing.draw_board(TRIO, standing(judged, "Y5M", TRIO), verdicts=judged))
    assert len(layer(root, "orders")) == 5
    assert abs(line(ordered(root, "F NEE/EC - MOR"))[0] - anchor(TRIO, "NEE/EC")) < 1
    assert "Vesprée – patrouille, Lagune → mer du Soir (se déplace)" in titles(root)


def test_each_order_has_words_in_both_languages() -> None:
    texts = (
        "A PAR H; A PAR - BUR; A PAR - BUR VIA; A PAR S A MAR; A PAR S A MAR - BUR; F BRE C A PIC - LON;"
        "A PAR R BUR; A PAR D; A PAR B; WAIVE"
    )
    given = [order(text.strip()) for text in texts.split(";")]
    said = {language: {_said(each, language) for each in given} for language in ("fr", "en")}
    assert len(said["fr"]) == len(said["en"]) == len(given)
    assert not said["fr"] & said["en"]


def _said(given: Order, language: str) -> str | None:
    (group,) = parsed(
        drawing.draw_layers(
            CLASSIC, CLASSIC.definition.start, verdicts=(), orders=[given], language=language
        ).orders
    )
    return group.findtext("title")
