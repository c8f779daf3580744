"""Circuits on the site: who keeps them, what all may read, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from talleyrand.tournament.model import Event, EventPerson, PrivateFacts
from talleyrand.web.accounts import personal_data
from talleyrand.web.tournaments import tournament_creation
from talleyrand.web.tournaments.circuit_pages import circuit_rows
from talleyrand.web.tournaments.models import (
    Tournament,
    TournamentCircuit,
    TournamentMembership,
    TournamentRole,
)
from tests.tournament import invented
from tests.web import cast
from tests.web.tournaments import scene

pytestmark = pytest.mark.django_db
BASE = "/tournois/circuits/"
PARTS = ("", "palmares/", "statistiques/", "reglages/", "personnes/")


VISITOR, KEEPER = Client(), Client()  # a browser takes long to make


@pytest.fixture(autouse=True)
def _signed_in(db: None) -> None:
    KEEPER.force_login(scene.director(), backend="django.contrib.auth.backends.ModelBackend")


def kept(event: Event, *, listed: bool = True) -> Tournament:
    """An event of the sample season, directed by Maëlle."""
    made = tournament_creation.create_tournament(event, scene.director())
    Tournament.objects.filter(pk=made.pk).update(is_listed=listed)
    return Tournament.objects.get(pk=made.pk)


def season(*events: Tournament, listed: bool = True) -> TournamentCircuit:
    """A circuit of these, kept by Maëlle."""
    made = circuit_rows.create_circuit("Tour de France", scene.director(), "")
    for one in events:
        send(made, press="add", event=one.key)
    TournamentCircuit.objects.filter(pk=made.pk).update(is_listed=listed)
    return TournamentCircuit.objects.get(pk=made.pk)


def send(made: TournamentCircuit, part: str = "reglages", **typed: str) -> Any:
    return KEEPER.post(f"{BASE}{made.key}/{part}/", typed)


def page(
    made: TournamentCircuit, part: str = "", client: Client | None = None, *, english: bool = False
) -> str:
    words = {"palmares": "winners", "statistiques": "statistics", "reglages": "keep", "personnes": "people"}
    path = f"/en/tournaments/circuits/{made.key}/" if english else f"{BASE}{made.key}/"
    part = words.get(part, part) if english else part
    answer = (client or VISITOR).get(f"{path}{part}/" if part else path)
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture(scope="module")
def events() -> dict[int, Event]:
    return invented.season()


def circuit(made: TournamentCircuit) -> Any:
    return circuit_rows.circuit_from_row(TournamentCircuit.objects.get(pk=made.pk))


class TestReading:
    @pytest.mark.long
    def test_the_ranking_says_why(self, events: dict[int, Event]) -> None:
        """In both languages."""
        made = season(*(kept(event) for event in events.values()))
        french, english = page(made), page(made, english=True)
        assert "Tous comptent." in french
        assert "points au total." in french
        assert "points in total" in english
        for event in events.values():
            assert event.name in french
            assert event.name in english

    def test_nothing_private_is_shown(self, events: dict[int, Event]) -> None:
        """No birth, no address, no minutes of anybody."""
        people = {
            at: replace(one, private=replace(one.private, mail=f"p{at}@example.org", phone="0600000000"))
            for at, one in events[1].people.items()
        }
        made = season(kept(replace(events[1], people=people)))
        told = "".join(page(made, part) for part in ("", "palmares", "statistiques"))
        for one in people.values():
            assert not one.private.born or one.private.born not in told
        assert "@example.org" not in told
        assert "0600000000" not in told
        assert "minutes" not in told

    @pytest.mark.long
    def test_winners_and_figures(self, events: dict[int, Event]) -> None:
        """Podium, prizes, medals, powers, people."""
        made = season(*(kept(event) for event in events.values()))
        won, figures = page(made, "palmares"), page(made, "statistiques")
        assert "Médailles" in won
        assert "Prix du Phylloxéra" in won
        assert won.count("season-podium") == 3
        assert "Par prix" in won
        assert "Autriche" in figures
        assert "19" in figures

    def test_only_what_is_over_and_shown_counts(self, events: dict[int, Event]) -> None:
        """Not an event under way, nor one that keeps a round secret."""
        running = kept(replace(events[1], over=False))
        rounds = {**events[2].rounds, 4: replace(events[2].rounds[4], revealed=False)}
        secret = kept(replace(events[2], rounds=rounds))
        told = page(season(running, secret))
        assert told.count("comptera une fois terminé") == 2
        assert "Aucun tournoi terminé pour l’instant." in told
        assert events[1].people[1].name not in told

    @pytest.mark.long
    def test_an_event_that_is_not_public_is_for_its_desk(self, events: dict[int, Event]) -> None:
        """To others it does not exist, nor what it gives."""
        hidden = kept(events[1], listed=False)
        made = season(hidden, kept(events[2]))
        assert events[1].name not in page(made)
        assert hidden.key not in page(made, "palmares")
        assert events[1].name in page(made, client=KEEPER)

    def test_a_tournament_that_is_gone(self, events: dict[int, Event]) -> None:
        """Leaves the season as if it had never been, and can be taken out."""
        gone = kept(events[1])
        made = season(gone, kept(events[2]))
        gone.delete()
        assert events[2].name in page(made)
        assert "tournoi que vous ne pouvez plus voir" in page(made, "reglages", KEEPER)
        assert send(made, press="remove?1").status_code == 302
        assert list(circuit(made).stages) == [2]

    def test_an_empty_season(self) -> None:
        """Says so on every page."""
        made = season()
        assert "Aucun tournoi dans ce circuit pour l’instant." in page(made)
        assert "Aucun tournoi terminé pour l’instant." in page(made, "palmares")
        assert "Aucun tournoi terminé pour l’instant." in page(made, "statistiques")
        assert "Rien à trancher." in page(made, "personnes", KEEPER)


class TestWhoMay:
    def test_a_season_that_is_not_open_does_not_exist(self) -> None:
        """For visitors and strangers, on no page."""
        made = season(listed=False)
        for client in (VISITOR, cast.client_of(cast.STRANGER)):
            assert "Tour de France" not in client.get(BASE).content.decode()
            for part in PARTS:
                assert client.get(f"{BASE}{made.key}/{part}").status_code == 404, part
        assert "Tour de France" in KEEPER.get(BASE).content.decode()
        assert all(KEEPER.get(f"{BASE}{made.key}/{part}").status_code == 200 for part in PARTS)

    def test_only_the_keeper_changes_it(self) -> None:
        """To others its settings do not exist."""
        made, typed = season(), {"press": "name", "name": "Mine"}
        for client in (VISITOR, cast.client_of(cast.STRANGER)):
            for part in ("reglages/", "personnes/"):
                assert client.get(f"{BASE}{made.key}/{part}").status_code == 404
                assert client.post(f"{BASE}{made.key}/{part}", typed).status_code == 404
        assert circuit(made).name == "Tour de France"

    def test_only_events_that_one_directs(self, events: dict[int, Event]) -> None:
        """Not somebody else's, though it is public; nor as an assistant."""
        theirs = tournament_creation.create_tournament(events[1], cast.person(cast.STRANGER))
        Tournament.objects.filter(pk=theirs.pk).update(is_listed=True)
        made = season()
        assert send(made, press="add", event=theirs.key).status_code == 409
        TournamentMembership.objects.create(
            tournament=theirs, account=scene.director(), role=TournamentRole.ASSISTANT
        )
        assert send(made, press="add", event=theirs.key).status_code == 409
        assert not circuit(made).stages


