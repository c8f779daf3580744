"""Mails are templates: every one is well formed, and its tags lay out lines and nothing else."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.template import Context, Engine

from talleyrand.web.mail.mail_templates import DRAFT, DraftText
from tests.each import each

FOLDER = Path(settings.WEB) / "mail" / "templates" / "mail" / "text"


def drafted(source: str, **context: object) -> DraftText:
    """What a template writes; it leaves no text outside its tags."""
    draft = DraftText()
    template = Engine.get_default().from_string("{% load mail_text %}" + source)
    told = template.render(Context({**context, DRAFT: draft}, autoescape=False))
    assert told.strip() == ""
    return draft


@each("name", sorted(path.name for path in FOLDER.glob("*.txt")))
def test_a_mail_is_well_formed(name: str) -> None:
    assert Engine.get_default().get_template(f"mail/text/{name}").nodelist


def test_the_forms_of_lines() -> None:
    source = """
        {% subject %}
          {{ game }}
          results
        {% endsubject %}
        {% title %}{{ game }}{% endtitle %}
        {% blank %}
        {% blank %}
        {% heading %}Your orders{% endheading %}
        {% each "protected" orders %}
        {% protected 2 %}cut{% endprotected %}
        {% bullet %}
          One,
          two.
        {% endbullet %}
        {% prose %}{% if nothing %}never{% endif %}{% endprose %}
        {% blank %}
        {% address "https://example.org" %}
        {% parts ready %}
        {% paragraphs words %}
    """
    told = drafted(
        source,
        game="<La nuit\u00a0!>",
        orders=["  A Par H", "F Bre H"],
        ready=[["a", "b"], ["c"]],
        words="Peace\n\nand war",
    )
    assert told.subject == "<La nuit\u00a0!> results"
    assert [part for part in told.parts if part] == [
        ["<La nuit\u00a0!>", "==========="],
        ["YOUR ORDERS", "|   A Par H", "| F Bre H", "|   cut", "- One, two."],
        ["  https://example.org"],
        ["a", "b"],
        ["c"],
        ["Peace", "", "and war"],
    ]
