"""Somebody who plays Escalation by mail alone: turns of the draft, the units of 1900, home centres."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.translation import override

from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.cast import BEGUN
from tests.web.games.test_escalation import begun, player

from .orders import sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def mailed(game: Game, *lines: str) -> str:
    """What a mail with these lines is answered."""
    text = "Bonjour,\n\n" + "\n".join(lines) + "\n\nMerci"
    result = sent(game, text, power="BLUE", name=player("BLUE"))
    assert result.outcome == MailOutcome.TAKEN, result.facts
    sheet = order_submission.counting_order_set(game, "BLUE", Game.objects.get(pk=game.pk).phase_number)
    assert sheet is not None
    assert sheet.lines == list(lines)
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def tasks(game: Game, language: str) -> str:
    with override(language):
        told = GameStatusText(Game.objects.get(pk=game.pk)).tasks("BLUE")
    return " ".join(" ".join(told).replace("| ", "").split())


def publish(game: Game, day: int) -> None:
    phase_adjudication.adjudicate_phase(game, game.phase_number, BEGUN + timedelta(days=day))
    game.refresh_from_db()


@pytest.mark.long
def test_a_first_year_by_mail_alone() -> None:
    game = begun(rhythm={"hours": 72})
    assert "Centres à choisir, par exemple : choisir Ankara" in tasks(game, "fr")
    assert "Centres to choose, for example: choose Ankara" in tasks(game, "en")
    told = mailed(game, "choisir Paris, Brest, Marseille, Belgique et Espagne", "rendre Espagne")
    assert "choisit : Paris, Brest, Marseille, Belgique, Espagne" in told
    for _power in range(4):
        publish(game, game.phase_number)
    with override("fr"):
        parts = report_texts.phase_report(game, 2)
    report = " ".join(" ".join(line for part in parts for line in part).split())
    assert "Vert : Centre Roumanie (choisi par la règle : rien n’était écrit)" in report
    assert "désordre civil" not in report
    while game.phase == "W1900D":
        publish(game, 1 + game.phase_number)
    assert "4 unités. Centres nationaux libres : Brest, Marseille, Paris, Portugal" in tasks(game, "fr")
    mailed(game, "F BRE", "A PAR", "F MAR", "A BEL")
    for day in (40, 44, 48):
        publish(game, day)
    assert game.phase == "W1901N"
    assert "Home centres, for example: homes Brest, Marseilles, Paris" in tasks(game, "en")
    assert "centres nationaux : Brest, Paris, Marseille" in mailed(
        game, "nationaux Brest, Paris et Marseille"
    )
    publish(game, 50)
    assert game.phase == "S1902M"
