"""The pages of a game for each role, in both languages; nobody's secret is in any of them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand import variants
from talleyrand.formats.game_record import read_game_record, replay
from talleyrand.web.accounts.models import Person
from talleyrand.web.background import generated_documents
from talleyrand.web.background.models import GeneratedDocument
from talleyrand.web.common import visitor_quota
from talleyrand.web.games import first_phase, phase_adjudication, power_assignments
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.game_settings import GameSettings
from talleyrand.web.games.models import Game, GameRole, GameSeat, GameState, Gazette, PhaseRevision
from talleyrand.web.games.phase_pages.game_board import game_board_or_404
from talleyrand.web.games.viewer_permissions import GameViewer
from talleyrand.web.notifications.models import Notification, TopicVersion
from talleyrand.web.practice.models import PracticeGame
from tests.web.cast import deal, member, person, table
from tests.web.games.playing import SPRING, Window, played, running

pytestmark = pytest.mark.django_db
EVERYBODY = ["Flora", "Gaspard", "Maëlle", "Armand", "Oscar", "Sylvain", ""]
PREFIXES = ["", "/en"]
SECRET = "F AtM - Por"
TOLD = (SECRET, "F MAO - POR", "F Atlantique moyen", "A SPA - GAS", "A Esp - Gas")
OPEN_PAGES = ["", "2/", "2/scene.json", "2/map.svg", "now.json", "game.json", "game.txt"]
PUBLISHED = ["1/", "1/scene.json", "1/map.svg", "1/report/", "1/why/PAR/", "1/why/PAR/steps.json"]


def second_phase() -> Game:
    """A game with one phase published and the next one open, in which France has handed in."""
    game = running()
    played(game)
    flora = Window(game, "Flora")
    assert flora.act("hand_in", [SECRET], number=2).status_code == 200
    return game


@pytest.fixture(scope="module")
def begun(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """One such game for the whole file; what a test does to it is rolled back."""
    with django_db_blocker.unblock():
        made = second_phase()
        yield made.pk
        for model in (Game, Person, Notification, TopicVersion):
            model.objects.all().delete()


@pytest.fixture
def game(db: None, begun: int) -> Game:
    return Game.objects.get(pk=begun)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("name", EVERYBODY)
def test_every_page_opens_for_all_who_may_look(name: str, prefix: str, game: Game) -> None:
    window = Window(game, name, prefix=prefix)
    for path in (*OPEN_PAGES, *PUBLISHED, "1/revisions/1/"):
        assert window.get(path).status_code == 200, path
    page = window.get().text
    assert ("Spring 1901" if prefix else "Printemps 1901") in window.get("1/").text
    assert ("Variant" if prefix else "Variante") in page


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", [one for one in EVERYBODY if one not in ("Flora", "Maëlle")])
def test_nobody_else_sees_orders_of_the_open_phase(name: str, game: Game) -> None:
    Window(game, "Flora").draft({"orders": {"SPA": "A SPA - GAS"}}, number=2)
    window = Window(game, name)
    for path in (*OPEN_PAGES, *PUBLISHED):
        answer = window.get(path)
        body = answer.content.decode("utf-8", "replace")
        for told in TOLD:
            assert told not in body, (path, told)
    assert (
        'data-province="BRE"' not in json.loads(window.get("2/scene.json").content)["layers"]["layer-orders"]
    )


def test_a_player_sees_his_own_orders_and_the_master_all_that_were_handed_in(game: Game) -> None:
    for name in ("Flora", "Maëlle"):
        window = Window(game, name)
        assert SECRET in window.get().text
        layers = json.loads(window.get("2/scene.json").content)["layers"]
        assert 'data-province="MAO"' in layers["layer-orders"]
        assert "data-province" not in orders_of(window.get("2/map.svg").text)  # what leaves the site


def orders_of(svg: str) -> str:
    return svg.partition('id="layer-orders"')[2].partition("</g>")[0]


def test_the_master_sees_each_state_and_orders_nothing_here(game: Game) -> None:
    page = Window(game, "Maëlle").get().text
    assert page.count('class="sheet-state state-') == 7
    assert "data-draft-url" not in page


def test_a_hidden_game_is_not_there_for_strangers(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(is_listed=False)
    for name in ("Sylvain", ""):
        for path in (*OPEN_PAGES, *PUBLISHED, "1/map.png", "game.pdf", "1/report.pdf"):
            assert Window(game, name).get(path).status_code == 404, path


@pytest.mark.parametrize(
    "path", ["0/", "4/", "99/", "1/revisions/2/", "0/revisions/1/", "1/map.gif", "game.exe"]
)
def test_what_is_not_there(path: str, game: Game) -> None:
    assert Window(game, "Flora").get(path).status_code == 404


def test_another_players_power_is_not_to_be_asked_for(game: Game) -> None:
    assert Window(game, "Gaspard").get("?power=FRANCE").status_code == 404
    assert Window(game, "Flora").get("?power=FRANCE").status_code == 200


def test_a_player_of_several_powers_chooses_which(client: Any) -> None:
    game = running()
    deal(game, "ITALY", "Flora")
    flora = Window(game, "Flora", power="ITALY")
    page = flora.get("?power=ITALY").text
    assert "/orders/ITALY/" in page
    assert page.count('data-state-of="') == 2
    assert flora.draft({"orders": {"ROM": "A ROM - TUS"}}).status_code == 200
    assert Window(game, "Flora").draft({"orders": {"ROM": "A ROM - TUS"}}).status_code == 400


def test_who_has_lent_his_seat_sees_its_orders_and_gives_none() -> None:
    game = running()
    power_assignments.assign_power(game, "FRANCE", person("Oscar"), stand_in=True)
    flora = Window(game, "Flora")
    page = flora.get().text
    assert "Un suppléant joue cette puissance pour vous" in page
    assert "data-draft-url" not in page
    assert flora.act("hand_in", []).status_code == 404


@pytest.mark.long
def test_a_table_that_gathers_has_its_page() -> None:
    game = table(begun=False)
    assert "En attente de joueurs" in Window(game, "Flora").get().text
    assert Window(game, "Flora").get("game.json").status_code == 404
    assert Window(game, "Flora").act("hand_in", []).status_code in (404, 409)


def test_a_game_that_is_over_shows_its_end(game: Game) -> None:
    result = {"kind": "solo", "powers": ["FRANCE"]}
    played(game, {})
    last = game.revisions.get(phase_number=2)
    PhaseRevision.objects.filter(pk=last.pk).update(next_situation=None)
    Game.objects.filter(pk=game.pk).update(
        state=GameState.ENDED, ended_at=timezone.now(), result=result, phase="", phase_number=2, deadline=None
    )
    for name in EVERYBODY:
        page = Window(game, name).get().text
        assert "La France" in page or "Victoire\u00a0: France" in page
        assert "La partie est finie" in page
        assert "data-draft-url" not in page


def test_published_phases_have_a_strong_tag_of_their_revision(game: Game) -> None:
    window = Window(game, "Oscar")
    for path in ("1/scene.json", "1/map.svg", "game.json", "game.txt"):
        first = window.get(path)
        tag = first["ETag"]
        assert tag.startswith('"')
        assert "private" in first["Cache-Control"]
        again = window.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        corrected(window.game)
        assert window.get(path)["ETag"] != tag, path
    assert not window.get("2/scene.json").has_header("ETag")


def corrected(game: Game, reason: str = "La flotte avait été mal lue.") -> PhaseRevision:
    """The game master's correction of the first phase: the army of Marseilles stays."""
    old = game.revisions.get(phase_number=1, is_current=True)
    answer = json.loads(json.dumps(old.answer))
    at = next(n for n, one in enumerate(answer["orders"]) if one["unit"] == "A MAR")
    changes = [
        {"at": at, "power": "FRANCE", "unit": "A MAR", "order": "A MAR - SPA", "line": "A Mar - Esp",
         "before": ["moves"], "after": ["bounces"]}
    ]  # fmt: skip
    answer["orders"][at]["results"] = ["bounces"]
    units = [one.replace("A SPA", "A MAR") for one in answer["units"]["FRANCE"]]
    answer["units"]["FRANCE"] = units
    after = {**(old.next_situation or {}), "units": answer["units"]}
    PhaseRevision.objects.filter(pk=old.pk).update(is_current=False, withdrawn_at=timezone.now())
    return PhaseRevision.objects.create(
        game=game, phase_number=1, revision=old.revision + 1, kind="override", phase=old.phase,
        situation=old.situation, order_lines=old.order_lines,
        powers_without_orders=old.powers_without_orders, digest=old.digest, answer=answer,
        next_situation=after, overrides=changes, reason=reason,
    )  # fmt: skip


