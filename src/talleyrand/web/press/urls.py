from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import exports, held, views

app_name = "press"
letters = [
    path("", views.rooms, name="rooms"),
    path("letters.txt", exports.letters, name="export"),
    path("unread.json", views.unread, name="unread"),
    path(_("new/"), views.new, name="new"),
    path(_("held/"), held.waiting, name="held"),
    path(_("held/all/"), held.pass_all, name="pass_all"),
    path(_("held/<str:letter>/pass/"), held.pass_on, name="pass_on"),
    path(_("held/<str:letter>/return/"), held.give_back, name="give_back"),
    path("<str:room>/", views.room, name="room"),
    path(_("<str:room>/print/"), views.printed, name="print"),
    path("<str:room>/letters.txt", exports.room, name="export_room"),
]
urlpatterns = [path(_("games/<str:key>/letters/"), include(letters))]
