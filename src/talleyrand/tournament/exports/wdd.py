"""The two files that the World Diplomacy Database takes: the classification, and every seat of every board.

The layout is the one other programs write. Classic boards alone are in it: it knows seven powers.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from talleyrand.formats.score_json import decimal_points
from talleyrand.tournament import prizes
from talleyrand.tournament.model import FIRST_YEAR, Event, GameEnd
from talleyrand.tournament.name_matching import fold_name
from talleyrand.tournament.standings import PersonStanding, Standings

from . import dipvis, played_seats
from .event_tables import csv_safe

POWERS = {
    "AUSTRIA": "AU", "ENGLAND": "EN", "FRANCE": "FR", "GERMANY": "GE", "ITALY": "IT", "RUSSIA": "RU",
    "TURKEY": "TU",
}  # fmt: skip
ROUNDS, AWARDS, YEARS = 8, 12, 20
VARIANTS = ("classic", "survivor_turkey")
NATIONS = {
    "france": "FRA", "belgique": "BEL", "belgium": "BEL", "suisse": "SUI", "switzerland": "SUI",
    "royaume uni": "GBR", "united kingdom": "GBR", "angleterre": "GBR", "england": "GBR", "ecosse": "GBR",
    "scotland": "GBR", "pays bas": "NED", "netherlands": "NED", "allemagne": "GER", "germany": "GER",
    "italie": "ITA", "italy": "ITA", "espagne": "ESP", "spain": "ESP", "portugal": "POR", "irlande": "IRL",
    "ireland": "IRL", "suede": "SWE", "sweden": "SWE", "norvege": "NOR", "norway": "NOR", "danemark": "DEN",
    "denmark": "DEN", "autriche": "AUT", "austria": "AUT", "pologne": "POL", "poland": "POL",
    "etats unis": "USA", "united states": "USA", "usa": "USA", "canada": "CAN", "australie": "AUS",
    "australia": "AUS", "nouvelle zelande": "NZL", "new zealand": "NZL", "luxembourg": "LUX",
}  # fmt: skip


@dataclass(frozen=True)
class _WddSource:
    """An event, its standings and its prizes, looked up once."""

    event: Event
    held: Standings

    @cached_property
    def seats(self) -> list[played_seats.PlayedSeat]:
        return [
            sat for sat in played_seats.played_seats(self.event, self.held) if sat.board.variant in VARIANTS
        ]

    @cached_property
    def given(self) -> Mapping[str, prizes.Award]:
        return prizes.award_prizes(self.event, self.held)

    @cached_property
    def teams(self) -> Mapping[int, int]:
        return {who: number for number, team in self.event.teams.items() for who in team.members}

    @cached_property
    def owned(self) -> Mapping[int | None, list[played_seats.PlayedSeat]]:
        found: dict[int | None, list[played_seats.PlayedSeat]] = {}
        for sat in self.seats:
            found.setdefault(sat.owner, []).append(sat)
        return found

    @cached_property
    def awards(self) -> list[dict[int, str]]:
        """The ranks of each prize beside those of powers and teams, as far as there are columns."""
        given = [one for one in self.given.values() if one.kind not in ("power", "team")][:AWARDS]
        return [{rank.who: str(rank.place) for rank in award.ranking if rank.points > 0} for award in given]

    @cached_property
    def trophy(self) -> Mapping[int, prizes.PrizeRank]:
        """The teams in their order."""
        given = [one for one in self.given.values() if one.kind == "team"]
        return {rank.who: rank for award in given for rank in award.ranking}

    def seats_of(self, person: int) -> list[played_seats.PlayedSeat]:
        """The seats whose points are his."""
        return self.owned.get(person, [])


def wdd_classification(event: Event, held: Standings) -> str:
    """The first file: a line for each person, 999 the rank of who has not played."""
    asked = _WddSource(event, held)
    places = Counter(line.place for line in held.lines)
    ranked = [_ranked(asked, line, places[line.place]) for line in held.lines]
    absent = [{**_person(event, who), "RANK": "999"} for who in event.people if who not in held.by_person]
    return _csv(_headings(), [*ranked, *absent])


def _ranked(asked: _WddSource, line: PersonStanding, equal: int) -> dict[str, str]:
    known = asked.event.people[line.person]
    return {
        **_person(asked.event, line.person),
        "RANK": str(line.place),
        "EXAEQUO": str(equal) if equal > 1 else "",
        "LOCATION": known.town,
        "SCORE": decimal_points(line.total),
        **_rounds(line),
        **_powers(asked.seats_of(line.person)),
        **{f"RK_AWA_{at}": rank.get(line.person, "") for at, rank in enumerate(asked.awards, 1)},
        **_top([sat for sat in asked.seats_of(line.person) if sat.board.final]),
        **_team(asked, line.person),
    }


def _team(asked: _WddSource, person: int) -> dict[str, str]:
    if person not in asked.teams:
        return {}
    number = asked.teams[person]
    told, rank = {"TEAM": asked.event.teams[number].name}, asked.trophy.get(number)
    if rank is not None:
        told |= {"TEAM_SCORE": decimal_points(rank.points), "TEAM_RANK": str(rank.place)}
    return told


def _headings() -> list[str]:
    person = ["FIRST NAME", "NAME", "HOMONYME", "RANK", "EXAEQUO", "LOCATION", "NATIONALITY", "SCORE"]
    rounds = [f"R{number}" for number in range(1, ROUNDS + 1)]
    powers = [f"{kind}_0{code}" for code in POWERS.values() for kind in ("RK", "PT", "CT", "HEAT", "BOARD")]
    awards = [f"RK_AWA_{at}" for at in range(1, AWARDS + 1)]
    top = [f"{kind}_TOPBOARD" for kind in ("NAME", "HEAT", "BOARD", "RK", "CT", "COUNTRY")]
    return [*person, *rounds, *powers, *awards, *top, "TEAM", "TEAM_SCORE", "TEAM_RANK"]


def _person(event: Event, who: int) -> dict[str, str]:
    known = event.people[who]
    first, _, last = known.name.partition(" ")
    nation = _nation(known.country)
    return {"FIRST NAME": first, "NAME": last or first, "HOMONYME": "1", "NATIONALITY": nation}


def _nation(country: str) -> str:
    told = country.strip()
    return told.upper() if len(told) == 3 and told.isalpha() else NATIONS.get(fold_name(told), "")


def _rounds(line: PersonStanding) -> dict[str, str]:
    found: dict[int, Fraction] = {}
    for entry in line.entries:
        if entry.counted and entry.round <= ROUNDS:
            found[entry.round] = found.get(entry.round, Fraction(0)) + entry.weighted
    return {f"R{number}": decimal_points(points) for number, points in found.items()}


def _powers(seats: Iterable[played_seats.PlayedSeat]) -> dict[str, str]:
    """Each power he played, with his best game of it."""
    told: dict[str, str] = {}
    for sat in sorted(seats, key=lambda one: one.raw or Fraction(0)):
        if sat.raw is not None and sat.power in POWERS:
            code = POWERS[sat.power]
            facts = (
                str(sat.rank),
                decimal_points(sat.raw),
                str(sat.centres),
                str(sat.round),
                str(sat.number),
            )
            kinds = ("RK", "PT", "CT", "HEAT", "BOARD")
            told |= {f"{kind}_0{code}": fact for kind, fact in zip(kinds, facts, strict=True)}
    return told


def _top(seats: Sequence[played_seats.PlayedSeat]) -> dict[str, str]:
    if not seats:
        return {}
    sat = seats[0]
    facts = ("FINAL", str(sat.round), str(sat.number), str(sat.rank or ""), str(sat.centres or 0))
    named = dict(zip(("NAME", "HEAT", "BOARD", "RK", "CT"), facts, strict=True))
    return {
        **{f"{kind}_TOPBOARD": fact for kind, fact in named.items()},
        "COUNTRY_TOPBOARD": POWERS.get(sat.power, ""),
    }


def wdd_boards(event: Event, held: Standings) -> str:
    """The second file: a line for each seat that somebody played."""
    seats = _WddSource(event, held).seats
    rows = [
        _seat(event, sat, seats)
        for sat in seats
        if sat.owner is not None and sat.raw is not None and sat.power in POWERS
    ]
    counts = [f"CT_{year:02}" for year in range(1, YEARS + 1)]
    person = ["FIRST NAME", "NAME", "HOMONYME", "ROUND", "BOARD", "COUNTRY", "RANK", "EXAEQUO"]
    return _csv([*person, "SCORE", "NB_CENTRE", "YEAR_ELIMINATION", "DRAW", *counts], rows)


def _seat(
    event: Event, sat: played_seats.PlayedSeat, seats: Iterable[played_seats.PlayedSeat]
) -> dict[str, str]:
    assert sat.owner is not None
    assert sat.raw is not None
    out = played_seats.elimination_year(event, sat)
    years = played_seats.seat_centres_by_year(event, sat)
    told = {
        **_person(event, sat.owner),
        "ROUND": str(sat.round),
        "BOARD": str(sat.number),
        "COUNTRY": POWERS[sat.power],
        "RANK": str(sat.rank),
        "EXAEQUO": str(sat.equals + 1 if sat.equals else ""),
        "SCORE": decimal_points(sat.raw),
        "NB_CENTRE": str(sat.centres),
        "YEAR_ELIMINATION": str(out - FIRST_YEAR + 1) if out else "",
        "DRAW": _draw(sat, seats),
    }
    return told | {f"CT_{year - FIRST_YEAR + 1:02}": str(count) for year, count in years.items()}


def _draw(sat: played_seats.PlayedSeat, seats: Iterable[played_seats.PlayedSeat]) -> str:
    """How many share the game: 1 has won it alone, 0 is out of it."""
    assert sat.result is not None
    if sat.result.winner or sat.result.ended is GameEnd.SOLO:
        return str(int(sat.rank == 1 if not sat.result.winner else sat.power == sat.result.winner))
    table = [one for one in seats if (one.round, one.number) == (sat.round, sat.number)]
    return str(sum(map(dipvis.in_draw, table))) if dipvis.in_draw(sat) else "0"


def _csv(headings: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    made = io.StringIO()
    writer = csv.DictWriter(made, headings, "", "ignore", delimiter=";", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({key: csv_safe(fact) for key, fact in row.items()} for row in rows)
    return made.getvalue()
