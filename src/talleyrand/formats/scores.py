"""Scores as JSON: the end of a game in, points and their working out."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from talleyrand import messages
from talleyrand.scoring import BadEnding, Ending, System
from talleyrand.scoring.ending import SOLO

from .questions import Answer
from .shapes import BadQuestion, Json, clip, count, table, texts

EXTRA = ("units", "homes", "eliminated_in", "draw", "board_centres", "last_year", "first_year")
MOST_POWERS = 100


def answer(question: Json, system: System) -> Answer:
    """`{"id", "centres", "extra"}` answered by `{"id", "scores", "working"}`.

    Raises BadQuestion for what is no question, and BadEnding for an end that cannot be or that leaves out
    what the system asks.
    """
    if not isinstance(question, dict):
        raise BadQuestion("not_a_question", value=clip(question))
    _only(question, ("id", "centres", "extra"), "")
    scores = system.score(ending(question.get("centres"), question.get("extra")))
    working = {
        power: [
            {"kind": line.kind, "points": decimal(line.points), **messages.score_line(line.kind, line.facts)}
            for line in score.working
        ]
        for power, score in scores.items()
    }
    points = {power: decimal(score.points) for power, score in scores.items()}
    return {"id": question.get("id"), "scores": points, "working": working}


def ending(centres: Json, extra: Json = None) -> Ending:
    """The end of a game from its centres by power, and from what a system may ask beside (EXTRA).

    Raises BadQuestion, and BadEnding for an end that cannot be.
    """
    facts = table(extra, "extra")
    _only(facts, EXTRA, "extra.")
    told: dict[str, Any] = {
        name: _counts(facts[name], f"extra.{name}") for name in ("units", "homes") if name in facts
    }
    if "eliminated_in" in facts:
        told["eliminated_in"] = _years(facts["eliminated_in"])
    told |= {
        name: _year(facts[name], f"extra.{name}") for name in ("last_year", "first_year") if name in facts
    }
    draw = tuple(dict.fromkeys(texts(facts.get("draw"), "extra.draw")))
    end = Ending(_counts(centres, "centres"), draw, solo=_solo(facts), **told)
    for power in draw:
        if power in end.dead:
            raise BadEnding("score_draw_eliminated", power=power)
    return end


def _only(told: Mapping[str, Json], known: tuple[str, ...], where: str) -> None:
    for name in told:
        if name not in known:
            raise BadQuestion("unknown_field", field=clip(f"{where}{name}"), known=", ".join(known))


def _counts(told: Json, field: str) -> dict[str, int]:
    listed = table(told, field)
    if len(listed) > MOST_POWERS:
        raise BadQuestion("too_many_powers", field=field, most=str(MOST_POWERS))
    return {power: count(held, f"{field}.{clip(power)}") for power, held in listed.items()}


def _years(told: Json) -> dict[str, int]:
    return {
        power: _year(year, f"extra.eliminated_in.{clip(power)}")
        for power, year in table(told, "extra.eliminated_in").items()
    }


def _year(told: Json, field: str) -> int:
    if isinstance(told, int) and not isinstance(told, bool) and 0 < told < 10_000:
        return told
    raise BadQuestion("not_a_year", field=field, value=clip(told))


def _solo(facts: Mapping[str, Json]) -> int:
    """More than half of the centres of the board win alone; of 34 where nobody says."""
    if "board_centres" not in facts:
        return SOLO
    return count(facts["board_centres"], "extra.board_centres") // 2 + 1


def decimal(exact: Fraction) -> str:
    """Points with three decimals, halves away from nothing."""
    whole, rest = divmod(abs(exact.numerator) * 1000, exact.denominator)
    thousandths = whole + (2 * rest >= exact.denominator)
    sign = "-" if exact < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03}"
