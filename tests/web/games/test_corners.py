"""What happens where two acts meet: a game that waits, ends, is opened again, or was open before."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.games import (
    deadline_clock,
    game_lifecycle,
    game_personal_data,
    order_submission,
    phase_adjudication,
    power_assignments,
)
from talleyrand.web.games.endings import agreed_end, end_proposals
from talleyrand.web.games.game_master import (
    deadline_actions,
    game_actions,
    phase_corrections,
    position_changes,
)
from talleyrand.web.games.game_master.action_base import (
    ExpectedRevision,
    GameMasterActor,
    GameMasterRefusal,
    last_published_revision,
)
from talleyrand.web.games.lobby import membership_actions
from talleyrand.web.games.models import (
    ClockOutage,
    EndProposal,
    Game,
    GameMembership,
    GameState,
    Heartbeat,
    OrderSet,
)
from talleyrand.web.notifications import outbox
from tests.web.cast import ASSISTANT, BEGUN, MASTER, PLAYERS, client_of, person, table

from .acting import DAY, HOUR, SECOND, all_hand_in, due, fresh, hand_in, sweep_at_deadline, these, told
from .playing import SPRING, Window, played
from .playing import running as begun_now

pytestmark = pytest.mark.django_db
SLOW: dict[str, Any] = {"hours": 72, "early": False}


def hand() -> GameMasterActor:
    return GameMasterActor(person(MASTER), "master")


def ground(game: Game) -> ExpectedRevision:
    last = last_published_revision(game)
    assert last is not None
    return ExpectedRevision.from_revision(last)


def take_back(game: Game, now: datetime) -> None:
    phase_corrections.roll_back_phase(fresh(game), ground(game), hand=hand(), now=now)


# a phase that is opened again


def test_a_sheet_set_aside_with_its_phase_is_not_acknowledged_again() -> None:
    """A form of the former phase 2, sent again to the phase 2 that came of other results."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    sweep_at_deadline(game)
    sent = {"key": "once", "lines": ["A BUR H"]}
    hand_in(game, "FRANCE", **sent)
    take_back(game, due(game) - HOUR)
    sweep_at_deadline(game)
    assert fresh(game).phase_number == 2
    with pytest.raises(order_submission.OrdersRefusal, match="moved"):
        hand_in(game, "FRANCE", **sent)
    assert order_submission.counting_order_sets(game, 2) == {}


def addresses(page: str) -> list[str]:
    """Where the page of the board sends orders and drafts to."""
    return [part.split('"')[0] for part in page.split('"/parties/')[1:] if "?opening=" in part.split('"')[0]]


@pytest.mark.long
def test_a_page_of_a_phase_that_was_taken_back_orders_nothing_in_the_one_that_follows_now() -> None:
    window = Window(begun_now(), "Flora")
    played(window.game, SPRING)
    old = addresses(window.get("2/").text)
    assert len(old) == 3
    phase_corrections.roll_back_phase(window.game, ground(window.game), hand=hand(), now=timezone.now())
    phase_adjudication.adjudicate_phase(window.game, 1, timezone.now())
    for path in old:
        answers = [
            window.client.post(f"/parties/{path}", json.dumps(body), content_type="application/json")
            for body in (
                {"action": "hand_in", "lines": {"FRANCE": ["A Par-Pic"]}, "submission": "s" * 22},
                {"orders": {"PAR": "A PAR - PIC"}},
            )
        ]
        assert {answer.status_code for answer in answers} <= {400, 409}
        form = window.client.post(f"/parties/{path}", {"sheet": "A Par-Pic", "action": "hand_in"})
        assert form.status_code in (400, 409)
    refused = window.client.post(f"/parties/{old[-1]}", {"sheet": "A Par-Pic", "action": "hand_in"})
    assert "A Par-Pic" in refused.text
    assert not OrderSet.objects.filter(game=window.game, phase_number=2, withdrawn_at=None).exists()
    assert window.seat.draft_orders == []
    new = addresses(window.get("2/").text)
    taken = window.client.post(f"/parties/{new[-1]}", {"sheet": "A Par-Pic", "action": "hand_in"})
    assert taken.status_code == 302
    assert order_submission.counting_order_sets(window.game, 2)["FRANCE"].lines == ["A Par-Pic"]


# the hour agreed for the end


