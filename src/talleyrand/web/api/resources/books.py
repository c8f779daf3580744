"""The boards and the rulebooks that there are."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import Http404
from ninja.params import Path
from pydantic import Field

from talleyrand import rulebooks, variants
from talleyrand.formats import listing
from talleyrand.web.api.callers import Call
from talleyrand.web.api.forms import Given
from talleyrand.web.api.resource import Resource
from talleyrand.web.api.scopes import Scope
from talleyrand.web.api.words import _

RESOURCE = Resource("books")
Name = Annotated[str, Path(description=_("Its name, as in the list."), pattern="^[a-z0-9_]{1,60}$")]
Words = dict[str, str]


class Named(Given):
    name: str
    title: Words = Field(description=_("By language."))


class Listed(Given):
    items: list[Named]


class VariantWhole(Named):
    powers: list[str]
    scripted: list[str] = Field(description=_("Powers that a script plays; nobody sits there."))
    homes: dict[str, list[str]]
    centres: list[str]
    victory: int = Field(description=_("How many centres win."))
    start: str
    phases: list[str]
    units: dict[str, dict[str, Any]]
    provinces: dict[str, dict[str, Any]]


class BookWhole(Named):
    options: dict[str, dict[str, Any]] = Field(
        description=_("Each option with its value, the values there are, and where the book says so.")
    )


@RESOURCE.reads("/variants", _("The boards there are."), Listed, Scope.READ)
def every_variant(request: Call) -> object:  # noqa: ARG001
    loaded = [variants.load(name) for name in variants.names()]
    return {"items": [{"name": one.name, "title": dict(one.title)} for one in loaded]}


@RESOURCE.reads(
    "/variants/{name}", _("One board: powers, provinces, units, phases."), VariantWhole, Scope.READ
)
def variant(request: Call, name: Name) -> object:  # noqa: ARG001
    if name not in variants.names():
        raise Http404
    return listing.variant_value(variants.load(name))


@RESOURCE.reads("/rulebooks", _("The rulebooks there are."), Listed, Scope.READ)
def every_book(request: Call) -> object:  # noqa: ARG001
    loaded = [rulebooks.load(name) for name in rulebooks.names()]
    return {"items": [{"name": one.name, "title": dict(one.title)} for one in loaded]}


@RESOURCE.reads("/rulebooks/{name}", _("What one rulebook says of each option."), BookWhole, Scope.READ)
def book(request: Call, name: Name) -> object:  # noqa: ARG001
    if name not in rulebooks.names():
        raise Http404
    return listing.book_value(rulebooks.load(name), rulebooks.options().values())
