"""News in words: every kind has its sentence in both languages, and nothing odd stops a page."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.utils.translation import override

from talleyrand.web.notifications import forms, preferences
from talleyrand.web.notifications.models import Notification
from talleyrand.web.notifications.notification_kinds import KINDS, OUTCOMES, SOMETHING
from talleyrand.web.notifications.notification_sentences import notification_sentence, notification_subject
from tests.each import each

WEB = Path(settings.WEB)
PARIS, TOKYO = ZoneInfo("Europe/Paris"), ZoneInfo("Asia/Tokyo")
FACTS: dict[str, Any] = {
    "game": "La table ronde",
    "variant": "classic",
    "phase": "S1901M",
    "number": 1,
    "due": "2026-03-06T19:30:00+00:00",
    "power": "AUSTRIA",
    "powers": ["FRANCE", "AUSTRIA"],
    "reason": "un ordre mal lu",
    "outcome": "vetoed",
    "newcomer": "Flora",
}
SAID = [
    ("published", "fr", "Les résultats sont là\u00a0: printemps 1901, mouvements."),
    ("published", "en", "Results are in: spring 1901, movement."),
    (
        "due_soon",
        "fr",
        (
            "Ordres à envoyer avant l’échéance, vendredi 6 mars 2026, 20\u00a0h\u00a030 (Paris)\u00a0: "
            "printemps 1901, mouvements. Ordres manquants\u00a0: la France et l’Autriche."
        ),
    ),
    (
        "due_soon",
        "en",
        (
            "Orders are due by Friday 6 March 2026, 20:30 (Paris): spring 1901, movement. "
            "Missing: France and Austria."
        ),
    ),
    ("given", "fr", "Vous jouez désormais l’Autriche."),
    ("joined", "en", "Flora has joined the game."),
    ("letter", "fr", "Nouveau message de l’Autriche."),
    ("letter", "en", "New message from Austria."),
    ("disorder", "fr", "L’Autriche est en désordre civil jusqu’au retour d’un joueur."),
    (
        "corrected",
        "en",
        "Results corrected (spring 1901, movement): “un ordre mal lu”",
    ),
    ("proposal_closed", "en", "The proposal to end the game was vetoed by France and Austria."),
    ("letter", "en", "New message from Austria."),
    ("ended", "fr", "La partie est finie. Résultat\u00a0: la France et l’Autriche."),
]


@each(("kind", "language", "words"), SAID)
def test_a_kind_is_said(kind: str, language: str, words: str) -> None:
    with override(language):
        assert notification_sentence(kind, FACTS, PARIS) == words


@each("language", ["fr", "en"])
@each("kind", KINDS)
def test_whatever_is_missing_the_sentence_is_whole(kind: str, language: str) -> None:
    """Each fact left out or spoilt in turn, then all: a sentence without blanks, never an error."""
    spoilt: tuple[Any, ...] = (None, "", 7, [], {}, "\ud800", "NOWHERE", "S19", ["?"])
    without = [{name: value for name, value in FACTS.items() if name != left} for left in FACTS]
    wrong = [{**FACTS, name: value} for name in FACTS for value in spoilt]
    with override(language):
        for facts in (FACTS, {}, *without, *wrong):
            said = notification_sentence(kind, facts, PARIS)
            assert said.strip(), facts
            assert "%(" not in said, facts


def test_a_kind_that_nobody_knows() -> None:
    with override("fr"):
        assert (
            notification_sentence("of_tomorrow", FACTS) == str(SOMETHING) == "Du nouveau dans cette partie."
        )


@pytest.mark.parametrize(
    ("due", "zone", "words"),
    [
        ("2026-03-06T23:00:00+00:00", PARIS, "vendredi 6 mars 2026, 24\u00a0h (Paris)"),
        ("2026-03-06T23:00:00+00:00", TOKYO, "samedi 7 mars 2026, 8\u00a0h (Tokyo)"),
        ("2026-10-25T00:30:00+00:00", PARIS, "dimanche 25 octobre 2026, 2\u00a0h\u00a030 (Paris)"),
        ("2026-10-25T01:30:00+00:00", PARIS, "dimanche 25 octobre 2026, 2\u00a0h\u00a030 (Paris)"),
    ],
)
def test_a_deadline_is_said_in_the_readers_time(due: str, zone: ZoneInfo, words: str) -> None:
    with override("fr"):
        assert (
            notification_sentence("extended", {**FACTS, "due": due}, zone)
            == f"Nouvelle échéance\u00a0: {words}."
        )


@each(
    ("kind", "facts", "words"),
    [
        ("letter", {"power": "@"}, "New message from the game master."),
        ("letter", {"power": ""}, "New message."),
        ("letter", {"power": "NOWHERE"}, "New message."),
        ("ended", {"result": "solo", "powers": ["FRANCE"]}, "The game is over: solo victory for France."),
        (
            "ended",
            {"result": "joint", "powers": ["FRANCE", "ITALY"]},
            "The game is over: joint victory for France and Italy.",
        ),
        ("ended", {"result": "draw"}, "The game is over: draw between France and Austria."),
        ("ended", {"result": "abandoned", "powers": [], "reason": ""}, "The game is over."),
        (
            "ended",
            {"result": "abandoned", "powers": [], "reason": "Too few."},
            "The game has been abandoned: “Too few.”",
        ),
        ("ended", {"result": "over", "powers": []}, "The game is over."),
        (
            "corrected",
            {"reason": "", "misfit": "FRANCE"},
            (
                "Results corrected: spring 1901, movement. Some of your orders for the current "
                "phase are no longer valid: check them."
            ),
        ),
        ("extended", {"due": ""}, "The deadline has changed."),
    ],
)
def test_a_kind_in_its_other_cases(kind: str, facts: dict[str, Any], words: str) -> None:
    with override("en"):
        assert notification_sentence(kind, {**FACTS, **facts}, PARIS) == words


def test_a_long_reason_is_cut() -> None:
    with override("en"):
        assert len(notification_sentence("letter_returned", {**FACTS, "reason": "mot " * 1000})) < 400


def test_the_subject_names_the_game() -> None:
    with override("fr"):
        assert (
            notification_subject(Notification(kind="begun", facts=FACTS))
            == "La table ronde\u00a0: La partie a commencé."
        )
        assert (
            notification_subject(Notification(kind="begun", facts={}))
            == "Une partie\u00a0: La partie a commencé."
        )


# what the rest of the site tells


def told() -> Iterator[tuple[str, str]]:
    """Where the sources tell somebody something, and the kind: the first words of the call."""
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and called(node) in ("tell", "_tell"):
                yield from ((path.name, kind) for kind in words(node)[:1])


def called(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def words(call: ast.Call) -> list[str]:
    return [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]


@pytest.mark.long
def test_every_kind_that_is_told_has_words() -> None:
    found = set(told())
    assert found, "nobody tells anything"
    assert {(place, kind) for place, kind in found if kind not in KINDS} == set()


def test_every_group_has_a_title_and_a_kind() -> None:
    assert set(forms.GROUP_TITLES) == set(preferences.GROUPS) == {kind.group for kind in KINDS.values()}
    assert set(OUTCOMES) == {"accepted", "vetoed", "refused", "lapsed"}
