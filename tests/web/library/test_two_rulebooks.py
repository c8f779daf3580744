"""The page that shows two books point by point."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from talleyrand import rulebooks
from tests.web.library.test_comparison import shown

FRENCH, ENGLISH = "/reglements/deux/", "/en/rulebooks/two/"
OWN = 'extends = "datc"\n[options]\nmultiple_legal_orders = { value = "last", source = "Maison, 3" }\n'


def points(html: str) -> list[str]:
    """The rows of the table of differences."""
    table = html.partition('<table class="points">')[2].partition("</table>")[0]
    return re.findall(r"<tr><th scope=\"row\">(.*?) <span", table)


def test_two_books(client: Client) -> None:
    page = client.get(FRENCH, {"a": "anjou_feu", "b": "datc"})
    assert page.status_code == 200
    words = shown(page)
    assert "Anjou Feu et DATC 3.2, point par point" in words
    first, second = (rulebooks.load(name) for name in ("anjou_feu", "datc"))
    apart = [one for one in rulebooks.options().values() if first.value(one.name) != second.value(one.name)]
    assert f"Ils diffèrent sur {len(apart)} points de {len(rulebooks.options())}." in words
    assert list(map(unescape, points(page.content.decode()))) == [one.title["fr"] for one in apart]
    assert "Anjou Feu, IV, paradoxes, exemples A, C et D" in words
    assert "M04 · DATC 4.A.2" in words


def test_a_silent_point_says_where_its_value_comes_from(client: Client) -> None:
    page = client.get(ENGLISH, {"a": "anjou_feu", "b": "renegade_2023"})
    words = shown(page)
    assert "We assume: as in Anjou Feu." in words
    assert "We assume: the usual value." in words
    assert page.content.decode().count('<td class="silent">') == sum(
        len(rulebooks.load(name).silent_options) for name in ("anjou_feu", "renegade_2023")
    )


def test_every_book_beside_the_usual_one(client: Client) -> None:
    for name in rulebooks.names():
        assert client.get(FRENCH, {"a": name}).status_code == 200


def test_the_same_book_twice(client: Client) -> None:
    assert "Ces deux règlements font les mêmes choix" in shown(client.get(FRENCH, {"a": "datc", "b": "datc"}))


def test_the_form_alone_shows_two_books(client: Client) -> None:
    assert "Anjou Feu et DATC 3.2" in shown(client.get(FRENCH))


@pytest.mark.parametrize("sent", ["typed", "file"])
def test_a_book_of_one_s_own(client: Client, sent: str) -> None:
    own = {"own": OWN} if sent == "typed" else {"own_file": SimpleUploadedFile("m.toml", OWN.encode())}
    page = client.post(FRENCH, {"a": "own", "b": "datc", **own})
    words = shown(page)
    assert "Mon règlement et DATC 3.2" in words
    assert "Ils diffèrent sur 1 point de" in words
    assert "Maison, 3" in words
    assert (
        unescape(re.findall(r'<textarea id="own".*?>(.*?)</textarea>', page.content.decode(), re.S)[0]) == OWN
    )


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"a": "nobody"}, "n’existe pas ici"),
        ({"a": "own"}, "Il manque le règlement personnalisé : choisissez son"),
        ({"a": "own", "own": "extends ="}, "ligne 1"),
        ({"a": "own", "own": 'name = "x"\nextends = "x"'}, "x"),
        ({"a": "datc", "own": "x" * 50_000}, "40 000"),
    ],
)
def test_bad_input_is_told(client: Client, sent: dict[str, str], words: str) -> None:
    page = client.post(FRENCH, sent)
    assert page.status_code == 400
    assert words in shown(page)
    assert sent.get("own", "") in unescape(page.content.decode())


def test_a_title_is_never_markup(client: Client) -> None:
    evil = "<script>alert(1)</script>"
    page = client.post(FRENCH, {"a": "own", "b": "datc", "own": f'title = "{evil}"\n{OWN}'})
    assert page.status_code == 200
    assert evil not in page.content.decode()


def test_no_cookie_is_needed() -> None:
    assert Client(enforce_csrf_checks=True).post(FRENCH, {"a": "datc", "b": "anjou_feu"}).status_code == 200


def test_a_book_given_and_not_chosen_is_not_passed_over(client: Client) -> None:
    page = client.post(FRENCH, {"a": "datc", "b": "anjou_feu", "own": OWN})
    assert "Votre règlement personnalisé n’est pas comparé" in shown(page)
    chosen = client.post(
        FRENCH, {"a": "datc", "b": ["anjou_feu", "own"], "own": OWN}
    )  # the button's value too
    assert "Ils diffèrent sur 1 point de" in shown(chosen)
    assert "n’est pas comparé" not in shown(chosen)


def test_a_point_leads_to_the_rule_of_each_book(client: Client) -> None:
    page = client.get(FRENCH, {"a": "anjou_feu", "b": "datc"}).text
    option = "convoy_paradox"
    for book in ("anjou_feu", "datc"):
        assert f'href="/reglements/regles/{book}/point/{option}/"' in page
        assert client.get(f"/reglements/regles/{book}/point/{option}/", follow=True).status_code == 200
    own = client.post(ENGLISH, {"a": "datc", "b": "own", "own": OWN}).text
    assert 'href="/en/rulebooks/rules/datc/point/multiple_legal_orders/"' in own
    assert own.count("/point/multiple_legal_orders/") == 1  # the other book is the visitor's
