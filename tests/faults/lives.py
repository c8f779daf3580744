"""Lives of a site, in which its processes end again and again: python -m tests.faults.lives FOLDER
COUNT SEED.

What happens is drawn from the seed, and happens once without a crash. On copies of that site, and then on
others from their beginning, it happens again, and at each deed a process ends at some passage of some point,
now and then the next one too. After each deed the site has to be what it was the first time. Prints what was
found.
"""

from __future__ import annotations

import gc
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import django

from .points import HANDFUL, IN_DOUBT, IN_HAND

# Nothing that reads the settings is imported before `main` has made them.
HOST, DOMAIN = "127.0.0.1", "jeu.example.org"
PHASES, SAMPLE = 3, 100  # of a game; below so many crashes one phase has to do
# By the post’s clock: it looks at everybody each hour, and news are stale after a day. There are 23 deeds.
EACH = timedelta(minutes=61, seconds=30)
OTHERS = 2  # processes at work beside another
LONGEST = 3  # crashes one after another; a clock parks a game that costs it more
LATE = ("encodings.idna", "py_vapid", "pywebpush")  # what the site imports when it is needed
ORDERS = {
    "AUSTRIA": ("A VIE-GAL", "A BUD-SER", "F TRI-ALB"),
    "ENGLAND": ("F LON-NTH", "F EDI-NWG", "A LVP-YOR"),
    "FRANCE": ("A PAR-BUR", "A MAR-SPA", "F BRE-MAO"),
    "GERMANY": ("A MUN-RUH", "A BER-KIE", "F KIE-DEN"),
    "ITALY": ("A VEN-TYR", "A ROM-VEN", "F NAP-ION"),
    "RUSSIA": ("A WAR-GAL", "A MOS-UKR", "F SEV-BLA"),
    "TURKEY": ("A CON-BUL", "A SMY-CON", "F ANK-BLA"),
}


def script(seed: str, phases: int) -> list[Any]:
    """The first phases of a game: everybody orders in the first, two powers in each of the others."""
    chance = Random(seed)
    powers = [chance.sample(tuple(ORDERS), 2) for _number in range(1, phases)]
    asked = [tuple(ORDERS), *powers]
    return [deed for number, some in enumerate(asked, 1) for deed in _phase(chance, number, some)]


def _phase(chance: Random, number: int, powers: Sequence[str]) -> list[Any]:
    from . import deeds

    def key() -> str:
        return f"{chance.getrandbits(96):024x}"

    def lines(power: str) -> tuple[str, ...]:
        return tuple(chance.sample(ORDERS[power], chance.randint(1, 3)))

    others = [power for power in powers if power != "FRANCE"]
    letters = (
        deeds.Letter(number, key(), text=f"La Manche reste vide. {key()}"),
        deeds.Mail(number, key(), door="letter", text=f"Et si nous parlions ? {key()}"),
    )
    found: list[Any] = [_sheet(chance, number, key(), power, lines(power)) for power in others]
    found += letters if number == 1 else letters[number % 2 :][:1]
    found.append(deeds.Mail(number, key(), door="orders", text="\n".join(lines("FRANCE"))))
    chance.shuffle(found)
    again = deeds.Sheet(number, key(), power=others[0], lines=lines(others[0]), action="final")
    return [*found, again, deeds.Deadline(number, key())]


def _sheet(chance: Random, number: int, key: str, power: str, lines: tuple[str, ...]) -> Any:
    from . import deeds

    kind = chance.choice((deeds.Sheet, deeds.Handed, deeds.Draft))
    return kind(number, key, power=power, lines=lines)


