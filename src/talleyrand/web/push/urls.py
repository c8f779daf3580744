"""One's own devices: under `/nouvelles/appareils/` in French, `/en/news/devices/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import pages

app_name = "push"
urlpatterns = [
    path(_("news/devices/"), pages.every, name="devices"),
    path(_("news/devices/add/"), pages.add, name="add"),
    path(_("news/devices/trial/"), pages.trial, name="trial"),
    path(_("news/devices/remove/"), pages.remove, name="remove"),
]
