"""Two forms that correct the last published phase: other results, or another position to go on from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand import variants
from talleyrand.engine.position import Phase
from talleyrand.web.boards import display_names, phase_maps, result_rows
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.boards.script_texts import script_texts
from talleyrand.web.games import page_context
from talleyrand.web.games.models import Json, PhaseRevision
from talleyrand.web.games.viewer_permissions import GameViewer

from . import action_effects, game_master_texts, phase_corrections, position_changes, result_overrides
from .action_base import ExpectedRevision, GameMasterRefusal, last_published_revision
from .game_master_access import action_refusal_text, actor_of, for_game_master
from .phase_views import expected_revision
from .position_changes import PositionTextRefusal
from .result_overrides import ResultOverride

LONGEST_REASON = 1000


@dataclass
class CorrectionForm:
    """What a correction says so far: filled in from the last revision, then by the game master."""

    viewer: GameViewer
    last: PhaseRevision
    old_position: Json
    text: str
    reason: str = ""
    chosen_results: dict[int, str] = field(default_factory=dict)
    shown_digest: str = ""

    @classmethod
    def start(cls, sight: GameViewer) -> CorrectionForm:
        """Raises GameMasterRefusal where nothing has begun."""
        last = last_published_revision(sight.game)
        if last is None:
            raise GameMasterRefusal("not_begun")
        before = position_changes.position_after(sight.game, last)
        return cls(sight, last, before, position_changes.position_as_text(sight.game, before))

    def read_post(self, sent: QueryDict) -> None:
        """Take what was typed and chosen."""
        self.text = sent.get("text", self.text)[: 2 * position_changes.LARGEST_POSITION_TEXT]
        self.reason = sent.get("reason", "").replace("\x00", "")[:LONGEST_REASON]
        self.shown_digest = sent.get("seen", "")
        for name, value in sent.items():
            at = name.removeprefix("result-")
            if at != name and at.isdecimal() and len(at) < 5 and value:
                self.chosen_results[int(at)] = str(value)[:80]

    @property
    def allowed_results(self) -> list[tuple[str, ...]]:
        return result_overrides.allowed_results(self.last.phase[-1:])

    @property
    def overrides(self) -> list[ResultOverride]:
        """What was chosen; raises GameMasterRefusal (`moved`) for what no page of ours offers."""
        entries = (self.last.answer or {}).get("orders", ())
        changes = [
            ResultOverride(at, tuple(value.split("+"))) for at, value in sorted(self.chosen_results.items())
        ]
        if any(one.entry_index >= len(entries) or one.results not in self.allowed_results for one in changes):
            raise GameMasterRefusal("moved")
        return changes

    @property
    def new_position(self) -> Json:
        """The position that was written; raises PositionTextRefusal."""
        return position_changes.position_from_text(self.viewer.game, self.text, self.old_position)

    @property
    def digest(self) -> str:
        """A number of what would be saved: it is saved once it has been shown."""
        told = [self.last.pk, [(one.entry_index, one.results) for one in self.overrides], self.new_position]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


SaveCorrection = Callable[[CorrectionForm, ExpectedRevision], Any]


@dataclass(frozen=True)
class CorrectionPage:
    """A page with such a form: `around` is the context of its frame, `home` where it leads back to, `said`
    what is said once `save` has saved. `tells_misfits`: its reader may know whose orders no longer fit.
    """

    template: str
    save: SaveCorrection
    said: str
    home: str
    around: Mapping[str, Any]
    tells_misfits: bool = True


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def override_results_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Other results for the last published phase, and the position that follows from them."""

    def save(form: CorrectionForm, on: ExpectedRevision) -> None:
        phase_corrections.override_results(
            sight.game,
            on,
            form.overrides,
            form.new_position,
            form.reason,
            hand=actor_of(sight),
            now=timezone.now(),
        )

    said = _("Correction published; everyone has been notified.")
    return correction_response(request, sight, _page(sight, "correct", save, said))


@require_http_methods(["GET", "HEAD", "POST"])
@for_game_master
def edit_position_page(request: HttpRequest, sight: GameViewer) -> HttpResponse:
    """Another position for the open phase to begin from."""

    def save(form: CorrectionForm, on: ExpectedRevision) -> None:
        phase_corrections.edit_position(
            sight.game, on, form.new_position, form.reason, hand=actor_of(sight), now=timezone.now()
        )

    said = _("The game continues from this position; everyone has been notified.")
    return correction_response(request, sight, _page(sight, "position", save, said))


def _page(sight: GameViewer, name: str, save: SaveCorrection, said: str) -> CorrectionPage:
    around = page_context.game_page_context(sight, "desk")
    home = reverse("games:desk", args=[sight.game.key])
    return CorrectionPage(f"games/game_master/{name}.html", save, said, home, around)


