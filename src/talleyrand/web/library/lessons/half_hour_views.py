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
from talleyrand.web.boards import drafts, picture, results, wording
from talleyrand.web.boards.drafts import Unfit
from talleyrand.web.boards.incoming import Refused, unfit
from talleyrand.web.boards.preparation import Preparation
from talleyrand.web.boards.referee import Question, Unanswered
from talleyrand.web.boards.scripting import script_words

from . import asked, half_hour, pages
from .course import VARIANT
from .half_hour import Scene, Story

MOST_PHASES = 12


@never_cache
@require_safe
def half_hour_page(request: HttpRequest) -> HttpResponse:
    """The address holds the sheets played and the one in preparation; with `look`, the last one judged."""
    try:
        sheets = _played(request)
        story = half_hour.play([sheet.splitlines() for sheet in sheets])
        if story.open is None or ("look" in request.GET and story.scenes):
            return render(request, "library/lessons/half_hour_judged.html", _looked(request, story, sheets))
        return _ordering(request, story.open, sheets)
    except (Refused, Unanswered) as refused:
        messages.error(request, refused.sentence)
        return redirect("library:half_hour")


def _played(request: HttpRequest) -> list[str]:
    """The sheets played so far; raises Refused."""
    sheets = request.GET.getlist("played")[:MOST_PHASES]
    try:
        for sheet in sheets:
            drafts.check_text(sheet)
    except Unfit as problem:
        raise Refused(unfit(problem)) from None
    return sheets


def _ordering(request: HttpRequest, question: Question, sheets: list[str]) -> HttpResponse:
    power = half_hour.half_hour().power
    try:
        lines = asked.lines(request.GET, question, power)
    except Refused as refused:
        messages.error(request, refused.sentence)
        context = _prepared(request, question, sheets, [])
        context["sheet"] = request.GET.get("sheet", "")[: asked.LARGEST_SHEET]
        return render(request, "library/lessons/half_hour.html", context, status=400)
    if "judge" in request.GET:
        played = [*sheets, "\n".join(lines)]
        return redirect(asked.address(request.path, [], played=played, look="1"))
    if asked.by_menus(request.GET):
        return redirect(asked.address(request.path, lines, played=sheets))
    return render(request, "library/lessons/half_hour.html", _prepared(request, question, sheets, lines))


def _prepared(
    request: HttpRequest, question: Question, sheets: list[str], lines: list[str]
) -> dict[str, Any]:
    power = half_hour.half_hour().power
    preparation = Preparation(question, {power: lines}, power)
    prepared = preparation.page()
    draft_url = asked.address(reverse("library:half_hour_draft"), [], played=sheets)
    return {
        **_frame(question["phase"]),
        **prepared,
        "brief": pages.said(half_hour.half_hour().turn(question["phase"]).brief),
        "first": not sheets,
        "lines": {power: lines},
        "start": script_words()[prepared["start_with"]],
        "drawing": picture.prepared(question, preparation.readings).inline(_nonce(request)),
        "draft_url": draft_url,
        "action": request.path,
        "base": prepared["sheet"],
        "played": sheets,
    }


def _frame(phase: str) -> dict[str, Any]:
    variant = variants.load(VARIANT)
    power = half_hour.half_hour().power
    return {
        "title": wording.season(variant, phase),
        "phase_kind": wording.phase_kind(phase),
        "power": wording.power(variant, power),
        "colour": variant.colours[power],
        "strings": script_words(),
    }


def _looked(request: HttpRequest, story: Story, sheets: list[str]) -> dict[str, Any]:
    """The last phase ordered in, what the guide says of it, and those that went by after it."""
    latest = story.latest()
    main = latest[0].played
    power = half_hour.half_hour().power
    own, others = pages.outcomes(main, power)
    return {
        **_frame(main.question["phase"]),
        "comments": [pages.said(text) for text in half_hour.comments(main)],
        "drawing": picture.played(main.question, main.answer).inline(_nonce(request)),
        "own": own,
        "others": others,
        "later": [_later(scene) for scene in latest[1:]],
        "over": story.open is None,
        "centres": len(story.scenes[-1].played.centres(power)),
        "next_phase": wording.phase(variants.load(VARIANT), story.open["phase"]) if story.open else "",
        "onward": asked.address(request.path, [], played=sheets),
        "again": asked.address(request.path, sheets[-1].splitlines(), played=sheets[:-1]) if sheets else "",
    }


def _later(scene: Scene) -> dict[str, Any]:
    played, variant = scene.played, variants.load(VARIANT)
    return {
        "title": wording.phase(variant, played.question["phase"]),
        "results": results.by_power(variant, played.answer),
    }


def _nonce(request: HttpRequest) -> str:
    return str(getattr(request, "style_nonce", ""))


@require_POST
def half_hour_draft(request: HttpRequest) -> HttpResponse:
    """A change to the orders in preparation; the phases before come along in the address."""
    power = half_hour.half_hour().power
    try:
        sheets = _played(request)
        question = half_hour.play([sheet.splitlines() for sheet in sheets]).open
        if question is None:
            raise Refused(_("This half-hour is over."), 409)
        orders = asked.redrafted(request, question, power)
        preparation = Preparation(question, orders, power)
        drawn = picture.prepared(question, preparation.readings)
    except Refused as refusal:
        return JsonResponse({"message": refusal.sentence}, status=refusal.status)
    except Unanswered as unanswered:
        return JsonResponse({"message": unanswered.sentence}, status=400)
    address = asked.address(reverse("library:half_hour"), list(orders[power]), played=sheets)
    return JsonResponse(pages.state(preparation, drawn, address))
