"""A draft is read by its player alone until its deadline, and counts no earlier."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication, power_assignments
from talleyrand.web.games.game_master import phase_corrections
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    last_published_revision,
)
from talleyrand.web.games.models import Game, GameRole, OrderSet
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
    due = fresh(game).deadline
    moved = {"phase_opened_at": now, "deadline": now + 72 * HOUR if due else None}
    Game.objects.filter(pk=game.pk).update(**moved, next_check_at=moved["deadline"])
    draft(game, "FRANCE", LINE, MARK, at=now)
    hand_in(game, "GERMANY", at=now)
    return fresh(game)


def overdue(game: Game, hours: int = 1) -> Game:
    """The deadline was so long ago, and no clock has looked since."""
    now = timezone.now()
    Game.objects.filter(pk=game.pk).update(
        phase_opened_at=now - 72 * HOUR, deadline=now - hours * HOUR, next_check_at=now
    )
    game.seats.update(drafted_at=now - 2 * hours * HOUR)
    return fresh(game)


def told(game: Game, client: Client) -> str:
    """All that the pages at which a game master looks tell him."""
    here = f"/parties/{game.key}/"
    paths = ("", f"{game.phase_number}/scene.json", "desk/", "desk/preview/", "desk/orders/FRANCE/")
    return "\n".join(client.get(here + path).text for path in paths)


def told_by_program(game: Game) -> str:
    here, asked = f"/games/{game.key}", program(MASTER)
    orders = f"{here}/phases/{game.phase_number}/orders/FRANCE"
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


@pytest.mark.long
def test_what_is_drafted_after_the_deadline_is_read_after_the_grace() -> None:
    game = overdue(opened(rhythm=GRACE))
    game.seats.update(drafted_at=timezone.now())
    assert says(told(fresh(game), client_of(MASTER))) == []
    game = overdue(game, hours=7)
    game.seats.update(drafted_at=timezone.now() - 2 * HOUR)
    assert says(told(fresh(game), client_of(MASTER))) != []


def test_a_phase_published_before_its_deadline_is_played_without_drafts() -> None:
    game = opened()
    assert game.deadline
    taken = phase_adjudication.take_snapshot(game, 1, game.deadline - SECOND)
    assert ("FRANCE" in taken.powers_without_orders, "FRANCE" in taken.order_lines) == (True, False)
    taken = phase_adjudication.take_snapshot(game, 1, game.deadline)
    assert (taken.order_lines["FRANCE"], taken.powers_with_draft_only) == (
        [LINE, MARK],
        frozenset({"FRANCE"}),
    )
    published = phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    assert "FRANCE" in published.powers_without_orders
    assert not OrderSet.objects.filter(game=game, power="FRANCE").exists()


def test_where_all_are_ready_early_a_draft_of_whom_nobody_waits_for_does_not_count() -> None:
    game = opened()
    game.seats.filter(power="FRANCE").update(in_civil_disorder=True)
    assert game.deadline
    assert "FRANCE" in phase_adjudication.take_snapshot(game, 1, game.deadline - HOUR).powers_without_orders


def test_a_phase_without_a_date_ends_when_the_game_master_says_so() -> None:
    game = opened(rhythm=BY_HAND)
    published = phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    assert (published.order_lines["FRANCE"], published.powers_without_orders.count("FRANCE")) == (
        [LINE, MARK],
        0,
    )


def test_no_draft_counts_while_a_game_rests_before_its_deadline() -> None:
    game = opened()
    game_lifecycle.pause_game(game, timezone.now())
    assert says(told(fresh(game), client_of(MASTER))) == []
    assert (
        "FRANCE" in phase_adjudication.adjudicate_phase(fresh(game), 1, timezone.now()).powers_without_orders
    )


@pytest.mark.parametrize(
    ("late", "words"),
    [
        (False, "Les brouillons non envoyés ne comptent pas avant l’échéance"),
        (True, "Les brouillons non envoyés compteront comme ordres envoyés"),
    ],
)
def test_whoever_publishes_is_told_which_drafts_count(late: bool, words: str) -> None:
    game = overdue(opened()) if late else opened()
    page = client_of(MASTER).get(f"/parties/{game.key}/desk/adjudicate/").text
    assert f"{words} : France." in page.replace("\u00a0", " ")


# a draft set aside with its phase


def set_aside() -> Game:
    """The second phase had a draft of France when the first was taken back."""
    game = opened()
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    draft(game, "FRANCE", LINE, MARK, at=timezone.now())
    last = last_published_revision(game)
    assert last
    phase_corrections.roll_back_phase(
        game,
        ExpectedRevision.from_revision(last),
        hand=GameMasterActor(person(MASTER), GameRole.GAME_MASTER),
        now=timezone.now(),
    )
    return fresh(game)


def kept(game: Game) -> OrderSet:
    return OrderSet.objects.get(game=game, power="FRANCE", phase_number=2, withdrawn_at__isnull=False)


def receipt(game: Game, sheet: OrderSet) -> str:
    return f"/parties/{game.key}/2/receipts/FRANCE/{sheet.receipt_number}/"


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
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"))
    game.memberships.create(person=person("Sylvain"), role=GameRole.PLAYER)
    assert client_of("Sylvain").get(receipt(game, kept(game))).status_code == 404
    assert sheets("Sylvain", game).json()["items"] == []


def test_a_sheet_set_aside_is_still_read_by_all_who_could() -> None:
    game = opened()
    phase_adjudication.adjudicate_phase(game, 1, timezone.now())
    hand_in(game, "FRANCE", [LINE])
    last = last_published_revision(game)
    assert last
    phase_corrections.roll_back_phase(
        game,
        ExpectedRevision.from_revision(last),
        hand=GameMasterActor(person(MASTER), GameRole.GAME_MASTER),
        now=timezone.now(),
    )
    assert client_of(MASTER).get(receipt(game, kept(fresh(game)))).status_code == 200


def test_the_terms_say_who_reads_a_draft() -> None:
    game = opened()
    page = client_of("Flora").get(f"/parties/{game.key}/infos/").text
    assert "Un brouillon non envoyé compte à l’échéance (sans" in page


def moment(game: Game) -> datetime:
    assert game.deadline
    return game.deadline


def test_what_counted_at_the_deadline_is_its_player_s_sheet() -> None:
    """He may take it with him like any other."""
    game = opened()
    phase_adjudication.adjudicate_phase(game, 1, moment(game) + timedelta(minutes=1))
    assert order_submission.counting_order_sets(game, 1)["FRANCE"].submitted_by == person("Flora")
