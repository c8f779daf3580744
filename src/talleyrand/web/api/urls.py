"""The pages of the API for people: one's tokens, and the reference."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from . import reference_page, views

app_name = "api"
urlpatterns = [
    path(_("account/tokens/"), views.tokens_page, name="tokens"),
    path(_("account/tokens/<int:token>/revoke/"), views.revoke_token, name="revoke"),
    path(_("programs/"), reference_page.reference_page, name="reference"),
]
