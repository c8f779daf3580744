"""Addresses of the tables: under `/tables/`, in English `/en/tables/`."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "tables"
urlpatterns = [
    path(_("tables/"), views.new_table, name="new"),
    path(_("tables/join/"), views.door, name="door_code"),
    path(_("tables/join/<str:code>/"), views.door, name="door"),
    path(_("tables/<str:key>/"), views.table_page, name="table"),
    path(_("tables/<str:key>/start/"), views.start, name="start"),
    path(_("tables/<str:key>/seats/<int:number>/move/"), views.move_seat, name="move"),
    path(_("tables/<str:key>/seats/<int:number>/<str:token>/"), views.seat_door, name="seat"),
]
