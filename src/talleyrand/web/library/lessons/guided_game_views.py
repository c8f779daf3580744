"""The pages of the first half-hour: ordering, what became of it with the guide's words, the end."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from talleyrand import variants
from talleyrand.web.boards import (
    board_context,
    display_names,
    order_drafts,
    order_requests,
    phase_maps,
    result_rows,
)
from talleyrand.web.boards.adjudicator import Question, QuestionRefusal
from talleyrand.web.boards.order_drafts import DraftRefusal
from talleyrand.web.boards.order_preparation import OrderPreparation
from talleyrand.web.boards.order_requests import RequestRefusal
from talleyrand.web.boards.script_texts import script_texts

from . import guided_game, lesson_context, lesson_requests
from .guided_game import GuidedGameHistory, GuidedScene
from .lesson_courses import VARIANT

MOST_PHASES = 12


@never_cache
@require_safe
def guided_game_page(request: HttpRequest) -> HttpResponse:
    """The address holds the sheets played and the one in preparation; with `look`, the last one judged."""
    try:
        sheets = _played(request)
        story = guided_game.play_guided_game([sheet.splitlines() for sheet in sheets])
        if story.open_question is None or ("look" in request.GET and story.scenes):
            return render(request, "library/lessons/half_hour_judged.html", _looked(request, story, sheets))
        return _ordering(request, story.open_question, sheets)
    except (RequestRefusal, QuestionRefusal) as refused:
        messages.error(request, refused.sentence)
        return redirect("library:half_hour")


def _played(request: HttpRequest) -> list[str]:
    """The sheets played so far; raises RequestRefusal."""
    sheets = request.GET.getlist("played")[:MOST_PHASES]
    try:
        for sheet in sheets:
            order_drafts.check_order_text(sheet)
    except DraftRefusal as problem:
        raise RequestRefusal(order_requests.draft_refusal_text(problem)) from None
    return sheets


def _ordering(request: HttpRequest, question: Question, sheets: list[str]) -> HttpResponse:
    power = guided_game.guided_game().power
    try:
        lines = lesson_requests.lines_from_query(request.GET, question, power)
    except RequestRefusal as refused:
        messages.error(request, refused.sentence)
        context = _prepared(request, question, sheets, [])
        context["sheet"] = request.GET.get("sheet", "")[: lesson_requests.LARGEST_SHEET]
        return render(request, "library/lessons/half_hour.html", context, status=400)
    if "judge" in request.GET:
        played = [*sheets, "\n".join(lines)]
        return redirect(lesson_requests.lesson_url_with_orders(request.path, [], played=played, look="1"))
    if lesson_requests.has_menus(request.GET):
        return redirect(lesson_requests.lesson_url_with_orders(request.path, lines, played=sheets))
    return render(request, "library/lessons/half_hour.html", _prepared(request, question, sheets, lines))


def _prepared(
    request: HttpRequest, question: Question, sheets: list[str], lines: list[str]
) -> dict[str, Any]:
    power = guided_game.guided_game().power
    preparation = OrderPreparation(question, {power: lines}, power)
    prepared = preparation.page_context()
    draft_url = lesson_requests.lesson_url_with_orders(reverse("library:half_hour_draft"), [], played=sheets)
    return {
        **_frame(question["phase"]),
        **prepared,
        "brief": lesson_context.lesson_text_in_language(
            guided_game.guided_game().phase(question["phase"]).brief
        ),
        "first": not sheets,
        "orders_are": "carried",
        "drawing": phase_maps.draft_map(question, preparation.readings)
        .in_readers_shape()
        .inline_svg(_nonce(request)),
        "draft_url": draft_url,
        "action": request.path,
        "base": prepared["sheet"],
        "played_sheets": sheets,
    }


def _frame(phase: str) -> dict[str, Any]:
    variant = variants.load(VARIANT)
    power = guided_game.guided_game().power
    return {
        "title": display_names.season_name(variant, phase),
        "phase_kind": display_names.phase_kind(phase),
        "power": display_names.power_name(variant, power),
        "colour": variant.colours[power],
        "strings": script_texts(),
    }


def _looked(request: HttpRequest, story: GuidedGameHistory, sheets: list[str]) -> dict[str, Any]:
    """The last phase ordered in, what the guide says of it, and those that went by after it."""
    latest = story.latest()
    main = latest[0].played
    power = guided_game.guided_game().power
    return {
        **_frame(main.question["phase"]),
        "comments": [
            lesson_context.lesson_text_in_language(text) for text in guided_game.guide_comments(main)
        ],
        "drawing": phase_maps.results_map(main.question, main.answer)
        .in_readers_shape()
        .inline_svg(_nonce(request)),
        "results": result_rows.results_by_power(variants.load(VARIANT), main.answer, (power,)),
        "later": [_later(scene) for scene in latest[1:]],
        "over": story.open_question is None,
        "centres": len(story.scenes[-1].played.centres(power)),
        "next_phase": display_names.phase_name(variants.load(VARIANT), story.open_question["phase"])
        if story.open_question
        else "",
        "onward": lesson_requests.lesson_url_with_orders(request.path, [], played=sheets),
        "again": lesson_requests.lesson_url_with_orders(
            request.path, sheets[-1].splitlines(), played=sheets[:-1]
        )
        if sheets
        else "",
    }


def _later(scene: GuidedScene) -> dict[str, Any]:
    played, variant = scene.played, variants.load(VARIANT)
    return {
        "title": display_names.phase_name(variant, played.question["phase"]),
        "results": result_rows.results_by_power(variant, played.answer),
    }


def _nonce(request: HttpRequest) -> str:
    return str(getattr(request, "style_nonce", ""))


@require_POST
def guided_game_draft(request: HttpRequest) -> HttpResponse:
    """A change to the orders in preparation; the phases before come along in the address."""
    power = guided_game.guided_game().power
    try:
        sheets = _played(request)
        question = guided_game.play_guided_game([sheet.splitlines() for sheet in sheets]).open_question
        if question is None:
            raise RequestRefusal(_("This half-hour is over."), 409)
        orders = lesson_requests.draft_from_json(request, question, power)
        preparation = OrderPreparation(question, orders, power)
        drawn = phase_maps.draft_map(question, preparation.readings)
    except order_requests.REFUSALS as refused:
        return order_requests.refusal_json(refused)
    address = lesson_requests.lesson_url_with_orders(
        reverse("library:half_hour"), list(orders[power]), played=sheets
    )
    return JsonResponse({**board_context.changed_orders_context(preparation, drawn), "address": address})
