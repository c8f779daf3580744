"""Where the quoted texts say what: the articles that a place names, and what a statement must find there.

`python -m tests.rulebooks.articles FOLDER` holds `articles.toml` against the texts, for those who have them.
"""

from __future__ import annotations

import re
import sys
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from talleyrand import variants

TEXTS = {
    "classic_1976": ("Règles classiques", "000_*.txt"),
    "play_by_mail_001": ("Jeu par correspondance", "001_*.txt"),
    "simplified": ("Règles simplifiées", "002_*.txt"),
    "anjou_feu": ("Anjou Feu", "004_*.txt"),
}
"""For each book whose text was read from end to end: what it is called in a source, and its file."""
NUMBERS = {"trois": "3", "quatre": "4", "cinq": "5", "six": "6", "sept": "7", "douze": "12"}
EXTRA = ("Suisse", "Baf", "Escalation", "Sandad")


@cache
def articles() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """For each book and each of its articles the beginnings of words, numbers and names in it."""
    table = tomllib.loads((Path(__file__).parent / "articles.toml").read_text("utf-8"))
    return {
        book: {place: frozenset(keys.split()) for place, keys in listed.items()}
        for book, listed in table.items()
    }


def theirs(key: str) -> str:
    """How the text begins the word."""
    return words(key.partition("=")[0])[0]


def ours(key: str) -> list[str]:
    """How the word may begin in a statement of ours."""
    return [words(one)[0] for one in key.split("=")]


def known(book: str, place: str) -> list[str]:
    """The articles that a place names: "IV, cas simples 1 et 3" → IV, cas simples."""
    listed = articles()[book]
    place = re.sub(r"exemples ([A-D]) à ([A-D])", _between, place)
    place = re.sub(r"exemples? ((?:[A-D]|\d+)(?:(?:, | et )(?:[A-D]|\d+))*)", _each, place)
    found = []
    for one in re.split(r", | et (?=[A-Z])", place):
        bare = re.sub(r" \d+(?: et \d+)*$", "", one)
        found.append(one if one in listed else bare)
    return found


def _between(match: re.Match[str]) -> str:
    letters = "ABCD"[ord(match[1]) - ord("A") : ord(match[2]) - ord("A") + 1]
    return ", ".join(f"exemple {letter}" for letter in letters)


def _each(match: re.Match[str]) -> str:
    return ", ".join(f"exemple {one}" for one in re.split(r", | et ", match[1]))


def plain(text: str) -> str:
    """Without accents or capitals."""
    letters = unicodedata.normalize("NFKD", text.replace("’", "'")).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def words(text: str) -> list[str]:
    """Its words without accents or capitals, numbers as figures."""
    return [NUMBERS.get(one, one) for one in re.findall(r"[a-z0-9][a-z0-9-]*", plain(text))]


def facts(text: str) -> Iterator[str]:
    """The numbers and the names in a statement, which its place must hold too."""
    text = re.sub(r"\{[^}]*\}", "", text)
    yield from (one for one in words(text) if one.isdigit() and one != NUMBERS["trois"])
    names = variants.load("classic").names("fr")
    places = [*(one.name for one in names.provinces.values()), *(one.name for one in names.powers.values())]
    for name in (*places, *EXTRA):
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            yield words(name)[-1]


def missing(book: str, place: str, text: str) -> list[str]:
    """What is wrong with saying that a text says this at a place."""
    listed = articles()[book]
    cited = known(book, place)
    unknown = [one for one in cited if one not in listed]
    if unknown:
        return [f"{book} has no {one}" for one in unknown]
    held = {word for one in cited for key in listed[one] for word in ours(key)}
    found = [f"{book}, {place} has no {fact}" for fact in facts(text) if fact not in held]
    said = words(text)
    for one in cited:
        keys = tuple(word for key in listed[one] for word in ours(key))
        if keys and not any(word.startswith(keys) for word in said):
            found.append(f"{book}, {one} is about {' '.join(sorted(listed[one]))}")
    return found


# the texts themselves -----------------------------------------------------------------------------


def sections(book: str, text: str) -> dict[str, str]:
    """A text in its sections: by Roman numbers, by headings, or as a whole."""
    if book == "simplified":
        return {"": text}
    heading = r"^(.+?)\[\]$" if book == "anjou_feu" else r"^ *([IVX]+)\.? +[A-ZÉÀ].*$"
    found, name, part = {"": ""}, "", ""
    for line in text.splitlines():
        begun = re.match(heading, line.strip() if book == "anjou_feu" else line)
        name = begun[1] if begun else name
        part = name if begun and re.match(r"[IVX]+ |Annexes", name) else part
        for one in {name, part}:
            found[one] = found.get(one, "") + f"{line}\n"
    return found


def section_of(book: str, place: str, found: Mapping[str, str]) -> str:
    """The text of an article, or of the section that holds it; all of it for one inside another."""
    if book == "anjou_feu":
        named = [one for one in found if plain(one).lower().find(plain(place)) >= 0]
        numbered = [one for one in found if re.match(rf"{place} ", one)]
        return " ".join(found[one] for one in numbered or named) or " ".join(found.values())
    return found.get(place.partition(".")[0]) or " ".join(found.values())


def main(folder: Path) -> int:
    """Print the words of the table that a text does not hold where it should; status 1 if there are any."""
    lost = []
    for book, (_, pattern) in TEXTS.items():
        (path,) = folder.glob(pattern)
        found = sections(book, path.read_text("utf-8"))
        for place, keys in articles()[book].items():
            held = words(section_of(book, place, found))
            lost += [
                f"{book}, {place}: {key}"
                for key in keys
                if not any(one.startswith(theirs(key)) for one in held)
            ]
    print(*lost, sep="\n")
    print(f"{sum(map(len, articles().values()))} articles, {len(lost)} words that are not in the texts")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
