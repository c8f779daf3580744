"""`talleyrand standings`: the ranking of an event from its file, each figure with its line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.json_lines import read_json
from talleyrand.formats.score_json import decimal_points
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.tournament import (
    codec,
    invariants,
    regulations,
    standings,
)
from talleyrand.tournament.acts.result_acts import check_result
from talleyrand.tournament.board_rules import UNKNOWN_CENTRES
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.standings import Standings, UnscoredBoard, standings_json

from .console import CliSentences
from .failures import DONE, FAULT, USAGE, CommandError
from .inputs import read_utf8_input
from .output import print_json


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("standings")
    parser.add_argument("event", metavar=say("metavar.event"), help=say("help.event"))
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.add_argument("--through", type=int, metavar=say("metavar.number"), help=say("help.through"))
    parser.add_argument("--provisional", action="store_true", help=say("help.provisional"))
    parser.set_defaults(run=print_standings)


def print_standings(options: argparse.Namespace, say: CliSentences) -> int:
    """Print the standings; boards that cannot be scored count nothing, and the command says so at the end."""
    event = read_event(read_utf8_input(options.event), say)
    last = max(event.rounds, default=0)
    if options.through is not None and not 0 <= options.through <= last:
        raise CommandError("error.through", USAGE, through=str(options.through), last=str(last))
    found = standings.compute_standings(event, options.through, options.provisional)
    if options.json:
        print_json(standings_json.standings_as_json(event, found))
    else:
        _print(event, found, say)
    for fault in found.faults:
        _complain(fault, say)
    return FAULT if found.faults else DONE


def read_event(text: str, say: CliSentences) -> Event:
    """The event that a file says; raises TalleyrandError, and CommandError for a result that cannot be."""
    event: Event = codec.read_value(Event, read_json(text))
    invariants.check_invariants(event)
    regulations.read_regulations(event.regulations)
    for number, one in event.rounds.items():
        for at, table in one.boards.items():
            _check(event, (number, at), table, say)
    return event


def _check(event: Event, place: tuple[int, int], table: EventBoard, say: CliSentences) -> None:
    """A result adds up, where the judge knows the board; what it lacks is told when it is scored."""
    known = table.variant in UNKNOWN_CENTRES or table.variant in variants.all_names()
    if table.result is None or not known:
        return
    try:
        check_result(event, place[0], table, table.result)
    except TalleyrandError as error:
        raise CommandError("error.board", FAULT, **_where(UnscoredBoard(*place, error), say)) from None


def _print(event: Event, found: Standings, say: CliSentences) -> None:
    print(
        say(
            "standings.provisional" if found.provisional else "standings.head",
            event=event.name,
            through=str(found.through),
        )
    )
    people = standings_json.people_names(event)
    width = max((len(people[str(line.person)]) for line in found.lines), default=0)
    for line in found.lines:
        print()
        total = _number(decimal_points(line.total), say)
        print(f"{line.place:>3}. {people[str(line.person)]:{width}}  {total:>10}")
        for step in line.working:
            words = sentences.working_sentences(step, people)[say.language]
            print(f"     {'':{width}}  {_number(decimal_points(step.points), say):>10}  {words}")


def _number(points: str, say: CliSentences) -> str:
    return points.replace(".", ",") if say.language == "fr" else points


def _complain(fault: UnscoredBoard, say: CliSentences) -> None:
    print(f"talleyrand: {say('error.board', **_where(fault, say))}", file=sys.stderr)


def _where(fault: UnscoredBoard, say: CliSentences) -> dict[str, str]:
    reason = standings_json.refusal_sentences(fault.error)[say.language]
    return {"round": str(fault.round), "board": str(fault.board), "reason": reason}
