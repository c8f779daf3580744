"""The referee corrects the last resolved phase, or says where the units stand, with a reason for all."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from talleyrand.web.games import page_context
from talleyrand.web.games.game_master import correction_views, phase_corrections
from talleyrand.web.games.game_master.action_base import ExpectedRevision
from talleyrand.web.games.game_master.correction_views import CorrectionForm, CorrectionPage
from talleyrand.web.games.viewer_permissions import GameViewer

from .referee_desk import RefereeDesk, for_referee


@require_http_methods(["GET", "HEAD", "POST"])
@for_referee
def correct_page(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:
    """Other results for the phase resolved last, and the position that follows."""

    def save(form: CorrectionForm, on: ExpectedRevision) -> None:
        phase_corrections.override_results(
            desk.game, on, form.overrides, form.new_position, form.reason, hand=desk.hand, now=desk.now
        )

    return _corrected(request, desk, "correct", save)


@require_http_methods(["GET", "HEAD", "POST"])
@for_referee
def position_page(request: HttpRequest, desk: RefereeDesk) -> HttpResponse:
    """Another position for the phase in progress: what was played on the board itself, typed here."""

    def save(form: CorrectionForm, on: ExpectedRevision) -> None:
        phase_corrections.edit_position(
            desk.game, on, form.new_position, form.reason, hand=desk.hand, now=desk.now
        )

    return _corrected(request, desk, "position", save)


def _corrected(
    request: HttpRequest, desk: RefereeDesk, name: str, save: correction_views.SaveCorrection
) -> HttpResponse:
    """The form reads nothing but what is published, and its reader may be a player."""
    around = {
        "table": desk.table,
        "game": desk.game,
        "player": desk.player,
        "topics": page_context.signed_game_topic(desk.game.key),
    }
    page = CorrectionPage(
        f"tables/referee/{name}.html",
        save,
        _("Corrected; everyone reads your reason."),
        reverse("tables:referee", args=[desk.game.key]),
        around,
        tells_misfits=False,
    )
    return correction_views.correction_response(request, GameViewer(desk.game, None), page)
