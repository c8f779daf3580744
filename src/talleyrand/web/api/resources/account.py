"""Who one is here."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from talleyrand.web.accounts import zones
from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import Given, Moment, Sent
from talleyrand.web.api.problems import Refusal, Wrong
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _

RESOURCE = Resource("account")


class TokenFacts(Given):
    name: str
    scopes: list[Scope]
    ends: Moment


class Me(Given):
    name: str
    language: str = Field(description=_("fr or en: in what language the site writes to you."))
    zone: str = Field(description=_("An IANA name: Europe/Paris."))
    token: TokenFacts = Field(description=_("The token of this request."))


class Preferences(Sent):
    language: Literal["fr", "en"] | None = None
    zone: str | None = Field(None, max_length=64)


@RESOURCE.reads("/me", _("Who the token acts for, and what it may be used for."), Me, Scope.ACCOUNT)
def me(request: Call) -> object:
    return _told(request)


@RESOURCE.changes(
    "PATCH",
    "/me",
    _("Change the language or the time zone that you prefer; what is left out stays."),
    Me,
    Scope.ACCOUNT,
)
def prefer(request: Call, sent: Preferences) -> object:
    person = request.auth.person
    if sent.zone is not None and sent.zone not in zones.known():
        raise Refusal(422, fields=[Wrong("body.zone", _("There is no time zone of this name."))])
    person.language = sent.language or person.language
    person.zone = sent.zone or person.zone
    person.save(update_fields=["language", "zone"])
    return _told(request)


def _told(request: Call) -> object:
    person, token = request.auth.person, request.auth.token
    facts = {"name": token.name, "scopes": token.scopes, "ends": token.ends}
    return {"name": person.name, "language": person.language, "zone": person.zone, "token": facts}
