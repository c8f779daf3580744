"""Whose each row of the database is, so that a test sees when somebody changes what is another's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey, Model, OneToOneField

from talleyrand.web.accounts.models import Person
from talleyrand.web.games.finding_models import PlayerGroup

# What anybody may change by what he does: counters, caches, boards without an account, what is due.
SHARED = {
    "accounts_counted",
    "background_generateddocument",
    "django_session",
    "games_playerqueue",
    "notices_topicversion",
    "practice_practicebottask",
    "practice_practicegame",
    "practice_practiceturn",
}
# What others hear of what one does.
TOLD = {
    "notices_notification",
    "notices_notificationdelivery",
    "webhooks_webhookcall",
    "push_pushmessage",
    "mail_outboundemail",
}
POWERS = ("power", "proposer", "author_power", "signature")
# What is asked of a game as a whole: when it is looked at next, and what of it counts.
SUMMED = {
    "games_game": {"next_check_at", "version", "is_waiting", "receipt_count"},
    # What is in it is looked at in its journal.
    "tournaments_tournament": {"document", "state_token", "version"},
}
JOURNAL = "tournaments_journalentry"

Key = tuple[str, object]


@dataclass(frozen=True)
class Row:
    """A row, and whose it is: people, and a power of the game."""

    values: dict[str, object]
    people: frozenset[int]
    power: str = ""

    def is_of(self, person: int, power: str) -> bool:
        return person in self.people or (bool(power) and self.power == power)


Rows = dict[Key, Row]


def rows(tables: Iterable[str] | None = None) -> Rows:
    """All rows of these tables, or of all that are somebody's."""
    wanted = None if tables is None else set(tables)
    return {
        (model._meta.db_table, one.pk): _row(one)
        for model in apps.get_models()
        if model._meta.db_table not in SHARED and (wanted is None or model._meta.db_table in wanted)
        for one in model._default_manager.all()
    }


def taken(
    before: Rows, tables: Iterable[str], person: int, power: str = "", number: int = 0
) -> Iterator[str]:
    """What is another's and has been changed or deleted, and what somebody else has now that they had not.

    `number`: who the person is in a tournament.
    """
    wanted = set(tables) - SHARED
    now = rows(wanted)
    for key in {key for key in before if key[0] in wanted} | set(now):
        was, made = before.get(key), now.get(key)
        if was is not None and (made is None or _differ(key[0], was, made)):
            if not was.is_of(person, power):
                yield f"{key[0]} {_told(was, made)}"
        elif was is None and made is not None and key[0] == JOURNAL:
            yield from _others(made, number)
        elif was is None and key[0] not in TOLD and made and made.people and not made.is_of(person, power):
            yield f"{key[0]} made for another"


def _others(entry: Row, number: int) -> Iterator[str]:
    """What of others an entry of a tournament's journal changes; something new is nobody's yet."""
    changes: Any = entry.values["changes"]
    for change in changes:
        if change["before"] and str(number) not in change["at"]:
            yield f"{JOURNAL} {'/'.join(change['at'])}"


def _differ(table: str, was: Row, made: Row) -> bool:
    return any(
        value != made.values[name] for name, value in was.values.items() if name not in SUMMED.get(table, ())
    )


def _told(was: Row, made: Row | None) -> str:
    if made is None:
        return "deleted"
    return ", ".join(sorted(name for name, value in was.values.items() if value != made.values[name]))


def _row(one: Model) -> Row:
    values = {field.attname: _plain(getattr(one, field.attname)) for field in one._meta.concrete_fields}
    power = next((str(getattr(one, name)) for name in POWERS if getattr(one, name, "")), "")
    return Row(values, frozenset(_people(one)), power)


def _plain(value: Any) -> object:
    return bytes(value) if isinstance(value, memoryview) else value


def _people(one: Model, deep: int = 2) -> Iterator[int]:
    """The people that a row names, or that what it belongs to names."""
    if isinstance(one, Person):
        yield one.pk
        return
    if isinstance(one, PlayerGroup):
        yield from one.members.filter(is_owner=True).values_list("person", flat=True)
    for field in one._meta.concrete_fields:
        if not isinstance(field, ForeignKey | OneToOneField):
            continue
        if issubclass(field.related_model, Person):
            if (found := getattr(one, field.attname)) is not None:
                yield found
        elif (
            deep
            and field.related_model.__name__ not in ("Variant", "Tournament")
            and (above := getattr(one, field.name))
        ):
            yield from _people(above, deep - 1)
