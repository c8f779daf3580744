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
from talleyrand.engine.position import Phase
from talleyrand.engine.protocols import Leaflet, Minutes, Phrase, Pick, Slot
from talleyrand.formats import asking
from talleyrand.messages.refusals import clip
from talleyrand.variants import Variant

from . import drafts, picture, referee, wording
from .drafts import Reading
from .referee import Answer, Lines, Question

MOST_TOUCHED, MOST_OF_FORM = 12, 24  # answers of a blank and of a form shown to be touched; more are lists
Key = str


def known(question: Question, announced: Answer | None) -> Question:
    """A question with what everybody knows by now of its phase, where that is more."""
    if announced is None:
        return question
    return {**question, "politics": {**(question.get("politics") or {}), **announced["politics"]}}


def leaflets(question: Question, powers: Iterable[str]) -> dict[Key, tuple[str, Leaflet]]:
    """The forms that powers may fill in besides their orders, each by a key with its power."""
    if asking.read_variant(question.get("variant")).setting.politics is None:
        return {}
    told = {name: value for name, value in question.items() if name not in ("seed", "orders")}
    asked = json.dumps(told, sort_keys=True)
    found = {}
    for power in powers:
        for place, leaflet in enumerate(_leaflets(asked, power)):
            found[f"{power}.{place}"] = (power, leaflet)
    return found


@lru_cache(maxsize=1024)
def _leaflets(told: str, power: str) -> tuple[Leaflet, ...]:
    question = json.loads(told)
    asked = asking.read_question(question)
    setting = asked.variant.setting
    if setting.politics is None:
        return ()
    affairs = question.get("politics") or {}
    return setting.politics.leaflets(setting.board, asked.position, power, asked.book.judge, affairs)


def answered(found: Mapping[Key, tuple[str, Leaflet]], readings: Iterable[Reading]) -> dict[Key, list[str]]:
    """What the lines of a draft answer, blank by blank."""
    given = [one for one in readings if one.given]
    told: dict[Key, list[str]] = {}
    for key, (power, leaflet) in found.items():
        told[key] = [""] * len(leaflet.slots)
        for one in given:
            answers = leaflet.answers(one.order) if one.power == power else None
            told[key] = list(answers) if answers else told[key]
    return told


def with_answers(
    question: Question, draft: Lines, power: str, leaflet: Leaflet, answers: list[str]
) -> dict[str, list[str]]:
    """The draft in which a form is filled in otherwise."""
    kept = []
    for one in drafts.readings(question, {power: list(draft.get(power, []))}):
        line = one.line
        if one.given and leaflet.answers(one.order) is not None:
            line = leaflet.without(one.order)
        kept.append(line)
    return {**draft, power: [line for line in (*kept, leaflet.line(answers)) if line]}


def forms(
    variant: Variant, found: Mapping[Key, tuple[str, Leaflet]], given: Mapping[Key, list[str]]
) -> list[dict[str, Any]]:
    """The forms as a page shows them."""
    several = len({power for power, _leaflet in found.values()}) > 1
    return [
        {
            **_form(variant, key, power, leaflet, given[key]),
            "owner": wording.power(variant, power) if several else "",
        }
        for key, (power, leaflet) in found.items()
    ]


def _form(variant: Variant, key: Key, power: str, leaflet: Leaflet, given: list[str]) -> dict[str, Any]:
    return {
        "key": key,
        "power": power,
        "title": _title(variant, leaflet),
        "hint": _sentence(variant, "form_hint", leaflet.code),
        "given": any(given),
        "slots": [
            {
                "name": f"leaflet-{key}-{place}",
                "title": notation.name(slot.title, variant, wording.language()),
                "now": notation.name(slot.now, variant, wording.language()) if slot.now else "",
                "touched": _touched(leaflet, slot),
                "groups": _groups(variant, leaflet, slot),
                "given": answer,
                "aims": all(_subject(variant, pick.words) in variant.board.provinces for pick in slot.picks),
            }
            for place, (slot, answer) in enumerate(zip(leaflet.slots, given, strict=True))
        ],
        "refused": _unaimed(variant, leaflet),
    }


def _touched(leaflet: Leaflet, slot: Slot) -> bool:
    """Whether the answers of a blank are shown side by side: none has a heading, and the form stays short."""
    short = len(slot.picks) <= MOST_TOUCHED and sum(len(one.picks) for one in leaflet.slots) <= MOST_OF_FORM
    return short and not any(one.heading for one in slot.picks)


