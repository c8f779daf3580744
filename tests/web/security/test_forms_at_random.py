"""Forms filled at random by a seed: never a fault of ours, nor a change of what is another's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from talleyrand.web.tournaments import access_tokens
from talleyrand.web.tournaments.models import Tournament
from tests.web import cast
from tests.web.security import belonging, hostile_values
from tests.web.security.asking import fields
from tests.web.security.forms import Reader
from tests.web.security.places import CHIEF, Place, Site, drawn
from tests.web.security.writes import written

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "zzborder"
EACH, EACH_FULL = 1, 40  # drawn for each form, for each address and for each call
ONE_IN = 4  # of the pages and of the addresses, without `--full`
# Fields that some other form has: whoever sends one here would change something by it.
SMUGGLED = (
    "id",
    "pk",
    "person",
    "power",
    "by",
    "role",
    "game",
    "key",
    "number",
    "is_administrator",
    "at",
    "name",
)
PASS = 1  # whose link of the tournament the visitor has
ACTORS = {"": "", "Flora": "FRANCE", "Renaud": "RUSSIA", cast.STRANGER: "", cast.OBSERVER: ""}


@dataclass
class Door:
    """Where something can be sent: an address, the fields it reads, and what they hold by themselves."""

    path: str
    held: dict[str, str] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    files: bool = False


@dataclass
class Attack:
    """Somebody who sends at random."""

    site: Site
    name: str
    lot: Random
    wrong: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    known: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = self.fresh()
        self.before = belonging.rows()

    @property
    def own(self) -> int:
        return cast.person(self.name).pk if self.name else 0

    def fresh(self) -> Client:
        client = self.site.client(self.name)
        client.raise_request_exception = False
        if self.name == "":  # a player of the tournament by his link
            session = client.session
            made = Tournament.objects.get(name="Angers 2026")
            session[access_tokens.TOKENS_SESSION_KEY] = {made.key: "zz-pass-of-the-player"}
            session.save()
        return client

    def send(self, door: Door) -> None:
        """One request; whatever it does is looked at, and undone."""
        sent = self._filled(door)
        kind, body = _multipart(self.lot, sent) if door.files else (FORM, _encoded(sent))
        self._judged(door.path, lambda: self.client.generic("POST", door.path, body, content_type=kind), sent)
        if self.name and "_auth_user_id" not in self.client.session:
            self.client = self.fresh()

    def _judged(self, path: str, ask: Any, sent: object) -> None:
        name = resolve(path).view_name
        with transaction.atomic():
            with written() as tables:
                answer = ask()
            self.asked += 1
            if answer.status_code >= 500 and not name.startswith("signs:"):
                self.wrong.setdefault(f"{name} {answer.status_code}", str(sent)[:300])
                transaction.set_rollback(True)
                return
            found = set(
                belonging.taken(
                    self.before, tables, self.own, ACTORS.get(self.name, ""), PASS if not self.name else 0
                )
            )
            for one in found:
                if not _agreed(name, one):
                    self.wrong.setdefault(f"{name}: {one}", str(sent)[:300])
            transaction.set_rollback(True)

    def _filled(self, door: Door) -> list[tuple[str, str]]:
        sent = [(name, _quoted(value)) for name, value in door.held.items() if self.lot.random() > 0.1]
        some = [name for name in door.names if self.lot.random() < 0.7]
        sent += [(name, hostile_values.typed(self.lot, self.known)) for name in some]
        for at, (name, _value) in enumerate(sent):
            if self.lot.random() < 0.15:
                sent[at] = (name, hostile_values.typed(self.lot, self.known))
        if self.lot.random() < 0.3:
            sent.append((self.lot.choice(SMUGGLED), hostile_values.typed(self.lot, self.known)))
        self.lot.shuffle(sent)
        return sent


def _quoted(value: str) -> str:
    from urllib.parse import quote_plus

    return quote_plus(value)


def _encoded(sent: list[tuple[str, str]]) -> bytes:
    return "&".join(f"{_quoted(name)}={value}" for name, value in sent).encode("ascii")


def _multipart(lot: Random, sent: list[tuple[str, str]]) -> tuple[str, bytes]:
    from urllib.parse import unquote_to_bytes

    parts = b""
    for name, value in sent:
        file = (
            f'; filename="{lot.choice(("a.txt", "../a", "a%00.zip", "a.png"))}"' if lot.random() < 0.3 else ""
        )
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        parts += head.encode("utf-8", "replace") + unquote_to_bytes(value.replace("+", " ")) + b"\r\n"
    return f"multipart/form-data; boundary={BOUNDARY}", parts + f"--{BOUNDARY}--\r\n".encode()


# What is open to everybody: a seat that nobody has, a tournament that takes people; to whoever has the code
# of a table or the address of a seat, as these have, a seat as long as no phone is there, and a PIN.
AGREED = {
    ("games:enter", "games_gameseat in_civil_disorder"),
    ("games:join", "games_gameseat in_civil_disorder"),
    ("tables:door", "accounts_person folded_name, name"),
    ("tables:door", "tables_tableplayer phone_digest"),
    ("tables:seat", "tables_tableplayer phone_digest"),
    ("tables:move", "tables_tableplayer pin, pin_until"),
    ("tables:play_from_afar", "accounts_person deleted"),
    ("tables:play_from_afar", "games_gamemembership person_id"),
    ("tables:play_from_afar", "games_powerassignment person_id"),
    ("tables:play_from_afar", "tables_tableplayer person_id"),
}


def _agreed(name: str, told: str) -> bool:
    return any(name == known and told.startswith(begin) for known, begin in AGREED)


def doors(attack: Attack, pages: list[Place]) -> Iterator[Door]:
    """Each form of each of these pages that he sees, and each address as it is."""
    known: set[object] = set()
    for place in pages:
        if place.slow:
            continue
        answer = attack.client.get(place.path)
        if answer.streaming or "html" not in answer.headers.get("Content-Type", ""):
            continue
        for form in Reader(answer.content.decode(), place.path).forms:
            action = form.action.partition("?")[0]
            attack.known += [value for value in form.held.values() if 0 < len(value) < 60]
            if form.method != "post" or form.known in known or not action.startswith("/"):
                continue
            known.add(form.known)
            for held in [{**form.held, name: value} for name, value in form.buttons] or [form.held]:
                yield Door(action, held, sorted(form.typed), files="file" in str(form.typed))


def bare(attack: Attack, place: Place) -> Door:
    """An address with all fields that it turns out to read, whether he has a form for it or not."""

    def ask(sent: dict[str, str]) -> Any:
        with transaction.atomic():
            answer = attack.client.post(place.path, sent)
            transaction.set_rollback(True)
        return answer

    names, _answers = fields(ask, "1")
    attack.client = attack.fresh()
    return Door(place.path, {}, sorted(names), files=attack.lot.random() < 0.3)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", ACTORS)
def test_forms(site: Site, name: str, seed: int, draw: str, full: bool, record_property: Any) -> None:
    """As a page has them, but for what is drawn."""
    attack = Attack(site, name, Random(f"{seed} forms {name}"))
    pages = site.places if full else drawn(site.places, draw, f"forms {name}", ONE_IN)
    for door in list(doors(attack, pages)):
        for _ in range(EACH_FULL if full else EACH):
            attack.send(door)
    assert attack.wrong == {}
    record_property("asked", f"security: {attack.asked} forms of {name or 'a visitor'} filled at random")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["Flora", cast.STRANGER, CHIEF])
def test_addresses(site: Site, name: str, seed: int, draw: str, full: bool, record_property: Any) -> None:
    """Sent without a form. The game master may change much: for him it is no fault of ours."""
    attack = Attack(site, name, Random(f"{seed} addresses {name}"))
    places = [*{place.name: place for place in site.places if not place.slow}.values()]
    attack.known += ["FRANCE", "GERMANY", str(cast.person("Gaspard").pk), site.scene.game.key]
    for place in places if full else drawn(places, draw, f"addresses {name}", ONE_IN):
        door = bare(attack, place)
        for _ in range(EACH_FULL if full else EACH):
            attack.send(door)
    faults = (
        {one: sent for one, sent in attack.wrong.items() if " 50" in one} if name == CHIEF else attack.wrong
    )
    assert faults == {}
    record_property("asked", f"security: {attack.asked} addresses sent at random by {name}")


@pytest.mark.parametrize("whose", ["Gaspard", "Flora"])
def test_what_is_taken_is_noticed(site: Site, whose: str) -> None:
    """So that the tests above can fail."""
    before = belonging.rows()
    seat = site.scene.game.seats.get(power=cast_power(whose))
    seat.is_ready = True
    seat.save()
    found = list(belonging.taken(before, ["games_gameseat"], cast.person("Flora").pk, "FRANCE"))
    assert bool(found) == (whose != "Flora")


def cast_power(name: str) -> str:
    return next(power for power, player in cast.PLAYERS.items() if player == name)
