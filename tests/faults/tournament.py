"""What is done to a tournament, ended at its statements: python -m tests.faults.tournament FOLDER [EVERY].

A child does one thing on a copy of a site and is killed before its nth statement reaches the database, for
every n, or every EVERYth. Then document, journal and doors have to agree, and the same thing done again has
to end as if nobody had been killed. Prints as JSON how often that was tried, and what was found broken.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

Work = Callable[[], object]
NEVER = 1_000_000


@dataclass
class Killer:
    """Ends this process before its nth statement; counts them."""

    nth: int = NEVER
    passed: int = 0

    def __call__(self, execute: Callable[..., Any], *call: Any) -> Any:
        self.passed += 1
        if self.passed == self.nth:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(*call)


@contextmanager
def killing(killer: Killer) -> Iterator[None]:
    """Meanwhile; the statements that begin and end a transaction are no less dangerous than the others."""
    from django.db import connection

    with connection.execute_wrapper(killer):
        yield


# what is done, each as a browser or a page asks for it


def row() -> Any:
    """The first tournament of the site."""
    from talleyrand.web.tournaments.models import Tournament

    return Tournament.objects.order_by("pk")[0]


def deeds() -> dict[str, Work]:
    """By name. Each finds what it needs on the site, and may find it done already."""
    from talleyrand.tournament.acts.merging import Merge
    from talleyrand.tournament.acts.presence import Arrive
    from talleyrand.web.tournaments import forgetting, journal, passes
    from talleyrand.web.tournaments.models import Tournament
    from talleyrand.web.tournaments.papers import archives
    from tests.web.tournaments import hall

    def arrive() -> None:
        journal.perform(row(), [Arrive(3, 2, hall.HOUR)], journal.By(), once="arrive")

    def merge() -> None:
        journal.perform(row(), [Merge(4, 21)], journal.By(), once="merge")

    def undo() -> None:
        merged = row().entries.get(once="first merge")
        if merged.undone is None:
            journal.undo(row(), merged.number, journal.By())

    def check_in() -> None:
        phone, made = hall.phone(row()), row()
        answer = phone.post(hall.path(made, "join"), {"code": passes.room_code(made), "person": "6"})
        assert answer.status_code in (302, 409), answer.status_code

    def restore() -> None:
        told = archives.held(row(), links=False)
        archives.restored(told, row().memberships.get().account, submission="restored")

    def delete() -> None:
        for one in Tournament.objects.all():
            forgetting.delete(one)

    return {
        "perform": arrive,
        "merge": merge,
        "undo": undo,
        "check in": check_in,
        "release": lambda: passes.release(row(), 7),
        "forget": lambda: forgetting.forget(row(), journal.By()),
        "restore": restore,
        "delete": delete,
    }


def begin() -> None:
    """A weekend that is over, with one entry that was merged, and doors."""
    from django.core.management import call_command

    from talleyrand.tournament.acts.events import Finish
    from talleyrand.tournament.acts.merging import Merge
    from talleyrand.tournament.acts.people import AddPerson
    from talleyrand.tournament.model import Person
    from talleyrand.web.tournaments import journal, passes
    from tests.web import cast as site
    from tests.web.tournaments import scene, weekend

    call_command("migrate", verbosity=0, skip_checks=True)
    site.person(site.MASTER)
    made, by = weekend.tournament(), journal.By(scene.director())
    twice = [AddPerson(Person(name)) for name in ("Neuvième", "Quatrième")]
    journal.perform(made, twice, by)
    for number in (4, 7, 20, 21):
        passes.of(made, number)
    journal.perform(made, [Merge(9, 20)], by, once="first merge")
    journal.perform(made, [Finish()], by)


# what always holds


def state() -> dict[str, Any]:
    """What a site holds of tournaments, but for keys and hours."""
    from talleyrand.web.tournaments.models import Entry, Pass, Tournament

    entries = Entry.objects.order_by("tournament", "number")
    doors = Pass.objects.order_by("tournament", "number")
    return {
        "documents": list(Tournament.objects.order_by("pk").values_list("document", "version")),
        "entries": list(entries.values_list("number", "acts", "undone")),
        "passes": list(doors.values_list("number", "follows")),
    }


def broken() -> list[str]:
    """Which laws a site has broken."""
    from talleyrand.tournament import codec, journal, soundness
    from talleyrand.tournament.journal import Change
    from talleyrand.tournament.model import Event
    from talleyrand.web.tournaments import passes
    from talleyrand.web.tournaments.models import Tournament

    found = []
    for made in Tournament.objects.all():
        event = codec.read(Event, made.document)
        soundness.check(event)
        entries = list(made.entries.order_by("number"))
        if [one.number for one in entries][-1:] not in ([made.version], []):
            found.append(f"entries {[one.number for one in entries]} for version {made.version}")
        back = [cast(Change, one) for entry in reversed(entries) for one in entry.changes]
        journal.undone(made.document, back)
        for entry in entries:
            undone = made.entries.filter(undoes=entry.number).values_list("number", flat=True)
            if entry.undone is not None and entry.undone not in undone:
                found.append(f"entry {entry.number} is undone by {entry.undone}, which does not say so")
        lost = [one.number for one in made.passes.all() if not passes.person_of(made, one)]
        if lost:
            found.append(f"doors of nobody: {lost}")
        if not made.memberships.exists():
            found.append("nobody directs it")
    return found


def lives(place: Path, every: int) -> dict[str, Any]:
    """Each deed, killed at each statement, looked at, and done again."""
    from .forks import KILLED, Fuse, fork, sites

    kept = sites(place)
    first = kept.first()
    fork(first, lambda _say: begin())
    found: dict[str, Any] = {"killed": 0, "deeds": {}, "broken": []}
    for name in deeds():
        whole = kept.copy(first)
        should = _told(whole, name, Killer())
        kept.drop(whole)
        for nth in range(1, should["statements"] + 1, every):
            site = kept.copy(first)
            ended = fork(site, _dying(name, nth), Fuse())
            found["killed"] += ended.status == KILLED
            laws = fork(site, lambda say: say(broken())).said[0]
            again = _told(site, name, Killer())
            laws += [part for part in should["state"] if again["state"][part] != should["state"][part]]
            found["broken"] += [f"{name}, statement {nth}: {law}" for law in laws]
            kept.drop(site)
        found["deeds"][name] = should["statements"]
    return found


def _dying(name: str, nth: int) -> Callable[[Any], None]:
    def work(_say: Any) -> None:
        with killing(Killer(nth)):
            deeds()[name]()

    return work


def _told(site: str, name: str, killer: Killer) -> dict[str, Any]:
    """A deed done to its end: how many statements it took, and what the site holds then."""
    from .forks import fork

    def work(say: Any) -> None:
        with killing(killer):
            deeds()[name]()
        say({"statements": killer.passed, "state": state(), "broken": broken()})

    found: dict[str, Any] = fork(site, work).said[0]
    return found


def main(place: Path, every: int) -> None:
    """Print what was found."""
    import django

    os.environ.setdefault("TALLEYRAND_DATA", str(place))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "talleyrand.web.settings")
    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS.append("testserver")
    print(json.dumps(lives(place, every)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
