"""A club in one room: two hundred and ten phones behind one address, and somebody among them who guesses."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any

from talleyrand.web.games.models import PowerAssignment, random_token

from .load_http_client import TOKEN, Answer, Browser, Listener, Place, make_room
from .load_processes import Site

PASSWORD = "un mot de passe assez long"
SIGN_IN = "/compte/connexion/"
GUESSES_AT_ONCE, MOST_GUESSES = 4, 1500
SAME_TIME = 300.0  # seconds after which a phone is given up
TOLD_TO_WAIT = 429


@dataclass(frozen=True)
class Member:
    """Somebody of the club, with the seat that he plays."""

    name: str
    key: str
    number: int
    power: str
    sheet: list[str]


@dataclass
class Found:
    """Seconds of every step, and what went wrong."""

    phones: int
    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    guessed: int = 0  # passwords that were really looked at
    refused: int = 0  # guesses until the address was told to wait; 0 if it never was
    spared: int = 0  # phones that went on meanwhile as before


def club(games: dict[int, dict[str, list[str]]], phones: int) -> list[Member]:
    """So many people of these games, each once."""
    held = PowerAssignment.objects.filter(seat__game__in=games, ended_at=None).order_by("pk")
    rows = held.values_list(
        "person__name", "seat__game__key", "seat__game__phase_number", "seat__power", "seat__game"
    )
    found: dict[str, Member] = {}
    for name, key, number, power, game in rows:
        if len(found) < phones:
            found.setdefault(name, Member(name, key, number, power, games[game][power]))
    return list(found.values())


class Phone:
    """One member’s way through the site; each step is timed, and has to end as it should."""

    def __init__(self, site: Site, who: Member, found: Found) -> None:
        self.browser, self.who, self.found = Browser(site.pages[0]), who, found
        self.events = site.events
        self.stream = Listener()

    async def through(self) -> None:
        """Sign in, see one’s games, look at the table, hand in, listen."""
        page = await self._step("door", self.browser.get(SIGN_IN), 200)
        await self._step("sign in", self.browser.post(SIGN_IN, self._form(page)), 302)
        await self._step("own games", self.browser.get("/parties/"), 200)
        board = await self._step("page of the game", self.browser.get(f"/parties/{self.who.key}/"), 200)
        await self._step("hand in", self.browser.send(self._orders(), self._sheet()), 200)
        await self._listen(board)

    async def look(self) -> bool:
        return (await self.browser.get(f"/parties/{self.who.key}/")).status == 200

    def _form(self, page: Answer) -> dict[str, str]:
        token = (TOKEN.findall(page.text) or [""])[0]
        return {"login": self.who.name, "password": PASSWORD, "csrfmiddlewaretoken": token}

    def _orders(self) -> str:
        return f"/parties/{self.who.key}/{self.who.number}/orders/{self.who.power}/"

    def _sheet(self) -> dict[str, Any]:
        lines = {self.who.power: self.who.sheet}
        return {"action": "hand_in", "lines": lines, "submission": random_token()}

    async def _step(self, name: str, asked: Awaitable[Answer], expected: int) -> Answer:
        answer = await asked
        self.found.took.setdefault(name, []).append(answer.seconds)
        if answer.status != expected:
            self.found.wrong.append(f"{name}: {answer.status} in place of {expected}")
        return answer

    async def _listen(self, board: Answer) -> None:
        begun = perf_counter()
        words, session = (board.words or [""])[0], self.browser.cookies.get("sessionid", "")
        status = await self.stream.open(self.events, self.browser.address, words, session)
        self.found.took.setdefault("stream", []).append(perf_counter() - begun)
        if status != 200:
            self.found.wrong.append(f"stream: {status}")


async def _guess(place: Place, victim: str, found: Found) -> None:
    """From the same address, passwords for one account without end: until it is told to wait."""
    browsers = [Browser(place) for _ in range(GUESSES_AT_ONCE)]
    tokens = [(TOKEN.findall((await one.get(SIGN_IN)).text) or [""])[0] for one in browsers]
    tried = 0

    async def guess(browser: Browser, token: str) -> None:
        nonlocal tried
        while not found.refused and tried < MOST_GUESSES:
            tried += 1
            form = {"login": victim, "password": f"au hasard {tried}", "csrfmiddlewaretoken": token}
            answer = await browser.post(SIGN_IN, form)
            found.guessed += answer.status == 200 and "Trop d’essais" not in answer.text
            if answer.status == TOLD_TO_WAIT:
                found.refused = tried

    await asyncio.gather(*(guess(*both) for both in zip(browsers, tokens, strict=True)))
    for one in browsers:
        one.close()


async def _measured(site: Site, members: Sequence[Member], seconds: float) -> Found:
    found = Found(len(members))
    phones = [Phone(site, who, found) for who in members]

    def comes(turn: int) -> Callable[[], Awaitable[None]]:
        async def come() -> None:
            await asyncio.sleep(seconds * turn / len(phones))
            await phones[turn].through()

        return come

    async with asyncio.timeout(seconds + SAME_TIME):
        await asyncio.gather(*(comes(turn)() for turn in range(len(phones))))
        guessing = asyncio.create_task(_guess(site.pages[0], members[0].name, found))
        went_on = await asyncio.gather(*(one.look() for one in phones))
        await guessing
    found.spared = sum(went_on)
    found.wrong += [f"{len(went_on) - found.spared} phones were locked out by a guesser"] * (not all(went_on))
    for one in phones:
        one.stream.close()
        one.browser.close()
    return found


def measured(games: dict[int, Any], site: Site, *, phones: int, seconds: float) -> dict[str, Any]:
    """So many phones that come within so many seconds, all from one address."""
    make_room(2 * phones)
    return asdict(asyncio.run(_measured(site, club(games, phones), seconds)))