def test_a_phase_due_at_the_agreed_hour_is_played_before_the_game_ends() -> None:
    hour = BEGUN + 72 * HOUR
    game = table(rhythm=SLOW, ends_at=hour)
    all_hand_in(game)
    for later in (0, 1, 2, 3):
        deadline_clock.check_due_games(hour + later * SECOND)
    ended = fresh(game)
    assert ended.revisions.filter(phase_number=1, is_current=True).exists()
    assert ended.state == GameState.ENDED
    assert ended.result is not None
    assert (ended.result["kind"], ended.result["phase"]) == ("date", "F1901M")


def test_the_last_phase_before_the_agreed_hour_is_not_extended_beyond_it() -> None:
    game = table(rhythm=SLOW, ends_at=BEGUN + 144 * HOUR)
    all_hand_in(game)
    sweep_at_deadline(game)
    all_hand_in(game, but=["ITALY"], lines=[])
    deadline_clock.check_due_games(due(game) + 2 * SECOND)
    deadline_clock.check_due_games(BEGUN + 144 * HOUR + 3 * SECOND)
    ended = fresh(game)
    assert ended.state == GameState.ENDED
    assert ended.revisions.get(phase_number=2, is_current=True).powers_without_orders == ["ITALY"]
    assert not told(game, "extended")


def test_a_game_that_waits_ends_at_the_agreed_hour_too() -> None:
    hour = BEGUN + 200 * HOUR
    game = table(rhythm=SLOW, ends_at=hour, absent="wait")
    all_hand_in(game, but=["ITALY"])
    sweep_at_deadline(game)
    assert fresh(game).is_waiting
    deadline_clock.check_due_games(hour - SECOND)
    assert fresh(game).state == GameState.PLAYING
    deadline_clock.check_due_games(hour + SECOND)
    assert fresh(game).state == GameState.ENDED


# games that wait


def waiting() -> Game:
    """Italy is missing, and the game waits for its game master."""
    game = table(rhythm=SLOW, absent="wait")
    all_hand_in(game, but=["ITALY"])
    sweep_at_deadline(game)
    assert fresh(game).is_waiting
    return fresh(game)


def dismissed(game: Game) -> None:
    for one in GameMembership.objects.filter(game=game, role__in=("master", "assistant"), left_at=None):
        game_actions.take_role(game, one.pk, hand=hand(), now=due(game) + DAY, alone=True)


def deleted(game: Game) -> None:
    membership_actions.leave_game(game, person(ASSISTANT))
    game_personal_data.leave_all_games(person(MASTER))


@pytest.mark.parametrize("go", [dismissed, deleted])
def test_a_game_that_waits_goes_on_when_nobody_is_left_at_its_desk(go: Callable[[Game], None]) -> None:
    game = waiting()
    before = due(game)
    go(game)
    now = max(timezone.now(), before) + 2 * DAY
    deadline_clock.check_due_games(now)
    assert not fresh(game).is_waiting
    assert due(game) > now


def test_a_waiting_game_is_not_extended_into_the_past() -> None:
    game = waiting()
    now = due(game) + 2 * DAY
    with pytest.raises(GameMasterRefusal, match="past"):
        deadline_actions.gm_set_deadline(game, due(game) + DAY, due(game), hand=hand(), now=now)
    following = deadline_actions.next_deadline(game, now)
    assert following is not None
    assert following > now


def test_hours_are_counted_from_now_where_the_deadline_is_over() -> None:
    game = waiting()
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() - 2 * DAY)
    sent = {"how": "hours", "hours": "24", "due": due(game).isoformat()}
    client_of(MASTER).post(f"/parties/{game.key}/desk/extend/", sent)
    assert due(game) > timezone.now() + 23 * HOUR


@pytest.mark.parametrize("draw", ["unanimous", "veto_then_vote"])
def test_the_end_may_be_proposed_while_a_game_waits(draw: str) -> None:
    game = waiting()
    Game.objects.filter(pk=game.pk).update(settings_json=fresh(game).settings_json | {"draw": draw})
    if draw == "veto_then_vote":
        phase_adjudication.adjudicate_phase(game, 1, due(game) + HOUR)
        Game.objects.filter(pk=game.pk).update(
            deadline=due(game) - 10 * DAY, is_waiting=True, next_check_at=None
        )
    counts = "now" if draw == "unanimous" else "last_adjustments"
    now = due(game) + DAY
    proposal = end_proposals.propose_end(game, "FRANCE", fresh(game).phase_number, counts, now)
    assert proposal.closed_at is None
    agreed_end.settle_due_proposals(now + DAY)
    proposal.refresh_from_db()
    assert proposal.closed_at is None


