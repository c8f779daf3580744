"""The ten boards: what solves them, what does not, and what their pages take."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from talleyrand import variants
from talleyrand.variants import LANGUAGES
from talleyrand.web.boards import adjudicator
from talleyrand.web.library.lessons import solved_cookie
from talleyrand.web.library.lessons.lesson_courses import VARIANT, Lesson, lessons_of, variants_with_lessons
from talleyrand.web.library.lessons.lesson_facts import FACT_PREDICATES, LessonResult, fact_from_toml
from tests.each import each

pytestmark = pytest.mark.django_db
Response = Any
ATTEMPTS = tomllib.loads((Path(__file__).parent / "lessons_attempts.toml").read_text("utf-8"))
BOARDS = [pytest.param(lesson, id=lesson.name) for lesson in lessons_of()]


def tries(kind: str) -> list[Any]:
    return [
        pytest.param(lesson, lines, id=f"{lesson.name}: {', '.join(lines) or 'nothing'}")
        for lesson in lessons_of()
        for lines in ATTEMPTS[lesson.name][kind]
    ]


# the boards


def test_there_are_ten_and_each_has_its_attempts() -> None:
    assert [lesson.number for lesson in lessons_of()] == list(range(1, 11))
    assert sorted(ATTEMPTS) == sorted(lesson.name for lesson in lessons_of())
    assert all(len(ATTEMPTS[name]["wrong"]) >= 3 for name in ATTEMPTS)


@each("lesson", BOARDS)
def test_the_solution_solves(lesson: Lesson) -> None:
    played = lesson.adjudicate(list(lesson.solution))
    assert lesson.is_solved(played)
    assert [entry["error"] for entry in played.answer["orders"]] == [None] * len(played.answer["orders"])


@each(("lesson", "lines"), tries("wrong"))
def test_a_wrong_attempt_fails(lesson: Lesson, lines: list[str]) -> None:
    assert not lesson.is_solved(lesson.adjudicate(lines))


@each(("lesson", "lines"), tries("right"))
def test_another_solution_is_as_good(lesson: Lesson, lines: list[str]) -> None:
    assert lesson.is_solved(lesson.adjudicate(lines))


@each("lesson", BOARDS)
def test_no_other_power_writes_for_the_learner(lesson: Lesson) -> None:
    legal = adjudicator.legal_orders(lesson.question)
    for power, orders in lesson.scripted_orders.items():
        assert power != lesson.power
        assert set(orders) <= set(legal[power])


@pytest.mark.parametrize("lesson", BOARDS)
def test_a_board_says_all_it_must_in_both_languages(lesson: Lesson) -> None:
    assert len(lesson.hints) == 3
    texts = [lesson.title, lesson.explanation, lesson.task, lesson.success, *lesson.hints]
    texts += [goal.text for goal in lesson.goals] + [remark.text for remark in lesson.remarks]
    for text in texts:
        assert all(text[language] for language in LANGUAGES)
        assert not re.search(r"[^\W\d]'[^\W\d]| [:;?!»]|« ", text["fr"]), text["fr"]
        assert "'" not in text["en"], text["en"]
    assert 2 <= len(re.findall(r"[.?!](?:\s|$)", lesson.explanation["en"])) <= 4


@pytest.mark.parametrize("lesson", BOARDS)
def test_a_board_shows_every_unit_that_matters(lesson: Lesson) -> None:
    page = Client().get(f"/apprendre/{lesson.number}/").text
    left, top, width, height = map(float, re.findall(r'viewBox="([-\d. ]+)" role', page)[0].split())
    assert width / height == pytest.approx(1.2, abs=0.01)
    own = lesson.situation["units"].get(lesson.power, [])
    fallen = [one["unit"] for one in lesson.situation.get("dislodged", {}).get(lesson.power, [])]
    for unit in [*own, *fallen]:
        x, y = variants.load(VARIANT).anchors[unit.split()[1]]["unit"]
        assert left < x < left + width
        assert top < y < top + height


# facts


def fact_of(**table: Any) -> bool:
    """Whether a fact holds of the third board's solution."""
    third = lessons_of()[2]
    return fact_from_toml(table).holds(third.adjudicate(list(third.solution)))


