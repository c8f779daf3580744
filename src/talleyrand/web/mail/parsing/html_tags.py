"""Cuts a page (HTML) into tags and text, in one pass, as forgivingly as mail programs do.

The parser of the standard library takes the square of the length over damaged tags and comments.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST_TAG = 4000
_NAME = re.compile(r"</?([a-zA-Z][^\s/>]{0,40})")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']{1,80})(?:\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SILENT = "script style title textarea noscript template object svg math xml"
_RAW = {name: re.compile(rf"</{name}[\s/>]", re.IGNORECASE) for name in _SILENT.split()}


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
