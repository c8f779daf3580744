"""A list line by line: what is understood, what is not, who may be known; and the acts it comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from talleyrand.tournament import name_matching
from talleyrand.tournament.acts.act import EventAct, next_number
from talleyrand.tournament.acts.people_acts import AddPeople, ChangePerson
from talleyrand.tournament.acts.team_acts import SetTeams
from talleyrand.tournament.model import Event, EventPerson, EventTeam, PrivateFacts, RoundState

from . import list_rows
from .list_rows import IGNORED, PRIVATE_COLUMNS, InvalidList, ListRow

ADD, SKIP, CHANGE = "add", "skip", "change:"
Claims = dict[int, list[EventPerson]]
MOST_ALIKE = 12  # people that a line is shown beside


@dataclass(frozen=True)
class CellProblem:
    """What is wrong with a line, in which column: 0 for all of it."""

    error: InvalidList
    column: int = 0


@dataclass(frozen=True)
class ListLine:
    """A line as it is understood. `known`: people of the event who may be the one; `is_known`: there is one,
    beyond doubt. `before`: the line above of somebody who may be the one; `is_before`: who is, beyond doubt.
    """

    number: int
    cells: tuple[str, ...]
    person: EventPerson | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    team: str = ""
    troubles: tuple[CellProblem, ...] = ()
    known: tuple[int, ...] = ()
    is_known: bool = False
    before: int = 0
    is_before: bool = False

    @property
    def choice(self) -> str:
        """What is proposed to do with it: nobody is left out for a name that sounds like another."""
        if self.troubles or self.is_before:
            return SKIP
        return f"{CHANGE}{self.known[0]}" if self.is_known else ADD

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be done with it."""
        if self.troubles:
            return (SKIP,)
        return (*(f"{CHANGE}{who}" for who in self.known), ADD, SKIP)


@dataclass(frozen=True)
class PeopleList:
    """A list as it is understood. `headings`: the first row, where it names the columns."""

    columns: tuple[str, ...]
    headings: tuple[str, ...]
    lines: tuple[ListLine, ...]


def read_people_list(
    text: str, event: Event, chosen: Sequence[str] = (), everyone: Sequence[int] = ()
) -> PeopleList:
    """A list beside the people of an event; raises InvalidList.

    `chosen`: what each column holds, where somebody has said so. `everyone`: the rounds of those of whom the
    list does not say which they play.
    """
    rows = list_rows.read_rows(text)
    named = list_rows.columns_from_headings(rows[0].cells)
    told = rows[1:] if named else rows
    if not told:
        raise InvalidList("import_empty")
    width = max(len(row.cells) for row in rows)
    found = (named or list_rows.guess_columns([row.cells for row in told]))[:width]
    held = list_rows.chosen_columns(chosen or found, width, tuple(event.rounds))
    lines = _compared([_line(row, held, event, everyone) for row in told], event)
    return PeopleList(held, rows[0].cells if named else (), lines)


def _line(row: ListRow, held: Sequence[str], event: Event, everyone: Sequence[int]) -> ListLine:
    given: dict[str, Any] = {}
    troubles: list[CellProblem] = []
    for at, (column, cell) in enumerate(zip(held, row.cells, strict=False)):
        if column == IGNORED or not cell:
            continue
        try:
            _take(given, column, cell, event)
        except InvalidList as trouble:
            troubles.append(CellProblem(trouble, at + 1))
    team = given.pop("team", "")
    name = _name(given)
    if not name:
        troubles.append(CellProblem(InvalidList("import_no_name")))
    person = _person({"rounds": tuple(everyone), **given, "name": name}) if name else None
    return ListLine(row.line, row.cells, person, given, team, tuple(troubles))


def _take(given: dict[str, Any], column: str, cell: str, event: Event) -> None:
    """Put what a cell says where it belongs."""
    if column == "rounds":
        given["rounds"] = list_rows.rounds_cell(cell, event.rounds)
    elif column.startswith("round:"):
        number = int(column.removeprefix("round:"))
        held = set(given.get("rounds", ()))
        given["rounds"] = tuple(sorted(held | {number} if list_rows.flag_cell(cell) else held - {number}))
    else:
        read_as = list_rows.CELL_READERS.get(column)
        given[column] = read_as(cell) if read_as else list_rows.text_cell(cell, column)


def _name(given: dict[str, Any]) -> str:
    """The first name before the last one."""
    first, last = given.pop("first", ""), given.pop("last", "")
    return str(given.pop("name", "")) or " ".join(filter(None, (first, last)))


