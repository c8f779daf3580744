"""What happens where two acts meet: a game that waits, ends, is opened again, or was open before."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from talleyrand.web.games import belongings, clock, inbox, referee, running, seats
from talleyrand.web.games.desk import directing, positions, revising, timing
from talleyrand.web.games.desk.acts import Ground, Hand, NotDone, last_published
from talleyrand.web.games.endings import carrying, proposals
from talleyrand.web.games.models import Beat, Game, Membership, Outage, Proposal, Sheet, State, secret
from talleyrand.web.games.table import gathering
from talleyrand.web.notices import outbox
from talleyrand.web.notices.models import Notice
from tests.web.cast import ASSISTANT, BEGUN, MASTER, PLAYERS, client_of, person, table

from .acting import DAY, HOUR, SECOND, all_hand_in, due, fresh, hand_in, sweep_at_deadline, these, told
from .playing import SPRING, Window, played
from .playing import running as begun_now

pytestmark = pytest.mark.django_db
SLOW: dict[str, Any] = {"hours": 72, "early": False}


def hand() -> Hand:
    return Hand(person(MASTER), "master")


def ground(game: Game) -> Ground:
    last = last_published(game)
    assert last is not None
    return Ground.of(last)


def take_back(game: Game, now: datetime) -> None:
    revising.take_back(fresh(game), ground(game), hand=hand(), now=now)


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
    assert fresh(game).number == 2
    with pytest.raises(inbox.NotTaken, match="moved"):
        hand_in(game, "FRANCE", **sent)
    assert inbox.counting(game, 2) == {}


def addresses(page: str) -> list[str]:
    """Where the page of the board sends orders and drafts to."""
    return [part.split('"')[0] for part in page.split('"/parties/')[1:] if "?opening=" in part.split('"')[0]]


def test_a_page_of_a_phase_that_was_taken_back_orders_nothing_in_the_one_that_follows_now() -> None:
    window = Window(begun_now(), "Flora")
    played(window.game, SPRING)
    old = addresses(window.get("2/").text)
    assert len(old) == 3
    revising.take_back(window.game, ground(window.game), hand=hand(), now=timezone.now())
    referee.adjudicate(window.game, 1, timezone.now())
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
    assert not Sheet.objects.filter(game=window.game, number=2, withdrawn=None).exists()
    assert window.seat.draft == []
    new = addresses(window.get("2/").text)
    taken = window.client.post(f"/parties/{new[-1]}", {"sheet": "A Par-Pic", "action": "hand_in"})
    assert taken.status_code == 302
    assert inbox.counting(window.game, 2)["FRANCE"].lines == ["A Par-Pic"]


# the hour agreed for the end


def test_a_phase_due_at_the_agreed_hour_is_played_before_the_game_ends() -> None:
    hour = BEGUN + 72 * HOUR
    game = table(rhythm=SLOW, ends_at=hour)
    all_hand_in(game)
    for later in (0, 1, 2, 3):
        clock.sweep(hour + later * SECOND)
    ended = fresh(game)
    assert ended.revisions.filter(number=1, current=True).exists()
    assert ended.state == State.ENDED
    assert ended.result is not None
    assert (ended.result["kind"], ended.result["phase"]) == ("date", "F1901M")


def test_the_last_phase_before_the_agreed_hour_is_not_extended_beyond_it() -> None:
    game = table(rhythm=SLOW, ends_at=BEGUN + 144 * HOUR)
    all_hand_in(game)
    sweep_at_deadline(game)
    all_hand_in(game, but=["ITALY"], lines=[])
    clock.sweep(due(game) + 2 * SECOND)
    clock.sweep(BEGUN + 144 * HOUR + 3 * SECOND)
    ended = fresh(game)
    assert ended.state == State.ENDED
    assert ended.revisions.get(number=2, current=True).absent == ["ITALY"]
    assert not told(game, "extended")


def test_a_game_that_waits_ends_at_the_agreed_hour_too() -> None:
    hour = BEGUN + 200 * HOUR
    game = table(rhythm=SLOW, ends_at=hour, absent="wait")
    all_hand_in(game, but=["ITALY"])
    sweep_at_deadline(game)
    assert fresh(game).waiting
    clock.sweep(hour - SECOND)
    assert fresh(game).state == State.PLAYING
    clock.sweep(hour + SECOND)
    assert fresh(game).state == State.ENDED


# games that wait


def waiting() -> Game:
    """Italy is missing, and the game waits for its game master."""
    game = table(rhythm=SLOW, absent="wait")
    all_hand_in(game, but=["ITALY"])
    sweep_at_deadline(game)
    assert fresh(game).waiting
    return fresh(game)


def dismissed(game: Game) -> None:
    for one in Membership.objects.filter(game=game, role__in=("master", "assistant"), left=None):
        directing.dismiss(game, one.pk, hand=hand(), now=due(game) + DAY, alone=True)


def deleted(game: Game) -> None:
    gathering.leave(game, person(ASSISTANT))
    belongings.left(person(MASTER))


@pytest.mark.parametrize("go", [dismissed, deleted])
def test_a_game_that_waits_goes_on_when_nobody_is_left_at_its_desk(go: Callable[[Game], None]) -> None:
    game = waiting()
    before = due(game)
    go(game)
    now = max(timezone.now(), before) + 2 * DAY
    clock.sweep(now)
    assert not fresh(game).waiting
    assert due(game) > now


def test_a_waiting_game_is_not_extended_into_the_past() -> None:
    game = waiting()
    now = due(game) + 2 * DAY
    with pytest.raises(NotDone, match="past"):
        timing.extend(game, due(game) + DAY, due(game), hand=hand(), now=now)
    following = timing.next_date(game, now)
    assert following is not None
    assert following > now


def test_hours_are_counted_from_now_where_the_deadline_is_over() -> None:
    game = waiting()
    Game.objects.filter(pk=game.pk).update(due=timezone.now() - 2 * DAY)
    sent = {"how": "hours", "hours": "24", "due": due(game).isoformat()}
    client_of(MASTER).post(f"/parties/{game.key}/desk/extend/", sent)
    assert due(game) > timezone.now() + 23 * HOUR


@pytest.mark.parametrize("draw", ["unanimous", "veto_then_vote"])
def test_the_end_may_be_proposed_while_a_game_waits(draw: str) -> None:
    game = waiting()
    Game.objects.filter(pk=game.pk).update(kept_terms=fresh(game).kept_terms | {"draw": draw})
    if draw == "veto_then_vote":
        referee.adjudicate(game, 1, due(game) + HOUR)
        Game.objects.filter(pk=game.pk).update(due=due(game) - 10 * DAY, waiting=True, sweep=None)
    counts = "now" if draw == "unanimous" else "last_adjustments"
    now = due(game) + DAY
    proposal = proposals.propose(game, "FRANCE", fresh(game).number, counts, now)
    assert proposal.closed is None
    carrying.settle_due(now + DAY)
    proposal.refresh_from_db()
    assert proposal.closed is None


# the end, and after it


def test_an_open_proposal_lapses_with_its_game() -> None:
    game = table(rhythm=SLOW)
    proposal = proposals.propose(game, "FRANCE", 1, "now", BEGUN + HOUR)
    directing.abandon(game, "Assez.", hand=hand(), now=BEGUN + 2 * HOUR)
    proposal.refresh_from_db()
    assert (proposal.state, proposal.closed) == ("lapsed", BEGUN + 2 * HOUR)


def test_one_poisoned_game_keeps_no_other_from_settling() -> None:
    games = [table(rhythm=SLOW), table(rhythm=SLOW)]
    found = [proposals.propose(game, "FRANCE", 1, "now", BEGUN + HOUR) for game in games]
    Game.objects.filter(pk=games[0].pk).update(variant="gone")
    carrying.settle_due(due(games[1]))
    assert Proposal.objects.get(pk=found[1].pk).state == "refused"


def test_a_second_end_is_told_as_well() -> None:
    game = table(rhythm=SLOW)
    for turn in (1, 2):
        directing.abandon(game, "Assez.", hand=hand(), now=BEGUN + turn * HOUR)
        assert len(told(game, "ended")) == turn * len(PLAYERS | {MASTER: 0, ASSISTANT: 0, "Oscar": 0})
        directing.reopen(game, hand=hand(), now=BEGUN + turn * HOUR)


def test_nobody_is_final_in_a_game_that_is_opened_again() -> None:
    game = table(rhythm={"hours": 72, "early": True})
    all_hand_in(game, final=True)
    directing.abandon(game, "Assez.", hand=hand(), now=BEGUN + HOUR)
    directing.reopen(game, hand=hand(), now=BEGUN + HOUR)
    assert not game.seats.filter(final=True).exists()
    assert set(inbox.counting(game, 1)) == set(PLAYERS)


def test_an_outage_during_a_pause_moves_nothing_once_the_game_goes_on() -> None:
    game = table(rhythm=SLOW)
    running.pause(game, BEGUN + HOUR)
    Outage.objects.create(since=BEGUN + 10 * DAY, until=BEGUN + 10 * DAY + HOUR)
    running.resume(game, BEGUN + 11 * DAY, BEGUN + 12 * DAY)
    clock.sweep(BEGUN + 11 * DAY + HOUR)
    assert due(game) == BEGUN + 12 * DAY


def test_what_went_wrong_with_a_phase_does_not_stop_the_next_one() -> None:
    game = table(rhythm=SLOW)
    stale = fresh(game)
    referee.adjudicate(game, 1, BEGUN + HOUR)
    running.park(stale, running.FAULT)
    assert fresh(game).trouble == ""


def test_a_proposal_of_a_phase_taken_back_is_as_if_it_had_not_been() -> None:
    game = table(rhythm=SLOW)
    proposal = proposals.propose(game, "FRANCE", 1, "now", BEGUN + HOUR)
    proposals.withdraw(game, proposal.pk, "FRANCE", BEGUN + 2 * HOUR)
    with pytest.raises(proposals.NotNow, match="again"):
        proposals.propose(game, "FRANCE", 1, "now", BEGUN + 3 * HOUR)
    referee.adjudicate(game, 1, BEGUN + 4 * HOUR)
    take_back(game, BEGUN + 5 * HOUR)
    assert proposals.propose(game, "FRANCE", 1, "now", BEGUN + 6 * HOUR).closed is None


def test_whoever_was_replaced_while_he_ordered_changes_nothing_for_his_successor() -> None:
    game = table(rhythm=SLOW)
    hand_in(game, "FRANCE")
    seats.give(game, "FRANCE", person("Sylvain"))
    flora = person("Flora")
    with pytest.raises(inbox.NotTaken, match="not_yours"):
        inbox.redraft(game, "FRANCE", 1, these("FRANCE", ["A PAR H"]), BEGUN, flora)
    with pytest.raises(inbox.NotTaken, match="not_yours"):
        inbox.set_final(game, "FRANCE", 1, final=True, at=BEGUN, by=flora)
    assert not game.seats.filter(final=True).exists()


# corrections and who has won


def test_whoever_corrects_a_game_that_is_over_is_told_that_it_goes_on() -> None:
    window = Window(begun_now(), MASTER, "")
    played(window.game, SPRING)
    result = {"kind": "draw", "powers": ["FRANCE"], "phase": "F1901M"}
    directing.end(window.game, result, hand=hand(), now=timezone.now())
    on = ground(window.game)
    page = window.get("desk/position/").text
    text = html.unescape(page.split("<textarea", 1)[1].split(">", 1)[1].split("</textarea>")[0])
    sent = {
        "on": on.number,
        "revision": on.revision,
        "text": text.replace("A Bou", "A Gas"),
        "reason": "Oui.",
    }
    shown = window.client.post(window.address("desk/position/"), sent).text
    assert "avec cette correction elle reprend" in shown


def eighteen(game: Game) -> Any:
    """The position after the autumn, France with eighteen centres."""
    last = last_published(game)
    assert last is not None
    after = positions.following(game, last)
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
    revising.edit(game, ground(game), after, "Des centres oubliés.", hand=hand(), now=due(game) - HOUR)
    ended = fresh(game)
    assert ended.state == State.ENDED
    assert ended.result is not None
    assert (ended.result["kind"], ended.result["powers"]) == ("solo", ["FRANCE"])
    take_back(game, BEGUN + 100 * DAY)
    assert (fresh(game).state, fresh(game).number) == (State.PLAYING, 2)


def test_centres_in_spring_make_nobody_win() -> None:
    game = table(rhythm=SLOW)
    all_hand_in(game)
    sweep_at_deadline(game)
    revising.edit(game, ground(game), eighteen(game), "Un jeu.", hand=hand(), now=due(game) - HOUR)
    assert fresh(game).state == State.PLAYING


# clocks


def test_news_read_long_ago_are_tidied_once_a_day() -> None:
    def read_long_ago() -> None:
        old = timezone.now() - 200 * DAY
        Notice.objects.create(person=person("Flora"), kind="begun", once=secret(), read=old)

    now = timezone.now()
    one = clock.Clock()
    for later, left in ((timedelta(0), 0), (HOUR, 1), (25 * HOUR, 0)):
        read_long_ago()
        one.tick(now + later)
        assert Notice.objects.filter(kind="begun").count() == left


def test_a_machine_whose_time_is_put_back_is_alive_all_the_same() -> None:
    clock.pulse(BEGUN + 10 * DAY)
    clock.pulse(BEGUN)
    assert Beat.objects.get().at == BEGUN
    clock.pulse(BEGUN + HOUR)
    assert Outage.objects.count() == 1


# what PostgreSQL refuses to look for


def test_a_nul_in_a_form_is_refused_like_any_other_nonsense() -> None:
    game = table(press="held", begun=False)
    gathering.leave(game, person("Flora"))
    game.listed = True
    game.save()
    for name, to, sent, status in (
        ("Sylvain", "games:enter", {"power": "FRAN\x00CE"}, 409),
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
    assert sweep_at_deadline(game).trouble == trouble
    assert len(told(game, "published")) == (0 if trouble else 10)
