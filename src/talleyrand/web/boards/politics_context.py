"""What a variant has beside units and centres, as its pages show it: forms, proposals, votes, a table.

Everything is asked of `engine.protocols.Politics`, and every word comes from the variant's own sentences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import messages, notation
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.politics_protocol import (
    OrderForm,
    OrderFormChoice,
    OrderFormField,
    PoliticsTable,
    VariantSentence,
)
from talleyrand.engine.position import Phase
from talleyrand.formats import question_input
from talleyrand.messages.refusal_sentences import quote_text
from talleyrand.variants import Variant

from . import adjudicator, display_names, order_drafts, phase_maps
from .adjudicator import Answer, Lines, Question
from .order_drafts import DraftLine

MOST_TOUCHED, MOST_OF_FORM = 12, 24  # answers of a blank and of a form shown to be touched; more are lists
LONGEST_CODE = 4  # letters of a code that may stand for a name where a table is narrow
FormKey = str


def with_announced_affairs(question: Question, announced: Answer | None) -> Question:
    """A question with what everybody knows by now of its phase, where that is more."""
    if announced is None:
        return question
    return {**question, "politics": {**(question.get("politics") or {}), **announced["politics"]}}


def politics_forms(question: Question, powers: Iterable[str]) -> dict[FormKey, tuple[str, OrderForm]]:
    """The forms that powers may fill in besides their orders, each by a key with its power."""
    if question_input.read_variant(question.get("variant")).definition.politics is None:
        return {}
    told = {name: value for name, value in question.items() if name not in ("seed", "orders")}
    asked = json.dumps(told, sort_keys=True)
    found = {}
    for power in powers:
        for place, leaflet in enumerate(_leaflets(asked, power)):
            found[f"{power}.{place}"] = (power, leaflet)
    return found


@lru_cache(maxsize=1024)
def _leaflets(told: str, power: str) -> tuple[OrderForm, ...]:
    question = json.loads(told)
    asked = question_input.read_question(question)
    setting = asked.variant.definition
    if setting.politics is None:
        return ()
    affairs = question.get("politics") or {}
    return setting.politics.order_forms(
        setting.board, asked.position, power, asked.rulebook.adjudication_rules, affairs
    )


def form_answers(
    found: Mapping[FormKey, tuple[str, OrderForm]], readings: Iterable[DraftLine]
) -> dict[FormKey, list[str]]:
    """What the lines of a draft answer, blank by blank."""
    given = [one for one in readings if one.is_followed]
    told: dict[FormKey, list[str]] = {}
    for key, (power, leaflet) in found.items():
        told[key] = [""] * len(leaflet.fields)
        for one in given:
            answers = leaflet.answers(one.order) if one.power == power else None
            told[key] = [new or old for new, old in zip(answers or told[key], told[key], strict=True)]
    return told


def draft_with_answers(
    question: Question, draft: Lines, power: str, leaflet: OrderForm, answers: list[str]
) -> dict[str, list[str]]:
    """The draft in which a form is filled in otherwise."""
    kept = []
    for one in order_drafts.read_draft(question, {power: list(draft.get(power, []))}):
        line = one.line
        if one.is_followed and leaflet.answers(one.order) is not None:
            line = leaflet.without(one.order)
        kept.append(line)
    return {**draft, power: [line for line in (*kept, leaflet.order_text(answers)) if line]}


def example_line(variant: Variant, leaflet: OrderForm) -> str:
    """A form filled in with the first answer of its first blank, or of each where all are needed, as one
    writes it."""
    blanks = leaflet.fields if leaflet.needs_all else leaflet.fields[:1]
    return short_line(
        variant, leaflet.order_text([slot.choices[place].text for place, slot in enumerate(blanks)])
    )


def short_line(variant: Variant, order: str) -> str:
    """An order in normal form as the reader writes it."""
    return notation.write_order(
        notation.parse_order(order, variant), variant, display_names.reader_language(), "short"
    )


def form_rows(
    variant: Variant, found: Mapping[FormKey, tuple[str, OrderForm]], given: Mapping[FormKey, list[str]]
) -> list[dict[str, Any]]:
    """The forms as a page shows them."""
    several = len({power for power, _leaflet in found.values()}) > 1
    return [
        {
            **_form(variant, key, power, leaflet, given[key]),
            "owner": display_names.power_name(variant, power) if several else "",
        }
        for key, (power, leaflet) in found.items()
    ]


def _form(variant: Variant, key: FormKey, power: str, leaflet: OrderForm, given: list[str]) -> dict[str, Any]:
    return {
        "key": key,
        "power": power,
        "title": _title(variant, leaflet),
        "hint": _sentence(variant, "form_hint", leaflet.code),
        "given": any(given),
        "slots": [
            {
                "name": f"leaflet-{key}-{place}",
                "title": notation.describe_code(slot.title, variant, display_names.reader_language()),
                "now": notation.describe_code(slot.default, variant, display_names.reader_language())
                if slot.default
                else "",
                "touched": _touched(leaflet, slot),
                "groups": _groups(variant, leaflet, slot),
                "given": answer,
                "aims": all(_subject(variant, pick.text) in variant.board.provinces for pick in slot.choices),
            }
            for place, (slot, answer) in enumerate(zip(leaflet.fields, given, strict=True))
        ],
        "refused": _unaimed(variant, leaflet),
    }


def _touched(leaflet: OrderForm, slot: OrderFormField) -> bool:
    """Whether the answers of a blank are shown side by side: none has a heading, and the form stays short."""
    short = (
        len(slot.choices) <= MOST_TOUCHED and sum(len(one.choices) for one in leaflet.fields) <= MOST_OF_FORM
    )
    return short and not any(one.heading for one in slot.choices)


def _title(variant: Variant, leaflet: OrderForm) -> str:
    about = f" {_described_order(variant, leaflet.about)}" if leaflet.about else ""
    by = f" ({display_names.power_name(variant, leaflet.by)})" if leaflet.by else ""
    return f"{_sentence(variant, 'form', leaflet.code)}{about}{by}"


def _unaimed(variant: Variant, leaflet: OrderForm) -> dict[str, list[str]]:
    """Why provinces are no answer: sentences with a blank for the place, each with its provinces."""
    found: dict[str, list[str]] = {}
    names = variant.names(display_names.reader_language())
    for code, refused in leaflet.refused.items():
        said = messages.refusal_sentence(refused, variant, display_names.reader_language()).replace(
            names.location(code), "{place}"
        )
        found.setdefault(_capital(said), []).append(code)
    return found


def _groups(variant: Variant, leaflet: OrderForm, slot: OrderFormField) -> list[tuple[str, list[Any]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for pick in slot.choices:
        found.setdefault(pick.heading, []).append((pick.text, _pick(variant, leaflet, slot, pick)))
    return [(_heading(variant, heading), several) for heading, several in found.items()]


def _heading(variant: Variant, heading: str) -> str:
    return _sentence(variant, "heading", heading) or (
        display_names.power_name(variant, heading) if heading else ""
    )


def _pick(variant: Variant, leaflet: OrderForm, slot: OrderFormField, pick: OrderFormChoice) -> str:
    """An answer as a closed menu shows it: a name or an order without the unit of its label, with what it
    stands for; else the last thing that it names, after its heading."""
    if pick.label:
        return pick.label
    name = notation.describe_code(pick.text, variant, display_names.reader_language())
    if pick.about:
        return f"{name} – {quote_text(_described_order(variant, pick.about))}"
    if name != pick.text or pick.text.isdecimal() or leaflet.prefix.startswith("SET"):
        unit = notation.describe_code(slot.title, variant, display_names.reader_language())
        return name.removeprefix(f"{unit} ") if unit else name
    subject = notation.describe_code(_subject(variant, pick.text), variant, display_names.reader_language())
    kind = "" if leaflet.prefix else _sentence(variant, "heading", pick.heading)
    return _("%(name)s: %(words)s") % {"name": kind, "words": subject} if kind else subject


def _subject(variant: Variant, words: str) -> str:
    """Whom a measure is about, or the last of its words that is no number."""
    politics = variant.definition.politics
    for _code, blanks in politics.describe_order(words) if politics else ():
        if "state" in blanks:
            return blanks["state"]
    named = [word for word in words.split() if not word.isdecimal()]
    return named[-1] if named else words


def _described_order(variant: Variant, words: str) -> str:
    order = notation.parse_order(words, variant)
    return notation.describe_order(order, variant, display_names.reader_language())


def _sentence(variant: Variant, family: str, code: str) -> str:
    return variant.sentence(display_names.reader_language(), family, code)


def outlook_text(question: Question, power: str, readings: Iterable[DraftLine]) -> str:
    """What the orders in preparation lead to, in one sentence; "" where there is nothing to say."""
    politics = question_input.read_variant(question.get("variant")).definition.politics
    if politics is None or not power:
        return ""
    asked = question_input.read_question(dict(question))
    given = [notation.parse_order(one.order, asked.variant) for one in readings if one.is_followed]
    counted = politics.unit_forecast(
        asked.variant.board, asked.position, power, given, asked.rulebook.adjudication_rules
    )
    if counted is None:
        return ""
    return _sentence(asked.variant, "outlook", counted.code).format_map(counted.values)


def binding_orders_of(question: Question, power: str, readings: Iterable[DraftLine]) -> list[str]:
    """The orders of a sheet that can no longer be taken back once it is handed in; raises QuestionRefusal."""
    setting = question_input.read_variant(question.get("variant")).definition
    lines = [one.line for one in readings if one.is_followed]
    if setting.politics is None or str(question["phase"])[-1] not in setting.calendar.optional or not lines:
        return []
    read = adjudicator.read_order_sets(question, {power: [lines, []]})
    return [one["order"] for one in read if one["line"] is not None and one["error"] is None]


def barred_text(question: Question, power: str) -> str:
    """Why a power may neither propose nor vote, in one sentence; "" where it may."""
    politics = question_input.read_variant(question.get("variant")).definition.politics
    if politics is None or not power:
        return ""
    asked = question_input.read_question(dict(question))
    found = politics.why_barred(asked.variant.board, asked.position, power)
    if found is None:
        return ""
    blanks = {name: _blank(asked.variant, name, value) for name, value in found.values.items()}
    return _sentence(asked.variant, "barred", found.code).format_map(blanks)


# what is public


def open_motions(variant: Variant, told: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The proposals that are on the table, vote by vote."""
    politics = variant.definition.politics
    if politics is None or not told:
        return []
    found: dict[str, list[dict[str, Any]]] = {}
    for motion in politics.public_proposals(told):
        row = {
            "by": motion.by,
            "about": motion.vote,
            "name": display_names.power_name(variant, motion.by),
            "colour": display_names.power_colour(variant, motion.by),
            "words": _capital(_described_order(variant, motion.text)),
        }
        found.setdefault(motion.vote, []).append(row)
    return [{"vote": _sentence(variant, "vote", vote), "motions": rows} for vote, rows in found.items()]


