"""Events of invented people, played at random from a seed: a season of the same circle over some years.

`python -m tests.tournament.invented FOLDER` writes the season of the tests as files of events.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from talleyrand import variants
from talleyrand.tournament import codec, invariants
from talleyrand.tournament.model import (
    Announcement,
    BoardResult,
    Bye,
    ByeReason,
    Event,
    EventBoard,
    EventPerson,
    EventRound,
    EventTeam,
    GameEnd,
    Office,
    PowerSeat,
    PrivateFacts,
    PrizeBallot,
    RoundState,
)

FIRST = (
    "Agathe", "Bastien", "Clémence", "Dimitri", "Élodie", "Fabrice", "Gaëlle", "Hugo", "Inès", "Joachim",
    "Karine", "Loïc", "Mathilde", "Nicolas", "Océane", "Patrice", "Quitterie", "Romain", "Solène", "Thibault",
)  # fmt: skip
LAST = ("Oriol", "Quéré", "Vidal", "Faure", "Marchand", "Nogaret", "Tissot", "Lacombe", "Bréhat", "Perrin")
CLASSIC = variants.load("classic").board
POWERS = CLASSIC.powers
CENTRES = len(CLASSIC.centres)
SOLO = 18
VOTED = ("angers", "cholet", "saumur", "curnonsky", "phylloxera", "cep", "douceur")
PLACES = ("Angers", "Saumur", "Cholet")
LAST_YEARS = (1906, 1907, 1908, 1909)


def circle(seed: str, size: int) -> list[EventPerson]:
    """So many people who know each other from table to table."""
    chance = Random(f"{seed} circle")
    names = [f"{first} {last}" for last in LAST for first in FIRST]
    return [_somebody(chance, name) for name in chance.sample(names, size)]


def _somebody(chance: Random, name: str) -> EventPerson:
    year, month, day = chance.randint(1955, 2008), chance.randint(1, 12), chance.randint(1, 28)
    born = f"{year}-{month:02}-{day:02}" if chance.random() < 0.9 else ""
    minutes = chance.randint(10, 600)
    return EventPerson(name, country="FRA", minutes=minutes, accepted=True, private=PrivateFacts(born=born))


def season(seed: str = "1901", sizes: Sequence[int] = (19, 14, 21)) -> dict[int, Event]:
    """Events of one circle, by number; most of its people come to several."""
    known = circle(seed, max(sizes) + 6)
    return {number: event(f"{seed} {number}", number, known, size) for number, size in enumerate(sizes, 1)}


def event(seed: str, number: int, known: Sequence[EventPerson], size: int, rounds: int = 4) -> Event:
    """An event that is over, with its results, teams and ballots."""
    chance = Random(seed)
    present = sorted(chance.sample(range(len(known)), size))
    people = {at: known[one] for at, one in enumerate(present, 1)}
    people[1] = codec.read_value(
        EventPerson, {**codec.write_value(people[1]), "office": Office.ORGANISER.value}
    )
    opens = f"20{20 + number}-07-1{number % 10}"
    played = {at: _round(chance, at, people, opens) for at in range(1, rounds + 1)}
    made = Event(
        name=f"{PLACES[number % len(PLACES)]} 20{20 + number}",
        seed=seed,
        announcement=Announcement(place=PLACES[number % len(PLACES)], opens=opens, ends=opens),
        signups=False,
        people={at: _signed(one, rounds) for at, one in people.items()},
        teams=_teams(chance, played[2]) if rounds > 1 else {},
        rounds=played,
        ballots=_ballots(chance, played),
        over=True,
    )
    invariants.check_invariants(made)
    return made


def _signed(person: EventPerson, rounds: int) -> EventPerson:
    return codec.read_value(EventPerson, {**codec.write_value(person), "rounds": list(range(1, rounds + 1))})


def _round(chance: Random, number: int, people: dict[int, EventPerson], day: str) -> EventRound:
    sizes = _sizes(len(people))
    players = chance.sample(sorted(people), sum(sizes))
    resting = {
        one: Bye(ByeReason.ORGANISATION if people[one].office is Office.ORGANISER else ByeReason.LOT)
        for one in people
        if one not in players
    }
    boards = {}
    for table, size in enumerate(sizes, 1):
        boards[table] = _board(chance, [players.pop() for _ in range(size)], LAST_YEARS[(number - 1) % 4])
    here = dict.fromkeys(sorted(people), f"{day}T10:0{number}:00Z")
    return EventRound(
        state=RoundState.CLOSED, starts=here[1], present=here, resting=resting, boards=boards, final=False
    )


def _sizes(people: int) -> list[int]:
    """Boards of seven, or of six where all of them can be that."""
    if people % 6 in (0, 1) and people // 6 <= 3:
        return [6] * (people // 6)
    return [7] * (people // 7)


def _board(chance: Random, players: list[int], year: int) -> EventBoard:
    powers = POWERS if len(players) == 7 else [power for power in POWERS if power != "TURKEY"]
    sat = dict(zip(powers, players, strict=True))
    seats = {power: PowerSeat(sat.get(power)) for power in POWERS}
    variant = "classic" if len(players) == 7 else "survivor_turkey"
    return EventBoard(variant, seats, result=_result(chance, sat, year))


def _result(chance: Random, sat: dict[str, int], year: int) -> BoardResult:
    centres = dict.fromkeys(POWERS, 0)
    if "TURKEY" not in sat:
        centres["TURKEY"] = chance.randint(0, 4)
    strength = {power: chance.paretovariate(1.6) for power in sat}
    for _ in range(CENTRES - centres["TURKEY"]):
        growing = [power for power in sat if centres[power] < SOLO]
        centres[chance.choices(growing, [strength[power] for power in growing])[0]] += 1
    winner = next((power for power, held in centres.items() if held >= SOLO), "")
    fallen = {power: chance.randint(1903, year) for power, held in centres.items() if not held}
    return BoardResult(
        centres=centres,
        ended=GameEnd.SOLO if winner else GameEnd.TIME,
        year=year,
        winner=winner,
        eliminated_in=fallen,
        reached={power: chance.choice(list(CLASSIC.provinces)) for power in sat},
        by=str(sat["FRANCE"]),
        confirmed="desk",
    )


def _teams(chance: Random, second: EventRound) -> dict[int, EventTeam]:
    """One of each board, as long as all boards have somebody left."""
    boards = [[seat.person for seat in board.seats.values()] for board in second.boards.values()]
    columns = [
        chance.sample(sorted(one for one in board if one), len(list(filter(None, board)))) for board in boards
    ]
    return {
        number: EventTeam(f"Team {number}", members)
        for number, members in enumerate(zip(*columns, strict=False), 1)
    }


def _ballots(chance: Random, rounds: dict[int, EventRound]) -> dict[int, PrizeBallot]:
    found: list[PrizeBallot] = []
    for number, played in rounds.items():
        for table, board in played.boards.items():
            at = sorted(seat.person for seat in board.seats.values() if seat.person is not None)
            found += [
                PrizeBallot(number, table, one, _names(chance, one, at))
                for one in at
                if chance.random() < 0.7
            ]
    return dict(enumerate(found, 1))


def _names(chance: Random, voter: int, at: list[int]) -> dict[str, int]:
    others = [one for one in at if one != voter]
    return {prize: chance.choice(others) for prize in VOTED if chance.random() < 0.8}


def text(event: Event) -> str:
    """A file of an event."""
    return json.dumps(codec.write_value(event), ensure_ascii=False, indent=1) + "\n"


def main(folder: Path) -> None:
    """Write the season."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in season().items():
        (folder / f"event{number}.json").write_text(text(one), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
