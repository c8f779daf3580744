"""Addresses of tables: lists, new games, the doors, and what happens at a table."""

from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from . import (
    create_game_views,
    game_list_views,
    join_views,
    views,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("", game_list_views.game_list_page, name="all"),
    path(_("new/"), create_game_views.create_game_page, name="new"),
    path("invitation/<str:token>/", join_views.join_by_link_page, name="join"),
    path("<str:key>/table/", views.game_info_page, name="table"),
    path(_("<str:key>/table/join/"), join_views.join_listed_game_page, name="enter"),
    path(_("<str:key>/table/log/"), views.game_log_page, name="table_log"),
    path("<str:key>/table/wishes/", views.set_preferences_view, name="table_wishes"),
    path("<str:key>/table/leave/", views.leave_view, name="table_leave"),
    path("<str:key>/table/give-up/", views.resign_view, name="table_give_up"),
    path("<str:key>/table/remove/", views.remove_member_view, name="table_remove"),
    path("<str:key>/table/begin/", views.start_view, name="table_begin"),
    path("<str:key>/table/invite/", views.invite_view, name="table_invite"),
    path("<str:key>/table/invite/withdraw/", views.revoke_invitation_view, name="table_withdraw_invitation"),
    path("<str:key>/table/absence/", views.announce_absence_view, name="table_announce"),
    path("<str:key>/table/absence/withdraw/", views.withdraw_absence_view, name="table_withdraw_absence"),
    path("<str:key>/table/pause/", views.ask_pause_view, name="table_ask_pause"),
    path("<str:key>/table/go-on/", views.end_pause_view, name="table_go_on"),
    path("<str:key>/table/abandon/", views.abandon_view, name="table_abandon"),
]
