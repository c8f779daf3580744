"""Diplomas: the first three, and every prize; on paper that people frame."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from talleyrand.messages.tournament_sentences import working_sentences
from talleyrand.tournament.exports.event_tables import localised_decimal
from talleyrand.tournament.model import Event
from talleyrand.tournament.prizes import Award
from talleyrand.tournament.standings import Standings
from talleyrand.web.boards import display_names
from talleyrand.web.tournaments import cached_awards
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import paper_texts
from .paper_pdf import paper_response
from .standings_papers import paper_name, with_standings

PRIVATE_PRIZE_KINDS = ("vote", "journey")  # kinds whose figures are nobody's business
LONG_NAME = 26  # letters of a name that still stand on a line in the largest type


@with_standings
def diplomas_pdf(
    request: HttpRequest, sight: TournamentViewer, event: Event, _held: Standings
) -> HttpResponse:
    """A page for each prize that somebody has, the ranking first."""
    if not sight.is_at_desk:
        raise Http404
    given = given_awards(sight)
    if not given:
        raise Http404
    context = {
        "event": event,
        "days": paper_texts.event_days_text(event),
        "place": event.announcement.place,
        "diplomas": [_diploma(event, award) for award in given],
    }
    return paper_response(request, "diplomas", context, paper_name(sight, _("diplomas")))


def given_awards(sight: TournamentViewer) -> list[Award]:
    """What somebody has won."""
    return [award for award in cached_awards.awards_of(sight.tournament) if award.holders]


def _diploma(event: Event, award: Award) -> dict[str, Any]:
    holders = [_winner_name(event, award, one) for one in award.holders]
    return {
        "title": award_title(award),
        "holders": holders,
        "members": _members(event, award),
        "small": max(map(len, holders)) > LONG_NAME or len(holders) > 2,
        "points": _points(award),
        "keeper": _keeper(event, award),
        "first": award.kind == "place" and award.key == "1",
    }


def award_title(award: Award) -> str:
    """What is won."""
    if award.kind != "place":
        return award.title.get(display_names.reader_language()) or award.key
    place = {"1": _("First place"), "2": _("Second place"), "3": _("Third place")}
    return place.get(award.key, award.key)


def _winner_name(event: Event, award: Award, number: int) -> str:
    held = event.teams[number].name if award.kind == "team" else paper_texts.name_of(event, number)
    return held or str(number)


def _members(event: Event, award: Award) -> list[str]:
    """Whoever is in the teams that have it."""
    if award.kind != "team":
        return []
    return [paper_texts.name_of(event, who) for one in award.holders for who in event.teams[one].members]


def _points(award: Award) -> str:
    if award.points is None or award.kind in PRIVATE_PRIZE_KINDS:
        return ""
    return _("%(points)s points") % {
        "points": localised_decimal(display_names.reader_language(), award.points)
    }


def _keeper(event: Event, award: Award) -> str:
    """Who takes it home where it is shared; a line to fill in where dates of birth do not settle it."""
    if len(award.holders) < 2:
        return ""
    settled = len(award.keepers) == 1
    name = _winner_name(event, award, award.keepers[0]) if settled else "…" * 18
    if award.kind == "place" and award.key == "1":
        return _("The cup is kept by the youngest: %(name)s") % {"name": name}
    return _("Kept by the youngest: %(name)s") % {"name": name}


def unsettled_awards(event: Event, given: list[Award]) -> list[str]:
    """Shared prizes of which nobody knows who is the youngest, as sentences."""
    names = {str(number): known.name for number, known in event.people.items()}
    return [
        f"{award_title(award)}. {working_sentences(line, names)[display_names.reader_language()]}"
        for award in given
        for line in award.lines
        if line.kind.endswith("youngest_open")
    ]
