"""`talleyrand standings`: the ranking of an event from its file, each figure with its line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.lines import read_json
from talleyrand.formats.scores import decimal
from talleyrand.messages import tournament as sentences
from talleyrand.tournament import codec, regulations, soundness, standings
from talleyrand.tournament.acts.results import checked
from talleyrand.tournament.boards import UNKNOWN_CENTRES
from talleyrand.tournament.model import Board, Event
from talleyrand.tournament.standings import Fault, Standings, telling

from .failures import DONE, FAULT, USAGE, CommandError
from .inputs import read_whole
from .output import print_json
from .sentences import Speaker


def describe(command: Callable[[str], argparse.ArgumentParser], say: Speaker) -> None:
    """Add the command."""
    parser = command("standings")
    parser.add_argument("event", metavar=say("metavar.event"), help=say("help.event"))
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.add_argument("--through", type=int, metavar=say("metavar.number"), help=say("help.through"))
    parser.add_argument("--provisional", action="store_true", help=say("help.provisional"))
    parser.set_defaults(run=rank)


def rank(options: argparse.Namespace, say: Speaker) -> int:
    """Print the standings; boards that cannot be scored count nothing, and the command says so at the end."""
    event = read(read_whole(options.event), say)
    last = max(event.rounds, default=0)
    if options.through is not None and not 0 <= options.through <= last:
        raise CommandError("error.through", USAGE, through=str(options.through), last=str(last))
    found = standings.of(event, options.through, options.provisional)
    if options.json:
        print_json(telling.told(event, found))
    else:
        _print(event, found, say)
    for fault in found.faults:
        _complain(fault, say)
    return FAULT if found.faults else DONE


def read(text: str, say: Speaker) -> Event:
    """The event that a file says; raises TalleyrandError, and CommandError for a result that cannot be."""
    event: Event = codec.read(Event, read_json(text))
    soundness.check(event)
    regulations.read(event.regulations)
    for number, one in event.rounds.items():
        for at, table in one.boards.items():
            _check(event, (number, at), table, say)
    return event


def _check(event: Event, place: tuple[int, int], table: Board, say: Speaker) -> None:
    """A result adds up, where the judge knows the board; what it lacks is told when it is scored."""
    known = table.variant in UNKNOWN_CENTRES or table.variant in variants.every_name()
    if table.result is None or not known:
        return
    try:
        checked(event, place[0], table, table.result)
    except TalleyrandError as error:
        raise CommandError("error.board", FAULT, **_where(Fault(*place, error), say)) from None


def _print(event: Event, found: Standings, say: Speaker) -> None:
    print(
        say(
            "standings.provisional" if found.provisional else "standings.head",
            event=event.name,
            through=str(found.through),
        )
    )
    people = telling.names(event)
    width = max((len(people[str(line.person)]) for line in found.lines), default=0)
    for line in found.lines:
        print()
        print(f"{line.place:>3}. {people[str(line.person)]:{width}}  {_number(decimal(line.total), say):>10}")
        for step in line.working:
            words = sentences.working(step, people)[say.language]
            print(f"     {'':{width}}  {_number(decimal(step.points), say):>10}  {words}")


def _number(points: str, say: Speaker) -> str:
    return points.replace(".", ",") if say.language == "fr" else points


def _complain(fault: Fault, say: Speaker) -> None:
    print(f"talleyrand: {say('error.board', **_where(fault, say))}", file=sys.stderr)


def _where(fault: Fault, say: Speaker) -> dict[str, str]:
    reason = telling.why(fault.error)[say.language]
    return {"round": str(fault.round), "board": str(fault.board), "reason": reason}
