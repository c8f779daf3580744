"""`{% load mail_text %}`: the forms of lines of a mail (`web.mail.mail_templates`).

What stands between the tags is not sent: `{% prose %}` and the like write lines, `{% blank %}` an empty one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from django import template
from django.template import Context

from talleyrand.web.boards import display_names
from talleyrand.web.games.deadlines.date_texts import join_names
from talleyrand.web.mail import text_layout
from talleyrand.web.mail.mail_templates import DRAFT, Part

register = template.Library()

# Breaks of a template: the spaces of French signs stay, and those of words on one line with their tags.
BREAK = re.compile(r"[ \t]*\n\s*", re.ASCII)
EDGES = re.compile(r"\A[ \t]*\n\s*|[ \t]*\n\s*\Z", re.ASCII)
FORMS: dict[str, Callable[[str], Part]] = {
    "title": text_layout.title,
    "heading": text_layout.heading,
    "prose": text_layout.prose,
    "bullet": text_layout.bullet,
    "indented": text_layout.indented,
}


def _block(name: str, layout: Callable[[str], Part]) -> None:
    def write(context: Context, content: str) -> str:
        text = _one_line(content)
        return str(context[DRAFT].add(layout(text) if text.strip() else ()))

    register.simple_block_tag(write, takes_context=True, name=name)


for _name, _layout in FORMS.items():
    _block(_name, _layout)


@register.simple_block_tag(takes_context=True)
def protected(context: Context, content: str, indent: int = 0) -> str:
    """`{% protected 2 %}…{% endprotected %}`: what is never read as an order, moved to the right."""
    text = _one_line(content)
    return str(context[DRAFT].add(text_layout.protected(text, " " * indent) if text.strip() else ()))


@register.simple_block_tag(takes_context=True)
def subject(context: Context, content: str) -> str:
    """`{% subject %}…{% endsubject %}`: of the mail."""
    context[DRAFT].subject = _one_line(content)
    return ""


@register.simple_tag(takes_context=True)
def each(context: Context, form: str, texts: Iterable[str]) -> str:
    """`{% each "bullet" sentences %}`: every one of several in a form."""
    layout = text_layout.protected if form == "protected" else FORMS[form]
    return str(context[DRAFT].add(line for text in texts for line in layout(text)))


@register.simple_tag(takes_context=True)
def paragraphs(context: Context, text: str) -> str:
    """`{% paragraphs text %}`: what somebody wrote, its lines kept apart."""
    return str(context[DRAFT].add(text_layout.prose(text)))


@register.simple_tag(takes_context=True)
def address(context: Context, written: str) -> str:
    """`{% address url %}`: on a line of its own that is never broken."""
    return str(context[DRAFT].add(text_layout.unbroken(written)))


@register.simple_tag(takes_context=True)
def lines(context: Context, ready: Iterable[str]) -> str:
    """`{% lines ready %}`: lines that are laid out already."""
    return str(context[DRAFT].add(ready))


@register.simple_tag(takes_context=True)
def parts(context: Context, ready: Iterable[Sequence[str]]) -> str:
    """`{% parts ready %}`: parts that are laid out already, with an empty line around each."""
    context[DRAFT].parts += [*map(list, ready), []]
    return ""


@register.simple_tag(takes_context=True)
def dashes(context: Context) -> str:
    """`{% dashes %}`: what follows is left out of an answer by mail programs."""
    return str(context[DRAFT].add(["-- "]))


@register.simple_tag(takes_context=True)
def blank(context: Context) -> str:
    """`{% blank %}`: an empty line, unless the text begins or ends there or has one."""
    context[DRAFT].parts.append([])
    return ""


@register.filter
def names(found: Sequence[str]) -> str:
    """`{{ powers|names }}`: "la France, l’Italie et la Turquie"."""
    return join_names(found, display_names.reader_language())


def _one_line(content: str) -> str:
    return BREAK.sub(" ", EDGES.sub("", content))
