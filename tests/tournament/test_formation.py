"""How boards are formed for any number of people: the printed table, and what it leaves open."""

from __future__ import annotations

import pytest

from talleyrand import variants
from talleyrand.tournament import board_formation, board_rules, regulations, standings
from talleyrand.tournament.acts.result_acts import CorrectResult
from talleyrand.tournament.acts.round_acts import CancelRound, CloseRound, DecideFinalTable, GiveBye
from talleyrand.tournament.acts.seating_acts import PublishDraft
from talleyrand.tournament.board_formation import SURVIVOR, FormationChoice
from talleyrand.tournament.board_rules import CLASSIC, INTIMATE, PAIRS
from talleyrand.tournament.model import ByeReason
from talleyrand.tournament.regulations import OrganiserPart

from .room import by_rule, closed, done, gathered, result

RULES = regulations.read_regulations("anjou_feu")
PLAIN = regulations.read_regulations({})

# Anjou Feu, by hand: people, boards, what the organiser does, how many stand down.
PRINTED = [
    (2, (INTIMATE,), OrganiserPart.PLAYS, 0),
    (3, (INTIMATE,), OrganiserPart.REFEREES, 1),
    (6, (SURVIVOR,), OrganiserPart.PLAYS, 0),
    (7, (CLASSIC,), OrganiserPart.PLAYS, 0),
    (8, (CLASSIC,), OrganiserPart.RESTS, 1),
    (9, (CLASSIC,), OrganiserPart.RESTS, 2),
    (10, (CLASSIC,), OrganiserPart.RESTS, 3),
    (11, (SURVIVOR,) * 2, OrganiserPart.TWO, 0),
    (12, (SURVIVOR,) * 2, OrganiserPart.PLAYS, 0),
    (13, (CLASSIC,) * 2, OrganiserPart.TWO, 0),
    (14, (CLASSIC,) * 2, OrganiserPart.PLAYS, 0),
    (15, (CLASSIC,) * 2, OrganiserPart.RESTS, 1),
    (16, (CLASSIC,) * 2, OrganiserPart.RESTS, 2),
    (17, (CLASSIC,) * 2, OrganiserPart.RESTS, 3),
    (18, (SURVIVOR,) * 3, OrganiserPart.PLAYS, 0),
    (19, (SURVIVOR,) * 3, OrganiserPart.RESTS, 1),
    (20, (CLASSIC,) * 3, OrganiserPart.TWO, 0),
    (21, (CLASSIC,) * 3, OrganiserPart.PLAYS, 0),
    (22, (CLASSIC,) * 3, OrganiserPart.RESTS, 1),
    (27, (CLASSIC,) * 3, OrganiserPart.RESTS, 6),
    (28, (CLASSIC,) * 4, OrganiserPart.PLAYS, 0),
    (41, (CLASSIC,) * 5, OrganiserPart.RESTS, 6),
]


@pytest.mark.parametrize(("count", "variants", "part", "rest"), PRINTED)
def test_the_printed_table(count: int, variants: tuple[str, ...], part: OrganiserPart, rest: int) -> None:
    ruled = board_formation.formation_choices(RULES, count)[0]
    assert ruled.ruled
    assert (ruled.boards, ruled.organiser, ruled.rest) == (variants, part, rest)


@pytest.mark.parametrize(
    ("count", "games"), [(4, (PAIRS, "escalation_4")), (5, ("escalation_5", "sandad", CLASSIC))]
)
def test_few_players_choose_their_game(count: int, games: tuple[str, ...]) -> None:
    assert tuple(one.boards[0] for one in board_formation.formation_choices(RULES, count)) == games


