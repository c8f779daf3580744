"""Addresses of the tables: under `/tables/`, in English `/en/tables/`."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import claim_views, class_views, clock_views, one_device_views, phone_views, views, waiting_views
from .referee import archive_views
from .room_screen import urls as room_screen

app_name = "tables"
urlpatterns = [
    path(_("tables/"), views.new_table, name="new"),
    path(_("tables/restore/"), archive_views.restore_page, name="restore"),
    path(_("tables/join/"), views.door, name="door_code"),
    path(_("tables/join/<str:code>/"), views.door, name="door"),
    path(_("tables/class/"), class_views.new_class, name="new_class"),
    path(_("tables/class/join/"), class_views.class_door, name="class_door_code"),
    path(_("tables/class/join/<str:code>/"), class_views.class_door, name="class_door"),
    path(_("tables/class/lesson-plan/"), class_views.lesson_plan, name="class_lesson_plan"),
    path(_("tables/class/<str:class_key>/"), class_views.class_page, name="class"),
    path(_("tables/class/<str:class_key>/act/"), class_views.class_act, name="class_act"),
    path(_("tables/class/<str:class_key>/pupil/"), class_views.class_pupil, name="class_pupil"),
    path(_("tables/class/<str:class_key>/cards/"), class_views.class_cards, name="class_cards"),
    path(_("tables/class/<str:class_key>/erase/"), class_views.erase_class, name="class_erase"),
    path(
        _("tables/class/<str:class_key>/teacher/<str:token>/"),
        class_views.class_teacher,
        name="class_teacher",
    ),
    *room_screen.urlpatterns,
    path(_("tables/one-device/"), one_device_views.new_one_device, name="new_one_device"),
    path(_("tables/<str:key>/hand/"), one_device_views.hand, name="hand"),
    path(_("tables/<str:key>/"), views.table_page, name="table"),
    path(_("tables/<str:key>/<int:number>/late/<str:power>/"), phone_views.late_orders_view, name="late"),
    path(_("tables/<str:key>/keep/"), claim_views.keep_seat, name="keep"),
    path(
        _("tables/<str:key>/seats/<int:number>/<str:token>/account/"),
        claim_views.play_from_afar,
        name="play_from_afar",
    ),
    path(_("tables/<str:key>/start/"), views.start, name="start"),
    path(_("tables/<str:key>/seat/"), waiting_views.seat_act, name="seat_act"),
    path(_("tables/<str:key>/cards/"), waiting_views.cards_page, name="cards"),
    path(_("tables/<str:key>/clock.json"), clock_views.clock_json, name="clock"),
    path(_("tables/<str:key>/clock/"), clock_views.clock_act, name="clock_act"),
    path(_("tables/<str:key>/clock/wish/"), clock_views.clock_wish, name="clock_wish"),
    path(_("tables/<str:key>/seats/<int:number>/move/"), views.move_seat, name="move"),
    path(_("tables/<str:key>/seats/<int:number>/<str:token>/"), views.seat_door, name="seat"),
    path(_("tables/<str:key>/"), include("talleyrand.web.tables.referee.urls")),
]
