"""The boards of a round as tables with phones: opened in one press, and led from a device of the desk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from talleyrand.engine.errors import TalleyrandError
from talleyrand.tournament.acts.seating_acts import ChangeBoard
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import EventRound, RoundState
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games.lobby.lobby_refusals import LobbyRefusal
from talleyrand.web.tables.models import Table
from talleyrand.web.tournaments import board_tables
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import form_parsing
from .desk_texts import refusal_text
from .desk_views import DeskRequest, PageContext, render_desk_page

OPEN_ACTION, LEAD_ACTION = "tables_opened", "table_led"
OWN_CLOCKS = "own"
CONFLICT = 409


def tables_context(one: EventRound) -> dict[str, Any]:
    """For the page of boards: how many tables can be opened, and those that are open."""
    keys = {held.game: at for at, held in one.boards.items() if held.game}
    found = Table.objects.select_related("game").filter(game__key__in=keys)
    tables = sorted((keys[table.game.key], table) for table in found)
    may = one.state is RoundState.PLAYING
    return {
        "tables_to_open": sum(map(board_tables.may_open, one.boards.values())) if may else 0,
        "tables": [{"number": at, "code": table.screen_code, "key": table.game.key} for at, table in tables],
    }


def tables_response(
    request: HttpRequest, sight: TournamentViewer, number: int, shown: PageContext
) -> HttpResponse | None:
    """What a button of the card asks, done, or the page with the reason why not; None for another button."""
    if request.method != "POST":
        return None
    pressed = form_parsing.form_action_of(dict(request.POST.lists()))
    if pressed.name not in (OPEN_ACTION, LEAD_ACTION):
        return None
    try:
        if pressed.name == LEAD_ACTION:
            return _lead(request, sight, number, pressed.number("board"))
        if not sight.may_do(ChangeBoard):
            raise ActRefused("act_director_only")
        own = pressed.value("clock") == OWN_CLOCKS
        count = board_tables.open_round_tables(sight.tournament, number, sight.journal_actor, own_clocks=own)
    except (TalleyrandError, LobbyRefusal, QuestionRefusal) as refused:
        said = (
            refusal_text(refused, sight.event) if isinstance(refused, TalleyrandError) else refused.sentence
        )
        return render_desk_page(DeskRequest(request, sight, pressed, said), "boards.html", shown, CONFLICT)
    messages.success(request, _opened_text(count))
    return redirect(f"{request.path}#tables")


def _opened_text(count: int) -> str:
    if not count:
        return _("Nothing was changed.")
    said = ngettext(
        "%(count)s table is open: its players have their seats on their phones.",
        "%(count)s tables are open: their players have their seats on their phones.",
        count,
    )
    return said % {"count": count}


def _lead(request: HttpRequest, sight: TournamentViewer, number: int, at: int) -> HttpResponse:
    held = sight.event.rounds[number].boards.get(at)
    player = board_tables.lead_at_board(request, held) if held else None
    if player is None:
        raise ActRefused("act_no_board", number=str(at))
    return redirect("tables:referee", player.table.game.key)
