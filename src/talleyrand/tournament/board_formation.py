"""How many boards, of which game, when so many are there: choices for the director, each with its effect.

Source: Anjou Feu regulations, rule of numbers; `regulations.FormationRule` has its table. What the table does
not say, and tournaments that have none: boards of seven, the others stand down, or some play on two boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from talleyrand.tournament import board_rules, regulations
from talleyrand.tournament.board_rules import CLASSIC, ESCALATION, FULL_BOARD, INTIMATE, PAIRS
from talleyrand.tournament.model import ByeReason, Event, Office
from talleyrand.tournament.regulations import FormationRule, OrganiserPart, Regulations

SURVIVOR = "survivor_turkey"
SIX_PLAYERS = 6
MOST_TWICE = 3  # people on two boards, where no table of the regulations says who

# What players may choose, few as they are; the first is the usual one. Source: Anjou Feu, games of few.
FEW_PLAYER_VARIANTS = {
    2: (INTIMATE,),
    3: (INTIMATE, "escalation_3"),
    4: (PAIRS, "escalation_4"),
    5: ("escalation_5", "sandad", CLASSIC),
}


@dataclass(frozen=True)
class FormationChoice:
    """A way to form boards. `sizes`: people on each; `rest`: how many stand down, the organiser included.

    `organiser_present`: what he does. `twice`: how many play on two boards, he first. `ruled`: what the
    regulations say; the others are the director's to decide.
    """

    boards: tuple[str, ...]
    sizes: tuple[int, ...]
    rest: int = 0
    twice: int = 0
    organiser: OrganiserPart = OrganiserPart.PLAYS
    ruled: bool = False

    @property
    def seats(self) -> int:
        """How many seats people take."""
        return sum(self.sizes)


def people_counted(event: Event, number: int) -> tuple[int, ...]:
    """Who counts for a round: all who are there, but those who do not wish to play it."""
    one = event.rounds[number]
    own = {who for who, rest in one.resting.items() if rest.why is ByeReason.OWN}
    return tuple(sorted(set(one.present) - own))


def organiser_present(event: Event, number: int) -> int | None:
    """The organiser who is there for a round; of several, the first entered."""
    here = people_counted(event, number)
    return next((who for who in here if event.people[who].office is Office.ORGANISER), None)


def two_board_players(
    event: Event, number: int, choice: FormationChoice, seated: Iterable[int] = ()
) -> tuple[int, ...]:
    """Who plays on two boards unless the director says otherwise: the organiser, then who helps him."""
    ranks = [Office.ORGANISER, Office.ASSISTANT, Office.VOLUNTEER, Office.NONE]
    here = sorted(set(people_counted(event, number)) - set(seated))
    return tuple(sorted(here, key=lambda who: ranks.index(event.people[who].office))[: choice.twice])


def round_formations(event: Event, number: int, seated: Iterable[int] = ()) -> tuple[FormationChoice, ...]:
    """The choices for a round as it stands, for those who are not seated already: finalists, kept boards."""
    apart = set(seated)
    others = [who for who in people_counted(event, number) if who not in apart]
    host = organiser_present(event, number)
    rules = regulations.read_regulations(event.regulations)
    found = formation_choices(rules, len(others), organised=host is not None and host not in apart)
    return _beside(found, len(others)) if apart else found


def _beside(found: tuple[FormationChoice, ...], count: int) -> tuple[FormationChoice, ...]:
    """What those can play who are not seated already.

    No intimate game, which would take away the points of the whole round, the final's too: the text counts
    all who are there, and two or three too many stand down.
    """
    kept = tuple(one for one in found if INTIMATE not in one.boards)
    return kept if kept == found and found else (FormationChoice((), (), count, ruled=True), *kept)


def formation_choices(
    rules: Regulations, count: int, *, organised: bool = True
) -> tuple[FormationChoice, ...]:
    """The choices for a number of people, what the regulations say first; none for fewer than two.

    `organised`: whether the organiser is one of them.
    """
    found = [*_ruled(rules, count), *_others(rules, count)]
    fit = [one for one in found if organised or one.organiser is not OrganiserPart.TWO]
    first: dict[tuple[object, ...], FormationChoice] = {}
    for one in fit:
        first.setdefault((one.boards, one.sizes, one.rest), one)
    return tuple(first.values())


def _ruled(rules: Regulations, count: int) -> Iterator[FormationChoice]:
    listed = next((one for one in rules.formations if count in one.players), None)
    if listed is not None:
        yield from _listed(listed, count)
    elif count >= FULL_BOARD:
        yield _sevens(count, ruled=True)


def _listed(row: FormationRule, count: int) -> Iterator[FormationChoice]:
    """What a line of the table says; where it names no game, each that players may choose."""
    if not row.variants:
        for at, variant in enumerate(FEW_PLAYER_VARIANTS.get(count, ())):
            yield FormationChoice((variant,), (count,), ruled=at == 0)
        return
    sizes = tuple(players_of_variant(variant, count) for variant in row.variants)
    extra = 1 if row.organiser is OrganiserPart.TWO else 0
    rest = max(0, count + extra - sum(sizes))
    yield FormationChoice(row.variants, sizes, rest, extra, row.organiser, ruled=True)


def formation_of_draft(event: Event, number: int) -> FormationChoice:
    """The boards of a draft as a choice, to draw the same again; the final is not one of them."""
    one = event.rounds[number]
    drawn = [board for _, board in sorted(one.boards.items()) if not board.final]
    people = [set(board_rules.first_players(board)) for board in drawn]
    sizes = tuple(players_of_variant(board.variant, len(at)) for board, at in zip(drawn, people, strict=True))
    twice = people_on_two_boards(event, number)
    part = OrganiserPart.TWO if twice else OrganiserPart.PLAYS
    rest = sum(held.why is not ByeReason.OWN for held in one.resting.values())
    return FormationChoice(tuple(board.variant for board in drawn), sizes, rest, len(twice), part)


def people_on_two_boards(event: Event, number: int) -> tuple[int, ...]:
    """Who sits on two boards of a round."""
    sat = Counter(
        who for board in event.rounds[number].boards.values() for who in board_rules.first_players(board)
    )
    return tuple(sorted(who for who, times in sat.items() if times > 1))


def players_of_variant(variant: str, count: int = FULL_BOARD) -> int:
    """How many people play a variant, of so many who are there."""
    if variant == INTIMATE:
        return 2
    if variant == ESCALATION:
        return min(5, count)
    if variant == PAIRS:
        return 4
    if variant == CLASSIC and count <= board_rules.SMALL_BOARD:
        return board_rules.SMALL_BOARD
    return len(board_rules.variant_powers(variant)) - len(board_rules.scripted_powers(variant))


def _sevens(count: int, *, ruled: bool = False) -> FormationChoice:
    tables, rest = divmod(count, FULL_BOARD)
    part = OrganiserPart.RESTS if rest else OrganiserPart.PLAYS
    return FormationChoice((CLASSIC,) * tables, (FULL_BOARD,) * tables, rest, organiser=part, ruled=ruled)


def _others(rules: Regulations, count: int) -> Iterator[FormationChoice]:
    """What a director may prefer, the fewest boards of six first."""
    if count < FULL_BOARD:
        yield from _few(count)
        return
    if rules.formations:
        yield from sorted(_mixed(count), key=lambda one: (one.boards.count(SURVIVOR), one.rest + one.twice))
    else:
        yield from _doubled(count)
    yield _sevens(count)


def _few(count: int) -> Iterator[FormationChoice]:
    if count == SIX_PLAYERS:
        yield FormationChoice((SURVIVOR,), (SIX_PLAYERS,))
    for variant in FEW_PLAYER_VARIANTS.get(count, ()):
        size = players_of_variant(variant, count)
        part = OrganiserPart.REFEREES if count - size == 1 else OrganiserPart.PLAYS
        yield FormationChoice((variant,), (size,), count - size, organiser=part)


def _doubled(count: int) -> Iterator[FormationChoice]:
    missing = -count % FULL_BOARD
    if missing and missing <= MOST_TWICE and count + missing > FULL_BOARD:
        tables = (count + missing) // FULL_BOARD
        yield FormationChoice((CLASSIC,) * tables, (FULL_BOARD,) * tables, 0, missing, OrganiserPart.TWO)


def _mixed(count: int) -> Iterator[FormationChoice]:
    """Boards of seven and of six, without anybody but the organiser standing down or playing twice."""
    for part, rest, twice in (
        (OrganiserPart.PLAYS, 0, 0),
        (OrganiserPart.TWO, 0, 1),
        (OrganiserPart.RESTS, 1, 0),
    ):
        seats = count - rest + twice
        for sixes in range(seats // SIX_PLAYERS + 1):
            sevens, left = divmod(seats - SIX_PLAYERS * sixes, FULL_BOARD)
            if not left and (sevens + sixes > 1 or not twice):
                tables = (CLASSIC,) * sevens + (SURVIVOR,) * sixes
                yield FormationChoice(
                    tables, (FULL_BOARD,) * sevens + (SIX_PLAYERS,) * sixes, rest, twice, part
                )
                break


@dataclass(frozen=True)
class FinalCondition:
    """What the regulations ask for a final: so many boards in some rounds, and how many there were."""

    rounds: tuple[int, ...]
    least: int
    there: int

    @property
    def met(self) -> bool:
        """Whether there were enough."""
        return self.there >= self.least


def final_conditions(event: Event, planned: int = 0) -> tuple[FinalCondition, ...]:
    """What decides whether a final is played. `planned`: boards of a round that has none yet, its choice's.

    The text does not say which boards count: each that was launched and scores, so no intimate game.
    """
    rule = regulations.read_regulations(event.regulations).final
    return tuple(
        _condition(event, key, least, planned) for key, least in (rule.boards if rule else {}).items()
    )


def _condition(event: Event, key: str, least: int, planned: int) -> FinalCondition:
    rounds = tuple(int(at) for at in key.split("+"))
    there = sum(scoring_board_count(event, at) or (planned if _coming(event, at) else 0) for at in rounds)
    return FinalCondition(rounds, least, there)


def _coming(event: Event, number: int) -> bool:
    one = event.rounds.get(number)
    return one is not None and not one.boards and not one.cancelled


def scoring_board_count(event: Event, number: int) -> int:
    """How many boards of a round score."""
    one = event.rounds.get(number)
    if one is None or one.cancelled:
        return 0
    return sum(board.counts and board.variant != INTIMATE for board in one.boards.values())


def is_final_due(event: Event, planned: int = 0) -> bool:
    """Whether the regulations have a final, and its conditions are met."""
    rule = regulations.read_regulations(event.regulations).final
    return rule is not None and all(one.met for one in final_conditions(event, planned))
