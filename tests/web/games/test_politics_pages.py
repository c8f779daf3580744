"""The pages of a game with votes: the debate, the forms, the tally, the table of states."""

from __future__ import annotations

import html
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from talleyrand.web.games.models import Game
from tests.web.cast import MASTER, OBSERVER, client_of, member
from tests.web.games.states import STATES, UN, begun, fresh, hand_in, played, player

pytestmark = pytest.mark.django_db
PACE: dict[str, Any] = {"movement": {"seconds": 259200}, "proposals": {"seconds": 86400}, "early": False}


def page(game: Game, name: str, path: str = "", language: str = "fr") -> str:
    folder = "parties" if language == "fr" else "games"
    prefix = "" if language == "fr" else "/en"
    answer = client_of(name).get(f"{prefix}/{folder}/{game.key}/{path}")
    assert answer.status_code == 200
    return " ".join(html.unescape(answer.content.decode()).split())


def key_of(text: str, title: str) -> str:
    """The key of the form that has a title."""
    found = re.search(rf'data-leaflet="([^"]+)"[^>]*> <summary>{re.escape(title)}', text)
    assert found, title
    return found[1]


def send(game: Game, power: str, change: Any, name: str = "") -> Any:
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=2))
    path = f"/parties/{game.key}/{fresh(game).phase_number}/orders/{power}/draft/"
    client = client_of(name or player(power))
    return client.post(path, json.dumps(change).encode(), content_type="application/json")


def fill(game: Game, power: str, title: str, *answers: str, name: str = "") -> Any:
    key = key_of(page(game, name or player(power)), title)
    return send(game, power, {"leaflets": {key: list(answers)}}, name)


def lines(game: Game, power: str) -> list[str]:
    return list(game.seats.get(power=power).draft_orders)


@pytest.mark.long
def test_a_proposal_is_chosen_and_shown_to_all_once_it_is_handed_in() -> None:
    game = begun(rhythm=PACE)
    played(game)
    played(game)
    told = fill(game, "UMAR", "Proposition politique", "1A RUSS 20").json()
    assert lines(game, "UMAR") == ["1A RUSS 20"]
    assert ["1A RUSS 20"] in told["leaflets"].values()
    member(game, OBSERVER, "observer")
    assert "Motion de confiance : Russie, +20 pV" not in page(game, OBSERVER)
    hand_in(game, "UMAR", "1A RUSS 20")
    for name in (OBSERVER, player("INDE"), MASTER):
        assert "Motion de confiance : Russie, +20 pV" in page(game, name)
    assert "Motion of confidence: Russia, +20 VP" in page(game, OBSERVER, language="en")


@pytest.mark.long
def test_the_secretary_general_sets_an_amount() -> None:
    game = begun(rhythm=PACE)
    played(game)
    played(game)
    hand_in(game, "UMAR", "1A : RUSS")
    fill(game, UN, "Montant :", "10", name=MASTER)
    assert lines(game, UN) == ["SET UMAR 1A RUSS 10"]
    hand_in(game, UN, *lines(game, UN))
    assert "Motion de confiance : Russie, +10 pV" in page(game, player("INDE"))


def test_in_autumn_the_form_says_what_the_winter_would_allow_as_things_stand() -> None:
    game = begun(rhythm=PACE)
    for _phase in range(3):
        played(game)
    assert fresh(game).phase == "F2001M"
    told = send(game, "ETUN", {"sheet": "M WAS H\nAide : 1 : RUSS"}).json()
    assert told["outlook"].startswith("Avec les centres et l’aide actuels, avant les votes")
    assert "11 unités permises cet hiver, 11 unités." in told["outlook"]
    assert "10 unités." in send(game, "ETUN", {"sheet": "- M WAS"}).json()["outlook"]
    assert "11 units allowed in winter, 10 units." in page(game, player("ETUN"), language="en")


@pytest.mark.long
def test_ballots_by_touch_and_the_tally() -> None:
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M MOR - ROU"], "CHIN": ["2 : M MOR ×××"]})
    text = page(game, player("INDE"))
    assert 'type="radio"' in text
    fill(game, "INDE", "Vote sur les missions", "CHIN")
    assert lines(game, "INDE") == ["2 CHIN"]
    fill(game, "INDE", "Vote sur les missions", "UMAR")
    assert lines(game, "INDE") == ["2 UMAR"]
    fill(game, "INDE", "Vote sur les missions", "")
    assert lines(game, "INDE") == []
    played(game, {"INDE": ["2) UMAR"], "RUSS": ["2) CHIN"], UN: ["Classement 2 : CHIN, UMAR"]})
    text = page(game, player("INDE"), "2/")
    assert "Égalité, départagée par le secrétaire général." in text
    assert "✓" in text


@pytest.mark.long
def test_an_intervention_is_announced_to_all() -> None:
    game = begun(rhythm=PACE)
    hand_in(game, UN, "pInt : PYO")
    for name in (player("CHIN"), player("INDE"), "Quelqu’un"):
        assert "Intervention annoncée" in page(game, name)
    played(game)
    for path in ("", "1/", "2/"):
        assert page(game, player("CHIN"), path).count(">Intervention annoncée<") == 1
    played(game)
    assert ">Intervention annoncée<" not in page(game, player("CHIN"))


def test_nobody_is_threatened_for_proposing_nothing() -> None:
    game = begun(rhythm=PACE)
    with override("fr"):
        now = reverse("games:desk_adjudicate", args=[game.key])
    assert "Personne n’est tenu de proposer." in html.unescape(client_of(MASTER).get(now).text)
    played(game)
    assert "désordre civil" in html.unescape(client_of(MASTER).get(now).text)


