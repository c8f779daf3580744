"""Addresses that everybody may open, and those of players."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import (
    check_in_views,
    end_vote_views,
    own_page_views,
    own_team_views,
    photo_views,
    prize_ballot_views,
    public_views,
    result_views,
    round_views,
    sign_up_views,
    standings_views,
    table_views,
    year_views,
)

urlpatterns = [
    path("", public_views.welcome_page, name="welcome"),
    path("calendar.ics", public_views.rounds_calendar, name="calendar"),
    path(_("players/"), public_views.public_people_page, name="people"),
    path(_("players/<int:person>/"), public_views.public_person_page, name="person"),
    path(_("rounds/"), round_views.rounds_page, name="rounds"),
    path(_("rounds/<int:number>/"), round_views.round_page, name="round"),
    path(_("rounds/<int:number>/<int:board>/"), round_views.public_board_page, name="board"),
    path(_("rounds/<int:number>/<int:board>/result/"), result_views.enter_result, name="enter_result"),
    path(_("rounds/<int:number>/<int:board>/confirm/"), result_views.confirm_result, name="confirm_result"),
    path(
        _("rounds/<int:number>/<int:board>/withdraw/"), result_views.withdraw_result, name="withdraw_result"
    ),
    path(_("rounds/<int:number>/<int:board>/take/"), result_views.take_result_from_game, name="take_result"),
    path(_("rounds/<int:number>/<int:board>/table/"), table_views.sit_down, name="sit_down"),
    path(_("rounds/<int:number>/<int:board>/years/"), year_views.count_year, name="count_years"),
    path(_("rounds/<int:number>/<int:board>/photos/"), photo_views.send_photos, name="send_photo"),
    path("photo/<str:photo>.jpg", photo_views.photo_image, name="photo"),
    path("photo/<str:photo>/", photo_views.change_photo, name="change_photo"),
    path(
        _("rounds/<int:number>/<int:board>/farthest/"),
        result_views.tell_farthest_province,
        name="tell_farthest",
    ),
    path(_("rounds/<int:number>/<int:board>/end/"), end_vote_views.ask_end_vote, name="ask_end"),
    path(
        _("rounds/<int:number>/<int:board>/end/<int:vote>/"),
        end_vote_views.answer_end_vote,
        name="answer_end",
    ),
    path(
        _("rounds/<int:number>/<int:board>/prizes/"), prize_ballot_views.cast_prize_ballot, name="cast_ballot"
    ),
    path(_("standings/"), standings_views.standings_page, name="standings"),
    path(_("prizes/"), standings_views.prizes_page, name="prizes"),
    path(_("sign-up/"), sign_up_views.sign_up_page, name="sign_up"),
    path(_("enter/<str:held>/"), check_in_views.enter_by_link, name="enter"),
    path(_("join/"), check_in_views.join_with_room_code, name="join"),
    path(_("me/"), own_page_views.own_page, name="mine"),
    path(_("me/arrival/"), own_page_views.check_in, name="arrive"),
    path(_("me/rounds/"), own_page_views.choose_rounds, name="choose_rounds"),
    path(_("me/facts/"), own_page_views.change_facts, name="facts"),
    path(_("me/preferences/"), own_page_views.set_power_preferences, name="wish"),
    path(_("me/ride/"), own_page_views.change_car_sharing, name="ride"),
    path(_("me/team/"), own_team_views.choose_team, name="team"),
    path(_("me/team/answer/"), own_team_views.answer_team_request, name="answer_team"),
    path(_("me/leave/"), check_in_views.leave_device, name="leave"),
]