# the end, and after it


def test_an_open_proposal_lapses_with_its_game() -> None:
    game = table(rhythm=SLOW)
    proposal = end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + HOUR)
    game_actions.gm_abandon_game(game, "Assez.", hand=hand(), now=BEGUN + 2 * HOUR)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.closed_at) == ("lapsed", BEGUN + 2 * HOUR)


def test_one_poisoned_game_keeps_no_other_from_settling() -> None:
    games = [table(rhythm=SLOW), table(rhythm=SLOW)]
    found = [end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + HOUR) for game in games]
    Game.objects.filter(pk=games[0].pk).update(variant="gone")
    agreed_end.settle_due_proposals(due(games[1]))
    assert EndProposal.objects.get(pk=found[1].pk).state == "refused"


def test_a_second_end_is_told_as_well() -> None:
    game = table(rhythm=SLOW)
    for turn in (1, 2):
        game_actions.gm_abandon_game(game, "Assez.", hand=hand(), now=BEGUN + turn * HOUR)
        assert len(told(game, "ended")) == turn * len(PLAYERS | {MASTER: 0, ASSISTANT: 0, "Oscar": 0})
        game_actions.reopen_game(game, hand=hand(), now=BEGUN + turn * HOUR)


def test_nobody_is_final_in_a_game_that_is_opened_again() -> None:
    game = table(rhythm={"hours": 72, "early": True})
    all_hand_in(game, final=True)
    game_actions.gm_abandon_game(game, "Assez.", hand=hand(), now=BEGUN + HOUR)
    game_actions.reopen_game(game, hand=hand(), now=BEGUN + HOUR)
    assert not game.seats.filter(is_ready=True).exists()
    assert set(order_submission.counting_order_sets(game, 1)) == set(PLAYERS)


def test_an_outage_during_a_pause_moves_nothing_once_the_game_goes_on() -> None:
    game = table(rhythm=SLOW)
    game_lifecycle.pause_game(game, BEGUN + HOUR)
    ClockOutage.objects.create(started_at=BEGUN + 10 * DAY, ended_at=BEGUN + 10 * DAY + HOUR)
    game_lifecycle.resume_game(game, BEGUN + 11 * DAY, BEGUN + 12 * DAY)
    deadline_clock.check_due_games(BEGUN + 11 * DAY + HOUR)
    assert due(game) == BEGUN + 12 * DAY


def test_what_went_wrong_with_a_phase_does_not_stop_the_next_one() -> None:
    game = table(rhythm=SLOW)
    stale = fresh(game)
    phase_adjudication.adjudicate_phase(game, 1, BEGUN + HOUR)
    game_lifecycle.park_game(stale, game_lifecycle.SITE_FAULT)
    assert fresh(game).adjudication_error == ""


def test_a_proposal_of_a_phase_taken_back_is_as_if_it_had_not_been() -> None:
    game = table(rhythm=SLOW)
    proposal = end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + HOUR)
    end_proposals.withdraw_end_proposal(game, proposal.pk, "FRANCE", BEGUN + 2 * HOUR)
    with pytest.raises(end_proposals.EndProposalRefusal, match="again"):
        end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + 3 * HOUR)
    phase_adjudication.adjudicate_phase(game, 1, BEGUN + 4 * HOUR)
    take_back(game, BEGUN + 5 * HOUR)
    assert end_proposals.propose_end(game, "FRANCE", 1, "now", BEGUN + 6 * HOUR).closed_at is None


def test_whoever_was_replaced_while_he_ordered_changes_nothing_for_his_successor() -> None:
    game = table(rhythm=SLOW)
    hand_in(game, "FRANCE")
    power_assignments.assign_power(game, "FRANCE", person("Sylvain"))
    flora = person("Flora")
    with pytest.raises(order_submission.OrdersRefusal, match="not_yours"):
        order_submission.change_draft(game, "FRANCE", 1, these("FRANCE", ["A PAR H"]), BEGUN, flora)
    with pytest.raises(order_submission.OrdersRefusal, match="not_yours"):
        order_submission.set_ready(game, "FRANCE", 1, final=True, at=BEGUN, by=flora)
    assert not game.seats.filter(is_ready=True).exists()


# corrections and who has won


