"""One's own pages: under `/compte/` in French, `/en/account/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import administration, entrance, views

app_name = "accounts"
urlpatterns = [
    path(_("account/"), views.preferences, name="preferences"),
    path(_("account/data/"), views.export, name="export"),
    path(_("account/delete/"), views.delete, name="delete"),
    path(_("account/link/<str:token>/"), entrance.by_link, name="link"),
    path(_("administration/links/"), administration.page, name="links"),
    path(_("administration/links/<int:pk>/delete/"), administration.revoke, name="revoke"),
    path(_("administration/administrators/"), administration.administrators, name="administrators"),
    path(_("administration/close/"), administration.close, name="close"),
    path(_("privacy/"), views.privacy, name="privacy"),
]
