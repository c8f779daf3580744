"""The administrator's page: `/administration/veille/`, in English `/en/administration/watch/`."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import status_page

app_name = "watching"
urlpatterns = [path(_("administration/watch/"), status_page.monitoring_page, name="page")]