REFUSED: tuple[dict[str, str], ...] = (
    {"press": "rule", "gives": "places", "places": ""},
    {"press": "rule", "gives": "places", "places": "many few"},
    {"press": "rule", "gives": "places", "places": "1 " * 201},
    {"press": "rule", "best": "-1"},
    {"press": "rule", "best": "deux"},
    {"press": "rule", "best": "99999"},
    {"press": "rule", "beyond": "1/0"},
    {"press": "rule", "ties": "lot"},
    {"press": "count?1", "coefficient-1": "beaucoup"},
    {"press": "count?1"},
    {"press": "count?9", "coefficient-9": "1"},
    {"press": "count?x", "coefficient-x": "1"},
    {"press": "add"},
    {"press": "add", "event": "nowhere"},
    {"press": "remove?²"},
    {"press": "delete"},
    {"press": "burn"},
    {"press": ""},
    {},
)


class TestKeeping:
    def test_begun_once(self) -> None:
        """The same form twice is one season."""
        assert "Créer un circuit" in KEEPER.get(BASE).content.decode()
        form = {"name": "  Tour  ", "submission": "one form sent twice"}
        first = KEEPER.post(f"{BASE}nouveau/", form)
        again = KEEPER.post(f"{BASE}nouveau/", form)
        assert first["Location"] == again["Location"]
        assert TournamentCircuit.objects.get().name == "Tour"
        assert VISITOR.post(f"{BASE}nouveau/", form)["Location"].startswith("/compte/")

    def test_a_name_that_is_none(self) -> None:
        """Is refused, for a new season and for an old one."""
        made = season()
        for name in ("", "   ", "x" * 121, "\u200b\0", "\u200d"):
            answer = KEEPER.post(f"{BASE}nouveau/", {"name": name, "submission": "f"})
            assert answer.status_code == 409, name
            assert send(made, press="name", name=name).status_code == 409, name
        assert TournamentCircuit.objects.count() == 1
        assert circuit(made).name == "Tour de France"

    @pytest.mark.long
    def test_an_event_comes_once(self, events: dict[int, Event]) -> None:
        """And may count half."""
        one = kept(events[2])
        made = season(one, one)
        assert list(circuit(made).stages) == [1]
        assert send(made, press="count?1", **{"coefficient-1": "0,5"}).status_code == 302
        assert circuit(made).stages[1].coefficient == "0,5"
        assert ", × 0,5." in page(made)

    def test_the_rule(self, events: dict[int, Event]) -> None:
        """Is kept, and said."""
        made = season(*(kept(events[at]) for at in (1, 2)))
        typed = {
            "gives": "places",
            "places": "20, 15; 12,5",
            "beyond": "1",
            "ties": "best",
            "best": "2",
            "least": "2",
        }
        assert send(made, press="rule", **typed).status_code == 302
        told = page(made)
        assert "Chaque tournoi donne des points selon la place." in told
        assert "Les 2 meilleurs comptent." in told
        assert "Il faut au moins 2 tournois pour être classé." in told
        assert "20 15 12,5" in page(made, "reglages", KEEPER)

    @pytest.mark.long
    def test_what_is_refused(self, events: dict[int, Event]) -> None:
        """Leaves the season as it was, says why, and brings back what was typed."""
        made = season(kept(events[2]))
        before = circuit(made)
        for typed in REFUSED:
            answer = send(made, **typed)
            told = answer.content.decode()
            assert answer.status_code == 409, typed
            assert 'role="alert"' in told
            for name in ("places", "best", "beyond", "coefficient-1"):
                assert typed.get(name, "").strip() in told, typed
        assert circuit(made) == before

    def test_deleted_when_one_is_sure(self, events: dict[int, Event]) -> None:
        """Its events stay."""
        made = season(kept(events[2]))
        assert send(made, press="delete", sure="1").status_code == 302
        assert not TournamentCircuit.objects.exists()
        assert Tournament.objects.count() == 1

    def test_an_account_goes_with_its_seasons(self, events: dict[int, Event]) -> None:
        """Nobody could put them right any more; that is told before, and the events stay."""
        season(kept(events[2]))
        account = scene.director()
        assert any("Tour de France" in sentence for sentence in personal_data.deletion_notes(account))
        assert personal_data.export_personal_data(account)["tournaments"][-1]["season"] == "Tour de France"
        personal_data.delete_account(account)
        assert not TournamentCircuit.objects.exists()
        assert Tournament.objects.count() == 1

    def test_opened_and_closed(self) -> None:
        """For all to see, or not."""
        made = season(listed=False)
        send(made, press="listed", listed="1")
        assert "Tour de France" in page(made)
        send(made, press="listed")
        assert VISITOR.get(f"{BASE}{made.key}/").status_code == 404


