"""The look of a picture that stands on the first page: its reader's, who may leave it to the device."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.drawing import MapStyle, apply_style, palettes, themes

SYSTEM = "system"  # the night where the device asks for it, else paper


def style_picture(drawn: str, theme: str, palette: str) -> str:
    """The drawing in a look, "system" among the themes; raises UnknownName for one that does not exist."""
    if theme != SYSTEM:
        return apply_style(drawn, MapStyle(theme, palette))
    apply_style("", MapStyle(palette=palette))  # which checks its name
    powers = {f"power-{rank}": colour for rank, colour in enumerate(palettes()[palette], 1)}
    night = f"@media (prefers-color-scheme: dark) {{ {_rule(themes()['night'])} }}"
    rules = f"{_rule({**themes()['paper'], **powers})} {night}"
    if "<style>" in drawn:
        return drawn.replace("<style>", f"<style>{rules}", 1)
    return drawn.replace(">", f"><style>{rules}</style>", 1)


def _rule(values: Mapping[str, str]) -> str:
    return f":root {{ {' '.join(f'--board-{name}: {value};' for name, value in values.items())} }}"