@pytest.mark.long
def test_a_correction_is_told_with_its_reason_and_the_former_publication_stays_readable(game: Game) -> None:
    corrected(game)
    for name in ("Flora", "Maëlle", ""):
        window = Window(game, name)
        for path in ("", "1/"):
            assert "La flotte avait été mal lue." in window.get(path).text
        page = window.get("1/").text
        assert "retirée" in page
        assert "ne sont plus en vigueur" in window.get("1/revisions/1/").text
        assert window.get("1/revisions/2/").status_code == 200
        assert "/1/why/" not in page


def followed(answer: Any) -> dict[str, Any]:
    """What became of the orders, however they were written."""
    orders = [{name: fact for name, fact in one.items() if name != "line"} for one in answer["orders"]]
    return {"orders": orders, "units": answer["units"], "centers": answer["centers"]}


def test_the_record_of_a_corrected_game_replays_to_what_was_published(game: Game) -> None:
    corrected(game)
    record = json.loads(Window(game, "Oscar").get("game.json").content)
    assert [one["phase"] for one in record["phases"]] == ["S1901M"]
    assert record["seed"] == ""
    played(game, SPRING)
    record = json.loads(Window(game, "Oscar").get("game.json").content)
    again = list(replay(read_game_record(record)))
    told = GameHistory(game).revisions[2].answer
    assert told is not None
    assert followed(again[1].answer()) == followed(told)


