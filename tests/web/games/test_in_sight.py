"""Which power one plays and how far it is stands on every tab of a game; who is ready, for the desk."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from talleyrand.web.games import order_submission
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game
from talleyrand.web.mail.game_status_text import GameStatusText
from talleyrand.web.notifications import topic_versions
from tests.web.cast import ASSISTANT, MASTER, OBSERVER, PLAYERS
from tests.web.games import acting, phases
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


@pytest.mark.long
@pytest.mark.parametrize("prefix", ["", "/en"])
def test_where_the_game_says_so_all_see_who_has_submitted(prefix: str) -> None:
    game = running(submissions_shown=True)
    assert Window(game, "Flora").act("final", ["A Par - Bou"]).status_code == 200
    acting.hand_in(game, "TURKEY")
    acting.draft(game, "RUSSIA", "A War - Ukr")
    for name in ("Gaspard", "Flora", OBSERVER, ""):
        for tab in TABS[prefix]:
            page = Window(game, name, prefix=prefix).get(tab, follow=True).text
            head = page.partition('id="readiness"')[2].partition("</li>")[0]
            states = re.findall(r'class="power-mark state-(\w+)"', head)
            assert states == ["nothing", "nothing", "final", "nothing", "nothing", "nothing", "saved"], tab
            assert f"{MISSING[prefix]}5" in page, (name, tab)


def test_a_page_that_stays_open_is_told_who_submits_and_nothing_else() -> None:
    game = running(submissions_shown=True)
    gaspard = Window(game, "Gaspard")

    def told() -> int:
        return topic_versions.current_versions([topic])[topic]

    topic = topic_versions.game_topic(game.key)
    assert READY[""].replace("1", "0") in gaspard.get("now.json").json()["readiness"]
    before = told()
    acting.draft(game, "FRANCE", "A Par - Bou")
    assert told() == before
    acting.hand_in(game, "FRANCE")
    assert told() == before + 1
    acting.hand_in(game, "FRANCE", ["A Par - Pic"])
    assert told() == before + 1, "that other orders came is nobody's business"
    acting.hand_in(game, "FRANCE", ["A Par - Gas"], final=True)
    assert told() == before + 2
    assert READY[""] in gaspard.get("now.json").json()["readiness"]
    opened_at = acting.fresh(game).phase_opened_at
    assert opened_at is not None
    order_submission.set_ready(game, "FRANCE", 1, final=False, at=opened_at)
    assert told() == before + 3


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "fr",
            "Ordres envoyés\u00a0: 2 sur 7. Manquent\u00a0: Autriche, Angleterre, Allemagne, Italie, Russie.",
        ),
        ("en", "Orders submitted: 2 of 7. Missing: Austria, England, Germany, Italy, Russia."),
    ],
)
def test_a_mail_says_it_where_the_game_shows_it(language: str, said: str) -> None:
    for shown in (True, False):
        game = running(submissions_shown=shown)
        acting.hand_in(game, "FRANCE", final=True)
        acting.hand_in(game, "TURKEY")
        with translation.override(language):
            assert GameStatusText(acting.fresh(game)).submissions() == (said if shown else "")


def test_where_the_game_hides_it_a_page_is_told_nothing() -> None:
    game = running()
    topic = topic_versions.game_topic(game.key)
    before = topic_versions.current_versions([topic])
    acting.hand_in(game, "FRANCE", final=True)
    assert topic_versions.current_versions([topic]) == before
    assert "readiness" not in Window(game, "Gaspard").get("now.json").json()


@pytest.mark.parametrize("prefix", ["", "/en"])
def test_powers_with_nothing_to_do_are_told_apart(prefix: str) -> None:
    game = phases.first_winter(submissions_shown=True)
    page = Window(game, "Gaspard", prefix=prefix).get().text
    states = dict(zip(PLAYERS, re.findall(r'class="power-mark state-(\w+)"', page), strict=True))
    asked = GameHistory(game).deciding_powers(game.phase_number)
    assert asked == ("FRANCE", "TURKEY")
    assert states == {one: "nothing" if one in asked else "idle" for one in PLAYERS}
    assert page.count({"": "rien à ordonner", "/en": "nothing to order"}[prefix]) >= 5


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
