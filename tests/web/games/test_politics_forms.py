"""The forms of a game with votes: what they say before one hands in, and after."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.games.models import Game
from tests.web.cast import MASTER, client_of
from tests.web.games.states import UN, begun, fresh, hand_in, played, player
from tests.web.games.test_politics_pages import PACE, fill, lines, page, send

pytestmark = pytest.mark.django_db


def autumn() -> Any:
    """A debate on politics, missions and economy."""
    game = begun(rhythm=PACE)
    played(game)
    played(game)
    return game


@pytest.mark.long
def test_an_amount_is_read_with_what_is_proposed() -> None:
    game = autumn()
    hand_in(game, "CASO", "1A : CASO")
    told = fill(game, UN, "Montant :", "5", name=MASTER).json()
    assert ["5"] in told["leaflets"].values()
    assert "✕" not in told["readings"]
    text = page(game, MASTER)
    assert 'value="5" selected' in text
    assert "SET CASO 1A CASO 5" in text
    assert '<span class="why">' not in text
    assert lines(game, UN) == ["SET CASO 1A CASO 5"]
    hand_in(game, UN, *lines(game, UN))
    assert 'value="5" selected' in page(game, MASTER)
    receipt = f"{fresh(game).phase_number}/receipts/{UN}/1/"
    assert "✕" not in page(game, MASTER, receipt)
    played(game)
    assert "✕" not in page(game, MASTER, receipt)


def test_a_second_proposal_of_a_type_is_told_which_one_stands() -> None:
    game = autumn()
    hand_in(game, "UMAR", "1A : RUSS")
    told = send(game, "UMAR", {"sheet": "1B : INDE"}).json()
    assert "✕" in told["readings"]
    assert "1A RUSS" in told["readings"]
    assert "1A RUSS 20" not in lines(game, "UMAR")
    told = send(game, "UMAR", {"sheet": "1A : RUSS"}).json()
    assert "✕" not in told["readings"]


def test_an_intervention_is_read_with_what_is_announced() -> None:
    game = autumn()
    hand_in(game, UN, "pInt : PYO")
    text = page(game, MASTER)
    assert 'value="AS PYO" selected' in text
    assert '<span class="why">' not in text
    assert "✕" in send(game, UN, {"sheet": "pInt : BOG"}, MASTER).json()["readings"]


@pytest.mark.long
def test_an_m_abroad_waits_for_its_host() -> None:
    game = autumn()
    played(game)
    played(game, {"ETUN": ["Aide : 1 : MEXI"], "MCSU": ["V BRA - AMA", "A BRA - AMA"]})
    assert fresh(game).phase == "W2001A"
    told = fill(game, "MEXI", "Construire une M à l’étranger", "M BRA B").json()
    assert ["M BRA B"] in told["leaflets"].values()
    hoped = "4 unités permises, 3 unités, ou 4 si d’autres états autorisent les M à l’étranger."
    for _ in range(2):
        assert told["outlook"] == f"Après ces ordres : {hoped}"
        assert "Ne sera construite que si les ordres du Mercosur l’autorisent" in told["readings"]
        assert "✕" not in told["readings"]
        text = page(game, player("MEXI"))
        assert 'value="M BRA B" selected' in text
        hand_in(game, "MCSU", "M (MEXI) BRA")
        told = send(game, "MEXI", {"sheet": "M BRA"}).json()
    english = page(game, player("MEXI"), language="en")
    assert "After these orders: 4 units allowed, 3 units, or 4 if" in english


def test_an_option_says_the_whole_proposal() -> None:
    game = autumn()
    text = page(game, player("UMAR"))
    for words, said in (
        ("1A RUSS 20", "Motion de confiance\xa0: Russie"),
        ("1B RUSS 20", "Motion de censure\xa0: Russie"),
        ("1D CASO 2", "Disgrâce\xa0: Coopération d’Asie du Sud-Ouest"),
        ("3A NONE", "Point du FMI\xa0: personne"),
        ("3B RUSS", "Embargo\xa0: Russie"),
    ):
        assert f'<option value="{words}">{said}' in text.replace(" :", "\xa0:")
    english = page(game, player("UMAR"), language="en")
    assert '<option value="1C RUSS">Return to grace: Russia' in english


def test_an_option_of_a_mission_leaves_its_unit_to_the_label() -> None:
    game = begun(rhythm=PACE)
    text = page(game, player("UMAR"))
    options = re.findall(r'<option value="M MOR [^"]*"[^>]*>([^<]*)', text)
    assert options
    assert not [said for said in options if "Méditerranée orientale" in said]
    assert "- Ankara" in options
    assert "tient" in options


@pytest.mark.long
def test_a_ballot_says_what_is_proposed() -> None:
    game = autumn()
    played(game, {"UMAR": ["1A : RUSS", "2 : M MOR - ROU"], "INDE": ["1D : RUSS"], UN: []})
    text = page(game, player("CHIN"))
    option = re.search(r'name="leaflet-[^"]+" value="INDE"> <span>([^<]*)', text)
    assert option
    assert "disgrâce : Russie" in option[1].replace("\xa0", " ")
    ranking = page(game, MASTER)
    option = re.search(
        r"<(?:span|option)[^>]*>(Union indienne[^<]*)",
        ranking[ranking.index("En cas d’égalité au vote politique") :],
    )
    assert option
    assert "disgrâce : Russie" in option[1].replace("\xa0", " ")


def test_two_amounts_for_one_state_name_their_proposers() -> None:
    game = autumn()
    hand_in(game, "UMAR", "1A : RUSS")
    hand_in(game, "INDE", "1A : RUSS")
    titles = re.findall(r"<summary>(Montant[^<]*)", page(game, MASTER))
    assert len(set(titles)) == 2
    assert any("Union indienne" in title for title in titles)


@pytest.mark.long
def test_what_cannot_be_withdrawn_is_said_before_and_after() -> None:
    game = autumn()
    before = "Ne pourra plus être retiré une fois envoyé : motion de censure : Union indienne"
    after = ") comptent, et leurs propositions ne peuvent plus être"
    assert "Ne pourra plus être retiré une fois envoyé" not in page(game, player("UMAR"))
    told = fill(game, "UMAR", "Proposition politique", "1B INDE 20").json()
    assert before in told["outlook"].replace("\xa0", " ")
    assert before in page(game, player("UMAR")).replace("\xa0", " ")
    hand_in(game, "UMAR", "1B INDE 20")
    text = page(game, player("UMAR"))
    assert "Ne pourra plus être retiré une fois envoyé" not in text
    assert after in text
    assert "ils seront joués sauf nouvel envoi" not in text
    hand_in(game, UN, "SET UMAR 1B INDE 10")
    assert "ils seront joués sauf nouvel envoi" in page(game, MASTER)
    told = fill(game, "UMAR", "Proposition politique", "1C CHIN").json()
    assert "Ne pourra plus être retiré une fois envoyé" not in told["outlook"]
    assert "1B IND" in told["readings"]


def disgraced() -> Any:
    """The spring of 2002, Russia being in disgrace, in its debate."""
    game = autumn()
    played(game, {"UMAR": ["1D : RUSS"]})
    played(game, {"UMAR": ["1) UMAR"]})
    played(game)
    assert fresh(game).phase == "S2002P"
    return game


@pytest.mark.long
def test_a_state_in_disgrace_is_told_so() -> None:
    game = disgraced()
    for _ in range(2):
        text = page(game, player("RUSS"))
        assert "en disgrâce, automne 2002 compris" in text
        assert '"start": "Rien \\u00e0 ordonner' not in text
        assert "in disgrace up to and including autumn 2002" in page(game, player("RUSS"), language="en")
        assert "en disgrâce, " not in page(game, player("UMAR"))
        played(game)


def test_nothing_is_asked_where_there_is_nothing_to_fill_in() -> None:
    game = begun(rhythm=PACE)
    played(game)
    text = page(game, MASTER)
    assert "Rien à faire pour vous dans cette phase." in text
    assert "Pas encore d’ordres." not in text
    assert '"start": "Rien \\u00e0 faire pour vous' in text


@pytest.mark.long
def test_an_m_is_not_told_to_hold_and_a_proposal_is_counted() -> None:
    game = begun(rhythm=PACE)
    text = page(game, player("MCSU"))
    assert "Par-Bou" not in text
    told = acted(game, "UMAR", "2 M MOR H")
    assert "0 ordre compris sur 0" not in told["message"]
    assert "1 ligne comprise." in told["message"]
    played(game)
    text = page(game, player("UMAR"))
    assert "Unité sous mandat international" not in text[text.index("Sans ordre") :][:400]
    assert "Par-Bou" not in text


def acted(game: Any, power: str, *handed: str) -> Any:
    """What the page answers to a sheet that is handed in."""
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=2))
    path = f"/parties/{game.key}/{fresh(game).phase_number}/orders/{power}/"
    sent = {"action": "hand_in", "lines": {power: list(handed)}, "submission": "s" * 22}
    client = client_of(player(power))
    return client.post(path, json.dumps(sent).encode(), content_type="application/json").json()
