"""The regulations as a form: a preset, or a table of one's own as TOML, with faults shown where they are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from talleyrand import scoring
from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament import regulations
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.event_acts import SetRegulations
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import Event
from talleyrand.tournament.regulations import Regulations
from talleyrand.web.boards import display_names, score_texts

from .desk_views import DeskRequest
from .form_parsing import FormAction

LONGEST_REGULATIONS = 20_000
TOML_FAULT = re.compile(r"at line (\d+), column (\d+)")
DEEPEST_TABLE = 40  # levels of a table


def regulations_act(_event: Event, pressed: FormAction) -> EventAct:
    """A preset by its name, or the table that was typed."""
    preset, table = pressed.value("preset"), pressed.value("table")
    return SetRegulations(regulations_from_toml(table) if preset == "own" else preset)


def scoring_act(event: Event, pressed: FormAction) -> EventAct:
    """The regulations in force with a scoring system of the list; all else that they say stays."""
    system = pressed.value("system")
    if system not in scoring.names():
        raise ActRefused("act_bad_value", value=system[:40])
    told = event.regulations
    kept = {"extends": told} if isinstance(told, str) else {**told}
    base = kept.get("extends")
    if set(kept) <= {"extends", "system"} and base in regulations.preset_names():
        preset = str(base)
        if regulations.read_regulations(preset).system == system:
            return SetRegulations(preset)
    return SetRegulations({**kept, "system": system})


def regulations_from_toml(text: str) -> dict[str, Any]:
    """A table written as TOML; raises ActRefused (`act_bad_toml`, with the line, or `act_toml_kind`)."""
    if len(text) > LONGEST_REGULATIONS:
        raise ActRefused("act_too_long", most=str(LONGEST_REGULATIONS))
    try:
        return dict(json.loads(json.dumps(tomllib.loads(text))))
    except tomllib.TOMLDecodeError as error:
        raise ActRefused("act_bad_toml", **_where(str(error), text)) from None
    except (TypeError, ValueError, RecursionError):  # a date, or tables inside of tables without end
        raise ActRefused("act_toml_kind") from None


def _where(fault: str, text: str) -> dict[str, str]:
    """Line and column of a fault; the end of the text where it is there."""
    found = TOML_FAULT.search(fault)
    line, column = found.groups() if found else (str(text.count("\n") + 1), "1")
    return {"line": line, "column": column}


def regulations_context(visit: DeskRequest) -> dict[str, Any]:
    """The context of the form."""
    event = visit.event
    own = not isinstance(event.regulations, str)
    preset = visit.typed_for("regulated", "preset", "own" if own else str(event.regulations))
    kept = (
        "\n".join(table_as_toml(event.regulations))
        if isinstance(event.regulations, Mapping)
        else f'extends = "{event.regulations}"\n'
    )
    table = visit.typed_for("regulated", "table", kept)
    rules = _in_force(event)
    system = rules.system if rules and isinstance(rules.system, str) else ""
    return {
        "systems": score_texts.system_rows(),
        "system": visit.typed_for("scored", "system", system),
        "system_title": score_texts.system_title(system) if system else "",
        "presets": list(_presets()),
        "preset": preset,
        "table": table,
        "rows": max(8, min(30, table.count("\n") + 2)),
        "rules": _title(event, rules),
    }


def _presets() -> Iterator[tuple[str, str, str]]:
    language = display_names.reader_language()
    for name in regulations.preset_names():
        one = regulations.read_regulations(name)
        system = _("Scoring: %(system)s.") % {"system": score_texts.system_title(str(one.system))}
        told = (f"{one.source.get(language, '')}.", system, one.about.get(language, ""))
        yield name, one.title.get(language, name), " ".join(filter(None, told))


def _in_force(event: Event) -> Regulations | None:
    """What is in force; None where it cannot be read."""
    try:
        return regulations.read_regulations(event.regulations)
    except TalleyrandError:
        return None


def _title(event: Event, rules: Regulations | None) -> str:
    title = rules.title.get(display_names.reader_language(), "") if rules else ""
    if rules is None or isinstance(event.regulations, str):
        return title
    return _("%(title)s, modified") % {"title": title}


def table_as_toml(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """A table as TOML: what is plain first, then tables, then lists of tables."""
    if len(path) > DEEPEST_TABLE:
        return
    inner = {key: value for key, value in table.items() if _is_table(value) or _is_tables(value)}
    yield from (f"{_key(key)} = {_value(value)}" for key, value in table.items() if key not in inner)
    for key, value in inner.items():
        name = ".".join(map(_key, (*path, key)))
        for one in [value] if _is_table(value) else value:
            yield ""
            yield f"[{name}]" if _is_table(value) else f"[[{name}]]"
            yield from table_as_toml(one, (*path, key))


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def _key(key: str) -> str:
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isascii() and bare.isalnum() else json.dumps(key)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
