"""A game round a table with a secret in each place where one may hide, at each moment of its evening."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from talleyrand.web.games import game_lifecycle, order_submission, phase_adjudication
from talleyrand.web.games.models import Game, OrderSet
from talleyrand.web.tables import table_reading, table_seats
from talleyrand.web.tables.models import Table, TablePlayer
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.addresses import named_addresses
from tests.web.tables import phones
from tests.web.visibility import places

# Who sits where, in the order of the seats; Turkey is played by an account that is not in the room.
SEATED = {
    "AUSTRIA": "Zzanna",
    "ENGLAND": "Zzbela",
    "FRANCE": "Zzcarlo",
    "GERMANY": "Zzdora",
    "ITALY": "Zzemil",
    "RUSSIA": "Zzfanny",
}
REMOTE, STRANGER, ADMINISTRATOR = "Flora", cast.STRANGER, "Adèle"
# Who looks: the letters are those of `test_tables`.
READERS = {
    "F": "France’s phone, which wrote most of it",
    "E": "the neighbour’s phone, whose PIN is asked for",
    "G": "Germany’s second phone",
    "g": "the phone that had Germany’s seat before",
    "R": "the phone of a referee who plays Russia",
    "T": "the account that plays Turkey from afar",
    "a": "the laptop of the referee who plays no power",
    "s": "a device that shows the room’s screen",
    "x": "a stranger on the hotspot",
    "A": "the site’s administrator",
}
MARKS = {
    "published": "zz-published-france",
    "open_sheet": "zz-open-france",
    "replaced_sheet": "zz-replaced-france",
    "open_draft": "zz-draft-germany",
    "referees_sheet": "zz-open-russia",
    "remote_sheet": "zz-open-turkey",
    "late_for_spring": "zz-late-france",
    "late_for_fall": "zz-late-italy",
    "pin": "zz-pin-E",
    "code": "ZZ2345",
    "seat_of_phone": "zz-token-of-a-seat-with-a-phone",
    "free_seat": "zz-token-of-a-seat-that-is-free",
    "name": "Zzanna",
}
LATE_KEY = "late-0123456789abcdef"


@dataclass
class TableScene:
    """A table at a moment, with the browser of each reader."""

    table: Table
    clients: dict[str, Client]
    by_power: dict[str, Client]

    @property
    def game(self) -> Game:
        return Game.objects.get(pk=self.table.game.pk)

    def seat(self, power: str) -> TablePlayer:
        return self.table.players.get(person__tenures__seat__power=power, person__tenures__ended_at=None)

    def hand_in(self, power: str, *lines: str, number: int) -> OrderSet:
        count = self.game.sheets.count()
        return order_submission.submit_orders(
            self.game,
            power,
            lines,
            number=number,
            key=f"{power}-{number}-{count}-a-long-key",
            origin="text",
            at=timezone.now(),
            by=self.seat(power).person,
        )

    def draft(self, power: str, *lines: str) -> None:
        game = self.game
        order_submission.change_draft(
            game, power, game.phase_number, lambda _question, _draft: {power: list(lines)}, timezone.now()
        )

    def late(self, power: str, line: str, number: int) -> None:
        sent = {"lines": [line], "changes": [], "submission": f"{LATE_KEY}{number}", "ago": 60}
        path = reverse("tables:late", args=[self.table.game.key, number, power])
        answer = self.by_power[power].post(path, json.dumps(sent), content_type="application/json")
        assert answer.status_code == 200, answer.content.decode()

    def phone_keys(self) -> list[str]:
        """The keys that phones keep in their sessions: on no page at all."""
        found = [dict(one.session).get(table_seats.SEATS_SESSION_KEY, {}) for one in self.clients.values()]
        return [key for kept in found for key in kept.values()]


def waiting() -> TableScene:
    """All have come; Germany’s seat has moved to another phone by its PIN; a PIN is asked for England’s."""
    table, laptop = phones.open_table(dealing="seated")
    Table.objects.filter(pk=table.pk).update(code=MARKS["code"])
    table = Table.objects.select_related("game", "host").get(pk=table.pk)
    by_power = {power: phones.phone_of(table, name) for power, name in SEATED.items()}
    _play_from_afar(table)
    other = _second_phone(table, "GERMANY")
    table.players.filter(number=1).update(seat_token=MARKS["seat_of_phone"], is_beginner=True)
    soon = timezone.now() + timedelta(hours=1)
    table.players.filter(number=2).update(pin=MARKS["pin"], pin_until=soon)
    table.players.filter(number=6).update(is_referee=True)
    screen = Client()
    assert screen.get(reverse("tables:screen_door", args=[table.screen_code])).status_code == 302
    clients = {
        "F": by_power["FRANCE"],
        "E": by_power["ENGLAND"],
        "G": other,
        "g": by_power["GERMANY"],
        "R": by_power["RUSSIA"],
        "T": cast.client_of(REMOTE),
        "a": laptop,
        "s": screen,
        "x": Client(),
        "A": cast.client_of(ADMINISTRATOR),
    }
    return TableScene(table, clients, {**by_power, "GERMANY": other})


def _play_from_afar(table: Table) -> None:
    seat = table.players.get(number=7)
    seat.seat_token = MARKS["free_seat"]
    seat.save()
    path = reverse("tables:play_from_afar", args=[table.game.key, 7, seat.seat_token])
    assert cast.client_of(REMOTE).post(path).status_code == 302
    administrator = cast.person(ADMINISTRATOR)
    administrator.is_administrator = True
    administrator.save()
    Webhook.objects.create(
        person=cast.person(REMOTE),
        address="https://example.org/talleyrand",
        submission_id="a form",
        created_at=timezone.now(),
    )


def _second_phone(table: Table, power: str) -> Client:
    """The seat of a power moves to another phone."""
    seat, phone = table.players.get(number=list(SEATED).index(power) + 1), Client()
    asked = table_seats.ask_for_pin(seat, timezone.now())
    path = reverse("tables:move", args=[table.game.key, seat.number])
    assert phone.post(path, {"pin": asked.pin}).status_code == 302
    return phone


def writing() -> TableScene:
    """Spring has been read, its late orders are undecided; the clock runs, and people write for autumn."""
    scene = waiting()
    laptop, key = scene.clients["a"], scene.table.game.key
    assert laptop.post(reverse("tables:start", args=[key])).status_code == 302
    scene.hand_in("FRANCE", "A Par-Bur", MARKS["published"], number=1)
    phase_adjudication.adjudicate_phase(scene.game, 1, timezone.now())
    scene.late("FRANCE", MARKS["late_for_spring"], 1)
    laptop.post(reverse("tables:reading", args=[key, "finish"]))
    game_lifecycle.resume_game(scene.game, timezone.now())
    scene.hand_in("FRANCE", MARKS["replaced_sheet"], number=2)
    scene.hand_in("FRANCE", "A Mar-Pie", MARKS["open_sheet"], number=2)
    scene.hand_in("RUSSIA", MARKS["referees_sheet"], number=2)
    scene.hand_in("TURKEY", MARKS["remote_sheet"], number=2)
    scene.hand_in("ITALY", "A Ven H", number=2)
    scene.draft("GERMANY", MARKS["open_draft"])
    return scene


def after_the_bell() -> TableScene:
    """The bell has rung, some are missing, and what Italy’s phone had comes late."""
    scene = writing()
    rung = timezone.now() - timedelta(minutes=1)
    Game.objects.filter(pk=scene.table.game.pk).update(deadline=rung, is_waiting=True)
    OrderSet.objects.filter(game=scene.table.game).update(received_at=rung - timedelta(minutes=1))
    scene.late("ITALY", MARKS["late_for_fall"], 2)
    return scene


def reading() -> TableScene:
    """Autumn is resolved, and its orders are about to be read."""
    scene = after_the_bell()
    phase_adjudication.adjudicate_phase(scene.game, 2, timezone.now())
    return scene


def read_together() -> TableScene:
    """The room looks at all orders of autumn at once."""
    scene = reading()
    table = Table.objects.select_related("game").get(pk=scene.table.pk)
    table_reading.turn_reading(table, "all", clock_ran=False)
    return scene


def ended() -> TableScene:
    scene = reading()
    game_lifecycle.end_game(scene.game, {"kind": "over", "powers": []}, timezone.now() + timedelta(minutes=1))
    return scene


MOMENTS: dict[str, Callable[[], TableScene]] = {
    "waiting": waiting,
    "writing": writing,
    "after_the_bell": after_the_bell,
    "reading": reading,
    "read_together": read_together,
    "ended": ended,
}
SLOW = (".pdf", ".png", ".apng")  # made in a second each, of what the pages show


def table_addresses(key: str) -> list[str]:
    """The addresses of a table by its key, as a stranger may guess at them who has no code and no token."""
    values: dict[str, list[object]] = {
        "key": [key],
        "code": ["ZZZZZZ"],
        "class_key": ["zz-nobodys-class"],
        "token": ["zz-nobodys-token"],
        "number": [0, 1, 2, 7],
        "power": ["FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"],
        "province": ["PAR"],
        "act": ["next"],
    }
    return [path for path in _paths("tables:", values) if not path.endswith(SLOW)]


def game_addresses(scene: TableScene) -> list[str]:
    """All other addresses that may show something of the game."""
    every = places.every(scene.game)
    return [path for path in every if not path.endswith(SLOW)]


def _paths(space: str, values: dict[str, list[object]]) -> Iterator[str]:
    with override("fr"):
        for name, arguments in named_addresses():
            if name.startswith(space):
                for several in itertools.product(*(values[one] for one in arguments)):
                    yield reverse(name, kwargs=dict(zip(arguments, several, strict=True)))
