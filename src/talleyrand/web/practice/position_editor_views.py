"""The editor of positions. The text of a position is the truth; a touch on the map edits the text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import drawing, rulebooks, variants
from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase, province_of
from talleyrand.formats import plain_text, question_input
from talleyrand.rulebooks import FALLBACK
from talleyrand.variants import Variant
from talleyrand.web.boards import display_names, order_requests, phase_maps, position_texts, script_texts
from talleyrand.web.boards.adjudicator import QuestionRefusal

from . import practice_access, practice_records, start_views
from .models import random_token
from .practice_games import PracticeHistory
from .practice_records import ImportRefusal

PositionFields = dict[str, Any]
LARGEST_POSITION_TEXT = 20_000


@never_cache
def new_position_page(request: HttpRequest) -> HttpResponse:
    """The editor at a variant's first position; a position sent becomes a game."""
    if request.method == "POST":
        return _start(request)
    name = request.GET.get("variant", "classic")
    if name not in variants.playable_names():
        raise Http404
    return _page(
        request,
        position_text_from_fields(
            {"variant": name, **practice_records.initial_position(variants.load(name))}
        ),
    )


@never_cache
@require_safe
def position_of_game_page(request: HttpRequest, key: str, number: int) -> HttpResponse:
    """The editor at a phase of a game."""
    game = practice_access.game_or_404(key)
    story = PracticeHistory(game)
    question = story.question(number) if 1 <= number <= story.open_phase_number else None
    if question is None:
        raise Http404
    return _page(request, position_text_from_fields({"rulebook": game.rulebook, **question}))


def _page(request: HttpRequest, text: str, status: int = 200) -> HttpResponse:
    try:
        fields = fields_from_position_text(text)
    except (TalleyrandError, ImportRefusal):
        fields = {"variant": "classic", **practice_records.initial_position(variants.load("classic"))}
    variant = variants.load(str(fields["variant"]))
    nonce = getattr(request, "style_nonce", "")
    context = {
        "text": text,
        "drawing": phase_maps.svg_for_page(_drawn(fields, variant), nonce),
        "variant": variant.name,
        "variants": display_names.variant_titles(),
        "rulebook": fields.get("rulebook", FALLBACK),
        "rulebooks": display_names.rulebook_titles(),
        "phase": Phase.parse(fields["phase"]),
        "seasons": _seasons(variant),
        "powers": [(code, display_names.power_name(variant, code)) for code in variant.board.powers],
        "kinds": [
            (letter, name.name)
            for letter, name in variant.names(display_names.reader_language()).units.items()
        ],
        "submission": random_token(),
        "strings": script_texts.script_texts(),
    }
    return render(request, "practice/position.html", context, status=status)


def _seasons(variant: Variant) -> list[tuple[str, str]]:
    calendar = variant.definition.calendar
    found = dict.fromkeys((*calendar.opening, *calendar.cycle))
    return [
        (code, display_names.phase_name(variant, f"{code[0]}0{code[1]}").replace(" 0,", ","))
        for code in found
    ]


def _start(request: HttpRequest) -> HttpResponse:
    text = request.POST.get("text", "")
    try:
        if len(text) > LARGEST_POSITION_TEXT:
            raise ImportRefusal(_("This position is too long."))
        if request.POST.get("online"):
            return _online(request, text)
        return start_views.import_and_redirect(request, text)
    except (ImportRefusal, QuestionRefusal) as refused:
        messages.error(request, refused.sentence)
        return _page(request, text[:LARGEST_POSITION_TEXT], status=400)


def _online(request: HttpRequest, text: str) -> HttpResponse:
    """To the page that makes a game, with the position as the start of a practice game: signing in keeps it.

    Raises ImportRefusal and QuestionRefusal.
    """
    brought = practice_records.import_game(text, most=practice_records.NO_EFFORT)
    submission = order_requests.submission_id_of(request) or random_token()
    # With another text it is another position: who went back may have changed it.
    once = hashlib.sha256(f"{submission} {text}".encode("utf-8", "replace")).hexdigest()
    game = start_views.create_imported_game(brought, once)
    query = urlencode({"board": game.shared_key, "board_phase": 1})
    return redirect(f"{reverse('games:new')}?{query}")


@require_POST
def edit_position_json(request: HttpRequest) -> HttpResponse:
    """The text of a position after an edit, drawn: `{"text", "edit": {"do", …}}` in JSON."""
    try:
        sent = order_requests.json_body(request)
        fields = fields_from_position_text(_text(sent.get("text")))
        if sent.get("variant", fields["variant"]) != fields["variant"]:
            raise order_requests.RequestRefusal(
                _(
                    "This text is for another variant: choose that one above the map, or press "
                    "“Play from here”."
                )
            )
        fields, said = _edited(fields, sent.get("edit"))
        variant = variants.load(str(fields["variant"]))
        layers = _layers(fields, variant)
    except order_requests.RequestRefusal as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except ImportRefusal as refused:
        return JsonResponse({"message": refused.sentence}, status=400)
    except TalleyrandError as error:
        return JsonResponse({"message": practice_records.import_error_text(error)}, status=400)
    text = position_text_from_fields(fields) if sent.get("edit") else sent["text"]
    return JsonResponse({"text": text, "layers": layers, "message": said})


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LARGEST_POSITION_TEXT:
        raise ImportRefusal(_("This position is too long."))
    return value


