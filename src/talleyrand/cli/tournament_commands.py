"""The commands of a tournament: `score`, `seat` (who plays where), `standings`, each figure with its line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from secrets import token_hex
from textwrap import wrap

from talleyrand import scoring, seating, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import score_json
from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.custom_toml import read_custom_scoring
from talleyrand.formats.json_checks import InvalidQuestion, Json
from talleyrand.formats.json_lines import read_json
from talleyrand.formats.score_json import decimal_points
from talleyrand.messages import tournament_sentences as sentences
from talleyrand.scoring import ScoringSystem
from talleyrand.seating import EventPlan, Pair, Seats
from talleyrand.seating.event_planning import POWERS
from talleyrand.tournament import codec, invariants, regulations, standings
from talleyrand.tournament.acts.result_acts import check_result
from talleyrand.tournament.board_rules import UNKNOWN_CENTRES
from talleyrand.tournament.model import Event, EventBoard
from talleyrand.tournament.standings import Standings, UnscoredBoard, standings_json

from .console import (
    DONE,
    FAULT,
    MAX_TOML_BYTES,
    STDIN_NAME,
    USAGE,
    AddCommand,
    CliSentences,
    CommandError,
    parse_question,
    print_json,
    read_utf8_input,
)
from .game_commands import answer_json_lines

NO_BREAK = "\u00a0"
ROUNDS, WIDTH = 4, 100
POWERS_BY_SIZE = {7: POWERS, 6: POWERS[:-1]}  # on a board of six, nobody plays Turkey


def describe_tournament_commands(command: AddCommand) -> None:
    """Add the commands."""
    parser = command("score", score)
    parser.add("centres", told="help.centres", shown="metavar.centres", nargs="*")
    parser.add("--system", told="help.system", shown="metavar.system")
    parser.add("--json", told="help.json", action="store_true")
    parser.add("--jsonl", told="help.jsonl", shown="metavar.file", nargs="?", const=STDIN_NAME)
    parser = command("seat", seat)
    parser.add("--players", told="help.players", shown="metavar.number", type=int, required=True)
    parser.add("--rounds", told="help.rounds", shown="metavar.number", type=int, default=ROUNDS)
    parser.add("--boards", told="help.boards", shown="metavar.sizes")
    parser.add("--seed", told="help.seat_seed", shown="metavar.text")
    parser.add("--json", told="help.json", action="store_true")
    parser = command("standings", print_standings)
    parser.add("event", told="help.event", shown="metavar.event")
    parser.add("--json", told="help.json", action="store_true")
    parser.add("--through", told="help.through", shown="metavar.number", type=int)
    parser.add("--provisional", told="help.provisional", action="store_true")


def score(options: argparse.Namespace, say: CliSentences) -> int:
    """Score one game for people, or a stream of them; without a system, say which there are."""
    if options.system is None:
        return _print_systems(options, say)
    reply = partial(score_json.score_answer, system=_system(options.system))
    if options.jsonl is not None:
        if options.centres:
            raise CommandError("error.jsonl_alone", USAGE)
        return answer_json_lines(options.jsonl, reply)
    if not options.centres:
        raise CommandError("error.no_centres", USAGE)
    answer = reply(_question(options.centres))
    if options.json:
        print_json(answer)
    else:
        _print_points(answer, say)
    return DONE


def _system(name: str) -> ScoringSystem:
    """A system by its name, or from a TOML file of one's own."""
    if name.lower().endswith(".toml"):
        return read_custom_scoring(read_utf8_input(name, MAX_TOML_BYTES), Path(name).stem)
    return scoring.load(name)


def _question(words: list[str]) -> Json:
    """A file, or centres as they are typed: FRANCE=12 ENGLAND=8."""
    if len(words) == 1 and "=" not in words[0]:
        return parse_question(read_utf8_input(words[0]))[0]
    centres: dict[str, Json] = {}
    for word in words:
        power, sign, count = word.partition("=")
        if not (power and sign and count.isascii() and count.isdecimal() and len(count) < 9):
            raise CommandError("error.centres", USAGE, word=word[:60])
        if power in centres:
            raise InvalidQuestion("key_twice", key=power[:60])
        centres[power] = int(count)
    return {"centres": centres}


def _print_systems(options: argparse.Namespace, say: CliSentences) -> int:
    loaded = [scoring.load(name) for name in scoring.names()]
    if options.centres or options.jsonl is not None:
        raise CommandError("error.no_system", USAGE, known=", ".join(scoring.names()))
    if options.json:
        for system in loaded:
            print_json({"name": system.name, "title": dict(system.title), "source": dict(system.source)})
        return DONE
    for system in loaded:
        print(f"{system.name:22}{system.title[say.language]} ({system.source[say.language]})")
    return DONE


def _print_points(answer: AnswerJson, say: CliSentences) -> None:
    points, working = answer["scores"], answer["working"]
    assert isinstance(points, dict)
    assert isinstance(working, dict)
    width = max(map(len, points))
    for power, total in points.items():
        print(f"{power:{width}}  {say.points(total):>10}")
        for step in working[power]:
            print(f"{'':{width}}  {say.points(step['points']):>10}  {step[say.language]}")


def seat(options: argparse.Namespace, say: CliSentences) -> int:
    """Plan an event of people who are numbered from 1 on, for people or as JSON."""
    boards = None if options.boards is None else _boards(options.boards)
    if options.players < 0:
        raise CommandError("error.players", USAGE)
    seed = token_hex(4) if options.seed is None else options.seed
    people = range(1, min(options.players, sys.maxsize) + 1)  # more has no length, and is refused as well
    plan = seating.plan(people, options.rounds, seed, boards)
    if options.json:
        print_json(_plan_json(plan))
    else:
        _print_plan(plan, say)
    return DONE


