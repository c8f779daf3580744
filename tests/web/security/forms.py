"""The forms of a page, as a browser would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import quote_plus

TYPED = {"text", "search", "email", "password", "number", "url", "tel", "date", "time", "datetime-local", ""}


@dataclass
class Form:
    """Where a form goes, what it holds by itself, what is typed, and its buttons."""

    action: str
    method: str
    held: dict[str, str] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def sent(self, value: str) -> list[dict[str, str]]:
        """What each button sends where all that can be typed is `value`; in the bytes of an address."""
        held = {name: quote_plus(told) for name, told in self.held.items()}
        filled = held | dict.fromkeys(self.typed, value)
        return [{**filled, name: quote_plus(told)} for name, told in self.buttons] or [filled]

    @property
    def known(self) -> tuple[object, ...]:
        """The same for two forms that ask the same of the same address."""
        return self.action, frozenset(self.held), frozenset(self.typed), frozenset(self.buttons)


class Reader(HTMLParser):
    """Finds the forms of a page."""

    def __init__(self, page: str, path: str) -> None:
        super().__init__()
        self.path, self.forms = path, list[Form]()
        self._open: Form | None = None
        self._select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(told.get("action") or self.path, told.get("method", "get").lower())
            self.forms.append(self._open)
        elif self._open is not None:
            self._field(self._open, tag, told)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""

    def _field(self, form: Form, tag: str, told: dict[str, str]) -> None:
        name, kind = told.get("name", ""), told.get("type", "").lower()
        if tag == "option" and self._select and ("selected" in told or self._select not in form.held):
            form.held[self._select] = told.get("value", "")
        elif tag == "select":
            self._select = name
        elif tag == "textarea" or (tag == "input" and kind in TYPED):
            form.typed.add(name)
        elif tag == "button" or kind == "submit":
            form.buttons += [(name, told.get("value", ""))] if name else []
        elif tag == "input" and (
            kind not in ("checkbox", "radio") or "checked" in told or name not in form.held
        ):
            form.held[name] = told.get("value", "on")
        form.typed.discard("")
        form.held.pop("", None)
