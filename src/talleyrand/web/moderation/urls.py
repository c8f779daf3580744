"""Addresses of the moderators' desk, and of one's own warnings."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "moderation"
urlpatterns = [
    path(_("account/warnings/"), views.own_measures, name="own"),
    path(_("moderation/"), views.desk, name="desk"),
    path(_("moderation/log/"), views.log_page, name="log"),
    path(_("moderation/moderators/"), views.change_moderators, name="moderators"),
    path(_("moderation/people/"), views.person_page, name="person"),
    path(_("moderation/accounts/"), views.shared_accounts, name="accounts"),
    path(_("moderation/<str:report>/"), views.report_page, name="report"),
]
