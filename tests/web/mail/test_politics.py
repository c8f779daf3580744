"""A state that plays by mail alone: it proposes, votes, aids and builds an M abroad."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import override

from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.mail.mail_outcomes import MailOutcome, ProcessingResult
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.cast import person
from tests.web.games.states import UN, begun, fresh, played, player

from .orders import sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
PACE: dict[str, Any] = {"movement": {"seconds": 259200}, "proposals": {"seconds": 86400}, "early": False}


def mailed(game: Game, state: str, *lines: str) -> ProcessingResult:
    text = "Bonjour,\n\n" + "\n".join(lines) + "\n\nMerci"
    result = sent(game, text, power=state, name=player(state))
    assert result.outcome == MailOutcome.TAKEN, result.facts
    sheet = game.sheets.filter(power=state, phase_number=fresh(game).phase_number).last()
    assert sheet is not None
    assert sheet.lines == list(lines)
    return result


def text_of(result: ProcessingResult) -> str:
    assert result.answer is not None
    return " ".join(result.answer.text.split())


def affairs(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = (GameHistory(game).situation(fresh(game).phase_number) or {})["politics"]
    return found


def report(game: Game, number: int, language: str = "fr") -> str:
    with override(language):
        parts = report_texts.phase_report(fresh(game), number)
    text = " ".join(line for part in parts for line in part).replace("| ", "")
    return " ".join(text.split())


@pytest.mark.long
def test_a_year_by_mail_alone() -> None:
    game = begun(rhythm=PACE)
    told = mailed(game, "OPTO", "2 : M WAS - ABE / M MOR \u00d7\u00d7\u00d7")
    assert "missions" in text_of(told)
    played(game, {"UMAR": ["2 : M MOR - ROU"]})
    assert set(affairs(game)["proposals"]) == {"OPTO", "UMAR"}
    mailed(game, "OPTO", "2) OPTO")
    mailed(game, "ETUN", "Aide : 1 : OPTO", "2) Abstention")
    mailed(game, "MCCA", "AS : BOG")
    told_to = report_after(game, {"INDE": ["2) UMAR"], UN: ["Classement 2 : OPTO"]}, 2)
    assert "OPTO" in affairs(game)["ballots"]["2"]["adopted"]
    assert "départagée par le secrétaire général" in told_to
    mailed(game, "OPTO", "1A : RUSS", "3A : OPTO")
    played(game)
    mailed(game, "OPTO", "Politique : OPTO / \u00c9conomique : OPTO")
    played(game)
    assert affairs(game)["imf"] == "OPTO"
    mailed(game, "OPTO", "M BOG")
    mailed(game, "CAOR", "M (OPTO) BOG")
    played(game)
    assert fresh(game).phase == "S2002P"


def report_after(game: Game, sheets: dict[str, list[str]], number: int) -> str:
    played(game, sheets)
    return report(game, number)


@pytest.mark.long
def test_a_report_tells_the_votes_and_what_may_be_written() -> None:
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M MOR - ROU"]})
    with override("fr"):
        told = " ".join(" ".join(GameStatusText(fresh(game)).tasks("INDE")).replace("| ", "").split())
    assert "Union du Maghreb arabe, Missions : M Méditerranée orientale - mer Rouge" in told
    assert "Vote sur les missions, par exemple : 2 UMAR" in told
    played(game, {"INDE": ["2) UMAR"]})
    assert "Union du Maghreb arabe, missions" in report(game, 2)
    assert "1 (Union indienne)" in report(game, 2)
    assert "1 (Indian Union)" in report(game, 2, "en")


def test_a_report_tells_what_was_done_beside_votes() -> None:
    game = begun(rhythm=PACE)
    played(game, {UN: ["pInt : PYO"]})
    assert "INTERVENTION ANNONCÉE Organisation des Nations unies : Secteur Pyongyang" in report(game, 1)
    with override("fr"):
        assert "Pyongyang" in " ".join(GameStatusText(fresh(game)).tasks("CHIN"))
    played(game, {"CHIN": ["A BEI - PYO"], "MCCA": ["AS : BOG"], "ETUN": ["Aide : 1 : MEXI"]})
    told, english = report(game, 2), report(game, 2, "en")
    assert "ACTIONS SUBVERSIVES ET INTERVENTION" in told
    assert "Secteur Bogota" in told
    assert "États-Unis d’Amérique : 1 Mexique" in told
    assert "United States of America: 1 Mexico" in english
    assert GameViewer(game, person(player("INDE"))).powers == ("INDE",)
