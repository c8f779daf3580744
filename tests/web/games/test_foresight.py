"""What was judged before it was due is published as if it had been judged then, or judged again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.urls import clear_url_caches, get_resolver

from talleyrand.formats.adjudication_answer import AdjudicatedQuestion
from talleyrand.web.boards import adjudicator
from talleyrand.web.claims import sweeps
from talleyrand.web.common import transactions
from talleyrand.web.games import (
    deadline_clock,
    deadline_decisions,
    game_lifecycle,
    order_submission,
    phase_adjudication,
    power_assignments,
    pre_adjudication,
    unread_email_orders,
)
from talleyrand.web.games.deadline_clock import DeadlineClock
from talleyrand.web.games.deadline_decisions import DueDecision
from talleyrand.web.games.models import (
    ClockOutage,
    EndProposal,
    Game,
    GameSeat,
    Heartbeat,
    OrderSet,
    PhaseRevision,
)
from talleyrand.web.games.phase_adjudication import PhaseSnapshot
from talleyrand.web.games.pre_adjudication import PreAdjudicator
from talleyrand.web.notifications import outbox, topic_versions
from talleyrand.web.notifications.models import Notification
from tests.web.cast import BEGUN, person, table
from tests.web.games.phases import EARLY, GRACE, SLOW, published

from .acting import HOUR, OPENINGS, SECOND, all_hand_in, draft, due, fresh, hand_in, told

pytestmark = pytest.mark.django_db
LONG = 60.0  # seconds for what takes a moment
TELLING = (
    "order_lines",
    "powers_without_orders",
    "situation",
    "answer",
    "next_situation",
    "digest",
    "phase",
    "kind",
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """One game is many."""
    monkeypatch.setattr(pre_adjudication, "LEAST_GAMES", 1)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were judged, by name, as often as they were."""
    found: list[str] = []
    judge = phase_adjudication.PhaseSnapshot.adjudicate

    def noted(taken: phase_adjudication.PhaseSnapshot) -> Any:
        found.append(taken.game.key)
        return judge(taken)

    monkeypatch.setattr(phase_adjudication.PhaseSnapshot, "adjudicate", noted)
    return found


def far_seeing(now: datetime) -> DeadlineClock:
    """A clock that has looked ahead, after it has done what was due before."""
    found = DeadlineClock()
    found.check_due(now)
    found.pre_adjudicator.work_ahead(now, threading.Event(), LONG)
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
    assert all(ahead.pre_adjudicator.has_answer(game.pk) for game in games)
    Game.objects.filter(pk=games[1].pk).update(next_check_at=None)
    assert ahead.check_due(end(games[0])) == 1
    assert len(judged) == 2
    Game.objects.filter(pk=games[1].pk).update(next_check_at=end(games[0]))
    assert deadline_clock.check_due_games(end(games[0])) == 1  # a clock that has not looked ahead
    assert len(judged) == 3
    assert kept(games[0]) == kept(games[1])
    assert len(told(games[0], "published")) == 10


class Compiling:
    """Another process that compiles; it ends at once, and has kept what it made or not."""

    def __init__(self, mark: Path, *, works: bool) -> None:
        self.mark, self.works, self.begun = mark, works, 0

    def start(self) -> Compiling:
        self.begun += 1
        return self

    def wait(self) -> None:
        if self.works:
            self.mark.touch()


