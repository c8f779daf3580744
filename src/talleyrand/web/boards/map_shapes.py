"""The shape a reader sees a map in: bent for a wide or a tall window, or the true geography.

A cookie keeps what they chose, another the shape of their window, which the script of the map tells. Until it
has told, a phone is taken to be held upright. An address that names a shape is answered in it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.variants import Variant

CHOSEN, SHAPE = "shape", "window"  # cookies
FITTED, WIDE, TRUE = "fitted", "wide", "true"
CHOICES = (FITTED, WIDE, "tall", TRUE)
_shape: ContextVar[str] = ContextVar("map_shape", default="")


def shape_titles() -> list[tuple[str, str]]:
    """What a reader may choose among, with what it is called."""
    titles = (_("Fits the window"), _("Wide"), _("Tall"), _("True geography"))
    return list(zip(CHOICES, titles, strict=True))


def chosen_shape(request: HttpRequest) -> str:
    """What the reader chose; a cookie that says nothing we know counts as none."""
    given = request.COOKIES.get(CHOSEN, "")
    return given if given in CHOICES else FITTED


def readers_shape() -> str:
    """The shape of whoever asked: "" for the wide one."""
    return _shape.get()


def in_readers_shape(variant: Variant) -> Variant:
    """The variant with its map in the shape of whoever asked; as it is where it has no such shape."""
    return variant.in_shape(_shape.get())


def map_shape_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep for the request which shape its reader sees."""

    def middleware(request: HttpRequest) -> HttpResponse:
        _shape.set(_shape_of(request))
        return get_response(request)

    return middleware


def _shape_of(request: HttpRequest) -> str:
    named = request.GET.get(CHOSEN, "")
    chosen = named if named in CHOICES else chosen_shape(request)
    if chosen != FITTED:
        return "" if chosen == WIDE else chosen
    told = request.COOKIES.get(SHAPE, "")
    tall = told == "tall" if told in ("wide", "tall") else _is_phone(request)
    return "tall" if tall else ""


def _is_phone(request: HttpRequest) -> bool:
    said = request.headers.get("Sec-CH-UA-Mobile", "")
    return said == "?1" if said else "Mobi" in request.headers.get("User-Agent", "")
