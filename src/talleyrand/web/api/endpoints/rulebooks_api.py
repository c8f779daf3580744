"""The boards and the rulebooks that there are."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404
from django.utils.translation import gettext_noop as _
from ninja.params import Path
from pydantic import Field

from talleyrand import rulebooks, variants
from talleyrand.formats import catalogue_json
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.schemas import ResponseSchema, list_out
from talleyrand.web.api.scopes import Scope

RESOURCE = Resource("books", Scope.READ)
DataName = Annotated[str, Path(description=_("Its name, as in the list."), pattern="^[a-z0-9_]{1,60}$")]
TextByLanguage = dict[str, str]


class NamedOut(ResponseSchema):
    name: str
    title: TextByLanguage = Field(description=_("By language."))


NamedListOut = list_out("NamedListOut", NamedOut)


class VariantOut(NamedOut):
    powers: list[str]
    scripted: list[str] = Field(description=_("Powers played by a script; no one sits there."))
    people: list[int] = Field(description=_("For how many players the game is made, one power each."))
    splits: dict[str, Any] = Field(
        description=_("By name, who plays which powers with fewer players, and what else differs.")
    )
    homes: dict[str, list[str]]
    centres: list[str]
    victory: int = Field(description=_("Number of centres needed to win."))
    start: str
    phases: list[str]
    units: dict[str, dict[str, Any]]
    provinces: dict[str, dict[str, Any]]


class RulebookOut(NamedOut):
    options: dict[str, dict[str, Any]] = Field(
        description=_("Each option with its value, the possible values, and where the rulebook says so.")
    )


@RESOURCE.get("/variants", _("The available variants."), NamedListOut)
def list_variants() -> object:
    loaded = [variants.load(name) for name in variants.playable_names()]
    return {"items": [{"name": one.name, "title": dict(one.title)} for one in loaded]}


@RESOURCE.get("/variants/{name}", _("One variant: powers, provinces, units, phases."), VariantOut)
def get_variant(name: DataName) -> object:
    if name not in variants.playable_names():
        raise Http404
    return catalogue_json.variant_json(variants.load(name))


@RESOURCE.get("/rulebooks", _("The available rulebooks."), NamedListOut)
def list_rulebooks() -> object:
    loaded = [rulebooks.load(name) for name in rulebooks.names()]
    return {"items": [{"name": one.name, "title": dict(one.title)} for one in loaded]}


@RESOURCE.get("/rulebooks/{name}", _("What one rulebook says about each option."), RulebookOut)
def get_rulebook(name: DataName) -> object:
    if name not in rulebooks.names():
        raise Http404
    return catalogue_json.rulebook_json(rulebooks.load(name), rulebooks.options().values())
