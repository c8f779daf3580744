"""Votes that a game keeps secret until it is over: nobody reads a ballot before, and everything after."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.utils.translation import override

from talleyrand.web.games import game_lifecycle
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision, GameMasterActor
from talleyrand.web.games.models import GameRole, PhaseRevision
from talleyrand.web.games.phase_pages import game_records
from talleyrand.web.mail.subscriptions import report_texts
from tests.web.cast import BEGUN, MASTER, client_of, person
from tests.web.games.states import STATES, UN, begun, fresh, played, player

pytestmark = pytest.mark.django_db
PROPOSED = {"UMAR": ["2 : M MOR - MOC"], "INDE": ["2 : M MOR ×××"], "OPTO": ["2 : M MOR S F ROU"]}
SHEETS = {state: ["2) UMAR"] for state in STATES[:8]} | {
    "RUSS": ["A MOS - KIE", "2) INDE", "Aide : 1 : INDE"]
}


def voted(tally: str, **more: list[str]) -> PhaseRevision:
    """A season of a game whose count is `tally`, with the usual ballots but for `more`."""
    game = begun(readings={"tally": tally} if tally else {})
    played(game, PROPOSED)
    return played(game, SHEETS | more)


def public(revision: PhaseRevision) -> dict[str, Any]:
    names = (
        "phase",
        "situation",
        "order_lines",
        "powers_without_orders",
        "answer",
        "next_situation",
        "overrides",
    )
    return {name: getattr(revision, name) for name in names}


OTHERWISE = [
    {"RUSS": ["A MOS - KIE", "2) UMAR", "Aide : 1 : INDE"]},
    {"RUSS": ["A MOS - KIE", "Aide : 1 : INDE"]},
    {"RUSS": ["A MOS - KIE", "2) INDEE", "2) Lune", "Inde pour la 2", "Aide : 1 : INDE"]},
    {"RUSS": ["2) Aucune", "A MOS - KIE", "A MOS - KIE // 2) INDE", "2) INDE / 2) UMAR", "Aide : 1 : INDE"]},
    {"RUSS": ["A MOS - KIE", "2) UMAR", "Aide : 1 : INDE"], "OPTO": ["2) INDE"], "CHIN": ["2) Abstention"]},
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("other", OTHERWISE)
def test_whatever_somebody_votes_the_same_is_published(other: dict[str, list[str]]) -> None:
    one, two = voted("secret"), voted("secret", **other)
    assert one.secret_part != two.secret_part
    assert public(one) == public(two)
    assert "2) " not in json.dumps(one.order_lines)
    assert one.order_lines["RUSS"] == ["A MOS - KIE", "Aide : 1 : INDE"]


@pytest.mark.long
def test_numbers_are_published_without_names() -> None:
    told = (voted("numbers").answer or {})["politics"]["ballots"]["2"]
    assert told == {"tally": {"UMAR": 8, "INDE": 1}, "tied": [], "adopted": ["UMAR"], "by": "most"}


@pytest.mark.long
def test_usually_all_is_published_at_once() -> None:
    made = voted("")
    assert made.secret_part is None
    assert (made.answer or {})["politics"]["ballots"]["2"]["cast"]["RUSS"] == ["INDE"]


def words(revision: PhaseRevision, name: str, path: str = "", language: str = "fr") -> str:
    folder, prefix = ("parties", "") if language == "fr" else ("games", "/en")
    answer = client_of(name).get(f"{prefix}/{folder}/{revision.game.key}/{revision.phase_number}/{path}")
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def count_of(page: str) -> str:
    found = re.search(r'<table class="counts votes">.*?</table>.*?</p>', page)
    assert found
    return found[0]


@pytest.mark.long
def test_the_page_says_what_is_adopted_and_that_the_vote_is_secret() -> None:
    secret, numbers = voted("secret"), voted("numbers")
    for name in (player("CHIN"), player("RUSS"), MASTER):
        told = count_of(words(secret, name))
        assert "✓" in told
        assert "Vote secret : les votes seront révélés à la fin de la partie." in told
        assert not re.search(r"<td|electors|Bulletins", told)
        told = count_of(words(numbers, name, language="en"))
        assert "<td>8</td>" in told
        assert "electors" not in told
        assert "Secret ballot" in told


@pytest.mark.long
def test_the_judge_still_knows_the_ballots_of_a_phase_that_is_explained() -> None:
    """An M moves by the mission that was voted, and no chain of causes is one of a ballot."""
    made = voted("secret")
    client = client_of(player("CHIN"))
    path = f"/parties/{made.game.key}/{made.phase_number}/why/"
    moved = [one for one in (made.answer or {})["orders"] if one["power"] == UN or one["unit"] == "M MOR"]
    assert [one["results"] for one in moved] == [["moves"]]
    told = client.get(f"{path}MOR/")
    assert told.status_code == 200
    assert "Méditerranée occidentale" in told.content.decode()
    for seat in (*STATES, UN):
        assert client.get(f"{path}{seat}/").status_code == 404


def test_a_record_is_replayed_without_the_ballots() -> None:
    made = voted("secret")
    played(made.game)
    record = game_records.game_record_json(fresh(made.game), seeded=True)
    season = record["phases"][1]
    assert season["orders"]["RUSS"] == ["A MOS - KIE", "AID 1 INDE"]
    assert "position" in record["phases"][2]
    assert "INDE" not in json.dumps(season["orders"].get("UMAR", []))


@pytest.mark.long
def test_everything_is_told_when_the_game_is_over() -> None:
    made = voted("secret")
    whole = voted("")
    game_lifecycle.abandon_game(made.game, "Fin", BEGUN, role=GameRole.GAME_MASTER, by=person(MASTER))
    made.refresh_from_db()
    assert made.secret_part is None
    assert made.order_lines == whole.order_lines
    told, known = made.answer or {}, whole.answer or {}
    assert told["politics"]["ballots"] == known["politics"]["ballots"]
    key = lambda one: json.dumps(one, sort_keys=True)  # noqa: E731
    unnumbered = [[{**one, "line_no": 0} for one in answer["orders"]] for answer in (told, known)]
    assert sorted(unnumbered[0], key=key) == sorted(unnumbered[1], key=key)
    assert "Russie" in count_of(words(made, player("CHIN")))


def test_a_game_that_goes_on_is_secret_again() -> None:
    """What was read meanwhile is known; whoever comes now reads no ballot, in no version of a phase."""
    made = voted("secret")
    before = public(made)
    game_lifecycle.abandon_game(made.game, "Fin", BEGUN, role=GameRole.GAME_MASTER, by=person(MASTER))
    game = fresh(made.game)
    path = f"/parties/{game.key}/2/"
    assert "2) INDE" in json.dumps(PhaseRevision.objects.get(pk=made.pk).order_lines)
    hand = GameMasterActor(person(MASTER), GameRole.GAME_MASTER)
    phase_corrections.roll_back_phase(game, ExpectedRevision.from_revision(made), hand=hand, now=BEGUN)
    made.refresh_from_db()
    assert (made.is_current, public(made)) == (False, before)
    for one in PhaseRevision.objects.filter(game=game):
        assert "2) INDE" not in json.dumps([one.order_lines, one.answer])
    answer = client_of(player("CHIN")).get(f"{path}revisions/1/")
    assert answer.status_code == 200
    assert "electors" not in answer.content.decode()


def test_proposals_are_published_where_votes_are_secret() -> None:
    made = voted("secret")
    debate = PhaseRevision.objects.get(game=made.game, phase_number=1)
    assert debate.secret_part is None
    assert debate.order_lines["UMAR"] == PROPOSED["UMAR"]


def test_a_report_by_mail_keeps_the_secret() -> None:
    made = voted("secret")
    with override("fr"):
        told = " ".join(
            line for part in report_texts.phase_report(fresh(made.game), made.phase_number) for line in part
        )
    assert "Méditerranée occidentale : adoptée" in told.replace("\xa0", " ")
    assert "Vote secret" in told
    assert "2 INDE" not in told
    assert not re.search(r"\((?:[^)]*, )?Russie", told)