def correction_response(request: HttpRequest, sight: GameViewer, page: CorrectionPage) -> HttpResponse:
    """The form, what it would change, or that it was saved."""
    try:
        form = CorrectionForm.start(sight)
        if form.last.answer is None and "correct" in page.template:
            raise GameMasterRefusal("unpublished")
    except GameMasterRefusal as refused:
        messages.warning(request, game_master_texts.game_master_refusal_text(refused.code))
        return redirect(page.home)
    if request.method != "POST":
        return _correction_page(request, form, page)
    form.read_post(request.POST)
    try:
        return _correction_response(request, form, page)
    except PositionTextRefusal as unreadable:
        return _correction_page(request, form, page, 400, refused=unreadable.sentence)
    except (GameMasterRefusal, QuestionRefusal) as refused:
        status = 409 if isinstance(refused, GameMasterRefusal) and refused.code == "moved" else 400
        return _correction_page(request, form, page, status, refused=action_refusal_text(refused))


def _correction_response(request: HttpRequest, form: CorrectionForm, page: CorrectionPage) -> HttpResponse:
    on = expected_revision(request)
    if on != ExpectedRevision.from_revision(form.last):
        raise GameMasterRefusal("moved")
    if request.POST.get("action") != "save":
        return _correction_page(request, form, page, shown=_what_changes(form, page))
    if form.shown_digest != form.digest:
        unseen = game_master_texts.game_master_refusal_text("unseen")
        return _correction_page(request, form, page, 400, refused=unseen, shown=_what_changes(form, page))
    page.save(form, on)
    messages.success(request, page.said)
    return redirect(page.home)


def _what_changes(form: CorrectionForm, page: CorrectionPage) -> dict[str, Any]:
    """Before and after, of results and of the position; raises PositionTextRefusal and GameMasterRefusal."""
    game, after = form.viewer.game, form.new_position
    entries = (form.last.answer or {}).get("orders", ())
    changed = [one for one in form.overrides if tuple(entries[one.entry_index]["results"]) != one.results]
    return {
        "seen": form.digest,
        "places": position_changes.position_change_rows(game, form.old_position, after),
        "results": [_changed(form, entries[one.entry_index], one) for one in changed],
        "consequences": list(
            action_effects.consequence_effects(game, form.last, after, tells_misfits=page.tells_misfits)
        ),
    }


def _changed(form: CorrectionForm, entry: Json, change: ResultOverride) -> dict[str, Any]:
    variant = variants.load(form.viewer.game.variant)
    return {
        **result_rows.result_entry(variant, entry),
        "power": display_names.power_name(variant, entry["power"]),
        "after": [result_rows.result_label(code, variant) for code in change.results],
    }


def _correction_page(
    request: HttpRequest, form: CorrectionForm, page: CorrectionPage, status: int = 200, **more: Any
) -> HttpResponse:
    game = form.viewer.game
    variant = variants.load(game.variant)
    phase = Phase.parse(form.old_position["phase"])
    context = {
        **page.around,
        "form": form,
        "drawing": phase_maps.svg_for_page(
            position_changes.drawn_position_text(game, form.text), getattr(request, "style_nonce", "")
        ),
        "entries": _entries(form),
        "last_title": display_names.phase_name(variant, form.last.phase) if form.last.phase else "",
        "open_title": display_names.phase_name(variant, form.old_position["phase"]),
        "choosing": [(code, display_names.power_name(variant, code)) for code in variant.board.powers],
        "kinds": [
            (letter, one.name) for letter, one in variant.names(display_names.reader_language()).units.items()
        ],
        "seasons": position_changes.phases_of_year(variant),
        "phase": phase,
        "strings": script_texts(),
        **more,
    }
    return render(request, page.template, context, status=status)


def _entries(form: CorrectionForm) -> list[dict[str, Any]]:
    """The orders of the phase with the results that may be said of each, power by power."""
    variant = variants.load(form.viewer.game.variant)
    found: dict[str, list[dict[str, Any]]] = {}
    for at, entry in enumerate((form.last.answer or {}).get("orders", ())):
        if not entry.get("results") or not entry.get("unit"):
            continue  # a line that the judge did not follow: its unit has an entry of its own; or no unit's
        told = {**result_rows.result_entry(variant, entry), "at": at, "choices": _choices(form, at, entry)}
        found.setdefault(entry["power"], []).append(told)
    return [
        {
            "name": display_names.power_name(variant, code),
            "colour": display_names.power_colour(variant, code),
            "entries": several,
        }
        for code, several in found.items()
    ]


def _choices(form: CorrectionForm, at: int, entry: Json) -> list[tuple[str, str, bool]]:
    now, variant = tuple(entry.get("results") or ()), variants.load(form.viewer.game.variant)
    chosen = form.chosen_results.get(at, "+".join(now))
    offered = dict.fromkeys((now, *form.allowed_results))
    return [
        (
            "+".join(one),
            ", ".join(display_names.result_name(code, variant) for code in one),
            "+".join(one) == chosen,
        )
        for one in offered
    ]
