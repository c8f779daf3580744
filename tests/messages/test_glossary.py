"""One word for one thing (docs/*/explanation/glossary.md), in catalogues, data and documents."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pofile = pytest.importorskip("babel.messages.pofile")
ROOT = Path(__file__).parents[2]
SRC = ROOT / "src" / "talleyrand"
BLANK = re.compile(r"%\(\w+\)[a-z]|\{[^{}]*\}|`[^`]*`|<[^<>]*>")
"""What is not words: blanks to be filled, code, markup."""

NOT_ENGLISH = {
    "submit": r"\bhand(s|ed|ing)? in\b",
    "ready": r"\b(is|are) final\b|orders final\b",
    "resolve, adjudicate": r"\bjudg(e|es|ed|ing)\b",
    "waive, resign": r"\bgiv(e|es|en|ing) up\b",
    "conversation": r"\bfor the first time\b",
    "vote to end": r"\bpropose the end\b",
    "power preferences": r"\bwish(es|ed)?\b",
    "anyone who": r"\bwhoever\b",
    "they": r"\b(he|his|him|himself)\b",
    "someone, everyone, anyone": r"\b(some|every|any)body\b",
    "standoff": r"\bstand-offs?\b",
    "void": r"\bwithout object\b",
    "by email": r"\bby post\b|(?<!play )\bby mail\b",
    "notification": r"(?<!/)\bnews\b",
    "orders": r"(?<!order )(?<!result )(?<!board’s )(?<!field )(?<!style )\bsheets?\b",
    "bot": r"\bcomputer (player|plays)|\b(by|against) (the|a) computer\b",
    "random draw": r"\blots?\b(?! of)",
    "message": r"\bletters? (to|between|for)\b",
    "roll back": r"\btak(e|es|en) back\b",
    "Diplomacy": r"(?<!Duel-)\bDiplomatie\b(?! 2000| intime)",
}
NOT_FRENCH = {
    "ordres": r"\bfeuilles?\b(?! (de (calcul|style|résultat|la table)|d’ordres|arrachée|d’un retardataire))",
    "envoyés": r"(?<!non-)\bremis(es?)?\b(?! des prix)",
    "prêt": r"\bdéfinitifs?\b|\bdéfinitives?\b",
    "résoudre": r"\bjug(e|es|é|és|ée|ées|er)\b",
    "règlement": r"\blivres?\b",
    "administrateur du site": r"\bqui tient ce site\b",
    "notification": r"\b(les|vos|ses|des) nouvelles\b(?! (adresses|personnes|unités))",
    "bot": r"\b(contre|par) l’ordinateur\b|\bl’ordinateur joue",
    "préférences": r"\bvœux?\b",
    "dislogée": r"\bdélog",
    "dissoute": r"\bdispers",
    "résolue": r"\bphase [^.]{0,20}publiée\b",
    "vote de fin": r"\bpropose[rz]? la fin\b(?! de)",
    "courriel": r"\bpar (la poste|courrier)\b",
    "Diplomacy": r"(?<!Duel-)\bDiplomatie\b(?! 2000| intime)",
}
NOT_OUTSIDE_TOURNAMENTS = {"MJ, arbitrage": r"\barbitres?\b"}


def catalogues() -> Iterator[tuple[Path, str, str]]:
    """Each sentence of each catalogue: where it stands, its language, and its words."""
    for path in sorted(SRC.rglob("*.po")):
        language = path.parts[-3]
        keyed = (path.parents[2] / "en" / "LC_MESSAGES" / path.name).exists()
        with path.open("rb") as file:
            for message in pofile.read_po(file, locale=language):
                for text in (message.string,) if isinstance(message.string, str) else message.string:
                    yield path, language, text
                if language == "fr" and not keyed and message.id:
                    for text in (message.id,) if isinstance(message.id, str) else message.id:
                        yield path, "en", text


def prose() -> Iterator[tuple[Path, str, str]]:
    """What data say in both languages: `{ fr = "…", en = "…" }`, or a file for each language."""
    for path in sorted(SRC.rglob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        suffix = Path(path.stem).suffix
        if suffix in (".fr", ".en") and path.stem.startswith("sentences"):
            yield from ((path, suffix[1:], text) for text in leaves(data))
        else:
            yield from ((path, language, text) for language, text in translated(data))


def leaves(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from leaves(inner)


def translated(data: Any) -> Iterator[tuple[str, str]]:
    if isinstance(data, dict):
        for language in ("fr", "en"):
            if isinstance(data.get(language), str):
                yield language, data[language]
    for inner in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from translated(inner)


def documents() -> Iterator[tuple[Path, str, str]]:
    """The paragraphs of the documents but the glossary itself, without code, addresses and quoted words."""
    not_words = re.compile(r"```.*?```|\]\([^)]*\)|«[^»]*»|“[^”]*”", re.DOTALL)
    for path in [*sorted((ROOT / "docs").rglob("*.md")), *ROOT.glob("README*.md"), ROOT / "CHANGELOG.md"]:
        english = "en" in path.parts or path.name == "README.en.md"
        for part in re.split(r"^### (?=English)", path.read_text("utf-8"), flags=re.MULTILINE):
            language = "en" if english or part.startswith("English") else "fr"
            for text in re.split(r"\n\s*\n", not_words.sub("…", part)):
                if path.name != "glossary.md":
                    yield path, language, text


def faults(found: Iterator[tuple[Path, str, str]]) -> list[str]:
    wrong, count = [], 0
    for path, language, text in found:
        count += 1
        if re.fullmatch(r"[\w-]+-[\w-]+|.*/", text):  # an address, or a part of one
            continue
        words = BLANK.sub("…", text).replace("\u00a0", " ")
        rules = dict(NOT_ENGLISH if language == "en" else NOT_FRENCH)
        if language == "fr" and not re.search(
            "tournament|tournoi|evenement|table|telephones|classe|salle|CHANGELOG", path.as_posix()
        ):
            rules |= NOT_OUTSIDE_TOURNAMENTS
        for rather, pattern in rules.items():
            if hit := re.search(pattern, words, re.IGNORECASE):
                wrong.append(f"{path.relative_to(ROOT)}: {hit[0]!r}, rather {rather!r}: {text[:90]}")
    assert count > 1000
    return wrong


def test_the_catalogues_say_the_words_of_the_glossary() -> None:
    assert not faults(catalogues())


def test_the_sentences_kept_as_data_do_too() -> None:
    assert not faults(prose())


def test_the_documents_do_too() -> None:
    assert not faults(documents())


def test_the_glossary_has_the_words() -> None:
    for language, rules in (("en", NOT_ENGLISH), ("fr", NOT_FRENCH)):
        text = (ROOT / "docs" / language / "explanation" / "glossary.md").read_text("utf-8")
        for rather in rules:
            for word in rather.split(", "):
                assert word in text or word in ("they", "anyone who", "someone", "everyone", "anyone"), word