def fields_from_position_text(text: str) -> PositionFields:
    """The fields of a position's text; raises TalleyrandError and ImportRefusal."""
    if text.lstrip().startswith(("{", "[")):
        brought = practice_records.import_game(text, most=practice_records.NO_EFFORT)
        return {"variant": brought.variant, "rulebook": brought.rulebook, **brought.start}
    parsed = plain_text.read_game_text(text)
    question = parsed.question()
    fields = {name: value for name, value in question.items() if name not in ("orders", "seed")}
    return {**fields, "variant": parsed.variant.name}


def position_text_from_fields(fields: Mapping[str, Any]) -> str:
    """A position as text that `fields_from_position_text` gives back."""
    return position_texts.position_text({"rulebook": FALLBACK, **fields})


def _drawn(fields: PositionFields, variant: Variant) -> str:
    try:
        position = question_input.read_question(dict(fields)).position
    except TalleyrandError:
        return drawing.draw_empty_board(variant, display_names.reader_language())
    return drawing.draw_board(variant, position, language=display_names.reader_language(), caption=False)


def _layers(fields: PositionFields, variant: Variant) -> dict[str, str]:
    position = question_input.read_question(dict(fields)).position
    layers = drawing.draw_layers(variant, position, language=display_names.reader_language())
    return {"layer-owners": layers.owners, "layer-units": layers.units, "layer-marks": layers.marks}


# edits


def _edited(fields: PositionFields, edit: Any) -> tuple[PositionFields, str]:
    if edit is None:
        return fields, ""
    if not isinstance(edit, dict) or str(edit.get("do")) not in POSITION_EDITS:
        raise order_requests.meaningless_request()
    values = {name: value for name, value in edit.items() if isinstance(value, str)}
    return POSITION_EDITS[str(edit["do"])](fields, variants.load(str(fields["variant"])), values)


EditValues = Mapping[str, str]


def _place_unit(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:
    power, kind, place = (values.get(name, "") for name in ("power", "kind", "place"))
    board = variant.board
    code = province_of(place)
    if power not in board.powers or kind not in board.kinds or code not in board.provinces:
        raise order_requests.meaningless_request()
    name = variant.names(display_names.reader_language()).provinces[code].name
    standing = board.standable_locations(kind, code)
    if not standing:
        raise order_requests.RequestRefusal(_("This unit can’t be in %(place)s.") % {"place": name})
    units = _units_without(fields.get("units") or {}, code)
    location = _next_location(fields, code, f"{kind} ", power, standing)
    if location:
        units[power] = [*units.get(power, []), f"{kind} {location}"]
    said = _("%(place)s: unit placed.") if location else _("%(place)s: cleared.")
    return {**fields, "units": units}, said % {"place": name}


def _next_location(
    fields: PositionFields, code: str, kind: str, power: str, standing: tuple[str, ...]
) -> str:
    """Touching the same place again goes from coast to coast, then takes the unit off."""
    here = [unit for unit in (fields.get("units") or {}).get(power, []) if _province(unit) == code]
    if not here or not here[0].startswith(kind):
        return standing[0]
    order = [*standing, ""]
    at = here[0].removeprefix(kind)
    return order[order.index(at) + 1] if at in standing else ""


def _province(unit: str) -> str:
    return province_of(unit.partition(" ")[2])


def _units_without(units: Mapping[str, list[str]], code: str) -> dict[str, list[str]]:
    kept = {power: [unit for unit in own if _province(unit) != code] for power, own in units.items()}
    return {power: own for power, own in kept.items() if own}


def _erase(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:
    code = province_of(values.get("place", ""))
    if code not in variant.board.provinces:
        raise order_requests.meaningless_request()
    fallen = {
        power: [one for one in own if _province(one["unit"]) != code]
        for power, own in (fields.get("dislodged") or {}).items()
    }
    name = variant.names(display_names.reader_language()).provinces[code].name
    units = _units_without(fields.get("units") or {}, code)
    return {**fields, "units": units, "dislodged": fallen}, _("%(place)s: cleared.") % {"place": name}


def _own(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:
    code, power = province_of(values.get("place", "")), values.get("power", "")
    board = variant.board
    if code not in board.provinces or power not in ("", *board.powers):
        raise order_requests.meaningless_request()
    name = variant.names(display_names.reader_language()).provinces[code].name
    if not board.provinces[code].centre:
        raise order_requests.RequestRefusal(_("%(place)s is not a supply centre.") % {"place": name})
    owned = {
        other: [one for one in held if one != code] for other, held in (fields.get("centers") or {}).items()
    }
    if power:
        owned[power] = sorted([*owned.get(power, []), code])
    owner = display_names.power_name(variant, power) if power else _("nobody")
    said = _("%(place)s belongs to %(power)s.") % {"place": name, "power": owner}
    return {**fields, "centers": owned}, said


def _phase(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:
    phase = Phase.parse(values.get("phase", "")[:12])
    variant.definition.calendar.check_phase(phase)
    return {**fields, "phase": str(phase)}, display_names.phase_name(variant, str(phase))


def _book(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:  # noqa: ARG001 one of EDITS
    if values.get("rulebook") not in rulebooks.names():
        raise order_requests.meaningless_request()
    return {**fields, "rulebook": values["rulebook"]}, ""


def _clear(fields: PositionFields, variant: Variant, values: EditValues) -> tuple[PositionFields, str]:  # noqa: ARG001 one of EDITS
    kept: PositionFields = {name: fields[name] for name in ("variant", "rulebook", "phase") if name in fields}
    return {**kept, "units": {}, "centers": {}}, _("The board is empty.")


POSITION_EDITS: Mapping[str, Callable[[PositionFields, Variant, EditValues], tuple[PositionFields, str]]] = {
    "unit": _place_unit,
    "erase": _erase,
    "centre": _own,
    "phase": _phase,
    "rulebook": _book,
    "clear": _clear,
}
