"""The rules of a variant as pages: every line is read, every open point told, no language forgotten."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from talleyrand import variants
from talleyrand.formats import adjudication
from talleyrand.variants import LANGUAGES
from talleyrand.web.library import rules_pdf, variant_rules, variant_rules_context
from talleyrand.web.library.rules_texts import LocalizedText
from talleyrand.web.library.variant_rules import WrittenLine

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("strict_templates")]
NAMES = variant_rules.variants_with_rules()
WORLD = variants.load_board("diplomatie_2000")
OPEN = tomllib.loads((Path(__file__).parent / "open_points.toml").read_text("utf-8"))
PREFIX = {"fr": "/variantes/diplomatie_2000/", "en": "/en/variants/diplomatie_2000/"}
RULES = {"fr": "/variantes/diplomatie_2000/regles/", "en": "/en/variants/diplomatie_2000/rules/"}
GOALS = dict(
    re.findall(
        r"(\w{4}) (\d+)",
        "ASEA 23, CAOR 13, CASO 18, CEAO 13, CHIN 24, CMWL 18, EEAE 10, ETUN 28, INDE 14, MCCA 10, MCSU 14, "
        "MEXI 10, OPTO 19, ORBA 12, RUSS 31, UAFA 11, UCEN 13, UEUR 27, UMAR 10, UNIA 18, USLA 12",
    )
)
"""The goals as annex 3 prints them."""


def rules() -> Iterator[variant_rules.VariantRule]:
    for name in NAMES:
        for chapter in variant_rules.variant_chapters(name):
            yield from chapter.rules


def lines() -> list[WrittenLine]:
    return [line for rule in rules() for line in rule.lines]


def texts() -> Iterator[LocalizedText]:
    for name in NAMES:
        yield from (chapter.title for chapter in variant_rules.variant_chapters(name))
    for rule in rules():
        yield rule.title
        for one in rule.says:
            yield from (one.text, one.where)
        for point in (*rule.points, *rule.choices):
            yield from (point.text, point.where, *point.values.values())
        yield from (line.means for line in rule.lines)


# the texts


def test_only_a_variant_with_rules_of_its_own_has_such_pages() -> None:
    assert NAMES == (
        "baltic_ice",
        "diplomatie_2000",
        "escalation_3",
        "escalation_4",
        "escalation_5",
        "first_world_war",
        "intimate",
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("line", lines(), ids=lambda line: f"{line.power} {line.written['en']}")
def test_every_line_is_read_as_it_is_shown(line: WrittenLine, language: str) -> None:
    written = line.written[language]
    answer = adjudication.adjudicate_question(
        {**line.question, "orders": {**line.beside, line.power: [written]}}
    )
    assert "error" not in answer, answer
    entries = answer["orders"]
    assert isinstance(entries, list)
    entry = next(one for one in entries if (one["power"], one["line"]) == (line.power, written))
    assert entry["order"] == line.order
    assert entry["error"] is None
    assert entry["notes"] == []


def test_every_kind_of_line_is_shown() -> None:
    shown = {re.sub(r"\W.*", "", line.order) for line in lines()}
    assert {"1A", "1B", "1C", "1D", "2", "3A", "3B", "SET", "AS", "AID", "RANK", "HOST", "M", "1"} <= shown


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_told_once_with_all_its_values(name: str) -> None:
    politics = variants.load_board(name).definition.politics
    assert (politics is None) == (name == "baltic_ice")
    options = politics.options if politics else {}
    told = [point for _rule, point in variant_rules.settable_points(name)]
    assert {point.option: set(point.values) for point in told} == {
        option: set(values) for option, values in options.items()
    }
    assert len(told) == len(options)


def test_every_open_point_has_its_reading_and_its_place() -> None:
    told = [point for _chapter, point in variant_rules.open_points("diplomatie_2000")]
    assert {str(number) for point in told for number in point.numbers} == set(OPEN)
    assert all(point.numbers and point.where["fr"] for point in told)
    assert len({point.id for point in told}) == len(told)


def test_every_text_is_in_both_languages() -> None:
    for said in texts():
        assert all(said[language].strip() for language in LANGUAGES), said
        assert said["fr"] != said["en"], said


def test_punctuation_is_that_of_the_language() -> None:
    for said in texts():
        french, english = (re.sub(r"`[^`]*`", "", said[language]) for language in LANGUAGES)
        assert not re.search(r" [:;?!»]|« |['\"]|\.\.\.", french), french
        assert not re.search(r"[«»'\"]|\.\.\.", english), english


def test_both_languages_name_the_same_orders() -> None:
    for said in texts():
        found = [sorted(re.findall(r"\{([^}]*)\}", said[language])) for language in LANGUAGES]
        assert found[0] == found[1], said


def test_every_order_in_a_text_is_possible_to_write() -> None:
    orders = {order for said in texts() for order in re.findall(r"\{([^}]*)\}", said["fr"])}
    assert orders
    for order in orders:
        line = variant_rules_context.variant_rules_html(dict.fromkeys(LANGUAGES, f"{{{order}}}"), WORLD)
        assert line.startswith("<code>")


# the pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_answers_and_each_of_its_anchors_exists_once(client: Client, language: str) -> None:
    contents = unescape(client.get(RULES[language]).text)
    assert "MISSING" not in contents
    linked = re.findall(rf'href="({RULES[language]}[a-z]+/)(?:#([a-z-]+))?"', contents)
    assert {address for address, _anchor in linked} == {
        f"{RULES[language]}{name}/"
        for name in (
            *(chapter.id for chapter in variant_rules.variant_chapters("diplomatie_2000")),
            "readings",
        )
    }
    for address in dict.fromkeys(address for address, _anchor in linked):
        page = client.get(address).text
        assert "MISSING" not in page, address
        names = re.findall(r' id="([^"]+)"', page)
        assert len(names) == len(set(names)), address
        assert {anchor for where, anchor in linked if where == address and anchor} <= set(names)


@pytest.mark.long
@pytest.mark.parametrize(("language", "ours"), [("fr", "Notre lecture\u00a0:"), ("en", "Our reading:")])
def test_our_readings_stand_in_one_list_with_their_options(client: Client, language: str, ours: str) -> None:
    page = unescape(client.get(f"{RULES[language]}readings/").text)
    told = [point for _chapter, point in variant_rules.open_points("diplomatie_2000")]
    assert page.count(ours) >= len(told)
    plain = re.sub(r"<[^>]+>", "", page)
    for point in told:
        assert re.sub(r"[`{}]", "", point.text[language])[:25] in plain
        assert point.where[language] in page
        for value, text in point.values.items():
            assert f"<code>{value}</code>" in page
            assert re.sub(r"`", "", text[language])[:20] in plain
    usual = "(par défaut)" if language == "fr" else "(default)"
    assert page.count(usual) == sum(bool(point.option) for point in told)
    for chapter, point in variant_rules.open_points("diplomatie_2000"):
        assert f'id="{point.id}"' in client.get(f"{RULES[language]}{chapter.id}/").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_states_says_what_annex_3_says(client: Client, language: str) -> None:
    page = unescape(client.get(f"{RULES[language]}world/").text)
    rows = {
        code: re.findall(r"<td>([^<]*)</td>", row)
        for code, row in re.findall(r">([A-Z]{4})</span>(.*?)</tr>", page, re.DOTALL)
    }
    assert {code: row[2] for code, row in rows.items()} == GOALS
    assert rows["ETUN"] == ["11", "59", "28", "34", "21", "2", "11", "17", "23"]
    assert rows["EEAE"] == ["3", "143", "10", "13", "50", "2", "", "", ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_found_from_everywhere(client: Client, language: str) -> None:
    with override(language):
        for name in ("variant", "variant_glossary"):
            page = client.get(reverse(f"library:{name}", args=["diplomatie_2000"])).text
            assert f'href="{RULES[language]}"' in page
        assert f'href="{RULES[language]}"' in client.get(reverse("library:rules")).text
        assert (
            f'href="{RULES[language]}"' not in client.get(reverse("library:variant", args=["classic"])).text
        )


@pytest.mark.parametrize(
    "address",
    [
        "/variantes/classic/regles/",
        "/variantes/nowhere/regles/",
        "/variantes/classic/regles.pdf",
        "/variantes/diplomatie_2000/regles/nothing/",
        "/variantes/diplomatie_2000/demonstration/0/",
        "/variantes/diplomatie_2000/demonstration/99/",
        "/variantes/classic/demonstration/1/",
        "/variantes/diplomatie_2000/demonstration/1/secret.svg",
        "/variantes/diplomatie_2000/demonstration/99/result.svg",
        "/variantes/diplomatie_2000/demonstration/99999999999999999999/",
        "/variantes/%00/regles/",
        "/variantes/..%2Fclassic/regles/",
    ],
)
def test_what_is_not_there_is_said_so(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_to_print_hold_every_chapter(language: str) -> None:
    with override(language):
        document = rules_pdf.variant_document("diplomatie_2000")
    chapters = variant_rules.variant_chapters("diplomatie_2000")
    assert document.html.count('<section class="chapter">') >= len(chapters) + 1
    targets = re.findall(r' id="([^"]+)"', document.html)
    assert set(re.findall(r'href="#([^"]+)"', document.html)) <= set(targets)
    assert not re.search(r"https?:|MISSING|csrf", document.html)
    for chapter in chapters:
        assert chapter.title[language] in unescape(document.html)


@pytest.mark.skipif(not rules_pdf.is_available(), reason="the extra “pdf” or its system library is missing")
def test_the_rules_are_printed(client: Client, tmp_path: Path, settings: object, full: bool) -> None:
    if not full:
        pytest.skip("half a minute of work: --full")
    settings.DATA = tmp_path  # type: ignore[attr-defined]
    response = client.get(f"{PREFIX['en']}rules.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert response.content.startswith(b"%PDF-")
