"""Who one is here."""

from __future__ import annotations

from typing import Literal

from django.utils.translation import gettext_noop as _
from pydantic import Field

from talleyrand.web.accounts import time_zones
from talleyrand.web.api.api_errors import ApiError, FieldError
from talleyrand.web.api.authentication import TokenRequest
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import Moment, RequestSchema, ResponseSchema
from talleyrand.web.api.scopes import Scope

RESOURCE = Resource("account", Scope.ACCOUNT)


class TokenOut(ResponseSchema):
    name: str
    scopes: list[Scope]
    ends: Moment = Field(validation_alias="expires_at")


class MeOut(ResponseSchema):
    name: str = Field(validation_alias="person.name")
    language: str = Field(
        validation_alias="person.language", description=_("fr or en: the language the site writes to you in.")
    )
    zone: str = Field(validation_alias="person.time_zone", description=_("An IANA name: Europe/Paris."))
    token: TokenOut = Field(description=_("The token of this request."))


class PreferencesIn(RequestSchema):
    language: Literal["fr", "en"] | None = None
    zone: str | None = Field(None, max_length=64)


@RESOURCE.get("/me", _("Who the token acts for, and its scopes."), MeOut)
def me(request: TokenRequest) -> object:
    return request.auth


@RESOURCE.patch("/me", _("Change your language or time zone; what is left out stays."), MeOut)
def change_me(request: TokenRequest, sent: PreferencesIn) -> object:
    person = request.auth.person
    if sent.zone is not None and sent.zone not in time_zones.zone_names():
        raise ApiError(422, fields=[FieldError("body.zone", _("Unknown time zone."))])
    person.language = sent.language or person.language
    person.time_zone = sent.zone or person.time_zone
    person.save(update_fields=["language", "time_zone"])
    return request.auth
