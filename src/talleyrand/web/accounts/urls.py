"""One's own pages: under `/compte/` in French, `/en/account/` in English."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import administration_views, sign_in_views, views

app_name = "accounts"
urlpatterns = [
    path(_("account/"), views.preferences, name="preferences"),
    path(_("account/data/"), views.export_data, name="export"),
    path(_("account/delete/"), views.delete_own_account, name="delete"),
    path(_("account/link/<str:token>/"), sign_in_views.one_time_link, name="link"),
    path(_("administration/links/"), administration_views.links_page, name="links"),
    path(_("administration/links/<int:pk>/delete/"), administration_views.revoke_link, name="revoke"),
    path(
        _("administration/administrators/"), administration_views.change_administrators, name="administrators"
    ),
    path(_("administration/approval/"), administration_views.change_approval, name="approval"),
    path(_("administration/close/"), administration_views.close_account, name="close"),
    path(_("privacy/"), views.privacy, name="privacy"),
    path(_("house-rules/"), views.house_rules_page, name="house_rules"),
]