@pytest.mark.parametrize(
    ("table", "true"),
    [
        ({"unit": "A BUR", "reaches": "MUN"}, True),
        ({"unit": "A BUR", "reaches": ["BUR", "RUH"]}, False),
        ({"unit": "A RUH", "reaches": "RUH"}, True),
        ({"unit": "A MUN", "reaches": "MUN"}, False),
        ({"unit": "A MUN", "result": "dislodged"}, True),
        ({"power": "FRANCE", "result": ["bounces", "support_given"]}, True),
        ({"power": "FRANCE", "result": "bounces"}, False),
        ({"power": "FRANCE", "orders": "A BUR - MUN"}, True),
        ({"power": "GERMANY", "orders": "A BUR - MUN"}, False),
        ({"power": "FRANCE", "at": "MUN"}, True),
        ({"power": "FRANCE", "at": "MUN", "not": True}, False),
        ({"power": "FRANCE", "has": ["A MUN", "A RUH"]}, True),
        ({"power": "FRANCE", "has": "F RUH"}, False),
        ({"power": "FRANCE", "counts": 2}, True),
        ({"power": "GERMANY", "counts": 0}, True),
        ({"power": "FRANCE", "owns": "MUN"}, False),
        ({"power": "GERMANY", "owns": ["MUN", "BER"]}, True),
        ({"power": "FRANCE", "gains": 1}, False),
    ],
)
def test_facts(table: dict[str, Any], true: bool) -> None:
    assert fact_of(**table) is true


def test_centres_taken_and_lost_are_facts() -> None:
    question = {"units": {}, "centers": {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]}}
    after = {"units": {}, "centers": {"FRANCE": ["PAR", "SPA", "POR"], "ITALY": ["ROM"]}, "orders": []}
    played = LessonResult(question, after)
    assert fact_from_toml({"power": "FRANCE", "gains": 2}).holds(played)
    assert fact_from_toml({"power": "FRANCE", "loses": 1}).holds(played)
    assert not fact_from_toml({"power": "FRANCE", "gains": 3}).holds(played)
    assert not fact_from_toml({"power": "ITALY", "loses": 1}).holds(played)


def test_a_power_named_in_an_answer_is_a_fact() -> None:
    ballots = {"2": {"adopted": ["ETUN"], "by": "most"}}
    played = LessonResult(
        {}, {"politics": {"ballots": ballots, "imf": "UCEN"}, "eliminated": ["MEXI"], "orders": []}
    )
    for power, path, true in (
        ("ETUN", "politics.ballots.2.adopted", True),
        ("UMAR", "politics.ballots.2.adopted", False),
        ("ETUN", "politics.ballots.1.adopted", False),
        ("UCEN", "politics.imf", True),
        ("MEXI", "eliminated", True),
        ("MEXI", "nothing.of.the.kind", False),
    ):
        assert fact_from_toml({"power": power, "within": path}).holds(played) is true


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"unit": "A BUR"},
        {"reaches": "MUN"},
        {"unit": "A BUR", "power": "FRANCE", "reaches": "MUN"},
        {"unit": "A BUR", "reaches": "MUN", "result": "moves"},
        {"unit": "A BUR", "reaches": "MUN", "nto": True},
    ],
)
def test_what_is_no_fact_is_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no fact"):
        fact_from_toml(table)


def test_every_predicate_is_in_use() -> None:
    from talleyrand.web.library.lessons.guided_game import guided_game

    every = [lesson for course in ("", *variants_with_lessons()) for lesson in lessons_of(course)]
    facts = [goal.fact for lesson in every for goal in lesson.goals]
    remarks = [remark for lesson in every for remark in lesson.remarks]
    remarks += [
        *guided_game().remarks,
        *(one for turn in guided_game().phases.values() for one in turn.remarks),
    ]
    facts += [fact for remark in remarks for fact in remark.when]
    assert {fact.predicate for fact in facts} == set(FACT_PREDICATES)


# the pages


def judged(client: Client, number: int, lines: list[str], **more: str) -> Response:
    query = urlencode({"sheet": "\n".join(lines), "judge": "1", **more})
    return client.get(f"/apprendre/{number}/?{query}")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("prefix", ["/apprendre", "/en/learn"])
@pytest.mark.parametrize("lesson", BOARDS)
def test_every_board_opens_and_is_judged(client: Client, lesson: Lesson, prefix: str) -> None:
    language = "en" if prefix.startswith("/en") else "fr"
    page = client.get(f"{prefix}/{lesson.number}/").text
    assert lesson.task[language] in page
    query = urlencode({"sheet": "\n".join(lesson.solution), "judge": "1"})
    answer = client.get(f"{prefix}/{lesson.number}/?{query}").text
    assert ("Résolu" if language == "fr" else "Solved!") in answer
    assert lesson.success[language] in answer


