"""The administrator's page: `/administration/veille/`, in English `/en/administration/watch/`."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import pages

app_name = "watching"
urlpatterns = [path(_("administration/watch/"), pages.monitoring_page, name="page")]
