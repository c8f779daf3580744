"""What a visitor sends to the pages of books, made sure of: texts, files, books of one's own."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _

from talleyrand import messages, rulebooks
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.custom_toml import read_custom_rulebook
from talleyrand.formats.question_input import read_rulebook
from talleyrand.rulebooks import FALLBACK, LoadedRulebook
from talleyrand.web.boards import display_names

LARGEST_INPUT = 40_000
CUSTOM_RULEBOOK = "own"


class RulebookInputRefusal(Exception):
    """Something sent that cannot be used; `sentence` tells the reader why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def text_from_request(request: HttpRequest, field: str, file: str) -> str:
    """A file, or where there is none what was typed; raises RulebookInputRefusal."""
    sent = request.FILES.get(file)
    if isinstance(sent, UploadedFile) and sent.size:
        return _decoded(sent)
    text = typed_text(request, field)
    if len(text) > LARGEST_INPUT:
        raise RulebookInputRefusal(_too_long())
    return text


def typed_text(request: HttpRequest, field: str) -> str:
    """What was typed, as it came."""
    return str(request.POST.get(field) or request.GET.get(field) or "")


def _decoded(sent: UploadedFile[Any]) -> str:
    if (sent.size or 0) > 4 * LARGEST_INPUT:
        raise RulebookInputRefusal(_too_long())
    try:
        text = str(sent.read(), "utf-8-sig")
    except UnicodeDecodeError:
        raise RulebookInputRefusal(_("This file is not UTF-8 text.")) from None
    if len(text) > LARGEST_INPUT:
        raise RulebookInputRefusal(_too_long())
    return text


def _too_long() -> str:
    return _("Too long: 40,000 characters at most.")


def rulebook_error_text(error: TalleyrandError) -> str:
    """A fault in the reader's language."""
    return messages.error_sentence(error, display_names.reader_language())


def custom_rulebook(text: str) -> LoadedRulebook:
    """A book of the visitor's, from TOML; raises RulebookInputRefusal."""
    try:
        return read_rulebook(read_custom_rulebook(text, _("My rulebook")))
    except TalleyrandError as error:
        raise RulebookInputRefusal(rulebook_error_text(error)) from None


def known_rulebooks() -> dict[str, LoadedRulebook]:
    """Every book at hand, the usual one first."""
    names = sorted(
        rulebooks.names(),
        key=lambda name: (name != FALLBACK, title_of_rulebook(rulebooks.load(name)).lower()),
    )
    return {name: rulebooks.load(name) for name in names}


def title_of_rulebook(book: LoadedRulebook) -> str:
    return book.title[display_names.reader_language()]