def test_whoever_corrects_a_game_that_is_over_is_told_that_it_goes_on() -> None:
    window = Window(begun_now(), MASTER, "")
    played(window.game, SPRING)
    result = {"kind": "draw", "powers": ["FRANCE"], "phase": "F1901M"}
    game_actions.gm_end_game(window.game, result, hand=hand(), now=timezone.now())
    on = ground(window.game)
    page = window.get("desk/position/").text
    text = html.unescape(page.split("<textarea", 1)[1].split(">", 1)[1].split("</textarea>")[0])
    sent = {
        "on": on.phase_number,
        "revision": on.revision,
        "text": text.replace("A Bou", "A Gas"),
        "reason": "Oui.",
    }
    shown = window.client.post(window.address("desk/position/"), sent).text
    assert "La partie est finie\u00a0: avec cette correction, elle reprend" in shown


def eighteen(game: Game) -> Any:
    """The position after the autumn, France with eighteen centres."""
    last = last_published_revision(game)
    assert last is not None
    after = position_changes.position_after(game, last)
    everything = sorted(one for places in after["centers"].values() for one in places)
    mine = after["centers"]["FRANCE"]
    mine = [*mine, *[one for one in everything if one not in mine][: 18 - len(mine)]]
    others = {power: [one for one in places if one not in mine] for power, places in after["centers"].items()}
    return {**after, "centers": {**others, "FRANCE": sorted(mine)}}


def autumn_played() -> Game:
    game = table(rhythm=SLOW)
    for lines in (None, ["A BUR-BEL"]):
        for power in PLAYERS:
            hand_in(game, power, lines if power == "FRANCE" else [] if lines else None)
        sweep_at_deadline(game)
    assert fresh(game).phase == "W1901A"
    return fresh(game)


def test_a_correction_that_gives_a_power_the_centres_to_win_ends_the_game() -> None:
    game = autumn_played()
    after = eighteen(game)
    phase_corrections.edit_position(
        game, ground(game), after, "Des centres oubliés.", hand=hand(), now=due(game) - HOUR
    )
    ended = fresh(game)
    assert ended.state == GameState.ENDED
    assert ended.result is not None
    assert (ended.result["kind"], ended.result["powers"]) == ("solo", ["FRANCE"])
    take_back(game, BEGUN + 100 * DAY)
    assert (fresh(game).state, fresh(game).phase_number) == (GameState.PLAYING, 2)


def test_centres_in_spring_make_nobody_win() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    sweep_at_deadline(game)
    phase_corrections.edit_position(
        game, ground(game), eighteen(game), "Un jeu.", hand=hand(), now=due(game) - HOUR
    )
    assert fresh(game).state == GameState.PLAYING


# clocks


def test_a_machine_whose_time_is_put_back_is_alive_all_the_same() -> None:
    deadline_clock.record_heartbeat(BEGUN + 10 * DAY)
    deadline_clock.record_heartbeat(BEGUN)
    assert Heartbeat.objects.get().last_seen_at == BEGUN
    deadline_clock.record_heartbeat(BEGUN + HOUR)
    assert ClockOutage.objects.count() == 1


# what PostgreSQL refuses to look for


def test_a_nul_in_a_form_is_refused_like_any_other_nonsense() -> None:
    game = table(press="held", begun=False)
    membership_actions.leave_game(game, person("Flora"))
    game.is_listed = True
    game.save()
    for name, to, sent, status in (
        ("Sylvain", "games:enter", {"power": "FRAN\x00CE"}, 302),  # passed over before the draw
        (MASTER, "games:table_invite", {"role": "player", "power": "\x00"}, 409),
        (MASTER, "press:pass_all", {"letter": "\x00"}, 302),
        ("Edmond", "games:answer_end", {"power": "\x00", "choice": "\x00", "proposal": "\x00"}, 404),
    ):
        answer = client_of(name).post(reverse(to, args=[game.key]), sent)
        assert (to, answer.status_code) == (to, status)


@pytest.mark.parametrize(("times", "trouble"), [(1, ""), (9, "fault")])
def test_whoever_is_deleted_while_a_phase_ends_parks_no_game(
    times: int, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL says only at the commit that news have no reader any more."""
    game = table(rhythm=SLOW)
    all_hand_in(game)
    refusals = [IntegrityError("violates foreign key constraint")] * times

    def hear(_told: object) -> None:
        if refusals:
            raise refusals.pop()

    monkeypatch.setattr(outbox, "_hearers", [hear])
    assert sweep_at_deadline(game).adjudication_error == trouble
    assert len(told(game, "published")) == (0 if trouble else 10)
