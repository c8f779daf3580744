"""What bots propose of themselves: sensible, few, the same for the same seed, and agreed to by themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.negotiation.bot_answers import ACCEPTED, Negotiation
from talleyrand.negotiation.bot_characters import CHARACTERS
from talleyrand.negotiation.bot_offers import MOST_TO_ONE, offers_of_phase
from talleyrand.negotiation.kept_word import AgreementAccount, Breach
from talleyrand.negotiation.proposals import Agreement, Proposal

GAME = variants.load("classic").definition
BOOK = rulebooks.load("datc").adjudication_rules


def table(bot: str, speaker: str, position: Position = GAME.start, character: str = "loyal") -> Negotiation:
    return Negotiation(GAME, BOOK, position, bot, speaker, CHARACTERS[character], ())


def offered(position: Position, bot: str = "GERMANY", to: str = "FRANCE") -> dict[str, object] | None:
    found = offers_of_phase([table(bot, to, position)], "seed")
    return found[0].proposal.as_json() if found else None


def standing(phase: str, centres: dict[str, tuple[str, ...]], **units: str) -> Position:
    told = [(power, *one.split()) for power, named in units.items() for one in named.split(", ")]
    listed = tuple(Unit(kind, place, power) for power, kind, place in told)
    return Position(Phase.parse(phase), listed, centres=centres)


def test_at_the_start_neighbours_leave_the_place_between_them_empty() -> None:
    assert offered(GAME.start) == {"kind": "demilitarised", "province": "BUR", "years": 2}
    assert offered(GAME.start, "RUSSIA", "AUSTRIA") == {
        "kind": "demilitarised",
        "province": "GAL",
        "years": 2,
    }
    assert offered(GAME.start, "TURKEY", "FRANCE") is None, "too far from each other"


def test_a_support_that_takes_a_centre_and_would_not_without_it() -> None:
    centres = {"FRANCE": ("PAR",), "GERMANY": ("MUN", "RUH"), "ENGLAND": ("BEL", "LON")}
    at = {"FRANCE": "A BUR", "GERMANY": "A RUH", "ENGLAND": "A BEL"}
    found = offered(standing("F1902M", centres, **at))
    assert found == {"kind": "support", "offered": "A RUH - BEL"}
    strong = {**at, "GERMANY": "A RUH, A HOL"}
    assert offered(standing("F1902M", centres, **strong)) is None, "it takes it alone"
    assert offered(standing("F1902R", centres, **at)) is None


def test_no_longer_than_it_promises_and_no_place_to_a_friend() -> None:
    found = offers_of_phase([table("GERMANY", "FRANCE", character="wary")], "seed")
    assert [one.proposal.years for one in found] == [1]
    peace = Agreement(Proposal("peace"), "FRANCE", "GERMANY", GAME.start.phase, 1902)
    friends = replace(table("GERMANY", "FRANCE"), accounts=(AgreementAccount(peace, (), is_over=False),))
    assert all(one.proposal.kind != "demilitarised" for one in offers_of_phase([friends], "seed"))
    breach = (Breach(GAME.start.phase, "FRANCE", "A PAR - BUR"),)
    betrayed = replace(friends, accounts=(AgreementAccount(peace, breach, is_over=True),))
    assert offers_of_phase([betrayed], "seed") == []


def test_the_largest_power_is_a_common_enemy() -> None:
    centres = {"FRANCE": ("PAR",), "GERMANY": ("MUN",), "ENGLAND": ("LON", "LVP", "EDI", "NWY", "SWE")}
    at = {"FRANCE": "F BEL", "GERMANY": "F KIE", "ENGLAND": "F LON, F NTH"}
    assert offered(standing("S1903M", centres, **at)) == {"kind": "alliance", "third": "ENGLAND", "years": 2}
    assert offered(standing("F1903M", centres, **at)) is None, "lasting things in the first moves of a year"


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_few_to_each_one_from_each_and_never_what_it_would_decline(seed: str) -> None:
    people = ("FRANCE", "TURKEY")
    bots = [one for one in GAME.players if one not in people]
    tables = [table(bot, to, character="wary") for bot in bots for to in people]
    found = offers_of_phase(tables, seed)
    assert found == offers_of_phase(tables[::-1], seed)
    assert len({one.bot for one in found}) == len(found)
    for to in people:
        assert 1 <= sum(one.partner == to for one in found) <= MOST_TO_ONE
    for one in found:
        assert table(one.bot, one.partner, character="wary").answer(one.proposal).code == ACCEPTED
    assert not {*found} & {*offers_of_phase(tables, seed, found)}, "nothing is said twice"


def test_chance_decides_among_equals() -> None:
    bots = [one for one in GAME.players if one != "GERMANY"]
    tables = [table(bot, "GERMANY") for bot in bots]
    assert len({tuple(offers_of_phase(tables, str(seed))) for seed in range(20)}) > 1


def test_who_is_out_is_offered_nothing() -> None:
    centres: dict[str, tuple[str, ...]] = {"GERMANY": ("MUN",), "ENGLAND": ("LON",)}
    assert offered(standing("S1903M", centres, GERMANY="A BUR", ENGLAND="F ENG")) is None
