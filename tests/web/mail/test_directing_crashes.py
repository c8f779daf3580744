"""Whoever reads a game master's mail may die between any two deeds, and in the middle of one: read again, it
comes to what it would have come to, and nothing is done twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from talleyrand.web.games import phase_adjudication
from talleyrand.web.games.models import Game
from talleyrand.web.mail import command_results
from talleyrand.web.mail.command_results import CommandResults, ResultFacts
from talleyrand.web.mail.gm import gm_actions, gm_mail
from talleyrand.web.mail.gm.gm_commands import GmAction
from talleyrand.web.mail.inbound import inbound_processing
from talleyrand.web.mail.mail_outcomes import MailOutcome
from talleyrand.web.mail.models import InboundDelivery, OutboundEmail
from talleyrand.web.mail.parsing.parsed_email import MessageClass, ParsedEmail
from talleyrand.web.notifications.models import Notification
from talleyrand.web.press.models import Message
from tests.web.built_once import built_once
from tests.web.games.acting import all_hand_in, fresh
from tests.web.mail.correspondents import POST
from tests.web.mail.masters import arrived, hold, led, raw, taken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post"), pytest.mark.long]

EVERYTHING = """Bonjour,
passez 1 et 2
passez 9
rendez 3 : pas de menaces
hors du jeu
rappelez
prolongez 24 h
pause
reprise
passez tout
publiez quand même
prolongez 2 jours
gazette : La paix règne.

Maëlle
"""
DEEDS = 14  # keys of the ledger that the mail above leaves


class Died(BaseException):
    """As a process ends: nothing catches it."""


@built_once
def scene() -> Game:
    game = led()
    for text in ("Un", "Deux", "Trois", "Quatre"):
        hold(game, text)
    all_hand_in(game, but=("FRANCE", "ITALY"), at=timezone.now())
    return game


def left(game: Game) -> dict[str, Any]:
    """All that a mail leaves behind, but for the hours."""
    now = fresh(game)
    return {
        "log": list(game.log.order_by("pk").values_list("kind", flat=True)),
        "letters": sorted(
            Message.objects.filter(conversation__game=game).values_list("text", "state", "return_reason")
        ),
        "news": Counter(
            Notification.objects.filter(topic=f"game:{game.key}").values_list("kind", "person__name")
        ),
        "phase": (now.phase_number, now.phase, now.state),
        "revisions": list(game.revisions.order_by("pk").values_list("phase_number", "powers_without_orders")),
        "words": list(game.gazettes.values_list("phase_number", "text")),
        "due": round((now.deadline - timezone.now()) / timedelta(minutes=1), -1) if now.deadline else None,
    }


def dying(point: str, at: int) -> tuple[Callable[..., ResultFacts], list[int]]:
    """`Ledger.once` that dies with its `at`-th new deed: before it, in its transaction, or after it."""
    count = [0]
    once = CommandResults.run_once

    def mortal(self: CommandResults, key: str, deed: Callable[[], ResultFacts]) -> ResultFacts:
        if self.get(key) is not None:
            return once(self, key, deed)
        count[0] += 1
        if count[0] != at:
            return once(self, key, deed)
        if point == "before":
            raise Died
        if point == "after":
            once(self, key, deed)
            raise Died
        return once(self, key, lambda: _fatal(deed))

    return mortal, count


def _fatal(deed: Callable[[], ResultFacts]) -> ResultFacts:
    with suppress(command_results.CommandRefused):
        deed()
    raise Died


@pytest.fixture(scope="module")
def undisturbed(django_db_setup: None, django_db_blocker: Any) -> dict[str, Any]:
    """What the mail comes to where nobody dies; kept from a transaction that is taken back."""
    with django_db_blocker.unblock(), override_settings(**POST), transaction.atomic():
        game = scene()
        result = taken(arrived(game, EVERYTHING))
        found = {**left(game), "facts": codes(result.facts), "outcome": result.outcome}
        transaction.set_rollback(True)
    assert len(result.facts["deeds"]) == DEEDS, result.facts
    return found


def codes(facts: Any) -> dict[str, Any]:
    return {
        key: {name: one for name, one in told.items() if name != "due"}
        for key, told in facts["deeds"].items()
    }


@pytest.mark.parametrize("point", ["before", "in the middle", "after"])
def test_dying_at_each_deed(point: str, undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    game = scene()
    for at in range(1, DEEDS + 1):
        with transaction.atomic():
            arrival = arrived(game, EVERYTHING)
            mortal, _count = dying(point, at)
            monkeypatch.setattr(CommandResults, "run_once", mortal)
            with pytest.raises(Died):
                taken(arrival)
            monkeypatch.undo()
            result = taken(arrival)
            found = {**left(game), "facts": codes(result.facts), "outcome": result.outcome}
            assert found == undisturbed, at
            transaction.set_rollback(True)


def test_dying_at_every_deed(undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One deed a life."""
    game = scene()
    arrival = arrived(game, EVERYTHING)
    for _life in range(DEEDS):
        mortal, _count = dying("after", 1)
        monkeypatch.setattr(CommandResults, "run_once", mortal)
        with pytest.raises(Died):
            taken(arrival)
        monkeypatch.undo()
    result = taken(arrival)
    assert {**left(game), "facts": codes(result.facts), "outcome": result.outcome} == undisturbed


