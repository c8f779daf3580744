"""A site of its own with a game on line, and the browsers of those who play it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e import sites
from tests.e2e.conftest import listening

# Made by the tests' own cast, in a process of its own: this one has no database.
SEED = """
import json, sys
import django; django.setup()
from tests.web import cast
from tests.web.games import playing
game = playing.running()
names = json.loads(sys.argv[1])
cookies = {name: cast.client_of(name).cookies["sessionid"].value for name in names}
print(json.dumps({"key": game.key, "cookies": cookies}))
"""


@dataclass(frozen=True)
class Table:
    """A begun game on a running site."""

    site: str
    key: str
    cookies: dict[str, str]

    def address(self, path: str = "", english: bool = False) -> str:
        folder = "en/games" if english else "parties"
        return f"{self.site}/{folder}/{self.key}/{path}" + "?lang=en" * english

    @contextmanager
    def window(self, browser: Browser, name: str, width: int, height: int) -> Iterator[Page]:
        """Somebody's browser, signed in; whatever its page complains of fails the test."""
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=width < 500)
        self._sign_in(context, name)
        page = listening(context)
        yield next(page)
        next(page, None)

    def _sign_in(self, context: BrowserContext, name: str) -> None:
        context.add_cookies([{"name": "sessionid", "value": self.cookies[name], "url": self.site}])


@contextmanager
def table(folder: Path, *names: str) -> Iterator[Table]:
    """A game of the cast in a folder with its tables, and its site, while it is needed."""
    with seeded(folder, SEED, json.dumps(names)) as (site, told):
        yield Table(site, told["key"], told["cookies"])


@contextmanager
def seeded(folder: Path, program: str, *arguments: str, **variables: str) -> Iterator[tuple[str, Any]]:
    """The address of a site whose games a program has made, and what that program told as JSON."""
    told = sites.run(program, folder, *arguments, **variables)
    with sites.served(folder, **variables) as served:
        yield served.address, json.loads(told.splitlines()[-1])