def vote_results(
    variant: Variant, answer: Mapping[str, Any], before: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """How the votes of a phase went; `before` are the affairs with which it began."""
    politics = variant.definition.politics
    told = answer.get("politics")
    if politics is None or not told:
        return []
    proposed = {(one.vote, one.by): one.text for one in politics.public_proposals(before)}
    return [_vote(variant, count, proposed) for count in politics.vote_counts(told)]


def _vote(variant: Variant, count: Any, proposed: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    cast: dict[str, list[str]] = {}
    for elector, names in (count.cast or {}).items():
        for name in names:
            cast.setdefault(name, []).append(display_names.power_name(variant, elector))
    numbers = dict(count.votes or ())
    told = _("Secret ballot: the votes are revealed when the game is over.")
    listed = [*numbers, *(by for vote, by in proposed if vote == count.vote and by not in numbers)]
    rows = [
        {
            "name": _capital(notation.describe_code(name, variant, display_names.reader_language())),
            "words": _described_order(variant, proposed[count.vote, name])
            if (count.vote, name) in proposed
            else "",
            "number": None if count.votes is None else numbers.get(name, 0),
            "adopted": name in count.adopted,
            "tied": name in count.tied,
            "electors": cast.get(name, []),
        }
        for name in listed
    ]
    return {
        "vote": _sentence(variant, "vote", count.vote),
        "rows": rows,
        "decided": _sentence(variant, "decided", count.decided_by),
        "numbered": count.votes is not None,
        "secret": told if count.cast is None else "",
        "withheld": cast.get("ABSTAIN", []),
    }


def minutes_tables(
    variant: Variant, before: Mapping[str, Any], told: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What a phase did in politics beside votes, as tables; `before` are the affairs with which it began."""
    politics = variant.definition.politics
    return [_minutes(variant, one) for one in politics.phase_tables(before, told)] if politics else []


def announced_tables(variant: Variant, told: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """What else is announced for the phase, as tables: that which is known, and changes nothing yet."""
    return minutes_tables(variant, told, told) if told else []


def phase_politics(variant: Variant, question: Question, answer: Answer) -> dict[str, Any]:
    """All that everybody may read of what a phase did in politics: proposals, votes, tables."""
    before, told = question.get("politics") or {}, answer.get("politics") or {}
    made = told if str(question["phase"])[-1] in variant.definition.calendar.optional else {}
    return {
        "debate": open_motions(variant, made),
        "votes": vote_results(variant, answer, before),
        "minutes": minutes_tables(variant, before, told),
    }


def _minutes(variant: Variant, table: PoliticsTable) -> dict[str, Any]:
    return {
        "code": table.code,
        "title": _sentence(variant, "minutes", table.code),
        "columns": [_sentence(variant, "minutes", column) for column in table.columns],
        "rows": [[_cell(variant, cell) for cell in row] for row in table.rows],
    }


def _cell(variant: Variant, cell: VariantSentence | str | int) -> dict[str, Any]:
    """A cell: its text, and whether that is a number."""
    if isinstance(cell, VariantSentence):
        blanks = {name: _blank(variant, name, said) for name, said in cell.values.items()}
        return {"text": _sentence(variant, "minutes", cell.code).format_map(blanks)}
    if isinstance(cell, int):
        return {"text": str(cell).replace("-", "−"), "number": True}
    short = cell if len(cell) <= LONGEST_CODE else ""
    return {"text": display_names.power_name(variant, cell), "code": short} if cell else {"text": ""}


def _blank(variant: Variant, name: str, value: Any) -> str:
    names = variant.names(display_names.reader_language())
    if name == "state" and value in names.powers:
        return f"{names.powers[value].article}{names.powers[value].name}"
    if name == "place":
        return names.location(value)
    if name == "season":
        said = display_names.season_name(variant, f"{value}M")
        return f"{said[:1].lower()}{said[1:]}"
    if name == "unit" and value:
        return phase_maps.unit_text(variant, value)
    return str(value)


def power_columns(variant: Variant, at: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a variant adds to the table of its powers, and their values by power."""
    politics = variant.definition.politics
    if politics is None or "phase" not in at:
        return {}
    asked = question_input.read_question({"variant": variant.name, **_position(at)})
    rows = politics.power_table(variant.board, asked.position)
    codes = list(dict.fromkeys(code for row in rows.values() for code in row))
    return {
        "columns": [_sentence(variant, "column", code) for code in codes],
        "rows": {
            power: [_value(variant, row.get(code, "")) for code in codes] for power, row in rows.items()
        },
    }


def _position(at: Mapping[str, Any]) -> dict[str, Any]:
    wanted = ("phase", "units", "dislodged", "centers", "politics")
    return {name: at[name] for name in wanted if at.get(name) is not None}


def _value(variant: Variant, value: str) -> str:
    """A number or a sum as it is, names as names, a phase as its season."""
    return ", ".join(_word(variant, code) for code in value.split(",") if code)


def _word(variant: Variant, code: str) -> str:
    try:
        phase = Phase.parse(f"{code}M")
    except TalleyrandError:
        return notation.describe_code(code, variant, display_names.reader_language())
    return display_names.season_name(variant, str(phase))


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
