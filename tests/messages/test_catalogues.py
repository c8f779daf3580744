"""The catalogues are whole, alike in both languages, compiled, and typeset as each language wants."""

import io
import re
import string
from pathlib import Path
from typing import get_args

import pytest

from talleyrand import messages, rulebooks
from talleyrand.engine.orders import Order
from talleyrand.engine.outcome import CauseCode, OrderResult, StrengthComparison
from talleyrand.messages.catalogue import DOMAIN as JUDGE
from talleyrand.variants import LANGUAGES

babel = pytest.importorskip("babel.messages")
from babel.messages import Catalog, Message  # noqa: E402
from babel.messages.mofile import read_mo, write_mo  # noqa: E402
from babel.messages.pofile import read_po  # noqa: E402

DOMAINS = (JUDGE, "tournament")
COMPILE = "pybabel compile -d src/talleyrand/messages/locale -D"
LOCALE = Path(messages.__file__).parent / "locale"
SOURCE = LOCALE.parents[1]


def catalogue(language: str, domain: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def sentences(found: Catalog) -> dict[str, tuple[str, ...]]:
    """All but the header, which names the version of Babel."""
    return {_code(message): forms(message) for message in found if message.id}


def entries(language: str) -> dict[str, Message]:
    """Of all catalogues; no code is in two of them."""
    return {code: one for domain in DOMAINS for code, one in _entries(language, domain).items()}


def _entries(language: str, domain: str) -> dict[str, Message]:
    return {_code(message): message for message in catalogue(language, domain) if message.id}


def _code(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def blanks(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


FRENCH, ENGLISH = entries("fr"), entries("en")


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
class TestCatalogue:
    def test_is_compiled(self, language: str, domain: str) -> None:
        compiled = io.BytesIO()
        write_mo(compiled, catalogue(language, domain))
        compiled.seek(0)
        with (LOCALE / language / "LC_MESSAGES" / f"{domain}.mo").open("rb") as committed:
            assert sentences(read_mo(committed)) == sentences(read_mo(compiled)), f"{COMPILE} {domain}"

    def test_nothing_is_missing_or_fuzzy(self, language: str, domain: str) -> None:
        for code, message in _entries(language, domain).items():
            assert not message.fuzzy, code
            assert all(text.strip() for text in forms(message)), code

    def test_nothing_is_said_twice(self, language: str, domain: str) -> None:
        path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
        codes = re.findall(r'^msgid "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
        assert len(codes) == len(set(codes))

    def test_sentences_end(self, language: str, domain: str) -> None:
        for code, message in _entries(language, domain).items():
            if code.startswith(("cause.", "error.", "note.", "refusal.", "also.", "source.", "working.")):
                assert all(text.endswith(".") for text in forms(message)), code


@pytest.mark.parametrize("domain", DOMAINS)
def test_both_languages_say_the_same_things(domain: str) -> None:
    assert list(_entries("fr", domain)) == list(_entries("en", domain))


def test_no_code_is_in_two_catalogues() -> None:
    assert len(FRENCH) == sum(len(_entries("fr", domain)) for domain in DOMAINS)


def test_blanks_are_the_same() -> None:
    assert len(FRENCH) > 500
    for code in FRENCH:
        sets = [blanks(text) for entry in (FRENCH[code], ENGLISH[code]) for text in forms(entry)]
        assert all(found == sets[0] for found in sets), code
        assert len(forms(FRENCH[code])) == len(forms(ENGLISH[code])), code


def test_french_is_typeset() -> None:
    """A non-breaking space belongs before : ; ! ?"""
    wrong = re.compile(r"'|  |[^\u00a0][:;!?]")
    texts = [(code, text) for code in FRENCH for text in forms(FRENCH[code])]
    assert [(code, text) for code, text in texts if wrong.search(text)] == []


def test_english_is_typeset() -> None:
    wrong = re.compile(r"\u00a0|  |\s[:;!?]")
    texts = [(code, text) for code in ENGLISH for text in forms(ENGLISH[code])]
    assert [(code, text) for code, text in texts if wrong.search(text)] == []


UNITS = "unit|units|all|other|target|dislodger"


@pytest.mark.parametrize("path", sorted(SOURCE.glob("**/locale/fr/**/*.po")), ids=lambda path: path.parts[-4])
def test_no_unit_stands_where_french_would_contract(path: Path) -> None:
    """Neither "de A Albanie" nor "d’A Albanie" is French: a sentence names a unit otherwise."""
    text = path.read_text("utf-8")
    assert not re.search(rf"\b(?:de |d’)(?:\{{(?:{UNITS})\}}|%\(units?\)s)", text)


def test_no_sentence_waits_for_a_case_that_cannot_be() -> None:
    """What follows a cause's code is an option, a value, an edge, a result or a kind of order."""
    options = rulebooks.options()
    known = (
        {value for option in options.values() for value in option.values} | set(options) | set(OrderResult)
    )
    known |= {kind.__name__.lower() for kind in get_args(Order)} | set(StrengthComparison)
    parts = [code.split(".") for code in FRENCH if code.startswith("cause.")]
    assert {part[1] for part in parts} <= set(CauseCode)
    assert {part[2] for part in parts if len(part) > 2} <= known