@pytest.mark.parametrize(("kept_before", "works"), [(True, True), (False, True), (False, False)])
def test_where_games_are_many_compiled_code_judges_the_reasons(
    kept_before: bool, works: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reasons_compiler = pytest.importorskip("talleyrand.simulation.reasons_compiler")
    pytest.importorskip("numba")
    compiling = Compiling(tmp_path / "reasons.kept", works=works)
    if kept_before:
        compiling.mark.touch()
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    monkeypatch.setattr(pre_adjudication, "WORTH_COMPILED_CODE", 2)
    monkeypatch.setattr(reasons_compiler, "kept_mark", lambda: compiling.mark)
    monkeypatch.setattr(reasons_compiler, "start_compiling", compiling.start)
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    ahead = far_seeing(soon(games[0]))
    assert ahead.pre_adjudicator.loading is not None
    ahead.pre_adjudicator.loading.join(LONG)
    assert (AdjudicatedQuestion.compiled_removals is not None) == works
    assert compiling.begun == (not kept_before)
    another_sheet(games[0])  # which is judged again, as that of the other was without it
    another_sheet(games[1])
    ahead.pre_adjudicator.work_ahead(soon(games[0]), threading.Event(), LONG)
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    assert ahead.check_due(end(games[0])) == 2
    for game in games:
        taken = published(game, 1)
        assert taken.situation is not None
        assert taken.answer == adjudicator.adjudicate(
            adjudicator.make_question(game.variant, game.rulebook, game.seed, taken.situation),
            taken.order_lines,
            apart=True,
        )


def test_few_games_are_judged_without_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes memory that most sites have no use for."""
    monkeypatch.setattr(AdjudicatedQuestion, "compiled_removals", None)
    game = table(rhythm=SLOW)
    all_hand_in(game)
    assert far_seeing(soon(game)).pre_adjudicator.loading is None


def test_nothing_is_published_by_looking(judged: list[str]) -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    before = fresh(game)
    far_seeing(soon(game))
    assert judged == [game.key]
    assert (fresh(game).version, fresh(game).claimed_by, fresh(game).phase_number) == (before.version, "", 1)
    assert not PhaseRevision.objects.filter(game=game, phase_number=1).exists()


def another_sheet(game: Game) -> None:
    hand_in(game, "FRANCE", ["A PAR-PIC"], at=due(game))


def another_draft(game: Game) -> None:
    draft(game, "TURKEY", "A CON-SMY", at=due(game))


def a_draft_at_the_same_moment(game: Game) -> None:
    GameSeat.objects.filter(game=game, power="TURKEY").update(draft_orders=["A CON-SMY"])


def a_game_master(game: Game) -> None:
    sent: dict[str, Any] = {"number": 1, "key": "", "origin": "master", "at": end(game)}
    order_submission.submit_orders(fresh(game), "ITALY", ["A VEN-PIE"], by=person("Maëlle"), **sent)


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
    assert ahead.pre_adjudicator.has_answer(game.pk)
    change(game)
    assert ahead.check_due(end(game)) == 1
    found = published(game, 1)
    assert found.order_lines[power] == lines
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
    ahead.pre_adjudicator.work_ahead(soon(games[0]), threading.Event(), LONG)
    assert sorted(judged[3:]) == sorted(game.key for game in games[:2])
    assert ahead.check_due(end(games[0])) == 3
    assert len(judged) == 5


def no_sheet(game: Game) -> None:
    """It will wait."""
    OrderSet.objects.filter(game=game, power="ITALY").delete()
    GameSeat.objects.filter(game=game, power="ITALY").update(draft_orders=[])


def a_fault(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(rulebook="none_such")


def a_pause(game: Game) -> None:
    game_lifecycle.pause_game(game, due(game) - HOUR)


def unread_mail(game: Game) -> None:
    unread_email_orders.wait_for_orders(game, "mail", due(game) - HOUR, due(game) - SECOND)


@pytest.mark.parametrize("state", [no_sheet, a_fault, a_pause, unread_mail])
def test_what_will_not_be_published_is_not_judged(state: Callable[[Game], None]) -> None:
    game = table(rhythm=SLOW, absent="wait")
    all_hand_in(game)
    now, then = soon(game), end(game)
    state(game)
    ahead = far_seeing(now)
    assert not ahead.pre_adjudicator.has_answer(game.pk)
    assert ahead.check_due(then) == 0
    assert fresh(game).adjudication_error == ("refused" if state is a_fault else "")


def test_few_games_are_judged_when_they_are_due(monkeypatch: pytest.MonkeyPatch, judged: list[str]) -> None:
    monkeypatch.setattr(pre_adjudication, "LEAST_GAMES", 2)
    game = table(rhythm=SLOW)
    all_hand_in(game)
    far_seeing(soon(game))
    assert judged == []


def test_a_look_ends_with_its_clock_and_with_its_time(judged: list[str]) -> None:
    game, stop, ahead = table(rhythm=SLOW), threading.Event(), PreAdjudicator()
    all_hand_in(game)
    ahead.work_ahead(soon(game), stop, 0.0)
    stop.set()
    ahead.work_ahead(soon(game), stop, LONG)
    assert judged == []


def test_no_more_is_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch, judged: list[str]) -> None:
    monkeypatch.setattr(pre_adjudication, "MOST_ANSWERS", 1)
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    ahead = far_seeing(soon(games[0]))
    ahead.pre_adjudicator.work_ahead(soon(games[0]), threading.Event(), LONG)
    assert len(judged) == 1
    assert ahead.check_due(end(games[0])) == 2


def test_several_clocks_share_what_is_to_be_judged(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(4)]
    for game in games:
        all_hand_in(game)
    one, other = (far_seeing(soon(games[0])) for _ in range(2))
    assert (len(judged), sum(other.pre_adjudicator.has_answer(game.pk) for game in games)) == (6, 2)
    assert one.check_due(end(games[0])) == 4
    assert len(judged) == 6


def test_a_clock_that_is_gone_leaves_its_share(judged: list[str]) -> None:
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    now = soon(games[0])
    deadline_clock.check_due_games(now)
    assert PreAdjudicator("gone").work_ahead(now, threading.Event(), 0.0)
    assert not PreAdjudicator("left").work_ahead(now + SECOND, threading.Event(), LONG)
    assert len(judged) == 1
    Game.objects.filter(phase_number=1).update(deadline=now + HOUR, next_check_at=now + HOUR + 2 * SECOND)
    PreAdjudicator("alone").work_ahead(now + HOUR - SECOND, threading.Event(), LONG)
    assert len(judged) == 3
    assert Heartbeat.objects.filter(process_name__startswith=pre_adjudication.HEARTBEAT_PREFIX).count() == 1


def test_what_is_over_is_forgotten() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    ahead = far_seeing(soon(game))
    ahead.pre_adjudicator.work_ahead(end(game) + HOUR, threading.Event(), LONG)
    assert not ahead.pre_adjudicator.has_answer(game.pk)


def test_a_claim_of_a_long_sweep_is_no_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other clocks would take what this one is about to do, until it seems to have cost them all."""
    monkeypatch.setattr(deadline_clock, "GAMES_A_CLAIM", 1)
    left: list[timedelta] = []
    monkeypatch.setattr(sweeps, "monotonic", lambda: 3600.0 * len(left))
    games = [table(rhythm=SLOW) for _ in range(2)]
    for game in games:
        all_hand_in(game)
    now = due(games[0]) + 2 * SECOND
    publish = phase_adjudication.publish_phases

    def noted(judged: list[tuple[PhaseSnapshot, Any]], at: datetime) -> set[int]:
        [(taken, _)] = judged
        assert taken.game.claimed_until is not None
        left.append(taken.game.claimed_until - now)
        return publish(judged, at)

    monkeypatch.setattr(phase_adjudication, "publish_phases", noted)
    assert deadline_clock.check_due_games(now) == 2
    assert left == [deadline_clock.CLAIM_LENGTH, HOUR + deadline_clock.CLAIM_LENGTH]


# several games read at once


def _drafts(game: Game) -> None:
    all_hand_in(game, but=["TURKEY", "ITALY"])
    draft(game, "TURKEY", "A CON-SMY")


def _vacant(game: Game) -> None:
    all_hand_in(game, but=["FRANCE"])
    power_assignments.end_assignment(game, "FRANCE")


def _stand_in(game: Game) -> None:
    all_hand_in(game)
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"), stand_in=True)


def _sheets_of_before(game: Game) -> None:
    all_hand_in(game)
    deadline_clock.check_due_games(end(game))
    hand_in(game, "FRANCE", [])


def _unread(game: Game) -> None:
    all_hand_in(game)
    unread_email_orders.wait_for_orders(game, f"mail of {game.pk}", due(game), due(game))


def _accepted(game: Game) -> None:
    all_hand_in(game)
    EndProposal.objects.create(
        game=game,
        phase_number=1,
        phase=game.phase,
        proposer="FRANCE",
        state="accepted",
        created_at=BEGUN + HOUR,
        closed_at=BEGUN + HOUR,
    )


def _outage(game: Game) -> None:
    all_hand_in(game)
    ClockOutage.objects.create(started_at=due(game) - 5 * HOUR, ended_at=due(game) - HOUR)


SITUATIONS = [all_hand_in, _drafts, _vacant, _stand_in, _sheets_of_before, _unread, _accepted]


def told_of(look: DueDecision) -> tuple[Any, ...]:
    return (
        look.decide(),
        look.deciding_powers,
        sorted(look.order_sets),
        look.drafts_before_deadline.keys(),
        look.players_by_power,
        look.awaited_powers,
        look.missing_powers,
        look.deadline_after_outage,
        look.email_wait_until,
        look.accepted_proposal,
        look.history.question(look.game.phase_number),
    )


@pytest.mark.long
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
        looks = deadline_decisions.read_together([DueDecision(game, at) for game in games])
        assert [told_of(look) for look in looks] == [told_of(DueDecision(fresh(game), at)) for game in games]


def test_a_game_that_cannot_be_read_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    bad, read = games[1].pk, GameSeat.from_db.__func__  # type: ignore[attr-defined]

    def from_db(cls: type[GameSeat], db: str, names: Any, values: Any) -> GameSeat:
        row: GameSeat = read(cls, db, names, values)
        if row.game_id == bad:
            raise ValueError("not JSON")
        return row

    monkeypatch.setattr(GameSeat, "from_db", classmethod(from_db))
    assert deadline_clock.check_due_games(end(games[0])) == 2
    assert [fresh(game).adjudication_error for game in games] == ["", "fault", ""]


# several games published at once

TABLE = 10  # people who have a role in a game


def _ready() -> list[Game]:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game)
    return games


