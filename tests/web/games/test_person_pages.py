"""People's pages: what they tell, to whom, and what their owner chooses."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from talleyrand.web.accounts import guests
from talleyrand.web.accounts.models import Person
from talleyrand.web.games.player_records import person_page_access, rating_history, reliability
from talleyrand.web.games.record_models import PagePart, PageReaders, PlayerProfile, RatingChange
from tests.web.cast import BEGUN, client_of, person, table
from tests.web.games import tables
from tests.web.games.finished import end, play

pytestmark = pytest.mark.django_db
ALL = [*PagePart.values]
FLORA = "/joueurs/Flora/"
CHOICES = "/compte/page/"


def profile(name: str = "Flora", **chosen: Any) -> None:
    PlayerProfile.objects.update_or_create(person=person(name), defaults=chosen)


def read(path: str = FLORA, client: Client | None = None) -> str:
    answer = (client or client_of("Sylvain")).get(path)
    assert answer.status_code == 200
    return re.sub(r"<[^>]+>", " ", tables.words(answer)).replace("\u00a0", " ")


def status(path: str = FLORA, client: Client | None = None) -> int:
    return (client or Client()).get(path).status_code


def played() -> None:
    """Two games of Flora: alone at the top as France, then a draw of all with one phase missed."""
    end(play(table()), ["FRANCE"], BEGUN + timedelta(days=1))
    end(play(table(), silent=["FRANCE"]), at=BEGUN + timedelta(days=2))
    rating_history.compute_due_ratings()


@pytest.mark.parametrize(
    ("readers", "visitor", "member"),
    [(PageReaders.NOBODY, 404, 404), (PageReaders.MEMBERS, 404, 200), (PageReaders.EVERYBODY, 200, 200)],
)
def test_who_may_open_it(readers: str, visitor: int, member: int) -> None:
    profile(readers=readers)
    assert status() == visitor
    assert status(client=client_of("Sylvain")) == member
    assert status(client=client_of("Flora")) == 200


def test_a_hidden_page_answers_as_one_of_nobody() -> None:
    profile(readers=PageReaders.NOBODY)
    hidden, none = client_of("Sylvain").get(FLORA), client_of("Sylvain").get("/joueurs/Personne/")
    assert hidden.status_code == none.status_code == 404
    told = [re.sub(r"<[^>]+>", "", tables.words(one)) for one in (hidden, none)]
    assert told[0].replace("Flora", "") == told[1].replace("Personne", "")


def test_without_a_choice_it_tells_members_since_when_and_how_reliable() -> None:
    played()
    assert status() == 404
    shown = read()
    assert "Ici depuis" in shown
    assert "50 % : 1 phase manquée sur 2" in shown
    assert not re.search("Résultats|Cotes|Alliances|Ouvertures|Parties finies", shown)


def test_all_that_it_can_tell() -> None:
    played()
    profile(shown_parts=ALL)
    shown = read()
    assert re.search("Cotes .*Avec messages .*1[5-9][0-9]{2} ± [0-9]+", shown)
    assert re.search("France +2 +1 +1 +0 +0 +0", shown)
    assert "France, victoire seule" in shown
    assert "2 parties" in shown
    english = read("/en/players/Flora/")
    assert "won alone" in english
    assert "50%: 1 phase missed of 2, 0 games left early." in english


def test_whoever_left_before_any_phase_has_no_percentage() -> None:
    profile(reliability=0, games_left=1)
    assert "1 partie quittée, et aucune phase jouée jusqu’ici." in read()
    assert "0 %" not in read()
    assert "1 game left early, and no phase played so far." in read("/en/players/Flora/")


@pytest.mark.parametrize("part", ALL)
def test_each_part_is_shown_alone(part: str) -> None:
    played()
    titles = {
        PagePart.SINCE: "Ici depuis",
        PagePart.RELIABILITY: "Fiabilité",
        PagePart.GAMES: "Parties finies",
        PagePart.RESULTS: "Résultats",
        PagePart.RATINGS: "Cotes",
    }
    profile(shown_parts=[part])
    shown = read()
    assert [one for one, title in titles.items() if title in shown] == [one for one in titles if one == part]


def test_favourite_openings_are_told_in_the_readers_language() -> None:
    end(play(table(), FRANCE=["A Par - Bou", "F Bre - AtM"]))
    profile(shown_parts=[PagePart.OPENINGS])
    assert "A Par - Bou, F Bre - AtM" in read()
    assert "A Par - Bur, F Bre - MAO" in read("/en/players/Flora/")


@pytest.mark.parametrize(
    "name", ["Personne", "%20", "flora\0", "a" * 500, "..%2f..%2fetc", "Flora%0d%0aX", "عمر", "1"]
)
def test_names_of_nobody(name: str) -> None:
    person("Flora")
    assert status(f"/joueurs/{name}/", client_of("Sylvain")) == 404


def test_a_name_is_found_however_it_is_written_and_guests_and_closed_accounts_have_no_page() -> None:
    person("Flora")
    assert status("/joueurs/fLORA/", client_of("Sylvain")) == 200
    Person.objects.filter(name="Flora").update(is_active=False)
    assert status(client=client_of("Sylvain")) == 404


def test_a_guest_at_a_table_has_no_account_and_opens_what_a_visitor_does() -> None:
    guest = guests.make_guest("Invitée", "QWERT")
    flora = person("Flora")
    assert not person_page_access.may_open_page(flora, guest)
    assert person_page_access.page_url(flora, guest) == ""
    profile(readers=PageReaders.EVERYBODY)
    assert person_page_access.may_open_page(person("Flora"), guest)


def test_one_chooses_what_it_shows() -> None:
    client = client_of("Flora")
    answer = client.post(
        CHOICES, {"readers": "everybody", "shown_parts": ["games", "since"], "is_rated": "on"}
    )
    assert answer.status_code == 302
    kept = PlayerProfile.objects.get(person=person("Flora"))
    assert (kept.readers, kept.shown_parts, kept.is_rated) == ("everybody", ["games", "since"], True)
    shown = tables.words(client.get(CHOICES))
    assert shown.count("checked") == 4
    assert status() == 200


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"readers": "world"},
        {"readers": "nobody\0"},
        {"readers": "nobody", "shown_parts": ["address"]},
        {"readers": "nobody", "shown_parts": ["\0"]},
        {"readers": ["nobody", "x"]},
    ],
)
def test_choices_of_nonsense_change_nothing(sent: dict[str, Any]) -> None:
    profile(readers=PageReaders.EVERYBODY, shown_parts=ALL)
    answer = client_of("Flora").post(CHOICES, sent)
    assert answer.status_code == 400
    assert "Choisissez l’une des options." in tables.words(answer)
    kept = PlayerProfile.objects.get(person=person("Flora"))
    assert (kept.readers, kept.shown_parts) == ("everybody", ALL)


def test_choices_are_ones_own() -> None:
    assert Client().post(CHOICES, {"readers": "everybody"}).status_code == 302
    client_of("Sylvain").post(CHOICES, {"readers": "everybody", "person": str(person("Flora").pk)})
    assert list(PlayerProfile.objects.values_list("person__name", flat=True)) == ["Sylvain"]


def test_no_rating_for_who_wants_none() -> None:
    played()
    client = client_of("Flora")
    client.post(CHOICES, {"readers": "everybody", "shown_parts": ALL})
    assert not RatingChange.objects.filter(person=person("Flora")).exists()
    assert "Cotes" not in read()
    rating_history.compute_due_ratings()
    assert not RatingChange.objects.filter(person=person("Flora")).exists()
    assert reliability.reliability_of(person("Flora")) == 50
    client.post(CHOICES, {"readers": "everybody", "shown_parts": ALL, "is_rated": "on"})
    rating_history.compute_due_ratings()
    assert "Cotes" in read()


def test_a_game_leads_to_the_pages_of_its_players_where_names_are_public() -> None:
    game = end(play(table()))
    profile("Gaspard", readers=PageReaders.NOBODY)
    shown = tables.words(client_of("Sylvain").get(f"/parties/{game.key}/infos/"))
    assert f'href="{FLORA}"' in shown
    assert "Gaspard" in shown
    assert "/joueurs/Gaspard/" not in shown


def test_a_page_costs_as_many_queries_however_much_was_played() -> None:
    profile(shown_parts=ALL, readers=PageReaders.EVERYBODY)
    counts = []
    for _time in range(2):
        played()
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert Client().get(FLORA).status_code == 200
        counts.append(len(asked))
    assert 0 < counts[0] == counts[1] <= 8
