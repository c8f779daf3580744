"""What bots answer, what they owe, and who kept an agreement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from talleyrand import rulebooks, variants
from talleyrand.engine.orders import parse_normal
from talleyrand.engine.position import Phase, Position, Unit
from talleyrand.negotiation.bot_answers import FORGIVEN, Negotiation
from talleyrand.negotiation.bot_characters import CHARACTERS, character_by_lot
from talleyrand.negotiation.bot_duties import duties_of
from talleyrand.negotiation.kept_word import (
    AgreementAccount,
    Breach,
    PlayedOrders,
    account_of,
    trust_in,
    without_extended,
)
from talleyrand.negotiation.proposals import Agreement, NoProposal, Proposal, read_proposal

GAME = variants.load("classic").definition
BOARD, START = GAME.board, GAME.start
BOOK = rulebooks.load("datc").adjudication_rules
PEACE = Proposal("peace")


def proposed(**fields: object) -> Proposal:
    return read_proposal(fields, BOARD)


def table(
    position: Position = START, character: str = "loyal", accounts: tuple[AgreementAccount, ...] = ()
) -> Negotiation:
    """Germany's bot, to whom France speaks."""
    return Negotiation(GAME, BOOK, position, "GERMANY", "FRANCE", CHARACTERS[character], accounts)


def standing(phase: str, centres: dict[str, tuple[str, ...]] | None = None, **units: str) -> Position:
    """A position with these units of each power, "A BUR, F KIE"; the centres of the start unless given."""
    listed = tuple(
        Unit(*one.split(" "), power)  # type: ignore[call-arg]
        for power, written in units.items()
        for one in written.split(", ")
    )
    return replace(START, phase=Phase.parse(phase), units=listed, centres=centres or START.centres)


def agreed(proposal: Proposal = PEACE, until: int = 1902) -> Agreement:
    return Agreement(proposal, "FRANCE", "GERMANY", Phase("S", 1901, "M"), until)


def running(*agreements: Agreement) -> tuple[AgreementAccount, ...]:
    return tuple(AgreementAccount(one, (), is_over=False) for one in agreements)


def resolved(position: Position = START, /, **orders: str) -> PlayedOrders:
    read = {power: [parse_normal(one) for one in lines.split(", ")] for power, lines in orders.items()}
    return PlayedOrders(position, read)


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"kind": "peace"}, ("accepted", "", 1902)),
        ({"kind": "peace", "years": 4}, ("accepted", "", 1904)),
        ({"kind": "demilitarised", "province": "BUR"}, ("accepted", "", 1902)),
        ({"kind": "demilitarised", "province": "MUN"}, ("my_place", "MUN", 0)),
        ({"kind": "demilitarised", "province": "PAR"}, ("your_place", "PAR", 0)),
        ({"kind": "demilitarised", "province": "WAR"}, ("not_empty", "WAR", 0)),
        ({"kind": "demilitarised", "province": "HOL"}, ("wants_it", "HOL", 0)),
        ({"kind": "alliance", "third": "RUSSIA"}, ("accepted", "", 1902)),
        ({"kind": "alliance", "third": "TURKEY"}, ("too_far", "TURKEY", 0)),
        ({"kind": "alliance", "third": "FRANCE"}, ("which_third", "", 0)),
        ({"kind": "support", "asked": "A PAR - BUR"}, ("nothing_offered", "", 0)),
        ({"kind": "support", "asked": "A PAR - GAS"}, ("cannot_support", "A PAR - GAS", 0)),
        ({"kind": "support", "asked": "A MUN - BUR"}, ("not_there", "A MUN", 0)),
        (
            {"kind": "support", "asked": "A PAR - BUR", "offered": "A MUN - RUH"},
            ("cannot_support", "A PAR - BUR", 0),
        ),
        (
            {"kind": "support", "asked": "A PAR - BUR", "offered": "A BER - SIL"},
            ("you_cannot_support", "A BER - SIL", 0),
        ),
        ({"kind": "draw"}, ("too_early", "", 0)),
    ],
)
def test_what_a_loyal_bot_answers_at_the_start(
    fields: dict[str, object], answer: tuple[str, str, int]
) -> None:
    found = table().answer(proposed(**fields))
    assert (found.code, found.about, found.until) == answer


def test_a_wary_bot_promises_for_a_year_at_most() -> None:
    assert table(character="wary").answer(Proposal("peace", years=5)).until == 1901


