"""Prizes, each by hand; and their lines in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from talleyrand.messages import tournament_sentences as sentences
from talleyrand.scoring import ScoreLine
from talleyrand.tournament import prizes, standings
from talleyrand.tournament.event_errors import InvalidEvent
from talleyrand.tournament.model import (
    BoardResult,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    EventTeam,
    PowerSeat,
    PrivateFacts,
    PrizeBallot,
    RoundState,
    SeatReplacement,
)
from tests.tournament import invented

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
A, E, F, G, I, R, T = POWERS  # noqa: E741
EVEN = dict(zip(POWERS, (5, 5, 5, 5, 5, 5, 4), strict=True))
ROUND_1, ROUND_2 = Fraction(6, 9), Fraction(7, 9)


def _centres(**held: int) -> dict[str, int]:
    """So many for the powers of these letters, the rest to Austria."""
    by_letter = {power[0]: power for power in POWERS}
    centres = dict.fromkeys(POWERS, 0) | {by_letter[letter]: count for letter, count in held.items()}
    return centres | {A: 34 - sum(centres.values())} if "A" not in held else centres


def _board(people: Mapping[str, int], centres: Mapping[str, int] = EVEN, **more: Any) -> EventBoard:
    """Who plays what; Turkey by its script where nobody does."""
    result = BoardResult(
        centres=centres,
        year=1906,
        eliminated_in={power: 1904 for power, held in centres.items() if not held},
        reached=more.pop("reached", {}),
        confirmed="desk",
    )
    seats = {power: PowerSeat(people.get(power)) for power in POWERS}
    variant = "classic" if T in people else "survivor_turkey"
    return EventBoard(variant, {**seats, **more.pop("seats", {})}, result=result, **more)


def _event(*rounds: list[EventBoard], **more: Any) -> Event:
    """Its people are numbered, and all of them are at every round."""
    made = {
        number: EventRound(state=RoundState.CLOSED, boards=dict(enumerate(boards, 1)), final=False)
        for number, boards in enumerate(rounds, 1)
    }
    seats = [seat for boards in rounds for board in boards for seat in board.seats.values()]
    sat = {seat.person for seat in seats} | {relief.person for seat in seats for relief in seat.reliefs}
    numbers = range(1, max(one or 0 for one in sat) + 1)
    people = {one: EventPerson(f"Person {one}") for one in numbers} | more.pop("people", {})
    here = dict.fromkeys(people, "2026-07-11T17:30:00Z")
    made = {number: replace(one, present=here) for number, one in made.items()}
    return Event("Test", people=people, rounds=made, **more)


FIRST = dict(zip(POWERS, range(1, 8), strict=True))
SECOND = dict(zip(POWERS, range(8, 15), strict=True))
SIX = {power: person for power, person in FIRST.items() if power != T}


def _kinds(lines: tuple[ScoreLine, ...]) -> list[str]:
    return [line.kind for line in lines]


class TestPowers:
    def test_the_best_score_before_any_coefficient(self) -> None:
        """A game of round 1 counts like one of round 2: 12 centres against 8, 11 against 9."""
        high, low = _centres(F=12, G=8, A=5, E=5, I=2, R=1, T=1), _centres(F=11, G=9, A=5, E=5, I=2, R=1, T=1)
        event = _event([_board(FIRST, high)], [_board(SECOND, low)])
        award = prizes.award_prizes(event)["france"]
        assert award.holders == award.keepers == (3,)
        assert award.points == Fraction("58.143")
        assert [one.who for one in award.ranking] == [3, 10]
        assert award.lines[0].facts == {
            "person": "3",
            "power": F,
            "round": "1",
            "board": "1",
            "points": Fraction("58.143"),
        }

    def test_shared_the_youngest_keeps_it(self) -> None:
        """Two of the same score; their dates of birth settle it, or leave it open."""
        boards = [_board(FIRST), _board(SECOND)]
        born = {
            3: EventPerson("Flora", private=PrivateFacts(born="1990")),
            10: EventPerson("Oscar", private=PrivateFacts(born="1991")),
        }
        known = prizes.award_prizes(_event(boards, people=born))["france"]
        assert (known.holders, known.keepers) == ((3, 10), (10,))
        assert _kinds(known.lines) == ["prize_power", "prize_power", "prize_youngest"]
        open_ = prizes.award_prizes(_event(boards))["france"]
        assert (open_.holders, open_.keepers) == ((3, 10), (3, 10))
        assert open_.lines[-1].kind == "prize_youngest_open"

    def test_a_latecomers_game_counts_raw(self) -> None:
        """And makes a board of six one of seven."""
        board = _board(SIX, _centres(T=9, F=5, G=5, E=5, I=5, R=5, A=0), seats={T: PowerSeat(7, missed=3)})
        award = prizes.award_prizes(_event([board]))["turkey"]
        assert award.holders == (7,)
        assert award.points == standings.compute_standings(_event([board])).games[0].raw(T)

    @pytest.mark.parametrize(
        ("script", "human", "holders"), [(9, 4, ()), (4, 9, (14,)), (4, 4, (14,)), (0, 1, (14,))]
    )
    def test_a_script_that_beats_everybody(self, script: int, human: int, holders: tuple[int, ...]) -> None:
        """Then nobody has the prize; where it is as good as the best, he has."""
        boards = [
            _board(SIX, _centres(T=script, F=5, G=5, E=5, I=5, R=5)),
            _board(SECOND, _centres(T=human, F=5, G=5, E=5, I=5, R=5)),
        ]
        if script == human:
            boards = [_board(SIX), _board(SECOND)]
        award = prizes.award_prizes(_event(boards))["turkey"]
        assert award.holders == holders
        assert (award.lines[0].kind == "prize_power_script") is (not holders)

    def test_a_script_alone_gives_no_prize(self) -> None:
        """Nobody has played it."""
        award = prizes.award_prizes(_event([_board(SIX)]))["turkey"]
        assert _kinds(award.lines) == ["prize_power_nobody"]

    def test_games_of_fewer_do_not_count(self) -> None:
        """Five on the classic board, two powers in disorder."""
        five = {power: person for power, person in FIRST.items() if power not in (G, I)}
        board = replace(_board(five), variant="classic")
        assert prizes.award_prizes(_event([board]))["france"].holders == ()

    def test_nothing_wins_nothing(self) -> None:
        """The eliminated have no point."""
        board = _board(FIRST, _centres(F=18, A=16))
        assert prizes.award_prizes(_event([board]))["england"].holders == ()

    def test_both_boards_of_the_organiser_count(self) -> None:
        """Though the ranking takes the worse."""
        high = _centres(F=12, G=8, A=5, E=5, I=2, R=1, T=1)
        again = {**SECOND, F: 3}
        event = _event([_board(FIRST), _board(again, high)])
        assert prizes.award_prizes(event)["france"].points == Fraction("58.143")

    @pytest.mark.parametrize(("seasons", "holder"), [(1, 8), (13, 8)])
    def test_a_game_that_changed_hands(self, seasons: int, holder: int) -> None:
        """Is the newcomer's whom it benefits; the first player has nothing of it."""
        high = _centres(F=12, G=8, A=5, E=5, I=2, R=1, T=1)
        board = _board(FIRST, high, seats={F: PowerSeat(3, reliefs=(SeatReplacement(8, seasons),))})
        award = prizes.award_prizes(_event([board]))["france"]
        assert award.holders == (holder,)


