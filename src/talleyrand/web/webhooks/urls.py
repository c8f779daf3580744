"""Addresses of one's hooks: under `/compte/webhooks/` in French, `/en/account/webhooks/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import pages

app_name = "webhooks"
urlpatterns = [
    path(_("account/webhooks/"), pages.every, name="all"),
    path(_("account/webhooks/<str:hook>/"), pages.one, name="one"),
    path(_("account/webhooks/<str:hook>/pause/"), pages.pause, name="pause"),
    path(_("account/webhooks/<str:hook>/resume/"), pages.resume, name="resume"),
    path(_("account/webhooks/<str:hook>/trial/"), pages.trial, name="trial"),
    path(_("account/webhooks/<str:hook>/secret/"), pages.renew, name="renew"),
    path(_("account/webhooks/<str:hook>/delete/"), pages.delete, name="delete"),
]