def test_in_winter_a_promise_lasts_through_the_next_moves() -> None:
    winter = standing("W1901A", GERMANY="A MUN", FRANCE="A PAR")
    for character, years, until in (
        ("wary", 5, 1902),
        ("wary", 1, 1902),
        ("loyal", 1, 1902),
        ("loyal", 4, 1904),
    ):
        found = table(winter, character).answer(Proposal("peace", years=years))
        assert (found.code, found.until) == ("accepted", until)


def test_the_wary_agree_to_nothing_for_a_year_after_a_broken_word() -> None:
    kept = AgreementAccount(agreed(until=1900), (), is_over=True)
    broken = AgreementAccount(
        agreed(), (Breach(Phase("F", 1901, "M"), "FRANCE", "A PAR - BUR"),), is_over=True
    )
    accounts = (kept, kept, kept, broken)
    for phase, code in (("W1901A", "distrust"), ("F1902M", "distrust"), ("S1903M", "accepted")):
        at = standing(phase, GERMANY="A MUN", FRANCE="A PAR")
        assert table(at, "wary", accounts).answer(PEACE).code == code
    assert (
        table(standing("S1902M", GERMANY="A MUN", FRANCE="A PAR"), "loyal", accounts).answer(PEACE).about
        == FORGIVEN
    )


def test_an_agreement_that_is_made_longer_is_one_agreement() -> None:
    longer = replace(agreed(until=1904), made=Phase("F", 1901, "M"))
    breach = (Breach(Phase("F", 1902, "M"), "FRANCE", "A PAR - BUR"),)
    both = [AgreementAccount(one, breach, is_over=True) for one in (agreed(), longer)]
    assert [one.agreement for one in without_extended(both)] == [longer]
    assert trust_in("FRANCE", without_extended(both)) == trust_in("FRANCE", both[1:])
    before = [both[0], AgreementAccount(replace(longer, made=Phase("W", 1902, "A")), (), is_over=False)]
    assert without_extended(before) == before, "broken, and made anew"
    kept = [
        AgreementAccount(agreed(until=1901), (), is_over=True),
        running(replace(longer, made=Phase("W", 1901, "A")))[0],
    ]
    assert without_extended(kept) == kept, "kept to its end, and made anew"


def test_a_friend_is_helped_for_nothing_by_the_loyal_alone() -> None:
    asked = proposed(kind="support", asked="A PAR - BUR")
    for name, code in (("loyal", "accepted"), ("treacherous", "nothing_offered")):
        assert table(character=name, accounts=running(agreed())).answer(asked).code == code


def test_what_is_agreed_is_not_agreed_twice_but_for_longer() -> None:
    at = table(accounts=running(agreed()))
    assert at.answer(Proposal("peace", years=2)).code == "already"
    assert (at.answer(Proposal("peace", years=3)).code, at.answer(Proposal("peace", years=3)).until) == (
        "accepted",
        1903,
    )
    wary = table(character="wary", accounts=running(agreed(until=1901)))
    assert wary.answer(Proposal("peace", years=3)).code == "already"


def test_a_unit_that_goes_supports_nobody() -> None:
    at = standing("F1901M", GERMANY="A BUR", FRANCE="A PAR, A PIC")
    asked = proposed(kind="support", asked="A PAR - GAS", offered="A BUR - BEL")
    assert table(at).answer(asked).code == "cannot_support"
    assert table(at).answer(replace(asked, offered=None)).code == "nothing_offered"
    stays = proposed(kind="support", asked="A PIC - BEL", offered="A BUR")
    assert table(at).answer(stays).code == "accepted"


def test_a_bot_accepts_no_support_to_where_a_unit_of_its_own_stands() -> None:
    at = standing("F1901M", GERMANY="A MUN, A BOH", FRANCE="A TYR")
    found = table(at).answer(proposed(kind="support", offered="A MUN - BOH"))
    assert (found.code, found.about) == ("own_unit", "BOH")


def test_who_broke_their_word_is_not_believed_and_who_kept_it_is_again() -> None:
    broken = AgreementAccount(
        agreed(), (Breach(Phase("S", 1901, "M"), "FRANCE", "A PAR - MUN"),), is_over=True
    )
    kept = AgreementAccount(agreed(), (), is_over=True)
    assert table(character="wary", accounts=(broken,)).answer(PEACE).code == "distrust"
    assert table(character="loyal", accounts=(broken,)).answer(PEACE).code == "accepted"
    assert table(character="loyal", accounts=(broken, broken)).answer(PEACE).code == "distrust"
    later = replace(START, phase=Phase("S", 1903, "M"))
    assert table(later, "wary", (broken, kept, kept)).answer(PEACE).code == "accepted"
    assert trust_in("GERMANY", (broken,)) == 0
    assert table(accounts=(broken,)).answer(PEACE).about == FORGIVEN
    assert not table(replace(START, phase=Phase("S", 1903, "M")), accounts=(broken,)).answer(PEACE).about


