"""How many boards, of which game, when so many are there: choices for the director, each with its effect.

Source: Anjou Feu regulations, rule of numbers; `regulations.Formation` has its table. What the table does not
say, and tournaments that have none: boards of seven, the others stand down, or some play on two boards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from talleyrand.tournament import boards, regulations
from talleyrand.tournament.boards import CLASSIC, ESCALATION, FULL, INTIMATE, PAIRS
from talleyrand.tournament.model import Event, Office, Rested
from talleyrand.tournament.regulations import Formation, Part, Regulations

SURVIVOR = "survivor_turkey"
SIX = 6
MOST_TWICE = 3  # people on two boards, where no table of the regulations says who

# What players may choose, few as they are; the first is the usual one. Source: Anjou Feu, games of few.
FEW = {
    2: (INTIMATE,),
    3: (INTIMATE, ESCALATION),
    4: (PAIRS, ESCALATION),
    5: (ESCALATION, "sandad", CLASSIC),
}


@dataclass(frozen=True)
class Choice:
    """A way to form boards. `sizes`: people on each; `rest`: how many stand down, the organiser included.

    `organiser`: what he does. `twice`: how many play on two boards, he first. `ruled`: what the regulations
    say; the others are the director's to decide.
    """

    boards: tuple[str, ...]
    sizes: tuple[int, ...]
    rest: int = 0
    twice: int = 0
    organiser: Part = Part.PLAYS
    ruled: bool = False

    @property
    def seats(self) -> int:
        """How many seats people take."""
        return sum(self.sizes)


def counted(event: Event, number: int) -> tuple[int, ...]:
    """Who counts for a round: all who are there, but those who do not wish to play it."""
    one = event.rounds[number]
    own = {who for who, rest in one.resting.items() if rest.why is Rested.OWN}
    return tuple(sorted(set(one.present) - own))


def organiser(event: Event, number: int) -> int | None:
    """The organiser who is there for a round; of several, the first entered."""
    here = counted(event, number)
    return next((who for who in here if event.people[who].office is Office.ORGANISER), None)


def willing(event: Event, number: int, choice: Choice, seated: Iterable[int] = ()) -> tuple[int, ...]:
    """Who plays on two boards unless the director says otherwise: the organiser, then who helps him."""
    ranks = [Office.ORGANISER, Office.ASSISTANT, Office.VOLUNTEER, Office.NONE]
    here = sorted(set(counted(event, number)) - set(seated))
    return tuple(sorted(here, key=lambda who: ranks.index(event.people[who].office))[: choice.twice])


def of(event: Event, number: int, seated: Iterable[int] = ()) -> tuple[Choice, ...]:
    """The choices for a round as it stands, for those who are not seated already: finalists, kept boards."""
    apart = set(seated)
    others = [who for who in counted(event, number) if who not in apart]
    host = organiser(event, number)
    rules = regulations.read(event.regulations)
    found = choices(rules, len(others), organised=host is not None and host not in apart)
    return _beside(found, len(others)) if apart else found


def _beside(found: tuple[Choice, ...], count: int) -> tuple[Choice, ...]:
    """What those can play who are not seated already.

    No intimate game, which would take away the points of the whole round, the final's too: the text counts
    all who are there, and two or three too many stand down.
    """
    kept = tuple(one for one in found if INTIMATE not in one.boards)
    return kept if kept == found and found else (Choice((), (), count, ruled=True), *kept)


def choices(rules: Regulations, count: int, *, organised: bool = True) -> tuple[Choice, ...]:
    """The choices for a number of people, what the regulations say first; none for fewer than two.

    `organised`: whether the organiser is one of them.
    """
    found = [*_ruled(rules, count), *_others(rules, count)]
    fit = [one for one in found if organised or one.organiser is not Part.TWO]
    first: dict[tuple[object, ...], Choice] = {}
    for one in fit:
        first.setdefault((one.boards, one.sizes, one.rest), one)
    return tuple(first.values())


def _ruled(rules: Regulations, count: int) -> Iterator[Choice]:
    listed = next((one for one in rules.formations if count in one.players), None)
    if listed is not None:
        yield from _listed(listed, count)
    elif count >= FULL:
        yield _sevens(count, ruled=True)


def _listed(row: Formation, count: int) -> Iterator[Choice]:
    """What a line of the table says; where it names no game, each that players may choose."""
    if not row.variants:
        for at, variant in enumerate(FEW.get(count, ())):
            yield Choice((variant,), (count,), ruled=at == 0)
        return
    sizes = tuple(size_of(variant, count) for variant in row.variants)
    extra = 1 if row.organiser is Part.TWO else 0
    rest = max(0, count + extra - sum(sizes))
    yield Choice(row.variants, sizes, rest, extra, row.organiser, ruled=True)


def standing(event: Event, number: int) -> Choice:
    """The boards of a draft as a choice, to draw the same again; the final is not one of them."""
    one = event.rounds[number]
    drawn = [board for _, board in sorted(one.boards.items()) if not board.final]
    people = [set(boards.seated(board)) for board in drawn]
    sizes = tuple(size_of(board.variant, len(at)) for board, at in zip(drawn, people, strict=True))
    twice = doubled(event, number)
    part = Part.TWO if twice else Part.PLAYS
    rest = sum(held.why is not Rested.OWN for held in one.resting.values())
    return Choice(tuple(board.variant for board in drawn), sizes, rest, len(twice), part)


def doubled(event: Event, number: int) -> tuple[int, ...]:
    """Who sits on two boards of a round."""
    sat = Counter(who for board in event.rounds[number].boards.values() for who in boards.seated(board))
    return tuple(sorted(who for who, times in sat.items() if times > 1))


def size_of(variant: str, count: int = FULL) -> int:
    """How many people play a variant, of so many who are there."""
    if variant == INTIMATE:
        return 2
    if variant == ESCALATION:
        return min(5, count)
    if variant == PAIRS:
        return 4
    if variant == CLASSIC and count <= boards.SMALL:
        return boards.SMALL
    return len(boards.powers_of(variant)) - len(boards.scripted_of(variant))


def _sevens(count: int, *, ruled: bool = False) -> Choice:
    tables, rest = divmod(count, FULL)
    part = Part.RESTS if rest else Part.PLAYS
    return Choice((CLASSIC,) * tables, (FULL,) * tables, rest, organiser=part, ruled=ruled)


def _others(rules: Regulations, count: int) -> Iterator[Choice]:
    """What a director may prefer, the fewest boards of six first."""
    if count < FULL:
        yield from _few(count)
        return
    if rules.formations:
        yield from sorted(_mixed(count), key=lambda one: (one.boards.count(SURVIVOR), one.rest + one.twice))
    else:
        yield from _doubled(count)
    yield _sevens(count)


def _few(count: int) -> Iterator[Choice]:
    if count == SIX:
        yield Choice((SURVIVOR,), (SIX,))
    for variant in FEW.get(count, ()):
        size = size_of(variant, count)
        part = Part.REFEREES if count - size == 1 else Part.PLAYS
        yield Choice((variant,), (size,), count - size, organiser=part)


def _doubled(count: int) -> Iterator[Choice]:
    missing = -count % FULL
    if missing and missing <= MOST_TWICE and count + missing > FULL:
        tables = (count + missing) // FULL
        yield Choice((CLASSIC,) * tables, (FULL,) * tables, 0, missing, Part.TWO)


def _mixed(count: int) -> Iterator[Choice]:
    """Boards of seven and of six, without anybody but the organiser standing down or playing twice."""
    for part, rest, twice in ((Part.PLAYS, 0, 0), (Part.TWO, 0, 1), (Part.RESTS, 1, 0)):
        seats = count - rest + twice
        for sixes in range(seats // SIX + 1):
            sevens, left = divmod(seats - SIX * sixes, FULL)
            if not left and (sevens + sixes > 1 or not twice):
                tables = (CLASSIC,) * sevens + (SURVIVOR,) * sixes
                yield Choice(tables, (FULL,) * sevens + (SIX,) * sixes, rest, twice, part)
                break


@dataclass(frozen=True)
class Condition:
    """What the regulations ask for a final: so many boards in some rounds, and how many there were."""

    rounds: tuple[int, ...]
    least: int
    there: int

    @property
    def met(self) -> bool:
        """Whether there were enough."""
        return self.there >= self.least


def conditions(event: Event, planned: int = 0) -> tuple[Condition, ...]:
    """What decides whether a final is played. `planned`: boards of a round that has none yet, its choice's.

    The text does not say which boards count: each that was launched and scores, so no intimate game.
    """
    rule = regulations.read(event.regulations).final
    return tuple(
        _condition(event, key, least, planned) for key, least in (rule.boards if rule else {}).items()
    )


def _condition(event: Event, key: str, least: int, planned: int) -> Condition:
    rounds = tuple(int(at) for at in key.split("+"))
    there = sum(launched(event, at) or (planned if _coming(event, at) else 0) for at in rounds)
    return Condition(rounds, least, there)


def _coming(event: Event, number: int) -> bool:
    one = event.rounds.get(number)
    return one is not None and not one.boards and not one.cancelled


def launched(event: Event, number: int) -> int:
    """How many boards of a round score."""
    one = event.rounds.get(number)
    if one is None or one.cancelled:
        return 0
    return sum(board.counts and board.variant != INTIMATE for board in one.boards.values())


def final_due(event: Event, planned: int = 0) -> bool:
    """Whether the regulations have a final, and its conditions are met."""
    rule = regulations.read(event.regulations).final
    return rule is not None and all(one.met for one in conditions(event, planned))
