"""What formats and the command line say exists in both languages, whole and compiled."""

import ast
import re
import string
from pathlib import Path

import pytest

from talleyrand import cli, formats
from talleyrand.messages.catalogue import has_sentence

babel = pytest.importorskip("babel.messages")
from babel.messages import Catalog  # noqa: E402
from babel.messages.mofile import read_mo  # noqa: E402
from babel.messages.pofile import read_po  # noqa: E402

PACKAGES = {"formats": Path(formats.__file__).parent, "cli": Path(cli.__file__).parent}
CATALOGUES = [(name, tongue) for name in PACKAGES for tongue in ("fr", "en")]
CODE = re.compile(r"(?:help|metavar|error|reason|show|variants|rulebooks|note)\.[a-z_.]+")


def entries(name: str, tongue: str, domain: str | None = None) -> dict[str, str]:
    path = PACKAGES[name] / "locale" / tongue / "LC_MESSAGES" / f"{domain or name}.po"
    with path.open("rb") as file:
        found = read_po(file, locale=tongue, abort_invalid=True)
    assert not any(message.fuzzy for message in found if message.id)
    return {str(message.id): str(message.string) for message in found if message.id}


def pairs(catalogue: Catalog) -> set[tuple[str, ...]]:
    """Each sentence with its translation, and its plural where it has one."""
    return {(*_forms(message.id), *_forms(message.string)) for message in catalogue if message.id}


def _forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("name", PACKAGES)
def test_both_languages_say_the_same_things(name: str) -> None:
    french, english = entries(name, "fr"), entries(name, "en")
    assert french.keys() == english.keys()
    for code in french:
        assert french[code].strip()
        assert english[code].strip()
        assert blanks(french[code]) == blanks(english[code]), code


@pytest.mark.parametrize("name", PACKAGES)
def test_every_code_in_the_sources_has_its_sentence(name: str) -> None:
    written = {
        node.value
        for path in PACKAGES[name].glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.fullmatch(node.value)
    }
    assert written
    whole = {code for code in written if not code.endswith(".")}
    assert not {code for code in whole if code not in entries(name, "fr")}


@pytest.mark.parametrize(("name", "tongue"), CATALOGUES)
def test_compiled_catalogues_are_up_to_date(name: str, tongue: str) -> None:
    folder = PACKAGES[name] / "locale" / tongue / "LC_MESSAGES"
    with (folder / f"{name}.mo").open("rb") as file:
        compiled = {str(message.id): str(message.string) for message in read_mo(file) if message.id}
    advice = f"pybabel compile -d src/talleyrand/{name}/locale -D {name}"
    assert compiled == entries(name, tongue), advice


def test_the_compiled_words_of_argparse_are_up_to_date() -> None:
    folder = PACKAGES["cli"] / "locale" / "fr" / "LC_MESSAGES"
    with (folder / "argparse.po").open("rb") as source, (folder / "argparse.mo").open("rb") as compiled:
        assert pairs(read_mo(compiled)) == pairs(read_po(source, locale="fr"))


def test_every_fault_of_a_question_has_its_sentence() -> None:
    faults = {
        str(node.args[0].value)
        for path in PACKAGES["formats"].glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in ("InvalidQuestion", "InvalidPosition", "_wrong")
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(faults) > 15
    assert not {code for code in faults if not has_sentence("fr", f"error.{code}")}


@pytest.mark.parametrize("name", PACKAGES)
def test_french_has_its_spaces(name: str) -> None:
    for code, text in entries(name, "fr").items():
        assert not re.search(r"(?<=\w) [;:!?»]|« ", text), code
        assert "'" not in text, code


def test_every_sentence_of_the_command_line_is_said() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in PACKAGES["cli"].glob("*.py"))
    built = ("help.", "reason.", "results.", "simulate.", "check.", "clock.")
    assert [code for code in entries("cli", "fr") if code not in sources and not code.startswith(built)] == []
