"""Two forms that correct the last published phase: other results, or another position to go on from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.boards import picture, results, wording
from talleyrand.web.boards.referee import Unanswered
from talleyrand.web.boards.scripting import script_words
from talleyrand.web.games import frame
from talleyrand.web.games.models import OVER, Json, Revision
from talleyrand.web.games.sight import Sight

from . import overriding, page, positions, revising, words
from .acts import Ground, NotDone, last_published
from .doors import for_master, hand, sentence
from .overriding import Change
from .phase_views import ground
from .positions import Unreadable

LONGEST_REASON = 1000


@dataclass
class Form:
    """What a correction says so far: filled in from the last revision, then by the game master."""

    sight: Sight
    last: Revision
    before: Json
    text: str
    reason: str = ""
    chosen: dict[int, str] = field(default_factory=dict)
    seen: str = ""

    @classmethod
    def fresh(cls, sight: Sight) -> Form:
        """Raises NotDone where nothing has begun."""
        last = last_published(sight.game)
        if last is None:
            raise NotDone("not_begun")
        before = positions.following(sight.game, last)
        return cls(sight, last, before, positions.written(sight.game, before))

    def fill(self, sent: QueryDict) -> None:
        """Take what was typed and chosen."""
        self.text = sent.get("text", self.text)[: 2 * positions.LARGEST]
        self.reason = sent.get("reason", "").replace("\x00", "")[:LONGEST_REASON]
        self.seen = sent.get("seen", "")
        for name, value in sent.items():
            at = name.removeprefix("result-")
            if at != name and at.isdecimal() and len(at) < 5 and value:
                self.chosen[int(at)] = str(value)[:80]

    @property
    def possible(self) -> list[tuple[str, ...]]:
        return overriding.possible(self.last.phase[-1:])

    @property
    def changes(self) -> list[Change]:
        """What was chosen; raises NotDone (`moved`) for what no page of ours offers."""
        entries = (self.last.answer or {}).get("orders", ())
        changes = [Change(at, tuple(value.split("+"))) for at, value in sorted(self.chosen.items())]
        if any(one.at >= len(entries) or one.results not in self.possible for one in changes):
            raise NotDone("moved")
        return changes

    @property
    def after(self) -> Json:
        """The position that was written; raises Unreadable."""
        return positions.read(self.sight.game, self.text, self.before)

    @property
    def digest(self) -> str:
        """A number of what would be saved: it is saved once it has been shown."""
        told = [self.last.pk, [(one.at, one.results) for one in self.changes], self.after]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


Save = Callable[[Form, Ground], Any]


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def override(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Other results for the last published phase, and the position that follows from them."""

    def save(form: Form, on: Ground) -> None:
        revising.override(
            sight.game, on, form.changes, form.after, form.reason, hand=hand(sight), now=timezone.now()
        )

    said = _("The corrected phase has been published; everybody has been told.")
    return _corrected(request, sight, "games/desk/correct.html", save, said)


@require_http_methods(["GET", "HEAD", "POST"])
@for_master
def edit(request: HttpRequest, sight: Sight) -> HttpResponse:
    """Another position for the open phase to begin from."""

    def save(form: Form, on: Ground) -> None:
        revising.edit(sight.game, on, form.after, form.reason, hand=hand(sight), now=timezone.now())

    said = _("The game goes on from this position; everybody has been told.")
    return _corrected(request, sight, "games/desk/position.html", save, said)


def _corrected(request: HttpRequest, sight: Sight, template: str, save: Save, said: str) -> HttpResponse:
    try:
        form = Form.fresh(sight)
        if form.last.answer is None and "correct" in template:
            raise NotDone("unpublished")
    except NotDone as refused:
        messages.warning(request, words.refusal(refused.code))
        return redirect("games:desk", sight.game.key)
    if request.method != "POST":
        return _shown(request, form, template)
    form.fill(request.POST)
    try:
        return _sent(request, form, template, save, said)
    except Unreadable as unreadable:
        return _shown(request, form, template, 400, refused=unreadable.sentence)
    except (NotDone, Unanswered) as refused:
        status = 409 if isinstance(refused, NotDone) and refused.code == "moved" else 400
        return _shown(request, form, template, status, refused=sentence(refused))


