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

from talleyrand.web.games import referee
from talleyrand.web.games.models import Game
from talleyrand.web.mail.desk import conducting, directing, ledger
from talleyrand.web.mail.desk.commands import Act
from talleyrand.web.mail.desk.ledger import Ledger, Told
from talleyrand.web.mail.incoming import sorting
from talleyrand.web.mail.models import Arrival, Departure
from talleyrand.web.mail.outcomes import Outcome
from talleyrand.web.mail.reading.mail import Mail, Nature
from talleyrand.web.notices.models import Notice
from talleyrand.web.press.models import Letter
from tests.web.games.acting import all_hand_in, fresh
from tests.web.mail.correspondents import POST
from tests.web.mail.masters import arrived, hold, led, raw, taken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("by_post")]

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
        "letters": sorted(Letter.objects.filter(room__game=game).values_list("text", "state", "reason")),
        "news": Counter(Notice.objects.filter(about=f"game:{game.key}").values_list("kind", "person__name")),
        "phase": (now.number, now.phase, now.state),
        "revisions": list(game.revisions.order_by("pk").values_list("number", "absent")),
        "words": list(game.gazettes.values_list("number", "text")),
        "due": round((now.due - timezone.now()) / timedelta(minutes=1), -1) if now.due else None,
    }


def dying(point: str, at: int) -> tuple[Callable[..., Told], list[int]]:
    """`Ledger.once` that dies with its `at`-th new deed: before it, in its transaction, or after it."""
    count = [0]
    once = Ledger.once

    def mortal(self: Ledger, key: str, deed: Callable[[], Told]) -> Told:
        if self.known(key) is not None:
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


def _fatal(deed: Callable[[], Told]) -> Told:
    with suppress(ledger.Refused):
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
            monkeypatch.setattr(Ledger, "once", mortal)
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
        monkeypatch.setattr(Ledger, "once", mortal)
        with pytest.raises(Died):
            taken(arrival)
        monkeypatch.undo()
    result = taken(arrival)
    assert {**left(game), "facts": codes(result.facts), "outcome": result.outcome} == undisturbed


@pytest.mark.parametrize("place", ["snapshot", "publish", "adjudicate"])
def test_dying_while_the_phase_is_judged(
    place: str, undisturbed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judging is no part of a transaction: published and not written down, it is not judged again."""
    game = scene()
    arrival = arrived(game, EVERYTHING)
    work = getattr(referee, place)

    def mortal(*args: Any, **kwargs: Any) -> Any:
        work(*args, **kwargs)
        raise Died

    monkeypatch.setattr(referee, place, mortal)
    with pytest.raises(Died):
        taken(arrival)
    monkeypatch.undo()
    result = taken(arrival)
    assert {**left(game), "facts": codes(result.facts), "outcome": result.outcome} == undisturbed


def test_published_by_another_hand_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next phase is not published in its place."""
    game = scene()
    arrival = arrived(game, "publiez quand même")
    monkeypatch.setattr(conducting, "_judged", _die)
    with pytest.raises(Died):
        taken(arrival)
    monkeypatch.undo()
    referee.adjudicate(fresh(game), 1, timezone.now())
    result = taken(arrival)
    assert (fresh(game).number, result.outcome) == (2, Outcome.PARTLY_DONE)


def _die(*_args: Any) -> Told:
    raise Died


def test_two_at_work_on_one_mail() -> None:
    """A claim that ended too soon: the second does nothing again, and says the same."""
    game = scene()
    arrival = arrived(game, EVERYTHING)
    first = taken(arrival)
    before = left(game)
    second = taken(
        Arrival.objects.select_related("mailbox__game", "mailbox__person", "message").get(pk=arrival.pk)
    )
    assert left(game) == before
    assert first.facts == second.facts


def test_what_was_done_outlives_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail that fails for good, and comes once more, does only what it had not done."""
    game = scene()
    due = fresh(game).due
    assert due is not None
    data = raw("prolongez 24 h\npause\n", key="faulty")
    arrival = arrived(game, data)
    monkeypatch.setattr(conducting, "DEEDS", {**conducting.DEEDS, Act.PAUSE: _fail})
    now = timezone.now()
    for _attempt in range(sorting.ATTEMPTS + 1):
        now += timedelta(minutes=5)
        sorting.sort_due(now)
    monkeypatch.undo()
    arrival.refresh_from_db()
    assert arrival.outcome == Outcome.FAULT
    assert fresh(game).due == due + timedelta(days=1)
    again = arrived(game, data)
    assert sorting.sort_due(now) == 1
    again.refresh_from_db()
    assert again.outcome == Outcome.DONE
    assert fresh(game).state == "paused"
    left_over = fresh(game).paused_left
    assert left_over is not None
    assert abs(left_over - (due + timedelta(days=1) - timezone.now())) < timedelta(minutes=2)
    kinds = Departure.objects.filter(game=game).values_list("once", flat=True)
    assert sorted(one.partition(":")[0] for one in kinds) == ["answer", "fault", "fault"]


def _fail(*_args: Any) -> list[Told]:
    raise RuntimeError("a fault of ours")


def test_a_ledger_keeps_what_is_refused() -> None:
    """Refused is refused, also where it could be done by now: the answer may have left."""
    game = scene()
    arrival = arrived(game, "x")
    book = Ledger.of(arrival)

    def refuse() -> Told:
        raise ledger.Refused("no_letter", letter=7)

    assert book.once("0", refuse) == {"refused": "no_letter", "letter": 7}
    assert book.once("0", lambda: {"said": "passed"}) == {"refused": "no_letter", "letter": 7}
    assert directing.take(arrival, Mail(Nature.PERSONAL)).facts["deeds"] == {
        "0": {"refused": "no_letter", "letter": 7}
    }
