"""A ban and its person who joins at the same moment: never banned and waiting for a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event
from types import ModuleType

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from talleyrand.web.accounts import personal_data
from talleyrand.web.accounts.models import Person
from talleyrand.web.conduct import bans
from talleyrand.web.conduct.models import DepartedAccount, Measure
from talleyrand.web.games import game_entry
from talleyrand.web.games.finding_models import QueuePlace
from talleyrand.web.games.lobby import membership_actions, newcomer_limits, player_queues
from talleyrand.web.moderation.moderation_actions import ModerationAct, ModerationRefusal, act_on
from tests.web.cast import STRANGER, person
from tests.web.games.tables import made, roles
from tests.web.games.test_table_races import together

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 2  # seconds: where the ban waits for whoever joins, they do not wait for it


def ban_between(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, check: str, banned: Person
) -> Callable[[], None]:
    """Has a check of a door come to its end before a ban, and the door go on after it: what bans them."""
    asked, done, first, moderator = Event(), Event(), getattr(module, check), person(STRANGER)

    def slow(*about: object) -> str:
        why: str = first(*about)
        asked.set()
        done.wait(PATIENCE)
        return why

    def ban() -> None:
        asked.wait(PATIENCE)
        act_on(banned, ModerationAct("ban", "zz", 7), moderator)
        done.set()

    monkeypatch.setattr(module, check, slow)
    return ban


def test_joining_while_one_is_banned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ban comes when the door has been asked: it waits, and takes the person out again."""
    roman, game, other = person("Roman"), made("Flora"), made("Flora")
    membership_actions.join_game(other, roman)
    ban = ban_between(monkeypatch, game_entry, "why_kept_out", roman)
    together(lambda: membership_actions.join_game(game, roman), ban)
    assert bans.running_ban(roman)
    assert "Roman" not in roles(game) | roles(other)


def test_waiting_in_a_queue_while_one_is_banned(monkeypatch: pytest.MonkeyPatch) -> None:
    roman = person("Roman")
    ban = ban_between(monkeypatch, newcomer_limits, "why_no_more_games", roman)
    together(lambda: player_queues.join_queue("silent", roman, timezone.now()), ban)
    assert bans.running_ban(roman)
    assert not QueuePlace.objects.exists()


def test_many_at_once_wait_for_each_other_in_one_order() -> None:
    """People join, leave and are banned all at once: each comes to its end."""
    people = [person(f"Passant {number}") for number in range(3)]
    games, moderator = [made("Flora"), made("Flora")], person(STRANGER)
    works: list[Callable[[], object]] = []
    for one in people:
        works += [partial(membership_actions.join_game, game, one) for game in games]
        works.append(partial(act_on, one, ModerationAct("ban", "zz", 7), moderator))
    found = together(*works)
    assert {one for one in found if isinstance(one, str)} <= {"banned"}
    assert len(bans.banned_among([one.pk for one in people])) == 3
    assert [roles(game) for game in games] == [{"Flora": "player"}] * 2


def test_leaving_the_site_while_one_is_banned(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ban comes when the account is going: it waits with its address, or finds nobody any more."""
    roman, moderator = person("Roman"), person(STRANGER)
    EmailAddress.objects.create(user=roman, email="roman@exemple.fr", verified=True, primary=True)
    asked, banned, first, came = Event(), Event(), bans.running_ban, list[str]()

    def slow(whom: Person) -> Measure | None:
        found = first(whom)
        asked.set()
        banned.wait(PATIENCE)
        return found

    def ban() -> None:
        asked.wait(PATIENCE)
        try:
            act_on(person("Roman"), ModerationAct("ban", "zz", 7), moderator)
        except ModerationRefusal as refused:
            came.append(refused.code)
        banned.set()

    monkeypatch.setattr(bans, "running_ban", slow)
    together(partial(personal_data.delete_account, roman), ban)
    assert came == ["gone"] or DepartedAccount.objects.exclude(ban_ends_at=None).exists()
    assert not Person.objects.filter(name="Roman", pk=roman.pk).exists()
