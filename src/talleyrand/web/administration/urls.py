"""Pages for administrators: under `/administration/` in both languages."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import settings_page, updates_page

app_name = "administration"
urlpatterns = [
    path(_("administration/settings/"), settings_page.site_settings_page, name="settings"),
    path(_("administration/updates/"), updates_page.updates_page, name="updates"),
]