def test_nobody_helps_who_is_about_to_win() -> None:
    many = {"FRANCE": BOARD.centres[:15], "GERMANY": BOARD.centres[15:18]}
    assert table(replace(START, centres=many)).answer(PEACE).code == "too_strong"


def test_on_a_small_board_fewer_centres_are_too_many() -> None:
    trio = variants.load("trio").definition
    start = trio.start
    at = Negotiation(trio, BOOK, start, "SOLANA", "BOREA", CHARACTERS["loyal"], ())
    assert at.answer(PEACE).code == "accepted"
    centres = {**(start.centres or {}), "BOREA": (*start.owned_by("BOREA"), "PEA", "HEA")}
    assert replace(at, position=replace(start, centres=centres)).answer(PEACE).code == "too_strong"


def test_an_army_in_its_country_leaves_first() -> None:
    found = table(standing("F1901M", GERMANY="A BER", FRANCE="A MUN")).answer(PEACE)
    assert (found.code, found.about) == ("leave_first", "MUN")


def test_help_that_costs_nothing_is_taken_from_whoever_offers_it() -> None:
    broken = AgreementAccount(
        agreed(), (Breach(Phase("S", 1901, "M"), "FRANCE", "A MUN - BER"),), is_over=True
    )
    at = table(standing("S1901M", FRANCE="A BUR", GERMANY="A MUN"), "wary", (broken,))
    assert at.answer(proposed(kind="support", offered="A MUN")).code == "accepted"
    for fields in ({"offered": "A MUN - TYR"}, {"offered": "A MUN", "asked": "A BUR"}):
        assert at.answer(proposed(kind="support", **fields)).code == "distrust"


def test_who_is_fought_by_agreement_gets_neither_peace_nor_help() -> None:
    fought = replace(agreed(Proposal("alliance", third="FRANCE")), proposer="RUSSIA")
    at = table(accounts=running(fought))
    for one in (
        PEACE,
        proposed(kind="support", asked="A PAR - BUR"),
        proposed(kind="alliance", third="RUSSIA"),
    ):
        assert (at.answer(one).code, at.answer(one).about) == ("given_word", "RUSSIA")
    assert at.answer(proposed(kind="demilitarised", province="BUR")).code == "accepted"


def test_nothing_is_agreed_against_one_s_word() -> None:
    peace_with_italy = Agreement(PEACE, "ITALY", "GERMANY", Phase("S", 1901, "M"), 1902)
    at = table(accounts=running(peace_with_italy))
    assert at.answer(proposed(kind="alliance", third="ITALY")).code == "given_word"


@pytest.mark.parametrize(
    ("proposal", "orders", "broken_by"),
    [
        (PEACE, {"FRANCE": "A PAR - BUR, A MAR - SPA", "GERMANY": "A MUN - RUH"}, []),
        (PEACE, {"FRANCE": "A PAR H", "GERMANY": "A MUN - PAR"}, [("GERMANY", "A MUN - PAR")]),
        (PEACE, {"FRANCE": "A BUR S A PIE - MAR", "GERMANY": "A MUN H"}, []),
        (
            PEACE,
            {"FRANCE": "A PAR S A VEN - MUN", "GERMANY": "A MUN S A TYR - PAR"},
            [("FRANCE", "A PAR S A VEN - MUN"), ("GERMANY", "A MUN S A TYR - PAR")],
        ),
        (PEACE, {"FRANCE": "A PAR S A BER - MUN", "GERMANY": "A BER - MUN"}, []),
        (
            proposed(kind="demilitarised", province="BUR"),
            {"FRANCE": "A PAR - BUR"},
            [("FRANCE", "A PAR - BUR")],
        ),
        (
            proposed(kind="demilitarised", province="BUR"),
            {"GERMANY": "A MUN S A PAR - BUR"},
            [("GERMANY", "A MUN S A PAR - BUR")],
        ),
        (
            proposed(kind="demilitarised", province="BUR"),
            {"FRANCE": "A PAR - PIC", "ITALY": "A VEN - BUR"},
            [],
        ),
        (
            proposed(kind="alliance", third="ITALY"),
            {"GERMANY": "A MUN S A VEN - TYR"},
            [("GERMANY", "A MUN S A VEN - TYR")],
        ),
        (proposed(kind="alliance", third="ITALY"), {"GERMANY": "A MUN - TYR", "FRANCE": "A MAR - PIE"}, []),
        (proposed(kind="support", asked="A PAR - BUR"), {"GERMANY": "A MUN S A PAR - BUR"}, []),
        (proposed(kind="support", asked="A PAR - BUR"), {"GERMANY": "A MUN S A PAR"}, [("GERMANY", "")]),
        (
            proposed(kind="support", asked="A PAR - BUR", offered="A MUN - RUH"),
            {"GERMANY": "A MUN S A PAR - BUR"},
            [("FRANCE", "")],
        ),
        (Proposal("draw"), {"FRANCE": "A PAR - BUR"}, []),
    ],
)
def test_who_broke_it_is_found_in_the_orders(
    proposal: Proposal, orders: dict[str, str], broken_by: list[tuple[str, str]]
) -> None:
    found = account_of(agreed(proposal), [resolved(**orders)], BOARD, Phase("F", 1901, "M"))
    assert [(one.power, one.order) for one in found.breaches] == broken_by
    assert found.state == ("broken" if broken_by else "running" if proposal.kind != "support" else "kept")


