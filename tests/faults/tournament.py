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
    from talleyrand.tournament.acts.merge_people import MergePeople
    from talleyrand.tournament.acts.round_acts import CheckIn
    from talleyrand.web.tournaments import access_tokens, event_journal, private_data
    from talleyrand.web.tournaments.models import Tournament
    from talleyrand.web.tournaments.papers import tournament_archives
    from tests.web.tournaments import hall

    def arrive() -> None:
        event_journal.perform_acts(
            row(), [CheckIn(3, 2, hall.HOUR)], event_journal.JournalActor(), once="arrive"
        )

    def merge() -> None:
        event_journal.perform_acts(row(), [MergePeople(4, 21)], event_journal.JournalActor(), once="merge")

    def undo() -> None:
        merged = row().entries.get(idempotency_key="first merge")
        if merged.undone_by_number is None:
            event_journal.undo_entry(row(), merged.number, event_journal.JournalActor())

    def check_in() -> None:
        phone, made = hall.phone(row()), row()
        answer = phone.post(hall.path(made, "join"), {"code": access_tokens.room_code(made), "person": "6"})
        assert answer.status_code in (302, 409), answer.status_code

    def restore() -> None:
        told = tournament_archives.archive_of(row(), links=False)
        tournament_archives.tournament_from_archive(
            told, row().memberships.get().account, submission="restored"
        )

    def delete() -> None:
        for one in Tournament.objects.all():
            private_data.delete_tournament(one)

    return {
        "perform": arrive,
        "merge": merge,
        "undo": undo,
        "check in": check_in,
        "release": lambda: access_tokens.release_person(row(), 7),
        "forget": lambda: private_data.forget_private_data(row(), event_journal.JournalActor()),
        "restore": restore,
        "delete": delete,
    }


def begin() -> None:
    """A weekend that is over, with one entry that was merged, and doors."""
    from django.core.management import call_command

    from talleyrand.tournament.acts.event_acts import FinishEvent
    from talleyrand.tournament.acts.merge_people import MergePeople
    from talleyrand.tournament.acts.people_acts import AddPerson
    from talleyrand.tournament.model import EventPerson
    from talleyrand.web.tournaments import access_tokens, event_journal
    from tests.web import cast as site
    from tests.web.tournaments import scene, weekend

    call_command("migrate", verbosity=0, skip_checks=True)
    site.person(site.MASTER)
    made, by = weekend.tournament(), event_journal.JournalActor(scene.director())
    twice = [AddPerson(EventPerson(name)) for name in ("Neuvième", "Quatrième")]
    event_journal.perform_acts(made, twice, by)
    for number in (4, 7, 20, 21):
        access_tokens.token_of(made, number)
    event_journal.perform_acts(made, [MergePeople(9, 20)], by, once="first merge")
    event_journal.perform_acts(made, [FinishEvent()], by)


# what always holds


def state() -> dict[str, Any]:
    """What a site holds of tournaments, but for keys and hours."""
    from talleyrand.web.tournaments.models import AccessToken, JournalEntry, Tournament

    entries = JournalEntry.objects.order_by("tournament", "number")
    doors = AccessToken.objects.order_by("tournament", "person_number")
    return {
        "documents": list(Tournament.objects.order_by("pk").values_list("document", "version")),
        "entries": list(entries.values_list("number", "acts", "undone_by_number")),
        "passes": list(doors.values_list("person_number", "merged_into")),
    }


def broken() -> list[str]:
    """Which laws a site has broken."""
    from talleyrand.tournament import codec, event_changes, invariants
    from talleyrand.tournament.event_changes import EventChange
    from talleyrand.tournament.model import Event
    from talleyrand.web.tournaments import access_tokens
    from talleyrand.web.tournaments.models import Tournament

    found = []
    for made in Tournament.objects.all():
        event = codec.read_value(Event, made.document)
        invariants.check_invariants(event)
        entries = list(made.entries.order_by("number"))
        if [one.number for one in entries][-1:] not in ([made.version], []):
            found.append(f"entries {[one.person_number for one in entries]} for version {made.version}")
        back = [cast(EventChange, one) for entry in reversed(entries) for one in entry.changes]
        event_changes.undo_changes(made.document, back)
        for entry in entries:
            undone = made.entries.filter(undoes_number=entry.number).values_list("number", flat=True)
            if entry.undone_by_number is not None and entry.undone_by_number not in undone:
                found.append(
                    f"entry {entry.number} is undone by {entry.undone_by_number}, which does not say so"
                )
        lost = [
            one.person_number for one in made.passes.all() if not access_tokens.person_of_token(made, one)
        ]
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