def _vote(number: int, at: int, voter: int, **names: int) -> PrizeBallot:
    return PrizeBallot(number, at, voter, names)


def _votes(*ballots: PrizeBallot) -> dict[int, PrizeBallot]:
    return dict(enumerate(ballots, 1))


class TestVotes:
    def test_a_ballot_counts_like_its_game(self) -> None:
        """Two in round 1 (6/9) against two in round 2 (7/9); one or two rounds played count 110 %."""
        ballots = _votes(
            _vote(1, 1, 1, angers=3),
            _vote(1, 1, 2, angers=3),
            _vote(2, 1, 8, angers=10),
            _vote(2, 1, 9, angers=10),
        )
        award = prizes.award_prizes(_event([_board(FIRST)], [_board(SECOND)], ballots=ballots))["angers"]
        assert award.holders == (10,)
        assert [one.points for one in award.ranking[:2]] == [
            2 * ROUND_2 * Fraction(11, 10),
            2 * ROUND_1 * Fraction(11, 10),
        ]
        assert _kinds(award.lines) == ["prize_vote", "prize_total"]
        assert award.lines[0].facts["count"] == 2

    def test_a_board_of_six_counts_six_sevenths(self) -> None:
        """As its points do."""
        ballots = _votes(_vote(1, 1, 1, angers=3))
        award = prizes.award_prizes(_event([_board(SIX)], ballots=ballots))["angers"]
        assert award.points == ROUND_1 * Fraction(6, 7) * Fraction(11, 10)

    @pytest.mark.parametrize(
        "ballot",
        [
            _vote(1, 1, 3, angers=3),  # himself
            _vote(1, 1, 1, angers=10),  # of another board
            _vote(1, 2, 1, angers=10),  # he was not there
            _vote(2, 1, 1, angers=3),  # a round that was not played
            _vote(1, 1, 1, cholet=3),  # another prize
        ],
    )
    def test_ballots_that_count_nothing(self, ballot: PrizeBallot) -> None:
        """One names somebody else of one's own board."""
        event = _event([_board(FIRST), _board(SECOND)], ballots=_votes(ballot))
        award = prizes.award_prizes(event)["angers"]
        assert award.holders == ()
        assert _kinds(award.lines) == ["prize_vote_nobody"]

    def test_one_ballot_a_game(self) -> None:
        """The last of somebody's counts."""
        ballots = _votes(_vote(1, 1, 1, angers=3), _vote(1, 1, 1, angers=4), _vote(1, 1, 2, angers=3))
        award = prizes.award_prizes(_event([_board(FIRST)], ballots=ballots))["angers"]
        assert award.holders == (3, 4)

    def test_votes_are_theirs_who_were_named(self) -> None:
        """Whoever of the two has the points of the seat."""
        board = _board(FIRST, seats={F: PowerSeat(3, reliefs=(SeatReplacement(8, 4),))})
        ballots = _votes(_vote(1, 1, 1, angers=3), _vote(1, 1, 2, angers=8))
        award = prizes.award_prizes(_event([board], ballots=ballots))["angers"]
        assert award.holders == (3, 8)
        assert [line.facts["count"] for line in award.lines if line.kind == "prize_vote"] == [1, 1]


