"""Standings as JSON, for programs: the answer of `talleyrand standings --json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.score_json import decimal_points
from talleyrand.messages import error_sentence as judged
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament.event_errors import ActRefused, InvalidEvent
from talleyrand.tournament.model import Event
from talleyrand.variants import LANGUAGES

from .scored_games import UnscoredBoard
from .standing_values import PersonStanding, StandingEntry, Standings, WorkingStep

StandingsJson = dict[str, Any]


def standings_as_json(event: Event, found: Standings) -> StandingsJson:
    """Standings as JSON: places, totals with three decimals and exactly, entries, lines in both languages."""
    people = people_names(event)
    return {
        "event": event.name,
        "through": found.through,
        "provisional": found.provisional,
        "final": found.final,
        "standings": [_line(line, people) for line in found.lines],
        "faults": [_fault(fault) for fault in found.faults],
    }


def people_names(event: Event) -> dict[str, str]:
    """The names of an event's people by their numbers, as lines of working have them."""
    return {str(number): one.name for number, one in event.people.items()}


def refusal_sentences(error: TalleyrandError) -> dict[str, str]:
    """Why something cannot be read or scored, in each language."""
    if isinstance(error, InvalidEvent | ActRefused):
        return sentences.tournament_refusal(error)
    return {language: judged(error, language) for language in LANGUAGES}


def _line(line: PersonStanding, people: Mapping[str, str]) -> StandingsJson:
    return {
        "place": line.place,
        "person": line.person,
        "name": people.get(str(line.person), ""),
        "total": decimal_points(line.total),
        "exact": str(line.total),
        "rounds": [_entry(entry) for entry in line.entries],
        "working": [_step(step, people) for step in line.working],
    }


def _entry(entry: StandingEntry) -> StandingsJson:
    return {
        "round": entry.round,
        "board": entry.board,
        "power": entry.power,
        "raw": decimal_points(entry.raw),
        "coefficient": str(entry.coefficient),
        "weighted": decimal_points(entry.weighted),
        "weight": str(entry.weight),
        "counted": entry.counted,
        "provisional": entry.provisional,
    }


def _step(step: WorkingStep, people: Mapping[str, str]) -> StandingsJson:
    facts = {name: str(value) for name, value in step.facts.items()}
    said = sentences.working_sentences(step, people)
    return {"kind": step.kind, "points": decimal_points(step.points), "facts": facts, **said}


def _fault(fault: UnscoredBoard) -> StandingsJson:
    return {
        "round": fault.round,
        "board": fault.board,
        "kind": fault.error.code,
        **refusal_sentences(fault.error),
    }
