"""The desk as somebody who sits at it uses it."""

from __future__ import annotations

import html
import re
from typing import Any

from django.test import Client
from django.urls import reverse

from talleyrand.tournament.model import Event
from talleyrand.web.tournaments.event_documents import event_of
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast

Response = Any


class Desk:
    """A tournament, and a browser that is signed in."""

    def __init__(self, made: Tournament, name: str = cast.MASTER) -> None:
        self.made = made
        self.browser: Client = cast.client_of(name)

    @property
    def event(self) -> Event:
        return event_of(Tournament.objects.get(pk=self.made.pk))

    def address(self, page: str, *args: int) -> str:
        return reverse(f"tournaments:{page}", args=[self.made.key, *args])

    def get(self, page: str, *args: int, **query: str) -> Response:
        return self.browser.get(self.address(page, *args), query)

    def post(self, page: str, *args: int, **fields: Any) -> Response:
        return self.browser.post(self.address(page, *args), fields)

    def press(self, page: str, *args: int, **fields: Any) -> Response:
        """Press a button that has to work."""
        answer = self.post(page, *args, **fields)
        assert answer.status_code == 302, refusal(answer)
        return self.browser.get(answer["Location"])


def refusal(answer: Response) -> str:
    """The sentence of a page that refuses something."""
    found = re.search(r'<p class="refusal" role="alert">(.*?)</p>', answer.content.decode(), re.DOTALL)
    return html.unescape(found.group(1)) if found else ""


def hidden(answer: Response, name: str, form: str = "") -> str:
    """What a page keeps in a hidden field, of the form in which `form` stands."""
    text = answer.content.decode()
    if form:
        text = next(one for one in text.split("<form") if form in one)
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', text)
    assert found is not None, name
    return html.unescape(found.group(1))
