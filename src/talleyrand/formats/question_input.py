"""A question of the contract, read into a variant, a rulebook, a position and order sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from talleyrand import notation, rulebooks, variants
from talleyrand.engine.errors import InvalidPosition
from talleyrand.engine.position import Phase, Position
from talleyrand.rulebooks import FALLBACK, LoadedRulebook, customise
from talleyrand.variants import LANGUAGES, Variant

from . import json_checks
from .json_checks import InvalidQuestion, Json, JsonObject, clip_json
from .position_json import apply_torn_sheets, read_position

QUESTION_FIELDS = frozenset(
    {
        "id",
        "variant",
        "rulebook",
        "phase",
        "units",
        "dislodged",
        "contested",
        "centers",
        "centers_before",
        "kept_builds",
        "homes",
        "orders",
        "sheets",
        "absent",
        "torn",
        "disorder",
        "passive",
        "first_year",
        "centres_to_win",
        "naming",
        "seed",
        "politics",
    }
)
SheetLines = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """What is asked. `sheets` holds the successive order sheets of each power."""

    variant: Variant
    rulebook: LoadedRulebook
    position: Position
    sheets: Mapping[str, tuple[SheetLines, ...]]
    naming: str | None = None
    unknown_fields: tuple[str, ...] = field(default=())


def read_question(asked: Json, book: LoadedRulebook | None = None) -> Question:
    """Raises TalleyrandError for whatever is not a question. `book` stands in for the one it names."""
    if not isinstance(asked, dict):
        raise InvalidQuestion("not_a_question", value=clip_json(asked))
    variant = read_variant(asked.get("variant"))
    book = book or read_rulebook(asked.get("rulebook"))
    phase = read_phase(asked.get("phase"), variant)
    position = read_position(asked, phase, variant.board, book.adjudication_rules)
    affairs, strange = read_politics(asked.get("politics"), phase, variant)
    sheets = read_sheets(asked, variant)
    position = apply_torn_sheets(position, sheets)
    seed = json_checks.optional_json_text(asked.get("seed"), "seed") or ""
    if seed or affairs is not None:
        position = replace(position, seed=seed, political_state=affairs)
    naming = read_naming(asked.get("naming"), variant)
    unknown = set(map(clip_json, asked.keys() - QUESTION_FIELDS)) - QUESTION_FIELDS
    return Question(variant, book, position, sheets, naming, (*sorted(unknown), *strange))


def read_politics(value: Json, phase: Phase, variant: Variant) -> tuple[object, tuple[str, ...]]:
    """What a variant's own rules remember, and the fields of `politics` that they do not know."""
    rules = variant.definition.politics
    if rules is None:
        return None, ()
    affairs, strange = rules.read_state(variant.board, phase, json_checks.json_object(value, "politics"))
    return affairs, tuple(f"politics.{clip_json(name)}" for name in strange)


def read_variant(value: Json) -> Variant:
    """A variant by its name, `classic` when none is given."""
    name = json_checks.optional_json_text(value, "variant")
    return variants.load("classic" if name is None else name)


def read_rulebook(value: Json) -> LoadedRulebook:
    """A book by its name, or one that extends another; `anjou_feu` when none is given."""
    if value is None:
        return rulebooks.load(FALLBACK)
    if isinstance(value, str):
        return rulebooks.load(value)
    given = json_checks.json_object(value, "rulebook")
    _refuse_others(given, ("extends", "options", "name", "title"), "rulebook")
    name = json_checks.optional_json_text(given.get("name"), "rulebook.name") or ""
    extends = json_checks.optional_json_text(given.get("extends"), "rulebook.extends")
    if extends is not None and extends == name and name not in rulebooks.names():
        raise InvalidQuestion("rulebook_extends_itself", rulebook=clip_json(name))
    choices = _choices(given.get("options"))
    return customise(
        FALLBACK if extends is None else extends, choices, name, _title(given.get("title"), name)
    )


def _title(value: Json, name: str) -> dict[str, str] | None:
    """What a book is called in each language; one text serves for all, its name for none."""
    everywhere = isinstance(value, str)
    titles = (
        dict.fromkeys(LANGUAGES, value) if everywhere else json_checks.json_object(value, "rulebook.title")
    )
    _refuse_others(titles, LANGUAGES, "rulebook.title")
    said = {
        language: json_checks.json_text(title, f"rulebook.title.{language}")
        for language, title in titles.items()
    }
    spare = next(filter(None, said.values()), name)
    return {language: said.get(language) or spare for language in LANGUAGES} if spare else None


def _choices(value: Json) -> dict[str, Json]:
    choices = json_checks.json_object(value, "rulebook.options")
    for option, choice in choices.items():
        where = f"rulebook.options.{clip_json(option)}"
        chosen = choice
        if isinstance(choice, dict):
            _refuse_others(choice, ("value", "source"), where)
            json_checks.optional_json_text(choice.get("source"), f"{where}.source")
            chosen = choice.get("value")
        json_checks.json_text(chosen, where)
    return dict(choices)


def _refuse_others(given: JsonObject, known: Sequence[str], where: str) -> None:
    for name in given:
        if name not in known:
            raise InvalidQuestion("field_unknown", field=f"{where}.{clip_json(name)}")


def read_phase(value: Json, variant: Variant) -> Phase:
    """A phase that the variant has."""
    if value is None:
        raise InvalidQuestion("field_missing", field="phase")
    written = json_checks.json_text(value, "phase")
    if len(written) > 12:
        raise InvalidPosition("unknown_phase", phase=clip_json(written))
    phase = Phase.parse(written)
    variant.definition.rules_for(phase)
    return phase


def read_naming(value: Json, variant: Variant) -> str | None:
    """A profile of abbreviations that the variant has in one of its languages."""
    name = json_checks.optional_json_text(value, "naming")
    known = notation.naming_profiles(variant)
    if name is None or name in known:
        return name
    raise InvalidQuestion("naming_unknown", naming=clip_json(name), known=", ".join(known))


def read_sheets(asked: JsonObject, variant: Variant) -> dict[str, tuple[SheetLines, ...]]:
    """`orders` is one sheet a power, `sheets` several in order of arrival."""
    powers = variant.board.seats
    if asked.get("orders") is not None and asked.get("sheets") is not None:
        raise InvalidQuestion("orders_and_sheets")
    orders = json_checks.json_by_power(asked.get("orders"), "orders", powers)
    several = json_checks.json_by_power(asked.get("sheets"), "sheets", powers)
    single = {name: (json_checks.json_texts(lines, f"orders.{name}"),) for name, lines in orders.items()}
    return single | {name: _successive(value, f"sheets.{name}") for name, value in several.items()}


def _successive(value: Json, where: str) -> tuple[SheetLines, ...]:
    return tuple(json_checks.json_texts(sheet, where) for sheet in json_checks.json_list(value, where))