@pytest.mark.parametrize("place", ["take_snapshot", "publish_phase", "adjudicate_phase"])
def test_dying_while_the_phase_is_judged(
    place: str, undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging is no part of a transaction: published and not written down, it is not judged again."""
    game = scene()
    arrival = arrived(game, EVERYTHING)
    work = getattr(phase_adjudication, place)

    def mortal(*args: Any, **kwargs: Any) -> Any:
        work(*args, **kwargs)
        raise Died

    monkeypatch.setattr(phase_adjudication, place, mortal)
    with pytest.raises(Died):
        taken(arrival)
    monkeypatch.undo()
    result = taken(arrival)
    assert {**left(game), "facts": codes(result.facts), "outcome": result.outcome} == undisturbed


def test_published_by_another_hand_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next phase is not published in its place."""
    game = scene()
    arrival = arrived(game, "publiez quand même")
    monkeypatch.setattr(gm_actions, "_judged", _die)
    with pytest.raises(Died):
        taken(arrival)
    monkeypatch.undo()
    phase_adjudication.adjudicate_phase(fresh(game), 1, timezone.now())
    result = taken(arrival)
    assert (fresh(game).phase_number, result.outcome) == (2, MailOutcome.PARTLY_DONE)


def _die(*_args: Any) -> ResultFacts:
    raise Died


def test_two_at_work_on_one_mail() -> None:
    """A claim that ended too soon: the second does nothing again, and says the same."""
    game = scene()
    arrival = arrived(game, EVERYTHING)
    first = taken(arrival)
    before = left(game)
    second = taken(
        InboundDelivery.objects.select_related("mailbox__game", "mailbox__person", "email").get(pk=arrival.pk)
    )
    assert left(game) == before
    assert first.facts == second.facts


def test_what_was_done_outlives_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail that fails for good, and comes once more, does only what it had not done."""
    game = scene()
    due = fresh(game).deadline
    assert due is not None
    data = raw("prolongez 24 h\npause\n", key="faulty")
    arrival = arrived(game, data)
    monkeypatch.setattr(gm_actions, "ACTIONS", {**gm_actions.ACTIONS, GmAction.PAUSE: _fail})
    now = timezone.now()
    for _attempt in range(inbound_processing.ATTEMPTS + 1):
        now += timedelta(minutes=5)
        inbound_processing.process_due_mail(now)
    monkeypatch.undo()
    arrival.refresh_from_db()
    assert arrival.outcome == MailOutcome.FAULT
    assert fresh(game).deadline == due + timedelta(days=1)
    again = arrived(game, data)
    assert inbound_processing.process_due_mail(now) == 1
    again.refresh_from_db()
    assert again.outcome == MailOutcome.DONE
    assert fresh(game).state == "paused"
    left_over = fresh(game).time_left_when_paused
    assert left_over is not None
    assert abs(left_over - (due + timedelta(days=1) - timezone.now())) < timedelta(minutes=2)
    kinds = OutboundEmail.objects.filter(game=game).values_list("idempotency_key", flat=True)
    assert sorted(one.partition(":")[0] for one in kinds) == ["answer", "fault", "fault"]


def _fail(*_args: Any) -> list[ResultFacts]:
    raise RuntimeError("a fault of ours")


def test_a_ledger_keeps_what_is_refused() -> None:
    """Refused is refused, also where it could be done by now: the answer may have left."""
    game = scene()
    arrival = arrived(game, "x")
    book = CommandResults.for_delivery(arrival)

    def refuse() -> ResultFacts:
        raise command_results.CommandRefused("no_letter", letter=7)

    assert book.run_once("0", refuse) == {"refused": "no_letter", "letter": 7}
    assert book.run_once("0", lambda: {"said": "passed"}) == {"refused": "no_letter", "letter": 7}
    assert gm_mail.process_gm_mail(arrival, ParsedEmail(MessageClass.PERSONAL)).facts["deeds"] == {
        "0": {"refused": "no_letter", "letter": 7}
    }