def test_the_record_holds_the_seed_once_the_game_is_over(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state=GameState.ABANDONED, ended_at=timezone.now())
    record = json.loads(Window(game, "").get("game.json").content)
    assert record["seed"] == game.seed
    assert "graine : 1901" in Window(game, "").get("game.txt").text


def test_no_export_tells_in_which_language_somebody_plays() -> None:
    told = []
    for lines in (["A Mun - Bou", "Flotte Kiel - Hollande"], ["Army Munich - Burgundy", "F Kie - Hol"]):
        game = running()
        played(game, {"GERMANY": lines})
        window = Window(game, "Oscar")
        window.client.post(f"/parties/{game.key}/1/copy/", {"submission": game.key * 2})
        copied = PracticeGame.objects.get(submission_id=game.key * 2).draft_orders["GERMANY"]
        told.append((window.get("game.json").text, window.get("game.txt").text, copied))
    assert told[0] == told[1]
    assert "A Mun - Bou" in told[0][1]
    assert "A MUN - BUR" in told[0][0]


def test_exports_hold_what_is_published_alone(game: Game) -> None:
    text = Window(game, "Flora").get("game.txt").text
    assert "A Par - Bou" in text
    assert SECRET not in text


@pytest.mark.long
@pytest.mark.parametrize("prefix", PREFIXES)
def test_the_report_has_map_orders_reasons_centres_and_gazette(prefix: str, game: Game, full: bool) -> None:
    """The PDF in one language alone, without `--full`."""
    Gazette.objects.create(game=game, phase_number=1, text="La guerre <gronde>.\n\nÀ bientôt.")
    Gazette.objects.create(game=game, phase_number=2, text="Pas encore.")
    window = Window(game, "Oscar", prefix=prefix)
    page = window.get("1/report/").text
    for told in (
        "La guerre &lt;gronde&gt;.",
        "<svg",
        "A Paris - Burgundy" if prefix else "A Paris - Bourgogne",
    ):
        assert told in page, told
    assert "Pas encore" not in page
    assert window.get("2/report/").status_code == 404
    if prefix and not full:
        return
    pdf = window.get("1/report.pdf")
    assert pdf.status_code == 200
    assert pdf.content.startswith(b"%PDF")
    assert window.get("1/report.pdf", headers={"If-None-Match": pdf["ETag"]}).status_code == 304


@pytest.mark.long
def test_the_whole_game_as_pdf(game: Game) -> None:
    answer = Window(game, "Oscar").get("game.pdf")
    assert answer.content.startswith(b"%PDF")
    assert "Flora" not in answer["Content-Disposition"]


@pytest.mark.long
def test_a_picture_of_the_open_phase_is_a_picture(game: Game) -> None:
    from PIL import Image

    answer = Window(game, "Gaspard").get("2/map.png")
    assert Image.open(io.BytesIO(answer.content)).width == 1600
    assert "no-store" in answer["Cache-Control"] or "no-cache" in answer["Cache-Control"]


