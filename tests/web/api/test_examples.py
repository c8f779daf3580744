"""The examples of the guide, by curl and by Python, against a site that is asked over the network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.api.scopes import Scope
from talleyrand.web.games import order_submission, phase_adjudication
from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.tournaments.models import TournamentMembership, TournamentRole
from tests.waiting import PATIENCE
from tests.web import cast
from tests.web.api.asking import token
from tests.web.tournaments import weekend

DOCS = Path(__file__).parents[3] / "docs"
PAGES = [DOCS / "fr/howto/programmer.md", DOCS / "en/howto/program.md"]
CONSOLE = re.compile(r"^```console\n\$ (curl [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNITS = ["A BUR H", "A MAR H", "F MAO H"]
LAST = {"fr": ("ordres 2", "déjà envoyés"), "en": ("orders 2", "submitted already")}


@pytest.fixture
def surroundings(transactional_db: None, live_server: Any) -> dict[str, str]:
    """A site on which autumn 1901 is open, and what a reader of the page has at hand."""
    game, now = cast.table(), timezone.now()
    Game.objects.update(deadline=None)
    _spring(game)
    phase_adjudication.adjudicate_phase(Game.objects.get(), 1, now)
    TournamentMembership.objects.create(
        tournament=(event := weekend.tournament()), account=cast.person("Flora"), role=TournamentRole.DIRECTOR
    )
    at_hand = {
        "SITE": live_server.url,
        "TOKEN": token("Flora"),
        "GAME": game.key,
        "TOURNAMENT": event.key,
    }
    return {**os.environ, **at_hand, "PYTHONIOENCODING": "utf-8"}


def _spring(game: Game) -> None:
    lines = ["A Par - Bur", "F Bre - MAO"]
    order_submission.submit_orders(game, "FRANCE", lines, number=1, key="", origin="text", at=timezone.now())


def _run(command: list[str], surroundings: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, env=surroundings, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_examples(page: Path, surroundings: dict[str, str]) -> None:
    """What each shows comes out, in that order; and they have done what they say."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not on this machine")
    text = page.read_text("utf-8")
    examples = CONSOLE.findall(text)
    assert len(examples) == text.count("```console") == 14
    for command, shown in examples:
        printed, at = _run(["bash", "-c", command], surroundings), 0
        for line in shown.splitlines():
            at = printed.find(line, at) + 1
            assert at > 0, f"{line}\n{printed}"
    assert OrderSet.objects.get(phase_number=2, power="FRANCE").is_ready


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_the_whole_program(page: Path, surroundings: dict[str, str]) -> None:
    (source,) = PYTHON.findall(page.read_text("utf-8"))
    for said in LAST["fr" if page.name == "programmer.md" else "en"]:
        assert f"La table ronde FRANCE {said}" in _run([sys.executable, "-c", source], surroundings)
    assert sorted(OrderSet.objects.get(phase_number=2, power="FRANCE").lines) == UNITS


@pytest.mark.parametrize("page", PAGES, ids=["fr", "en"])
def test_every_scope_is_in_the_guide(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [scope for scope in Scope if f"| `{scope}` |" not in text] == []
