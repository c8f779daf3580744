"""What of a mail is its text, and what is attached to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from . import html_text, message_classes
from .mime_parts import DEEPEST, LONGEST_TEXT, MOST_PARTS, MimePart
from .parsed_email import LeftOut, LeftOutKind
from .text_lines import TextLine, split_flowed, split_lines

_CARDS = re.compile(r"text/(?:x-)?v-?card|text/directory")
_PICTURES = re.compile(r"image/.*|application/postscript")
_DOCUMENTS = re.compile(
    r"text/.*|application/(?:pdf|rtf|x-rtf|msword|vnd\.(?:ms-|openxmlformats-|oasis\.|apple\.).*|epub.*|x-abiword"
    r"|x-latex|x-tex|json|xml|csv)"
)
_ENDINGS = {
    LeftOutKind.CARD: re.compile(r".*\.(?:vcf|vcard)"),
    LeftOutKind.PICTURE: re.compile(r".*\.(?:jpe?g|png|gif|webp|heic|heif|bmp|tiff?|svg|avif)"),
    LeftOutKind.DOCUMENT: re.compile(
        r".*\.(?:pdf|docx?|od[tsp]|rtf|txt|md|xlsx?|pptx?|pages|numbers|csv|html?|epub)"
    ),
}
_READ = frozenset({"text/plain", "text/html", "text/markdown", "text/x-markdown", "text/x-amp-html"})
_BEGIN = re.compile(r"begin(?:-base64)? [0-7]{3,4} (\S.{0,199})")


@dataclass
class EmailContent:
    """The lines of a mail’s text, and all that hangs on it. `rest`: what anything behind it is."""

    lines: list[TextLine] = field(default_factory=list)
    left: list[LeftOut] = field(default_factory=list)
    rest: LeftOutKind | None = None
    is_html: bool = False
    is_encrypted: bool = False
    is_calendar_reply: bool = False
    is_damaged: bool = False

    def take_in(self, other: EmailContent) -> None:
        """Go on with what another part holds."""
        for line in other.lines:
            line.piece = line.piece or self.rest
        self.lines += [TextLine("", self.rest)] * bool(self.lines and other.lines) + other.lines
        self.rest = self.rest or other.rest
        self.is_html |= other.is_html
        self.take_left(other)

    def take_left(self, other: EmailContent) -> None:
        """Only what hangs on it."""
        self.left += other.left
        self.is_encrypted |= other.is_encrypted
        self.is_calendar_reply |= other.is_calendar_reply
        self.is_damaged |= other.is_damaged

    @property
    def says_something(self) -> bool:
        return any(not line.is_blank for line in self.lines)


def email_content(part: MimePart) -> EmailContent:
    """What a mail says and holds."""
    return _Opener().whole(part)


class _Opener:
    """Goes through the parts of one mail, of which it opens so many."""

    def __init__(self) -> None:
        self.parts = 0
        self.room = 3 * LONGEST_TEXT

    def whole(self, part: MimePart) -> EmailContent:
        if part.kind in _READ and not part.is_attached:
            return _text(part)
        return self.open(part, 0)

    def open(self, part: MimePart, depth: int) -> EmailContent:
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            return EmailContent()
        if message_classes.is_encrypted(part) and (not part.is_attached or not depth):
            return EmailContent(is_encrypted=True)
        if part.kind.startswith("multipart/"):
            return self._multipart(part, depth)
        if part.kind.startswith("message/"):
            return EmailContent(left=[LeftOut(LeftOutKind.FORWARD, part.file_name)])
        if part.kind not in _READ or part.is_attached or part.file_name or self.room <= 0:
            return _attached(part)
        self.room -= min(len(part.body), LONGEST_TEXT)
        return _text(part)

    def _multipart(self, part: MimePart, depth: int) -> EmailContent:
        if part.kind == "multipart/digest":
            return EmailContent(left=[LeftOut(LeftOutKind.FORWARD, "")])
        children = part.children()
        if not children:
            return EmailContent(is_damaged=True)
        if part.kind in ("multipart/signed", "multipart/report"):
            return self.open(children[0], depth + 1)
        found = [self.open(child, depth + 1) for child in children]
        if part.kind == "multipart/alternative":
            return _chosen(found)
        together = EmailContent()
        for one in found:
            together.take_in(one)
        return together


def _chosen(versions: Sequence[EmailContent]) -> EmailContent:
    """Of several versions the plain one, unless it is empty; what the page alone knows is carried over."""
    speaking = [one for one in versions if one.says_something]
    plain = next((one for one in speaking if not one.is_html), None)
    page = next((one for one in speaking if one.is_html), None)
    chosen = plain or page or EmailContent()
    if plain is not None and page is not None:
        _carry_over(plain, page)
    for one in versions:
        if one is not chosen:
            chosen.take_left(one)
    return chosen


def _carry_over(plain: EmailContent, page: EmailContent) -> None:
    """A line that the page has only within quotes, or a signature, is one here as well."""
    own = _run_together(line for line in page.lines if line.piece is None)
    others = {piece: _run_together(line for line in page.lines if line.piece is piece) for piece in _TAGGED}
    for line in plain.lines[:MOST_COMPARED]:
        said = _signs(line.text)
        if not said or said in own:
            continue
        line.on_page = next((piece for piece, text in others.items() if said in text), None)


MOST_COMPARED = 2000
_TAGGED = (LeftOutKind.QUOTE, LeftOutKind.FORWARD, LeftOutKind.SIGNATURE, LeftOutKind.ADVERT)


def _signs(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def _run_together(lines: Iterable[TextLine]) -> str:
    return "".join(_signs(line.text) for line in islice(lines, MOST_COMPARED))


def _text(part: MimePart) -> EmailContent:
    if not part.is_decodable:
        return EmailContent(left=[LeftOut(LeftOutKind.OTHER, part.file_name)], is_damaged=True)
    text = part.text()
    if part.kind in ("text/html", "text/x-amp-html"):
        page = html_text.html_to_lines(text)
        remote = [LeftOut(LeftOutKind.REMOTE)] if page.is_remote else []
        return EmailContent(page.lines, remote, page.rest, is_html=True)
    if part.parameter("format").lower() == "flowed":
        lines = split_flowed(text, delsp=part.parameter("delsp").lower() == "yes")
    else:
        lines = split_lines(text)
    left: list[LeftOut] = []
    return EmailContent(_without_uuencoded(lines, left), left)


def _without_uuencoded(lines: list[TextLine], left: list[LeftOut]) -> list[TextLine]:
    """Files that stand in the middle of a text, up to their "end", are attached."""
    kept: list[TextLine] = []
    inside = False
    for at, line in enumerate(lines):
        begins = None if inside else _BEGIN.fullmatch(line.text)
        if begins and at + 1 < len(lines) and _is_uuencoded(lines[at + 1].text):
            inside = True
            left.append(LeftOut(_sort("application/octet-stream", begins[1]), begins[1].strip()))
        elif inside:
            inside = line.text.strip() not in ("end", "====")
        else:
            kept.append(line)
    return kept


def _is_uuencoded(line: str) -> bool:
    if len(line) < 2 or not " " <= line[0] <= "`":
        return False
    groups = (ord(line[0]) - ord(" ") + 2) // 3
    return abs(len(line) - 1 - 4 * groups) <= 2


def _attached(part: MimePart) -> EmailContent:
    found = EmailContent(left=[LeftOut(_sort(part.kind, part.file_name), part.file_name)])
    found.is_calendar_reply = message_classes.is_calendar_reply(part)
    if part.kind in (
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
    ):
        found.left.clear()
    return found


def _sort(kind: str, name: str) -> LeftOutKind:
    """What kind of thing is attached, by its type or the ending of its name."""
    name = name.strip().lower()
    ended = next((piece for piece, ending in _ENDINGS.items() if ending.fullmatch(name)), LeftOutKind.OTHER)
    if _CARDS.fullmatch(kind) or ended is LeftOutKind.CARD:
        return LeftOutKind.CARD
    if _PICTURES.fullmatch(kind):
        return LeftOutKind.PICTURE
    if kind == "text/calendar":
        return LeftOutKind.OTHER
    return LeftOutKind.DOCUMENT if _DOCUMENTS.fullmatch(kind) else ended
