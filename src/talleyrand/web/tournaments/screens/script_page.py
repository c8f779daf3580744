"""What a power without a player does now: asked by a table, answered from the units on its board."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand import variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.formats.sentences import error_value
from talleyrand.tournament import script_card
from talleyrand.tournament.model import FIRST_YEAR
from talleyrand.tournament.script_card import Written
from talleyrand.variants import Variant
from talleyrand.web.boards import wording
from talleyrand.web.tournaments import frame

VARIANT = "survivor_turkey"
LONGEST = 300


@dataclass(frozen=True)
class Typed:
    """The form as it was sent. `moment`: season and kind of a phase, "SM"."""

    moment: str
    year: str
    units: str
    centres: str

    @classmethod
    def of(cls, request: HttpRequest) -> Typed:
        told = {name: request.GET.get(name, "").replace("\0", "")[:LONGEST] for name in ("units", "centres")}
        moment, year = request.GET.get("moment", ""), request.GET.get("year", "")
        return cls(moment if moment in moments() else "SM", year[:6] or str(FIRST_YEAR), **told)

    @property
    def phase(self) -> str:
        return f"{self.moment[0]}{self.year.strip()}{self.moment[1]}"


@never_cache
@require_safe
def script(request: HttpRequest, key: str) -> HttpResponse:
    """The whole card, and a form for one moment of one board."""
    sight = frame.entered(request, key)
    typed, refusal = Typed.of(request), ""
    orders: tuple[Written, ...] = ()
    asked = "units" in request.GET
    if asked:
        try:
            orders = script_card.now(VARIANT, typed.phase, typed.units, wording.language(), typed.centres)
        except TalleyrandError as error:
            refusal = _refusal(error)
    loaded = variants.load(VARIANT)
    context = {
        **frame.page(sight, "screens"),
        "event": sight.shown,
        "power": _named(loaded),
        "variant": loaded.title[wording.language()],
        "card": script_card.card(VARIANT, wording.language()),
        "moments": moments(),
        "typed": typed,
        "asked": asked,
        "orders": orders,
        "refusal": refusal,
        "example": _("F Con, A Bul, A Ank"),
    }
    return render(request, "tournaments/screens/script.html", context, status=409 if refusal else 200)


def _named(loaded: Variant) -> str:
    """The power as a sentence names it: la Turquie."""
    known = loaded.names(wording.language()).powers[loaded.setting.scripted[0]]
    return f"{known.article}{known.name}"


def _refusal(error: TalleyrandError) -> str:
    told = error_value(error)["message"]
    assert isinstance(told, dict)
    return str(told[wording.language()])


def moments() -> dict[str, str]:
    """When a table may ask."""
    return {
        "SM": _("spring"),
        "SR": _("retreats of spring"),
        "FM": _("autumn"),
        "FR": _("retreats of autumn"),
        "WA": _("winter"),
    }