@pytest.mark.long
def test_a_published_phase_as_a_picture_that_moves(game: Game) -> None:
    """Before, the orders, after: under the name of the game, with nothing of the open phase and no person."""
    from PIL import Image

    Window(game, "Flora").draft({"orders": {"SPA": "A SPA - GAS"}}, number=2)
    answer = Window(game, "Gaspard").get("1/map.apng")
    assert answer["Content-Type"] == "image/png"
    assert "-animation.png" in answer["Content-Disposition"]
    frames = Image.open(io.BytesIO(answer.content))
    assert (frames.format, getattr(frames, "n_frames", 1), frames.width) == ("PNG", 3, 800)
    assert len(answer.content) < 1_500_000
    again = Window(game, "Gaspard").get("1/map.apng", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    for name in ("Flora", "Maëlle"):
        board = game_board_or_404(GameViewer.for_user(game, person(name)), 1)
        before, during, after = board.maps_of_phase
        assert (before.orders, after.orders) == ({}, {})
        assert during.verdicts
        assert SECRET not in repr(during)
        assert str(after.position.phase) == "F1901M"
    svg = Window(game, "Gaspard").get("1/map.svg").text
    assert ">La table ronde</text>" in svg
    assert "Flora" not in svg


def test_no_picture_moves_for_whom_it_is_not(game: Game) -> None:
    """Of the open phase, of phases that are not, of forms that are not, and of a game one may not open."""
    for path in ("2/map.apng", "3/map.apng", "0/map.apng", "1/map.gif", "1/map.apng.png"):
        assert Window(game, "Maëlle").get(path).status_code == 404, path
    assert "map.apng" not in Window(game, "Maëlle").get("2/").text
    assert "map.apng" in Window(game, "Sylvain").get("1/").text
    private = running(watching="invited")
    played(private)
    for name in ("", "Sylvain"):
        assert Window(private, name).get("1/map.apng").status_code == 404


def test_pictures_are_paid_from_the_purse_of_who_asks(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor_quota, "quota_exceeded", lambda _visitor: True)
    for path in ("1/map.png", "1/map.apng"):
        assert Window(game, "Gaspard").get(path).status_code == 429
    assert not GeneratedDocument.objects.exists()
    monkeypatch.undo()
    monkeypatch.setattr(generated_documents, "_have_made", lambda _name: None)  # nobody makes any
    monkeypatch.setattr(generated_documents, "MOST_A_VISITOR", 1)
    monkeypatch.setattr(generated_documents, "LOOK", 0.0)
    monkeypatch.setattr(generated_documents, "wait_slot", lambda _longest: nullcontext(0.0))
    for path in ("1/map.apng", "1/map.png", "1/map.apng"):
        assert Window(game, "Gaspard").get(path).status_code == 202, path
    assert GeneratedDocument.objects.count() == 1  # whoever has one waiting asks for no other


@pytest.mark.long
def test_an_ended_game_moves_to_where_it_ended(game: Game) -> None:
    played(game)
    Game.objects.filter(pk=game.pk).update(state=GameState.ENDED, phase="", ended_at=timezone.now())
    assert Window(game, "Gaspard").get("2/map.apng").status_code == 200


def test_a_phase_goes_on_as_a_practice_game(game: Game) -> None:
    for number, known in ((1, True), (2, False)):
        answer = Window(game, "Gaspard").client.post(
            f"/parties/{game.key}/{number}/copy/", {"submission": f"{number}" * 22}
        )
        assert answer.status_code == 302
        own = PracticeGame.objects.get(submission_id=f"{number}" * 22)
        assert own.seed != game.seed
        assert ("A Par - Bou" in own.draft_orders.get("FRANCE", [])) is known
        assert SECRET not in json.dumps(own.draft_orders)


def test_a_page_can_ask_whether_it_is_out_of_date(game: Game) -> None:
    window = Window(game, "Gaspard")
    before = json.loads(window.get("now.json").content)
    Window(window.game, "Flora").act("final", [SECRET], number=2, submission="n" * 22)
    assert json.loads(window.get("now.json").content) == before  # nobody hears of a sheet
    Game.objects.filter(pk=window.game.pk).update(deadline=timezone.now() + timedelta(days=9))
    after = json.loads(window.get("now.json").content)
    assert after["number"] == before["number"]
    assert after["edition"] != before["edition"]


def test_no_page_of_an_anonymous_game_names_a_person(game: Game) -> None:
    window = Window(game, "Oscar")
    for path in (*OPEN_PAGES, *PUBLISHED):
        body = window.get(path).content.decode("utf-8", "replace")
        for name in ("Flora", "Gaspard", "Agathe", "Maëlle", "Armand"):
            assert name not in body, (path, name)


def test_who_had_no_sheet_and_what_was_drawn_by_lot_is_told(game: Game) -> None:
    revision = game.revisions.get(phase_number=1)
    lot = {"what": "removal", "drawn": "A MUN", "power": "GERMANY", "among": ["A BER", "A MUN"]}
    answer = {**(revision.answer or {}), "chance": [lot]}
    PhaseRevision.objects.filter(pk=revision.pk).update(powers_without_orders=["TURKEY"], answer=answer)
    for path in ("1/", "1/report/"):
        page = Window(game, "").get(path).text
        assert "Turquie" in page.partition("Pas d’ordres reçus, désordre civil")[2][:40]
        assert "Tirage au sort (Allemagne)\u00a0: Armée Munich, parmi Armée Berlin, Armée Munich." in page


def test_a_phase_taken_back_is_open_again_and_its_publication_readable(game: Game) -> None:
    PhaseRevision.objects.filter(game=game, phase_number=1).update(
        is_current=False, withdrawn_at=timezone.now()
    )
    Game.objects.filter(pk=game.pk).update(phase_number=1, phase="S1901M")
    for name in ("Flora", "Oscar", ""):
        page = Window(game, name).get().text
        assert "Elle est de nouveau en cours, avec les ordres envoyés alors" in page
        assert "/1/revisions/1/" in page
        assert "ne sont plus en vigueur" in Window(game, name).get("1/revisions/1/").text
        assert Window(game, name).get("2/").status_code == 404


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"state": GameState.PAUSED, "time_left_when_paused": timedelta(hours=30)}, "En pause"),
        ({"state": GameState.PAUSED}, "La partie est en pause"),
        (
            {"adjudication_error": "KeyError in phase 2"},
            "Cette phase n’a pas pu être résolue\u202f; la partie est bloquée",
        ),
        ({"deadline": None}, "Pas d’échéance"),
    ],
)
def test_the_head_says_what_everybody_must_know(game: Game, change: dict[str, Any], said: str) -> None:
    Game.objects.filter(pk=game.pk).update(**change)
    for name in ("Flora", "Oscar", ""):
        page = Window(game, name).get().text
        assert said in page
        assert "KeyError" not in page


