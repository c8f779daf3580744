"""The position to be judged by several books, and the books, as a visitor sends them."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import datc_cases, question_input
from talleyrand.formats.json_checks import Json
from talleyrand.formats.json_lines import read_json
from talleyrand.formats.plain_text import read_game_text
from talleyrand.formats.rulebook_comparison import EMBEDDED_RULEBOOK
from talleyrand.rulebooks import LoadedRulebook

from . import comparison_limits
from .example_positions import example_positions
from .rulebook_input import (
    CUSTOM_RULEBOOK,
    RulebookInputRefusal,
    custom_rulebook,
    known_rulebooks,
    rulebook_error_text,
    text_from_request,
    typed_text,
)


@dataclass
class ComparisonRequest:
    """What is asked, as far as it was understood; `text` and `own` are kept as they were typed."""

    text: str = ""
    own: str = ""
    case: str = ""
    names: tuple[str, ...] = ()
    books: dict[str, LoadedRulebook] = field(default_factory=dict)
    question: dict[str, Json] = field(default_factory=dict)
    loose_lines: list[str] = field(default_factory=list)


def fill_comparison_request(request: HttpRequest, asked: ComparisonRequest) -> None:
    """Fill in what a request asks, step by step; raises RulebookInputRefusal, with the steps before it
    done.
    """
    asked.own = typed_text(request, CUSTOM_RULEBOOK)
    asked.text = typed_text(request, "text")
    asked.names = tuple(request.POST.getlist("book") or request.GET.getlist("book"))
    asked.case = typed_text(request, "case")
    if asked.case and not asked.text.strip():
        asked.text = _case(asked.case)
    asked.text = text_from_request(request, "text", "file") or asked.text
    asked.own = text_from_request(request, CUSTOM_RULEBOOK, "own_file")
    asked.books = _books(asked)
    if asked.text.strip():
        _understand(asked)


def _case(key: str) -> str:
    if key not in example_positions():
        raise RulebookInputRefusal(_("No such example here."))
    return example_positions()[key].text()


def _books(asked: ComparisonRequest) -> dict[str, LoadedRulebook]:
    known = known_rulebooks()
    if not set(asked.names) <= set(known):
        raise RulebookInputRefusal(_("No such rulebook here."))
    chosen = {name: book for name, book in known.items() if not asked.names or name in asked.names}
    return chosen | ({CUSTOM_RULEBOOK: custom_rulebook(asked.own)} if asked.own.strip() else {})


def _understand(asked: ComparisonRequest) -> None:
    if "\x00" in asked.text:
        raise RulebookInputRefusal(_("Not UTF-8 text."))
    try:
        asked.question, asked.loose_lines = _question(asked.text)
        read = question_input.read_question(asked.question)
    except TalleyrandError as error:
        raise RulebookInputRefusal(rulebook_error_text(error)) from None
    comparison_limits.check_effort(read)
    own = asked.question.get("rulebook")
    if own is not None:
        asked.books = _led(read.rulebook, asked.books, own=isinstance(own, dict))


def _led(book: LoadedRulebook, books: dict[str, LoadedRulebook], *, own: bool) -> dict[str, LoadedRulebook]:
    """The books with the question's first: the others are told by what sets them apart from it."""
    first = (
        {EMBEDDED_RULEBOOK: book} if own else {name: other for name, other in books.items() if other == book}
    )
    return {**first, **books}


def _question(text: str) -> tuple[dict[str, Json], list[str]]:
    """JSON, one case of the DATC, or a text; raises TalleyrandError and RulebookInputRefusal."""
    if text.lstrip().startswith("{"):
        value = read_json(text)
        assert isinstance(value, dict)  # it begins with a brace
        return value, []
    if datc_cases.is_datc(text):
        several = datc_cases.read_datc_cases(text)
        if len(several) > 1:
            raise RulebookInputRefusal(_("This text contains several cases: keep only one."))
        return several[0].question(None), []
    plain = read_game_text(text)
    return plain.question(), plain.lines_without_power
