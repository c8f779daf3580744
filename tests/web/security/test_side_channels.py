"""What a player does in secret is told to others by no tag, length, number, stream or change of a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from talleyrand.web.games import order_submission
from talleyrand.web.mail import mailboxes
from talleyrand.web.mail.inbound import inbound_storage
from talleyrand.web.mail.models import MailboxPurpose
from talleyrand.web.notifications import signed_topics
from talleyrand.web.press.models import Conversation
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from tests import draws
from tests.web import cast
from tests.web.visibility import places
from tests.web.visibility.scene import Scene, opened

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
MADE = (".png", ".pdf")
OWN = ".ics"  # the address of a calendar is its reader's own
# What differs from one look to the next whatever happens: tokens of forms, signed words, styles.
VOLATILE = re.compile(
    r'csrfmiddlewaretoken" value="[^"]*|data-topics="[^"]*"|nonce="[^"]*"'
    r'|name="(?:submission|key|scripted)"[^>]*>'
    r'|data-(?:submission|key|token)="[^"]*"|DTSTAMP:\w+|data-(?:now|at)="[^"]*"'
)
FORM_TOKEN = re.compile(r'\.[\w-]{22}(?=")')  # at the end of the tag of a page with a form
TOPICS = re.compile(r'data-topics="([^"]*)"')
READERS = {"germany": "Gaspard", "visitor": "", "observer": cast.OBSERVER, "stranger": cast.STRANGER}
ONE_IN = 8  # of the addresses beside the first pages of a game, without `--full`

View = dict[str, tuple[int, str, int, str]]


def chosen(scene: Scene, draw: str, *, full: bool) -> list[str]:
    """The addresses that are looked at; those where much comes together always."""
    every = [path for path in places.every(scene.fresh()) if not path.endswith((*MADE, OWN))]
    base = f"/parties/{scene.game.key}/"
    first = {
        base,
        f"{base}2/",
        f"{base}messages/",
        f"{base}infos/",
        f"{base}infos/journal/",
        f"{base}game.json",
    }
    drawn = {every[at] for at in draws.one_in(ONE_IN, range(len(every)), draw)}
    return every if full else [path for path in every if path in first or path in drawn]


def seen(client: Client, paths: list[str]) -> View:
    """Of each address: status, tag, length and text, without what changes by itself."""
    found: View = {}
    for path in paths:
        answer: Any = client.get(path)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = body.decode("utf-8", "replace")
        for words in TOPICS.findall(text):
            found[f"{path} {_told(words)}"] = (0, "", 0, "")
        text = VOLATILE.sub("", text)
        found[path] = (
            answer.status_code,
            FORM_TOKEN.sub("", answer.get("ETag", "")) if "json" not in path else "",
            len(text),
            text,
        )
    return found


def _told(words: str) -> str:
    """The numbers that a page goes by, and a stream would tell of."""
    topics = {
        topic: number for topic, number in signed_topics._unsigned(words).items() if "session" not in topic
    }
    return signed_topics.event_id(topics)


def differs(before: View, after: View) -> dict[str, tuple[str, str]]:
    return {
        path: (_near(before.get(path), after.get(path)), _near(after.get(path), before.get(path)))
        for path in {*before, *after}
        if before.get(path) != after.get(path)
    }


def _near(one: Any, other: Any) -> str:
    """Where they part."""
    if one is None or other is None:
        return str(one and one[:3])
    text, beside = one[3], other[3]
    at = next((at for at, (a, b) in enumerate(zip(text, beside, strict=False)) if a != b), 0)
    return f"{one[:3]} …{text[max(0, at - 80) : at + 120]}…"


def drafts(scene: Scene) -> None:
    scene.draft("FRANCE", "A Mar-Spa", "A Bur-Mun")


def letter(scene: Scene) -> None:
    scene.write("Flora", "FRANCE", Recipients(ConversationKind.PAIR, ("FRANCE", "TURKEY")), "zz")


def reads(scene: Scene) -> None:
    room = Conversation.objects.get(game=scene.game, participants_key="FRANCE+GERMANY")
    assert scene.client("france").get(f"/parties/{scene.game.key}/messages/{room.key}/").status_code == 200


def looks(scene: Scene) -> None:
    assert scene.client("france").get(f"/parties/{scene.game.key}/").status_code == 200


def mails(scene: Scene) -> None:
    box = mailboxes.get_mailbox(MailboxPurpose.MESSAGE, scene.game, cast.person("Flora"), "FRANCE", "TURKEY")
    inbound_storage.store_email(b"Subject: a\r\n\r\nzz", [box], "a@b.fr", scene.now)


def hands_in_again(scene: Scene) -> None:
    scene.hand_in("FRANCE", "A Mar-Spa", "A Bur-Mun", "F Bre-MAO", number=2)


def first_sheet(scene: Scene) -> None:
    """Austria is ready: the others do not learn it before the phase is judged."""
    scene.hand_in("AUSTRIA", "A Vie-Gal", number=2)


def final_sheet(scene: Scene) -> None:
    order_submission.set_ready(scene.fresh(), "FRANCE", 2, final=True, at=scene.now)


def account(scene: Scene) -> None:
    """A password, an address, a language: nobody's business."""
    person = cast.person("Flora")
    person.set_password("un autre mot de passe")
    person.language, person.time_zone = "en", "Asia/Tokyo"
    person.save()


