"""Requests that make no sense are refused before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .seating_errors import SeatingError
from .seating_request import LockRule, SeatingRequest, TwoBoardsRule

SMALLEST, LARGEST = 1, 8
MOST_PEOPLE = 420


def check_request(request: SeatingRequest) -> None:
    """Raise Unseatable: people and seats do not fit, a lock names what is not there, a weight is negative."""
    check_boards(request.boards)
    check_people(request.people)
    _check_doubled(request)
    for rule in request.hard_rules:
        if isinstance(rule, LockRule):
            _check_lock(rule, request)
    _check_count(request)
    for name, weight in vars(request.soft_rules.weights).items():
        if weight < 0:
            raise SeatingError("seating_weight", name=name)


def check_boards(boards: Mapping[int, tuple[str, ...]]) -> None:
    """Raise Unseatable where a board has too few or too many powers, or one of them twice."""
    for board, powers in boards.items():
        if not SMALLEST <= len(powers) <= LARGEST:
            raise SeatingError("seating_board_size", board=str(board), size=str(len(powers)))
        if (power := _double(powers)) is not None:
            raise SeatingError("seating_power_twice", board=str(board), power=str(power))


def check_people(people: Sequence[int]) -> None:
    """Raise Unseatable where somebody is named twice, or they are too many."""
    if len(people) > MOST_PEOPLE:
        raise SeatingError("seating_too_many", people=str(len(people)), most=str(MOST_PEOPLE))
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
