"""What was judged before it was due is published as if it had been judged then, or judged again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from itertools import count
from typing import Any

import pytest

from talleyrand.web.games import clock, foresight, inbox, looking, referee, running, seats, unread
from talleyrand.web.games.clock import Clock
from talleyrand.web.games.foresight import Foresight
from talleyrand.web.games.looking import Look
from talleyrand.web.games.models import Beat, Game, Outage, Proposal, Revision, Seat, Sheet
from talleyrand.web.notices import counters
from tests.web.cast import BEGUN, person, table
from tests.web.games.phases import EARLY, GRACE, SLOW, published

from .acting import HOUR, OPENINGS, SECOND, all_hand_in, draft, due, fresh, hand_in, told

pytestmark = pytest.mark.django_db
LONG = 60.0  # seconds for what takes a moment
TELLING = ("sheets", "absent", "situation", "answer", "after", "digest", "phase", "kind")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is many."""
    monkeypatch.setattr(foresight, "MANY", 1)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were judged, by name, as often as they were."""
    found: list[str] = []
    judge = referee.Snapshot.judged

    def noted(taken: referee.Snapshot) -> Any:
        found.append(taken.game.key)
        return judge(taken)

    monkeypatch.setattr(referee.Snapshot, "judged", noted)
    return found


def far_seeing(now: datetime) -> Clock:
    """A clock that has looked ahead, after it has done what was due before."""
    found = Clock()
    found.sweep(now)
    found.foresight.look(now, threading.Event(), LONG)
    return found


def soon(game: Game) -> datetime:
    return due(game) - 10 * SECOND


def end(game: Game) -> datetime:
    return due(game) + 2 * SECOND


def kept(game: Game, number: int = 1) -> dict[str, Any]:
    return {name: getattr(published(game, number), name) for name in TELLING}


def test_it_is_published_as_if_it_had_been_judged_then(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    ahead = far_seeing(soon(games[0]))
    assert len(judged) == 2
    assert all(ahead.foresight.knows(game.pk) for game in games)
    Game.objects.filter(pk=games[1].pk).update(sweep=None)
    assert ahead.sweep(end(games[0])) == 1
    assert len(judged) == 2
    Game.objects.filter(pk=games[1].pk).update(sweep=end(games[0]))
    assert clock.sweep(end(games[0])) == 1  # a clock that has not looked ahead
    assert len(judged) == 3
    assert kept(games[0]) == kept(games[1])
    assert len(told(games[0], "published")) == 10


def test_nothing_is_published_by_looking(judged: list[str]) -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    before = fresh(game)
    far_seeing(soon(game))
    assert judged == [game.key]
    assert (fresh(game).version, fresh(game).worker, fresh(game).number) == (before.version, "", 1)
    assert not Revision.objects.filter(game=game, number=1).exists()


def another_sheet(game: Game) -> None:
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=due(game))


def another_draft(game: Game) -> None:
    draft(game, "TURKEY", "A CON-SMY", at=due(game))


def a_draft_at_the_same_moment(game: Game) -> None:
    Seat.objects.filter(game=game, power="TURKEY").update(draft=["A CON-SMY"])


def a_game_master(game: Game) -> None:
    sent: dict[str, Any] = {"number": 1, "key": "", "origin": "master", "at": end(game)}
    inbox.hand_in(fresh(game), "ITALY", ["A VEN-PIE"], by=person("Maëlle"), **sent)


CHANGES: list[tuple[Callable[[Game], None], str, list[str]]] = [
    (another_sheet, "FRANCE", ["A PAR-PIC"]),
    (another_draft, "TURKEY", ["A CON-SMY"]),
    (a_draft_at_the_same_moment, "TURKEY", ["A CON-SMY"]),
    (a_game_master, "ITALY", ["A VEN-PIE"]),
]


@pytest.mark.parametrize(("change", "power", "lines"), CHANGES)
def test_what_changes_meanwhile_is_judged_again(
    change: Callable[[Game], None], power: str, lines: list[str], judged: list[str]
) -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game, but=["TURKEY"])
    draft(game, "TURKEY", *OPENINGS["TURKEY"])
    ahead = far_seeing(soon(game))
    assert ahead.foresight.knows(game.pk)
    change(game)
    assert ahead.sweep(end(game)) == 1
    found = published(game, 1)
    assert found.sheets[power] == lines
    assert found.answer is not None
    ordered = [entry["line"] for entry in found.answer["orders"] if entry["power"] == power and entry["line"]]
    assert ordered == lines
    assert judged == [game.key] * 2


def test_another_look_judges_again_only_what_has_changed(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game, but=["TURKEY"])
        draft(game, "TURKEY", *OPENINGS["TURKEY"])
    ahead = far_seeing(soon(games[0]))
    assert len(judged) == 3
    another_sheet(games[0])
    another_draft(games[1])
    ahead.foresight.look(soon(games[0]), threading.Event(), LONG)
    assert sorted(judged[3:]) == sorted(game.key for game in games[:2])
    assert ahead.sweep(end(games[0])) == 3
    assert len(judged) == 5


def no_sheet(game: Game) -> None:
    """It will wait."""
    Sheet.objects.filter(game=game, power="ITALY").delete()
    Seat.objects.filter(game=game, power="ITALY").update(draft=[])


def a_fault(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(rulebook="none_such")


def a_pause(game: Game) -> None:
    running.pause(game, due(game) - HOUR)


def unread_mail(game: Game) -> None:
    unread.expect(game, "mail", due(game) - HOUR, due(game) - SECOND)


@pytest.mark.parametrize("state", [no_sheet, a_fault, a_pause, unread_mail])
def test_what_will_not_be_published_is_not_judged(state: Callable[[Game], None]) -> None:
    game = table(rhythm=SLOW, absent="wait")
    all_hand_in(game)
    now, then = soon(game), end(game)
    state(game)
    ahead = far_seeing(now)
    assert not ahead.foresight.knows(game.pk)
    assert ahead.sweep(then) == 0
    assert fresh(game).trouble == ("refused" if state is a_fault else "")


def test_few_games_are_judged_when_they_are_due(monkeypatch: pytest.MonkeyPatch, judged: list[str]) -> None:
    monkeypatch.setattr(foresight, "MANY", 2)
    game = table(rhythm=SLOW)
    all_hand_in(game)
    far_seeing(soon(game))
    assert judged == []


def test_a_look_ends_with_its_clock_and_with_its_time(judged: list[str]) -> None:
    game, stop, ahead = table(rhythm=SLOW), threading.Event(), Foresight()
    all_hand_in(game)
    ahead.look(soon(game), stop, 0.0)
    stop.set()
    ahead.look(soon(game), stop, LONG)
    assert judged == []


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, judged: list[str]) -> None:
    monkeypatch.setattr(foresight, "MOST", 1)
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    ahead = far_seeing(soon(games[0]))
    ahead.foresight.look(soon(games[0]), threading.Event(), LONG)
    assert len(judged) == 1
    assert ahead.sweep(end(games[0])) == 2


def test_several_clocks_share_what_is_to_be_judged(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(4)]
    for game in games:
        all_hand_in(game)
    one, other = (far_seeing(soon(games[0])) for _ in range(2))
    assert (len(judged), sum(other.foresight.knows(game.pk) for game in games)) == (6, 2)
    assert one.sweep(end(games[0])) == 4
    assert len(judged) == 6


def test_a_clock_that_is_gone_leaves_its_share(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    now = soon(games[0])
    clock.sweep(now)
    assert Foresight("gone").look(now, threading.Event(), 0.0)
    assert not Foresight("left").look(now + SECOND, threading.Event(), LONG)
    assert len(judged) == 1
    Game.objects.filter(number=1).update(due=now + HOUR, sweep=now + HOUR + 2 * SECOND)
    Foresight("alone").look(now + HOUR - SECOND, threading.Event(), LONG)
    assert len(judged) == 3
    assert Beat.objects.filter(worker__startswith=foresight.AHEAD).count() == 1


def test_what_is_over_is_forgotten() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    ahead = far_seeing(soon(game))
    ahead.foresight.look(end(game) + HOUR, threading.Event(), LONG)
    assert not ahead.foresight.knows(game.pk)


def test_a_claim_of_a_long_sweep_is_no_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other clocks would take what this one is about to do, until it seems to have cost them all."""
    monkeypatch.setattr(clock, "BATCH", 1)
    hours = count(step=3600.0)
    monkeypatch.setattr(clock, "perf_counter", lambda: next(hours))
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    now, left = due(games[0]) + 2 * SECOND, []
    publish = clock._publish

    def noted(look: Look, *more: Any) -> bool:
        assert look.game.worker_until is not None
        left.append(look.game.worker_until - now)
        return publish(look, *more)

    monkeypatch.setattr(clock, "_publish", noted)
    assert clock.sweep(now) == 2
    assert left == [HOUR + clock.CLAIM, 2 * HOUR + clock.CLAIM]


