"""Addresses of the desk: `bureau/` in French."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import (
    arrival_views,
    board_count_views,
    board_views,
    deletion_views,
    event_views,
    log_views,
    online_views,
    overview_views,
    people_views,
    playing_round_views,
    seeding_views,
    team_views,
)

urlpatterns = [
    path("", overview_views.overview_page, name="desk"),
    path(_("people/"), people_views.desk_people_page, name="desk_people"),
    path(_("people/<int:person>/"), people_views.desk_person_page, name="desk_person"),
    path(_("teams/"), team_views.teams_page, name="desk_teams"),
    path(_("round/<int:number>/"), arrival_views.arrivals_page, name="desk_round"),
    path(_("round/<int:number>/headcount/"), board_count_views.board_counts_page, name="desk_numbers"),
    path(_("round/<int:number>/draw/"), seeding_views.draw_page, name="desk_draw"),
    path(_("round/<int:number>/boards/"), playing_round_views.boards_page, name="desk_boards"),
    path(_("round/<int:number>/boards/<int:board>/"), board_views.desk_board_page, name="desk_board"),
    path(_("rulings/"), playing_round_views.rulings_page, name="desk_notebook"),
    path(_("scores/"), event_views.scores_page, name="desk_scores"),
    path(_("log/"), log_views.journal_page, name="desk_log"),
    path(_("log/<int:entry>/"), log_views.journal_entry_page, name="desk_entry"),
    path(_("settings/"), event_views.settings_page, name="desk_settings"),
    path(_("staff/"), event_views.staff_page, name="desk_staff"),
    path(_("online/"), online_views.online_page, name="desk_online"),
    path(_("forget/"), deletion_views.forget_private_data_page, name="desk_forget"),
    path(_("delete/"), deletion_views.delete_tournament_page, name="desk_delete"),
]
