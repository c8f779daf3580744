"""The pages of the API for people: one's tokens, and the reference."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import pages, reference

app_name = "api"
urlpatterns = [
    path(_("account/tokens/"), pages.tokens_page, name="tokens"),
    path(_("account/tokens/<int:token>/revoke/"), pages.revoke, name="revoke"),
    path(_("programs/"), reference.page, name="reference"),
]