class TestTraveller:
    def test_territories_count_like_points(self) -> None:
        """Picardy gives Turkey 6 in round 1; Sevastopol France 5 in round 2: 5 × 7/9 < 6 × 6/9."""
        event = _event([_board(FIRST, reached={T: "PIC"})], [_board(SECOND, reached={F: "SEV", A: "TRI"})])
        award = prizes.award_prizes(event)["le_gouz"]
        assert award.holders == (7,)
        assert [one.points for one in award.ranking[:3]] == [
            6 * ROUND_1 * Fraction(11, 10),
            5 * ROUND_2 * Fraction(11, 10),
            0,
        ]
        assert award.lines[0].facts["province"] == "PIC"

    def test_the_best_journeys_count_most(self) -> None:
        """Of three rounds: 100, 100 and 50 %, by travels, not by points."""
        boards = [
            [_board(FIRST, reached={T: "PIC"})],
            [_board(FIRST, reached={T: "PAR"})],
            [_board(FIRST, reached={T: "SER"})],
        ]
        award = prizes.award_prizes(_event(*boards))["le_gouz"]
        paris = 6
        assert award.points == 6 * ROUND_1 + paris * ROUND_2 + 1 * Fraction(8, 9) / 2

    def test_finalists_have_nothing_more(self) -> None:
        """Their 10 % are for points alone."""
        rounds = [
            [_board(FIRST)],
            [_board(FIRST)],
            [_board(FIRST)],
            [_board(FIRST, reached={T: "PIC"}, final=True)],
        ]
        event = _event(*rounds)
        event = replace(event, rounds={**event.rounds, 4: replace(event.rounds[4], final=True)})
        assert standings.compute_standings(event).final
        assert prizes.award_prizes(event)["le_gouz"].points == 6

    def test_nobody_left_home(self) -> None:
        """Then nobody has it."""
        award = prizes.award_prizes(_event([_board(FIRST, reached={T: "BUL", F: ""})]))["le_gouz"]
        assert _kinds(award.lines) == ["prize_travel_nobody"]

    def test_counted_at_the_table(self) -> None:
        """Where homes are named in the game."""
        board = replace(_board(FIRST, reached={T: "4"}), variant="escalation")
        award = prizes.award_prizes(_event([board]))["le_gouz"]
        assert award.points == 4 * ROUND_1 * Fraction(11, 10)
        assert award.lines[0].kind == "prize_travel_counted"


