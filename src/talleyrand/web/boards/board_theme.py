"""The look of the boards that a reader chose: a theme, a palette, patterns and a shape, kept in cookies.

Until a theme is chosen it is the one of the reader's device: paper, or night where that is dark.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from . import map_shapes

THEMES = ("system", "paper", "night", "contrast")
PALETTES = ("classic", "soft", "strong")
PATTERNS = ("off", "on")


def board_theme(request: HttpRequest) -> dict[str, Any]:
    """What every page is written in; a cookie that says nothing we know counts as none."""
    return {
        "look": {
            "theme": _chosen(request, "theme", THEMES),
            "palette": _chosen(request, "palette", PALETTES),
            "patterns": _chosen(request, "patterns", PATTERNS),
            "shape": map_shapes.chosen_shape(request),
            "shapes": map_shapes.shape_titles(),
            "themes": list(
                zip(THEMES, (_("Like the device"), _("Paper"), _("Night"), _("High contrast")), strict=True)
            ),
            "palettes": list(zip(PALETTES, (_("Usual"), _("Soft"), _("Strong")), strict=True)),
        }
    }


def _chosen(request: HttpRequest, name: str, known: tuple[str, ...]) -> str:
    given = request.COOKIES.get(name, "")
    return given if given in known else known[0]
