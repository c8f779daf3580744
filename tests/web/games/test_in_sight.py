"""Which power one plays and how far it is stands on every tab of a game; who is ready, for the desk."""

from __future__ import annotations

import pytest

from talleyrand.web.games.models import Game
from tests.web.cast import ASSISTANT, MASTER, OBSERVER
from tests.web.games import acting
from tests.web.games.playing import Window, running

pytestmark = pytest.mark.django_db
TABS = {"": ["", "messages/", "infos/", "fin/"], "/en": ["", "messages/", "info/", "end/"]}
READY = {"": "Prêts\u00a0: 1 sur 7", "/en": "Ready: 1 of 7"}
MISSING = {"": "Manquent\u00a0: ", "/en": "Missing: "}


def begun() -> Game:
    game = running()
    assert Window(game, "Flora").act("final", ["A Par - Bou"]).status_code == 200
    return game


@pytest.mark.parametrize("prefix", ["", "/en"])
def test_every_tab_says_which_power_one_plays_and_how_far_it_is(prefix: str) -> None:
    game = begun()
    for tab in TABS[prefix]:
        answer = Window(game, "Flora", prefix=prefix).get(tab, follow=True)
        assert answer.status_code == 200, tab
        head = answer.text.partition('class="my-powers"')[2].partition("</ul>")[0]
        assert ">France</strong>" in head, tab
        assert "state-final" in head, tab
        assert "readiness" not in head, tab


@pytest.mark.parametrize("prefix", ["", "/en"])
def test_the_desk_sees_on_every_tab_who_is_ready_and_nobody_else_does(prefix: str) -> None:
    game = begun()
    for name in (MASTER, ASSISTANT):
        for tab in [*TABS[prefix], "desk/"]:
            page = Window(game, name, prefix=prefix).get(tab, follow=True).text
            assert READY[prefix] in page, (name, tab)
            assert f"{MISSING[prefix]}6<" in page, (name, tab)
    for name in ("Gaspard", "Flora", OBSERVER, ""):
        for tab in TABS[prefix]:
            page = Window(game, name, prefix=prefix).get(tab, follow=True).text
            assert READY[prefix] not in page, (name, tab)
            assert MISSING[prefix] not in page, (name, tab)


def test_the_last_ones_missing_are_named() -> None:
    game = begun()
    for power in ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY"):
        acting.hand_in(game, power)
    assert f"{MISSING['']}Russie, Turquie<" in Window(game, MASTER).get().text
    for power in ("RUSSIA", "TURKEY"):
        acting.hand_in(game, power)
    assert "Tous ont envoyé<" in Window(game, MASTER).get().text


@pytest.mark.parametrize("drafts_count", [True, False])
def test_what_would_not_count_is_marked_as_unsent(*, drafts_count: bool) -> None:
    flora = Window(running(drafts_count=drafts_count), "Flora")
    assert "data-unsent" not in flora.get().text
    standing = flora.draft({"lines": {"FRANCE": ["A Par - Bou"]}}).json()["standing"]
    assert ("data-unsent" in standing) != drafts_count, "a draft may count by itself"
    assert "data-unsent" not in flora.act("hand_in", ["A Par - Bou"]).json()["standing"]
    assert "data-unsent" in flora.draft({"lines": {"FRANCE": ["A Par - Pic"]}}).json()["standing"]
    assert "data-unsent" in flora.get().text
