"""A page (HTML) as lines of text: which of them mail programs marked as quoted, and as signatures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from .parsed_email import LeftOutKind
from .phrase_lists import any_of, phrases_of
from .text_lines import MOST_LINES, TextLine

STRUCK = "~~"
"""Struck out words stand between these, as orders are written in chats."""
MOST_REGIONS, MOST_TOKENS = 20, 80_000
LONGEST_ROW = 40  # lines, of a table’s row that is still looked at as one

_BLOCKS = frozenset(phrases_of("tag_block"))
_SPACED = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "pre", "blockquote", "table"})
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_STRIKES = frozenset({"s", "strike", "del"})
_BLANKS = re.compile(r"[ \t\n\f\v]+")
_REMOTE = re.compile(r"\s*(?:https?:|//)", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?<![a-z-])opacity\s*:\s*0(?![.\d])"
    r"|font-size\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)

LONGEST_TAG = 4000
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]{0,40})")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']{1,80})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SILENT = "script style title textarea noscript template object svg math xml"
_RAW = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in _SILENT.split()}


class _Meaning(NamedTuple):
    """What a tag begins: `is_rest`, up to the end of the page; `is_around`, up to a quote within it."""

    piece: LeftOutKind
    is_rest: bool = False
    is_around: bool = False


_MEANINGS = tuple(
    (re.compile(rf"(?:x_)*{any_of(name)}"), meaning)
    for name, meaning in {
        "tag_rest": _Meaning(LeftOutKind.QUOTE, is_rest=True),
        "tag_forward": _Meaning(LeftOutKind.FORWARD, is_rest=True),
        "tag_around": _Meaning(LeftOutKind.QUOTE, is_around=True),
        "tag_quote": _Meaning(LeftOutKind.QUOTE),
        "tag_signature": _Meaning(LeftOutKind.SIGNATURE),
        "tag_advert": _Meaning(LeftOutKind.ADVERT),
    }.items()
)
_OUTLOOK_RULE = re.compile(r"border-top\s*:[^;]{0,40}solid|border-left\s*:\s*solid blue", re.IGNORECASE)
"""Outlook rules off what it quotes, or draws a line beside it."""


@dataclass
class HtmlText:
    """The lines of a page. `rest`: what all that comes behind it is. `is_remote`: it fetches something."""

    lines: list[TextLine] = field(default_factory=list)
    rest: LeftOutKind | None = None
    is_remote: bool = False


@dataclass
class _Region:
    """What lies within a tag, until as many of its name are closed as opened."""

    tag: str
    piece: LeftOutKind | None
    depth: int = 1
    is_around: bool = False


@dataclass
class _Row:
    """A row of the `table`-th table around it; where each of its cells begins among the lines."""

    table: int
    cells: list[int] = field(default_factory=list)


def html_to_lines(source: str) -> HtmlText:
    """The text of a page."""
    return _Converter().run(source)


class _Converter:
    def __init__(self) -> None:
        self.page = HtmlText()
        self.regions: list[_Region] = []
        self.hidden: _Region | None = None
        self.text: list[str] = []
        self.preformatted = 0
        self.is_tight = False
        self.lists: list[int] = []
        self.tables = 0
        self.rows: list[_Row] = []

    def run(self, source: str) -> HtmlText:
        for token in islice(split_tags(source), MOST_TOKENS):
            if len(self.page.lines) > MOST_LINES:
                break
            if isinstance(token, str):
                self._write(token)
            elif token.closes:
                self._close(token.name)
            else:
                self._open(token)
        self._end_line()
        self._end_row()
        return self.page

    # text

    @property
    def piece(self) -> LeftOutKind | None:
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
        self.page.lines.append(TextLine(line, self.piece))

    def _end_line(self) -> None:
        if "".join(self.text).strip(" \t\n"):
            self._break()
        self.text.clear()

    def _space(self) -> None:
        self._end_line()
        if self.page.lines and self.page.lines[-1].text:
            self.page.lines.append(TextLine("", self.piece))

    # tags

    def _open(self, tag: HtmlTag) -> None:
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

    def _lay_out(self, tag: HtmlTag) -> None:
        if tag.name == "br":
            self._break()
        elif tag.name in ("td", "th"):
            self._begin_cell()
        elif tag.name in _STRIKES:
            self.text.append(STRUCK)
        elif tag.name in _BLOCKS:
            self._lay_out_block(tag)

    def _lay_out_block(self, tag: HtmlTag) -> None:
        if tag.name == "p":
            self.is_tight = "msonormal" in tag.get("class").lower()
        self._end_block(tag.name)
        if tag.name == "pre":
            self.preformatted += 1
        elif tag.name in ("ul", "ol"):
            self.lists.append(0 if tag.name == "ol" else -1)
        elif tag.name == "li":
            self._number()
        elif tag.name == "table":
            self.tables += 1
        elif tag.name == "tr":
            self._end_row()
            self.rows.append(_Row(self.tables))

    def _end_block(self, name: str) -> None:
        """With a blank line where browsers leave room; Outlook’s paragraphs have none."""
        if name in _SPACED or (name == "p" and not self.is_tight):
            self._space()
        else:
            self._end_line()

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
            self._end_block(name)
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
        elif name in ("tr", "table"):
            self._end_row()
            self.tables -= name == "table"

    # tables: "A Par", "- Bou" beside each other are one line, though each is a paragraph of its own

    def _begin_cell(self) -> None:
        if self.rows:
            self._end_line()
            self.rows[-1].cells.append(len(self.page.lines))
        elif self.text:
            self.text.append(" ")

    def _end_row(self) -> None:
        """Put the cells of the row that is open in this table onto one line, unless one holds several."""
        if not self.rows or self.rows[-1].table != self.tables:
            return
        lines, begins = self.page.lines, self.rows.pop().cells
        if len(begins) < 2 or len(lines) - begins[0] > LONGEST_ROW:
            return
        spans = zip(begins, [*begins[1:], len(lines)], strict=True)
        cells = [[line for line in lines[first:last] if not line.is_blank] for first, last in spans]
        found = [line for cell in cells for line in cell]
        if all(len(cell) <= 1 for cell in cells) and len({line.piece for line in found}) == 1:
            lines[begins[0] :] = [TextLine(" ".join(line.text for line in found), found[0].piece)]

    # regions

    def _mark(self, tag: HtmlTag) -> None:
        for region in self.regions:
            region.depth += region.tag == tag.name
        if self.page.rest is not None:
            return
        if tag.name == "blockquote":
            self._enter_quote()
            return
        meaning = _meaning(tag)
        if meaning is None:
            return
        self._end_line()
        if meaning.is_rest or len(self.regions) > MOST_REGIONS:
            self.page.rest = meaning.piece
        elif tag.name not in _VOID and self.piece is None:
            self.regions.append(_Region(tag.name, meaning.piece, is_around=meaning.is_around))

    def _enter_quote(self) -> None:
        self._end_line()
        for region in self.regions:
            if region.is_around:
                region.piece = None
        if not any(region.tag == "blockquote" for region in self.regions):
            self.regions.append(_Region("blockquote", LeftOutKind.QUOTE))

    def _leave_regions(self, name: str) -> None:
        if not any(region.tag == name for region in self.regions):
            return
        for region in self.regions:
            region.depth -= region.tag == name
        if any(not region.depth for region in self.regions):
            self._end_line()
            self.regions = [region for region in self.regions if region.depth]


def _is_hidden(tag: HtmlTag) -> bool:
    return "hidden" in tag.attributes or _HIDDEN.search(tag.get("style")) is not None


def _meaning(tag: HtmlTag) -> _Meaning | None:
    """What a tag begins, if it is more than a paragraph."""
    if not tag.attributes:
        return None
    marks = f"{tag.get('class')} {tag.get('id')} {tag.get('name')}".lower().split()[:20]
    for names, meaning in _MEANINGS:
        if any(names.fullmatch(mark) for mark in marks):
            return meaning
    if tag.name == "div" and _OUTLOOK_RULE.search(tag.get("style")):
        return _Meaning(LeftOutKind.QUOTE, is_rest=True)
    return None


# Cuts a page (HTML) into tags and text, in one pass, as forgivingly as mail programs do.
#
# The parser of the standard library takes the square of the length over damaged tags and comments.


@dataclass(frozen=True)
class HtmlTag:
    """A tag that opens something, or closes it."""

    name: str
    closes: bool = False
    attributes: dict[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")


def split_tags(page: str) -> Iterator[HtmlTag | str]:
    """Tags and pieces of text, in order; comments, scripts and styles are left out with what they hold."""
    at, spare = 0, 400
    while at < len(page):
        start = page.find("<", at)
        if start != at:
            yield unescape(page[at : start if start >= 0 else len(page)])
        if start < 0:
            return
        following = page[start + 1 : start + 2]
        if following in ("!", "?"):
            at = _behind_comment(page, start)
            continue
        name = _NAME.match(page, start)
        end = page.find(">", start) if name else -1
        if name is None or end < 0:
            at = start + 1
            yield "<"
            if name is not None:  # no tag ends from here on: the rest is text
                yield unescape(page[at:])
                return
            continue
        if spare and not _is_balanced(page[start:end]):
            spare -= 1
            end = _behind_quotes(page, start, end)
        tag = _tag(page[start:end], name[1].lower())
        yield tag
        at = end + 1
        if tag.name in _RAW and not tag.closes and page[end - 1] != "/":
            closing = _RAW[tag.name].search(page, at)
            at = closing.start() if closing else len(page)


def _behind_comment(page: str, start: int) -> int:
    """What is never closed hides the rest."""
    closing = "-->" if page.startswith("<!--", start) else ">"
    end = page.find(closing, start + 2)
    return end + len(closing) if end >= 0 else len(page)


def _is_balanced(tag: str) -> bool:
    if '"' not in tag and "'" not in tag:
        return True
    left = _QUOTED.sub("", tag)
    return '="' not in left and "='" not in left and left.count('"') % 2 == 0


def _behind_quotes(page: str, start: int, first: int) -> int:
    """The end of a tag with ">" within quotation marks; its first ">" if they are never closed."""
    end = first
    for _ in range(10):
        end = page.find(">", end + 1, start + LONGEST_TAG)
        if end < 0:
            return first
        if _is_balanced(page[start:end]):
            return end
    return first


def _tag(written: str, name: str) -> HtmlTag:
    if written.startswith("</"):
        return HtmlTag(name, closes=True)
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(written[:LONGEST_TAG], 1 + len(name)):
        attributes.setdefault(match[1].lower(), unescape(match[2] or match[3] or match[4] or ""))
    return HtmlTag(name, attributes=attributes)


def unescape(text: str) -> str:
    """Text with its entities turned into characters."""
    if "&" not in text:
        return text
    try:
        return html.unescape(text)
    except ValueError:  # a number of thousands of digits
        return text