def _told_of_publication(game: Game) -> int:
    return Notification.objects.filter(idempotency_key__startswith=f"{game.key}:published:").count()


@pytest.mark.django_db(transaction=True)
def test_games_that_end_together_are_written_in_one_transaction() -> None:
    games, before = _ready(), transactions.commit_count()
    clock = DeadlineClock()
    assert clock.check_due(end(games[0])) == 3
    assert transactions.commit_count() == before + 2, "their claim, and all that comes of it"
    assert clock.step_counts == {"publish": 3}
    for game in map(fresh, games):
        assert (game.phase_number, game.claimed_by, game.attempts) == (2, "", 0)
        assert _told_of_publication(game) == TABLE
    assert clock.check_due(end(games[0])) == 0


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", ["_count_missed", "_onward"])
def test_a_game_that_cannot_be_published_stops_no_other(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Also one that has told its players already."""
    games = _ready()
    usual = getattr(phase_adjudication, place)

    def broken(game: Game, *more: Any) -> None:
        usual(game, *more)
        if game.pk == games[1].pk:
            raise ValueError(game.key)

    monkeypatch.setattr(phase_adjudication, place, broken)
    assert deadline_clock.check_due_games(end(games[0])) == 2
    found = [fresh(game) for game in games]
    assert [game.adjudication_error for game in found] == ["", "fault", ""]
    assert [game.phase_number for game in found] == [2, 1, 2]
    assert [_told_of_publication(game) for game in games] == [TABLE, 0, TABLE]
    monkeypatch.undo()
    deadline_clock.retry_failed_games(end(games[0]))
    assert deadline_clock.check_due_games(end(games[0])) == 1
    assert [_told_of_publication(game) for game in games] == 3 * [TABLE]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_games_that_cannot_be_published_together_are_published_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    games, tell = _ready(), outbox._tell

    def broken(notices: list[Any]) -> None:
        if len(notices) > 1:
            raise ValueError("too many")
        tell(notices)

    monkeypatch.setattr(outbox, "_tell", broken)
    assert deadline_clock.check_due_games(end(games[0])) == 3
    assert [_told_of_publication(game) for game in games] == 3 * [TABLE]
    assert [fresh(game).phase_number for game in games] == [2, 2, 2]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_what_changes_while_games_are_published_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    games, publish = _ready(), phase_adjudication.publish_phases

    def late(judged: list[tuple[PhaseSnapshot, Any]], at: datetime) -> set[int]:
        Game.objects.filter(pk=games[2].pk).update(version=F("version") + 1)
        return publish(judged, at)

    monkeypatch.setattr(phase_adjudication, "publish_phases", late)
    assert deadline_clock.check_due_games(end(games[0])) == 3
    assert [_told_of_publication(game) for game in games] == 3 * [TABLE]


def test_the_addresses_of_the_site_are_loaded_before_anything_is_locked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A clock of its own has asked for none until then, and to load them takes seconds."""
    games, keep = _ready(), phase_adjudication._keep_all
    loaded: list[bool] = []

    def noted(*given: Any) -> Any:
        loaded.append("urlconf_module" in vars(get_resolver()))
        return keep(*given)

    monkeypatch.setattr(phase_adjudication, "_keep_all", noted)
    clear_url_caches()
    assert deadline_clock.check_due_games(end(games[0])) == 3
    assert loaded == [True]


@pytest.mark.django_db(transaction=True)
def test_people_hear_once_of_what_ends_together() -> None:
    games = [table(rhythm=SLOW) for _ in range(3)]
    for game in games:
        all_hand_in(game, but=["FRANCE"])
        draft(game, "FRANCE", *OPENINGS["FRANCE"])
    topic = topic_versions.person_topic(person("Flora").pk)
    before = topic_versions.current_versions([topic])[topic]
    assert deadline_clock.check_due_games(end(games[0])) == 3
    assert topic_versions.current_versions([topic])[topic] == before + 1
    with topic_versions.batched_bumps(), topic_versions.batched_bumps():
        topic_versions.bump_people([person("Flora").pk])
        assert topic_versions.current_versions([topic])[topic] == before + 1
    assert topic_versions.current_versions([topic])[topic] == before + 2
