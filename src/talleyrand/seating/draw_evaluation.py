"""What a draw is worth: every repeat, the cost of each wish, the hard rules broken, and the proven bounds.

It reads seats alone, so that those of a search and those made by hand are judged alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from . import bounds
from .seating_problem import MeetingCounts, count_meetings, meeting_cost
from .seating_request import (
    ApartRule,
    BarredPowerRule,
    HardRule,
    LockRule,
    RepeatedMeeting,
    RepeatedPower,
    RoundDraw,
    SeatingError,
    SeatingRequest,
    Seats,
    SoftRules,
    TeamRule,
    TwoBoardsRule,
    pair,
)

Sitting = dict[int, list[tuple[int, str]]]  # where each person sits, and with what


def evaluate_draw(request: SeatingRequest, seats: Seats) -> RoundDraw:
    """Judge seats, of a search or made by hand.

    Raises SeatingError where the request makes no sense, and where the seats have other boards or powers
    (`seating_other_boards`) or other people (`seating_other_people`) than it asks for. Hard rules that they
    break stand in `broken`.
    """
    check_request(request)
    _check_seats(request, seats)
    before, wishes = count_meetings(request.history, request.soft_rules), request.soft_rules
    meetings = tuple(_meetings(seats, before))
    powers = tuple(_powers(seats, before))
    beside = tuple(_beside(seats, before, wishes))
    return RoundDraw(
        seats={board: dict(seats[board]) for board in sorted(seats)},
        seed=request.seed,
        repeated_meetings=meetings,
        repeated_powers=powers,
        repeated_neighbours=beside,
        cost=_costs(seats, before, wishes, (meetings, powers, beside)),
        repeats=sum(meeting.times for meeting in meetings),
        bound=repeats_bound(request),
        power_repeats=len(powers),
        power_bound=power_repeats_bound(request),
        third_bound=third_meetings_bound(request),
        broken_rules=tuple(rule for rule in request.hard_rules if _is_broken(rule, _sitting(seats))),
    )


def boards_per_person(request: SeatingRequest) -> Counter[int]:
    """On how many boards each person sits."""
    return Counter(
        [*request.people, *(rule.person for rule in request.hard_rules if isinstance(rule, TwoBoardsRule))]
    )


def power_repeats_bound(request: SeatingRequest) -> int:
    """How many play a power again at least, whatever the draw."""
    played: dict[int, set[str]] = {}
    for person, power in count_meetings(request.history, request.soft_rules).played:
        played.setdefault(person, set()).add(power)
    seats = Counter(power for powers in request.boards.values() for power in powers)
    people = boards_per_person(request).elements()
    return bounds.fewest_power_repeats_of_round(
        [frozenset(played.get(person, ())) for person in people], seats
    )


def third_meetings_bound(request: SeatingRequest) -> int:
    """How many pairs meet for the third time or more often at least, whatever the draw."""
    here = frozenset(request.people)
    games = [here.intersection(game.seats.values()) for game in request.history.games]
    return bounds.fewest_third_meetings(games, len(request.boards))


def repeats_bound(request: SeatingRequest) -> int:
    """The fewest repeats of pairs that any draw of the request has."""
    times = boards_per_person(request)
    games = [{p: times[p] for p in game.seats.values() if p in times} for game in request.history.games]
    boards = sorted(request.boards)
    locks = [rule for rule in request.hard_rules if isinstance(rule, LockRule) and rule.board is not None]
    locked = {lock.person: boards.index(lock.board) for lock in locks if lock.board is not None}
    return bounds.fewest_repeats_of_next_round(
        games, [len(request.boards[board]) for board in boards], locked
    )


def _check_seats(request: SeatingRequest, seats: Seats) -> None:
    asked = {board: sorted(powers) for board, powers in request.boards.items()}
    if {board: sorted(given) for board, given in seats.items()} != asked:
        raise SeatingError("seating_other_boards")
    if Counter(_people(seats)) != boards_per_person(request):
        raise SeatingError("seating_other_people")


def _people(seats: Seats) -> list[int]:
    return [person for given in seats.values() for person in given.values()]


def _pairs(given: Mapping[str, int]) -> Iterator[tuple[int, int]]:
    return combinations(sorted(set(given.values())), 2)


def _meetings(seats: Seats, before: MeetingCounts) -> Iterator[RepeatedMeeting]:
    for board in sorted(seats):
        for two in _pairs(seats[board]):
            if times := before.met[two]:
                yield RepeatedMeeting(*two, board, times)


def _powers(seats: Seats, before: MeetingCounts) -> Iterator[RepeatedPower]:
    for board in sorted(seats):
        for power, person in seats[board].items():
            if times := before.played[person, power]:
                yield RepeatedPower(person, power, board, times)


def _beside(seats: Seats, before: MeetingCounts, wishes: SoftRules) -> Iterator[RepeatedMeeting]:
    for board in sorted(seats):
        for (power, one), (other_power, other) in combinations(sorted(seats[board].items()), 2):
            times = before.beside[pair(one, other)]
            if times and (power, other_power) in wishes.neighbours:
                yield RepeatedMeeting(*pair(one, other), board, times)


Repeats = tuple[Sequence[RepeatedMeeting], Sequence[RepeatedPower], Sequence[RepeatedMeeting]]


def _costs(seats: Seats, before: MeetingCounts, wishes: SoftRules, repeats: Repeats) -> dict[str, int]:
    each, (meetings, powers, beside) = wishes.weights, repeats
    return {
        "meetings": sum(meeting_cost(meeting.times, each.meetings) for meeting in meetings),
        "powers": each.powers * sum(again.times for again in powers),
        "neighbours": each.neighbours * sum(meeting.times for meeting in beside),
        "spheres": each.spheres * _spheres(seats, before, wishes),
        "together": each.together * _parted(seats, wishes),
        "recorders": each.recorders * _recorders(seats, wishes),
        "prefers": each.prefers * _preferred(seats, wishes),
    }


def _spheres(seats: Seats, before: MeetingCounts, wishes: SoftRules) -> int:
    held = ((person, power) for given in seats.values() for power, person in given.items())
    return sum(before.spheres[person, wishes.spheres.get(power, "")] for person, power in held)


def _parted(seats: Seats, wishes: SoftRules) -> int:
    here, sharing = set(_people(seats)), {two for given in seats.values() for two in _pairs(given)}
    pairs = (two for group in wishes.together for two in combinations(sorted(group & here), 2))
    return sum(two not in sharing for two in pairs)


def _recorders(seats: Seats, wishes: SoftRules) -> int:
    counts = (len(wishes.recorders.intersection(given.values())) for given in seats.values())
    return sum(count * (count - 1) // 2 for count in counts)


def _preferred(seats: Seats, wishes: SoftRules) -> int:
    held = ((power, person) for given in seats.values() for power, person in given.items())
    lists = ((power, wishes.power_preferences.get(person, ())) for power, person in held)
    return sum(wanted.index(power) if power in wanted else len(wanted) for power, wanted in lists)


def _sitting(seats: Seats) -> Sitting:
    sitting: Sitting = {}
    for board, given in seats.items():
        for power, person in given.items():
            sitting.setdefault(person, []).append((board, power))
    return sitting


def _is_broken(rule: HardRule, sitting: Sitting) -> bool:
    match rule:
        case LockRule():
            return not any(
                rule.board in (None, board) and rule.power in (None, power)
                for board, power in sitting[rule.person]
            )
        case ApartRule():
            here = {board for board, _ in sitting.get(rule.first, ())}
            return any(board in here for board, _ in sitting.get(rule.second, ()))
        case BarredPowerRule():
            return any(power == rule.power for _, power in sitting.get(rule.person, ()))
        case TeamRule():
            return _alike([place for member in rule.members for place in sitting.get(member, ())])
        case TwoBoardsRule():
            return _alike(sitting[rule.person])


def _alike(held: Sequence[tuple[int, str]]) -> bool:
    """Whether two of these places have the same board or the same power."""
    boards, powers = {board for board, _ in held}, {power for _, power in held}
    return len(boards) < len(held) or len(powers) < len(held)


SMALLEST, LARGEST = 1, 8
MOST_PEOPLE = 420


def check_request(request: SeatingRequest) -> None:
    """Raise SeatingError: people and seats do not fit, a lock names what is not there, somebody is to be
    kept apart from themself, a rule is none or names people otherwise than the request, a weight is negative.
    """
    check_boards(request.boards)
    check_people(request.people, _named_rules(request.hard_rules))
    _check_doubled(request)
    for rule in request.hard_rules:
        if isinstance(rule, LockRule):
            _check_lock(rule, request)
        if isinstance(rule, ApartRule) and rule.first == rule.second:
            raise SeatingError("seating_apart_alone", person=str(rule.first))
    _check_count(request)
    for name, weight in vars(request.soft_rules.weights).items():
        if weight < 0:
            raise SeatingError("seating_weight", name=name)


def check_boards(boards: Mapping[int, tuple[str, ...]]) -> None:
    """Raise SeatingError where a board has too few or too many powers, or one of them twice."""
    for board, powers in boards.items():
        if not SMALLEST <= len(powers) <= LARGEST:
            raise SeatingError("seating_board_size", board=str(board), size=str(len(powers)))
        if (power := _double(powers)) is not None:
            raise SeatingError("seating_power_twice", board=str(board), power=str(power))


def _named_rules(rules: Iterable[object]) -> Iterator[object]:
    """Whom rules name; raises SeatingError (`seating_rule`) for what is no rule."""
    for rule in rules:
        match rule:
            case TeamRule():
                yield from rule.members
            case ApartRule():
                yield from (rule.first, rule.second)
            case LockRule() | BarredPowerRule() | TwoBoardsRule():
                yield rule.person
            case _:
                raise SeatingError("seating_rule", rule=str(rule))


def check_people(people: Sequence[int], named: Iterable[object] = ()) -> None:
    """Raise SeatingError where somebody is named twice, or they are too many; or not all are numbers, or not
    all are texts, with those that rules name.
    """
    if len(people) > MOST_PEOPLE:
        raise SeatingError("seating_too_many", people=str(len(people)), most=str(MOST_PEOPLE))
    everybody: list[object] = [*people, *named]
    kind = str if everybody and isinstance(everybody[0], str) else int
    for person in everybody:
        if not isinstance(person, kind):
            raise SeatingError("seating_person_kind", person=str(person))
    if (person := _double(people)) is not None:
        raise SeatingError("seating_person_twice", person=str(person))


def _check_doubled(request: SeatingRequest) -> None:
    doubled = [rule.person for rule in request.hard_rules if isinstance(rule, TwoBoardsRule)]
    if (person := _double(doubled)) is not None:
        raise SeatingError("seating_person_twice", person=str(person))
    for person in doubled:
        _check_there(person, request)


def _double(things: Iterable[object]) -> object | None:
    return next((thing for thing, count in Counter(things).items() if count > 1), None)


def _check_there(person: int, request: SeatingRequest) -> None:
    if person not in request.people:
        raise SeatingError("seating_not_there", person=str(person))


def _check_lock(lock: LockRule, request: SeatingRequest) -> None:
    _check_there(lock.person, request)
    if lock.board is not None and lock.board not in request.boards:
        raise SeatingError("seating_no_board", board=str(lock.board))
    boards = request.boards.values() if lock.board is None else [request.boards[lock.board]]
    if lock.power is not None and not any(lock.power in powers for powers in boards):
        where = "" if lock.board is None else str(lock.board)
        raise SeatingError("seating_no_power", board=where, power=lock.power)


def _check_count(request: SeatingRequest) -> None:
    seats = sum(map(len, request.boards.values()))
    wanted = len(request.people) + sum(isinstance(rule, TwoBoardsRule) for rule in request.hard_rules)
    if seats != wanted:
        raise SeatingError("seating_count", seats=str(seats), people=str(wanted))