def prepare(port: int) -> None:
    """A phase is open, and two play by post; Edmond and the game master have news by mail, Edmond’s program
    and Agathe’s telephone hear them at a port.
    """
    from django.core.management import call_command
    from django.db import transaction
    from django.utils import timezone

    from talleyrand.web.games import first_phase
    from talleyrand.web.mail.models import OutboundEmail
    from talleyrand.web.mail.subscriptions import subscribing, subscription_sweep
    from talleyrand.web.notifications.models import NotificationDelivery
    from talleyrand.web.webhooks import webhook_actions
    from tests.web.cast import MASTER, client_of, table
    from tests.web.mail.correspondents import correspond
    from tests.web.push.service import Browser
    from tests.web.push.test_sending import registered

    call_command("migrate", verbosity=0)
    now = timezone.now()
    rhythm = {"hours": 72, "early": False, "grace": 3600}
    game = first_phase.open_first_phase(table(begun=False, rhythm=rhythm, absent="disorder"), now)
    for name in ("Flora", "Irène"):
        subscribing.subscribe(game, correspond(name))
    for name in ("Edmond", MASTER):
        correspond(name)
    subscription_sweep.queue_due_mail(now)
    OutboundEmail.objects.update(sent_at=now)
    NotificationDelivery.objects.update(sent_at=now)
    registered(client_of("Agathe"), Browser(f"http://{HOST}:{port}/push"))
    with transaction.atomic():
        webhook_actions.add_webhook(
            correspond("Edmond"),
            webhook_actions.WebhookRequest(f"http://{HOST}:{port}/hook"),
            "a program",
            now,
        )


def warm() -> None:
    """Read once what each of the processes that come of this one needs."""
    from django.urls import reverse

    from talleyrand import rulebooks, variants
    from talleyrand.web.boards import adjudicator
    from talleyrand.web.games.game_history import initial_situation
    from talleyrand.web.mail.inbound import inbound_processing, smtp_server  # noqa: F401
    from talleyrand.web.mail.outbound import email_sending  # noqa: F401
    from talleyrand.web.mail.subscriptions import subscription_sweep  # noqa: F401 read for the children

    from . import accounts, deeds, sink  # noqa: F401

    sink.break_off()
    deeds.handler()
    for name in LATE:
        import_module(name)
    rulebooks.load("anjou_feu")
    reverse("games:all")
    asked = adjudicator.make_question(
        "classic", "anjou_feu", "1901", initial_situation(variants.load("classic"))
    )
    adjudicator.legal_orders(asked)
    adjudicator.adjudicate(asked, {power: list(lines) for power, lines in ORDERS.items()})


@dataclass
class Tally:
    """What has happened: how often each point was fired, and could have been."""

    fired: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    crashes: int = 0
    lives: int = 0
    deeds: int = 0
    sheets: int = 0
    arrived: Counter[str] = field(default_factory=Counter)
    twice: Counter[str] = field(default_factory=Counter)
    doubts: Counter[str] = field(default_factory=Counter)
    meetings: int = 0
    stood: int = 0
    starved: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def tried(self, name: str) -> float:
        """How often a point was fired; where nobody came to it any more, that counts less."""
        return self.fired[name] + self.missed[name] / 4


@dataclass
class Course:
    """A script, what it comes to after each deed, and which points each deed passes how often."""

    seed: str
    phases: int
    should: list[Any] = field(default_factory=list)
    passed: list[Counter[str]] = field(default_factory=list)


@dataclass
class Life:
    """A site, what was acknowledged on it, what mail it has sent, and how much is in doubt."""

    site: str
    facts: list[Any] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    doubts: Counter[str] = field(default_factory=Counter)

    def at(self, site: str) -> Life:
        """The same on a copy of its site."""
        return Life(site, [*self.facts], [*self.items], Counter(self.doubts))


