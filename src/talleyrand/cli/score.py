"""`talleyrand score`: the points of a game by a scoring system, with their working."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path

from talleyrand import scoring
from talleyrand.formats import score_json
from talleyrand.formats.adjudication import AnswerJson
from talleyrand.formats.json_checks import InvalidQuestion, Json
from talleyrand.formats.own_systems import read_custom_scoring
from talleyrand.scoring import ScoringSystem

from .adjudicate import answer_json_lines
from .console import CliSentences
from .failures import DONE, USAGE, CommandError
from .inputs import (
    MAX_TOML_BYTES,
    STDIN_NAME,
    parse_question,
    read_utf8_input,
)
from .output import print_json


def describe(command: Callable[[str], argparse.ArgumentParser], say: CliSentences) -> None:
    """Add the command."""
    parser = command("score")
    parser.add_argument("centres", nargs="*", metavar=say("metavar.centres"), help=say("help.centres"))
    parser.add_argument("--system", metavar=say("metavar.system"), help=say("help.system"))
    parser.add_argument("--json", action="store_true", help=say("help.json"))
    parser.add_argument(
        "--jsonl", nargs="?", const=STDIN_NAME, metavar=say("metavar.file"), help=say("help.jsonl")
    )
    parser.set_defaults(run=score)


def score(options: argparse.Namespace, say: CliSentences) -> int:
    """Score one game for people, or a stream of them; without a system, say which there are."""
    if options.system is None:
        return _list(options, say)
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
        _print(answer, say)
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


def _list(options: argparse.Namespace, say: CliSentences) -> int:
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


def _print(answer: AnswerJson, say: CliSentences) -> None:
    points, working = answer["scores"], answer["working"]
    assert isinstance(points, dict)
    assert isinstance(working, dict)
    width = max(map(len, points))
    for power, total in points.items():
        print(f"{power:{width}}  {_localised_points(total, say):>10}")
        for step in working[power]:
            print(f"{'':{width}}  {_localised_points(step['points'], say):>10}  {step[say.language]}")


def _localised_points(points: str, say: CliSentences) -> str:
    return points.replace(".", ",") if say.language == "fr" else points