@pytest.mark.long
def test_aid_and_subversion() -> None:
    game = begun(rhythm=PACE)
    played(game)
    fill(game, "ETUN", "Programme d’aide", "1 MEXI", "", "")
    fill(game, "MCCA", "Action subversive (AS)", "AS BOG")
    assert (lines(game, "ETUN"), lines(game, "MCCA")) == (["AID 1 MEXI"], ["AS BOG"])
    assert "Action subversive (AS)</summary>" not in page(game, player("ETUN"))
    played(game, {"ETUN": lines(game, "ETUN"), "MCCA": lines(game, "MCCA")})
    text = page(game, player("INDE"), "2/")
    assert f"{game.key}/2/why/BOG/" in text
    why = html.unescape(page(game, player("INDE"), "2/why/BOG/"))
    assert "Arrêtée par l’action subversive du Marché commun centre-américain" in why
    for table in ("Actions subversives et intervention", "Programmes d’aide"):
        assert f">{table}</summary>" in text
    assert f">{table}</h3>" in page(game, player("INDE"), "2/report/")


@pytest.mark.long
def test_a_combined_line_keeps_its_other_ballots() -> None:
    game = begun(rhythm=PACE)
    played(game)
    played(game)
    played(game, {"UMAR": ["1A : RUSS", "2 : M MOR ×××", "3A : OPTO"]})
    send(game, "INDE", {"sheet": "1) UMAR / 2) Aucune / 3) UMAR"})
    fill(game, "INDE", "Vote sur les missions", "UMAR")
    assert lines(game, "INDE") == ["1 UMAR / 3 UMAR", "2 UMAR"]


@pytest.mark.parametrize(
    "line", ["2) UMAR", "Missions : UMAR", "2 : None", "2) Abstention", "Aide : 1 : MEXI", "AS : BOG"]
)
def test_a_sheet_of_one_line_in_the_words_of_the_rules(line: str) -> None:
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M MOR ×××"]})
    send(game, "MCCA", {"sheet": line})
    assert lines(game, "MCCA") == [line]


def test_nothing_is_taken_that_was_not_offered() -> None:
    game = begun(rhythm=PACE)
    played(game)
    text = page(game, player("ETUN"))
    key = key_of(text, "Programme d’aide")
    for change in (
        {key: ["1 ETUN", "", ""]},
        {key: ["1 MEXI"]},
        {key: "1 MEXI"},
        {key: [1, 2, 3]},
        {"INDE.0": ["1 MEXI", "", ""]},
        {"nobody.77": [""]},
    ):
        answer = send(game, "ETUN", {"leaflets": change})
        assert answer.status_code == 400, change
        assert lines(game, "ETUN") == []


def test_the_forms_without_scripts() -> None:
    game = begun(rhythm=PACE)
    played(game)
    key = key_of(page(game, player("ETUN")), "Programme d’aide")
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=2))
    path = f"/parties/{game.key}/2/orders/ETUN/"
    form = {f"leaflet-{key}-0": "1 MEXI", f"leaflet-{key}-1": "", f"leaflet-{key}-2": "3 OPTO"}
    answer = client_of(player("ETUN")).post(path, {"action": "save", "submission": "s" * 22, **form})
    assert answer.status_code == 302
    assert lines(game, "ETUN") == ["AID 1 MEXI / 3 OPTO"]


def winter() -> Game:
    """A winter in which Mexico has one point of aid."""
    game = begun(rhythm=PACE)
    played(game)
    played(game, {"ETUN": ["Aide : 1 : MEXI"]})
    played(game)
    played(game)
    assert fresh(game).phase == "W2001A"
    return game


@pytest.mark.long
def test_what_the_orders_lead_to_is_said_before_they_are_sent() -> None:
    game = winter()
    assert "Après ces ordres : 4 unités permises, 3 unités." in page(game, player("MEXI"))
    told = send(game, "MEXI", {"sheet": "V MEX"}).json()
    assert told["outlook"] == "Après ces ordres : 4 unités permises, 3 unités."  # occupied
    assert "After these orders: 4 units allowed, 3 units." in page(game, player("MEXI"), language="en")


def test_the_table_of_states() -> None:
    game = winter()
    text = page(game, "Quelqu’un")
    for title in ("Unités permises", "Points actuels", "Calcul", "Aide donnée", "Aide reçue", "pAS"):
        assert f'<th scope="col">{title}</th>' in text
    row = text[text.rindex("Mexique</th>") :][:200]
    assert "États-Unis" in row, row


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("name", [MASTER, player("ETUN"), player("MCCA"), "Quelqu’un"])
def test_every_page_of_a_year_is_shown(language: str, name: str) -> None:
    game = begun(rhythm=PACE)
    played(game, {"UMAR": ["2 : M WAS - ABE / M MOR S F ROU"], UN: ["pInt : PYO"]})
    played(game, {"CHIN": ["2) UMAR", "A BEI - PYO"], "MCCA": ["AS : BOG"], "ETUN": ["Aide : 1 : MEXI"]})
    played(game, {"UMAR": ["1A : RUSS", "3A : OPTO"], UN: ["UMAR 1A : 10 pV pour RUSS"]})
    played(game, {"RUSS": ["1) UMAR / 3) UMAR"]})
    played(game, {"OPTO": ["M BOG"], "CAOR": ["M (OPTO) BOG"]})
    for number in range(1, 7):
        text = page(game, name, f"{number}/", language)
        assert "Traceback" not in text
        for path in ("report/", "map.svg"):
            page_of = f"/{'parties' if language == 'fr' else 'en/games'}/{game.key}/{number}/{path}"
            assert client_of(name).get(page_of).status_code in (200, 404), page_of
    assert len(STATES) == 21