@dataclass
class World:
    """The sites of one run: `first` is the one that all begin as; how far it is stands in tally.json."""

    place: Path
    sites: Any
    first: str
    sink: Any
    chance: Random
    tally: Tally = field(default_factory=Tally)

    @property
    def is_here(self) -> bool:
        """Whether the processes write their database themselves, rather than another that serves it."""
        from .forks import Files

        return isinstance(self.sites, Files)

    def course(self, course: Course, often: int) -> Course:
        """A life that nobody ends; from each of its moments others go on, until every point has fired so
        often, in all, of those that the next deed passes.
        """
        from . import deeds

        calm = Life(self.sites.copy(self.first))
        for step, deed in enumerate(script(course.seed, course.phases)):
            deed.begin(deeds.Moment(calm.site, step * EACH))
            self._arrived(calm, (), (), full=False)
            before = calm.at(self.sites.copy(calm.site))
            asked = deepcopy(deed)
            self._calm(course, calm, step, deed)
            for name in course.passed[step]:
                while self.tally.tried(name) < often and not self.tally.broken:
                    branch = before.at(self.sites.copy(before.site))
                    self._crash(course, branch, step, deepcopy(asked))
                    self._end(branch)
            if self.is_here and (often > 1 or step % 4 == 0):
                self._starve(course, before, step, deepcopy(asked))
            if isinstance(deed, deeds.Deadline):
                self._meet(course, before, step, deepcopy(asked), often)
            self.sites.drop(before.site)
        self._end(calm)
        return course

    def _meet(self, course: Course, before: Life, step: int, deed: Any, often: int) -> None:
        """Several processes believe that each is alone with what is due; every other time the first ends."""
        from .deeds import Moment
        from .forks import KILL, STOP, Fuse

        for number in range(3 * often):
            life, mine = before.at(self.sites.copy(before.site)), deepcopy(deed)
            (name,) = self._drawn(course.passed[step])[:1]
            how = (KILL, STOP, "")[number % 3]
            fuse = Fuse(name, how=how) if how else None
            ended = mine.together(Moment(life.site, step * EACH), OTHERS, fuse)
            died, stood = [name] if ended.is_killed else [], [name] if ended.has_stood else []
            mine.do(Moment(life.site, step * EACH, 2, is_last=True))
            self._count(died)
            self.tally.meetings += 1
            self.tally.stood += len(stood)
            self._check(course, life, step, mine, died, stood=stood)
            self._end(life)

    def _starve(self, course: Course, before: Life, step: int, deed: Any) -> None:
        """The disk is full from some point on, until whoever was at work has ended."""
        from .deeds import Moment
        from .forks import FULL, Fuse

        life = before.at(self.sites.copy(before.site))
        (name,) = self.chance.sample(sorted(course.passed[step]), 1)
        ended = deed.do(Moment(life.site, step * EACH), Fuse(name, how=FULL))
        deed.do(Moment(life.site, step * EACH, 2, is_last=True))
        self.tally.starved[("lived" if ended.status == 0 else "failed")] += 1
        self._check(course, life, step, deed, [], full=True)
        self._end(life)

    def _calm(self, course: Course, life: Life, step: int, deed: Any) -> None:
        from .deeds import Moment

        course.passed.append(deed.do(Moment(life.site, step * EACH)).passed)
        deed.do(Moment(life.site, step * EACH, 1, is_last=True))
        course.should.append(deed.found)
        self._check(course, life, step, deed, [])

    def life(self, course: Course) -> None:
        """A life in which each deed ends somebody."""
        from .deeds import Moment

        life = Life(self.sites.copy(self.first))
        for step, deed in enumerate(script(course.seed, course.phases)):
            deed.begin(Moment(life.site, step * EACH))
            self._crash(course, life, step, deed)
            if self.tally.broken:
                break
        self._end(life)

    def _end(self, life: Life) -> None:
        self.tally.lives += 1
        self.sites.drop(life.site)
        (self.place / "tally.json").write_text(json.dumps(vars(self.tally)))

    def _crash(self, course: Course, life: Life, step: int, deed: Any) -> None:
        """Have a deed done, over and over until nobody dies of it."""
        from .deeds import Moment
        from .forks import Fuse

        died: list[str] = []
        for name in self._drawn(course.passed[step]):
            nth = self.chance.randint(1, 1 if died else course.passed[step][name])
            if not deed.do(Moment(life.site, step * EACH, len(died)), Fuse(name, nth)).is_killed:
                self.tally.missed[name] += 1
                break
            died.append(name)
        deed.do(Moment(life.site, step * EACH, 1 + len(died), is_last=True))
        self._count(died)
        self._check(course, life, step, deed, died)

    def _count(self, died: list[str]) -> None:
        self.tally.fired.update(died)
        self.tally.crashes += len(died)

    def _drawn(self, passed: Counter[str]) -> list[str]:
        """Points of a deed, one after another: what was tried least goes first."""
        names = sorted(passed)
        self.chance.shuffle(names)
        names.sort(key=self.tally.tried)
        return names[: self.chance.randint(1, LONGEST)]

    def _check(
        self,
        course: Course,
        life: Life,
        step: int,
        deed: Any,
        died: list[str],
        *,
        stood: Sequence[str] = (),
        full: bool = False,
    ) -> None:
        """Hold a site against what it should be."""
        from . import accounts

        life.facts += deed.facts
        self.tally.sheets += sum("sheet" in one for one in deed.facts)
        self._arrived(life, [*died, *stood], stood, full=full)
        laws = accounts.broken(deed.found, course.should[step], life.facts, life.items, life.doubts)
        where = f"{course.seed}, deed {step} {deed!r}, died at {died}, stood at {stood}, full: {full}"
        self.tally.broken += [f"{where}: {law}" for law in laws]
        self.tally.deeds += 1

    def _arrived(self, life: Life, died: Sequence[str], stood: Sequence[str], *, full: bool) -> None:
        from .sink import PUSH

        fresh = self.sink.fresh()
        life.items += fresh
        self.tally.arrived.update(item.channel for item in fresh)
        once = {(item.channel, item.number) for item in fresh}
        self.tally.twice.update(Counter(item.channel for item in fresh) - Counter(one[0] for one in once))
        for channel, points in IN_DOUBT.items():
            doubts = sum(name in points for name in died)
            held = full + sum(name in IN_HAND.get(channel, ()) for name in stood)
            doubts += held * (HANDFUL if channel == PUSH else 1)
            life.doubts[channel] += doubts
            self.tally.doubts[channel] += doubts