def _person(given: Mapping[str, Any]) -> EventPerson:
    private = {key: value for key, value in given.items() if key in PRIVATE_COLUMNS}
    open_facts = {key: value for key, value in given.items() if key not in PRIVATE_COLUMNS}
    return EventPerson(**open_facts, private=PrivateFacts(**private))


def _compared(lines: Sequence[ListLine], event: Event) -> tuple[ListLine, ...]:
    """The same lines, beside those known already and those above."""
    above: dict[int, EventPerson] = {}
    claims: tuple[Claims, Claims] = ({}, {})
    found = []
    for line in lines:
        if line.person is None:
            found.append(line)
            continue
        known, known_as = _others(line.person, event.people, claims[0])
        before, before_as = _others(line.person, above, claims[1])
        if known_as:
            known = (known_as,)
        heard = before_as or next(iter(before), 0)
        found.append(
            replace(line, known=known, is_known=bool(known_as), before=heard, is_before=bool(before_as))
        )
        if not line.troubles and not before_as:
            above[line.number] = line.person
    return tuple(found)


def _others(
    person: EventPerson, people: Mapping[int, EventPerson], claims: Claims
) -> tuple[tuple[int, ...], int]:
    """Those who may be somebody, and the one who is it beyond doubt; 0 where none is, or several are.

    `claims`: the lines that are each of them beyond doubt; whoever contradicts one of those is another.
    """
    mailed = [who for who, known in people.items() if name_matching.have_same_mail(person, known)]
    alike = name_matching.people_sounding_alike(person.name, people, person.country)
    every = tuple(dict.fromkeys((*alike, *mailed)))
    same = [who for who in every if name_matching.same_person(person, people[who])]
    if len(same) != 1:
        return every[:MOST_ALIKE], 0
    claimed = claims.setdefault(same[0], [])
    if not all(name_matching.same_person(person, other) for other in claimed):
        return every[:MOST_ALIKE], 0
    if person not in claimed:
        claimed.append(person)
    return every[:MOST_ALIKE], same[0]


def person_from_line(event: Event, line: ListLine, who: int) -> EventPerson:
    """Somebody known, with what a line says of him; his name as it is, the rest, and rounds begun, stay."""
    known, given = event.people[who], dict(line.given)
    if "rounds" in given:
        given["rounds"] = _rounds(event, known, given["rounds"])
    private = {key: given.pop(key) for key in PRIVATE_COLUMNS if key in given}
    return replace(known, **given, private=replace(known.private, **private))


def _rounds(event: Event, known: EventPerson, wanted: Sequence[int]) -> tuple[int, ...]:
    free = {at for at, one in event.rounds.items() if one.state in (RoundState.PLANNED, RoundState.OPEN)}
    return tuple(sorted((set(wanted) & free) | (set(known.rounds) - free)))


def import_acts(event: Event, enrolment: PeopleList, choices: Mapping[int, str]) -> list[EventAct]:
    """What the list comes to, by what was chosen for each line; in one piece, to be taken back as one."""
    new: list[ListLine] = []
    seats: dict[int, ListLine] = {}
    for line in enrolment.lines:
        choice = choices.get(line.number, line.choice)
        choice = choice if choice in line.choices else line.choice
        if choice == ADD:
            new.append(line)
        elif choice.startswith(CHANGE):
            seats[int(choice.removeprefix(CHANGE))] = line
    made: list[EventAct] = [AddPeople(tuple(one.person for one in new if one.person))] if new else []
    for who, line in seats.items():
        if person_from_line(event, line, who) != event.people[who]:
            made.append(ChangePerson(who, person_from_line(event, line, who)))
    first = next_number(event.people)
    members = {**{first + at: line for at, line in enumerate(new)}, **seats}
    return made + _teams(event, {who: line.team for who, line in members.items() if line.team})


def _is_member(event: Event, who: int, name: str) -> bool:
    same = (
        team
        for team in event.teams.values()
        if name_matching.fold_name(team.name) == name_matching.fold_name(name)
    )
    return any(who in team.members for team in same)


def _teams(event: Event, wanted: Mapping[int, str]) -> list[EventAct]:
    """All teams, with those of the list in theirs; a team that is not known is new."""
    wanted = {who: name for who, name in wanted.items() if not _is_member(event, who, name)}
    if not wanted:
        return []
    left = {
        number: replace(team, members=tuple(who for who in team.members if who not in wanted))
        for number, team in event.teams.items()
    }
    for who, name in wanted.items():
        same = [
            at
            for at, team in left.items()
            if name_matching.fold_name(team.name) == name_matching.fold_name(name)
        ]
        number = same[0] if same else next_number(left)
        team = left.get(number, EventTeam(name))
        left[number] = replace(team, members=(*team.members, who))
    return [SetTeams(left)]
