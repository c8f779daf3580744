"""A board that is a game on this site: its result and its positions are taken from there."""

from __future__ import annotations

from collections.abc import Mapping

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.position import Phase, Position
from talleyrand.formats.position_json import read_position
from talleyrand.formats.question_input import read_rulebook
from talleyrand.tournament import acts, traveller
from talleyrand.tournament.acts.act import EventAct
from talleyrand.tournament.acts.result_acts import CorrectResult, CountCentresByYear
from talleyrand.tournament.board_rules import centre_count
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import FIRST_YEAR, BoardResult, Event, EventBoard, GameEnd
from talleyrand.web.games.endings import game_scores
from talleyrand.web.games.game_history import GameHistory
from talleyrand.web.games.models import Game, GameState, Json

WINTER = "W"
SEASONS_A_YEAR = 2  # spring and autumn
ENDINGS_BY_KIND = {
    "solo": GameEnd.SOLO,
    "joint": GameEnd.VOTE,
    "draw": GameEnd.VOTE,
    "agreed": GameEnd.VOTE,
}  # what else: its time was over


def linked_game_of(held: EventBoard) -> Game | None:
    """The game of a board; None where it has none, or the site has it no more."""
    return Game.objects.filter(key=held.game).first() if held.game else None


def seasons_over(held: EventBoard) -> int | None:
    """How many seasons of the board's own game are over; None where no game of it is being played."""
    game = linked_game_of(held)
    if game is None or not game.phase or game.state == GameState.ENDED:
        return None
    season, year, kind = Phase.parse(game.phase)
    moved = {"SM": 0, "SR": 1, "FM": 1}.get(f"{season}{kind}", SEASONS_A_YEAR)
    return (year + years_later(game) - FIRST_YEAR) * SEASONS_A_YEAR + moved


def years_later(game: Game) -> int:
    """What makes a year of the game one of the tournament, whose games all begin in 1901."""
    return FIRST_YEAR - game_scores.first_year_played(GameHistory(game).variant, game.settings)


def is_over(held: EventBoard) -> bool:
    """Whether the board's game has ended with a result."""
    game = linked_game_of(held)
    return game is not None and game.state == GameState.ENDED and game.result is not None


def result_of(held: EventBoard) -> BoardResult:
    """How the board's game ended; raises ActRefused (`act_game_not_over`, `act_game_other_powers`)."""
    game = linked_game_of(held)
    if game is None or game.state != GameState.ENDED or game.result is None:
        raise ActRefused("act_game_not_over")
    centres = {power: int(count) for power, count in game.result["centres"].items()}
    if set(centres) != set(held.seats):
        raise ActRefused("act_game_other_powers", powers=", ".join(sorted(centres)))
    return _result(GameHistory(game), game.result, {power: centres[power] for power in held.seats})


def _result(story: GameHistory, told: Json, centres: dict[str, int]) -> BoardResult:
    board, positions = story.variant.board, game_positions(story)
    winners = [str(power) for power in told.get("powers", ())]
    kind = str(told["kind"])
    conceded = kind == "draw" and len(winners) == 1
    ended = GameEnd.CONCEDED if conceded else ENDINGS_BY_KIND.get(kind, GameEnd.TIME)
    reached = {power: traveller.farthest_province(board, power, positions) for power in centres}
    last = positions[-1] if positions else None
    terms, later = story.game.settings, years_later(story.game)
    return BoardResult(
        centres=centres,
        ended=ended,
        year=game_scores.last_year_played(story.variant, told, terms) + later if told.get("phase") else None,
        winner=winners[0] if conceded else "",
        draw=tuple(winners) if kind in ("draw", "joint") and not conceded else (),
        out=tuple(
            power for power, count in centres.items() if count and last and _is_out(story, last, power)
        ),
        eliminated_in={
            power: year + later for power, year in story.elimination_years().items() if not centres.get(power)
        },
        reached={power: place for power, place in reached.items() if place},
        neutral=len(board.centres) - sum(centres.values()),
    )


def _is_out(story: GameHistory, last: Position, power: str) -> bool:
    """No unit, and only foreign centres."""
    board = story.variant.board
    units = any(unit.power == power for unit in last.units)
    return not units and not set(last.owned_by(power)) & set(last.homes_of(board, power))


def years_of(held: EventBoard) -> dict[int, dict[str, int]]:
    """Centres at the end of each year of the board's game, as far as it has gone; none without a game."""
    game = linked_game_of(held)
    if game is None:
        return {}
    found: dict[int, dict[str, int]] = {}
    later = years_later(game)
    for position in game_positions(GameHistory(game)):
        season, year, _kind = position.phase._replace(year=position.phase.year + later)
        ended = year if season == WINTER else year - 1
        if position.centres is not None and ended >= FIRST_YEAR and (season == WINTER or ended not in found):
            found[ended] = {power: len(position.owned_by(power)) for power in held.seats}
    return found


def take_result_acts(event: Event, number: int, at: int) -> tuple[EventAct, ...]:
    """The result of a board's game and the years before it, in place of what was told; raises ActRefused."""
    held = acts.act.find_board(event, number, at)
    result, years = result_of(held), years_of(held)
    before = {year: one for year, one in years.items() if result.year is None or year < result.year}
    gone = (CountCentresByYear(number, at, {year: {} for year in held.years}),) if held.years else ()
    told = (count_years_act(number, at, held, before),) if before else ()
    return (*gone, CorrectResult(number, at, result), *told)


def count_years_act(
    number: int, at: int, held: EventBoard, years: Mapping[int, Mapping[str, int]]
) -> CountCentresByYear:
    """Years of a game, as an act of the desk: what is left of all centres is nobody's."""
    total = centre_count(held.variant)
    free = {year: (total or sum(one.values())) - sum(one.values()) for year, one in years.items()}
    return CountCentresByYear(number, at, years, neutral=free)


def game_positions(story: GameHistory) -> list[Position]:
    """Every position of a game, from the first to the last."""
    found = []
    for number in sorted(story.revisions):
        one = story.revisions[number]
        found += [one.situation, one.next_situation or one.answer]
    return [position for told in found if told and (position := _position(story, told)) is not None]


def _position(story: GameHistory, told: Json) -> Position | None:
    try:
        book = read_rulebook(story.game.rulebook).adjudication_rules
        return read_position(told, Phase.parse(str(told["phase"])), story.variant.board, book)
    except (TalleyrandError, KeyError):
        return None
