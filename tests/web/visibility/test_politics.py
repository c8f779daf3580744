"""What a game with votes tells whom: proposals to all once they are sent, ballots and aid to nobody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from talleyrand.web.games import deadline_clock, order_submission
from talleyrand.web.games.models import Game
from talleyrand.web.press import message_actions
from talleyrand.web.press.press_rules import ConversationKind, Recipients
from talleyrand.web.webhooks.models import Webhook
from tests.web import cast
from tests.web.built_once import built_once
from tests.web.games.states import UN, begun, fresh, hand_in, played, player
from tests.web.visibility import places
from tests.web.visibility.test_matrix import PICTURES, read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]
WHO = {
    "v": "",
    "o": cast.OBSERVER,
    "a": cast.ASSISTANT,
    "m": cast.MASTER,
    "U": player("UMAR"),
    "I": player("INDE"),
}
# Each with the letters of those who find it somewhere; the game master has the seat of the UN.
EVERYBODY = "voamUI"
PROPOSING = {
    "Motion de confiance : Russie, +20 pV": EVERYBODY,  # UMAR has sent it
    "zz-argument-umar": EVERYBODY,  # and argues for it
    "zz-argument-held": "mI",  # this waits for the game master
    "zz-remark-umar": "mU",  # and this with it, which is no proposal
    "zz-draft-inde": "I",
    "zz-draft-un": "m",
}
VOTING = {
    "Motion de confiance : Russie, +20 pV": EVERYBODY,
    "zz-argument-umar": EVERYBODY,
    "zz-argument-held": "mI",
    "zz-ballot-umar": "mU",
    "1) UMAR": "mU",
    "Aide : 3 : COL": "",
    "Aide : 3 : MEXI": "m",
    "zz-draft-inde": "I",
    "zz-draft-un": "m",
    "Adopté : le plus de voix.": "",
}
SETTLED = {
    "zz-argument-umar": EVERYBODY,
    "zz-argument-held": "mI",
    "Motion de confiance : Russie, +20 pV": EVERYBODY,
    "Adopté : le plus de voix.": EVERYBODY,
    "Vote politique : Union du Maghreb arabe": "",
    "vote politique : Union du Maghreb arabe": EVERYBODY,
}


def draft(game: Game, power: str, *lines: str) -> None:
    now = fresh(game)
    assert now.phase_opened_at is not None
    order_submission.change_draft(
        now, power, now.phase_number, lambda _question, _draft: {power: list(lines)}, now.phase_opened_at
    )


def argue(game: Game, power: str, text: str, doubts: tuple[message_actions.HoldReason, ...] = ()) -> None:
    written = message_actions.MessageDraft(text, power, text, hold_reasons=doubts, proposal_key="3.1.UMAR")
    message_actions.send_message(
        fresh(game), cast.person(player(power)), Recipients(ConversationKind.ALL), written, timezone.now()
    )


@built_once
def proposing() -> Game:
    game = begun()
    deadline_clock.record_heartbeat(timezone.now())
    for name, role in ((cast.OBSERVER, "observer"), (cast.ASSISTANT, "assistant")):
        cast.member(game, name, role)
    for name in filter(None, (*WHO.values(), "Flora")):
        address = "https://example.org/talleyrand"
        Webhook.objects.create(
            person=cast.person(name), address=address, submission_id="a form", created_at=timezone.now()
        )
    played(game)
    played(game)
    hand_in(game, "UMAR", "1A : RUSS", "zz-remark-umar")
    argue(game, "UMAR", "zz-argument-umar")
    argue(game, "INDE", "zz-argument-held", (message_actions.HoldReason("name", "Inde"),))
    draft(game, "INDE", "1B CHIN 20", "zz-draft-inde")
    draft(game, UN, "SET UMAR 1A RUSS 7", "zz-draft-un")
    return game


@built_once
def voting() -> Game:
    game = proposing()
    played(game, {"INDE": ["1B : CHIN"]})
    hand_in(game, "UMAR", "1) UMAR", "zz-ballot-umar")
    hand_in(game, "ETUN", "Aide : 3 : MEXI")
    draft(game, UN, "RANK 1 UMAR", "zz-draft-un")
    draft(game, "INDE", "1 NONE", "zz-draft-inde")
    return game


@built_once
def settled() -> Game:
    game = voting()
    played(game)
    return game


def found(game: Game, who: str, marks: dict[str, str], draw: str | None) -> set[str]:
    """The marks that somebody finds; in a sample on a part of the pages, then on more for what is due."""
    client = cast.client_of(WHO[who]) if WHO[who] else Client()
    now = fresh(game)
    passed = [f"/{number}/" for number in range(1, now.phase_number - 1)]  # as for every game
    paths = [
        path
        for path in places.every(now)
        if game.key in path and not path.endswith(PICTURES) and not any(one in path for one in passed)
    ]
    drawn = paths if draw is None else places.drawn(paths, draw, who)
    due = [mark for mark, readers in marks.items() if who in readers]
    text = ""
    for path in [*drawn, *(path for path in paths if path not in drawn)]:
        if path in drawn or not all(mark in text for mark in due):
            text += "\n" + " ".join(read(client, path).replace("\u00a0", " ").split())
    return {mark for mark in marks if mark in text}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("moment", "marks"),
    [(proposing, PROPOSING), (voting, VOTING), (settled, SETTLED)],
    ids=["proposing", "voting", "settled"],
)
def test_who_sees_what(moment: Callable[[], Game], marks: dict[str, str], full: bool, draw: str) -> None:
    game, soon = moment(), timezone.now() + timedelta(days=2)
    Game.objects.filter(pk=game.pk).update(deadline=soon, next_check_at=soon)
    for who in WHO:
        due = {mark for mark, readers in marks.items() if who in readers}
        assert found(game, who, marks, None if full else draw) == due, who
