from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from . import message_export, report_views, views

app_name = "press"
letters = [
    path("", views.conversation_list, name="rooms"),
    path("letters.txt", message_export.export_all, name="export"),
    path("unread.json", views.unread_json, name="unread"),
    path(_("open/"), views.open_letters_view, name="open_letters"),
    path(_("new/"), views.new_conversation, name="new"),
    path(_("held/"), views.held_list, name="held"),
    path(_("held/all/"), views.release_all_view, name="pass_all"),
    path(_("held/<str:letter>/forward/"), views.release_view, name="pass_on"),
    path(_("held/<str:letter>/return/"), views.return_view, name="give_back"),
    path(_("<str:letter>/report/"), report_views.report_message, name="report"),
    path("<str:room>/", views.conversation, name="room"),
    path(_("<str:room>/print/"), views.print_conversation, name="print"),
    path("<str:room>/letters.txt", message_export.export_conversation, name="export_room"),
]
urlpatterns = [path(_("games/<str:key>/messages/"), include(letters))]
