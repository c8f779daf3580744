"""A tournament's room: python -m benchmarks.load_tournament [--phones 210] [--seconds 60] [--only NAME]
[--keep].

On SQLite (`talleyrand serve`) and on PostgreSQL (pages, events and clocks apart), both on two cores: 210
people of an event with four rounds behind it and 2,000 entries in its log check in within a minute at the
door of the room, each on a telephone that then asks for the standings every ten seconds, while two at the
desk enter newcomers. Those two have looked at their pages and at the door before anybody comes, as who
directs does: a site that has just started is another trial. Prints how long each page took beside its limit.
Ends with status 1 where one is missed, where a check-in that was acknowledged is not there, or where the log
does not tell the whole story.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from string import ascii_lowercase
from time import monotonic
from typing import TYPE_CHECKING, Any

from tests import postgresql

from .load_http_client import TOKEN, Answer, Browser, Place, make_room
from .load_report import Report

if TYPE_CHECKING:
    from talleyrand.tournament.model import Event, EventRound
    from talleyrand.web.tournaments.models import Tournament

CORES, PHONES, SECONDS, EVERY = 2, 210, 60, 10.0
LOOKS = 4  # of each at the desk beforehand
ENTRIES, BEHIND, HOUR = 2000, 4, "2026-07-03T17:30:00Z"
LIMIT = 150.0  # milliseconds of nineteen pages of twenty
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
NAMES = ("SQLite", "PostgreSQL")
PREFIX = "/tournois"
RESULTS = Path(__file__).parent / "results"


@dataclass
class Found:
    """Seconds of every page by its name, what went wrong, and who was told that he is there."""

    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    told: list[int] = field(default_factory=list)
    entered: int = 0  # newcomers that the desk was told are entered
    processor: float = 0.0  # seconds of it that the site used

    def note(self, name: str, answer: Answer, *expected: int) -> Answer:
        self.took.setdefault(name, []).append(answer.seconds)
        if answer.status not in expected:
            self.wrong.append(f"{name}: {answer.status}")
        return answer


# the event, in the process that has read the settings


def event(phones: int, seed: int) -> Event:
    """So many people, four rounds with results, a fifth at which nobody is yet."""
    from talleyrand.tournament.model import Event, EventPerson, EventRound, RoundState

    rounds = tuple(range(1, BEHIND + 2))
    people = {
        number: EventPerson(f"Prénom {number} Nom", "Un club", rounds=rounds)
        for number in range(1, phones + 1)
    }
    played = {number: _played(list(people), Random(f"{seed} {number}")) for number in rounds[:-1]}
    return Event(
        "La salle", seed=str(seed), people=people, rounds={**played, rounds[-1]: EventRound(RoundState.OPEN)}
    )


def _played(people: list[int], chance: Random) -> EventRound:
    from talleyrand.tournament.model import BoardResult, EventBoard, EventRound, PowerSeat, RoundState

    chance.shuffle(people)
    boards = {}
    for at in range(len(people) // 7):
        held = [chance.randrange(7) for _ in range(34)]
        centres = {power: held.count(place) for place, power in enumerate(POWERS)}
        out = {power: 1905 for power, count in centres.items() if not count}
        told = BoardResult(centres, year=1907, eliminated_in=out, confirmed="desk")
        seats = {power: PowerSeat(people[7 * at + place]) for place, power in enumerate(POWERS)}
        boards[at + 1] = EventBoard(seats=seats, result=told)
    sat = people[: 7 * len(boards)]
    return EventRound(RoundState.CLOSED, HOUR, dict.fromkeys(sat, HOUR), boards=boards)


def prepared(phones: int, seed: int) -> tuple[Tournament, list[dict[str, str]]]:
    """The event kept on a site with a long log, and the cookies of two who direct it."""
    from django.core.management import call_command
    from django.test import Client

    from talleyrand.tournament.acts.people_acts import SetPersonFlags
    from talleyrand.tournament.model import EventRound
    from talleyrand.web.accounts.models import Person
    from talleyrand.web.tournaments import event_journal, tournament_creation
    from talleyrand.web.tournaments.event_documents import document_from_event, event_of
    from talleyrand.web.tournaments.models import (
        Tournament,
        TournamentMembership,
        TournamentRole,
        random_token,
    )

    call_command("migrate", verbosity=0, skip_checks=True)
    directors = [Person.objects.get_or_create(name=name)[0] for name in ("Maëlle", "Armand")]
    whole = event(phones, seed)
    bare = {number: EventRound() for number in whole.rounds}
    made = tournament_creation.create_tournament(replace(whole, rounds=bare), directors[0])
    TournamentMembership.objects.create(tournament=made, account=directors[1], role=TournamentRole.ASSISTANT)
    Tournament.objects.filter(pk=made.pk).update(is_listed=True)
    for number in range(ENTRIES):
        act = SetPersonFlags(number % phones + 1, beginner=number // phones % 2 == 0)
        event_journal.perform_acts(made, [act], event_journal.JournalActor(directors[0]))
    made.refresh_from_db()
    full = document_from_event(replace(event_of(made), rounds=whole.rounds))  # quicker than played act by act
    Tournament.objects.filter(pk=made.pk).update(document=full, state_token=random_token())
    clients = [Client() for _ in directors]
    for client, account in zip(clients, directors, strict=True):
        client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    cookies = [{name: one.value for name, one in client.cookies.items()} for client in clients]
    return Tournament.objects.get(pk=made.pk), cookies


# the room


@dataclass
class Room:
    """Where the telephones are: the site, the tournament, the code on its screen."""

    place: Place
    key: str
    code: str
    seconds: float
    found: Found
    begun: float = field(default_factory=monotonic)

    @property
    def left(self) -> float:
        return self.begun + self.seconds - monotonic()

    async def phone(self, number: int, after: float) -> None:
        """Somebody who takes his name after so many seconds, and looks at the standings from then on."""
        await asyncio.sleep(after)
        browser, door = Browser(self.place), f"{PREFIX}/{self.key}/salle/"
        page = self.found.note("door of the room", await browser.get(f"{door}?code={self.code}"), 200)
        form = {"code": self.code, "person": str(number), "csrfmiddlewaretoken": _token(page)}
        answer = self.found.note("check-in", await browser.post(door, form), 302)
        if answer.status == 302:
            self.found.told.append(number)
        self.found.note("own page", await browser.get(f"{PREFIX}/{self.key}/moi/"), 200)
        while self.left > EVERY:
            self.found.note("standings", await browser.get(f"{PREFIX}/{self.key}/classement/"), 200)
            await asyncio.sleep(EVERY)
        browser.close()

    async def look(self, cookies: dict[str, str]) -> None:
        """What who directs sees before anybody comes."""
        browser, here = Browser(self.place, cookies=dict(cookies)), f"{PREFIX}/{self.key}"
        for path in (
            f"{here}/bureau/ronde/{BEHIND + 1}/",
            f"{here}/salle/?code={self.code}",
            f"{here}/classement/",
        ):
            answer = await browser.get(path)
            if answer.status != 200:
                self.found.wrong.append(f"{path}: {answer.status} before it began")
        browser.close()

    async def desk(self, cookies: dict[str, str], name: str) -> None:
        """Somebody at the desk who enters people that nobody expected, and looks who is there."""
        browser = Browser(self.place, cookies=dict(cookies))
        chance = Random(name)
        path, turn = f"{PREFIX}/{self.key}/bureau/ronde/{BEHIND + 1}/", 0
        while self.left > 0:
            turn += 1
            page = self.found.note("desk", await browser.get(path), 200)
            form = {
                "press": "walk_in",
                "name": f"Nouveau {''.join(chance.choices(ascii_lowercase, k=12))}",  # alike to nobody
                "submission": f"{name} {turn}",
                "csrfmiddlewaretoken": _token(page),
            }
            answer = self.found.note("walk-in", await browser.post(path, form), 302)
            self.found.entered += answer.status == 302
            await asyncio.sleep(2)
        browser.close()


def _token(page: Answer) -> str:
    found: str = (TOKEN.findall(page.text) or [""])[0]
    return found


async def _looked(room: Room, cookies: list[dict[str, str]]) -> None:
    await asyncio.gather(*(room.look(one) for one in cookies * LOOKS))


async def _stormed(room: Room, phones: int, cookies: list[dict[str, str]], coming: float) -> None:
    works = [room.phone(number, coming * number / phones) for number in range(1, phones + 1)]
    works += [room.desk(one, f"Nouveau de {at}") for at, one in enumerate(cookies)]
    await asyncio.gather(*works)


def trial(phones: int, seconds: int, seed: int, *, large: bool) -> dict[str, Any]:
    """Everything on one database, which the environment names."""
    import django

    django.setup()
    from talleyrand.web.tournaments import access_tokens

    from .load_processes import processor, site

    make_room(2 * phones)
    made, cookies = prepared(phones, seed)
    code, found = access_tokens.room_code(made).replace(" ", ""), Found()
    with site(Path(os.environ["TALLEYRAND_DATA"]), large=large) as there:
        asyncio.run(_looked(Room(there.pages[0], made.key, code, 0.0, found), cookies))
        room = Room(there.pages[0], made.key, code, seconds + 2 * EVERY, found)
        before = processor(there.roots)
        asyncio.run(_stormed(room, phones, cookies, float(seconds)))
        found.processor = processor(there.roots) - before
    found.wrong += lost(made, found)
    return asdict(found)


def lost(made: Tournament, found: Found) -> list[str]:
    """What was acknowledged and is not there, or is there and was told by nobody."""
    from talleyrand.web.tournaments.event_documents import event_of
    from talleyrand.web.tournaments.models import Tournament

    row = Tournament.objects.get(pk=made.pk)
    now = event_of(row)
    present = now.rounds[BEHIND + 1].present
    gone = [number for number in found.told if number not in present]
    new = sum(one.name.startswith("Nouveau") for one in now.people.values())
    wrong = [f"{len(gone)} acknowledged check-ins are not there"] * bool(gone)
    wrong += [f"{new} newcomers, {found.entered} acknowledged"] * (new != found.entered)
    return wrong + ["entries and version differ"] * (row.entries.count() != row.version)


# both databases


@contextmanager
def _database(large: bool) -> Iterator[dict[str, str]]:
    with postgresql.cluster(haste=postgresql.MANY) if large else nullcontext("") as address:
        yield {"TALLEYRAND_DATABASE": address} if address else {}


def tried(name: str, wanted: argparse.Namespace) -> dict[str, Any] | None:
    """What a trial found; None where it broke off."""
    from .load_processes import tried_apart

    large = name == "PostgreSQL"
    with _database(large) as address:
        told = [str(wanted.phones), str(wanted.seconds), str(wanted.seed), str(int(large))]
        return tried_apart("load_tournament", told, address)


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load_tournament")
    parser.add_argument("--phones", type=int, default=PHONES)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="within which all check in")
    parser.add_argument("--seed", type=int, default=1901)
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--keep", action="store_true", help="in results/storm_room.txt")
    parser.add_argument("--trial", nargs=4, type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Measure, print, and say whether every limit is kept."""
    wanted = asked()
    if wanted.trial:
        phones, seconds, seed, large = wanted.trial
        print(json.dumps(trial(phones, seconds, seed, large=bool(large))))
        return 0
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    from .load import machine

    report = Report()
    report.say(machine())
    for name in [wanted.only] if wanted.only else NAMES:
        report.say(
            f"\n{name}: {wanted.phones} telephones within {wanted.seconds} s, load {os.getloadavg()[0]:.1f}"
        )
        found = tried(name, wanted)
        report.wrong(["broke off, see above"] if found is None else found["wrong"])
        for page, took in (found["took"] if found else {}).items():
            report.quantiles(page, took, LIMIT)
        if found:
            requests = sum(map(len, found["took"].values()))
            used = 1000 * found["processor"] / requests
            report.line(f"processor time for each of {requests} requests", used, "ms")
    report.say(f"\nlimit {LIMIT:.0f} ms at p95 of each page: {report.missed} missed")
    if wanted.keep:
        (RESULTS / "storm_room.txt").write_text("\n".join([*report.lines, ""]), encoding="utf-8")
    return int(report.missed > 0)


if __name__ == "__main__":
    sys.exit(main())
