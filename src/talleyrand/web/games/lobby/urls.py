"""Addresses of tables: lists, new games, the doors, and what happens at a table."""

from django.urls import URLPattern, URLResolver, include, path
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from . import (
    create_game_views,
    game_list_views,
    group_views,
    handover_views,
    join_views,
    queue_views,
    result_feeds,
    views,
)

game_info = [
    path("", views.game_info_page, name="table"),
    path(pgettext_lazy("a game", "join/"), join_views.join_listed_game_page, name="enter"),
    path(_("log/"), views.game_log_page, name="table_log"),
    path("preferences/", views.set_preferences_view, name="table_wishes"),
    path("leave/", views.leave_view, name="table_leave"),
    path("resign/", views.resign_view, name="table_give_up"),
    path("remove/", views.remove_member_view, name="table_remove"),
    path("start/", views.start_view, name="table_begin"),
    path(_("desk/"), handover_views.desk_handover_page, name="table_desk"),
    path("house-rules/", views.change_house_rules_view, name="table_house_rules"),
    path("invite/", views.invite_view, name="table_invite"),
    path("invite/withdraw/", views.revoke_invitation_view, name="table_withdraw_invitation"),
    path("absence/", views.announce_absence_view, name="table_announce"),
    path("absence/withdraw/", views.withdraw_absence_view, name="table_withdraw_absence"),
    path("pause/", views.ask_pause_view, name="table_ask_pause"),
    path("resume/", views.end_pause_view, name="table_go_on"),
    path(_("results.atom"), result_feeds.PhasesFeed(), name="phases_feed"),
    path("rematch/", queue_views.rematch_view, name="table_rematch"),
    path("abandon/", views.abandon_view, name="table_abandon"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("", game_list_views.game_list_page, name="all"),
    path(_("new/"), create_game_views.create_game_page, name="new"),
    path(_("groups/"), group_views.groups_page, name="groups"),
    path(_("groups/join/<str:token>/"), group_views.group_door_page, name="group_door"),
    path(_("groups/<str:key>/"), group_views.group_page, name="group"),
    path(_("results.atom"), result_feeds.EndedGamesFeed(), name="ended_feed"),
    path("searches/", queue_views.search_view, name="searches"),
    path("queues/<slug:kind>/", queue_views.queue_view, name="queue"),
    path("invitation/<str:token>/", join_views.join_by_link_page, name="join"),
    path(_("<str:key>/info/"), include(game_info)),
]
