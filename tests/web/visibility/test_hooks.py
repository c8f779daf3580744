"""The visibility matrix, asked of webhooks: what is told to each reader's program, and to whom it leaves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import timezone

from talleyrand.web.notifications import outbox, topic_versions
from talleyrand.web.notifications.notification_kinds import KINDS, group_of
from talleyrand.web.press.models import Conversation
from talleyrand.web.webhooks import webhook_actions, webhook_events, webhook_sending
from talleyrand.web.webhooks.models import WebhookCall
from tests.web import cast
from tests.web.visibility.scene import AT, MARKS, MOMENTS, NAMES, WHO, Scene

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
READERS = [who for who, name in WHO.items() if name]
ROLES = {"observer", "assistant", "master", "france", "germany", "russia", "stood_in", "stand_in"}
DESK = {"assistant", "master"}
# What happens in the scene, and who hears of it by the program of his own.
HEARD = {
    "published": ROLES - {"russia", "stand_in"} | {"replaced", "held_another"},
    "letter": {"france", "germany", "master", "replaced", "stood_in", "held_another"},
    "letter_held": {"master"},
    "letter_returned": {"france"},
}
ALLOWED = {"game", "page", *webhook_events.FACTS}
POISON = "zz-secret"


def bodies(who: str) -> list[str]:
    return list(
        WebhookCall.objects.filter(webhook__person=cast.person(WHO[who])).values_list("body", flat=True)
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("moment", MOMENTS)
def test_what_programs_are_told(moment: str) -> None:
    """Nothing written and nobody’s name, even of what a reader may see: codes and dates alone."""
    AT[moment]()
    for who in READERS:
        told = "\n".join(bodies(who))
        assert [mark for mark in (*MARKS.values(), *NAMES, *WHO.values()) if mark and mark in told] == [], who
        for one in bodies(who):
            assert set(json.loads(one)["data"]) <= ALLOWED


def test_who_is_told_what() -> None:
    AT["open"]()
    heard = {kind: {who for who in READERS if kind in kinds(who)} for kind in HEARD}
    assert heard == HEARD


def kinds(who: str) -> set[str]:
    return {json.loads(one)["type"] for one in bodies(who)}


def test_letters_tell_nobody_else_of_each_other() -> None:
    """A letter from France to Germany is news for Germany’s player: by its power and its room, no more."""
    scene = AT["open"]()
    rooms = {
        tuple(room.powers): f"/{scene.game.key}/messages/{room.key}/" for room in Conversation.objects.all()
    }
    pair, with_russia = rooms["FRANCE", "GERMANY"], rooms["FRANCE", "RUSSIA"]
    told = {who: "\n".join(bodies(who)) for who in READERS}
    assert [who for who in READERS if pair in told[who]] == ["france", "germany"]
    assert [who for who in READERS if with_russia in told[who]] == ["replaced"]


@pytest.mark.long
@pytest.mark.parametrize("listed", [True, False])
def test_every_kind_leaves_for_those_whom_it_concerns(listed: bool, record_property: Any) -> None:
    """Told to everybody by mistake, with secrets in each fact: the words stay here, and so does the news of
    those who may not hear it when it leaves.
    """
    scene = AT["open"]()
    scene.game.is_listed = listed
    scene.game.save(update_fields=["is_listed"])
    WebhookCall.objects.all().delete()
    wrong, asked = {}, 0
    for kind in webhook_actions.webhook_kinds():
        tell_all(scene, kind)
        for row in WebhookCall.objects.filter(kind=kind).select_related("webhook__person", "webhook__game"):
            asked += 1
            who = next(one for one in READERS if WHO[one] == row.webhook.person.name)
            assert POISON not in row.body
            leaves = webhook_sending._dropped(row, timezone.now()) == ""
            if leaves != may_hear(kind, who, listed=listed):
                wrong[kind, who] = leaves
    record_property("asked", f"webhooks, listed {listed}: {asked} calls to {len(READERS)} readers")
    assert (wrong, asked) == ({}, len(READERS) * len(webhook_actions.webhook_kinds()))


def tell_all(scene: Scene, kind: str) -> None:
    about = "site" if kind.startswith("alarm_") else topic_versions.game_topic(scene.game.key)
    words = ("reason", "trouble", "room", "misfit", "game", "power", "phase", "due", "result", "outcome")
    facts = {**dict.fromkeys(words, POISON), "powers": [POISON], "count": POISON, "number": POISON}
    people = [cast.person(WHO[who]).pk for who in READERS]
    outbox.notify(people, kind, facts, about=about, path="/x/", once=f"every kind: {kind}")


def may_hear(kind: str, who: str, *, listed: bool) -> bool:
    if kind.startswith("alarm_"):
        return who == "administrator"
    if group_of(kind) == "desk":
        return who in DESK
    if group_of(kind) in ("deadlines", "letters", "votes"):
        return who in ROLES
    return listed or who in ROLES


def test_every_kind_is_one_that_can_be_asked_for() -> None:
    assert set(webhook_actions.webhook_kinds()) == set(KINDS) - {"webhook_paused"}
