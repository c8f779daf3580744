"""Addresses of tables: lists, new games, the doors, and what happens at a table."""

from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from . import creating, joining, lists, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("", lists.everything, name="all"),
    path(_("new/"), creating.new, name="new"),
    path("invitation/<str:token>/", joining.by_link, name="join"),
    path("<str:key>/table/", views.table, name="table"),
    path(_("<str:key>/table/join/"), joining.listed, name="enter"),
    path(_("<str:key>/table/log/"), views.log, name="table_log"),
    path("<str:key>/table/wishes/", views.wishes, name="table_wishes"),
    path("<str:key>/table/leave/", views.leave, name="table_leave"),
    path("<str:key>/table/give-up/", views.give_up, name="table_give_up"),
    path("<str:key>/table/remove/", views.remove, name="table_remove"),
    path("<str:key>/table/begin/", views.begin, name="table_begin"),
    path("<str:key>/table/invite/", views.invite, name="table_invite"),
    path("<str:key>/table/invite/withdraw/", views.withdraw_invitation, name="table_withdraw_invitation"),
    path("<str:key>/table/absence/", views.announce, name="table_announce"),
    path("<str:key>/table/absence/withdraw/", views.withdraw_absence, name="table_withdraw_absence"),
    path("<str:key>/table/pause/", views.ask_pause, name="table_ask_pause"),
    path("<str:key>/table/go-on/", views.go_on, name="table_go_on"),
    path("<str:key>/table/abandon/", views.abandon, name="table_abandon"),
]
