"""A weekend that has been played, made without drawing: what papers, files and screens have to show."""

from __future__ import annotations

from dataclasses import replace

from talleyrand.tournament import board_rules
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
    RoundState,
)
from talleyrand.web.tournaments import tournament_creation
from talleyrand.web.tournaments.models import Tournament
from tests.web.tournaments import scene

HOUR = "2026-07-03T17:30:00+00:00"
CENTRES = ((8, 7, 6, 5, 4, 4, 0), (11, 5, 5, 5, 4, 3, 1), (18, 9, 4, 3, 0, 0, 0), (6, 6, 6, 6, 4, 3, 3))
SECRETS = ("1987-03-", "@example.org", "+33 6", "ne pas placer", "doit encore")


def people(count: int = 19) -> dict[int, EventPerson]:
    """Invented people with everything that can be known of them."""
    return {number: _person(number, name) for number, name in enumerate(scene.NAMES[:count], 1)}


def _person(number: int, name: str) -> EventPerson:
    private = PrivateFacts(
        born=f"1987-03-{number:02}",
        mail=f"person{number}@example.org",
        phone=f"+33 6 00 00 00 {number:02}",
        note="ne pas placer près de la porte",
        due="25",
        paid="10",
    )
    office = Office.ORGANISER if number == 1 else Office.NONE
    rounds = (1, 2, 3, 4)
    clubs = ("Les Chouettes", "Nantes", "", "Café de l’Ébène & Cie")
    return EventPerson(
        name, clubs[number % 4], "Angers", "France", office, number == 7, rounds=rounds, private=private
    )


def event(count: int = 19) -> Event:
    """Two rounds played by all but five, a third one begun, a fourth to come."""
    rounds = {
        1: _round(count, 1, RoundState.CLOSED),
        2: _round(count, 2, RoundState.CLOSED),
        3: _round(count, 3, RoundState.PLAYING),
        4: EventRound(),
    }
    announcement = Announcement("Angers, salle du Doyenné", "2026-07-03", "2026-07-05")
    teams = {1: EventTeam("Les Tours", (2, 9)), 2: EventTeam("Les Ponts", (3, 10))}
    made = Event(
        "Anjou Feu 2026", announcement=announcement, people=people(count), rounds=rounds, teams=teams
    )
    return replace(made, seed="1901")


def _round(count: int, number: int, state: RoundState) -> EventRound:
    playing = [1 + (at + 3 * number) % count for at in range(count)]
    tables = {}
    for table in range(1, count // 7 + 1):
        tables[table] = _board(number, table, playing[7 * (table - 1) :][:7], state)
    left = playing[7 * (count // 7) :]
    resting = {who: Bye(ByeReason.ORGANISATION if who == 1 else ByeReason.LOT) for who in left}
    present = dict.fromkeys(playing, HOUR)
    return EventRound(state, HOUR, present, resting, tables)


def _board(number: int, table: int, seated: list[int], state: RoundState) -> EventBoard:
    powers = board_rules.variant_powers("classic")
    turned = [*powers[number:], *powers[:number]]
    script = number == 1 and table == 2
    seats = {power: PowerSeat(who) for power, who in zip(turned, seated, strict=True)}
    if script:
        seats["TURKEY"] = PowerSeat()
    counts = CENTRES[(number + table) % len(CENTRES)]
    solo = counts[0] >= 18
    result = BoardResult(
        dict(zip(turned, counts, strict=True)),
        GameEnd.SOLO if solo else GameEnd.TIME,
        1905 + number,
        turned[0] if solo else "",
        confirmed="desk",
    )
    return EventBoard(
        "survivor_turkey" if script else "classic",
        {power: seats[power] for power in powers},
        place=f"Salle {table}",
        result=result if state is RoundState.CLOSED else None,
    )


def tournament(count: int = 19, *, listed: bool = True) -> Tournament:
    """The same on the site, directed by Maëlle."""
    made = tournament_creation.create_tournament(event(count), scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=listed)
    return Tournament.objects.get(pk=made.pk)
