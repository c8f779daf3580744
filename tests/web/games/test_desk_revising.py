"""Override, edit, undo, take back: what stays, what counts, and one current revision for each phase."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import override

from talleyrand import variants
from talleyrand.formats.game_record import read_game_record
from talleyrand.printing.game_by_year import build_printed_history
from talleyrand.printing.history_pdf import render_history_html
from talleyrand.web.boards import adjudicator as judge
from talleyrand.web.boards.adjudicator import QuestionRefusal
from talleyrand.web.games import first_phase, order_submission, phase_adjudication
from talleyrand.web.games.game_history import initial_situation
from talleyrand.web.games.game_master import order_correction, phase_corrections, position_changes
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.game_master.result_overrides import ResultOverride
from talleyrand.web.games.models import Game, GameLogEntry, GameSeat, GameState, Json, OrderSet, PhaseRevision
from talleyrand.web.games.phase_pages import game_records
from talleyrand.web.notifications.models import Notification
from tests.web.cast import BEGUN, MASTER, person, table

pytestmark = pytest.mark.django_db
NOW = BEGUN + timedelta(hours=5)
SPRING = {
    "FRANCE": ["A Par-Bou", "A Mar-Esp", "F Bre-Atl"],
    "GERMANY": ["A Mun-Bou", "F Kie-Dan"],
    "ITALY": [],
}


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), "master")


def send(game: Game, sheets: dict[str, list[str]], *, final: bool = False, at: datetime = NOW) -> None:
    number = Game.objects.get(pk=game.pk).phase_number
    for power, lines in sheets.items():
        key = f"{number} {power} {lines} {final}"
        order_submission.submit_orders(
            game, power, lines, number=number, key=key, origin="text", at=at, final=final
        )


def played(sheets: dict[str, list[str]] | None = None, **terms: Any) -> Game:
    """A table after its first phase."""
    game = table(**terms)
    send(game, SPRING if sheets is None else sheets)
    phase_adjudication.adjudicate_phase(game, 1, NOW)
    game.refresh_from_db()
    return game


def published(game: Game) -> Any:
    """The last phase published, as it counts."""
    found = last_published_revision(game)
    assert found is not None
    return found


def ground(game: Game) -> ExpectedRevision:
    return ExpectedRevision.from_revision(published(game))


def after(game: Game) -> Json:
    return position_changes.position_after(game, published(game))


def moved(situation: Json, power: str, unit: str, to: str) -> Json:
    """The situation with one unit elsewhere."""
    units = {**situation["units"], power: [to if one == unit else one for one in situation["units"][power]]}
    return {**situation, "units": units}


def entry(game: Game, unit: str) -> int:
    orders = published(game).answer["orders"]
    return next(at for at, one in enumerate(orders) if one["unit"] == unit)


def overridden(game: Game) -> Any:
    """Germany is let into Burgundy, France is not."""
    position = moved(after(game), "GERMANY", "A MUN", "A BUR")
    changes = [ResultOverride(entry(game, "A MUN"), ("moves",))]
    return phase_corrections.override_results(
        game, ground(game), changes, position, "Un ordre mal lu.", hand=hand(), now=NOW
    )


def check_whole(game: Game) -> None:
    """One current revision for each phase from the start on, each beginning where the one before ends."""
    game.refresh_from_db()
    current: list[Any] = list(
        PhaseRevision.objects.filter(game=game, is_current=True).order_by("phase_number")
    )
    assert [one.phase_number for one in current] == list(range(len(current)))
    for before, one in pairwise(current):
        assert one.situation == before.next_situation
    if game.state in (GameState.PLAYING, GameState.PAUSED):
        assert game.phase_number == len(current)
        assert game.phase == current[-1].next_situation["phase"]


def test_an_override_is_a_new_revision_from_which_the_open_phase_starts() -> None:
    game = played()
    judged = published(game)
    made = overridden(game)
    check_whole(game)
    assert (made.phase_number, made.revision, made.kind, made.published_by) == (
        1,
        2,
        "override",
        person(MASTER),
    )
    assert made.overrides[0]["before"] == ["bounces"]
    assert made.overrides[0]["after"] == ["moves"]
    assert set(after(game)["units"]["GERMANY"]) == {"A BER", "A BUR", "F DEN"}
    assert made.answer["units"] == made.next_situation["units"]
    german = made.answer["orders"][entry(game, "A MUN")]
    assert german["results"] == ["moves"]
    assert german["why"] == {"fr": "Un ordre mal lu.", "en": "Un ordre mal lu."}
    judged.refresh_from_db()
    assert not judged.is_current
    assert judged.withdrawn_at == NOW
    assert judged.answer["orders"][entry(game, "A MUN")]["results"] == ["bounces"]


def test_a_corrected_phase_keeps_its_deadline_and_nobody_is_final() -> None:
    game = played()
    due = game.deadline
    send(game, {"FRANCE": ["A Esp H"]}, final=True)
    overridden(game)
    game.refresh_from_db()
    assert game.deadline == due
    assert not GameSeat.objects.get(game=game, power="FRANCE").is_ready
    assert order_submission.counting_order_sets(game, 2)["FRANCE"].lines == ["A Esp H"]


def test_all_are_told_and_those_whose_sheet_no_longer_fits_are_told_so() -> None:
    game = played()
    send(game, {"GERMANY": ["A Mun-Ruh"], "FRANCE": ["A Esp-Por"]})
    overridden(game)
    told = {one.person.name: one.facts for one in Notification.objects.filter(kind="corrected")}
    assert len(told) == 10
    assert told["Gaspard"]["misfit"] == "GERMANY"
    assert "misfit" not in told["Flora"]
    assert phase_corrections.powers_with_invalid_orders(game, 2, after(game)) == {"GERMANY"}


def test_the_log_says_what_and_why_without_orders() -> None:
    game = played()
    overridden(game)
    line = GameLogEntry.objects.get(game=game, kind="overridden")
    assert (line.role, line.person, line.is_public) == ("master", person(MASTER), True)
    assert line.facts == {"phase": "S1901M", "reason": "Un ordre mal lu."}


def test_an_override_is_undone_by_a_new_revision() -> None:
    game = played()
    judged = published(game)
    overridden(game)
    made = phase_corrections.restore_adjudication(game, ground(game), hand=hand(), now=NOW)
    check_whole(game)
    assert (made.revision, made.kind, made.overrides, made.reason) == (3, "adjudication", [], "")
    assert (made.answer, made.next_situation, made.digest) == (
        judged.answer,
        judged.next_situation,
        judged.digest,
    )
    with pytest.raises(GameMasterRefusal, match="uncorrected"):
        phase_corrections.restore_adjudication(game, ground(game), hand=hand(), now=NOW)


def test_a_second_override_remembers_what_the_judge_had_found() -> None:
    game = played()
    overridden(game)
    changes = [ResultOverride(entry(game, "A MUN"), ("holds",))]
    made = phase_corrections.override_results(
        game, ground(game), changes, after(game), "Encore.", hand=hand(), now=NOW
    )
    assert [(one["before"], one["after"]) for one in made.overrides] == [(["bounces"], ["holds"])]
    changes = [ResultOverride(entry(game, "A MUN"), ("bounces",))]
    made = phase_corrections.override_results(
        game, ground(game), changes, after(game), "Enfin.", hand=hand(), now=NOW
    )
    assert made.overrides == []
    check_whole(game)


def test_an_edit_before_the_first_phase_is_a_revision_of_the_start() -> None:
    game = table()
    position = moved(after(game), "FRANCE", "A PAR", "A GAS")
    made = phase_corrections.edit_position(
        game, ground(game), position, "Une variante.", hand=hand(), now=NOW
    )
    check_whole(game)
    assert (made.phase_number, made.revision, made.kind) == (0, 2, "edit")
    send(game, {"FRANCE": ["A Gas-Esp"]})
    revision: Any = phase_adjudication.adjudicate_phase(game, 1, NOW)
    assert "A SPA" in revision.next_situation["units"]["FRANCE"]
    check_whole(game)


def test_an_edit_that_names_another_phase_sets_its_deadline_anew() -> None:
    game = played()
    position = {**after(game), "phase": "F1902M"}
    later = NOW + timedelta(hours=9)
    phase_corrections.edit_position(game, ground(game), position, "On saute un an.", hand=hand(), now=later)
    game.refresh_from_db()
    assert (game.phase, game.phase_opened_at, game.deadline) == ("F1902M", later, later + timedelta(hours=72))
    check_whole(game)


@pytest.mark.parametrize(
    ("change", "reason", "code"),
    [
        (lambda now: now, "Un motif.", "unchanged"),
        (lambda now: moved(now, "GERMANY", "A MUN", "A BUR"), " \n ", "unreasoned"),
    ],
)
def test_what_is_no_correction_is_refused(change: Any, reason: str, code: str) -> None:
    game = played()
    with pytest.raises(GameMasterRefusal, match=code):
        phase_corrections.edit_position(game, ground(game), change(after(game)), reason, hand=hand(), now=NOW)
    with pytest.raises(GameMasterRefusal, match=code):
        phase_corrections.override_results(
            game, ground(game), [], change(after(game)), reason, hand=hand(), now=NOW
        )
    assert PhaseRevision.objects.filter(game=game).count() == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda now: moved(now, "FRANCE", "A SPA", "A NTH"),
        lambda now: moved(now, "FRANCE", "A SPA", "A BER"),
        lambda now: {**now, "phase": "X1901M"},
        lambda now: {**now, "centers": {"FRANCE": ["BUR"]}},
    ],
)
def test_a_position_that_cannot_stand_changes_nothing(change: Any) -> None:
    game = played()
    with pytest.raises(QuestionRefusal):
        phase_corrections.edit_position(
            game, ground(game), change(after(game)), "Un motif.", hand=hand(), now=NOW
        )
    assert PhaseRevision.objects.filter(game=game).count() == 2
    check_whole(game)


ACTS: dict[str, Callable[[Game, ExpectedRevision], Any]] = {
    "override": lambda game, on: phase_corrections.override_results(
        game, on, [ResultOverride(0, ("holds",))], after(game), "Un motif.", hand=hand(), now=NOW
    ),
    "edit": lambda game, on: phase_corrections.edit_position(
        game, on, moved(after(game), "GERMANY", "A MUN", "A SIL"), "Un motif.", hand=hand(), now=NOW
    ),
    "restore": lambda game, on: phase_corrections.restore_adjudication(game, on, hand=hand(), now=NOW),
    "take back": lambda game, on: phase_corrections.roll_back_phase(game, on, hand=hand(), now=NOW),
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("meanwhile", ["published", "corrected", "undone"])
def test_an_act_prepared_on_an_older_state_is_refused(act: str, meanwhile: str) -> None:
    game = played()
    on = ground(game)
    if meanwhile == "published":
        phase_adjudication.adjudicate_phase(game, 2, NOW)
    elif meanwhile == "corrected":
        overridden(game)
    else:
        phase_corrections.roll_back_phase(game, on, hand=hand(), now=NOW)
    before = list(PhaseRevision.objects.filter(game=game).order_by("pk").values())
    row = Game.objects.filter(pk=game.pk).values().get()
    with pytest.raises(GameMasterRefusal, match="moved"):
        ACTS[act](game, on)
    assert list(PhaseRevision.objects.filter(game=game).order_by("pk").values()) == before
    assert Game.objects.filter(pk=game.pk).values().get() == row


# taking back


def test_taking_back_opens_the_phase_again_with_its_sheets() -> None:
    game = played(absent="extend")
    later = NOW + timedelta(hours=2)
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=later)
    check_whole(game)
    assert (game.phase_number, game.phase, game.deadline) == (1, "S1901M", later + timedelta(hours=72))
    assert order_submission.order_states(game, 1)["FRANCE"] == "saved"
    assert order_submission.order_states(game, 1)["AUSTRIA"] == "nothing"
    assert GameSeat.objects.get(game=game, power="FRANCE").draft_orders == SPRING["FRANCE"]
    assert set(game.seats.values_list("missed_phases", flat=True)) == {0}
    assert Notification.objects.filter(kind="taken_back").count() == 10
    assert GameLogEntry.objects.get(game=game, kind="taken_back").facts == {"phase": "S1901M"}


def test_the_same_sheets_give_the_same_bytes_again() -> None:
    game = played()
    first = published(game)
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    again = phase_adjudication.adjudicate_phase(game, 1, NOW + timedelta(hours=1))
    assert again.revision == 2
    assert (
        again.digest,
        again.answer,
        again.next_situation,
        again.order_lines,
        again.powers_without_orders,
        again.situation,
    ) == (
        first.digest,
        first.answer,
        first.next_situation,
        first.order_lines,
        first.powers_without_orders,
        first.situation,
    )
    check_whole(game)


def test_what_was_written_for_the_phase_after_is_kept_and_counts_no_more() -> None:
    game = played()
    send(game, {"FRANCE": ["A Esp-Por"]})
    GameSeat.objects.filter(game=game, power="GERMANY").update(
        draft_orders=["F Dan-Sue"], draft_phase_number=2, drafted_at=NOW
    )
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    kept = OrderSet.objects.filter(game=game, phase_number=2).order_by("receipt_number", "power")
    assert [(one.power, one.lines, one.withdrawn_at) for one in kept] == [
        ("FRANCE", ["A Esp-Por"], NOW),
        ("GERMANY", ["F Dan-Sue"], NOW),
    ]
    phase_adjudication.adjudicate_phase(game, 1, NOW)
    assert order_submission.counting_order_sets(game, 2) == {}
    assert set(order_submission.order_states(Game.objects.get(pk=game.pk), 2).values()) == {"nothing"}


def test_override_take_back_and_judge_again() -> None:
    game = played()
    judged = published(game)
    overridden(game)
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    check_whole(game)
    again = phase_adjudication.adjudicate_phase(game, 1, NOW)
    check_whole(game)
    assert again.answer == judged.answer
    assert [
        (one.phase_number, one.revision, one.kind, one.is_current)
        for one in PhaseRevision.objects.filter(game=game)
    ] == [
        (0, 1, "start", True),
        (1, 1, "adjudication", False),
        (1, 2, "override", False),
        (1, 3, "adjudication", True),
    ]


def test_phases_are_taken_back_one_by_one_until_the_start() -> None:
    game = played()
    phase_adjudication.adjudicate_phase(game, 2, NOW)
    for number in (2, 1):
        assert ground(game).phase_number == number
        phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
        check_whole(game)
    with pytest.raises(GameMasterRefusal, match="first"):
        phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)


def test_a_paused_game_stays_paused() -> None:
    game = played()
    Game.objects.filter(pk=game.pk).update(state=GameState.PAUSED, deadline=None, next_check_at=None)
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    check_whole(game)
    assert (game.state, game.deadline, game.next_check_at) == (GameState.PAUSED, None, None)
    assert game.time_left_when_paused == timedelta(hours=72)


def test_a_parked_game_is_tried_again_from_another_position() -> None:
    game = played()
    Game.objects.filter(pk=game.pk).update(adjudication_error="fault", next_check_at=None)
    overridden(game)
    game.refresh_from_db()
    assert game.adjudication_error == ""
    assert game.next_check_at is not None


def test_missed_phases_and_the_disorder_they_led_to_are_forgotten() -> None:
    game = table(patience=1)
    send(game, {"FRANCE": ["A Par H"]})
    phase_adjudication.adjudicate_phase(game, 1, NOW)
    assert GameSeat.objects.get(game=game, power="ITALY").in_civil_disorder
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    assert not GameSeat.objects.filter(game=game, in_civil_disorder=True).exists()
    assert not GameSeat.objects.filter(game=game, missed_phases__gt=0).exists()


# games that were over


def won() -> Game:
    """France has eighteen centres after the autumn of 1901."""
    game = table(begun=False)
    game = first_phase.open_first_phase(game, BEGUN)
    start = after(game)
    centres = {power: list(held) for power, held in start["centers"].items()}
    for power, places in (("GERMANY", 3), ("ITALY", 3), ("AUSTRIA", 3), ("ENGLAND", 3), ("TURKEY", 3)):
        centres["FRANCE"] += centres[power][:places]
        centres[power] = centres[power][places:]
    units = {power: start["units"][power] for power in ("FRANCE", "RUSSIA")}
    position = {**start, "phase": "F1901M", "centers": centres, "units": units}
    position = moved(position, "FRANCE", "A MAR", "A SPA")
    phase_corrections.edit_position(game, ground(game), position, "Presque gagné.", hand=hand(), now=NOW)
    send(game, {"FRANCE": ["A Esp H", "F Bre H", "A Par H"]})
    phase_adjudication.adjudicate_phase(game, 1, NOW)
    game.refresh_from_db()
    assert game.state == GameState.ENDED
    return game


def test_a_game_that_was_won_is_reopened_by_taking_back() -> None:
    game = won()
    assert published(game).next_situation is None
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    check_whole(game)
    assert (game.state, game.phase_number, game.phase, game.ended_at, game.result) == (
        GameState.PLAYING,
        1,
        "F1901M",
        None,
        None,
    )


def test_a_game_that_was_won_goes_on_from_a_corrected_position_and_ends_again_when_restored() -> None:
    game = won()
    result = game.result
    position = after(game)
    centres = {**position["centers"], "FRANCE": position["centers"]["FRANCE"][2:]}  # seventeen
    position = {**position, "centers": centres}
    made: Any = phase_corrections.override_results(
        game, ground(game), [], position, "Paris était perdu.", hand=hand(), now=NOW
    )
    check_whole(game)
    assert (game.state, game.phase_number, game.phase) == (GameState.PLAYING, 2, position["phase"])
    assert made.answer["winner"] == []
    phase_corrections.restore_adjudication(game, ground(game), hand=hand(), now=NOW)
    game.refresh_from_db()
    assert (game.state, game.phase_number, game.phase, game.result) == (GameState.ENDED, 1, "", result)


# positions as text


@pytest.mark.parametrize("variant", variants.playable_names())
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_position_sent_back_unchanged_is_the_same(variant: str, language: str) -> None:
    game = Game(variant=variant, rulebook="datc", seed="1901")
    start = initial_situation(variants.load(variant))
    with override(language):
        assert (
            position_changes.position_from_text(game, position_changes.position_as_text(game, start), start)
            is start
        )
        assert position_changes.position_change_rows(game, start, start) == []


def test_a_position_that_was_played_is_the_same_too() -> None:
    """Movements tell nothing of dislodged units, a text tells that there are none."""
    game = played()
    base = after(game)
    assert (
        position_changes.position_from_text(game, position_changes.position_as_text(game, base), base) is base
    )


def test_what_no_text_tells_is_remembered() -> None:
    """Rights to build, homes and the ownership before the year’s captures outlive an edit."""
    game = played()
    base = {**after(game), "kept_builds": {"FRANCE": 1}, "centers_before": after(game)["centers"]}
    text = position_changes.position_as_text(game, base).replace("A Munich", "A Silésie")
    found = position_changes.position_from_text(game, text, base)
    assert (found["kept_builds"], found["centers_before"]) == (base["kept_builds"], base["centers_before"])
    told = [
        (one.place, one.before, one.after) for one in position_changes.position_change_rows(game, base, found)
    ]
    assert told == [
        ("Munich, unité", "Armée Munich, Allemagne", "–"),
        ("Silésie, unité", "–", "Armée Silésie, Allemagne"),
    ]


def test_dislodged_units_are_told_and_read() -> None:
    game = played({"FRANCE": ["A Par-Bou", "A Mar S A Par-Bou"]})
    send(game, {"GERMANY": ["A Mun-Bou", "F Kie H"], "FRANCE": ["A Bou-Mun", "A Mar-Bou"]})
    spring = after(game)
    units = {**spring["units"], "FRANCE": ["A BUR", "A RUH", "F BRE"], "GERMANY": ["A BER", "F KIE", "A MUN"]}
    phase_corrections.edit_position(
        game, ground(game), {**spring, "units": units}, "Deux contre un.", hand=hand(), now=NOW
    )
    send(game, {"FRANCE": ["A Bou-Mun", "A Ruh S A Bou-Mun"], "GERMANY": ["A Mun H"]})
    phase_adjudication.adjudicate_phase(game, 2, NOW)
    base = after(game)
    assert base["phase"] == "F1901R"
    text = position_changes.position_as_text(game, base)
    assert position_changes.position_from_text(game, text, base) is base
    found = position_changes.position_from_text(
        game, text.replace("Munich par Bourgogne", "Munich par Ruhr"), base
    )
    assert found["dislodged"]["GERMANY"][0]["by"] == "RUH"


# while clock and players act


@pytest.mark.parametrize("act", ["override", "edit", "take back"])
def test_a_phase_published_in_the_middle_of_an_act_wins(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between what an act reads and what it writes, the clock is quicker."""
    game, read = played(), judge.deciding_powers

    def interrupted(question: dict[str, Any]) -> tuple[str, ...]:
        monkeypatch.setattr(judge, "deciding_powers", read)
        phase_adjudication.adjudicate_phase(game, 2, NOW)
        return read(question)

    on = ground(game)
    monkeypatch.setattr(judge, "deciding_powers", interrupted)
    with pytest.raises(GameMasterRefusal, match="moved"):
        ACTS[act](game, on)
    check_whole(game)
    assert PhaseRevision.objects.filter(game=game).count() == 3
    assert not GameLogEntry.objects.filter(game=game, role="master").exists()


