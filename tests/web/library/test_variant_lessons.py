"""The boards to solve of a variant with rules of its own: judged by the real judge, by tap and by text."""

from __future__ import annotations

import json
import re
import tomllib
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client
from django.utils.translation import override

from talleyrand.variants import LANGUAGES
from talleyrand.web.boards import adjudicator
from talleyrand.web.library.lessons import lesson_context, lesson_courses
from talleyrand.web.library.lessons.lesson_courses import Lesson
from tests.each import each

pytestmark = pytest.mark.django_db
Response = Any
NAME = "diplomatie_2000"
ATTEMPTS = tomllib.loads((Path(__file__).parent / "variant_lessons_attempts.toml").read_text("utf-8"))
LESSONS = lesson_courses.lessons_of(NAME)
BOARDS = [pytest.param(lesson, id=lesson.name) for lesson in LESSONS]
PREFIX = {"fr": f"/apprendre/{NAME}/", "en": f"/en/learn/{NAME}/"}


def tries(kind: str) -> list[Any]:
    return [
        pytest.param(lesson, lines, id=f"{lesson.name}: {', '.join(lines) or 'nothing'}")
        for lesson in LESSONS
        for lines in ATTEMPTS[lesson.name][kind]
    ]


def judged(client: Client, number: int, lines: list[str], language: str = "fr") -> Response:
    query = urlencode({"sheet": "\n".join(lines), "judge": "1"})
    return client.get(f"{PREFIX[language]}{number}/?{query}")


def test_there_are_six_and_each_has_its_attempts() -> None:
    assert lesson_courses.variants_with_lessons() == (NAME,)
    assert [lesson.number for lesson in LESSONS] == list(range(1, 7))
    assert sorted(ATTEMPTS) == sorted(lesson.name for lesson in LESSONS)
    assert len(lesson_courses.lessons_of()) == 10
    assert lesson_courses.lessons_of("nowhere") == ()


