"""A duel by mail alone: the list, the bids, the orders to hired powers; what the mails say of each."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.cast import DUELLISTS
from tests.web.games.playing import resolved, running
from tests.web.games.states import fresh

from .orders import sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]


def mailed(game: Game, *lines: str, side: str = "FIRST") -> str:
    """The answer to a mail of a side, without its line breaks."""
    result = sent(game, "Bonjour,\n\n" + "\n".join(lines) + "\n\nMerci", power=side, name=DUELLISTS[side])
    assert result.outcome == MailOutcome.TAKEN, result.facts
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def politics(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = (GameHistory(game).situation(fresh(game).phase_number) or {})["politics"]
    return found


def tasks(game: Game, side: str, language: str = "fr") -> str:
    with override(language):
        told = GameStatusText(fresh(game)).tasks(side)
    return " ".join(" ".join(told).replace("| ", "").split())


def report(game: Game, number: int, language: str = "fr") -> str:
    with override(language):
        parts = report_texts.phase_report(fresh(game), number)
    return " ".join(" ".join(line for part in parts for line in part).replace("| ", "").split())


def test_a_year_by_mail_alone() -> None:
    game = running(variant="intimate")
    assert "Puissances d’origine, par ordre de préférence, par exemple : liste Autriche" in tasks(
        game, "FIRST"
    )
    assert "in the order you prefer, for example: list Austria" in tasks(game, "FIRST", "en")
    assert "liste : France, Italie" in mailed(game, "Liste : France, Italie")
    mailed(game, "List: Russia", side="SECOND")
    resolved(game)
    assert "Premier camp : Puissance d’origine France, Crédits 20" in report(game, 1)
    assert "First side: Home power France, Credits 20" in report(game, 1, "en")
    assert "Mises pour l’année, en crédits, par exemple : mise Autriche 1" in tasks(game, "FIRST")
    assert "in credits, for example: bid Austria 1" in tasks(game, "FIRST", "en")
    assert "vos mises réunies dépassent les 20 crédits" in mailed(game, "Italie 8", "Allemagne 99")
    assert "mise sur Allemagne : 3" in mailed(game, "Italie 8", "Allemagne 3")
    mailed(game, "Germany 3; England 5", side="SECOND")
    resolved(game)
    assert politics(game)["hired"] == {"ITALY": "FIRST", "ENGLAND": "SECOND"}
    assert (
        "Italie : Mise du premier camp 8, Mise du second camp 0, Commandée cette année par Premier camp"
        in (report(game, 2))
    )
    assert "Flotte Naples" in tasks(game, "FIRST")
    assert "A Venise - Tyrol" in mailed(game, "A Ven - Tyr", "A Par - Bur")
    mailed(game, "F Lon - Nth", side="SECOND")
    resolved(game)
    assert "PREMIER CAMP A Venise - Tyrol : se déplace" in report(game, 3)
    resolved(game)
    assert fresh(game).phase == "S1902B"
    assert politics(game)["credits"] == {"FIRST": 15, "SECOND": 19}


def test_nothing_of_a_sealed_sheet_is_told_before() -> None:
    game = running(variant="intimate")
    mailed(game, "Liste : Turquie")
    told = mailed(game, "List: Russia", side="SECOND")
    assert "Turquie" not in told + tasks(game, "SECOND")
    resolved(game)
    mailed(game, "Italie 13")
    assert "13" not in mailed(game, "France 2", side="SECOND") + tasks(game, "SECOND")
