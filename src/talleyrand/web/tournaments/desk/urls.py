"""Addresses of the desk: `bureau/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import (
    board_pages,
    drawing_pages,
    event_pages,
    leaving_pages,
    log_pages,
    now_pages,
    number_pages,
    people_pages,
    playing_pages,
    round_pages,
    team_pages,
)

urlpatterns = [
    path("", now_pages.desk, name="desk"),
    path(_("people/"), people_pages.people, name="desk_people"),
    path(_("people/<int:person>/"), people_pages.person, name="desk_person"),
    path(_("teams/"), team_pages.teams, name="desk_teams"),
    path(_("round/<int:number>/"), round_pages.arrivals, name="desk_round"),
    path(_("round/<int:number>/numbers/"), number_pages.numbers, name="desk_numbers"),
    path(_("round/<int:number>/draw/"), drawing_pages.draw, name="desk_draw"),
    path(_("round/<int:number>/boards/"), playing_pages.boards, name="desk_boards"),
    path(_("round/<int:number>/boards/<int:board>/"), board_pages.board, name="desk_board"),
    path(_("notebook/"), playing_pages.notebook, name="desk_notebook"),
    path(_("scores/"), event_pages.scores, name="desk_scores"),
    path(_("log/"), log_pages.log, name="desk_log"),
    path(_("log/<int:entry>/"), log_pages.entry, name="desk_entry"),
    path(_("settings/"), event_pages.settings, name="desk_settings"),
    path(_("staff/"), event_pages.staff, name="desk_staff"),
    path(_("forget/"), leaving_pages.forget, name="desk_forget"),
    path(_("delete/"), leaving_pages.delete, name="desk_delete"),
]
