"""The page on which every book judges one position, and what visitors send to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from talleyrand import rulebooks, variants
from talleyrand.engine.step_budget import StepBudget
from talleyrand.formats.position_json import write_position
from talleyrand.web.library import comparison_limits
from talleyrand.web.library.comparison_limits import FEWEST_LINES
from talleyrand.web.library.example_positions import example_positions
from talleyrand.web.library.rulebook_input import LARGEST_INPUT
from tests.web.conftest import Player, Response

FRENCH, ENGLISH = "/reglements/comparer/", "/en/rulebooks/compare/"
PARTED = "Positions\nFrance : A Par\nPrintemps 1901\nFrance\nA Par - Bou\nA Par - Pic\n"
AGREED = "Positions\nFrance : A Par\nPrintemps 1901\nFrance\nA Par - Bou\n"


def shown(response: Response) -> str:
    """The words of a page, in their order."""
    text = re.sub(r"<(style|svg|textarea).*?</\1>", "", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).replace("\u00a0", " ").split())


def ask(client: Client, text: str, path: str = FRENCH, **more: Any) -> Response:
    return client.post(path, {"text": text, **more})


def typed(response: Response) -> str:
    """What the page gives back to be typed on."""
    found = re.search(r'<textarea id="text".*?>(.*?)</textarea>', response.content.decode(), re.DOTALL)
    assert found is not None
    return unescape(found[1])


def test_the_form_alone(client: Client) -> None:
    page = client.get(FRENCH)
    assert page.status_code == 200
    assert "Comparer les règlements" in shown(page)
    assert "Résultat 1" not in shown(page)
    assert page.content.decode().count('name="book"') == len(rulebooks.names())
    assert "Compare rulebooks" in shown(client.get(ENGLISH))


def test_books_that_part(client: Client) -> None:
    page = ask(client, PARTED, book=["anjou_feu", "datc"])
    assert page.status_code == 200
    words = shown(page)
    assert "2 règlements, 2 résultats différents." in words
    places = [words.index(title) for title in ("Différences", "Pourquoi", "Une autre position")]
    assert places == sorted(places)
    assert "Anjou Feu et DATC 3.2 diffèrent (Armée Paris), parce que" in words
    assert "Plusieurs ordres légaux pour une unité" in words
    assert "DATC 3.2, 4.D.3 a" in words
    assert typed(page) == PARTED


def test_in_english(client: Client) -> None:
    words = shown(ask(client, PARTED, ENGLISH, book=["anjou_feu", "datc"]))
    assert "2 rulebooks, 2 different results." in words
    assert "Several legal orders for one unit" in words
    assert "Army Paris" in words


def test_books_that_agree(client: Client) -> None:
    words = shown(ask(client, AGREED))
    assert f"Les {len(rulebooks.names())} règlements sont d’accord." in words
    assert "Différences" not in words
    assert "A Paris se déplace vers la Bourgogne" in words


def test_the_question_s_own_book_comes_first(client: Client) -> None:
    words = shown(ask(client, "livre : datc\n" + PARTED))
    assert re.search(r"Résultat 1 DATC 3\.2", words)


def test_one_book_alone(client: Client) -> None:
    assert "Un seul règlement choisi : prenez-en plusieurs pour comparer" in shown(
        ask(client, PARTED, book="datc")
    )


@pytest.mark.one_in(6)
@pytest.mark.parametrize("key", example_positions())
def test_every_example_is_judged_and_read_back(client: Client, key: str) -> None:
    page = client.get(FRENCH, {"case": key})
    assert page.status_code == 200
    assert re.fullmatch(
        r"Les \d+ règlements sont d’accord\.|\d+ règlements, \d+ résultats différents\.", found(page)
    )
    assert found(ask(client, typed(page))) == found(page)


def test_the_example_that_is_offered_first_shows_books_that_part(client: Client) -> None:
    first = next(iter(example_positions()))
    offered = re.search(r'<option value="([^"]*)"', client.get(FRENCH).text.partition('id="case"')[2])
    assert offered is not None
    assert offered[1] == first
    assert "résultats différents" in found(client.get(FRENCH, {"case": first}))


@pytest.mark.long
def test_examples_on_which_all_books_agree_say_so_and_come_last(client: Client) -> None:
    agree = [key for key in example_positions() if "d’accord" in found(client.get(FRENCH, {"case": key}))]
    assert agree == ["datc-6-f-14", "datc-6-f-15"]
    assert list(example_positions())[-2:] == agree
    assert all("même résultat partout" in example_positions()[key].title["fr"] for key in agree)


def found(page: Response) -> str:
    """The sentence above a result."""
    heading = re.search(r'<h2 id="found".*?>(.*?)</h2>', page.content.decode())
    assert heading is not None
    return unescape(heading[1])


@pytest.mark.long
def test_an_example_in_english(client: Client) -> None:
    page = client.get(ENGLISH, {"case": "anjou-feu-d"})
    assert "Anjou Feu, example D" in page.content.decode()
    assert "F Irish Sea supports F Mid-Atlantic Ocean - English Channel" in typed(page)


def test_the_betrayal_paradox_is_told_by_its_rule(client: Client) -> None:
    words = shown(client.get(ENGLISH, {"case": "datc-6-f-18", "book": ["anjou_feu", "datc"]}))
    assert "2 rulebooks, 2 different results." in words
    assert "Convoy paradox" in words
    assert words.index("Result 1") < words.index("Same under all rulebooks")


@pytest.mark.long
def test_a_map_for_each_judgement(client: Client) -> None:
    html = client.get(FRENCH, {"case": "datc-6-f-19"}).content.decode()
    groups = len(re.findall(r'<li class="judgement">', html))
    assert groups > 1
    assert html.count('href="#ground-under"') == groups
    assert html.count('id="ground-under"') == 1
    identifiers = re.findall(r'\bid="([^"]+)"', html)
    assert len(identifiers) == len(set(identifiers))
    nonce = re.search(r'<style nonce="([^"]+)">', html)
    assert nonce is not None


def test_a_question_in_json(client: Client) -> None:
    question = {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]},
    }
    assert "2 résultats différents" in shown(ask(client, json.dumps(question), book=["anjou_feu", "datc"]))


def test_a_question_with_a_book_of_its_own(client: Client) -> None:
    question = {
        "phase": "S1901M",
        "rulebook": {"extends": "datc", "name": "Maison", "options": {"multiple_legal_orders": "last"}},
        "units": {"FRANCE": ["A PAR"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A PAR - PIC"]},
    }
    words = shown(ask(client, json.dumps(question), book=["datc"]))
    assert "Maison et DATC 3.2 diffèrent" in words


def test_a_case_in_the_shorthand_of_the_datc(client: Client) -> None:
    text = "# 6.A.1 A TITLE\nENG F LON - NTH = succeeds\n"
    assert "règlements sont d’accord" in shown(ask(client, text))
    twice = ask(client, text + text)
    assert twice.status_code == 400
    assert "plusieurs cas" in shown(twice)


def test_a_file(client: Client) -> None:
    page = client.post(FRENCH, {"file": SimpleUploadedFile("position.txt", AGREED.encode())})
    assert "règlements sont d’accord" in shown(page)
    assert typed(page) == AGREED


def test_a_book_of_one_s_own_judges_too(client: Client) -> None:
    own = 'extends = "datc"\n[options]\nmultiple_legal_orders = "last"\n'
    words = shown(ask(client, PARTED, book=["datc"], own=own))
    assert "DATC 3.2 et Mon règlement diffèrent" in words
    file = SimpleUploadedFile("maison.toml", own.encode())
    assert "2 résultats différents" in shown(ask(client, PARTED, book=["datc"], own_file=file))


LONG = "x" * (LARGEST_INPUT + 1)
MANY = AGREED + "".join(f"A Mar - Esp {number}\n" for number in range(FEWEST_LINES))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Positions\nFrance : A Nullepart\n", "Nullepart"),
        ("livre : nobody\n" + AGREED, "nobody"),
        ("variante : nowhere\n" + AGREED, "nowhere"),
        ('{"phase": ', "JSON"),
        ('{"phase": "S1901M", "units": 3}', "units"),
        ('{"phase": "W1901A", "units": {}}', "centers"),
        ('{"a": ' * 5000, ""),
        ("\x00" + AGREED, "UTF-8"),
        (LONG, "40 000"),
        (MANY, "100"),
        (
            AGREED + "A Par - " + "Bou " * 100,
            "Ligne trop longue : 300 caractères au plus. Elle commence",
        ),
    ],
    ids=["place", "book", "variant", "json", "units", "centres", "deep", "null", "long", "lines", "line"],
)
def test_bad_input_is_told_and_kept(client: Client, text: str, words: str) -> None:
    page = ask(client, text)
    assert page.status_code == 400
    assert 'role="alert"' in page.content.decode()
    assert words in shown(page)
    assert typed(page) == text


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("extends = ", "ligne 1"),
        ("# rien", "« Mon règlement » est vide"),
        ('extends = "nobody"', "nobody"),
        ('[options]\nflop = "x"', "flop"),
        ('[options]\nconvoy_paradox = "x"', "x"),
        ("a = " + "[" * 5000, "Trop de niveaux imbriqués"),
        (LONG, "40 000"),
    ],
    ids=["toml", "empty", "extends", "option", "value", "deep", "long"],
)
def test_a_bad_book_of_one_s_own(client: Client, own: str, words: str) -> None:
    page = ask(client, PARTED, own=own)
    assert page.status_code == 400
    assert words in shown(page)
    assert typed(page) == PARTED
    assert own[:200] in unescape(page.content.decode())


@pytest.mark.parametrize("sent", [{"case": "nobody"}, {"case": "datc-6-f-14", "book": "nobody"}])
def test_nothing_of_that_name(client: Client, sent: dict[str, str]) -> None:
    page = client.get(FRENCH, sent)
    assert page.status_code == 400
    assert "n’existe pas ici" in shown(page)


def test_a_file_that_is_no_text(client: Client) -> None:
    page = ask(client, AGREED, file=SimpleUploadedFile("p.txt", b"\xff\xfe\x00\x01"))
    assert page.status_code == 400
    assert "UTF-8" in shown(page)
    assert typed(page) == AGREED
    large = ask(client, AGREED, file=SimpleUploadedFile("p.txt", b"x" * (5 * LARGEST_INPUT)))
    assert "40 000" in shown(large)


def test_what_is_typed_is_never_markup(client: Client) -> None:
    evil = "<script>alert(1)</script>"
    own = f'title = "{evil}"\nextends = "datc"\n[options]\nmultiple_legal_orders = "last"\n'
    pages = [
        ask(client, evil),
        ask(client, PARTED + evil + "\n", own=own, book="datc"),
        client.get(FRENCH, {"text": f"{evil}\nFrance : A Par - Bou"}),
    ]
    for page in pages:
        assert evil not in page.content.decode()
        assert "&lt;script&gt;" in page.content.decode()


def test_without_time_the_page_says_what_is_missing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_limits, "COMPARISON_EFFORT", 0)
    words = shown(ask(client, PARTED))
    assert "le temps a manqué pour" in words
    assert "DATC 3.2" in words.split("le temps a manqué pour")[1]


def world(line: Callable[[str], str]) -> str:
    """A whole season of the world in JSON: a line for each unit."""
    variant = variants.load("diplomatie_2000")
    position = write_position(variant.definition.start, variant.board)
    units: Any = position["units"]
    orders = {seat: [line(unit) for unit in names] for seat, names in units.items()}
    asked = {**position, "variant": variant.name, "phase": "F2001M", "orders": orders}
    return json.dumps({name: asked[name] for name in ("variant", "phase", "units", "orders")})


@pytest.mark.long
def test_a_whole_season_of_the_world_is_judged(client: Client) -> None:
    page = ask(client, world("{} H".format), book=["anjou_feu", "datc"])
    assert page.status_code == 200
    assert "règlements sont d’accord" in shown(page)


def test_hostile_lines_on_a_full_board_are_read_only_so_far(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent: list[StepBudget] = []

    def noted(left: int) -> StepBudget:
        spent.append(StepBudget(left))
        return spent[-1]

    monkeypatch.setattr(comparison_limits, "StepBudget", noted)
    page = ask(client, world(lambda unit: f"{unit} or " * 12), book=["anjou_feu", "datc"])
    assert page.status_code == 400
    assert "ne sont pas comprises" in shown(page)
    assert [effort.remaining for effort in spent] == [0]


def test_a_sheet_that_takes_long_to_read_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison_limits, "READING_EFFORT", 0)
    monkeypatch.setattr(comparison_limits, "A_UNIT_READ", 0)
    page = ask(client, PARTED)
    assert page.status_code == 400
    assert "ne sont pas comprises" in shown(page)
    assert typed(page) == PARTED


def test_a_link_asks_the_same(client: Client) -> None:
    page = ask(client, PARTED, book=["anjou_feu", "datc"])
    link = re.search(r'<a href="(\?[^"]+)"', page.content.decode())
    assert link is not None
    assert shown(client.get(FRENCH + unescape(link[1]))) == shown(page)


def test_no_cookie_is_needed(game: Any) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert ask(strict, AGREED).status_code == 200


@pytest.mark.long
def test_a_turn_of_the_practice_board_is_handed_over(player: Player) -> None:
    player.draft(1, {"sheet": "FRANCE\nA Par - Bou\nA Par - Pic\n"})
    player.resolve(1)
    html = player.client.get(player.address("1/")).content.decode()
    form = re.search(r'action="(/reglements/comparer/)".*?name="text" value="(.*?)">', html, re.DOTALL)
    assert form is not None
    words = shown(ask(player.client, unescape(form[2]), form[1]))
    assert "règlements, 2 résultats différents." in words
    assert "Armée Paris" in words


@pytest.mark.parametrize("path", [FRENCH, ENGLISH])
def test_no_other_method(client: Client, path: str) -> None:
    assert client.delete(path).status_code == 405
