"""Somebody plays the First World War by mail alone: the refusals of 1914, the toss, then Italy's orders."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.games.acting import fresh
from tests.web.games.wars import begun, played, player

from .orders import sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def mailed(game: Game, power: str, *lines: str) -> ProcessingResult:
    return sent(game, "Bonjour,\n\n" + "\n".join(lines) + "\n\nMerci", power=power, name=player(game, power))


def text_of(result: ProcessingResult) -> str:
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def report(game: Game, number: int, language: str) -> str:
    with override(language):
        parts = report_texts.phase_report(fresh(game), number)
    return " ".join(" ".join(line for part in parts for line in part).replace("| ", "").split())


def test_a_year_by_mail_alone() -> None:
    game = begun()
    told = mailed(game, "AUSTRIA", "A Vienne - Tyrol", "F Trieste - Venise", "A Bud - Ser")
    assert told.outcome == MailOutcome.TAKEN
    assert "l’Italie est neutre la première année" in text_of(told)
    played(game)
    played(game)
    for language, title in (("fr", "L’ITALIE REJOINT"), ("en", "THE TOSS: ITALY JOINS")):
        assert title in report(game, 2, language)
        assert "SHA-256" in report(game, 2, language)
    leader = player(game, "ITALY")
    assert leader
    if fresh(game).phase == "W1914A":
        played(game)
    with override("fr"):
        tasks = " ".join(GameStatusText(fresh(game)).tasks("ITALY"))
    assert "Venise" in tasks
    assert mailed(game, "ITALY", "A Venise - Piémont", "F Naples - TYS").outcome == MailOutcome.TAKEN
    played(game)
    situation = GameHistory(game).situation(fresh(game).phase_number)
    assert situation is not None
    assert "A PIE" in situation["units"]["ITALY"]