# several games read at once


def _drafts(game: Game) -> None:
    all_hand_in(game, but=["TURKEY", "ITALY"])
    draft(game, "TURKEY", "A CON-SMY")


def _vacant(game: Game) -> None:
    all_hand_in(game, but=["FRANCE"])
    seats.vacate(game, "FRANCE")


def _stand_in(game: Game) -> None:
    all_hand_in(game)
    seats.give(game, "FRANCE", person("Sylvain"), stand_in=True)


def _sheets_of_before(game: Game) -> None:
    all_hand_in(game)
    clock.sweep(end(game))
    hand_in(game, "FRANCE", [])


def _unread(game: Game) -> None:
    all_hand_in(game)
    unread.expect(game, f"mail of {game.pk}", due(game), due(game))


def _accepted(game: Game) -> None:
    all_hand_in(game)
    Proposal.objects.create(
        game=game, number=1, phase=game.phase, power="FRANCE", state="accepted", closed=BEGUN + HOUR
    )


def _outage(game: Game) -> None:
    all_hand_in(game)
    Outage.objects.create(since=due(game) - 5 * HOUR, until=due(game) - HOUR)


SITUATIONS = [all_hand_in, _drafts, _vacant, _stand_in, _sheets_of_before, _unread, _accepted]


def told_of(look: Look) -> tuple[Any, ...]:
    return (
        look.step(),
        look.deciding,
        sorted(look.sheets),
        look.ripe.keys(),
        look.holders,
        look.awaited,
        look.missing,
        look.spared,
        look.held_until,
        look.accepted,
        look.story.question(look.game.number),
    )