DEEDS: dict[str, Callable[[Scene], None]] = {
    "a draft": drafts,
    "a letter to a third": letter,
    "reading a letter": reads,
    "looking": looks,
    "a mail": mails,
    "another sheet than the first": hands_in_again,
    "the first sheet of a power": first_sheet,
    "a sheet that is final": final_sheet,
    "an account": account,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("who", READERS)
def test_nothing_tells_of_it(who: str, full: bool, draw: str) -> None:
    """One looks before and after the deeds of France and Austria: after each, or after all of them."""
    scene = opened()
    client = scene.client(who) if READERS[who] else Client()
    paths = chosen(scene, draw, full=full)
    seen(client, paths)  # the first look leaves traces of its own
    before = seen(client, paths)
    still = differs(before, seen(client, paths))
    assert still == {}, "what changes by itself hides what is told"
    wrong = {}
    for names in [[name] for name in DEEDS] if full else [list(DEEDS)]:
        with transaction.atomic():
            for name in names:
                DEEDS[name](scene)
            wrong[", ".join(names)] = differs(before, seen(client, paths))
            transaction.set_rollback(True)
    assert {name: told for name, told in wrong.items() if told} == {}


SHOWN = {"the first sheet of a power", "a sheet that is final"}


@pytest.mark.parametrize("who", READERS)
def test_a_game_that_shows_who_has_submitted_tells_that_alone(who: str) -> None:
    """Every other deed changes nothing for anybody."""
    scene = opened()
    game = scene.fresh()
    game.settings_json = {**game.settings_json, "submissions_shown": True}
    game.save(update_fields=["settings_json"])
    client = scene.client(who) if READERS[who] else Client()
    paths = [f"/parties/{scene.game.key}/", f"/parties/{scene.game.key}/now.json"]
    seen(client, paths)
    before = seen(client, paths)
    told = set()
    for name, deed in DEEDS.items():
        with transaction.atomic():
            deed(scene)
            if differs(before, seen(client, paths)):
                told.add(name)
            transaction.set_rollback(True)
    assert told == SHOWN


def test_a_deed_that_all_may_see_is_seen() -> None:
    """So that the test above can fail: a letter to all changes what Germany sees."""
    scene = opened()
    client, path = (
        scene.client("germany"),
        [f"/parties/{scene.game.key}/", f"/parties/{scene.game.key}/messages/"],
    )
    seen(client, path)
    before = seen(client, path)
    scene.write("Flora", "FRANCE", Recipients(ConversationKind.ALL), "zz")
    assert differs(before, seen(client, path))
