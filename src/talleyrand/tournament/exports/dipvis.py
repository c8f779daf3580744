"""An event as JSON in the manner of dipvis, a site of tournaments: rounds, games, players, then results.

No key of it is ours alone; docs/…/reference says what each holds. Scores are decimal texts of three places.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from talleyrand.formats.score_json import decimal_points
from talleyrand.tournament.model import Event, GameEnd
from talleyrand.tournament.standings import PersonStanding, StandingEntry, Standings

from . import event_tables, played_seats


def dipvis_json(event: Event, held: Standings) -> dict[str, Any]:
    """The event as far as its standings go."""
    seats = groupby(played_seats.played_seats(event, held), key=lambda sat: sat.round)
    return {
        "name": event.name,
        "year": int(event.announcement.opens[:4]) if event.announcement.opens[:4].isdecimal() else None,
        "start_date": event.announcement.opens or None,
        "end_date": event.announcement.ends or None,
        "location": event.announcement.place,
        "rounds": [{"number": number, "games": _games(event, list(sat))} for number, sat in seats],
        "results": [_standing(event, line) for line in held.lines],
    }


def _games(event: Event, seats: list[played_seats.PlayedSeat]) -> list[dict[str, Any]]:
    return [_game(event, list(sat)) for _, sat in groupby(seats, key=lambda one: one.number)]


def _game(event: Event, seats: list[played_seats.PlayedSeat]) -> dict[str, Any]:
    first = seats[0]
    return {
        "name": f"R{first.round}B{first.number}",
        "variant": first.board.variant,
        "is_top_board": first.board.final,
        "is_finished": first.result is not None,
        "final_year": played_seats.last_year_played(event, first) if first.result else None,
        "players": [_player(event, sat) for sat in seats],
    }


def _player(event: Event, sat: played_seats.PlayedSeat) -> dict[str, Any]:
    return {
        "power": event_tables.power_title(sat.power, sat.board.variant, "en"),
        "name": event_tables.person_name(event, sat.owner) or None,
        "score": None if sat.raw is None else decimal_points(sat.raw),
        "final_scs": sat.centres,
        "scs_by_year": {
            str(year): count for year, count in played_seats.seat_centres_by_year(event, sat).items()
        },
        "elimination_year": played_seats.elimination_year(event, sat),
        "in_draw": in_draw(sat),
    }


def in_draw(sat: played_seats.PlayedSeat) -> bool:
    """Whether a power shares the game: nobody has won it, and it is alive, or named where it was conceded."""
    if sat.result is None or sat.result.winner or sat.result.ended is GameEnd.SOLO:
        return False
    return sat.power in sat.result.draw if sat.result.draw else bool(sat.centres)


def _standing(event: Event, line: PersonStanding) -> dict[str, Any]:
    return {
        "name": event.people[line.person].name,
        "rank": line.place,
        "score": decimal_points(line.total),
        "score_breakdown": [_entry(entry) for entry in line.entries],
    }


def _entry(entry: StandingEntry) -> dict[str, Any]:
    return {
        "round": entry.round,
        "game": f"R{entry.round}B{entry.board}" if entry.board else None,
        "power": event_tables.power_title(entry.power, "classic", "en") if entry.power else None,
        "score": decimal_points(entry.raw),
        "coefficient": str(entry.coefficient),
        "weight": str(entry.weight),
        "points": decimal_points(entry.points),
        "dropped": not entry.counted or not entry.weight,
    }
