"""The editor of positions. The text of a position is the truth; a touch on the map edits the text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import drawing, rulebooks, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase, province_of
from talleyrand.formats import asking, plain
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import Variant
from talleyrand.web.boards import incoming, picture, scripting, texts, wording
from talleyrand.web.boards.referee import Unanswered

from . import records, starts, visits
from .games import Story
from .models import address
from .records import Unreadable

Fields = dict[str, Any]
LARGEST = 20_000


@never_cache
def blank(request: HttpRequest) -> HttpResponse:
    """The editor at a variant's first position; a position sent becomes a game."""
    if request.method == "POST":
        return _start(request)
    name = request.GET.get("variant", "classic")
    if name not in variants.names():
        raise Http404
    return _page(request, written({"variant": name, **records.first_position(variants.load(name))}))


@never_cache
@require_safe
def from_game(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The editor at a phase of a game."""
    game = visits.own(key)
    story = Story(game)
    question = story.question(number) if 1 <= number <= story.current else None
    if question is None:
        raise Http404
    return _page(request, written({"rulebook": game.rulebook, **question}))


def _page(request: HttpRequest, text: str, status: int = 200) -> HttpResponse:
    try:
        fields = read(text)
    except (TalleyrandError, Unreadable):
        fields = {"variant": "classic", **records.first_position(variants.load("classic"))}
    variant = variants.load(str(fields["variant"]))
    nonce = getattr(request, "style_nonce", "")
    context = {
        "text": text,
        "drawing": picture.for_page(_drawn(fields, variant), nonce),
        "variant": variant.name,
        "variants": wording.variant_titles(),
        "rulebook": fields.get("rulebook", FALLBACK),
        "rulebooks": wording.rulebook_titles(),
        "phase": Phase.parse(fields["phase"]),
        "seasons": _seasons(variant),
        "powers": [(code, wording.power(variant, code)) for code in variant.board.powers],
        "kinds": [(letter, name.name) for letter, name in variant.names(wording.language()).units.items()],
        "submission": address(),
        "strings": scripting.script_words(),
    }
    return render(request, "practice/position.html", context, status=status)


def _seasons(variant: Variant) -> list[tuple[str, str]]:
    calendar = variant.setting.calendar
    found = dict.fromkeys((*calendar.opening, *calendar.cycle))
    return [(code, wording.phase(variant, f"{code[0]}0{code[1]}").replace(" 0,", ",")) for code in found]


def _start(request: HttpRequest) -> HttpResponse:
    text = request.POST.get("text", "")
    try:
        if len(text) > LARGEST:
            raise Unreadable(_("This position is too long."))
        return starts.continued(request, text)
    except (Unreadable, Unanswered) as refused:
        messages.error(request, refused.sentence)
        return _page(request, text[:LARGEST], status=400)


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """The text of a position after an edit, drawn: `{"text", "edit": {"do", …}}` in JSON."""
    try:
        sent = incoming.table(request)
        fields = read(_text(sent.get("text")))
        if sent.get("variant", fields["variant"]) != fields["variant"]:
            raise incoming.Refused(
                _("This text is for another board: choose it above the map, or play from here.")
            )
        fields, said = _edited(fields, sent.get("edit"))
        variant = variants.load(str(fields["variant"]))
        layers = _layers(fields, variant)
    except incoming.Refused as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except Unreadable as refused:
        return JsonResponse({"message": refused.sentence}, status=400)
    except TalleyrandError as error:
        return JsonResponse({"message": records.told(error)}, status=400)
    text = written(fields) if sent.get("edit") else sent["text"]
    return JsonResponse({"text": text, "layers": layers, "message": said})


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LARGEST:
        raise Unreadable(_("This position is too long."))
    return value


def read(text: str) -> Fields:
    """The fields of a position's text; raises TalleyrandError and Unreadable."""
    if text.lstrip().startswith(("{", "[")):
        brought = records.bring(text, most=records.NOTHING)
        return {"variant": brought.variant, "rulebook": brought.rulebook, **brought.start}
    parsed = plain.read_text(text)
    question = parsed.question()
    fields = {name: value for name, value in question.items() if name not in ("orders", "seed")}
    return {**fields, "variant": parsed.variant.name}


def written(fields: Mapping[str, Any]) -> str:
    """A position as text that `read` gives back."""
    return texts.position_text({"rulebook": FALLBACK, **fields})


def _drawn(fields: Fields, variant: Variant) -> str:
    try:
        position = asking.read_question(dict(fields)).position
    except TalleyrandError:
        return drawing.base(variant, wording.language())
    return drawing.draw(variant, position, language=wording.language(), caption=False)


def _layers(fields: Fields, variant: Variant) -> dict[str, str]:
    position = asking.read_question(dict(fields)).position
    layers = drawing.layers(variant, position, language=wording.language())
    return {"layer-owners": layers.owners, "layer-units": layers.units, "layer-marks": layers.marks}


# edits


def _edited(fields: Fields, edit: Any) -> tuple[Fields, str]:
    if edit is None:
        return fields, ""
    if not isinstance(edit, dict) or str(edit.get("do")) not in EDITS:
        raise incoming.meaningless()
    values = {name: value for name, value in edit.items() if isinstance(value, str)}
    return EDITS[str(edit["do"])](fields, variants.load(str(fields["variant"])), values)


Values = Mapping[str, str]


def _place_unit(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:
    power, kind, place = (values.get(name, "") for name in ("power", "kind", "place"))
    board = variant.board
    code = province_of(place)
    if power not in board.powers or kind not in board.kinds or code not in board.provinces:
        raise incoming.meaningless()
    name = variant.names(wording.language()).provinces[code].name
    standing = board.standing(kind, code)
    if not standing:
        raise incoming.Refused(_("This unit cannot stand in %(place)s.") % {"place": name})
    units = _without(fields.get("units") or {}, code)
    location = _next_location(fields, code, f"{kind} ", power, standing)
    if location:
        units[power] = [*units.get(power, []), f"{kind} {location}"]
    said = _("%(place)s: unit placed.") if location else _("%(place)s: cleared.")
    return {**fields, "units": units}, said % {"place": name}


def _next_location(fields: Fields, code: str, kind: str, power: str, standing: tuple[str, ...]) -> str:
    """Touching the same place again goes from coast to coast, then takes the unit off."""
    here = [unit for unit in (fields.get("units") or {}).get(power, []) if _province(unit) == code]
    if not here or not here[0].startswith(kind):
        return standing[0]
    order = [*standing, ""]
    at = here[0].removeprefix(kind)
    return order[order.index(at) + 1] if at in standing else ""


def _province(unit: str) -> str:
    return province_of(unit.partition(" ")[2])


def _without(units: Mapping[str, list[str]], code: str) -> dict[str, list[str]]:
    kept = {power: [unit for unit in own if _province(unit) != code] for power, own in units.items()}
    return {power: own for power, own in kept.items() if own}


def _erase(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:
    code = province_of(values.get("place", ""))
    if code not in variant.board.provinces:
        raise incoming.meaningless()
    fallen = {
        power: [one for one in own if _province(one["unit"]) != code]
        for power, own in (fields.get("dislodged") or {}).items()
    }
    name = variant.names(wording.language()).provinces[code].name
    units = _without(fields.get("units") or {}, code)
    return {**fields, "units": units, "dislodged": fallen}, _("%(place)s: cleared.") % {"place": name}


def _own(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:
    code, power = province_of(values.get("place", "")), values.get("power", "")
    board = variant.board
    if code not in board.provinces or power not in ("", *board.powers):
        raise incoming.meaningless()
    name = variant.names(wording.language()).provinces[code].name
    if not board.provinces[code].centre:
        raise incoming.Refused(_("%(place)s is no centre.") % {"place": name})
    owned = {
        other: [one for one in held if one != code] for other, held in (fields.get("centers") or {}).items()
    }
    if power:
        owned[power] = sorted([*owned.get(power, []), code])
    owner = wording.power(variant, power) if power else _("nobody")
    said = _("%(place)s belongs to %(power)s.") % {"place": name, "power": owner}
    return {**fields, "centers": owned}, said


def _phase(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:
    phase = Phase.parse(values.get("phase", "")[:12])
    variant.setting.calendar.check(phase)
    return {**fields, "phase": str(phase)}, wording.phase(variant, str(phase))


def _book(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:  # noqa: ARG001 one of EDITS
    if values.get("rulebook") not in rulebooks.names():
        raise incoming.meaningless()
    return {**fields, "rulebook": values["rulebook"]}, ""


def _clear(fields: Fields, variant: Variant, values: Values) -> tuple[Fields, str]:  # noqa: ARG001 one of EDITS
    kept: Fields = {name: fields[name] for name in ("variant", "rulebook", "phase") if name in fields}
    return {**kept, "units": {}, "centers": {}}, _("The board is empty.")


EDITS: Mapping[str, Callable[[Fields, Variant, Values], tuple[Fields, str]]] = {
    "unit": _place_unit,
    "erase": _erase,
    "centre": _own,
    "phase": _phase,
    "rulebook": _book,
    "clear": _clear,
}
