"""Games that end by agreement: proposals, vetoes, votes, last years and agreed hours."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest

from talleyrand.web.games import deadline_clock, order_submission, phase_adjudication
from talleyrand.web.games.endings import agreed_end, end_proposals
from talleyrand.web.games.endings.end_proposals import EndProposalRefusal
from talleyrand.web.games.game_master import game_actions
from talleyrand.web.games.game_master.action_base import GameMasterActor
from talleyrand.web.games.game_settings import DrawRule
from talleyrand.web.games.models import EndProposal, EndProposalBallot, Game, GameRole, GameSeat, GameState
from tests.web.cast import BEGUN, MASTER, PLAYERS, client_of, person, table

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NOW = BEGUN + HOUR
OTHERS = [power for power in PLAYERS if power != "FRANCE"]


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def play(game: Game, **sheets: list[str]) -> Game:
    """Publish the open phase with these sheets; the other powers hand in empty ones."""
    here = fresh(game)
    for power in PLAYERS:
        lines = sheets.get(power, [])
        key = f"{here.phase_number}-{power}"
        order_submission.submit_orders(
            here, power, lines, number=here.phase_number, key=key, origin="text", at=NOW
        )
    phase_adjudication.adjudicate_phase(here, here.phase_number, NOW)
    return fresh(game)


def propose(game: Game, power: str = "FRANCE", counts: str = "now", at: datetime = NOW) -> EndProposal:
    return end_proposals.propose_end(game, power, fresh(game).phase_number, counts, at)


def answer(game: Game, proposal: EndProposal, choice: str, powers: Iterable[str] = OTHERS) -> str:
    for power in powers:
        end_proposals.answer_end_proposal(game, proposal.pk, power, choice, NOW)
    return str(EndProposal.objects.get(pk=proposal.pk).state)


def veto_table(**terms: Any) -> Game:
    """A table of the Anjou Feu: after its first spring, no retreats having been needed."""
    return play(table(draw=DrawRule.VETO_THEN_VOTE, **terms))


def test_a_draw_is_shared_by_all() -> None:
    game = table()
    proposal = propose(game)
    assert answer(game, proposal, "yes", OTHERS[:-1]) == "voting"
    assert answer(game, proposal, "yes", OTHERS[-1:]) == "accepted"
    assert agreed_end.end_game_if_agreed(game, NOW)
    ended = fresh(game)
    assert ended.state == GameState.ENDED
    assert ended.result is not None
    assert ended.result["kind"] == "draw"
    assert set(ended.result["points"].values()) == {"100/7"}
    assert not agreed_end.end_game_if_agreed(game, NOW)


def test_one_refusal_is_told_when_all_have_voted() -> None:
    game = table()
    proposal = propose(game)
    assert answer(game, proposal, "no", ["ITALY"]) == "voting"
    assert answer(game, proposal, "yes", [power for power in OTHERS if power != "ITALY"]) == "refused"
    assert not agreed_end.end_game_if_agreed(game, NOW)
    assert fresh(game).state == GameState.PLAYING
    with pytest.raises(EndProposalRefusal, match="again"):
        propose(game)
    propose(game, "ITALY")


def test_a_vote_may_be_changed_until_all_are_in() -> None:
    game = table()
    proposal = propose(game)
    answer(game, proposal, "no", ["ITALY"])
    assert answer(game, proposal, "yes") == "accepted"


def test_silence_is_no_agreement() -> None:
    game = table()
    proposal = propose(game)
    due = fresh(game).deadline
    assert due is not None
    assert answer(game, proposal, "yes", OTHERS[:-1]) == "voting"
    agreed_end.settle_due_proposals(due)
    assert EndProposal.objects.get(pk=proposal.pk).state == "refused"


def test_a_proposal_lapses_with_its_phase() -> None:
    game = table()
    proposal = propose(game)
    play(game)
    assert EndProposal.objects.get(pk=proposal.pk).state == "lapsed"
    with pytest.raises(EndProposalRefusal, match="moved"):
        answer(game, proposal, "yes", ["ITALY"])


def test_only_one_is_open_and_its_maker_may_withdraw_it() -> None:
    game = table()
    proposal = propose(game)
    with pytest.raises(EndProposalRefusal, match="open"):
        propose(game, "ITALY")
    with pytest.raises(EndProposalRefusal, match="moved"):
        end_proposals.withdraw_end_proposal(game, proposal.pk, "ITALY", NOW)
    end_proposals.withdraw_end_proposal(game, proposal.pk, "FRANCE", NOW)
    propose(game, "ITALY")


def test_a_power_in_lasting_disorder_has_no_say() -> None:
    game = table()
    GameSeat.objects.filter(game=game, power="TURKEY").update(in_civil_disorder=True)
    proposal = propose(game)
    with pytest.raises(EndProposalRefusal, match="not_asked"):
        answer(game, proposal, "yes", ["TURKEY"])
    assert answer(game, proposal, "yes", [power for power in OTHERS if power != "TURKEY"]) == "accepted"


def test_the_clock_ends_what_was_accepted_when_nobody_else_did() -> None:
    game = table()
    answer(game, propose(game), "yes")
    deadline_clock.check_due_games(NOW + timedelta(seconds=1))
    assert fresh(game).state == GameState.ENDED


def test_nothing_to_end_before_anything_was_played() -> None:
    with pytest.raises(EndProposalRefusal, match="moment"):
        propose(table(draw=DrawRule.VETO_THEN_VOTE), counts="now")


def test_a_spring_proposal_has_to_say_what_counts() -> None:
    game = veto_table()
    assert fresh(game).phase == "F1901M"
    with pytest.raises(EndProposalRefusal, match="counts"):
        propose(game)
    propose(game, counts="last_adjustments")


def test_a_veto_is_public_and_ends_it() -> None:
    game = veto_table()
    proposal = propose(game, counts="last_adjustments")
    assert answer(game, proposal, "veto", ["ITALY"]) == "vetoed"
    page = client_of("Gaspard").get(f"/parties/{game.key}/fin/").content.decode()
    assert "Veto (Italie)" in page


def test_silence_is_no_veto_then_the_vote_is_secret() -> None:
    game = veto_table()
    proposal = propose(game, counts="last_adjustments")
    assert proposal.answers_due_at is not None
    assert proposal.answers_due_at - NOW <= timedelta(hours=24)
    agreed_end.settle_due_proposals(proposal.answers_due_at)
    assert EndProposal.objects.get(pk=proposal.pk).state == "voting"
    assert answer(game, proposal, "no", ["ITALY"]) == "voting"
    for name in ("Gaspard", "Oscar", "Maëlle"):
        page = client_of(name).get(f"/parties/{game.key}/fin/").content.decode()
        assert 'aria-pressed="true"' not in page
    mine = client_of("Irène").get(f"/parties/{game.key}/fin/").content.decode()
    assert 'value="no" aria-pressed="true"' in mine


def test_the_last_adjustments_count() -> None:
    game = veto_table()
    proposal = propose(game, counts="last_adjustments")
    assert answer(game, proposal, "pass") == "voting"
    assert answer(game, proposal, "yes") == "accepted"
    assert agreed_end.end_game_if_agreed(game, NOW)
    result = fresh(game).result
    assert result is not None
    assert (result["kind"], result["powers"], result["centres"]["RUSSIA"]) == ("agreed", ["RUSSIA"], 4)


def test_an_autumn_in_disorder_takes_the_centres_under_foreign_units() -> None:
    game = play(table(draw=DrawRule.VETO_THEN_VOTE), GERMANY=["F Kie-Den", "A Ber-Kie"], FRANCE=["A Mar-Esp"])
    order_submission.submit_orders(
        game, "GERMANY", ["F Den-Sue"], number=2, key="x" * 20, origin="text", at=NOW
    )
    proposal = propose(game, counts="autumn_disorder")
    answer(game, proposal, "pass")
    answer(game, proposal, "yes")
    assert agreed_end.end_game_if_agreed(game, NOW)
    ended = fresh(game)
    assert ended.result is not None
    assert ended.result["centres"] == {
        "AUSTRIA": 3,
        "ENGLAND": 3,
        "FRANCE": 4,
        "GERMANY": 4,
        "ITALY": 3,
        "RUSSIA": 4,
        "TURKEY": 3,
    }
    published = ended.revisions.get(phase_number=2, is_current=True)
    assert (published.phase, published.order_lines, len(published.powers_without_orders)) == ("F1901M", {}, 7)
    assert not GameSeat.objects.filter(game=game, missed_phases__gt=0).exists()


def test_the_last_year() -> None:
    game = play(play(table(last_year=1901)))
    assert game.state == GameState.ENDED
    assert game.result is not None
    assert (game.result["kind"], game.result["powers"]) == ("last_year", ["RUSSIA"])


def test_the_agreed_hour() -> None:
    end = BEGUN + timedelta(hours=30)
    game = table(ends_at=end)
    deadline_clock.check_due_games(end - timedelta(seconds=1))
    assert fresh(game).state == GameState.PLAYING
    deadline_clock.check_due_games(end + timedelta(seconds=1))
    ended = fresh(game)
    assert ended.state == GameState.ENDED
    assert ended.result is not None
    assert (ended.result["kind"], ended.result["powers"]) == ("date", ["RUSSIA"])


@pytest.mark.parametrize("terms", [{"ends_at": BEGUN + timedelta(hours=3)}, {"last_year": 1901}])
def test_what_ended_a_game_does_not_end_it_twice(terms: dict[str, Any]) -> None:
    """Gone on with by its game master, a game is not over at the clock’s next look."""
    game = play(play(table(**terms)))
    deadline_clock.check_due_games(BEGUN + timedelta(hours=4))
    assert fresh(game).state == GameState.ENDED
    game_actions.reopen_game(
        game, hand=GameMasterActor(person(MASTER), GameRole.GAME_MASTER), now=BEGUN + timedelta(hours=5)
    )
    deadline_clock.check_due_games(BEGUN + timedelta(hours=6))
    assert fresh(game).state == GameState.PLAYING
    play(game)
    assert fresh(game).state == GameState.PLAYING


def test_a_solo() -> None:
    game = table()
    one = game.revisions.get(phase_number=0)
    assert one.next_situation is not None
    owned = {"FRANCE": one.next_situation["centers"]["FRANCE"] + one.next_situation["centers"]["GERMANY"]}
    owned["FRANCE"] += one.next_situation["centers"]["ENGLAND"] + one.next_situation["centers"]["ITALY"]
    owned["FRANCE"] += ["SPA", "POR", "BEL", "HOL", "DEN", "SWE"]
    one.next_situation = {
        **one.next_situation,
        "phase": "F1901M",
        "centers": owned,
        "units": {"FRANCE": ["A PAR"], "RUSSIA": ["A MOS"]},
    }
    one.save()
    game = play(game)
    assert game.result is not None
    assert (game.result["kind"], game.result["powers"]) == ("solo", ["FRANCE"])


@pytest.mark.parametrize(
    ("name", "power", "status"),
    [
        ("Flora", "FRANCE", 302),
        ("Flora", "ITALY", 404),
        ("Flora", "", 404),
        ("Maëlle", "FRANCE", 404),
        ("Oscar", "FRANCE", 404),
        ("Sylvain", "FRANCE", 404),
    ],
)
def test_who_may_propose_on_the_page(name: str, power: str, status: int) -> None:
    game = table()
    sent = {"power": power, "number": 1, "counts": "now"}
    assert client_of(name).post(f"/parties/{game.key}/fin/proposer/", sent).status_code == status
    assert EndProposal.objects.filter(game=game).exists() is (status == 302)


@pytest.mark.parametrize("number", ["", "-1", "2", "9" * 40, "²", "un"])
def test_nonsense_changes_nothing(number: str) -> None:
    game = table()
    client = client_of("Flora")
    for path in ("proposer", "repondre", "retirer"):
        sent = {"power": "FRANCE", "number": number, "proposal": number, "counts": "x", "choice": "x"}
        assert client.post(f"/parties/{game.key}/fin/{path}/", sent).status_code == 302
    assert not EndProposal.objects.exists()
    assert not EndProposalBallot.objects.exists()


def test_the_page_ends_the_game_and_shows_the_table() -> None:
    game = table()
    Game.objects.filter(pk=game.pk).update(deadline=None)
    client_of("Flora").post(
        f"/en/games/{game.key}/end/propose/", {"power": "FRANCE", "number": 1, "counts": "now"}
    )
    pk = EndProposal.objects.get().pk
    for power in OTHERS:
        sent = {"power": power, "proposal": pk, "choice": "yes"}
        client_of(PLAYERS[power]).post(f"/en/games/{game.key}/end/answer/", sent)
    page = client_of("Oscar").get(f"/en/games/{game.key}/end/").content.decode()
    assert "Draw between " in page
    assert "14.286" in page