@pytest.mark.parametrize("act", ["override", "edit", "take back"])
def test_a_phase_judged_before_an_act_is_not_published_after_it(act: str) -> None:
    game = played()
    taken = phase_adjudication.take_snapshot(game, 2, timezone.now())
    answer = taken.adjudicate()
    ACTS[act](game, ground(game))
    assert phase_adjudication.publish_phase(taken, answer, NOW) is None
    check_whole(game)


def test_a_sheet_for_a_phase_taken_back_is_not_taken() -> None:
    game = played()
    phase_corrections.roll_back_phase(game, ground(game), hand=hand(), now=NOW)
    with pytest.raises(order_submission.OrdersRefusal, match="moved"):
        order_submission.submit_orders(
            game, "FRANCE", ["A Esp H"], number=2, key="late", origin="text", at=NOW
        )
    assert order_submission.counting_order_sets(game, 2) == {}


# the files of the game


def replayed(game: Game) -> Any:
    """The last phase of the game's JSON, played again, with its page of the PDF."""
    told = game_records.game_record_json(game, seeded=False)
    history = build_printed_history(read_game_record(told))
    return told["phases"], history.years[-1].stages[-1], history


def results_of(stage: Any, power: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(line.text, line.results) for line in stage.lines_by_power("en").get(power, [])]


