"""The end of a game by vote, as players of the board see it on their telephones."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from talleyrand.engine.position import Phase
from talleyrand.formats.asking import read_rulebook
from talleyrand.formats.positions import read_position
from talleyrand.tournament import endvotes, timing
from talleyrand.tournament.model import FIRST_YEAR, Board, Event, Hold, VoteState
from talleyrand.tournament.public import powers_of, yeses
from talleyrand.web.games.story import Story
from talleyrand.web.tournaments import gamed, naming
from talleyrand.web.tournaments.sight import Sight

from . import visiting, words

ALIVE, SCATTERED, OUT = "alive", "scattered", "out"
# The least that is true of a power of which nothing more is said.
HELD = {ALIVE: Hold(centres=1, homes=1), SCATTERED: Hold(centres=1), OUT: Hold()}


@dataclass(frozen=True)
class Vote:
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
class Panel:
    """All votes of a board, and the form to ask for another. `moments`: when; `powers`: of whom it asks."""

    votes: tuple[Vote, ...]
    may_ask: bool
    moments: tuple[tuple[str, str], ...]
    latest: str
    powers: tuple[tuple[str, str], ...]
    mine: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    from_game: bool


def panel(sight: Sight, number: int, at: int) -> Panel:
    """What a player of the board sees of its votes; the count is made from all ballots, and no more told."""
    event, whole = sight.shown, sight.event.rounds[number].boards[at]
    held = event.rounds[number].boards[at]
    mine = powers_of(held, sight.number)
    open_now = any(vote.state in endvotes.OPEN for vote in held.votes.values())
    decided = any(vote.state is VoteState.CARRIED for vote in held.votes.values())
    return Panel(
        votes=tuple(_vote(whole, at_vote, mine) for at_vote in sorted(whole.votes)),
        may_ask=held.result is None and not open_now and not decided,
        moments=tuple((code, naming.moment_title(code)) for code in _moments(event, number, held)),
        latest=endvotes.latest(timing.reading(event, number, visiting.now(), held).season),
        powers=tuple((code, words.power(code, held.variant)) for code in held.seats if code not in mine),
        mine=tuple((code, words.power(code, held.variant)) for code in mine),
        states=(
            (ALIVE, _("plays: owns a home centre, or a centre and a unit")),
            (SCATTERED, _("has no unit, and only foreign centres")),
            (OUT, _("owns nothing any more")),
        ),
        from_game=gamed.game_of(held) is not None,
    )


def _moments(event: Event, number: int, held: Board) -> list[str]:
    last = timing.last_year(event, number, held)
    codes = [code for year in range(FIRST_YEAR, last + 1) for code in endvotes.moments(year)]
    return codes[:-2]  # after the last autumn it is over anyway


def _vote(whole: Board, number: int, mine: tuple[str, ...]) -> Vote:
    vote = whole.votes[number]
    veto = next((one for one in mine if endvotes.may_veto(whole, vote, one, vote.table) is None), "")
    cast = next((one for one in mine if endvotes.may_vote(vote, one) is None), "")
    return Vote(
        number=number,
        by=words.power(vote.by, whole.variant),
        when=naming.moment_title(vote.when),
        autumn=vote.autumn,
        state=words.vote_state(vote.state),
        open=vote.state in endvotes.OPEN,
        waiting=len(set(vote.powers) - set(vote.voted)),
        yes=yeses(vote),
        ballots=len(vote.powers),
        vetoed=words.power(vote.vetoed, whole.variant) if vote.vetoed else "",
        may_veto=veto,
        may_open=vote.state is VoteState.ASKED and vote.by not in mine,
        may_vote=cast,
        may_withdraw=vote.by in mine and vote.state in endvotes.OPEN,
        voted=vote.state is VoteState.VOTING and bool(set(mine) & set(vote.voted)),
        without=tuple(words.power(one, whole.variant) for one, hold in vote.table.items() if not hold.alive),
    )


def table_of(held: Board, power: str, posted: QueryDict) -> dict[str, Hold]:
    """What each power has: from the game on the site where there is one, else as it was said."""
    game = gamed.game_of(held)
    if game is not None:
        found = _from_game(Story(game))
        if found and set(found) == set(held.seats):
            return found
    said = {code: HELD.get(posted.get(f"hold_{code}", ALIVE), HELD[ALIVE]) for code in held.seats}
    free, abroad = bool(posted.get("free")), bool(posted.get("abroad"))
    return {**said, power: Hold(centres=1, homes=1, units=1, free=int(free), abroad=int(abroad))}


def _from_game(story: Story) -> dict[str, Hold]:
    told = story.situation(story.game.number)
    if told is None:
        return {}
    board, book = story.variant.board, read_rulebook(story.game.rulebook).judge
    return endvotes.holds(board, read_position(told, Phase.parse(str(told["phase"])), board, book))