def _sent(request: HttpRequest, form: Form, template: str, save: Save, said: str) -> HttpResponse:
    on = ground(request)
    if on != Ground.of(form.last):
        raise NotDone("moved")
    if request.POST.get("action") != "save":
        return _shown(request, form, template, shown=_what_changes(form))
    if form.seen != form.digest:
        shown = _what_changes(form)
        return _shown(request, form, template, 400, refused=words.refusal("unseen"), shown=shown)
    save(form, on)
    messages.success(request, said)
    return redirect("games:desk", form.sight.game.key)


def _what_changes(form: Form) -> dict[str, Any]:
    """Before and after, of results and of the position; raises Unreadable and NotDone."""
    game, after = form.sight.game, form.after
    entries = (form.last.answer or {}).get("orders", ())
    changed = [one for one in form.changes if tuple(entries[one.at]["results"]) != one.results]
    misfits = revising.newly_misfit(game, form.last.number + 1, after)
    return {
        "seen": form.digest,
        "places": positions.differences(game, form.before, after),
        "results": [_changed(form, entries[one.at], one) for one in changed],
        "misfits": page.named(game, misfits),
        "phase": wording.phase(variants.load(game.variant), after["phase"]),
        "winners": page.named(game, positions.winners(game, form.last.phase, after)),
        "goes_on": game.state in OVER and not revising.ends(game, form.last, after),
    }


def _changed(form: Form, entry: Json, change: Change) -> dict[str, Any]:
    variant = variants.load(form.sight.game.variant)
    return {
        **results.entry_words(variant, entry),
        "power": wording.power(variant, entry["power"]),
        "after": [results.result_words(code, variant) for code in change.results],
    }


def _shown(request: HttpRequest, form: Form, template: str, status: int = 200, **more: Any) -> HttpResponse:
    game = form.sight.game
    variant = variants.load(game.variant)
    phase = Phase.parse(form.before["phase"])
    context = {
        **frame.page(form.sight, "desk"),
        "form": form,
        "drawing": picture.for_page(positions.drawn(game, form.text), getattr(request, "style_nonce", "")),
        "entries": _entries(form),
        "last_title": wording.phase(variant, form.last.phase) if form.last.phase else "",
        "open_title": wording.phase(variant, form.before["phase"]),
        "choosing": [(code, wording.power(variant, code)) for code in variant.board.powers],
        "kinds": [(letter, one.name) for letter, one in variant.names(wording.language()).units.items()],
        "seasons": positions.seasons(variant),
        "phase": phase,
        "strings": script_words(),
        **more,
    }
    return render(request, template, context, status=status)


def _entries(form: Form) -> list[dict[str, Any]]:
    """The orders of the phase with the results that may be said of each, power by power."""
    variant = variants.load(form.sight.game.variant)
    found: dict[str, list[dict[str, Any]]] = {}
    for at, entry in enumerate((form.last.answer or {}).get("orders", ())):
        if not entry.get("results") or not entry.get("unit"):
            continue  # a line that the judge did not follow: its unit has an entry of its own; or no unit's
        told = {**results.entry_words(variant, entry), "at": at, "choices": _choices(form, at, entry)}
        found.setdefault(entry["power"], []).append(told)
    return [
        {"name": wording.power(variant, code), "colour": wording.colour(variant, code), "entries": several}
        for code, several in found.items()
    ]


def _choices(form: Form, at: int, entry: Json) -> list[tuple[str, str, bool]]:
    now, variant = tuple(entry.get("results") or ()), variants.load(form.sight.game.variant)
    chosen = form.chosen.get(at, "+".join(now))
    offered = dict.fromkeys((now, *form.possible))
    return [
        ("+".join(one), ", ".join(wording.result(code, variant) for code in one), "+".join(one) == chosen)
        for one in offered
    ]
