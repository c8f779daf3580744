"""The phases of a game as the history of the board shows them, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from talleyrand.web.boards import results, wording

from .board import Desk
from .models import PracticeGame, PracticeTurn
from .picture import sketch


@never_cache
@require_safe
def scene(request: HttpRequest, key: str, number: int) -> HttpResponse:  # noqa: ARG001 a view
    return _scene(Desk(get_object_or_404(PracticeGame, key=key), number, owner=True))


@never_cache
@require_safe
def shared_scene(request: HttpRequest, shared: str, number: int) -> HttpResponse:  # noqa: ARG001 a view
    return _scene(Desk(get_object_or_404(PracticeGame, shared=shared), number, owner=False))


def _scene(desk: Desk) -> HttpResponse:
    if not 1 <= desk.number <= desk.story.current:
        raise Http404
    return JsonResponse(
        {
            "number": desk.number,
            "title": (wording.phase if desk.question else wording.season)(desk.variant, desk.code),
            "address": desk.address(desk.number),
            "news": list(news(desk, desk.turn)) if desk.turn else [],
            "layers": sketch(desk).every_layer(),
        }
    )


def news(desk: Desk, turn: PracticeTurn) -> Iterator[str]:
    """What happened in a phase, a sentence each: orders, centres, powers that are out."""
    for row in results.by_power(desk.variant, turn.answer):
        for entry in row["entries"]:
            yield _told(row["name"], entry)
    yield from _captures(desk, turn)
    for name in results.newly_out(desk.variant, desk.question, turn.answer):
        yield _("%(power)s is out of the game.") % {"power": name}


def _told(power: str, entry: Mapping[str, Any]) -> str:
    came = ", ".join(result["words"] for result in entry["results"])
    facts = {"power": power, "order": entry["order"] or entry["line"], "came": came}
    return (_("%(power)s – %(order)s: %(came)s") if came else "%(power)s – %(order)s") % facts


def _captures(desk: Desk, turn: PracticeTurn) -> Iterator[str]:
    before = _owners((desk.question or {}).get("centers"))
    names = desk.variant.names(wording.language())
    for place, power in _owners(turn.answer.get("centers")).items():
        if before and before.get(place) != power:
            facts = {"place": names.location(place), "power": wording.power(desk.variant, power)}
            yield _("%(place)s now belongs to %(power)s.") % facts


def _owners(centres: Any) -> dict[str, str]:
    return {place: power for power, places in (centres or {}).items() for place in places}
