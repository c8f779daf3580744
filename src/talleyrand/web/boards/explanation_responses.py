"""Why: the chain of causes behind one order, as a page and for the map of a board."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from .explanations import Explanation


def explanation_response(request: HttpRequest, found: Explanation, title: str, back: str) -> HttpResponse:
    """A page with a picture a step; `back` is the address of its phase."""
    context: dict[str, Any] = {
        "chain": found,
        "links": list(zip(found.sentences, found.pictures(), strict=True)),
        "ground": found.shared_ground(getattr(request, "style_nonce", "")),
        "title": title,
        "back": back,
    }
    return render(request, "boards/why.html", context)


def explanation_steps_json(found: Explanation) -> HttpResponse:
    """The same for the script of the board."""
    listed = [
        {"sentence": sentence, "provinces": step.provinces, "layers": layers}
        for sentence, step, layers in zip(found.sentences, found.steps, found.layers(), strict=True)
    ]
    return JsonResponse({"order": found.order, "frame": found.excerpt_box, "steps": listed})
