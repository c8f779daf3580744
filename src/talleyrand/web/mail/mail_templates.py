"""Mails as templates (`templates/mail/text`); the tags of `templatetags/mail_text` lay out their lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.template import Context, Engine

from .text_layout import join_parts

Part = list[str]
SubjectAndText = tuple[str, str]
DRAFT = "mail_draft"  # in the context of a template


@dataclass
class DraftText:
    """What the tags of a template have written so far."""

    subject: str = ""
    parts: list[Part] = field(default_factory=lambda: [[]])

    def add(self, lines: Iterable[str]) -> str:
        """Go on with the last part; a tag leaves nothing in the text around it."""
        self.parts[-1].extend(lines)
        return ""


def render_mail(template: str, /, **context: Any) -> SubjectAndText:
    """The subject and the text of a mail, in the language in use."""
    draft = _rendered(template, context)
    return draft.subject, join_parts(draft.parts)


def render_parts(template: str, /, **context: Any) -> list[Part]:
    """The parts of a text, each some lines, to be joined with others."""
    return [part for part in _rendered(template, context).parts if part]


def render_lines(template: str, /, **context: Any) -> Part:
    """The same of a text that is one part."""
    return [line for part in _rendered(template, context).parts for line in part]


def _rendered(template: str, context: dict[str, Any]) -> DraftText:
    draft = DraftText()
    written = Engine.get_default().get_template(f"mail/text/{template}.txt")
    written.render(Context({**context, DRAFT: draft}, autoescape=False))
    return draft