@pytest.mark.parametrize("lesson", BOARDS)
def test_the_solution_solves(lesson: Lesson) -> None:
    played = lesson.adjudicate(list(lesson.solution))
    assert lesson.is_solved(played)
    assert [entry["error"] for entry in played.answer["orders"]] == [None] * len(played.answer["orders"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", BOARDS)
def test_the_solution_as_it_is_told_solves(lesson: Lesson, language: str) -> None:
    """What the last hint says can be typed."""
    with override(language):
        told = [lesson_context.order_text(lesson, order) for order in lesson.solution]
    assert lesson.is_solved(lesson.adjudicate(told)), told


@each(("lesson", "lines"), tries("wrong"))
def test_a_wrong_attempt_fails(lesson: Lesson, lines: list[str]) -> None:
    played = lesson.adjudicate(lines)
    assert not lesson.is_solved(played)
    assert any(remark.fits(played) for remark in lesson.remarks)


@each(("lesson", "lines"), tries("right"))
def test_another_way_is_as_good(lesson: Lesson, lines: list[str]) -> None:
    assert lesson.is_solved(lesson.adjudicate(lines))


@pytest.mark.parametrize("lesson", BOARDS)
def test_every_answer_on_a_slip_is_read_in_both_languages(lesson: Lesson) -> None:
    for choice in (one for slip in lesson.slips for one in slip.choices):
        for language in LANGUAGES:
            (entry,) = [
                one
                for one in adjudicator.read_orders(lesson.question, {lesson.power: [choice.line[language]]})
                if one["line"]
            ]
            assert (entry["order"], entry["error"], entry["notes"]) == (choice.order, None, [])


@pytest.mark.parametrize("lesson", BOARDS)
def test_the_others_write_lawful_orders(lesson: Lesson) -> None:
    for power, orders in lesson.scripted_orders.items():
        assert power != lesson.power
        entries = adjudicator.read_orders(lesson.question, {power: list(orders)})
        assert [one["error"] for one in entries] == [None] * len(entries)
        assert [one["order"] for one in entries if one["line"]] == list(orders)


@pytest.mark.parametrize("lesson", BOARDS)
def test_a_board_says_all_it_must_in_both_languages(lesson: Lesson) -> None:
    assert len(lesson.hints) == 3
    texts = [lesson.title, lesson.explanation, lesson.task, lesson.success, *lesson.hints]
    texts += [goal.text for goal in lesson.goals] + [remark.text for remark in lesson.remarks]
    texts += [text for slip in lesson.slips for text in (slip.title, *(one.text for one in slip.choices))]
    for text in texts:
        assert all(text[language] for language in LANGUAGES)
        assert not re.search(r"[^\W\d]'[^\W\d]|« ", text["fr"]), text["fr"]
        assert "'" not in text["en"], text["en"]


@pytest.mark.parametrize("lesson", BOARDS)
def test_a_board_shows_every_unit_that_matters(client: Client, lesson: Lesson) -> None:
    page = client.get(f"{PREFIX['fr']}{lesson.number}/").text
    left, top, width, height = map(float, re.findall(r'viewBox="([-\d. ]+)" role', page)[0].split())
    for units in lesson.situation["units"].values():
        for unit in units:
            x, y = lesson.variant.anchors[unit.split()[1].partition("/")[0]]["unit"][:2]
            assert left < x < left + width
            assert top < y < top + height


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", BOARDS)
def test_every_board_opens_and_is_judged(client: Client, lesson: Lesson, language: str) -> None:
    page = unescape(client.get(f"{PREFIX[language]}{lesson.number}/").text)
    assert lesson.task[language].replace("\u00a0", " ") in page.replace("\u00a0", " ")
    answer = unescape(judged(client, lesson.number, list(lesson.solution), language).text)
    assert ("Résolu" if language == "fr" else "Solved!") in answer
    for slip in lesson.slips:
        assert slip.title[language].replace(" :", "\u00a0:") in page.replace(" :", "\u00a0:")


def test_what_is_known_of_votes_is_shown_before_and_after(client: Client) -> None:
    page = unescape(client.get(f"{PREFIX['fr']}2/").text)
    assert "Propositions" in page
    assert "soutient F Le Caire - Tripoli" in page
    answer = unescape(judged(client, 2, ["F CAI - TRI", "2) ETUN"]).text)
    assert "Missions des M" in answer
    assert "Adopté : le plus de voix." in answer.replace("\u00a0", " ")
    assert "États-Unis" in answer


# by tap


def tapped(client: Client, number: int, **sent: str) -> Response:
    answer = client.get(f"{PREFIX['fr']}{number}/", {"judge": "1", "try": "0", **sent})
    assert answer.status_code == 302, answer.status_code
    return answer


def test_a_slip_is_judged_with_the_orders(client: Client) -> None:
    sent = {"slip-0": "2 ETUN", "slip-0-before": "", "sheet": "F CAI - TRI"}
    there = tapped(client, 2, **sent)["Location"]
    assert parse_qs(urlsplit(there).query)["sheet"] == ["F CAI - TRI\n2) ETUN"]
    assert "Résolu" in client.get(there).text


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", BOARDS)
def test_every_answer_on_a_slip_can_be_tapped(client: Client, lesson: Lesson, language: str) -> None:
    for number, slip in enumerate(lesson.slips):
        for choice in slip.choices:
            sent = {"judge": "1", f"slip-{number}": choice.order, f"slip-{number}-before": "", "sheet": ""}
            answer = client.get(f"{PREFIX[language]}{lesson.number}/", sent, follow=True)
            assert answer.status_code == 200
            assert "results-title" in answer.text


def test_another_answer_takes_the_place_of_the_one_before(client: Client) -> None:
    sheet = "F CAI - TRI\n2) UMAR"
    changed = tapped(client, 2, sheet=sheet, **{"slip-0": "2 ETUN", "slip-0-before": "2 UMAR"})["Location"]
    assert parse_qs(urlsplit(changed).query)["sheet"] == ["F CAI - TRI\n2) ETUN"]
    taken = tapped(client, 2, sheet=sheet, **{"slip-0": "", "slip-0-before": "2 UMAR"})["Location"]
    assert parse_qs(urlsplit(taken).query)["sheet"] == ["F CAI - TRI"]


def test_what_is_typed_counts_where_the_slip_was_not_touched(client: Client) -> None:
    sent = {"slip-0": "2 UMAR", "slip-0-before": "2 UMAR", "sheet": "F CAI - TRI\n2) ETUN"}
    assert "Résolu" in client.get(tapped(client, 2, **sent)["Location"]).text
    page = client.get(f"{PREFIX['fr']}2/?sheet=2)+ETUN").text
    assert '<input type="radio" name="slip-0" value="2 ETUN" checked>' in page


@pytest.mark.parametrize("chosen", ["2 CHIN", "AS BOG", "x" * 500, "2 ETUN / 3 NONE", "\x00"])
def test_an_answer_that_no_slip_has_is_refused_in_words(client: Client, chosen: str) -> None:
    answer = client.get(f"{PREFIX['fr']}2/", {"judge": "1", "slip-0": chosen, "slip-0-before": ""})
    assert answer.status_code == 400
    assert 'class="error"' in answer.text


def test_a_draft_travels_with_its_change(client: Client) -> None:
    sent = {"orders": {"HOU": "V HOU S A SLC - MTR"}, "from": {}}
    body = json.dumps(sent).encode()
    answer = client.post(f"{PREFIX['fr']}1/brouillon/?try=1", body, content_type="application/json").json()
    assert answer["given"] == {"HOU": "V HOU S A SLC - MTR"}
    assert answer["address"].startswith(f"{PREFIX['fr']}1/?try=1&sheet=")
    written = {"sheet": "A SLC - MTR\nAS : BOG", "base": "nothing like it", "from": {}}
    body = json.dumps(written).encode()
    answer = client.post(f"{PREFIX['fr']}1/brouillon/", body, content_type="application/json").json()
    assert answer["given"] == {"SLC": "A SLC - MTR"}


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\t"])
def test_a_line_copied_from_a_french_page_keeps_its_blanks(client: Client, blank: str) -> None:
    page = judged(client, 4, [f"Aide{blank}: 1{blank}: MEXI"])
    assert page.status_code == 200
    assert "Résolu" in page.text


# what is solved


def test_each_course_keeps_what_was_solved_in_it(client: Client) -> None:
    judged(client, 3, ["1) Aucune"])
    assert client.get(PREFIX["fr"]).text.count("résolu)") == 1
    assert client.get(PREFIX["en"]).text.count("(solved)") == 1
    assert client.get("/apprendre/").text.count("résolu)") == 0
    client.get("/apprendre/1/?judge=1&sheet=F+BRE+-+ENG")
    assert client.post(f"{PREFIX['fr']}recommencer/")["Location"] == PREFIX["fr"]
    assert client.get(PREFIX["fr"]).text.count("résolu)") == 0
    assert client.get("/apprendre/").text.count("résolu)") == 1


@pytest.mark.long
def test_after_the_last_board_the_way_goes_on(client: Client) -> None:
    for lesson in LESSONS[:-1]:
        page = judged(client, lesson.number, list(lesson.solution)).text
        assert f'id="onward" href="{PREFIX["fr"]}{lesson.number + 1}/"' in page
    assert f'id="onward" href="{PREFIX["fr"]}"' in judged(client, 6, list(LESSONS[-1].solution)).text
    assert f'id="onward" href="/variantes/{NAME}/demonstration/1/"' in client.get(PREFIX["fr"]).text


@pytest.mark.parametrize(
    "path",
    [
        "/apprendre/classic/",
        "/apprendre/nowhere/1/",
        f"{PREFIX['fr']}0/",
        f"{PREFIX['fr']}7/",
        "/apprendre/%00/",
    ],
)
def test_there_is_no_other_board(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_boards_are_found_from_the_first_ones(client: Client, language: str) -> None:
    first = "/apprendre/" if language == "fr" else "/en/learn/"
    assert f'href="{PREFIX[language]}"' in client.get(first).text


def test_there_is_nothing_to_start_over_elsewhere(client: Client) -> None:
    assert client.post("/apprendre/nowhere/recommencer/").status_code == 404
    assert client.post("/apprendre/nowhere/1/brouillon/").status_code == 404
