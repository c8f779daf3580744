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
from talleyrand.formats.answer_errors import error_json
from talleyrand.tournament import script_card
from talleyrand.tournament.model import FIRST_YEAR
from talleyrand.tournament.script_card import ScriptOrder
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments import tournament_context

VARIANT = "survivor_turkey"
LONGEST = 300


@dataclass(frozen=True)
class ScriptQuestion:
    """The form as it was sent. `moment`: season and kind of a phase, "SM"."""

    moment: str
    year: str
    units: str
    centres: str

    @classmethod
    def from_request(cls, request: HttpRequest) -> ScriptQuestion:
        told = {name: request.GET.get(name, "").replace("\0", "")[:LONGEST] for name in ("units", "centres")}
        moment, year = request.GET.get("moment", ""), request.GET.get("year", "")
        return cls(moment if moment in moment_names() else "SM", year[:6] or str(FIRST_YEAR), **told)

    @property
    def phase(self) -> str:
        return f"{self.moment[0]}{self.year.strip()}{self.moment[1]}"


@never_cache
@require_safe
def script_page(request: HttpRequest, key: str) -> HttpResponse:
    """The whole card, and a form for one moment of one board."""
    sight = tournament_context.tournament_viewer_of_page(request, key)
    typed, refusal = ScriptQuestion.from_request(request), ""
    orders: tuple[ScriptOrder, ...] = ()
    asked = "units" in request.GET
    if asked:
        try:
            orders = script_card.script_orders(
                VARIANT, typed.phase, typed.units, display_names.reader_language(), typed.centres
            )
        except TalleyrandError as error:
            refusal = _refusal(error)
    loaded = variants.load(VARIANT)
    context = {
        **tournament_context.tournament_page_context(sight, "screens"),
        "event": sight.visible_event,
        "power": _power_with_article(loaded),
        "variant": loaded.title[display_names.reader_language()],
        "card": script_card.script_card(VARIANT, display_names.reader_language()),
        "moments": moment_names(),
        "typed": typed,
        "asked": asked,
        "orders": orders,
        "refusal": refusal,
        "example": _("F Con, A Bul, A Ank"),
    }
    return render(request, "tournaments/screens/script.html", context, status=409 if refusal else 200)


def _power_with_article(loaded: Variant) -> str:
    """The power as a sentence names it: la Turquie."""
    known = loaded.names(display_names.reader_language()).powers[loaded.definition.scripted_powers[0]]
    return f"{known.article}{known.name}"


def _refusal(error: TalleyrandError) -> str:
    told = error_json(error)["message"]
    assert isinstance(told, dict)
    return str(told[display_names.reader_language()])


def moment_names() -> dict[str, str]:
    """When a table may ask."""
    return {
        "SM": _("spring"),
        "SR": _("spring retreats"),
        "FM": _("autumn"),
        "FR": _("autumn retreats"),
        "WA": _("winter"),
    }
