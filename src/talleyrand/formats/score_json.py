"""Scores as JSON: the end of a game in, points and their working out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any

from talleyrand import messages
from talleyrand.scoring import GameEnding, InvalidGameEnding, Score, ScoringSystem
from talleyrand.scoring.game_ending import SOLO

from .adjudication import AnswerJson
from .json_checks import InvalidQuestion, Json, clip_json, json_count, json_object, json_texts

YEAR_FIELDS = ("last_year", "first_year")
EXTRA_FIELDS = ("units", "homes", "eliminated", "eliminated_in", "draw", "board_centres", *YEAR_FIELDS)
MAX_POWERS = 100


def score_answer(question: Json, system: ScoringSystem) -> AnswerJson:
    """`{"id", "centres", "extra"}` answered by `{"id", "scores", "working"}`.

    Raises InvalidQuestion for what is no question, and InvalidGameEnding for an end that cannot be or that
    leaves out what the system asks.
    """
    if not isinstance(question, dict):
        raise InvalidQuestion("not_a_question", value=clip_json(question))
    _only(question, ("id", "centres", "extra"), "")
    scores = system.score(read_ending(question.get("centres"), question.get("extra")))
    points = {power: decimal_points(score.points) for power, score in scores.items()}
    return {"id": question.get("id"), "scores": points, "working": score_working(scores)}


def score_working(scores: Mapping[str, Score]) -> dict[str, list[dict[str, str]]]:
    """The lines that make up each power's points, each with its sentence by language."""
    return {
        power: [
            {
                "kind": line.kind,
                "points": decimal_points(line.points),
                **messages.score_line_sentences(line.kind, line.facts),
            }
            for line in score.working
        ]
        for power, score in scores.items()
    }


def read_ending(centres: Json, extra: Json = None) -> GameEnding:
    """The end of a game from its centres by power, and from what a system may ask beside (EXTRA).

    Raises InvalidQuestion, and InvalidGameEnding for an end that cannot be.
    """
    facts = json_object(extra, "extra")
    _only(facts, EXTRA_FIELDS, "extra.")
    told: dict[str, Any] = {
        name: _counts(facts[name], f"extra.{name}") for name in ("units", "homes") if name in facts
    }
    if "eliminated_in" in facts:
        told["eliminated_in"] = _years(facts["eliminated_in"])
    told |= {name: _year(facts[name], f"extra.{name}") for name in YEAR_FIELDS if name in facts}
    draw = tuple(dict.fromkeys(json_texts(facts.get("draw"), "extra.draw")))
    held = _counts(centres, "centres")
    if "eliminated" in facts:
        told |= _living(held, json_texts(facts["eliminated"], "extra.eliminated"), told)
    _check_living(held, told.get("units"), told.get("homes"))
    end = GameEnding(held, draw, centres_to_win=_solo(facts), **told)
    for power in draw:
        if power in end.dead:
            raise InvalidGameEnding("score_draw_eliminated", power=power)
    if end.winner in end.dead:
        raise InvalidGameEnding("score_winner_eliminated", power=end.winner)
    return end


def _only(told: Mapping[str, Json], known: tuple[str, ...], where: str) -> None:
    for name in told:
        if name not in known:
            raise InvalidQuestion("unknown_field", field=clip_json(f"{where}{name}"), known=", ".join(known))


def _counts(told: Json, field: str) -> dict[str, int]:
    listed = json_object(told, field)
    if len(listed) > MAX_POWERS:
        raise InvalidQuestion("too_many_powers", field=field, most=str(MAX_POWERS))
    return {power: json_count(held, f"{field}.{clip_json(power)}") for power, held in listed.items()}


def _living(held: Mapping[str, int], out: Collection[str], told: Mapping[str, object]) -> dict[str, Any]:
    """The powers that an answer of `adjudicate` calls eliminated, as units and homes that say the same."""
    if "units" in told or "homes" in told:
        raise InvalidQuestion("eliminated_twice")
    if unknown := [power for power in out if power not in held]:
        raise InvalidGameEnding("score_unknown_power", power=unknown[0])
    living = {power: int(power not in out) for power in held}
    return {"units": living, "homes": living}


def _check_living(
    held: Mapping[str, int], units: Mapping[str, int] | None, homes: Mapping[str, int] | None
) -> None:
    """Whether units and homes, where one of them is given, tell of every power with a centre if it lives."""
    if units is None and homes is None:
        return
    units, homes = units or {}, homes or {}
    for power in filter(held.get, held):
        if not (units.get(power) or homes.get(power) or (power in units and power in homes)):
            missing = "homes" if power in units else "units"
            raise InvalidGameEnding("score_units_missing", power=power, field=missing)


def _years(told: Json) -> dict[str, int]:
    return {
        power: _year(year, f"extra.eliminated_in.{clip_json(power)}")
        for power, year in json_object(told, "extra.eliminated_in").items()
    }


def _year(told: Json, field: str) -> int:
    if isinstance(told, int) and not isinstance(told, bool) and 0 < told < 10_000:
        return told
    raise InvalidQuestion("not_a_year", field=field, value=clip_json(told))


def _solo(facts: Mapping[str, Json]) -> int:
    """More than half of the centres of the board win alone; of 34 where nobody says."""
    if "board_centres" not in facts:
        return SOLO
    return json_count(facts["board_centres"], "extra.board_centres") // 2 + 1


def decimal_points(exact: Fraction) -> str:
    """Points with three decimals, halves away from nothing."""
    whole, rest = divmod(abs(exact.numerator) * 1000, exact.denominator)
    thousandths = whole + (2 * rest >= exact.denominator)
    sign = "-" if exact < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"
