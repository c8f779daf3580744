"""A draft is read by its player alone until its deadline, and counts no earlier."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import inbox, referee, running, seats
from talleyrand.web.games.desk import revising
from talleyrand.web.games.desk.acts import Ground, Hand, last_published
from talleyrand.web.games.models import Game, Role, Sheet
from tests.web.api.asking import program
from tests.web.cast import MASTER, client_of, person, table

from .acting import HOUR, SECOND, draft, fresh, hand_in
from .phases import GRACE, SLOW

pytestmark = pytest.mark.django_db
BY_HAND = {"movement": {"by": "hand"}}
LINE, MARK = "A PAR-GAS", "zz-draft"
SAID = (MARK, LINE)


def opened(**terms: Any) -> Game:
    """A game that has just begun, with a draft of France and a sheet of Germany."""
    game = table(**{"rhythm": SLOW, **terms})
    now = timezone.now()
    due = fresh(game).due
    moved = {"opened": now, "due": now + 72 * HOUR if due else None}
    Game.objects.filter(pk=game.pk).update(**moved, sweep=moved["due"])
    draft(game, "FRANCE", LINE, MARK, at=now)
    hand_in(game, "GERMANY", at=now)
    return fresh(game)


def overdue(game: Game, hours: int = 1) -> Game:
    """The deadline was so long ago, and no clock has looked since."""
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(opened=now - 72 * HOUR, due=now - hours * HOUR, sweep=now)
    game.seats.update(draft_at=now - 2 * hours * HOUR)
    return fresh(game)


def told(game: Game, client: Client) -> str:
    """All that the pages at which a game master looks tell him."""
    here = f"/parties/{game.key}/"
    paths = ("", f"{game.number}/scene.json", "desk/", "desk/preview/", "desk/orders/FRANCE/")
    return "\n".join(client.get(here + path).text for path in paths)


def told_by_program(game: Game) -> str:
    here, asked = f"/games/{game.key}", program(MASTER)
    orders = f"{here}/phases/{game.number}/orders/FRANCE"
    paths = (f"{here}/desk", f"{here}/desk/preview", orders, f"{orders}/sheets", f"{orders}/sheets/1")
    return "\n".join(asked.get(path).content.decode() for path in paths)


def says(text: str) -> list[str]:
    return [words for words in SAID if words in text.replace("\u00a0", " ")]


@pytest.mark.parametrize("rhythm", [SLOW, BY_HAND], ids=["dated", "by hand"])
def test_the_game_master_reads_no_draft(rhythm: Any) -> None:
    game = opened(rhythm=rhythm)
    assert says(told(game, client_of(MASTER))) == []
    assert says(told_by_program(game)) == []
    assert says(client_of("Flora").get(f"/parties/{game.key}/").text) != []


def test_a_preview_holds_a_draft_once_it_counts() -> None:
    game = overdue(opened())
    preview = client_of(MASTER).get(f"/parties/{game.key}/desk/preview/").text
    assert says(preview) != []
    assert says(program(MASTER).get(f"/games/{game.key}/desk/preview").content.decode()) != []


def test_what_is_drafted_after_the_deadline_is_read_after_the_grace() -> None:
    game = overdue(opened(rhythm=GRACE))
    game.seats.update(draft_at=timezone.now())
    assert says(told(fresh(game), client_of(MASTER))) == []
    game = overdue(game, hours=7)
    game.seats.update(draft_at=timezone.now() - 2 * HOUR)
    assert says(told(fresh(game), client_of(MASTER))) != []


def test_a_phase_published_before_its_deadline_is_played_without_drafts() -> None:
    game = opened()
    assert game.due
    taken = referee.snapshot(game, 1, game.due - SECOND)
    assert ("FRANCE" in taken.absent, "FRANCE" in taken.sheets) == (True, False)
    taken = referee.snapshot(game, 1, game.due)
    assert (taken.sheets["FRANCE"], taken.drafts) == ([LINE, MARK], frozenset({"FRANCE"}))
    published = referee.adjudicate(game, 1, timezone.now())
    assert "FRANCE" in published.absent
    assert not Sheet.objects.filter(game=game, power="FRANCE").exists()


def test_where_all_are_ready_early_a_draft_of_whom_nobody_waits_for_does_not_count() -> None:
    game = opened()
    game.seats.filter(power="FRANCE").update(disorder=True)
    assert game.due
    assert "FRANCE" in referee.snapshot(game, 1, game.due - HOUR).absent


def test_a_phase_without_a_date_ends_when_the_game_master_says_so() -> None:
    game = opened(rhythm=BY_HAND)
    published = referee.adjudicate(game, 1, timezone.now())
    assert (published.sheets["FRANCE"], published.absent.count("FRANCE")) == ([LINE, MARK], 0)


def test_no_draft_counts_while_a_game_rests_before_its_deadline() -> None:
    game = opened()
    running.pause(game, timezone.now())
    assert says(told(fresh(game), client_of(MASTER))) == []
    assert "FRANCE" in referee.adjudicate(fresh(game), 1, timezone.now()).absent


@pytest.mark.parametrize(
    ("late", "words"),
    [(False, "ne compte pas avant l’échéance"), (True, "comptera comme ordres envoyés")],
)
def test_whoever_publishes_is_told_which_drafts_count(late: bool, words: str) -> None:
    game = overdue(opened()) if late else opened()
    page = client_of(MASTER).get(f"/parties/{game.key}/desk/adjudicate/").text
    assert f"{words} : France." in page.replace("\u00a0", " ")


# a draft set aside with its phase


def set_aside() -> Game:
    """The second phase had a draft of France when the first was taken back."""
    game = opened()
    referee.adjudicate(game, 1, timezone.now())
    draft(game, "FRANCE", LINE, MARK, at=timezone.now())
    last = last_published(game)
    assert last
    revising.take_back(game, Ground.of(last), hand=Hand(person(MASTER), Role.MASTER), now=timezone.now())
    return fresh(game)


def kept(game: Game) -> Sheet:
    return Sheet.objects.get(game=game, power="FRANCE", number=2, withdrawn__isnull=False)


def receipt(game: Game, sheet: Sheet) -> str:
    return f"/parties/{game.key}/2/receipts/FRANCE/{sheet.receipt}/"


def sheets(name: str, game: Game) -> Any:
    return program(name).get(f"/games/{game.key}/phases/2/orders/FRANCE/sheets")


def test_a_draft_set_aside_is_read_by_its_player_alone() -> None:
    """A game master takes a phase back and publishes it again: nothing of the other phase is shown to him."""
    game = set_aside()
    path = receipt(game, kept(game))
    assert client_of(MASTER).get(path).status_code == 404
    assert sheets(MASTER, game).json()["items"] == []
    assert client_of("Flora").get(path).status_code == 200
    assert [one["lines"] for one in sheets("Flora", game).json()["items"]] == [[LINE, MARK]]


def test_a_draft_set_aside_is_no_successor_s() -> None:
    game = set_aside()
    seats.give(game, "FRANCE", person("Sylvain"))
    game.memberships.create(person=person("Sylvain"), role=Role.PLAYER)
    assert client_of("Sylvain").get(receipt(game, kept(game))).status_code == 404
    assert sheets("Sylvain", game).json()["items"] == []


def test_a_sheet_set_aside_is_still_read_by_all_who_could() -> None:
    game = opened()
    referee.adjudicate(game, 1, timezone.now())
    hand_in(game, "FRANCE", [LINE])
    last = last_published(game)
    assert last
    revising.take_back(game, Ground.of(last), hand=Hand(person(MASTER), Role.MASTER), now=timezone.now())
    assert client_of(MASTER).get(receipt(game, kept(fresh(game)))).status_code == 200


def test_the_terms_say_who_reads_a_draft() -> None:
    game = opened()
    page = client_of("Flora").get(f"/parties/{game.key}/table/").text
    assert "Personne d’autre ne le lit avant, pas même le maître de jeu" in page


def moment(game: Game) -> datetime:
    assert game.due
    return game.due


def test_what_counted_at_the_deadline_is_its_player_s_sheet() -> None:
    """He may take it with him like any other."""
    game = opened()
    referee.adjudicate(game, 1, moment(game) + timedelta(minutes=1))
    assert inbox.counting(game, 1)["FRANCE"].by == person("Flora")
