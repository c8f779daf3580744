"""What everybody reads of a tournament: the announcement, rounds, standings and prizes, each at its time."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from talleyrand.tournament.model import Announcement, Event, PrizeBallot, RoundState
from talleyrand.web.tournaments.models import Tournament
from talleyrand.web.tournaments.public_site import public_standings
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer
from tests.web import cast
from tests.web.tournaments import hall, scene, weekend

pytestmark = pytest.mark.django_db


def read(made: Tournament, name: str, *more: Any, client: Client | None = None, **asked: str) -> str:
    answer = (client or Client()).get(hall.path(made, name, *more), asked)
    assert answer.status_code == 200
    return hall.text(answer)


def status(made: Tournament, name: str, client: Client | None = None, **asked: str) -> int:
    code: int = (client or Client()).get(hall.path(made, name), asked).status_code
    return code


def test_the_announcement_says_what_was_said_in_the_readers_language() -> None:
    told = Announcement(
        place="Salle du Doyenné",
        opens="2026-07-03",
        ends="2026-07-05",
        summary={"fr": "Deux lignes.\n<script>alert(1)</script>", "en": "Two lines."},
        lodging={"fr": "Une auberge."},
        contact="javascript:alert(1)",
    )
    made = hall.changed(scene.tournament(3), announcement=told)
    page = read(made, "welcome")
    for said in (
        "Salle du Doyenné",
        "3–5 juillet 2026",
        "Une auberge",
        "Agathe Oriol",
        "Règlement en bref"[10:],
    ):
        assert said in page, said
    assert "<script>alert" not in page
    assert 'href="javascript' not in page
    english = hall.text(Client().get(f"/en/tournaments/{made.key}/"))
    assert "Two lines." in english
    assert "Une auberge" in english  # better in another language than not at all


def test_an_empty_event_has_its_words_for_it() -> None:
    made = hall.changed(scene.tournament(), rounds={}, signups=False)
    page = read(made, "welcome")
    for said in (
        "Personne pour l’instant",
        "Aucune ronde",
        "inscriptions sont fermées",
        "Aucun trajet proposé pour l’instant",
    ):
        assert said in page, said
    for name in ("people", "rounds", "standings", "prizes", "join", "sign_up", "mine"):
        assert status(made, name) == 200, name


def test_the_rounds_stand_in_a_calendar() -> None:
    made = hall.changed(scene.tournament(), announcement=Announcement(place="Angers\r\nX-EVIL:1"))
    hall.with_round(made, 2, starts=hall.HOUR)
    answer = Client().get(hall.path(made, "calendar"))
    (found,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert found["SUMMARY"] == "Angers 2026 – ronde 2"
    assert found.decoded("DTSTART").isoformat() == hall.HOUR
    assert (found.decoded("DTEND") - found.decoded("DTSTART")).total_seconds() == 7 * 2 * 17 * 60
    assert b"\nX-EVIL" not in answer.content
    assert b"X-PUBLISHED-TTL:PT1H" in answer.content  # whoever follows it looks again


def test_a_draw_is_published_by_board_and_by_name() -> None:
    made = weekend.tournament()
    draft = hall.with_round(made, 3, state=RoundState.DRAFT)
    assert "Salle 1" not in read(draft, "round", 3)
    shown = read(hall.with_round(made, 3, state=RoundState.PLAYING), "round", 3)
    assert shown.count("Nicolas Ferrand") == 2
    assert "Ne jouent pas" in shown


def test_who_stands_where_after_which_round_and_why() -> None:
    made = weekend.tournament()
    page = read(made, "standings")
    assert "Agathe Oriol" in page
    assert "coefficient" in page.casefold()
    assert read(made, "standings", round="1") != page
    for asked in ("0", "9", "-1", "x", "٣", "1" * 30):
        assert status(made, "standings", round=asked) == 404, asked


def test_a_hidden_round_is_nowhere() -> None:
    made = weekend.tournament()
    before = read(made, "standings", round="1")
    hidden = hall.with_round(made, 2, revealed=False)
    assert status(hidden, "standings", round="2") == 404
    page = read(hidden, "standings")
    assert (
        "n’apparaît pas dans le classement avant la remise des prix" in page
        or "n’apparaissent pas dans le classement avant la remise des" in page
    )
    sight, whole = TournamentViewer(hidden), TournamentViewer(hall.fresh(made))
    found = public_standings.visible_standings(sight)
    assert found is not None
    assert {game.round for game in found.games} == {1}
    assert [
        row.total
        for row in public_standings.standings_rows(
            whole, public_standings.visible_standings(whole, through=1)
        )
    ] == [row.total for row in public_standings.standings_rows(sight, found)]
    assert before != page
    board = read(hidden, "board", 2, 1)
    assert "Points de cette partie" not in board
    assert 'class="figure"' not in board


def test_how_it_would_end_now_is_for_the_desk_unless_it_says_otherwise() -> None:
    made = weekend.tournament()
    desk = cast.client_of(cast.MASTER)
    assert status(made, "standings", now="1") == 404
    assert status(made, "standings", desk, now="1") == 200
    hall.changed(made, live=True)
    assert status(made, "standings", now="1") == 200


def test_prizes_are_told_once_all_is_over_and_shown() -> None:
    made = weekend.tournament()
    now = hall.event(made)
    voter, named = _two(now)
    ballots = {1: PrizeBallot(1, 1, voter, {"angers": named})}
    people = {**now.people, named: replace(now.people[named], minutes=432)}
    hall.changed(made, ballots=ballots, people=people, over=False)
    assert now.people[named].name not in read(made, "prizes")
    hall.changed(made, over=True)
    page = read(made, "prizes")
    assert now.people[named].name in page
    assert not re.search(r"\b432\b", page)  # how far somebody drove
    assert now.people[voter].name not in page.partition("château")[2].partition("Cholet")[0]
    hall.with_round(made, 2, revealed=False)
    assert now.people[named].name not in read(made, "prizes")


def _two(event: Event) -> tuple[int, int]:
    """Two of board 1 of round 1."""
    sat = [seat.person for seat in event.rounds[1].boards[1].seats.values() if seat.person]
    return sat[0], sat[1]


def test_somebodys_page_has_his_games_and_nothing_private() -> None:
    made = weekend.tournament()
    page = read(made, "person", 5)
    assert "Élodie Marchand" in page
    assert [secret for secret in weekend.SECRETS if secret in page] == []
    assert Client().get(hall.path(made, "person", 99)).status_code == 404


def test_long_pages_are_made_once_and_anew_when_something_changes() -> None:
    made = weekend.tournament()
    signed = re.compile(r":\w+:[\w-]+\"></span>")  # what the page listens to, with the second of its making
    first, again = (signed.sub("", read(made, "people")) for _time in range(2))
    assert first == again
    now = hall.event(made)
    hall.changed(made, people={**now.people, 3: replace(now.people[3], name="Une Autre")})
    assert "Une Autre" in read(made, "people")
    assert "Players" in hall.text(Client().get(f"/en/tournaments/{made.key}/players/"))


def test_the_hour_of_a_round_that_has_begun_is_not_asked() -> None:
    """Scene: the first of the rounds is open, the others are to come, none has an hour."""
    made = scene.tournament(7)
    said = read(made, "welcome").count("Heure à préciser.")
    assert said == len(Tournament.objects.get(pk=made.pk).document["rounds"]) - 1


def arithmetic(page: str, figure: str) -> dict[str, list[tuple[str, str]]]:
    """Of a page of standings: by person, every line of the working with its figure."""
    lines = re.compile(rf'<li>([^<]+) <span class="{figure}">([^<]+)</span></li>')
    found: dict[str, list[tuple[str, str]]] = {}
    for part in re.findall(r"<details><summary>(.*?)</details>", page, re.S):
        name = re.sub(r"<[^>]*>", "|", part).strip("|").split("|")
        found[next(word for word in name if re.search(r"[^\W\d]{2}", word)).strip()] = lines.findall(part)
    return found


def test_everyone_sees_each_figure_that_the_desk_sees() -> None:
    made = weekend.tournament()
    director = Client()
    director.force_login(cast.person(cast.MASTER))
    desk = director.get(hall.path(made, "desk_scores")).content.decode()
    public = Client().get(hall.path(made, "standings")).content.decode()
    seen = arithmetic(public, "figure")
    assert seen == arithmetic(desk.partition("desk-scores")[2].partition("</table>")[0], "desk-points")
    assert sum(len(lines) for lines in seen.values()) > 60
    told = [line for lines in seen.values() for line in lines]
    assert ("Coefficient de la ronde 1\u00a0: 6/9.", "18,478") in told