def test_a_failure_says_what_happened_and_gives_one_hint_more_each_time(client: Client) -> None:
    third = lessons_of()[2]
    lines = ["A BUR - MUN", "A RUH - MUN"]
    for done, hint in enumerate(third.hints[:2]):
        page = judged(client, 3, lines, **{"try": str(done)}).text
        assert "Pas encore" in page
        assert third.remarks[0].text["fr"] in page
        assert hint["fr"] in page
    page = judged(client, 3, lines, **{"try": "7"}).text
    assert "A Ruhr soutient A Bourgogne - Munich" in page
    again = re.search(r'id="retry" href="([^"]+)"', page)
    assert again is not None
    retry = client.get(again[1].replace("&amp;", "&")).text
    assert '<option value="A BUR - MUN"' in retry
    assert "A RUH - MUN</textarea>" in retry.replace("\n", "")


def test_what_is_solved_survives_a_reload_and_starting_over(client: Client) -> None:
    judged(client, 1, ["F BRE - MAO"])
    assert client.get("/apprendre/").text.count("résolu)") == 0
    judged(client, 1, ["F BRE - ENG"])
    judged(client, 4, ["A BUD S A VIE"])
    assert client.cookies[solved_cookie.COOKIE].value == "1.4"
    assert client.cookies[solved_cookie.COOKIE]["httponly"]
    assert client.get("/apprendre/").text.count("résolu)") == 2
    assert client.get("/en/learn/").text.count("(solved)") == 2
    judged(client, 1, ["F BRE - MAO"])
    assert client.get("/apprendre/").text.count("résolu)") == 2
    assert client.post("/apprendre/recommencer/")["Location"] == "/apprendre/"
    assert client.get("/apprendre/").text.count("résolu)") == 0


@pytest.mark.parametrize(
    ("cookie", "solved"),
    [("1.2", {1, 2}), ("", set()), ("x.3.-1.4", {3, 4}), ("0.999.²", set()), ("1" * 5000, set())],
)
def test_a_cookie_of_anybody_is_read(client: Client, cookie: str, solved: set[int]) -> None:
    client.cookies[solved_cookie.COOKIE] = cookie
    page = client.get("/apprendre/").text
    assert page.count("résolu)") == len(solved)


def test_after_the_last_board_the_way_goes_on(client: Client) -> None:
    for lesson in lessons_of()[:-1]:
        page = judged(client, lesson.number, list(lesson.solution)).text
        assert f'id="onward" href="/apprendre/{lesson.number + 1}/"' in page
    page = judged(client, 10, list(lessons_of()[-1].solution)).text
    assert 'id="onward" href="/apprendre/"' in page
    assert 'id="onward" href="/apprendre/demi-heure/"' in client.get("/apprendre/").text


def test_a_board_left_out_is_next_after_the_last(client: Client) -> None:
    page = judged(client, 10, ["F BRE B", "A MAR B"]).text
    assert 'id="onward" href="/apprendre/1/"' in page


def test_without_scripts_the_menus_are_judged(client: Client) -> None:
    sent = {"order-BUR": "A BUR - MUN", "order-RUH": "A RUH S A BUR - MUN", "sheet": "", "base": ""}
    answer = client.get("/apprendre/3/", {**sent, "judge": "1", "try": "2"})
    assert answer.status_code == 302
    query = parse_qs(urlsplit(answer["Location"]).query)
    assert query == {"try": ["2"], "judge": ["1"], "sheet": ["A Bou - Mun\nA Ruh S A Bou - Mun"]}
    assert "Résolu" in client.get(answer["Location"]).text


def test_without_scripts_a_menu_and_the_sheet_are_both_heard(client: Client) -> None:
    base = "FRANCE\nA Bou - Mun\n"
    sent = {"base": base, "sheet": base + "A Ruh s A Bou - Mun", "order-BUR": "A BUR - MUN", "order-RUH": ""}
    answer = client.get("/apprendre/3/", {**sent, "judge": "1"})
    assert "Résolu" in client.get(answer["Location"]).text
    changed = {**sent, "sheet": base, "order-RUH": "A RUH S A BUR - MUN"}
    assert "Résolu" in client.get(client.get("/apprendre/3/", {**changed, "judge": "1"})["Location"]).text


@pytest.mark.parametrize(
    "sheet",
    ["ALLEMAGNE\nA Mun H", "x" * 4001, "A Bou\x00", "A Bou \ufffd"],
)
def test_a_sheet_that_cannot_be_taken_is_kept_on_the_page(client: Client, sheet: str) -> None:
    answer = client.get("/apprendre/3/", {"sheet": sheet, "judge": "1"})
    assert answer.status_code == 400
    assert 'class="error"' in answer.text
    assert sheet[:20].replace("\x00", "") in answer.text.replace("\x00", "")
    assert "Résolu" not in answer.text


def test_a_line_that_is_not_understood_is_told(client: Client) -> None:
    page = client.get("/apprendre/3/", {"sheet": "A Bou-Mun\nthe other one helps"}).text
    assert "the other one helps" in page
    answer = judged(client, 3, ["A Bou-Mun", "the other one helps"]).text
    assert "Pas encore" in answer
    assert "the other one helps" in answer