def _title(variant: Variant, leaflet: Leaflet) -> str:
    about = f" {_said(variant, leaflet.about)}" if leaflet.about else ""
    by = f" ({wording.power(variant, leaflet.by)})" if leaflet.by else ""
    return f"{_sentence(variant, 'form', leaflet.code)}{about}{by}"


def _unaimed(variant: Variant, leaflet: Leaflet) -> dict[str, list[str]]:
    """Why provinces are no answer: sentences with a blank for the place, each with its provinces."""
    found: dict[str, list[str]] = {}
    names = variant.names(wording.language())
    for code, refused in leaflet.refused.items():
        said = messages.refusal(refused, variant, wording.language()).replace(names.location(code), "{place}")
        found.setdefault(_capital(said), []).append(code)
    return found


def _groups(variant: Variant, leaflet: Leaflet, slot: Slot) -> list[tuple[str, list[Any]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for pick in slot.picks:
        found.setdefault(pick.heading, []).append((pick.words, _pick(variant, leaflet, slot, pick)))
    return [(_heading(variant, heading), several) for heading, several in found.items()]


def _heading(variant: Variant, heading: str) -> str:
    return _sentence(variant, "heading", heading) or (wording.power(variant, heading) if heading else "")


def _pick(variant: Variant, leaflet: Leaflet, slot: Slot, pick: Pick) -> str:
    """An answer as a closed menu shows it: a name or an order without the unit of its label, with what it
    stands for; else the last thing that it names, after its heading."""
    name = notation.name(pick.words, variant, wording.language())
    if pick.about:
        return f"{name} – {clip(_said(variant, pick.about))}"
    if name != pick.words or pick.words.isdecimal() or leaflet.head.startswith("SET"):
        unit = notation.name(slot.title, variant, wording.language())
        return name.removeprefix(f"{unit} ") if unit else name
    subject = notation.name(_subject(variant, pick.words), variant, wording.language())
    kind = "" if leaflet.head else _sentence(variant, "heading", pick.heading)
    return _("%(name)s: %(words)s") % {"name": kind, "words": subject} if kind else subject


def _subject(variant: Variant, words: str) -> str:
    """Whom a measure is about, or the last of its words that is no number."""
    politics = variant.setting.politics
    for _code, blanks in politics.spoken(words) if politics else ():
        if "state" in blanks:
            return blanks["state"]
    named = [word for word in words.split() if not word.isdecimal()]
    return named[-1] if named else words


def _said(variant: Variant, words: str) -> str:
    order = notation.parse_own(words, variant)
    return notation.say(order, variant, wording.language())


def _sentence(variant: Variant, family: str, code: str) -> str:
    return variant.sentence(wording.language(), family, code)


def outlook(question: Question, power: str, readings: Iterable[Reading]) -> str:
    """What the orders in preparation lead to, in one sentence; "" where there is nothing to say."""
    politics = asking.read_variant(question.get("variant")).setting.politics
    if politics is None or not power:
        return ""
    asked = asking.read_question(dict(question))
    given = [notation.parse_own(one.order, asked.variant) for one in readings if one.given]
    counted = politics.outlook(asked.variant.board, asked.position, power, given, asked.book.judge)
    if counted is None:
        return ""
    return _sentence(asked.variant, "outlook", counted.code).format_map(counted.blanks)


def lasting(question: Question, power: str, readings: Iterable[Reading]) -> list[str]:
    """The orders of a sheet that can no longer be taken back once it is handed in; raises Unanswered."""
    setting = asking.read_variant(question.get("variant")).setting
    lines = [one.line for one in readings if one.given]
    if setting.politics is None or str(question["phase"])[-1] not in setting.calendar.optional or not lines:
        return []
    read = referee.read_sheets(question, {power: [lines, []]})
    return [one["order"] for one in read if one["line"] is not None and one["error"] is None]


def barred(question: Question, power: str) -> str:
    """Why a power may neither propose nor vote, in one sentence; "" where it may."""
    politics = asking.read_variant(question.get("variant")).setting.politics
    if politics is None or not power:
        return ""
    asked = asking.read_question(dict(question))
    found = politics.barred(asked.position, power)
    if found is None:
        return ""
    blanks = {name: _blank(asked.variant, name, value) for name, value in found.blanks.items()}
    return _sentence(asked.variant, "barred", found.code).format_map(blanks)


# what is public


def debate(variant: Variant, told: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The proposals that are on the table, vote by vote."""
    politics = variant.setting.politics
    if politics is None or not told:
        return []
    found: dict[str, list[dict[str, Any]]] = {}
    for motion in politics.agenda(told):
        row = {
            "by": motion.by,
            "about": motion.vote,
            "name": wording.power(variant, motion.by),
            "colour": wording.colour(variant, motion.by),
            "words": _capital(_said(variant, motion.words)),
        }
        found.setdefault(motion.vote, []).append(row)
    return [{"vote": _sentence(variant, "vote", vote), "motions": rows} for vote, rows in found.items()]


def votes(variant: Variant, answer: Mapping[str, Any], before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How the votes of a phase went; `before` are the affairs with which it began."""
    politics = variant.setting.politics
    told = answer.get("politics")
    if politics is None or not told:
        return []
    proposed = {(one.vote, one.by): one.words for one in politics.agenda(before)}
    return [_vote(variant, count, proposed) for count in politics.counts(told)]


def _vote(variant: Variant, count: Any, proposed: Mapping[tuple[str, str], str]) -> dict[str, Any]:
    cast: dict[str, list[str]] = {}
    for elector, names in (count.cast or {}).items():
        for name in names:
            cast.setdefault(name, []).append(wording.power(variant, elector))
    numbers = dict(count.votes or ())
    told = _("Secret ballot: who voted for whom is told when the game is over.")
    listed = [*numbers, *(by for vote, by in proposed if vote == count.vote and by not in numbers)]
    rows = [
        {
            "name": _capital(notation.name(name, variant, wording.language())),
            "words": _said(variant, proposed[count.vote, name]) if (count.vote, name) in proposed else "",
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
        "decided": _sentence(variant, "decided", count.by),
        "numbered": count.votes is not None,
        "secret": told if count.cast is None else "",
        "withheld": cast.get("ABSTAIN", []),
    }


def minutes(variant: Variant, before: Mapping[str, Any], told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What a phase did in politics beside votes, as tables; `before` are the affairs with which it began."""
    politics = variant.setting.politics
    return [_minutes(variant, one) for one in politics.minutes(before, told)] if politics else []


def announcements(variant: Variant, told: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """What else is announced for the phase, as tables: that which is known, and changes nothing yet."""
    return minutes(variant, told, told) if told else []


def of_phase(variant: Variant, question: Question, answer: Answer) -> dict[str, Any]:
    """All that everybody may read of what a phase did in politics: proposals, votes, tables."""
    before, told = question.get("politics") or {}, answer.get("politics") or {}
    made = told if str(question["phase"])[-1] in variant.setting.calendar.optional else {}
    return {
        "debate": debate(variant, made),
        "votes": votes(variant, answer, before),
        "minutes": minutes(variant, before, told),
    }


def _minutes(variant: Variant, table: Minutes) -> dict[str, Any]:
    return {
        "code": table.code,
        "title": _sentence(variant, "minutes", table.code),
        "columns": [_sentence(variant, "minutes", column) for column in table.columns],
        "rows": [[_cell(variant, cell) for cell in row] for row in table.rows],
    }


def _cell(variant: Variant, cell: Phrase | str | int) -> dict[str, Any]:
    """A cell: its text, and whether that is a number."""
    if isinstance(cell, Phrase):
        blanks = {name: _blank(variant, name, said) for name, said in cell.blanks.items()}
        return {"text": _sentence(variant, "minutes", cell.code).format_map(blanks)}
    if isinstance(cell, int):
        return {"text": str(cell).replace("-", "−"), "number": True}
    return {"text": wording.power(variant, cell), "code": cell} if cell else {"text": ""}


def _blank(variant: Variant, name: str, value: Any) -> str:
    names = variant.names(wording.language())
    if name == "state" and value in names.powers:
        return f"{names.powers[value].article}{names.powers[value].name}"
    if name == "place":
        return names.location(value)
    if name == "season":
        said = wording.season(variant, f"{value}M")
        return f"{said[:1].lower()}{said[1:]}"
    if name == "unit" and value:
        return picture.unit_words(variant, value)
    return str(value)


def table(variant: Variant, at: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a variant adds to the table of its powers, and their values by power."""
    politics = variant.setting.politics
    if politics is None or "phase" not in at:
        return {}
    asked = asking.read_question({"variant": variant.name, **_position(at)})
    rows = politics.standing(variant.board, asked.position)
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
        return notation.name(code, variant, wording.language())
    return wording.season(variant, str(phase))


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
