"""Every page of every book in both languages, and what can be done on it."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from talleyrand import rulebooks, variants
from talleyrand.web.library import conference_map, rules_context, rules_texts
from talleyrand.web.library.rules_texts import MissingRulesWord, RulesWords
from talleyrand.web.practice.models import PracticeGame
from tests import draws

BOOKS = rules_context.rulebooks_with_pages()
PAGES = [(book, language) for book in BOOKS for language in ("fr", "en")]


pytestmark = pytest.mark.usefixtures("strict_templates")


def _pages(book: str) -> list[str]:
    listed = rules_context.rulebook_contents(rules_context.open_rulebook(book))
    return [
        reverse("library:rules_book", args=[book]),
        *(reverse("library:rules_chapter", args=[book, chapter["id"]]) for chapter in listed),
        *(
            reverse("library:demonstration", args=[book, n + 1])
            for n in range(len(rules_texts.demonstration_phases()))
        ),
        reverse("library:rules_search", args=[book]) + "?q=a",
    ]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("book", "language"), PAGES)
def test_every_page_answers_and_each_of_its_anchors_exists_once(
    client: Client, book: str, language: str
) -> None:
    with override(language):
        read = {address: client.get(address) for address in _pages(book)}
    for address, response in read.items():
        assert response.status_code == 200, address
        assert "MISSING" not in response.text, address
        assert f'lang="{language}"' in response.text
        assert not re.search(r"[{}]", re.sub(r'value="[^"]*"', "", response.text.split("</head>")[1])), (
            address
        )
    contents, *chapters = [address for address in read if "?" not in address]
    for address in chapters:
        names = re.findall(r' id="([^"]+)"', read[address].text)
        assert len(names) == len(set(names)), address
        told = re.findall(rf'href="{re.escape(address)}#([^"]+)"', read[contents].text)
        assert set(told) <= set(names)
    linked = set(re.findall(r'href="([^"#]+/(?:regles|rules)/[^"#]+)#', read[contents].text))
    assert linked
    assert linked <= set(chapters)


def test_addresses_speak_the_language(client: Client) -> None:
    assert client.get("/reglements/regles/").status_code == 200
    assert client.get("/en/rulebooks/rules/").status_code == 200
    assert client.get("/en/reglements/regles/").status_code == 404
    french = client.get("/reglements/regles/datc/supports/").text
    assert 'href="/en/rulebooks/rules/datc/supports/?lang=en"' in french


@pytest.mark.parametrize(
    "address",
    [
        "nobody/",
        "datc/nothing/",
        "datc/demonstration/0/",
        "datc/demonstration/8/",
        "datc/planches/EX99.svg",
        "datc/planches/stage-9/resultat.svg",
        "datc/planches/ST-1.svg",
        "datc/point/nothing/",
        "nobody.pdf",
        "datc/demonstration/99999999999999999999/",
        "%00/",
        "..%2F..%2Fsettings/",
    ],
)
def test_what_is_not_there_is_said_so(client: Client, address: str) -> None:
    response = client.get(f"/reglements/regles/{address}")
    assert response.status_code == 404
    assert "Cette page n’existe pas" in html.unescape(response.text)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("option", rulebooks.options())
def test_every_option_leads_to_its_rule(client: Client, option: str) -> None:
    response = client.get(f"/en/rulebooks/rules/anjou_feu/point/{option}/", follow=True)
    chapter, rule = rules_texts.option_places()[option]
    assert response.redirect_chain == [(f"/en/rulebooks/rules/anjou_feu/{chapter}/#{rule}", 302)]
    assert f'id="{rule}-{option}"' in response.text


@pytest.mark.long
def test_a_page_tells_the_books_choice_and_marks_what_is_supplied(client: Client) -> None:
    classic = html.unescape(client.get("/en/rulebooks/rules/classic_1976/convoys/").text)
    modern = html.unescape(client.get("/en/rulebooks/rules/simplified/convoys/").text)
    broken = "But if a fleet on any one of these routes is dislodged, the army stays."
    intact = "The army is convoyed as long as one of the routes is intact."
    assert classic.index(broken) < classic.index(intact)
    assert modern.index(intact) < modern.index(broken)
    assert "Source: Classic rules, VIII.4, example 12" in classic
    french = html.unescape(client.get("/reglements/regles/classic_1976/convoys/").text)
    assert "Source\u00a0: Règles classiques, VIII.4, exemple 12" in french
    assert modern.count("Our reading:") > classic.count("Our reading:") > 0


def test_a_point_without_meaning_for_a_book_is_not_told_of_it(client: Client) -> None:
    counted = "still counts, even if the convoyed army"
    farthest = "The distance is counted"
    for book, told in (("anjou_feu", True), ("conspiracy", False)):
        assert (counted in client.get(f"/en/rulebooks/rules/{book}/paradoxes/").text) == told
        assert (farthest in client.get(f"/en/rulebooks/rules/{book}/disorder/").text) == told


def test_what_a_book_does_not_state_is_our_reading(client: Client) -> None:
    """In one place and shape for a rule and for a choice: behind "Our reading:"."""
    eighteen = "A power that owns 18 centres wins the game."
    for book, before in (("classic_1976", "Our reading:"), ("play_by_mail_001", ""), ("simplified", "")):
        page = html.unescape(client.get(f"/en/rulebooks/rules/{book}/end/").text)
        victory = page[page.index('id="victory"') : page.index('id="elimination"')]
        assert ("Our reading:" in victory.partition(eighteen)[0]) == bool(before), book
    choice = html.unescape(client.get("/en/rulebooks/rules/classic_1976/paradoxes/").text)
    assert re.search(r'class="point silent"[^>]*>\s*<p><strong>Our reading:</strong>', choice)
    french = html.unescape(client.get("/reglements/regles/classic_1976/end/").text)
    assert '<p class="ours"><strong>Notre lecture :</strong>' in french.replace("\u00a0", " ")


def test_results_are_shown_in_sentences(client: Client) -> None:
    page = html.unescape(client.get("/reglements/regles/anjou_feu/supports/").text)
    assert "Exemple 7" in page
    assert "A Sil S A Pru - Var" in page
    assert "soutien coupé" in page


@pytest.mark.long
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_board_of_a_chapter_can_be_played(
    client: Client, language: str, *, full: bool, draw: str
) -> None:
    with override(language):
        chapters = [
            chapter["id"]
            for chapter in rules_context.rulebook_contents(rules_context.open_rulebook("anjou_feu"))
        ]
        pages = [reverse("library:rules_chapter", args=["anjou_feu", chapter]) for chapter in chapters]
        target = reverse("practice:import")
    texts = [
        text for page in pages for text in re.findall(r'name="text" value="([^"]+)"', client.get(page).text)
    ]
    assert len(texts) >= len(rules_texts.rules_examples())
    drawn = draws.one_in(1 if full else 8, dict.fromkeys(texts), draw, language)
    for text in drawn:
        response = client.post(target, {"text": html.unescape(text)}, follow=True)
        assert response.status_code == 200, html.unescape(text)
    assert PracticeGame.objects.count() == len(drawn)
    assert {game.rulebook for game in PracticeGame.objects.all()} == {"anjou_feu"}


@pytest.mark.django_db
def test_a_board_opens_with_its_orders(client: Client) -> None:
    page = client.get("/reglements/regles/datc/conflicts/").text
    form = re.findall(
        r'name="submission" value="([^"]+)"><input type="hidden" name="text" value="([^"]+)"', page
    )
    sent = {"submission": form[0][0], "text": html.unescape(form[0][1])}
    for _ in range(2):
        client.post("/p/import/", sent)
    game = PracticeGame.objects.get()
    assert sum(map(len, game.draft_orders.values())) == 2


@pytest.mark.parametrize("kind", ["planches/EX13.svg", "planches/EX13/resultat.svg", "planches/stage-5.svg"])
def test_pictures_are_kept_a_while(client: Client, kind: str) -> None:
    response = client.get(f"/reglements/regles/anjou_feu/{kind}")
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response.text.startswith("<svg")
    assert "max-age=600" in response["Cache-Control"]


def test_orders_and_results_are_two_pictures(client: Client) -> None:
    before = client.get("/reglements/regles/anjou_feu/planches/EX13.svg").text
    after = client.get("/reglements/regles/anjou_feu/planches/EX13/resultat.svg").text
    assert "burst" not in before.split("</style>")[1]
    assert "burst" in after.split("</style>")[1]


@pytest.mark.parametrize(
    ("asked", "rule"),
    [
        ("piège kiel", None),
        ("Kiel", "canals"),
        ("GARNISON assiegee", "besieged"),
        ("l'attaque venue", "cut-from-target"),
    ],
)
def test_search(client: Client, asked: str, rule: str | None) -> None:
    page = client.get("/reglements/regles/classic_1976/chercher/", {"q": asked}).text
    assert ("Aucun résultat" in page) == (rule is None)
    if rule:
        assert f'#{rule}"' in page


@pytest.mark.parametrize("asked", ["", " ", "\x00", "<script>", "a" * 5000, "🦊", "%"])
def test_search_takes_anything(client: Client, asked: str) -> None:
    response = client.get("/en/rulebooks/rules/datc/search/", {"q": asked})
    assert response.status_code == 200
    assert "<script>" not in response.text


def test_only_looking(client: Client) -> None:
    assert client.post("/reglements/regles/datc/").status_code == 405


def test_the_conference_map_lists_every_space(client: Client) -> None:
    page = html.unescape(client.get("/reglements/regles/carte/").text)
    names = variants.load("classic").names("fr")
    for place in names.provinces.values():
        assert f">{place.name}<" in page
    tables = conference_map.province_tables("fr")
    assert (len(tables["lands"]), len(tables["seas"])) == (56, 19)
    assert sum(row["centre"] for row in tables["lands"]) == 34
    assert len({row["short"] for row in tables["lands"] + tables["seas"]}) == 75
    assert client.get("/reglements/regles/carte.svg").text.startswith("<svg")


def test_a_word_that_nobody_wrote_is_a_fault() -> None:
    with pytest.raises(MissingRulesWord):
        RulesWords("fr")["no such word"]