@pytest.mark.parametrize("path", ["/apprendre/0/", "/apprendre/11/", "/apprendre/-1/", "/apprendre/un/"])
def test_there_is_no_other_board(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_strange_questions_are_answered(client: Client) -> None:
    assert client.get("/apprendre/3/?try=²&judge").status_code == 200
    assert client.get("/apprendre/3/?try=-5&judge=0&played=x&look=1").status_code == 200
    assert client.get("/apprendre/3/?order-BUR=A+BUR+-+LON&judge=1").status_code == 400
    assert client.get("/apprendre/3/?order-NOWHERE=A+BUR+-+LON&judge=1").status_code == 400
    assert client.post("/apprendre/3/").status_code == 405


# changes that the scripts send


def change(client: Client, number: int, sent: Any) -> Response:
    body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    return client.post(f"/apprendre/{number}/brouillon/?try=1", body, content_type="application/json")


def test_a_draft_travels_with_its_change(client: Client) -> None:
    first = change(client, 3, {"orders": {"BUR": "A BUR - MUN"}, "from": {}}).json()
    assert first["lines"] == {"FRANCE": ["A Bou - Mun"]}
    assert first["given"] == {"BUR": "A BUR - MUN"}
    assert first["progress"] == {"given": 1, "total": 2}
    assert first["address"] == "/apprendre/3/?try=1&sheet=A+Bou+-+Mun"
    assert 'data-province="BUR"' in first["layers"]["layer-orders"]
    assert 'data-province="MUN"' in first["layers"]["layer-orders"]  # the order of the others stays drawn
    second = change(client, 3, {"orders": {"RUH": "A RUH H"}, "from": first["lines"]}).json()
    assert second["given"] == {"BUR": "A BUR - MUN", "RUH": "A RUH H"}
    undone = change(client, 3, {"lines": first["lines"], "from": second["lines"]}).json()
    assert undone["lines"] == first["lines"]
    assert "A Bou - Mun" in client.get(first["address"]).text


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\xff",
        b"[]",
        {},
        {"orders": {"BUR": "A BUR - MUN"}},
        {"orders": {"BUR": "A BUR - LON"}, "from": {}},
        {"orders": {"BUR": "A BUR - MUN"}, "from": {"FRANCE": "A"}},
        {"orders": {"BUR": "A BUR - MUN"}, "from": {"FRANCE": [1]}},
        {"orders": {"BUR": "A BUR - MUN"}, "from": {"FRANCE": ["x" * 1001]}},
        {"lines": {"FRANCE": ["A Ruh H"] * 401}, "from": {}},
        {"lines": {"FRANCE": ["A Ruh - Mun " + "x" * 200] * 30}, "from": {}},
        {"sheet": "GERMANY\nA Mun H", "from": {}},
        {"sheet": "A Bur H\nA Ruh H\n" * 300, "from": {}},
        {"lines": {"MARS": ["A Bur H"]}, "from": {}},
    ],
)
def test_a_change_that_makes_no_sense_is_refused_in_words(client: Client, sent: Any) -> None:
    answer = change(client, 3, sent)
    assert answer.status_code in (400, 413)
    assert len(answer.json()["message"]) > 20


def test_the_orders_of_another_power_stay_what_the_script_says(client: Client) -> None:
    answer = change(client, 3, {"orders": {"MUN": "A MUN - BER"}, "from": {}}).json()
    assert answer["lines"] == {"FRANCE": []}
    assert answer["given"] == {}


# the door


@pytest.mark.parametrize(("path", "first"), [("/", "/apprendre/1/"), ("/en/", "/en/learn/1/")])
def test_the_first_page_opens_on_the_first_board(client: Client, path: str, first: str) -> None:
    page = client.get(path).text
    assert re.search(rf'<a [^>]*id="learn" href="{first}"', page)


def test_known_orders_are_drawn_and_secret_ones_are_not(client: Client) -> None:
    for lesson in lessons_of():
        page = client.get(f"/apprendre/{lesson.number}/").text
        drawn = re.search(
            r'<g id="layer-orders" class="board"[^>]*>(.*?)</g>\n<g id="layer-labels"', page, re.DOTALL
        )
        assert drawn is not None
        shown = 'data-province="' in drawn[1]
        assert shown is (bool(lesson.scripted_orders) and not lesson.hidden), lesson.name
    assert any(lesson.hidden for lesson in lessons_of())
    assert "Autriche" in client.get("/apprendre/7/").text
    assert "<li>A Vienne - Bohême</li>" not in client.get("/apprendre/7/").text
    assert "A Vienne - Bohême" in judged(client, 7, []).text
