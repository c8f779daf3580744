"""Mails are templates: every one is well formed, and its tags lay out lines and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.template import Context, Engine
from django.utils import translation

from talleyrand.web.mail.mail_templates import DRAFT, DraftText, render_mail
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


CORRECTED: dict[str, Any] = {
    "correction": {"kind": "override"},
    "changes": [{"power": "France", "order": "A Par - Bur", "after": "rebond", "before": "passe"}],
    "differences": [("Italie", {"gone": [], "come": []}, {"gone": ["Rome"], "come": ["Trieste", "Grèce"]})],
    "eliminated": ["Turquie"],
    "votes": [
        {
            "vote": "Budget",
            "proposals": [
                {"number": None, "adopted": True, "proposal": "Impôt"},
                {"number": 12, "electors": [], "proposal": "Route"},
            ],
        }
    ],
    "chance": ["F Smy"],
    "notes": ["Lu."],
}
# What is written, its facts, and lines of it in French and in English.
TOLD: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a corrected phase": (
        "phase_report",
        CORRECTED,
        """Le MJ a corrigé cette phase.
        | France, A Par - Bur : rebond (au lieu de passe)
        | Italie, centres en moins : Rome
        | Italie, centres en plus : Trieste, Grèce
        Élimination : Turquie.
        | Impôt : adoptée
        | Route : 12
        TIRAGES AU SORT
        NOTES DE L’ARBITRAGE""",
        """The GM corrected this phase.
        | France, A Par - Bur: rebond (instead of passe)
        | Italie, centres removed: Rome
        | Italie, centres added: Trieste, Grèce
        Eliminated: Turquie.
        | Impôt: adopted
        | Route: 12
        RANDOM DRAWS
        ADJUDICATOR’S NOTES""",
    ),
    "lines that are not read": (
        "_not_read",
        {"aside": [("twice", ["A Par H"], 1), ("prose", ["Salut"], 2)]},
        """Ignoré (une autre ligne ordonne la même unité) :
        et 1 autre ligne.
        Ignoré (ce ne sont pas des ordres) :
        et 2 autres lignes.""",
        """Ignored (another line orders the same unit):
        and 1 more line.
        Ignored (not orders):
        and 2 more lines.""",
    ),
    "a desk": (
        "desk_report",
        {"standing": {"is_open": True}, "is_unresolved": True, "end_is_proposed": True, "held": 1},
        """Cette phase n’a pas pu être résolue ; la partie vous attend.
        1 message en attente de votre décision.
        Une proposition de fin de partie est en cours.""",
        """This phase could not be resolved; the game is waiting for you.
        1 held message is waiting for you.
        A proposal to end the game is open.""",
    ),
    "a command": (
        "gm_reply",
        {"outcome": "done", "done": [("reprenez", [{"said": "resumed"}])]},
        "La partie reprend.",
        "Game resumed.",
    ),
    "orders of a phase rolled back": (
        "receipt",
        {"receipt": 2, "is_withdrawn": True},
        "Ces ordres ne comptent plus.",
        "These orders no longer count.",
    ),
    "orders after a correction": (
        "update",
        {"news": [{"told": "misfit"}]},
        "Depuis la correction, certains de vos ordres ne sont plus valables : renvoyez-les.",
        "Since the correction, some of your orders are no longer valid: send them again.",
    ),
}


@each("language", ["fr", "en"])
@each("case", TOLD)
def test_what_is_seldom_told(case: str, language: str) -> None:
    template, facts, *told = TOLD[case]
    with translation.override(language):
        written = " ".join(render_mail(template, **facts)[1].split())
    for line in told[language == "en"].splitlines():
        assert line.strip() in written, written
