"""Fields of forms as data: one template draws them all, with what was typed when a form comes back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from .desk_views import DeskRequest

FieldOption = tuple[str, str]


@dataclass(frozen=True)
class DeskFormField:
    """A field: `kind` is text, number, date, datetime, email, tel, check, checks, select or area."""

    name: str
    label: str
    values: tuple[str, ...] = ("",)
    kind: str = "text"
    options: tuple[FieldOption, ...] = ()
    hint: str = ""
    required: bool = False
    form: str = ""
    lang: str = ""

    @property
    def id(self) -> str:
        """An id of its own on a page with several forms."""
        return f"{self.form}-{self.name}".replace(".", "-").strip("-")

    def within(self, form: str) -> DeskFormField:
        """The same field in another form of the page."""
        return replace(self, form=form)

    @property
    def value(self) -> str:
        """What it shows."""
        return self.values[-1] if self.values else ""

    @property
    def choices(self) -> list[tuple[str, str, bool]]:
        """Its options, and whether each is chosen."""
        return [(value, label, value in self.values) for value, label in self.options]


@dataclass(frozen=True)
class FormFields:
    """What makes the fields of one form: its button's name, and the visit that may have typed in it."""

    desk_request: DeskRequest
    action_name: str

    def field(
        self,
        name: str,
        label: str,
        kept: str = "",
        kind: str = "text",
        *,
        hint: str = "",
        required: bool = False,
        options: Iterable[FieldOption] = (),
    ) -> DeskFormField:
        """A field with what was typed in it, else with what is kept."""
        value = self.desk_request.typed_for(self.action_name, name, kept)
        return DeskFormField(name, label, (value,), kind, tuple(options), hint, required, self.action_name)

    def check(self, name: str, label: str, kept: bool, *, hint: str = "") -> DeskFormField:
        """Something that is so or is not."""
        return self.field(name, label, "1" if kept else "", "check", hint=hint)

    def checks(
        self, name: str, label: str, kept: Iterable[str], options: Iterable[FieldOption]
    ) -> DeskFormField:
        """Several of a list."""
        visit = self.desk_request
        typed = (
            visit.action.values.get(name) if visit.action and visit.action.name == self.action_name else None
        )
        return DeskFormField(
            name, label, typed or tuple(kept), "checks", tuple(options), form=self.action_name
        )
