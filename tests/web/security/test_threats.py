"""The page of threats lists attempts by kinds, each with a test or a log that there is, in both languages."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
ROOT = TESTS.parent
PAGES = {"fr": ROOT / "docs/fr/explanation/menaces.md", "en": ROOT / "docs/en/explanation/threats.md"}
ROW = re.compile(r"^\| (?!---)(.+) \| (.+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/.]+)(?:::(\w+))?`")
LEAST = 60
HEADS = {"fr": "ce qui est tenté", "en": "what is tried"}


def rows(language: str) -> list[tuple[str, str, str]]:
    """What was tried, what held, and where; without the heads of the tables."""
    found = ROW.findall(PAGES[language].read_text("utf-8"))
    return [row for row in found if row[0] != HEADS[language]]


def is_there(name: str, test: str) -> bool:
    """Whether a file holds this test, or is a log of a benchmark."""
    if name.startswith("benchmarks/results/"):
        return (ROOT / name).is_file()
    file = TESTS / name
    return (
        file.is_file() and re.search(rf"^ *def {test}\(", file.read_text("utf-8"), re.MULTILINE) is not None
    )


@pytest.mark.parametrize("language", PAGES)
def test_each_attempt_has_its_test_or_its_log(language: str) -> None:
    wrong = [
        (tried, name, test)
        for tried, _held, by in rows(language)
        for name, test in NAMED.findall(by) or [("", "")]
        if not is_there(name, test)
    ]
    assert wrong == []


def test_both_languages_list_the_same_attempts() -> None:
    french, english = ([NAMED.findall(by) for *_told, by in rows(language)] for language in PAGES)
    assert french == english
    assert len(french) >= LEAST
    headings = [re.findall("^##+ ", page.read_text("utf-8"), re.MULTILINE) for page in PAGES.values()]
    assert headings[0] == headings[1]


def test_nothing_is_listed_twice() -> None:
    for language in PAGES:
        tried = [row[0] for row in rows(language)]
        assert len(set(tried)) == len(tried)


def test_every_file_of_attacks_is_on_the_page() -> None:
    named = {name for *_told, by in rows("en") for name, _test in NAMED.findall(by)}
    own = {f"web/security/{file.name}" for file in HERE.glob("test_*.py")}
    assert own - named == {"web/security/test_threats.py"}


def test_a_test_that_is_not_there_is_noticed() -> None:
    assert not is_there("web/security/test_threats.py", "test_nowhere")
    assert not is_there("web/security/nowhere.py", "test_each_attempt_has_its_test_or_its_log")
    assert not is_there("benchmarks/results/nowhere.txt", "")
    assert is_there("web/security/test_threats.py", "test_nothing_is_listed_twice")