class TestOthers:
    def test_the_best_of_the_young(self) -> None:
        """Born since 2000, or said to be young, or beginners."""
        people = {
            1: EventPerson("Agathe", private=PrivateFacts(born="1970")),
            2: EventPerson("Edmond", beginner=True),
            3: EventPerson("Flora", private=PrivateFacts(born="2001-01-01")),
        }
        event = _event([_board(FIRST, _centres(A=12, F=8, E=5, G=5, I=2, R=1, T=1))], people=people)
        award = prizes.award_prizes(event)["horticole"]
        assert award.holders == (3,)
        assert award.lines[0].facts["place"] == 2
        assert prizes.award_prizes(_event([_board(FIRST)]))["horticole"].lines[0].kind == "prize_youth_nobody"

    def test_the_longest_journey(self) -> None:
        """Of those who came; shared, the youngest keeps it."""
        people = {
            1: EventPerson("Agathe", minutes=300, private=PrivateFacts(born="1970")),
            2: EventPerson("Edmond", minutes=300, private=PrivateFacts(born="1980")),
            8: EventPerson("Oscar", minutes=900),
        }
        event = _event([_board(FIRST)], people=people)
        here = {one: at for one, at in event.rounds[1].present.items() if one != 8}
        event = replace(event, rounds={1: replace(event.rounds[1], present=here)})
        award = prizes.award_prizes(event)["catroux"]
        assert (award.holders, award.keepers) == ((1, 2), (2,))
        assert award.points == 300
        assert prizes.award_prizes(_event([_board(FIRST)]))["catroux"].lines[0].kind == "prize_journey_nobody"

    def test_the_team_trophy(self) -> None:
        """On round 2, after its coefficients: a latecomer's penalty is felt."""
        teams = {
            1: EventTeam("Boules", (1, 8)),
            2: EventTeam("Cochonnet", (2, 9)),
            3: EventTeam("Absents", ()),
        }
        late = {A: PowerSeat(8, missed=7)}
        event = _event([_board(FIRST)], [_board(FIRST), _board(SECOND, seats=late)], teams=teams)
        award = prizes.award_prizes(event)["boule_de_fort"]
        five = standings.compute_standings(event).games[0].raw(A)
        assert award.holders == (2,)
        assert [one.points for one in award.ranking] == [2 * five * ROUND_2, (five + five / 2) * ROUND_2]
        assert _kinds(award.lines) == ["team_member", "team_member", "team_sum"]

    def test_the_team_trophy_is_shared(self) -> None:
        """The lowest mean age keeps it."""
        teams = {1: EventTeam("Boules", (1, 8)), 2: EventTeam("Cochonnet", (2, 9))}
        born = {
            one: EventPerson(f"P{one}", private=PrivateFacts(born=str(1980 + one))) for one in (1, 2, 8, 9)
        }
        boards = [_board(FIRST), _board(SECOND)]
        award = prizes.award_prizes(_event([_board(FIRST)], boards, teams=teams, people=born))[
            "boule_de_fort"
        ]
        assert (award.holders, award.keepers) == ((1, 2), (2,))
        assert award.lines[-1].kind == "prize_team_youngest"
        assert award.lines[-1].facts == {"names": "Boules, Cochonnet", "name": "Cochonnet"}

    @pytest.mark.parametrize(
        ("boards", "kind"),
        [
            ([_board(FIRST)], "prize_team_boards"),
            ([_board(FIRST), _board(SECOND, counts=False)], "prize_team_boards"),
            ([_board(FIRST), _board(SECOND)], "prize_team_nobody"),
            ([_board(FIRST), replace(_board(SECOND), result=None)], "prize_team_nobody"),
        ],
    )
    def test_no_trophy(self, boards: list[EventBoard], kind: str) -> None:
        """With one board that counts, or without teams; a game that still goes on is a board."""
        award = prizes.award_prizes(_event([_board(FIRST)], boards))["boule_de_fort"]
        assert _kinds(award.lines) == [kind]

    def test_the_podium(self) -> None:
        """A shared first place, then third."""
        centres = _centres(A=10, E=10, F=6, G=4, I=2, R=1, T=1)
        people = {
            1: EventPerson("A", private=PrivateFacts(born="1980")),
            2: EventPerson("E", private=PrivateFacts(born="1990")),
        }
        event = _event([_board(FIRST, centres)], people=people)
        first, third = prizes.podium(event, standings.compute_standings(event))
        assert (first.key, first.holders, first.keepers) == ("1", (1, 2), (2,))
        assert (third.key, third.holders) == ("3", (3,))
        assert _kinds(first.lines) == ["prize_place", "prize_youngest"]

    def test_no_podium_without_points(self) -> None:
        """Where intimate games alone were played."""
        board = EventBoard(
            "intimate",
            {A: PowerSeat(1), F: PowerSeat(2)},
            result=BoardResult({A: 20, F: 14}, confirmed="desk"),
        )
        event = _event([board])
        held = standings.compute_standings(event)
        assert [line.total for line in held.lines] == [0, 0]
        assert prizes.podium(event, held) == ()


