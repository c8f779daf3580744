"""Addresses of one's hooks: under `/compte/webhooks/` in French, `/en/account/webhooks/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import views

app_name = "webhooks"
urlpatterns = [
    path(_("account/webhooks/"), views.webhook_list, name="all"),
    path(_("account/webhooks/<str:hook>/"), views.webhook_page, name="one"),
    path(_("account/webhooks/<str:hook>/pause/"), views.pause_view, name="pause"),
    path(_("account/webhooks/<str:hook>/resume/"), views.resume_view, name="resume"),
    path(_("account/webhooks/<str:hook>/test/"), views.test_call_view, name="trial"),
    path(_("account/webhooks/<str:hook>/secret/"), views.renew_secret_view, name="renew"),
    path(_("account/webhooks/<str:hook>/delete/"), views.delete_view, name="delete"),
]