def _boards(text: str) -> Mapping[int, tuple[str, ...]]:
    """The powers of boards from their sizes as they are typed: 7,7,6."""
    sizes = text.replace(",", " ").split()
    if not sizes or not all(size in ("6", "7") for size in sizes):
        raise CommandError("error.boards", USAGE, text=text[:60])
    return {number: POWERS_BY_SIZE[int(size)] for number, size in enumerate(sizes, 1)}


def _plan_json(plan: EventPlan) -> dict[str, object]:
    return {
        "rounds": [
            [{"board": board, "seats": dict(given)} for board, given in seats.items()]
            for seats in plan.rounds
        ],
        "repeats": plan.repeats,
        "bound": plan.bound,
        "power_repeats": plan.power_repeats,
        "power_bound": plan.power_bound,
        "most": plan.most_meetings,
        "again": [{"players": list(two), "rounds": rounds} for two, rounds in _again(plan).items()],
        "resting": [list(rest) for rest in plan.resting],
        "seed": plan.seed,
    }


def _again(plan: EventPlan) -> dict[Pair, list[int]]:
    """The pairs that meet twice or more often, and in which rounds."""
    met: dict[Pair, list[int]] = {}
    for number, seats in enumerate(plan.rounds, 1):
        for given in seats.values():
            for two in combinations(sorted(given.values()), 2):
                met.setdefault(two, []).append(number)
    return {two: rounds for two, rounds in sorted(met.items()) if len(rounds) > 1}


def _print_plan(plan: EventPlan, say: CliSentences) -> None:
    for number, (seats, rest) in enumerate(zip(plan.rounds, plan.resting, strict=True), 1):
        _print_round(number, seats, say)
        if rest:
            print(say("seat.resting", people=", ".join(map(str, rest))))
        print()
    _print_repeats(plan, say)
    print(say("seat.seed", seed=plan.seed))


def _print_round(number: int, seats: Seats, say: CliSentences) -> None:
    names = variants.load("classic").names(say.language).powers
    title = say("seat.round", number=str(number))
    first = max(len(title), *(len(say("seat.board", number=str(board))) for board in seats))
    heads = {code[:3]: power.name for code, power in names.items()}
    print("  ".join([f"{title:{first}}", *(heads[code] for code in POWERS)]))
    for board, given in seats.items():
        cells = [f"{given.get(code, '-'):>{len(heads[code])}}" for code in POWERS]
        print("  ".join([f"{say('seat.board', number=str(board)):{first}}", *cells]))


def _print_repeats(plan: EventPlan, say: CliSentences) -> None:
    facts = {"repeats": str(plan.repeats), "bound": str(plan.bound), "most": str(plan.most_meetings)}
    if not plan.repeats:
        print(say("seat.never"))
    else:
        reached = plan.repeats == plan.bound
        print(say("seat.best" if reached else "seat.above", **facts))
        print(say("seat.most", **facts))
        print("\n".join(wrap(_listed(plan), WIDTH, break_on_hyphens=False)))
    repeats = {"repeats": str(plan.power_repeats), "bound": str(plan.power_bound)}
    print(say("seat.powers" if plan.power_repeats else "seat.no_powers", **repeats))


def _listed(plan: EventPlan) -> str:
    """Each pair that meets again with its rounds, which no line break parts."""
    told = []
    for (one, other), rounds in _again(plan).items():
        told.append(f"{one}-{other}{NO_BREAK}({f',{NO_BREAK}'.join(map(str, rounds))})")
    return " ".join(told)


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
        _print_standings(event, found, say)
    for fault in found.faults:
        print(f"talleyrand: {say('error.board', **_where(fault, say))}", file=sys.stderr)
    return FAULT if found.faults else DONE


def read_event(text: str, say: CliSentences) -> Event:
    """The event that a file says; raises TalleyrandError, and CommandError for a result that cannot be."""
    event: Event = codec.read_value(Event, read_json(text))
    invariants.check_invariants(event)
    regulations.read_regulations(event.regulations)
    for number, one in event.rounds.items():
        for at, table in one.boards.items():
            _check_board(event, (number, at), table, say)
    return event


def _check_board(event: Event, place: tuple[int, int], table: EventBoard, say: CliSentences) -> None:
    """A result adds up, where the judge knows the board; what it lacks is told when it is scored."""
    known = table.variant in UNKNOWN_CENTRES or table.variant in variants.all_names()
    if table.result is None or not known:
        return
    try:
        check_result(event, place[0], table, table.result)
    except TalleyrandError as error:
        raise CommandError("error.board", FAULT, **_where(UnscoredBoard(*place, error), say)) from None


def _print_standings(event: Event, found: Standings, say: CliSentences) -> None:
    head = "standings.provisional" if found.provisional else "standings.head"
    print(say(head, event=event.name, through=str(found.through)))
    people = standings_json.people_names(event)
    width = max((len(people[str(line.person)]) for line in found.lines), default=0)
    for line in found.lines:
        print()
        total = say.points(decimal_points(line.total))
        print(f"{line.place:>3}. {people[str(line.person)]:{width}}  {total:>10}")
        for step in line.working:
            words = sentences.working_sentences(step, people)[say.language]
            print(f"     {'':{width}}  {say.points(decimal_points(step.points)):>10}  {words}")


def _where(fault: UnscoredBoard, say: CliSentences) -> dict[str, str]:
    reason = standings_json.refusal_sentences(fault.error)[say.language]
    return {"round": str(fault.round), "board": str(fault.board), "reason": reason}
