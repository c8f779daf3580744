"""At the desk: corrections, orders for somebody, words to all."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from talleyrand.web.games import order_submission
from talleyrand.web.games.models import Game, GameLogEntry, Gazette, OrderSet, PhaseRevision
from talleyrand.web.notifications.models import Notification
from tests.web.cast import ASSISTANT, MASTER, PLAYERS, client_of, person
from tests.web.games.desks import act, hidden, on, page_of, played, position, said, send

pytestmark = pytest.mark.django_db


# corrections


@pytest.mark.long
def test_a_correction_is_shown_before_it_is_saved() -> None:
    game = played()
    text = position(game).replace("A Munich", "A Silésie")
    sent = {**on(game), "text": text, "reason": "L’ordre était illisible."}
    shown = act(game, "position/", {**sent, "action": "look"})
    assert shown.status_code == 200
    assert "Armée Silésie, Allemagne" in shown.text
    assert "L’ordre était illisible." in shown.text
    unseen = act(game, "position/", {**sent, "action": "save"})
    assert unseen.status_code == 400
    assert PhaseRevision.objects.filter(game=game).count() == 2
    seen = {**sent, "seen": hidden(shown.text)["seen"], "action": "save"}
    assert act(game, "position/", seen).status_code == 302
    again = act(game, "position/", seen)
    assert again.status_code == 409
    assert "A Silésie" in again.text
    assert PhaseRevision.objects.filter(game=game, phase_number=1).count() == 2


def test_other_results_by_the_form() -> None:
    game = played()
    text = page_of(game, "correct/")
    found = re.search(r'<label for="result-(\d+)">A Munich - Bourgogne</label>', text)
    assert found is not None
    sent = {
        **on(game),
        f"result-{found[1]}": "moves",
        "text": position(game).replace("A Munich", "A Bourgogne"),
        "reason": "Mal lu.",
    }
    shown = act(game, "correct/", {**sent, "action": "look"})
    assert "Armée Bourgogne, Allemagne" in shown.text
    act(game, "correct/", {**sent, "seen": hidden(shown.text)["seen"], "action": "save"})
    last = PhaseRevision.objects.get(game=game, phase_number=1, is_current=True)
    assert (last.kind, last.reason, last.overrides[0]["after"]) == ("override", "Mal lu.", ["moves"])
    act(game, "restore/", on(game))
    assert PhaseRevision.objects.get(game=game, phase_number=1, is_current=True).kind == "adjudication"


NO_POSITIONS: tuple[Callable[[str], str], ...] = (
    lambda _text: "",
    lambda _text: "n'importe quoi",
    lambda text: text.replace("Positions", "Posisions"),
    lambda text: text.replace("Centres", ""),
    lambda text: text.replace("A Munich", "A Nulle-Part"),
    lambda text: text.replace("A Munich", "A Mer du Nord"),
    lambda text: text.replace("A Munich", "A Berlin"),
    lambda text: text.replace("classic", "trio"),
    lambda text: text.replace("F1901M", "F1901R"),
    lambda text: text.replace("F1901M", "Z1901M"),
    lambda text: text + "\nAutomne 1901\nFrance\nA Par H\n",
    lambda text: text + "\x00",
    lambda _text: "A" * 30_000,
    lambda _text: '{"units": {}}',
)


@pytest.mark.long
def test_a_position_that_makes_no_sense_comes_back_as_typed() -> None:
    game, client = played(), client_of(MASTER)
    text, ground = position(game), on(game)
    for number, change in enumerate(NO_POSITIONS):
        sent = {**ground, "text": change(text), "reason": "Une raison à garder.", "action": "look"}
        answer = act(game, "position/", sent, client)
        assert answer.status_code == 400, number
        assert "Une raison à garder." in answer.text
        assert 'role="alert"' in answer.text
    assert PhaseRevision.objects.filter(game=game).count() == 2


NO_CORRECTIONS = (
    {"result-0": "wins"},
    {"result-9999": "moves"},
    {"result-0": "moves+dislodged"},
    {"on": "0"},
    {"on": "7"},
    {"revision": "2"},
    {"on": "", "revision": ""},
    {"on": "²"},
)


@pytest.mark.long
def test_a_correction_that_no_page_offers_is_refused() -> None:
    game, client = played(), client_of(MASTER)
    text, ground = position(game), on(game)
    for more in NO_CORRECTIONS:
        sent = {**ground, "text": text, "reason": "Non.", "action": "look", **more}
        assert act(game, "correct/", sent, client).status_code == 409, more
    assert PhaseRevision.objects.filter(game=game).count() == 2


# orders for somebody


def test_orders_are_entered_by_the_game_masters_hand() -> None:
    game = played()
    sent = {**hidden(page_of(game, "orders/FRANCE/")), "sheet": "A Esp-Por\nF Bre H\nA Par-Zut"}
    client = client_of(MASTER)
    for _ in range(2):
        answer = act(game, "orders/FRANCE/", sent, client)
        assert answer.status_code == 302
    sheet = OrderSet.objects.get(game=game, phase_number=2)
    assert (sheet.origin, sheet.submitted_by, sheet.lines) == (
        "master",
        person(MASTER),
        ["A Esp-Por", "F Bre H", "A Par-Zut"],
    )
    text = said(answer, client)
    assert "A Espagne - Portugal" in text
    assert "Par-Zut" in text
    line = GameLogEntry.objects.get(kind="entered")
    assert (line.is_public, line.facts) == (True, {"power": "FRANCE", "phase": "F1901M"})
    (told,) = Notification.objects.filter(kind="orders_entered")
    assert (told.person, told.facts["power"]) == (person(PLAYERS[sheet.power]), sheet.power)
    assert "A " not in str(told.facts["phase"])


@pytest.mark.parametrize("sheet", ["", " \n\n", "FRANCE\n"])
def test_an_empty_set_of_orders_is_asked_about_first(sheet: str) -> None:
    game = played()
    send(game, "FRANCE", ["A Esp-Por"])
    sent = {**hidden(page_of(game, "orders/FRANCE/")), "sheet": sheet}
    asked = act(game, "orders/FRANCE/", sent)
    assert asked.status_code == 200
    assert "Les ordres reçus auparavant ne comptent plus." in asked.text
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].lines == ["A Esp-Por"]
    for _ in range(2):
        assert act(game, "orders/FRANCE/", hidden(asked.text)).status_code == 302
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].lines == []
    assert OrderSet.objects.filter(game=game, phase_number=2).count() == 2


def test_orders_are_entered_by_menus() -> None:
    game = played()
    send(game, "FRANCE", ["A Esp-Por"])
    sent = {**hidden(page_of(game, "orders/FRANCE/")), "order-BRE": "F BRE - ENG"}
    act(game, "orders/FRANCE/", sent)
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].lines[0] == "A Esp-Por"
    assert len(order_submission.counting_order_sets(game, 2)["FRANCE"].lines) == 2


NO_SHEETS = (
    ({"sheet": "ALLEMAGNE\nA Mun H"}, 400),
    ({"sheet": "A Esp-Por\x00"}, 400),
    ({"sheet": "x" * 200_000}, 400),
    ({"sheet": "A Esp-Por", "number": "1"}, 409),
    ({"sheet": "A Esp-Por", "number": "beaucoup"}, 409),
)


def test_orders_that_are_not_taken_come_back() -> None:
    game, client = played(), client_of(MASTER)
    form = hidden(page_of(game, "orders/FRANCE/"))
    for more, status in NO_SHEETS:
        answer = act(game, "orders/FRANCE/", {**form, **more}, client)
        assert answer.status_code == status, more
        assert more["sheet"][:7] in answer.text
    assert not OrderSet.objects.filter(game=game, phase_number=2).exists()


def test_no_orders_for_a_power_that_is_not_there() -> None:
    game = played()
    assert act(game, "orders/PRUSSIA/", {"sheet": "A Ber H"}).status_code == 404
    assert act(game, "seat/PRUSSIA/", {"action": "vacate"}).status_code == 404


# words


def test_a_gazette_is_published_once() -> None:
    game = played()
    for _ in range(2):
        act(
            game,
            "gazette/",
            {"phase": "1", "text": "La Bourgogne brûle.\n\nVive <b>la</b> paix."},
            client_of(ASSISTANT),
        )
    made = Gazette.objects.get(game=game)
    assert (made.phase_number, made.author) == (1, person(ASSISTANT))
    assert Notification.objects.filter(kind="gazette").count() == 10
    assert "&lt;b&gt;" in page_of(game)
    for _ in range(2):
        act(game, f"gazette/{made.pk}/remove/", {})
    assert not Gazette.objects.exists()


NO_GAZETTES: tuple[dict[str, str], ...] = (
    {},
    {"phase": "1", "text": " \n "},
    {"phase": "1", "text": "x" * 20_001},
    {"phase": "9", "text": "Trop tôt."},
    {"text": "Où ?"},
)


@pytest.mark.long
def test_a_gazette_of_the_start_is_headed_by_the_start() -> None:
    game = played()
    Gazette.objects.create(game=game, phase_number=0, text="Avant tout.")
    assert "<summary>Début de la partie – Avant tout.</summary>" in page_of(game)


@pytest.mark.long
def test_a_gazette_that_is_refused_comes_back() -> None:
    game, client = played(), client_of(MASTER)
    for sent in NO_GAZETTES:
        answer = act(game, "gazette/", sent, client)
        assert answer.status_code == 400, sent
        assert sent.get("text", "").strip() in answer.text
    assert not Gazette.objects.exists()


def test_a_gazette_of_another_game_is_not_ours() -> None:
    game = played()
    other = Game.objects.create(name="Autres actions", variant="classic", rulebook="anjou_feu")
    made = Gazette.objects.create(game=other, phase_number=0, text="Ailleurs.")
    act(game, f"gazette/{made.pk}/remove/", {})
    assert Gazette.objects.filter(pk=made.pk).exists()
