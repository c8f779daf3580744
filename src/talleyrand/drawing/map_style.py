"""The looks of a board: themes, palettes of powers, patterns; as variables of CSS or as plain values.

What is drawn names its colours `var(--board-NAME)`. A page chooses among them by attributes (`data-theme`,
`data-palette`, `data-patterns`) and the sheet that `theme_stylesheet` gives; a picture to keep has its values
in it.
"""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from talleyrand.engine.errors import UnknownName

FAMILY = "Alegreya"
FONT_FACES = (("Regular", "normal", "normal"), ("Italic", "italic", "normal"), ("Bold", "normal", "bold"))
# The look of what is drawn on a map; maps bring their own rules for grounds and borders. Colours are
# variables that `looks.toml` gives values to; nothing is blurred, filtered or animated.
BOARD_CSS = (resources.files(__package__) / "board.css").read_text("utf-8")
PALETTE_SIZE = 7  # a palette has colours for so many
_VARIABLE = re.compile(r"var\(--board-([a-z0-9-]+)(?:, ?([^()]*))?\)")


SYSTEM = "system"  # the theme of a page that follows its reader's device: night where that is dark


@dataclass(frozen=True)
class MapStyle:
    """How a picture to keep is drawn: `patterns` hatches what powers own, without `names` the codes show."""

    theme: str = "paper"
    palette: str = "classic"
    patterns: bool = False
    names: bool = True


@cache
def _table() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    text = (resources.files(__package__) / "looks.toml").read_text("utf-8")
    return tomllib.loads(text)


def themes() -> Mapping[str, Mapping[str, str]]:
    """The values of each theme, the usual one first."""
    return _table()["themes"]


def palettes() -> Mapping[str, Sequence[str]]:
    """The colours of each palette, by the rank of the power; none where each variant has its own."""
    return _table()["palettes"]  # type: ignore[return-value]


def check_style(look: MapStyle) -> None:
    """Raise UnknownName (`unknown_theme`, `unknown_palette`) for a look that does not exist."""
    if look.theme not in themes():
        raise UnknownName("unknown_theme", theme=look.theme, known=", ".join(themes()))
    if look.palette not in palettes():
        raise UnknownName("unknown_palette", palette=look.palette, known=", ".join(palettes()))


def css_variable(name: str, value: str = "") -> str:
    """A colour that a page may choose; `value` where it says nothing."""
    return f"var(--board-{name}, {value})" if value else f"var(--board-{name})"


def apply_style(drawn: str, look: MapStyle) -> str:
    """The drawing with the values of a look instead of variables; raises what `check_style` raises."""
    check_style(look)
    values = {**themes()[look.theme], **_powers(look.palette)}
    plain = _VARIABLE.sub(lambda found: values.get(found[1], found[2] or ""), drawn)
    chosen = (' data-patterns="on"' if look.patterns else "") + ("" if look.names else ' data-names="off"')
    return plain.replace("<svg ", f"<svg{chosen} ", 1) if chosen else plain


def style_picture(drawn: str, theme: str, palette: str) -> str:
    """The drawing as a picture that stands on a page, in the page's look, "system" among the themes.

    Raises what `check_style` raises.
    """
    if theme != SYSTEM:
        return apply_style(drawn, MapStyle(theme, palette))
    check_style(MapStyle(palette=palette))
    usual = _rule(":root", {**themes()["paper"], **_powers(palette)})
    night = _rule(":root", themes()["night"])
    rules = f"{usual} @media (prefers-color-scheme: dark) {{ {night} }}"
    if "<style>" in drawn:
        return drawn.replace("<style>", f"<style>{rules}", 1)
    return drawn.replace(">", f"><style>{rules}</style>", 1)


def standalone_svg(drawn: str, look: MapStyle | None = None) -> str:
    """A drawing that looks the same wherever it is opened: its colours settled, its letters carried along."""
    return apply_style(drawn, look or MapStyle()).replace("<style>\n", f"<style>\n{embedded_fonts()}\n", 1)


def _powers(palette: str) -> dict[str, str]:
    return {f"power-{rank}": colour for rank, colour in enumerate(palettes()[palette], 1)}


def default_variables() -> str:
    """The first theme, for a page that chooses none: it yields to any other rule."""
    return _rule(":where(:root)", next(iter(themes().values())))


def theme_stylesheet(fonts: str) -> str:
    """The style sheet of a page with boards: themes, palettes, and the letters from the folder `fonts`."""
    rules = ["/* Written from drawing/looks.toml: themes, palettes and letters of the boards. */"]
    rules += [
        _face(style, weight, f"url({fonts}Alegreya-{name}.woff2)") for name, style, weight in FONT_FACES
    ]
    rules += [_rule(":root", next(iter(themes().values())))]
    rules += [_rule(f'[data-theme="{name}"]', values) for name, values in themes().items()]
    dark = _rule(f'[data-theme="{SYSTEM}"]', themes()["night"])
    rules += [f"@media screen and (prefers-color-scheme: dark) {{ {dark} }}"]
    rules += [_rule(f'[data-palette="{name}"]', _powers(name)) for name, found in palettes().items() if found]
    return "\n".join(rules) + "\n"


def _face(style: str, weight: str, source: str) -> str:
    facts = f'font-family: "{FAMILY}"; font-style: {style}; font-weight: {weight}; font-display: swap'
    return f'@font-face {{ {facts}; src: {source} format("woff2"); }}'


def _rule(selector: str, values: Mapping[str, str]) -> str:
    return f"{selector} {{ {' '.join(f'--board-{name}: {value};' for name, value in values.items())} }}"


@cache
def embedded_fonts() -> str:
    """The letters themselves, for a picture that stands alone."""
    folder = resources.files(__package__) / "fonts" / "web"
    data = {
        name: b64encode((folder / f"Alegreya-{name}.woff2").read_bytes()).decode() for name, *_ in FONT_FACES
    }
    rules = (
        _face(style, weight, f"url(data:font/woff2;base64,{data[name]})")
        for name, style, weight in FONT_FACES
    )
    return "\n".join(rules)