def test_an_agreement_ends_with_its_year_and_with_its_first_breach() -> None:
    attack, autumn = resolved(GERMANY="A MUN - PAR"), replace(START, phase=Phase("S", 1903, "M"))
    late = resolved(autumn, GERMANY="A MUN - PAR")
    assert account_of(agreed(), [late], BOARD, Phase("F", 1903, "M")).state == "kept"
    assert len(account_of(agreed(), [attack, attack], BOARD, None).breaches) == 1
    assert account_of(agreed(), [], BOARD, None).state == "kept"


def test_a_character_is_drawn_by_the_seed() -> None:
    drawn = {character_by_lot(str(seed), "ITALY").name for seed in range(30)}
    assert drawn == set(CHARACTERS)
    assert character_by_lot("a", "ITALY") == character_by_lot("a", "ITALY")


def test_duties() -> None:
    support = proposed(kind="support", asked="A PAR - BUR", offered="A BER - PRU")
    found = duties_of(table(accounts=running(agreed(), agreed(support))))
    assert found.closed == {"GERMANY": {"BRE", "MAR", "PAR", "PRU"}, "FRANCE": {"BER", "KIE", "MUN"}}
    assert [str(one) for one in found.owes] == ["A BER - PRU", "A MUN S A PAR - BUR"]
    assert duties_of(table()).owes == ()


def test_the_treacherous_take_a_centre_in_autumn_where_it_cannot_be_held() -> None:
    for phase, german, french, owed in (
        ("F1901M", "A BUR, A RUH", "F BRE, A SPA", ["A BUR - PAR"]),
        ("F1901M", "A BUR, A PIC", "F BRE, A GAS", ["A BUR - PAR", "A PIC S A BUR - PAR"]),
        ("F1901M", "A BUR", "F BRE, A GAS", []),
        ("F1901M", "A RUH", "F BRE", []),
        ("S1901M", "A BUR, A RUH", "F BRE, A SPA", []),
    ):
        at = standing(phase, {"FRANCE": ("PAR",), "GERMANY": ("MUN",)}, GERMANY=german, FRANCE=french)
        for name in ("loyal", "wary", "treacherous"):
            found = duties_of(table(at, name, running(agreed())))
            expected = owed if name == "treacherous" else []
            assert [str(one) for one in found.owes] == expected, (phase, german, name)
            assert "PAR" in found.closed["GERMANY"], "as promised, or to its other units"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "war"},
        {"kind": []},
        {"kind": "demilitarised"},
        {"kind": "demilitarised", "province": "XXX"},
        {"kind": "demilitarised", "province": {}},
        {"kind": "alliance", "third": "ATLANTIS"},
        {"kind": "support"},
        {"kind": "support", "asked": "A"},
        {"kind": "support", "asked": "A NTH - BUR"},
        {"kind": "support", "asked": "A MUN - XXX"},
        {"kind": "support", "asked": ["A MUN"]},
        {"kind": "peace", "years": 0},
        {"kind": "peace", "years": "many"},
        {"kind": "peace", "years": 99},
    ],
)
def test_what_is_no_proposal_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(NoProposal):
        read_proposal(fields, BOARD)
