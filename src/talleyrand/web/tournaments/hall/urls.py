"""Addresses that everybody may open, and those of players."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import (
    ballot_pages,
    door_pages,
    mine_pages,
    public_pages,
    ranking_pages,
    result_pages,
    round_pages,
    signing_pages,
    team_pages,
    vote_pages,
    year_pages,
)

urlpatterns = [
    path("", public_pages.welcome, name="welcome"),
    path("calendar.ics", public_pages.calendar, name="calendar"),
    path(_("players/"), public_pages.people, name="people"),
    path(_("players/<int:person>/"), public_pages.person, name="person"),
    path(_("rounds/"), round_pages.rounds, name="rounds"),
    path(_("rounds/<int:number>/"), round_pages.round_, name="round"),
    path(_("rounds/<int:number>/<int:board>/"), round_pages.board, name="board"),
    path(_("rounds/<int:number>/<int:board>/result/"), result_pages.enter, name="enter_result"),
    path(_("rounds/<int:number>/<int:board>/confirm/"), result_pages.confirm, name="confirm_result"),
    path(_("rounds/<int:number>/<int:board>/withdraw/"), result_pages.withdraw, name="withdraw_result"),
    path(_("rounds/<int:number>/<int:board>/take/"), result_pages.take, name="take_result"),
    path(_("rounds/<int:number>/<int:board>/years/"), year_pages.count, name="count_years"),
    path(_("rounds/<int:number>/<int:board>/farthest/"), result_pages.farthest, name="tell_farthest"),
    path(_("rounds/<int:number>/<int:board>/end/"), vote_pages.ask, name="ask_end"),
    path(_("rounds/<int:number>/<int:board>/end/<int:vote>/"), vote_pages.answer, name="answer_end"),
    path(_("rounds/<int:number>/<int:board>/prizes/"), ballot_pages.cast, name="cast_ballot"),
    path(_("standings/"), ranking_pages.standings, name="standings"),
    path(_("prizes/"), ranking_pages.prizes, name="prizes"),
    path(_("sign-up/"), signing_pages.sign_up, name="sign_up"),
    path(_("enter/<str:held>/"), door_pages.enter, name="enter"),
    path(_("join/"), door_pages.join, name="join"),
    path(_("me/"), mine_pages.mine, name="mine"),
    path(_("me/arrival/"), mine_pages.arrive, name="arrive"),
    path(_("me/rounds/"), mine_pages.choose_rounds, name="choose_rounds"),
    path(_("me/facts/"), mine_pages.facts, name="facts"),
    path(_("me/wishes/"), mine_pages.wish, name="wish"),
    path(_("me/ride/"), mine_pages.ride, name="ride"),
    path(_("me/team/"), team_pages.team, name="team"),
    path(_("me/team/answer/"), team_pages.answer_team, name="answer_team"),
    path(_("me/leave/"), door_pages.leave, name="leave"),
]