def test_an_event_without_games() -> None:
    """Gives every prize to nobody, and says why."""
    awards = prizes.award_prizes(Event("Test", rounds={1: EventRound(), 2: EventRound()}))
    assert len(awards) == 18
    assert all(not award.holders and len(award.lines) == 1 for award in awards.values())
    assert prizes.podium(Event("Test"), standings.compute_standings(Event("Test"))) == ()


def test_a_kind_of_prize_that_is_none() -> None:
    """Is refused with the regulations."""
    told = {"extends": "anjou_feu", "prizes": {"hat": {"kind": "hat"}}}
    with pytest.raises(InvalidEvent, match="event_not_a_word"):
        prizes.award_prizes(Event("Test", regulations=told))


@pytest.mark.parametrize("number", invented.season())
def test_every_line_has_its_sentence(number: int) -> None:
    """In both languages, with nothing left blank and nobody's birth told."""
    event = invented.season()[number]
    names = {str(at): one.name for at, one in event.people.items()}
    awards = [*prizes.award_prizes(event).values(), *prizes.podium(event, standings.compute_standings(event))]
    lines = [
        line
        for award in awards
        for line in (*award.lines, *(one for rank in award.ranking for one in rank.lines))
    ]
    told = {text for line in lines for text in sentences.working_sentences(line, names).values()}
    assert len(told) > 100
    births = {one.private.born for one in event.people.values() if one.private.born}
    for text in told:
        assert text[0].isupper() or text[0].isdigit()
        assert "()" not in text
        assert "  " not in text
        assert not any(born in text for born in births)


def _steps(goals: tuple[str, ...], province: str) -> int:
    """Steps to the nearest home, walked ring by ring."""
    ring, steps = set(goals), 0
    while province not in ring:
        ring |= {near for here in ring for near in invented.CLASSIC.neighbours[here]}
        steps += 1
    return steps


def test_a_whole_event_reckoned_again() -> None:
    """Fourteen people who all play four rounds: 100, 100, 50 and 10 % of 6/9, 7/9, 8/9 and 1."""
    event = invented.season()[2]
    travelled: dict[int, list[Fraction]] = {one: [] for one in event.people}
    named: dict[int, list[Fraction]] = {one: [] for one in event.people}
    for number, coefficient in enumerate((ROUND_1, ROUND_2, Fraction(8, 9), Fraction(1)), 1):
        for at, board in event.rounds[number].boards.items():
            assert board.result is not None
            for power, seat in board.seats.items():
                assert seat.person is not None
                steps = _steps(invented.CLASSIC.homes[power], board.result.reached[power])
                travelled[seat.person].append(max(0, steps - 1) * coefficient)
                votes = [one for one in event.ballots.values() if (one.round, one.board) == (number, at)]
                named[seat.person].append(
                    coefficient * sum(one.names.get("angers") == seat.person for one in votes)
                )
    awards = prizes.award_prizes(event)
    for key, found in (("le_gouz", travelled), ("angers", named)):
        totals = {one: _weighed(points) for one, points in found.items()}
        assert {rank.who: rank.points for rank in awards[key].ranking} == totals
        best = max(totals.values())
        assert awards[key].holders == tuple(one for one, total in totals.items() if total == best)


def _weighed(points: list[Fraction]) -> Fraction:
    weights = (Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 10))
    best = sorted(points, reverse=True)
    return sum((one * weight for one, weight in zip(best, weights, strict=True)), Fraction(0))
