"""The French catalogue holds every message, once, with the same blanks, and is compiled."""

import ast
import io
import re
from pathlib import Path

import pytest

from talleyrand import drawing

pytest.importorskip("babel.messages")
from babel.messages import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

FOLDER = Path(drawing.__file__).parent
LOCALE = FOLDER / "locale" / "fr" / "LC_MESSAGES"
COMPILE = "pybabel compile -d src/talleyrand/drawing/locale -D drawing"


def catalogue() -> Catalog:
    with (LOCALE / "drawing.po").open("rb") as file:
        return read_po(file, locale="fr", abort_invalid=True)


def translations(found: Catalog) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in found if message.id}


def messages() -> set[str]:
    """Every message the modules say or mark for the catalogue."""
    calls = (
        node
        for path in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    )
    constants = ((_called(call), argument) for call in calls for argument in call.args)
    return {
        argument.value
        for name, argument in constants
        if name in {"_", "mark_for_translation", "translate"}
        and isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
    }


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_every_message_is_translated_and_no_other() -> None:
    assert set(translations(catalogue())) == messages()
    assert all(said.strip() for said in translations(catalogue()).values())


def test_the_blanks_are_the_same() -> None:
    for message, said in translations(catalogue()).items():
        assert sorted(re.findall(r"\{\w+\}", said)) == sorted(re.findall(r"\{\w+\}", message))


def test_the_catalogue_is_compiled() -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue())
    compiled.seek(0)
    with (LOCALE / "drawing.mo").open("rb") as committed:
        assert translations(read_mo(committed)) == translations(read_mo(compiled)), COMPILE
