"""A page (HTML) as lines of text: which of them mail programs marked as quoted, and as signatures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .lines import Line
from .mail import Piece
from .tags import Tag, cut

STRUCK = "~~"
"""Struck out words stand between these, as orders are written in chats."""
MOST_REGIONS = 20

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "thead",
        "tr",
        "ul",
    ]
)
_SPACED = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "pre", "blockquote", "table"])
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
_STRIKES = frozenset(["s", "strike", "del"])
_BLANKS = re.compile(r"[ \t\n\f\v]+")
_REMOTE = re.compile(r"\s*(?:https?:|//)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?<![a-z-])opacity\s*:\s*0(?![.\d])"
    r"|font-size\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)

# From here on all is quoted, whatever closes: Outlook puts its quotes behind these marks, not into them.
_REST = re.compile(
    r"(?:x_)*(?:appendonsend|divrplyfwdmsg|olk_src_body_section|mail-editor-reference-message-container|zwchr"
    r"|isreplycontent|ms-outlook-mobile-reference-message|outlookmessageheader|\S*yahoo_quoted\S*"
    r"|stopspelling|replyforwardmessage|quoted-content-start)"
)
_FORWARDS = re.compile(r"(?:x_)*(?:moz-forward-container|isforwardcontent|forwardedmessage)")
_OUTLOOK_BORDER = re.compile(
    r"border\s*:\s*none\s*;.*border-(?:top|left)\s*:\s*solid|border-top\s*:\s*solid",
    re.IGNORECASE | re.DOTALL,
)
# What they hold is quoted.
_QUOTES = re.compile(
    r"(?:x_)*(?:moz-cite-prefix|gmail_attr|reply-intro|tutanota_quote|zmail_extra|appleoriginalcontents"
    r"|hmquote|cite-prefix|moz-email-headers-table|email-headers|quote-header)"
)
# What they hold before a quote begins in them is quoted; behind it the writer may go on.
_AROUND = re.compile(r"(?:x_)*(?:gmail_quote|gmail_quote_container|protonmail_quote)")
_SIGNATURES = re.compile(
    r"(?:x_)*(?:gmail_signature|gmail_signature_prefix|moz-signature|signature|ms-outlook-mobile-signature"
    r"|protonmail_signature_block\S*|k9mail-signature|mobile-signature|applemailsignature|ymail_android_signature"
    r"|iosymailsignature|ymailsignature)"
)
_ADVERTS = re.compile(r"dab4fad8-2dd7-40bb-a1b8-4e2aa1f9fdf2|avast-\S+|avg-\S+")


@dataclass
class Page:
    """The lines of a page. `rest`: what all that comes behind it is. `is_remote`: it fetches something."""

    lines: list[Line] = field(default_factory=list)
    rest: Piece | None = None
    is_remote: bool = False


@dataclass
class _Region:
    """What lies within a tag, until as many of its name are closed as opened."""

    tag: str
    piece: Piece | None
    depth: int = 1
    is_around: bool = False


def converted(source: str) -> Page:
    """The text of a page."""
    return _Converter().run(source)


class _Converter:
    def __init__(self) -> None:
        self.page = Page()
        self.regions: list[_Region] = []
        self.hidden: _Region | None = None
        self.text: list[str] = []
        self.preformatted = 0
        self.lists: list[int] = []

    def run(self, source: str) -> Page:
        for token in cut(source):
            if isinstance(token, str):
                self._write(token)
            elif token.closes:
                self._close(token.name)
            else:
                self._open(token)
        self._end_line()
        return self.page

    # text

    @property
    def piece(self) -> Piece | None:
        inner = next((region.piece for region in self.regions if region.piece is not None), None)
        return self.page.rest or inner

    def _write(self, text: str) -> None:
        if self.hidden is not None:
            return
        if self.preformatted:
            first, *others = text.split("\n")
            self.text.append(first)
            for line in others:
                self._break()
                self.text.append(line)
            return
        text = _BLANKS.sub(" ", text)
        if text.strip() or self.text:
            self.text.append(text)

    def _break(self) -> None:
        line = "".join(self.text)
        self.text.clear()
        line = line.rstrip() if self.preformatted else line.strip(" ").replace("  ", " ")
        self.page.lines.append(Line(line, self.piece))

    def _end_line(self) -> None:
        if "".join(self.text).strip(" \t\n"):
            self._break()
        self.text.clear()

    def _space(self) -> None:
        self._end_line()
        if self.page.lines and self.page.lines[-1].text:
            self.page.lines.append(Line("", self.piece))

    # tags

    def _open(self, tag: Tag) -> None:
        if self.hidden is not None:
            self._within_hidden(tag.name)
            return
        self.page.is_remote |= any(_REMOTE.match(tag.get(name)) for name in ("src", "background"))
        if tag.name not in _VOID and _is_hidden(tag):
            self.hidden = _Region(tag.name, None)
            return
        self._lay_out(tag)
        self._mark(tag)

    def _within_hidden(self, name: str) -> None:
        assert self.hidden is not None
        if self.hidden.tag == name == "p":  # a paragraph closes the one before
            self.hidden = None
        elif self.hidden.tag == name:
            self.hidden.depth += 1

    def _lay_out(self, tag: Tag) -> None:
        if tag.name == "br":
            self._break()
        elif tag.name in ("td", "th") and self.text:
            self.text.append(" ")
        elif tag.name in _STRIKES:
            self.text.append(STRUCK)
        elif tag.name in _BLOCKS:
            self._lay_out_block(tag)

    def _lay_out_block(self, tag: Tag) -> None:
        spaced = tag.name in _SPACED or (tag.name == "p" and "msonormal" not in tag.get("class").lower())
        self._space() if spaced else self._end_line()
        if tag.name == "pre":
            self.preformatted += 1
        elif tag.name in ("ul", "ol"):
            self.lists.append(0 if tag.name == "ol" else -1)
        elif tag.name == "li":
            self._number()

    def _number(self) -> None:
        if self.lists and self.lists[-1] >= 0:
            self.lists[-1] += 1
            self.text.append(f"{self.lists[-1]}. ")
        else:
            self.text.append("• ")

    def _close(self, name: str) -> None:
        if self.hidden is not None:
            self._leave_hidden(name)
            return
        if name in _STRIKES and self.text:
            self.text.append(STRUCK)
        if name in _BLOCKS:
            self._space() if name in _SPACED or name == "p" else self._end_line()
            self._leave_block(name)
        self._leave_regions(name)

    def _leave_hidden(self, name: str) -> None:
        assert self.hidden is not None
        if self.hidden.tag == name:
            self.hidden.depth -= 1
            self.hidden = self.hidden if self.hidden.depth else None

    def _leave_block(self, name: str) -> None:
        if name == "pre":
            self.preformatted = max(0, self.preformatted - 1)
        elif name in ("ul", "ol") and self.lists:
            self.lists.pop()

    # regions

    def _mark(self, tag: Tag) -> None:
        for region in self.regions:
            region.depth += region.tag == tag.name
        if self.page.rest is not None:
            return
        if tag.name == "blockquote":
            self._enter_quote()
            return
        piece, is_rest, is_around = _meaning(tag)
        if piece is None:
            return
        self._end_line()
        if is_rest or len(self.regions) > MOST_REGIONS:
            self.page.rest = piece
        elif tag.name not in _VOID and self.piece is None:
            self.regions.append(_Region(tag.name, piece, is_around=is_around))

    def _enter_quote(self) -> None:
        self._end_line()
        for region in self.regions:
            if region.is_around:
                region.piece = None
        if not any(region.tag == "blockquote" for region in self.regions):
            self.regions.append(_Region("blockquote", Piece.QUOTE))

    def _leave_regions(self, name: str) -> None:
        if not any(region.tag == name for region in self.regions):
            return
        for region in self.regions:
            region.depth -= region.tag == name
        if any(not region.depth for region in self.regions):
            self._end_line()
            self.regions = [region for region in self.regions if region.depth]


def _is_hidden(tag: Tag) -> bool:
    return "hidden" in tag.attributes or _HIDDEN.search(tag.get("style")) is not None


def _meaning(tag: Tag) -> tuple[Piece | None, bool, bool]:
    """What a tag begins, if it is more than a paragraph: whether to the end, whether only around quotes."""
    if not tag.attributes:
        return None, False, False
    marks = f"{tag.get('class')} {tag.get('id')} {tag.get('name')}".lower().split()
    for names, piece, is_rest, is_around in (
        (_REST, Piece.QUOTE, True, False),
        (_FORWARDS, Piece.FORWARD, True, False),
        (_AROUND, Piece.QUOTE, False, True),
        (_QUOTES, Piece.QUOTE, False, False),
        (_SIGNATURES, Piece.SIGNATURE, False, False),
        (_ADVERTS, Piece.ADVERT, False, False),
    ):
        if any(names.fullmatch(mark) for mark in marks[:20]):
            return piece, is_rest, is_around
    if tag.name == "div" and _OUTLOOK_BORDER.search(tag.get("style")):
        return Piece.QUOTE, True, False
    return None, False, False
