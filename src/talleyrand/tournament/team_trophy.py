"""The trophy of teams: how large a team may be, who joins which by lot, and which is the best.

Source: Anjou Feu regulations, team trophy. Reading taken: a team's score adds up what its members have in the
round after its coefficients, so that a late arrival is felt; members who did not play are not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from talleyrand.engine import random_draws
from talleyrand.scoring import ScoreLine

from .model import EventTeam

LEAST_BOARDS = 2
LARGEST = 7


def is_contested(boards: int) -> bool:
    """Whether the trophy is played for with so many boards at once."""
    return boards >= LEAST_BOARDS


def max_team_size(boards: int) -> int:
    """Members that a team may have: one for each board, and for each power."""
    return min(boards, LARGEST)


def oversized_teams(teams: Mapping[int, EventTeam], boards: int) -> tuple[int, ...]:
    """Teams with more members than there are boards for."""
    return tuple(number for number, team in teams.items() if len(team.members) > max_team_size(boards))


def complete_teams(
    teams: Mapping[int, EventTeam], loners: Iterable[int], boards: int, seed: str
) -> dict[int, tuple[int, ...]]:
    """The members of every team once those without one are drawn into teams, by the number of the team.

    Incomplete teams first, the smallest before others; then new teams, under the next numbers, as equal as
    they can be. The same seed gives the same teams.
    """
    size = max_team_size(boards)
    filled = {number: team.members for number, team in teams.items()}
    waiting = list(draw_order(loners, seed))
    while waiting and (number := _incomplete(filled, size)):
        filled[number] = (*filled[number], waiting.pop(0))
    first, count = max(teams, default=0) + 1, -(-len(waiting) // size) if size else 0
    return filled | {first + at: tuple(waiting[at::count]) for at in range(count)}


def _incomplete(filled: Mapping[int, tuple[int, ...]], size: int) -> int:
    left = [number for number, members in filled.items() if len(members) < size]
    return min(left, key=lambda number: (len(filled[number]), number), default=0)


def draw_order(people: Iterable[int], seed: str) -> Iterable[int]:
    """People in an order that anybody can draw again: one lot after the other among those left."""
    left = {str(one) for one in people}
    turn = 0
    while left:
        turn += 1
        chosen = random_draws.draw_one(seed, f"teams {turn}", left)
        left.discard(chosen)
        yield int(chosen)


@dataclass(frozen=True)
class TeamPlace:
    """A team in the order of teams; `scores` by member, the lowest first; a place may be shared."""

    place: int
    team: int
    score: Fraction
    scores: tuple[tuple[int, Fraction], ...]
    lines: tuple[ScoreLine, ...]


def rank_teams(teams: Mapping[int, EventTeam], scores: Mapping[int, Fraction]) -> list[TeamPlace]:
    """Teams from best to last, by what their members have in the round.

    Equal sums: fewer members, then the better lowest score, then the next. Equal in all of it: the place
    is shared. A team of which nobody played has none.
    """
    played = {number: _played(team, scores) for number, team in teams.items()}
    keys = {number: _key(held) for number, held in played.items() if held}
    order = sorted(keys, key=lambda number: (keys[number], -number), reverse=True)
    names = {number: team.name for number, team in teams.items()}
    return [_placed(number, played[number], keys, names) for number in order]


MemberScores = tuple[tuple[int, Fraction], ...]
TeamKey = tuple[Fraction, int, tuple[Fraction, ...]]


def _played(team: EventTeam, scores: Mapping[int, Fraction]) -> MemberScores:
    held = [(one, scores[one]) for one in team.members if one in scores]
    return tuple(sorted(held, key=lambda pair: (pair[1], pair[0])))


def _key(held: MemberScores) -> TeamKey:
    scores = tuple(score for _, score in held)
    return sum(scores, Fraction(0)), -len(scores), scores


def _placed(
    number: int, held: MemberScores, keys: Mapping[int, TeamKey], names: Mapping[int, str]
) -> TeamPlace:
    place = 1 + sum(keys[other] > keys[number] for other in keys)
    return TeamPlace(place, number, keys[number][0], held, tuple(_lines(number, held, keys, names)))


def _lines(
    number: int, held: MemberScores, keys: Mapping[int, TeamKey], names: Mapping[int, str]
) -> Iterable[ScoreLine]:
    for member, score in held:
        yield ScoreLine("team_member", score, {"person": str(member), "points": score})
    yield ScoreLine("team_sum", keys[number][0], {"points": keys[number][0]})
    for other in keys:
        if other != number and keys[other][0] == keys[number][0]:
            yield ScoreLine(_told_apart(keys[number], keys[other]), Fraction(0), {"team": names[other]})


def _told_apart(mine: TeamKey, other: TeamKey) -> str:
    """By what two teams of the same sum are told apart."""
    if mine == other:
        return "team_shared"
    by = "members" if mine[1] != other[1] else "lowest"
    return f"team_{'before' if mine > other else 'behind'}_{by}"
