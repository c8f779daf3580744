"""The position to be judged by several books, and the books, as a visitor sends them."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.translation import gettext as _

from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats import asking, datc_text
from talleyrand.formats.comparison import QUESTION
from talleyrand.formats.lines import read_json
from talleyrand.formats.plain import read_text
from talleyrand.formats.shapes import Json
from talleyrand.rulebooks import LoadedRulebook

from . import comparison_limits
from .books_input import OWN, Unfit, known_books, own_book, sent_text, told, typed
from .comparison_cases import cases


@dataclass
class Asked:
    """What is asked, as far as it was understood; `text` and `own` are kept as they were typed."""

    text: str = ""
    own: str = ""
    case: str = ""
    names: tuple[str, ...] = ()
    books: dict[str, LoadedRulebook] = field(default_factory=dict)
    question: dict[str, Json] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)


def read(request: HttpRequest, asked: Asked) -> None:
    """Fill in what a request asks, step by step; raises Unfit, with the steps before it done."""
    asked.own = typed(request, OWN)
    asked.text = typed(request, "text")
    asked.names = tuple(request.POST.getlist("book") or request.GET.getlist("book"))
    asked.case = typed(request, "case")
    if asked.case and not asked.text.strip():
        asked.text = _case(asked.case)
    asked.text = sent_text(request, "text", "file") or asked.text
    asked.own = sent_text(request, OWN, "own_file")
    asked.books = _books(asked)
    if asked.text.strip():
        _understand(asked)


def _case(key: str) -> str:
    if key not in cases():
        raise Unfit(_("There is no such example here."))
    return cases()[key].text()


def _books(asked: Asked) -> dict[str, LoadedRulebook]:
    known = known_books()
    if not set(asked.names) <= set(known):
        raise Unfit(_("There is no such rulebook here."))
    chosen = {name: book for name, book in known.items() if not asked.names or name in asked.names}
    return chosen | ({OWN: own_book(asked.own)} if asked.own.strip() else {})


def _understand(asked: Asked) -> None:
    if "\x00" in asked.text:
        raise Unfit(_("This is not text in UTF-8."))
    try:
        asked.question, asked.loose = _question(asked.text)
        read = asking.read_question(asked.question)
    except TalleyrandError as error:
        raise Unfit(told(error)) from None
    comparison_limits.check(read)
    own = asked.question.get("rulebook")
    if own is not None:
        asked.books = _led(read.book, asked.books, own=isinstance(own, dict))


def _led(book: LoadedRulebook, books: dict[str, LoadedRulebook], *, own: bool) -> dict[str, LoadedRulebook]:
    """The books with the question's first: the others are told by what sets them apart from it."""
    first = {QUESTION: book} if own else {name: other for name, other in books.items() if other == book}
    return {**first, **books}


def _question(text: str) -> tuple[dict[str, Json], list[str]]:
    """JSON, one case of the DATC, or a text; raises TalleyrandError and Unfit."""
    if text.lstrip().startswith("{"):
        value = read_json(text)
        assert isinstance(value, dict)  # it begins with a brace
        return value, []
    if datc_text.is_datc(text):
        several = datc_text.read_cases(text)
        if len(several) > 1:
            raise Unfit(_("This text holds several cases: keep one of them."))
        return several[0].question(None), []
    plain = read_text(text)
    return plain.question(), plain.loose
