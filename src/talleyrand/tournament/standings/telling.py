"""Standings as JSON, for programs: the answer of `talleyrand standings --json`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.scores import decimal
from talleyrand.messages import error as judged
from talleyrand.messages import tournament as sentences
from talleyrand.tournament.errors import BadEvent, Refused
from talleyrand.tournament.model import Event
from talleyrand.variants import LANGUAGES

from .games import Fault
from .values import Entry, Standing, Standings, Step

Told = dict[str, Any]


def told(event: Event, found: Standings) -> Told:
    """Standings as JSON: places, totals with three decimals and exactly, entries, lines in both languages."""
    people = names(event)
    return {
        "event": event.name,
        "through": found.through,
        "provisional": found.provisional,
        "final": found.final,
        "standings": [_line(line, people) for line in found.lines],
        "faults": [_fault(fault) for fault in found.faults],
    }


def names(event: Event) -> dict[str, str]:
    """The names of an event's people by their numbers, as lines of working have them."""
    return {str(number): one.name for number, one in event.people.items()}


def why(error: TalleyrandError) -> dict[str, str]:
    """Why something cannot be read or scored, in each language."""
    if isinstance(error, BadEvent | Refused):
        return sentences.refusal(error)
    return {language: judged(error, language) for language in LANGUAGES}


def _line(line: Standing, people: Mapping[str, str]) -> Told:
    return {
        "place": line.place,
        "person": line.person,
        "name": people.get(str(line.person), ""),
        "total": decimal(line.total),
        "exact": str(line.total),
        "rounds": [_entry(entry) for entry in line.entries],
        "working": [_step(step, people) for step in line.working],
    }


def _entry(entry: Entry) -> Told:
    return {
        "round": entry.round,
        "board": entry.board,
        "power": entry.power,
        "raw": decimal(entry.raw),
        "coefficient": str(entry.coefficient),
        "weighted": decimal(entry.weighted),
        "weight": str(entry.weight),
        "counted": entry.counted,
        "provisional": entry.provisional,
    }


def _step(step: Step, people: Mapping[str, str]) -> Told:
    facts = {name: _fact(value) for name, value in step.facts.items()}
    said = sentences.working(step, people)
    return {"kind": step.kind, "points": decimal(step.points), "facts": facts, **said}


def _fact(value: str | Fraction) -> str:
    return str(value)


def _fault(fault: Fault) -> Told:
    return {"round": fault.round, "board": fault.board, "kind": fault.error.code, **why(fault.error)}