def test_a_seat_without_player_is_called_so(game: Game) -> None:
    power_assignments.end_assignment(game, "ITALY")
    assert "Place libre\u00a0: Italie" in Window(game, "Oscar").get().text


def test_a_board_names_the_book_of_its_game() -> None:
    game = table()
    own = {"extends": "anjou_feu", "name": "Maison", "title": {"fr": "Règles maison", "en": "House rules"}}
    Game.objects.filter(pk=game.pk).update(rulebook=own)
    assert "Règles maison" in Client().get(f"/parties/{game.key}/1/").text
    assert "Règles maison" in Client().get(f"/parties/{game.key}/infos/").text


@pytest.mark.parametrize(
    ("variant", "rulebook"),
    [("trio", "anjou_feu"), ("classic", {"extends": "anjou_feu"}), ("sandad", "anjou_feu")],
)
def test_boards_and_books_of_every_kind_have_their_pages(db: None, variant: str, rulebook: Any) -> None:
    board = variants.load(variant).board
    made = Game.objects.create(
        name="Autre table", variant=variant, rulebook=rulebook, settings_json=GameSettings().as_json()
    )
    member(made, "Flora", GameRole.PLAYER)
    for power in board.powers:
        GameSeat.objects.create(game=made, power=power)
    power_assignments.assign_power(made, board.powers[0], person("Flora"))
    made = first_phase.open_first_phase(made, timezone.now())
    flora = Window(made, "Flora", power=board.powers[0])
    assert flora.get().status_code == 200
    assert flora.act("final", []).status_code == 200
    phase_adjudication.adjudicate_phase(made, 1, timezone.now())
    for path in ("", "1/", "1/scene.json", "1/report/", "game.json", "game.txt", "2/map.svg"):
        assert flora.get(path).status_code == 200, path