@pytest.mark.parametrize("count", [27, 34, 41])
def test_the_organiser_may_play_twice_wherever_one_is_missing(count: int) -> None:
    offered = board_formation.formation_choices(RULES, count)[1]
    assert offered == FormationChoice(
        (CLASSIC,) * (count // 7 + 1), (7,) * (count // 7 + 1), 0, 1, OrganiserPart.TWO
    )
    assert not any(one.twice for one in board_formation.formation_choices(RULES, count, organised=False))


@pytest.mark.parametrize("rules", [RULES, PLAIN], ids=["anjou_feu", "none"])
@pytest.mark.parametrize("organised", [True, False])
def test_everybody_is_seated_or_stands_down(rules: regulations.Regulations, organised: bool) -> None:
    for count in range(120):
        offered = board_formation.formation_choices(rules, count, organised=organised)
        assert offered or count < 2
        for one in offered:
            assert one.seats + one.rest == count + one.twice, (count, one)
            assert len(one.boards) == len(one.sizes)
        assert len({(one.boards, one.sizes, one.rest) for one in offered}) == len(offered)


@pytest.mark.parametrize(("count", "boards", "rest", "twice"), [(25, 4, 0, 3), (26, 4, 0, 2), (24, 3, 3, 0)])
def test_without_a_table_some_play_twice_or_the_rest_stand_down(
    count: int, boards: int, rest: int, twice: int
) -> None:
    offered = [
        (len(one.boards), one.rest, one.twice) for one in board_formation.formation_choices(PLAIN, count)
    ]
    assert (boards, rest, twice) in offered
    assert (count // 7, count % 7, 0) in offered


def test_who_does_not_wish_to_play_does_not_count() -> None:
    event = done(gathered(15), GiveBye(1, 9, ByeReason.OWN))
    assert 9 not in board_formation.people_counted(event, 1)
    assert board_formation.round_formations(event, 1)[0].rest == 0


def test_a_final_asks_for_four_boards_in_two_rounds_and_three_in_the_second() -> None:
    small, large = closed(14, 2), closed(21, 2)
    assert [(one.least, one.there) for one in board_formation.final_conditions(small)] == [(4, 4), (3, 2)]
    assert not board_formation.is_final_due(small)
    assert board_formation.is_final_due(large)
    assert not board_formation.is_final_due(done(large, CancelRound(2)))


def test_the_boards_of_the_second_round_count_as_soon_as_they_are_planned() -> None:
    event = gathered(21, 2)
    assert not board_formation.is_final_due(event)
    assert board_formation.is_final_due(event, planned=3)
    assert not board_formation.is_final_due(event, planned=2)


def test_beside_the_final_the_others_are_counted_alone() -> None:
    event = done(gathered(19, 4), DecideFinalTable(4, held=True))
    finalists = range(2, 9)
    assert board_formation.round_formations(event, 4, finalists)[0].boards == (SURVIVOR, SURVIVOR)
    assert board_formation.round_formations(gathered(8, 1), 1, range(1, 8)) == (
        FormationChoice((), (), 1, ruled=True),
    )


@pytest.mark.parametrize("count", [3, 4, 5, 9, 11])
def test_a_tournament_of_any_size_runs_to_its_ranking(count: int) -> None:
    """By each choice that the desk offers for so many: drawn, played, closed, ranked."""
    event = gathered(count)
    offered = board_formation.round_formations(event, 1)
    assert offered
    for choice in offered:
        assert choice.seats + choice.rest - choice.twice == count
        played = done(event, by_rule(event, 1, choice, "few"), PublishDraft(1))
        boards = played.rounds[1].boards
        for board, variant, size in zip(boards.values(), choice.boards, choice.sizes, strict=True):
            assert (board.variant, board_rules.player_count(board)) == (variant, size)
            assert board_rules.may_stay_empty(board)
        over = done(
            played, *(CorrectResult(1, at, result(board)) for at, board in boards.items()), CloseRound(1)
        )
        found = standings.compute_standings(over)
        ranked = {line.person for line in found.lines}
        assert ranked >= {who for board in boards.values() for who in board_rules.first_players(board)}


def test_the_boards_of_few_are_the_splits_of_the_texts() -> None:
    pairs = variants.load(CLASSIC).splits["pairs"]
    event = gathered(4)
    choice = next(one for one in board_formation.round_formations(event, 1) if one.boards == (PAIRS,))
    drawn = done(event, by_rule(event, 1, choice, "pairs"))
    seats = drawn.rounds[1].boards[1].seats
    dealt = {
        tuple(sorted(power for power, seat in seats.items() if seat.person == who)) for who in (1, 2, 3, 4)
    }
    assert dealt == {tuple(sorted(share)) for share in pairs.shares}
    assert set(board_rules.DISORDER_POWERS) == {"GERMANY", "ITALY"}


@pytest.mark.parametrize("count", [2, 3])
def test_an_intimate_board_seats_people_by_powers_of_the_map(count: int) -> None:
    """Its variant's own seats, the first player's and the second's, are none of the desk's."""
    event = gathered(count)
    choice = next(one for one in board_formation.round_formations(event, 1) if INTIMATE in one.boards)
    drawn = done(event, by_rule(event, 1, choice, "home powers"))
    assert set(drawn.rounds[1].boards[1].seats) <= set(board_rules.variant_powers(CLASSIC))
    assert not board_rules.scripted_powers(INTIMATE)
