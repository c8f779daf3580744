"""Results: entered by one, confirmed by another; put right; taken away. What goes with them: centres year by
year, how far a power went, ballots for the voted prizes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field, replace
from hashlib import sha256
from itertools import pairwise

from talleyrand.scoring import InvalidGameEnding
from talleyrand.tournament import board_rules, codec, regulations, traveller
from talleyrand.tournament.board_rules import (
    INTIMATE,
    board_people,
    centre_count,
    solo_centres,
    yearly_centres,
)
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    BoardResult,
    Event,
    EventBoard,
    GameEnd,
    OnlineBoards,
    PrizeBallot,
    RoundState,
)
from talleyrand.tournament.standings import scored_games

from .act import (
    EventAct,
    check_round_state,
    event_act,
    find_board,
    find_person,
    find_seat,
    next_number,
    with_board,
)

DESK_HAND = "desk"
GAME_YEARS = range(1901, 1951)


def result_digest(result: BoardResult) -> str:
    """A few letters that stand for what a result says, whoever said it: the same for the same facts.

    How far units went is not among them: each player tells that of his own power, after the result.
    """
    told = codec.write_value(replace(result, by="", confirmed="", reached={}))
    text = json.dumps(told, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()[:12]


@event_act("result_entered")
class EnterResult(EventAct):
    """A result typed by somebody of the board, or by the desk; it counts once another has confirmed it.

    `seen`: the digest of the result that stood there when he began to type; nothing: none. `by`: his
    number, or "desk". Who types the same as another has typed confirms it.
    Refused where it cannot be, or where another has entered something else meanwhile.
    """

    round: int
    board: int
    result: BoardResult
    by: str
    seen: str = ""

    def apply(self, event: Event) -> Event:
        held = playing_board(event, self.round, self.board)
        check_at_board(event, held, self.by, self.round, self.board)
        told = replace(check_result(event, self.round, held, self.result), by=self.by, confirmed="")
        stands = held.result
        if stands is not None and result_digest(stands) == result_digest(told):
            return _agreed(event, self.round, self.board, stands, self.by)
        if stands is not None and (stands.confirmed or result_digest(stands) != self.seen):
            raise ActRefused("act_result_changed", round=str(self.round), board=str(self.board))
        return with_board(event, self.round, self.board, result=_reached(told, stands))


def _reached(told: BoardResult, stands: BoardResult | None) -> BoardResult:
    """The result with how far each power went, where that had been told and is not told anew."""
    return replace(told, reached={**(stands.reached if stands else {}), **told.reached})


def _agreed(event: Event, number: int, at: int, stands: BoardResult, by: str) -> Event:
    if stands.confirmed or (by == stands.by and by != DESK_HAND):
        return event
    return with_board(event, number, at, result=replace(stands, confirmed=by))


@event_act("result_confirmed")
class ConfirmResult(EventAct):
    """Another of the board, or the desk, has seen the same. `result_digest`: of what he saw. Twice is once;
    refused to who entered it, and where it says something else by now."""

    round: int
    board: int
    by: str
    digest: str

    def apply(self, event: Event) -> Event:
        held = playing_board(event, self.round, self.board)
        check_at_board(event, held, self.by, self.round, self.board)
        if held.result is None:
            raise ActRefused("act_no_result", round=str(self.round), board=str(self.board))
        if result_digest(held.result) != self.digest:
            raise ActRefused("act_result_changed", round=str(self.round), board=str(self.board))
        if held.result.by == self.by != DESK_HAND and not held.result.confirmed:
            raise ActRefused("act_confirm_own", round=str(self.round), board=str(self.board))
        return _agreed(event, self.round, self.board, held.result, self.by)


@event_act("result_corrected")
class CorrectResult(EventAct):
    """The desk puts a result right, in this round or in one long closed; it is confirmed at once. In place of
    what was entered, or where nothing was."""

    round: int
    board: int
    result: BoardResult

    def apply(self, event: Event) -> Event:
        held = played_board(event, self.round, self.board)
        right = replace(check_result(event, self.round, held, self.result), by=DESK_HAND, confirmed=DESK_HAND)
        return with_board(event, self.round, self.board, result=_reached(right, held.result))


@event_act("result_withdrawn")
class WithdrawResult(EventAct):
    """A result is taken away: the game goes on, or was not this one. A player may take his own away, until it
    is confirmed; not in a round that is closed."""

    round: int
    board: int
    by: str = DESK_HAND

    def apply(self, event: Event) -> Event:
        held = playing_board(event, self.round, self.board)
        check_at_board(event, held, self.by, self.round, self.board)
        if held.result is None:
            raise ActRefused("act_no_result", round=str(self.round), board=str(self.board))
        if self.by != DESK_HAND and (held.result.by != self.by or held.result.confirmed):
            raise ActRefused("act_result_entered", round=str(self.round), board=str(self.board))
        return with_board(event, self.round, self.board, result=None)


def playing_board(event: Event, number: int, at: int) -> EventBoard:
    """A board of a round that is being played; raises ActRefused."""
    check_round_state(event, number, RoundState.PLAYING)
    return find_board(event, number, at)


def played_board(event: Event, number: int, at: int) -> EventBoard:
    """A board of a round that is being played, or is over; raises ActRefused."""
    check_round_state(event, number, RoundState.PLAYING, RoundState.CLOSED)
    return find_board(event, number, at)


def check_at_board(event: Event, held: EventBoard, by: str, number: int, at: int) -> None:
    """Raises ActRefused for who is not of the board, nor the desk; for all but the desk where the board is a
    game on line, which says itself how it goes and ends (`act_result_online`)."""
    if by != DESK_HAND and event.online is not OnlineBoards.NONE:
        raise ActRefused("act_result_online")
    if by != DESK_HAND and by not in map(str, board_people(held)):
        raise ActRefused("act_not_at_board", person=by[:20], round=str(number), board=str(at))


def check_result(event: Event, number: int, held: EventBoard, result: BoardResult) -> BoardResult:
    """A result that can be, with who won alone said; raises ActRefused.

    The centres of all powers add up to those of the board, neutral ones said. What the event's scoring asks
    for is there, years of elimination say.
    """
    check_centres(held, result)
    _check_named(held, result)
    _check_years(result)
    check_yearly_centres(held, result)
    told = _won(held, result)
    if held.counts and held.variant != INTIMATE:
        _check_scored(event, number, held, told)
    return told


def _check_scored(event: Event, number: int, held: EventBoard, result: BoardResult) -> None:
    system = regulations.scoring_system(regulations.read_regulations(event.regulations))
    try:
        system.score(scored_games.game_ending(event, number, held, result))
    except InvalidGameEnding as error:
        if error.code != "score_no_year":
            raise
        raise ActRefused("act_no_elimination_year", power=error.facts["power"]) from None


def check_centres(held: EventBoard, result: BoardResult) -> None:
    """Every power has a number of centres, and together with those of nobody they are all; raises
    ActRefused.
    """
    missing = [power for power in held.seats if power not in result.centres]
    if missing:
        raise ActRefused("act_centres_missing", powers=", ".join(missing))
    for power, count in (*result.centres.items(), ("", result.neutral)):
        if not 0 <= count <= 99:
            raise ActRefused("act_centres_count", power=power, count=str(count))
    told, there = sum(result.centres.values()) + result.neutral, centre_count(held.variant)
    if there is not None and told != there:
        raise ActRefused("act_centres_total", told=str(told), total=str(there))


def _check_named(held: EventBoard, result: BoardResult) -> None:
    named = (*result.centres, *result.draw, *result.out, *result.eliminated_in, *result.reached)
    for power in (*named, *filter(None, [result.winner])):
        if power not in held.seats:
            raise ActRefused("act_no_power", power=power[:40], powers=", ".join(held.seats))
    for power in (*result.draw, *filter(None, [result.winner])):
        if power in result.out or not result.centres[power]:
            raise ActRefused("act_eliminated_wins", power=power)
    for power in result.eliminated_in:
        if result.centres[power] and power not in result.out:
            raise ActRefused("act_alive_eliminated", power=power)


def _check_years(result: BoardResult) -> None:
    last = result.year if result.year is not None else GAME_YEARS[-1]
    if last not in GAME_YEARS:
        raise ActRefused("act_year", year=str(last))
    for year in result.eliminated_in.values():
        if not GAME_YEARS[0] <= year <= last:
            raise ActRefused("act_year", year=str(year))


def check_yearly_centres(held: EventBoard, result: BoardResult | None) -> None:
    """Centres year by year against each other and against a result: who is out does not come back.

    Raises ActRefused (`act_year_risen`, `act_year_contradicted`). Where powers are hired, nothing is looked
    at.
    """
    if held.variant == INTIMATE:
        return
    years = list(yearly_centres(replace(held, result=result)).items())
    for (before, had), (year, has) in pairwise(years):
        for power, count in has.items():
            if count and not had.get(power, count):
                raise ActRefused("act_year_risen", power=power, before=str(before), year=str(year))
    for power, fell in result.eliminated_in.items() if result else ():
        wrong = [year for year, has in years if bool(has.get(power)) == (year >= fell)]
        if wrong and result and power not in result.out:
            raise ActRefused("act_year_contradicted", power=power, fell=str(fell), year=str(wrong[0]))


def _won(held: EventBoard, result: BoardResult) -> BoardResult:
    """The result with its winner: whoever has the centres for it has won, whatever was ticked."""
    needed = solo_centres(held.variant)
    if needed is None:
        return result
    strong = next((power for power, has in result.centres.items() if has >= needed), None)
    if strong is not None:
        return replace(result, ended=GameEnd.SOLO, winner=strong, draw=())
    if result.ended is GameEnd.SOLO:
        raise ActRefused("act_no_solo", needed=str(needed))
    if result.winner and result.ended is not GameEnd.CONCEDED:
        return replace(result, winner="")
    return result


@event_act("centres_counted")
class CountCentres(EventAct):
    """The centres of a game that goes on, for what would be if it ended now; none: nothing is told. In place
    of those told before; refused once there is a result."""

    round: int
    board: int
    centres: Mapping[str, int]
    by: str = DESK_HAND

    def apply(self, event: Event) -> Event:
        held = playing_board(event, self.round, self.board)
        check_at_board(event, held, self.by, self.round, self.board)
        if held.result is not None:
            raise ActRefused("act_result_entered", round=str(self.round), board=str(self.board))
        if self.centres:
            told, there = sum(self.centres.values()), centre_count(held.variant)
            free = max(0, there - told) if there is not None else 0
            check_centres(held, BoardResult(self.centres, neutral=free))
            _check_named(held, BoardResult(self.centres))
        return with_board(event, self.round, self.board, now=self.centres)


RESULT_ACTS = (EnterResult, ConfirmResult, CorrectResult, WithdrawResult, CountCentres)


@event_act("years_counted")
class CountCentresByYear(EventAct):
    """Centres at the end of years, each power named; a year without any is struck out. `neutral`: centres of
    nobody, by year. In place of what was told of these years; of players, until the result is confirmed."""

    round: int
    board: int
    years: Mapping[int, Mapping[str, int]]
    by: str = DESK_HAND
    neutral: Mapping[int, int] = field(default_factory=dict)

    def apply(self, event: Event) -> Event:
        held = self._held(event)
        for year, centres in self.years.items():
            _check_year(held, year, centres, self.neutral.get(year, 0))
        kept = {year: one for year, one in held.years.items() if year not in self.years}
        every = dict(sorted({**kept, **{year: one for year, one in self.years.items() if one}}.items()))
        check_yearly_centres(replace(held, years=every), held.result)
        newest = bool(every) and max(every) in self.years
        return with_board(event, self.round, self.board, years=every, now={} if newest else held.now)

    def _held(self, event: Event) -> EventBoard:
        if self.by == DESK_HAND:
            return played_board(event, self.round, self.board)
        held = playing_board(event, self.round, self.board)
        check_at_board(event, held, self.by, self.round, self.board)
        if held.result is not None and held.result.confirmed:
            raise ActRefused("act_result_entered", round=str(self.round), board=str(self.board))
        return held


def _check_year(held: EventBoard, year: int, centres: Mapping[str, int], neutral: int) -> None:
    if year not in GAME_YEARS:
        raise ActRefused("act_year", year=str(year))
    if not centres:
        return
    check_centres(held, BoardResult(centres, neutral=neutral))
    unknown = next((power for power in centres if power not in held.seats), None)
    if unknown is not None:
        raise ActRefused("act_no_power", power=unknown[:40], powers=", ".join(held.seats))
    last = held.result.year if held.result else None
    other = held.result is not None and dict(centres) != dict(held.result.centres)
    if last is not None and (year > last or (year == last and other)):
        raise ActRefused("act_year_result", year=str(year), last=str(last))


def first_missing_year(held: EventBoard) -> int:
    """The first year that nobody has written down yet."""
    known = board_rules.yearly_centres(held)
    return next(year for year in GAME_YEARS if year not in known)


@event_act("farthest_told")
class SetFarthestProvince(EventAct):
    """The farthest province that a power's units were in; "" takes it away. In the result that stands, which
    stays confirmed if it was; not in a round that is closed."""

    round: int
    board: int
    power: str
    place: str = ""

    def apply(self, event: Event) -> Event:
        check_round_state(event, self.round, RoundState.PLAYING)
        held = find_board(event, self.round, self.board)
        find_seat(event, self.round, self.board, self.power)
        if held.result is None:
            raise ActRefused("act_no_result", round=str(self.round), board=str(self.board))
        if self.place and not traveller.is_reachable(held.variant, self.place):
            raise ActRefused("act_no_place", place=self.place[:40])
        others = {power: place for power, place in held.result.reached.items() if power != self.power}
        reached = {**others, self.power: self.place} if self.place else others
        result = replace(held.result, reached=reached)
        return with_board(event, self.round, self.board, result=result)


VOTED_PRIZE_KIND = "vote"


@event_act("ballot_cast")
class CastBallot(EventAct):
    """At most one other player of the board for each voted prize; whom he names twice is named twice. In
    place of his ballot for that board, until the event is over."""

    ballot: PrizeBallot

    def apply(self, event: Event) -> Event:
        told = self.ballot
        _check(event, told)
        same = (told.round, told.board, told.voter)
        known = [at for at, one in event.ballots.items() if (one.round, one.board, one.voter) == same]
        number = known[0] if known else next_number(event.ballots)
        return replace(event, ballots={**event.ballots, number: told})


def _check(event: Event, told: PrizeBallot) -> None:
    held = find_board(event, told.round, told.board)
    find_person(event, told.voter)
    if event.over:
        raise ActRefused("act_event_over")
    if held.result is None:
        raise ActRefused("act_no_result", round=str(told.round), board=str(told.board))
    at_board = set(board_people(held))
    for who in (told.voter, *told.names.values()):
        if who not in at_board:
            raise ActRefused(
                "act_not_at_board", person=str(who), round=str(told.round), board=str(told.board)
            )
    if told.voter in told.names.values():
        raise ActRefused("act_names_himself", person=str(told.voter))
    _check_prizes(event, told)


def _check_prizes(event: Event, told: PrizeBallot) -> None:
    prizes = regulations.read_regulations(event.regulations).prizes
    for prize in told.names:
        if prize not in prizes or prizes[prize].kind != VOTED_PRIZE_KIND:
            raise ActRefused("act_no_prize", prize=prize[:40])


@event_act("ballot_removed")
class RemoveBallot(EventAct):
    """A ballot is taken away. The log keeps that there was one."""

    number: int

    def apply(self, event: Event) -> Event:
        if self.number not in event.ballots:
            raise ActRefused("act_no_entry", number=str(self.number))
        return replace(event, ballots={at: one for at, one in event.ballots.items() if at != self.number})
