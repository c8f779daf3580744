"""A board that is a game on this site: its result and its positions are taken from there."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase, Position
from talleyrand.formats.asking import read_rulebook
from talleyrand.formats.positions import read_position
from talleyrand.tournament import acts, traveller
from talleyrand.tournament.acts.act import Act
from talleyrand.tournament.acts.results import CorrectResult
from talleyrand.tournament.acts.years import CountYears
from talleyrand.tournament.boards import centres_of
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.model import FIRST_YEAR, Board, Ended, Event, Result
from talleyrand.web.games.models import Game, Json, State
from talleyrand.web.games.story import Story

WINTER = "W"
SEASONS_A_YEAR = 2  # spring and autumn
ENDED = {"solo": Ended.SOLO, "draw": Ended.VOTE, "agreed": Ended.VOTE}  # what else: its time was over


def game_of(held: Board) -> Game | None:
    """The game of a board; None where it has none, or the site has it no more."""
    return Game.objects.filter(key=held.game).first() if held.game else None


def seasons_over(held: Board) -> int | None:
    """How many seasons of the board's own game are over; None where no game of it is being played."""
    game = game_of(held)
    if game is None or not game.phase or game.state == State.ENDED:
        return None
    season, year, kind = Phase.parse(game.phase)
    moved = {"SM": 0, "SR": 1, "FM": 1}.get(f"{season}{kind}", SEASONS_A_YEAR)
    return (year - FIRST_YEAR) * SEASONS_A_YEAR + moved


def is_over(held: Board) -> bool:
    """Whether the board's game has ended with a result."""
    game = game_of(held)
    return game is not None and game.state == State.ENDED and game.result is not None


def result_of(held: Board) -> Result:
    """How the board's game ended; raises Refused (`act_game_not_over`, `act_game_other_powers`)."""
    game = game_of(held)
    if game is None or game.state != State.ENDED or game.result is None:
        raise Refused("act_game_not_over")
    centres = {power: int(count) for power, count in game.result["centres"].items()}
    if set(centres) != set(held.seats):
        raise Refused("act_game_other_powers", powers=", ".join(sorted(centres)))
    return _result(Story(game), game.result, {power: centres[power] for power in held.seats})


def _result(story: Story, told: Json, centres: dict[str, int]) -> Result:
    board, positions = story.variant.board, positions_of(story)
    winners = [str(power) for power in told.get("powers", ())]
    kind = str(told["kind"])
    conceded = kind == "draw" and len(winners) == 1
    ended = Ended.CONCEDED if conceded else ENDED.get(kind, Ended.TIME)
    reached = {power: traveller.farthest(board, power, positions) for power in centres}
    last = positions[-1] if positions else None
    return Result(
        centres=centres,
        ended=ended,
        year=Phase.parse(str(told["phase"])).year if told.get("phase") else None,
        winner=winners[0] if conceded else "",
        draw=tuple(winners) if kind == "draw" and not conceded else (),
        out=tuple(
            power for power, count in centres.items() if count and last and _is_out(story, last, power)
        ),
        eliminated_in=_years(story, centres),
        reached={power: place for power, place in reached.items() if place},
        neutral=len(board.centres) - sum(centres.values()),
    )


def _is_out(story: Story, last: Position, power: str) -> bool:
    """No unit, and only foreign centres."""
    board = story.variant.board
    units = any(unit.power == power for unit in last.units)
    return not units and not set(last.owned_by(power)) & set(last.homes_of(board, power))


def _years(story: Story, centres: dict[str, int]) -> dict[str, int]:
    """The year in which each power without a centre fell, as the published phases tell."""
    fallen: dict[str, int] = {}
    for number in sorted(story.revisions):
        one = story.revisions[number]
        for power in (one.answer or {}).get("eliminated", ()):
            fallen.setdefault(str(power), Phase.parse(one.phase).year)
    return {power: year for power, year in fallen.items() if not centres.get(power)}


def years_of(held: Board) -> dict[int, dict[str, int]]:
    """Centres at the end of each year of the board's game, as far as it has gone; none without a game."""
    game = game_of(held)
    if game is None:
        return {}
    found: dict[int, dict[str, int]] = {}
    for position in positions_of(Story(game)):
        season, year, _kind = position.phase
        ended = year if season == WINTER else year - 1
        if position.centres is not None and ended >= FIRST_YEAR and (season == WINTER or ended not in found):
            found[ended] = {power: len(position.owned_by(power)) for power in held.seats}
    return found


def taking(event: Event, number: int, at: int) -> tuple[Act, ...]:
    """The result of a board's game and the years before it, in place of what was told; raises Refused."""
    held = acts.act.board(event, number, at)
    result, years = result_of(held), years_of(held)
    before = {year: one for year, one in years.items() if result.year is None or year < result.year}
    gone = (CountYears(number, at, {year: {} for year in held.years}),) if held.years else ()
    told = (counting(number, at, held, before),) if before else ()
    return (*gone, CorrectResult(number, at, result), *told)


def counting(number: int, at: int, held: Board, years: Mapping[int, Mapping[str, int]]) -> CountYears:
    """Years of a game, as an act of the desk: what is left of all centres is nobody's."""
    total = centres_of(held.variant)
    free = {year: (total or sum(one.values())) - sum(one.values()) for year, one in years.items()}
    return CountYears(number, at, years, neutral=free)


def positions_of(story: Story) -> list[Position]:
    """Every position of a game, from the first to the last."""
    found = []
    for number in sorted(story.revisions):
        one = story.revisions[number]
        found += [one.situation, one.after or one.answer]
    return [position for told in found if told and (position := _position(story, told)) is not None]


def _position(story: Story, told: Json) -> Position | None:
    try:
        book = read_rulebook(story.game.rulebook).judge
        return read_position(told, Phase.parse(str(told["phase"])), story.variant.board, book)
    except (TalleyrandError, KeyError):
        return None