@pytest.mark.parametrize(("rhythm", "more"), [(SLOW, ()), (EARLY, ()), (GRACE, (_outage,))])
def test_games_read_together_are_as_each_is_alone(
    rhythm: dict[str, Any], more: tuple[Callable[[Game], None], ...]
) -> None:
    games = []
    for make in (*SITUATIONS, *more):
        games.append(table(rhythm=rhythm))
        make(games[-1])
    games = [fresh(game) for game in games]
    now = max(due(game) for game in games) + 2 * SECOND
    for at in (now, end(games[0])):
        looks = looking.together(games, at)
        assert [told_of(look) for look in looks] == [told_of(Look(fresh(game), at)) for game in games]


def test_a_game_that_cannot_be_read_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    bad, read = games[1].pk, Seat.from_db.__func__  # type: ignore[attr-defined]

    def from_db(cls: type[Seat], db: str, names: Any, values: Any) -> Seat:
        row: Seat = read(cls, db, names, values)
        if row.game_id == bad:
            raise ValueError("not JSON")
        return row

    monkeypatch.setattr(Seat, "from_db", classmethod(from_db))
    assert clock.sweep(end(games[0])) == 2
    assert [fresh(game).trouble for game in games] == ["", "fault", ""]


@pytest.mark.django_db(transaction=True)
def test_people_hear_once_of_what_ends_together() -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game, but=["FRANCE"])
        draft(game, "FRANCE", *OPENINGS["FRANCE"])
    topic = counters.person_topic(person("Flora").pk)
    before = counters.versions([topic])[topic]
    assert clock.sweep(end(games[0])) == 3
    assert counters.versions([topic])[topic] == before + 1
    with counters.together(), counters.together():
        counters.bump_people([person("Flora").pk])
        assert counters.versions([topic])[topic] == before + 1
    assert counters.versions([topic])[topic] == before + 2
