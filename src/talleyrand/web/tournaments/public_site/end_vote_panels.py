"""The end of a game by vote, as players of the board see it on their telephones."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from talleyrand.engine.position import Phase
from talleyrand.formats.position_json import read_position
from talleyrand.formats.question_input import read_rulebook
from talleyrand.tournament import end_vote_rules, round_timing
from talleyrand.tournament.model import FIRST_YEAR, EndVoteState, Event, EventBoard, PowerHoldings
from talleyrand.tournament.public_view import powers_played_by, yes_count
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.tournaments import event_times, linked_game, tournament_names
from talleyrand.web.tournaments.tournament_viewer import TournamentViewer

from . import public_texts

ALIVE, SCATTERED, OUT = "alive", "scattered", "out"
# The least that is true of a power of which nothing more is said.
LEAST_HOLDINGS = {
    ALIVE: PowerHoldings(centres=1, homes=1),
    SCATTERED: PowerHoldings(centres=1),
    OUT: PowerHoldings(),
}


@dataclass(frozen=True)
class EndVoteRow:
    """A vote as it is shown. `may_*`: what I may do now; `yes`: how many were in favour, once counted.

    `without`: powers that have neither veto nor ballot, as whoever asked has said.
    """

    number: int
    by: str
    when: str
    autumn: bool
    state: str
    open: bool
    waiting: int
    yes: int | None
    ballots: int
    vetoed: str
    may_veto: str
    may_open: bool
    may_vote: str
    may_withdraw: bool
    voted: bool
    without: tuple[str, ...]


@dataclass(frozen=True)
class EndVotePanel:
    """All votes of a board, and the form to ask for another. `moments`: when; `powers`: of whom it asks."""

    votes: tuple[EndVoteRow, ...]
    may_ask: bool
    moments: tuple[tuple[str, str], ...]
    latest: str
    powers: tuple[tuple[str, str], ...]
    mine: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    from_game: bool


def end_vote_panel(sight: TournamentViewer, number: int, at: int) -> EndVotePanel:
    """What a player of the board sees of its votes; the count is made from all ballots, and no more told."""
    event, whole = sight.visible_event, sight.event.rounds[number].boards[at]
    held = event.rounds[number].boards[at]
    mine = powers_played_by(held, sight.person_number)
    open_now = any(vote.state in end_vote_rules.OPEN_STATES for vote in held.votes.values())
    decided = any(vote.state is EndVoteState.CARRIED for vote in held.votes.values())
    return EndVotePanel(
        votes=tuple(_vote(whole, at_vote, mine) for at_vote in sorted(whole.votes)),
        may_ask=held.result is None and not open_now and not decided,
        moments=tuple((code, tournament_names.moment_title(code)) for code in _moments(event, number, held)),
        latest=end_vote_rules.latest_end_vote_phase(
            round_timing.read_clock(event, number, event_times.act_time(), held).season
        ),
        powers=tuple(
            (code, public_texts.power_name(code, held.variant)) for code in held.seats if code not in mine
        ),
        mine=tuple((code, public_texts.power_name(code, held.variant)) for code in mine),
        states=(
            (ALIVE, _("in play: owns a home centre, or a centre and a unit")),
            (SCATTERED, _("has no unit, and only foreign centres")),
            (OUT, _("owns no centre")),
        ),
        from_game=linked_game.linked_game_of(held) is not None,
    )


def _moments(event: Event, number: int, held: EventBoard) -> list[str]:
    last = round_timing.last_year(event, number, held)
    codes = [code for year in range(FIRST_YEAR, last + 1) for code in end_vote_rules.end_vote_phases(year)]
    return codes[:-2]  # after the last autumn it is over anyway


def _vote(whole: EventBoard, number: int, mine: tuple[str, ...]) -> EndVoteRow:
    vote = whole.votes[number]
    veto = next(
        (one for one in mine if end_vote_rules.veto_refusal(whole, vote, one, vote.table) is None), ""
    )
    cast = next((one for one in mine if end_vote_rules.ballot_refusal(vote, one) is None), "")
    return EndVoteRow(
        number=number,
        by=public_texts.power_name(vote.by, whole.variant),
        when=tournament_names.moment_title(vote.when),
        autumn=vote.autumn,
        state=tournament_names.end_vote_state_name(vote.state),
        open=vote.state in end_vote_rules.OPEN_STATES,
        waiting=len(set(vote.powers) - set(vote.voted)),
        yes=yes_count(vote),
        ballots=len(vote.powers),
        vetoed=public_texts.power_name(vote.vetoed, whole.variant) if vote.vetoed else "",
        may_veto=veto,
        may_open=vote.state is EndVoteState.ASKED and vote.by not in mine,
        may_vote=cast,
        may_withdraw=vote.by in mine and vote.state in end_vote_rules.OPEN_STATES,
        voted=vote.state is EndVoteState.VOTING and bool(set(mine) & set(vote.voted)),
        without=tuple(
            public_texts.power_name(one, whole.variant)
            for one, hold in vote.table.items()
            if not hold.is_alive
        ),
    )


def holdings_by_power(held: EventBoard, power: str, posted: QueryDict) -> dict[str, PowerHoldings]:
    """What each power has: from the game on the site where there is one, else as it was said."""
    game = linked_game.linked_game_of(held)
    if game is not None:
        found = _from_game(GameHistory(game))
        if found and set(found) == set(held.seats):
            return found
    said = {
        code: LEAST_HOLDINGS.get(posted.get(f"hold_{code}", ALIVE), LEAST_HOLDINGS[ALIVE])
        for code in held.seats
    }
    free, abroad = bool(posted.get("free")), bool(posted.get("abroad"))
    return {**said, power: PowerHoldings(centres=1, homes=1, units=1, free=int(free), abroad=int(abroad))}


def _from_game(story: GameHistory) -> dict[str, PowerHoldings]:
    told = story.situation(story.game.phase_number)
    if told is None:
        return {}
    board, book = story.variant.board, read_rulebook(story.game.rulebook).adjudication_rules
    return end_vote_rules.power_holdings(
        board, read_position(told, Phase.parse(str(told["phase"])), board, book)
    )
