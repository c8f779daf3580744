"""Whatever the site says has its French, and what is compiled is what is written."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.template import templatize

WEB = Path(settings.WEB)
LESSONS = WEB / "library" / "lessons"
HOMES = sorted(path.parent for path in WEB.rglob("locale"))  # folders with a catalogue of their own
BLANKS = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


@pytest.fixture(params=HOMES, ids=lambda folder: folder.name)
def place(request: pytest.FixtureRequest) -> Path:
    """A folder that has a catalogue."""
    return Path(request.param)


def folder(place: Path) -> Path:
    return place / "locale" / "fr" / "LC_MESSAGES"


@pytest.fixture
def catalogue(place: Path) -> Catalog:
    with (folder(place) / "django.po").open("rb") as file:
        return read_po(file, locale="fr")


def sources(place: Path) -> list[Path]:
    """The texts whose sentences stand in the catalogue of a folder."""
    found = [path for pattern in ("*.py", "*.html", "templates/**/*.txt") for path in WEB.rglob(pattern)]
    return [path for path in found if home(path) == place]


def home(path: Path) -> Path:
    """The folder whose catalogue holds the sentences of a source."""
    if "lessons" in path.relative_to(WEB).parts or path.stem.startswith("lessons"):
        return LESSONS
    return max((place for place in HOMES if path.is_relative_to(place)), key=lambda place: len(place.parts))


def said(place: Path) -> set[tuple[str, str]]:
    """The first form of every sentence in the sources, with its context or ""."""
    found: set[tuple[str, str]] = set()
    keywords = {**DEFAULT_KEYWORDS, "gettext_noop": None, "pgettext_lazy": DEFAULT_KEYWORDS["pgettext"]}
    for path in sources(place):
        text = path.read_text("utf-8")
        source = text if path.suffix == ".py" else re.sub(r"(?m)^[ \t]+", "", templatize(text))
        for _line, message, _comments, context in extract("python", io.BytesIO(source.encode()), keywords):
            found.add((context or "", message if isinstance(message, str) else message[0]))
    return found


def first(identity: str | tuple[str, ...] | list[str]) -> str:
    return identity if isinstance(identity, str) else identity[0]


def strings(catalogue: Catalog) -> dict[str, list[str]]:
    found = {first(message.id): message.string for message in catalogue if message.id}
    return {name: [text] if isinstance(text, str) else list(text or ()) for name, text in found.items()}


@pytest.mark.one_in(4)
def test_every_sentence_has_its_french(place: Path, catalogue: Catalog) -> None:
    known = {(message.context or "", first(message.id)) for message in catalogue if message.id}
    assert said(place) - known == set()
    assert known - said(place) == set()


def test_a_sentence_has_one_french_everywhere() -> None:
    """All catalogues are read as one: a second French of a sentence would stand in the other’s place."""
    found: dict[tuple[str, str], set[str]] = {}
    for place in HOMES:
        with (folder(place) / "django.po").open("rb") as file:
            for message in read_po(file, locale="fr"):
                known = found.setdefault((message.context or "", str(message.id)), set())
                known.add(str(message.string))
    assert {key: texts for key, texts in found.items() if key[1] and len(texts) > 1} == {}


def test_nothing_is_missing_or_doubtful(catalogue: Catalog) -> None:
    assert [name for name, texts in strings(catalogue).items() if not all(texts)] == []
    assert [message.id for message in catalogue if message.id and message.fuzzy] == []


def test_blanks_are_kept(catalogue: Catalog) -> None:
    for message in catalogue:
        if isinstance(message.id, str) and message.id:
            assert sorted(BLANKS.findall(message.id)) == sorted(BLANKS.findall(str(message.string))), (
                message.id
            )


def test_french_spaces_and_apostrophes(catalogue: Catalog) -> None:
    for texts in strings(catalogue).values():
        for text in texts:
            assert not re.search(r"[^\W\d]'[^\W\d]| [:;?!»]|« ", text), text


def test_compiled_as_written(place: Path, catalogue: Catalog) -> None:
    with (folder(place) / "django.mo").open("rb") as file:
        compiled = strings(read_mo(file))
    assert compiled == strings(catalogue)


@pytest.mark.parametrize("path", sorted((WEB / "static" / "js").glob("*.js")), ids=lambda path: path.name)
def test_scripts_say_only_what_the_page_gives_them(path: Path) -> None:
    from talleyrand.web.boards.script_texts import script_texts

    for key in re.findall(r'\bsay\("(\w+)"', path.read_text("utf-8")):
        assert key in script_texts(), key
