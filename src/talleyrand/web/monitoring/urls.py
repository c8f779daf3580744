"""The administrator's page: `/administration/etat/`, in English `/en/administration/status/`."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import status_page

app_name = "watching"
urlpatterns = [path(_("administration/status/"), status_page.monitoring_page, name="page")]