class TestPeople:
    @pytest.fixture
    def made(self, events: dict[int, Event]) -> TournamentCircuit:
        """One with a date at both events, one without at one of them."""
        first = {**events[1].people, 1: _known("Théa Brunel", "1990-05-01"), 2: _known("Oscar Vidal", "")}
        second = {
            **events[2].people,
            1: _known("BRUNEL Thea", "1990-05-01"),
            2: _known("Oscar Vidal", "1980"),
        }
        return season(kept(replace(events[1], people=first)), kept(replace(events[2], people=second)))

    @pytest.mark.long
    def test_who_is_who(self, made: TournamentCircuit) -> None:
        """Asked, settled, asked again."""
        told = page(made, "personnes", KEEPER)
        assert "same?1.2+2.2" in told
        assert "1990" not in told
        before = page(made).count("season-shares")
        assert send(made, "personnes", press="same?1.2+2.2").status_code == 302
        assert page(made).count("season-shares") == before - 1
        assert "forget?1.2+2.2" in page(made, "personnes", KEEPER)
        send(made, "personnes", press="apart?1.1+2.1")
        assert page(made).count("season-shares") == before
        send(made, "personnes", press="forget?1.1+2.1")
        send(made, "personnes", press="forget?2.2+1.2")
        assert circuit(made).same == circuit(made).apart == ()

    def test_all_of_one_name_at_once(self) -> None:
        """A year of birth settles nothing by itself; one press does, but for who merely sounds alike."""
        people = {1: _known("Théa Brunel", "1990"), 2: _known("Oscar Vidal", ""), 3: _known("Lou Martin", "")}
        other = {**people, 1: _known("BRUNEL Thea", "1990"), 3: _known("Loup Martin", "")}
        made = season(kept(Event("Angers", people=people)), kept(Event("Nantes", people=other)))
        assert "namesakes" in page(made, "personnes", KEEPER)
        assert send(made, "personnes", press="namesakes").status_code == 302
        assert circuit(made).same == (("1.1", "2.1"), ("1.2", "2.2"))
        assert "namesakes" not in page(made, "personnes", KEEPER)

    def test_what_is_refused(self, made: TournamentCircuit) -> None:
        """With a sentence."""
        before = circuit(made)
        presses = ("", "same", "same?1.1", "same?1.1+1.2", "same?1.1+9.1", "marry?1.1+2.1", "same?a+b")
        for press in (*presses, "same?1.1+2.²"):
            answer = send(made, "personnes", press=press)
            assert answer.status_code == 409, press
            assert 'role="alert"' in answer.content.decode()
        assert circuit(made) == before


def _known(name: str, born: str) -> EventPerson:
    return EventPerson(name, private=PrivateFacts(born=born))