def run(place: Path, count: int, seed: int, post: socket.socket, web: socket.socket) -> Tally:
    """At least so many crashes, and each point at least once."""
    from . import forks, sink

    sites = forks.sites(place)
    first = sites.first()
    port = web.getsockname()[1]
    forks.fork(first, lambda _say: prepare(port))
    gc.freeze()
    with sink.opened(place / "sink.jsonl", post, web) as outside:
        world = World(place, sites, first, outside, Random(seed))
        often, phases = 1 + count // 100, PHASES if count > SAMPLE else 1
        courses = [Course(f"{seed} {number}", phases) for number in range(1 + count // 1000)]
        for number, course in enumerate(courses, 1):
            world.course(course, number * often)
        while world.tally.crashes < count and not world.tally.broken:
            world.life(world.chance.choice(courses))
    return world.tally


def main(place: Path, count: int, seed: int) -> None:
    post, web = (socket.create_server((HOST, 0)) for _channel in range(2))
    os.environ |= {
        "TALLEYRAND_DATA": str(place),
        "TALLEYRAND_MAIL_DOMAIN": DOMAIN,
        "TALLEYRAND_MAIL_FROM": f"Talleyrand <site@{DOMAIN}>",
        "TALLEYRAND_SMTP": f"smtp://{HOST}:{post.getsockname()[1]}?tls=none",
        "TALLEYRAND_WEBHOOKS_LOCAL": "1",
        "DJANGO_SETTINGS_MODULE": "talleyrand.web.settings",
    }
    django.setup()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["testserver"]
    settings.MAILS_PER_MINUTE = 1_000_000
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    warm()
    tally = run(place, count, seed, post, web)
    print(json.dumps(vars(tally)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
