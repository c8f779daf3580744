"""A whole drawing: the layers in their order, inside one SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from talleyrand.engine.outcome import Verdict
from talleyrand.engine.position import Position, check
from talleyrand.variants import Variant

from . import ground, looks, words
from .arrows import order_layer
from .insets import insets
from .legend import heading, legend
from .marks import mark_layer
from .markup import layer, number, text
from .routes import plan
from .scene import Orders, Scene
from .style import STYLE
from .units import unit_layer


@dataclass(frozen=True)
class Layers:
    """The groups that change from phase to phase, each a `<g>` with its fixed id."""

    owners: str
    orders: str
    units: str
    marks: str


def layers(
    variant: Variant,
    position: Position,
    *,
    verdicts: Iterable[Verdict] = (),
    orders: Orders = (),
    contested: Iterable[str] = (),
    language: str = "fr",
) -> Layers:
    """Draw what a page swaps when the position or the orders change.

    `position` is the one the orders were given in. Orders without a verdict are drawn as given.
    `contested` names the provinces that these orders left empty by a stand-off.
    Raises BadPosition for a position that cannot stand on the board, UnknownName for a language.
    """
    position = replace(position, contested=position.contested.union(contested))
    scene = _scene(variant, position, language)
    tasks = scene.tasks(orders, verdicts)
    routes = plan(scene, tasks)
    return Layers(
        owners=ground.owner_layer(scene),
        orders=order_layer(scene, tasks, routes),
        units=unit_layer(scene),
        marks=mark_layer(scene, tasks, routes),
    )


def given(variant: Variant, position: Position, orders: Orders, language: str = "fr") -> tuple[str, str]:
    """The two layers that orders alone change, before they are judged: their lines, and the marks."""
    scene = _scene(variant, position, language)
    tasks = scene.tasks(orders, ())
    routes = plan(scene, tasks)
    return order_layer(scene, tasks, routes), mark_layer(scene, tasks, routes)


def base(variant: Variant, language: str = "fr", *, labels: bool = True) -> str:
    """The board alone, with an empty group for each layer that a page fills."""
    words.check(language)
    empty = Layers(*(layer(name) for name in ("owners", "orders", "units", "marks")))
    return _framed(variant, language, empty, ground.ground(variant).box, labels=labels)


def draw(
    variant: Variant,
    position: Position,
    *,
    verdicts: Iterable[Verdict] = (),
    orders: Orders = (),
    contested: Iterable[str] = (),
    language: str = "fr",
    labels: bool = True,
    owners: bool = True,
    title: str | None = None,
    caption: bool = True,
) -> str:
    """A position as an SVG to be kept or printed, with its orders and what became of them.

    `position` is the one the orders were given in; `orders` either a list or the list of each power.
    `contested` names the provinces that these orders left empty by a stand-off. `caption` adds a heading
    (`title`, or the variant's, and the phase) and a legend around the board.
    Raises BadPosition for a position that cannot stand on the board, UnknownName for a language.
    """
    position = replace(position, contested=position.contested.union(contested))
    verdicts = tuple(verdicts)
    orders = orders if isinstance(orders, Mapping) else tuple(orders)
    drawn = layers(variant, position, verdicts=verdicts, orders=orders, language=language)
    if not owners:
        drawn = Layers(layer("owners"), drawn.orders, drawn.units, drawn.marks)
    box = ground.ground(variant).box
    if not caption:
        return _framed(variant, language, drawn, box, labels=labels)
    scene = Scene(variant, position, language)
    top, high = heading(scene, variant.title[language] if title is None else title, box)
    bottom, tall = legend(scene, scene.tasks(orders, verdicts), box)
    frame = (box[0], box[1] - high, box[2], box[3] + high + tall)
    return _framed(variant, language, drawn, frame, labels=labels, around=top + "\n" + bottom + "\n")


@dataclass(frozen=True)
class Series:
    """One position with several outcomes: what the drawings share, and the layers of each.

    `style` is their style sheet; `under` and `over` lie below the lines of the orders and above them.
    """

    box: tuple[float, ...]
    style: str
    under: str
    over: str
    drawn: tuple[Layers, ...]


def series(
    variant: Variant,
    position: Position,
    outcomes: Iterable[tuple[Iterable[Verdict], Iterable[str]]],
    *,
    language: str = "fr",
) -> Series:
    """Draw what became of the same orders several times; each outcome has its verdicts and its stand-offs.

    Raises what `layers` raises.
    """
    drawn = tuple(
        layers(variant, position, verdicts=verdicts, contested=contested, language=language)
        for verdicts, contested in outcomes
    )
    shared = layers(variant, position, language=language)
    under = (
        ground.map_layer(variant, language),
        shared.owners,
        ground.border_layer(variant),
        ground.centre_layer(variant),
    )
    over = (ground.label_layer(variant, language), shared.units)
    box = tuple(ground.ground(variant).box)
    return Series(box, _style(variant), "\n".join(under), "\n".join(over), drawn)


def _style(variant: Variant) -> str:
    return f"{looks.defaults()}\n{ground.ground(variant).style}\n{STYLE}"


def _scene(variant: Variant, position: Position, language: str) -> Scene:
    words.check(language)
    check(variant.board, position)
    return Scene(variant, position, language)


def _framed(
    variant: Variant, language: str, drawn: Layers, box: Iterable[float], *, labels: bool, around: str = ""
) -> str:
    sizes = " ".join(map(number, box))
    groups = (
        ground.map_layer(variant, language),
        drawn.owners,
        ground.border_layer(variant),
        ground.centre_layer(variant),
        drawn.orders,
        ground.label_layer(variant, language) if labels else layer("labels"),
        drawn.units,
        drawn.marks,
    )
    name = f'role="group" lang="{text(language)}" aria-label="{text(variant.title[language])}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{sizes}" {name}>'
    style = f"<style>\n{_style(variant)}</style>"
    views = (view for view in (insets(variant, language),) if view)
    return "\n".join((head, style, *groups, *views)) + f"\n{around}</svg>\n"


def owners_layer(variant: Variant, position: Position, language: str = "fr") -> str:
    """`layer-owners`: the provinces of owned centres in their owners' colours."""
    return ground.owner_layer(_scene(variant, position, language))


def units_layer(variant: Variant, position: Position, language: str = "fr") -> str:
    """`layer-units`: every unit, the dislodged ones beside those that drove them out."""
    return unit_layer(_scene(variant, position, language))


def orders_layer(
    variant: Variant, orders: Orders, verdicts: Iterable[Verdict], position: Position, language: str = "fr"
) -> str:
    """`layer-orders`: the lines of the orders."""
    return layers(variant, position, verdicts=verdicts, orders=orders, language=language).orders


def marks_layer(
    variant: Variant, orders: Orders, verdicts: Iterable[Verdict], position: Position, language: str = "fr"
) -> str:
    """`layer-marks`: contested provinces, and what became of the orders."""
    return layers(variant, position, verdicts=verdicts, orders=orders, language=language).marks
