"""Why, step by step: what follows from what, and whose orders show it."""

import inspect
import re
from random import Random
from typing import Any

import pytest

from talleyrand import messages, rulebooks
from talleyrand.formats import cause_chain
from talleyrand.formats.adjudication import resolve_question
from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.formats.question_input import read_question
from talleyrand.variants import LANGUAGES, load
from tests.messages.test_random import check
from tests.oracle.crowds import draw

STEP_CODES = " ".join(
    line
    for line in inspect.getsource(cause_chain).splitlines()
    if "self._step(" in line or line.strip().startswith("code =")
)
"""The lines of the chains that name a step."""
CUT = {
    "FRANCE": "A PAR - BUR, A MAR S A PAR - BUR",
    "GERMANY": "A BUR H",
    "ITALY": "A PIE - MAR",
}
SEA = {
    "ENGLAND": "A LON - BEL, F NTH C A LON - BEL",
    "GERMANY": "F HEL - NTH, F HOL S F HEL - NTH",
}


def asked(
    scene: dict[str, str], book: str = "datc", phase: str = "S1901M", **more: Any
) -> AdjudicatedQuestion:
    units = {power: [line.strip()[:5] for line in lines.split(",")] for power, lines in scene.items()}
    orders = {power: [line.strip() for line in lines.split(",")] for power, lines in scene.items()}
    question = {"variant": "classic", "rulebook": book, "phase": phase, "units": units, "orders": orders}
    return resolve_question(read_question({**question, **more}))


def told(judged: AdjudicatedQuestion, province: str, language: str = "en") -> list[str]:
    return [step.sentences[language] for step in cause_chain.cause_steps(judged, province)]


def test_a_cut_support_leads_to_a_bounce() -> None:
    judged = asked(CUT)
    assert told(judged, "PAR") == [
        "A Marseilles – Support cut: A Piedmont attacks Marseilles (DATC 3.2, 6.D.2, 6.D.3).",
        "A Paris attacks Burgundy with strength 1.",
        "A Burgundy defends with strength 1.",
        "A Paris – Bounced: A Burgundy stays, equally strong (DATC 3.2, 6.D.1).",
        "The order would have succeeded without A Burgundy or without A Piedmont.",
    ]
    assert [set(step.provinces) for step in cause_chain.cause_steps(judged, "PAR")] == [
        {"MAR", "PIE"},
        {"PAR"},
        {"BUR"},
        {"PAR", "BUR"},
        {"PAR", "BUR", "PIE"},
    ]


def test_a_fleet_falls_and_its_army_stays() -> None:
    sentences = told(asked(SEA, "anjou_feu"), "LON", "fr")
    assert sentences[0].replace("\u00a0", " ").endswith("avec une force de 2, soutenue par F Hollande.")
    assert "Dislogée par F baie de Heligoland\u00a0: A Londres n’est pas convoyée" in sentences[2]
    assert "(Anjou Feu, IV, cas simples 1)" in sentences[3]
    assert len(sentences) == 5


def test_what_nothing_opposes_is_said_at_once() -> None:
    judged = asked({"FRANCE": "A PAR - BUR"})
    assert told(judged, "PAR") == ["A Paris moves to Burgundy unopposed (DATC 3.2, 4.E.2)."]


def test_a_way_that_a_broken_convoy_leaves_free() -> None:
    """The army that does not arrive is named, and what became of it."""
    judged = asked({**SEA, "FRANCE": "A PIC - BEL"})
    assert told(judged, "PIC") == [
        "A London – Convoy disrupted: F North Sea is dislodged (DATC 3.2, 6.F.8).",
        "A Picardy moves to Belgium: the convoy of A London fails (DATC 3.2, 6.F.8).",
        "The order would have failed without F Helgoland Bight or without F Holland.",
    ]


def test_a_unit_that_left_is_not_said_to_stay() -> None:
    """Without A Finland the support from St. Petersburg would not be cut; but it went there."""
    judged = asked(
        {
            "ENGLAND": "A FIN - STP, F NWY S A FIN - STP, A SWE - FIN",
            "RUSSIA": "A STP S A LVN - FIN, A LVN - FIN, F BOT C A LVN - FIN",
        }
    )
    sentences = told(judged, "LVN")
    assert any(sentence.startswith("A Finland moves to St. Petersburg") for sentence in sentences)
    assert not any("does not leave" in sentence for sentence in sentences)


def test_a_refused_order_is_not_a_missing_one() -> None:
    judged = asked({"FRANCE": "A PAR - LON"})
    assert told(judged, "PAR") == ["A Paris holds: its order was not followed (DATC 3.2, 4.E.1)."]


def test_all_alternatives_are_told_when_asked() -> None:
    """A sentence tells two of them, the chain of causes all."""
    judged = asked(
        {
            "FRANCE": "A PAR - BUR, A MAR S A PAR - BUR, A GAS S A PAR - BUR",
            "GERMANY": "A BUR H, A MUN S A BUR, A RUH S A BUR",
        }
    )
    assert judged.reasons
    verdict = judged.reasons.verdicts["PAR"]
    reason = judged.reasons.reason_for(verdict)
    sentence = messages.cause_sentence(
        verdict, judged.question.variant, "en", judged.question.rulebook, reason
    )
    assert len(reason.sets) > 2
    assert sentence.count(" or without ") == 1
    assert told(judged, "PAR")[-1].count(" or without ") == len(reason.sets) - 1


@pytest.mark.parametrize("province", ["", "XXX", "MUN", "par", "../"])
def test_a_place_without_unit_has_no_chain(province: str) -> None:
    assert cause_chain.cause_steps(asked(CUT), province) == ()


def test_other_phases_have_no_chain() -> None:
    question = {"variant": "classic", "rulebook": "datc", "phase": "W1901A", "units": {}, "centers": {}}
    assert cause_chain.cause_steps(resolve_question(read_question(question)), "PAR") == ()


@pytest.mark.one_in(3)
@pytest.mark.parametrize("book", rulebooks.names())
def test_every_chain_can_be_told_and_drawn(book: str, seed: int, full: bool) -> None:
    random, variant = Random(f"{seed} chains {book}"), load("classic")
    for _ in range(60 if full else 6):
        crowd = draw(random, variant.board)
        units: dict[str, list[str]] = {}
        for unit in crowd.position.units:
            units.setdefault(unit.power, []).append(str(unit))
        sheets = {power: [str(order) for order in sheet] for power, sheet in crowd.by_power().items()}
        question = {"variant": "classic", "rulebook": book, "phase": "S1901M", "units": units}
        judged = resolve_question(read_question({**question, "orders": sheets}))
        for province in crowd.position.units_by_province:
            found = cause_chain.cause_steps(judged, province)
            assert any(province in step.provinces for step in found)
            for step in found:
                assert set(step.provinces) <= set(crowd.position.units_by_province)
                for language in LANGUAGES:
                    check(step.sentences[language], variant, language)


@pytest.mark.parametrize("helpers", [1, 2])
@pytest.mark.parametrize("code", sorted(set(re.findall(r'"([a-z_]+)"', STEP_CODES))))
def test_every_step_has_its_sentences(code: str, helpers: int) -> None:
    judged = asked(CUT)
    assert judged.reasons
    teller = messages.StepSentences(judged.question.variant, judged.question.rulebook)
    units = judged.question.position.units[:helpers]
    for language, sentence in teller.step_sentences(code, judged.reasons.verdicts["PAR"], units).items():
        check(sentence, judged.question.variant, language)
