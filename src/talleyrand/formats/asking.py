"""A question of the contract, read into a variant, a rulebook, a position and order sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from talleyrand import notation, rulebooks, variants
from talleyrand.engine.errors import BadPosition
from talleyrand.engine.position import Phase, Position
from talleyrand.rulebooks import FALLBACK, LoadedRulebook, customise
from talleyrand.variants import Variant

from . import shapes
from .positions import read_position
from .shapes import BadQuestion, Json, Table, clip

FIELDS = frozenset(
    {
        "id",
        "variant",
        "rulebook",
        "phase",
        "units",
        "dislodged",
        "contested",
        "centers",
        "homes",
        "orders",
        "sheets",
        "absent",
        "torn",
        "passive",
        "naming",
        "seed",
        "politics",
    }
)
Sheet = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """What is asked. `sheets` holds the successive sheets of each power; `strange` the unknown fields."""

    variant: Variant
    book: LoadedRulebook
    position: Position
    sheets: Mapping[str, tuple[Sheet, ...]]
    naming: str | None = None
    seed: str = ""
    strange: tuple[str, ...] = field(default=())


def read_question(asked: Json, book: LoadedRulebook | None = None) -> Question:
    """Raises TalleyrandError for whatever is not a question. `book` stands in for the one it names."""
    if not isinstance(asked, dict):
        raise BadQuestion("not_a_question", value=clip(asked))
    variant = read_variant(asked.get("variant"))
    book = book or read_rulebook(asked.get("rulebook"))
    phase = read_phase(asked.get("phase"), variant)
    position = read_position(asked, phase, variant.board, book.judge)
    return Question(
        variant,
        book,
        position,
        read_sheets(asked, variant),
        read_naming(asked.get("naming"), variant),
        shapes.optional_text(asked.get("seed"), "seed") or "",
        tuple(sorted(set(map(clip, asked)) - FIELDS)),
    )


def read_variant(value: Json) -> Variant:
    """A variant by its name, `classic` when none is given."""
    name = shapes.optional_text(value, "variant")
    return variants.load("classic" if name is None else name)


def read_rulebook(value: Json) -> LoadedRulebook:
    """A book by its name, or one that extends another; `anjou_feu` when none is given."""
    if value is None:
        return rulebooks.load(FALLBACK)
    if isinstance(value, str):
        return rulebooks.load(value)
    given = shapes.table(value, "rulebook")
    for name in given:
        if name not in ("extends", "options", "name", "title"):
            raise BadQuestion("field_unknown", field=f"rulebook.{clip(name)}")
    extends = shapes.optional_text(given.get("extends"), "rulebook.extends")
    return customise(FALLBACK if extends is None else extends, _choices(given.get("options")))


def _choices(value: Json) -> dict[str, Json]:
    choices = shapes.table(value, "rulebook.options")
    for option, choice in choices.items():
        chosen = choice.get("value") if isinstance(choice, dict) else choice
        shapes.text(chosen, f"rulebook.options.{clip(option)}")
    return dict(choices)


def read_phase(value: Json, variant: Variant) -> Phase:
    """A phase that the variant has."""
    if value is None:
        raise BadQuestion("field_missing", field="phase")
    written = shapes.text(value, "phase")
    if len(written) > 12:
        raise BadPosition("unknown_phase", phase=clip(written))
    phase = Phase.parse(written)
    variant.setting.rules(phase)
    return phase


def read_naming(value: Json, variant: Variant) -> str | None:
    """A profile of abbreviations that the variant has in one of its languages."""
    name = shapes.optional_text(value, "naming")
    known = notation.profiles(variant)
    if name is None or name in known:
        return name
    raise BadQuestion("naming_unknown", naming=clip(name), known=", ".join(known))


def read_sheets(asked: Table, variant: Variant) -> dict[str, tuple[Sheet, ...]]:
    """`orders` is one sheet a power, `sheets` several in order of arrival."""
    powers = variant.board.powers
    if asked.get("orders") is not None and asked.get("sheets") is not None:
        raise BadQuestion("orders_and_sheets")
    orders = shapes.by_power(asked.get("orders"), "orders", powers)
    several = shapes.by_power(asked.get("sheets"), "sheets", powers)
    single = {name: (shapes.texts(lines, f"orders.{name}"),) for name, lines in orders.items()}
    return single | {name: _successive(value, f"sheets.{name}") for name, value in several.items()}


def _successive(value: Json, where: str) -> tuple[Sheet, ...]:
    return tuple(shapes.texts(sheet, where) for sheet in shapes.rows(value, where))