def reached(history: Any, power: str) -> list[str]:
    return [str(unit) for unit in history.reached.units if unit.power == power]


def test_the_files_have_what_was_corrected_before_another_phase_is_played_and_undone_no_more() -> None:
    game = played()
    overridden(game)
    phases, stage, history = replayed(game)
    assert len(phases) == 1
    assert phases[0]["corrected"]["reason"] == "Un ordre mal lu."
    assert ("A Mun - Bur", ("moves",)) in results_of(stage, "GERMANY")
    assert "A BUR" in reached(history, "GERMANY")
    assert "Corrected by the game master: Un ordre mal lu." in render_history_html(history, "en")
    answer = stage.played.answer()
    assert next(one["why"] for one in answer["orders"] if one["unit"] == "A MUN")["fr"] == "Un ordre mal lu."
    phase_corrections.restore_adjudication(game, ground(game), hand=hand(), now=NOW)
    phases, stage, history = replayed(game)
    assert "corrected" not in phases[0]
    assert ("A Mun - Bur", ("bounces",)) in results_of(stage, "GERMANY")
    assert "A MUN" in reached(history, "GERMANY")
    assert "Corrected" not in render_history_html(history, "en")


def test_the_files_have_an_order_that_was_read_wrong_as_it_was_corrected() -> None:
    game = played()
    corrected = order_correction.corrected_order(game, "A Par-Gas")
    phase_corrections.publish_corrected_order(game, corrected, "Gas, pas Bou.", hand=hand(), now=NOW)
    phases, stage, history = replayed(game)
    assert phases[0]["corrected"]["reason"] == "Gas, pas Bou."
    assert ("A Par - Gas", ("moves",)) in results_of(stage, "FRANCE")
    assert ("A Mun - Bur", ("moves",)) in results_of(stage, "GERMANY")
    assert "A GAS" in reached(history, "FRANCE")
    phase_adjudication.adjudicate_phase(game, 2, NOW)
    phases, stage, history = replayed(game)
    assert "Gas, pas Bou." in render_history_html(history, "fr")
    assert "A GAS" in reached(history, "FRANCE")


def test_a_position_set_after_the_last_phase_is_where_the_files_end() -> None:
    game = played()
    position = moved(after(game), "FRANCE", "A SPA", "A GAS")
    phase_corrections.edit_position(game, ground(game), position, "Une pièce tombée.", hand=hand(), now=NOW)
    _phases, _stage, history = replayed(game)
    assert "A GAS" in reached(history, "FRANCE")
    assert "Une pièce tombée." in render_history_html(history, "en")
