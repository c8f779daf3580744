"""The draw of a round: what the regulations and the director ask, put to `seating`, and its answer as an act.

Source: Anjou Feu regulations, articles of the draw: no power twice as far as possible (games of few do not
count), new opponents, the best of the boards before together where there is no final, team mates apart and
with other powers than the day before. The draw of powers is never left to the table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, count

from talleyrand import seating
from talleyrand.engine import random_draws
from talleyrand.seating.draw_evaluation import MOST_PEOPLE
from talleyrand.tournament import board_formation, board_rules, byes, regulations, round_timing
from talleyrand.tournament.acts.seating_acts import DrawRound
from talleyrand.tournament.best_together import draw_together, meetings_again
from talleyrand.tournament.board_formation import FormationChoice
from talleyrand.tournament.board_rules import CLASSIC, ESCALATION, INTIMATE, PAIRS, board_people
from talleyrand.tournament.byes import Finalists, RoundByes
from talleyrand.tournament.event_errors import ActRefused
from talleyrand.tournament.model import (
    Bye,
    ByeReason,
    DrawnLot,
    DrawRecord,
    Event,
    EventBoard,
    PowerSeat,
    SeatingRepeat,
    TogetherWish,
)

# Who may fight whom from the start, each pair in alphabetical order.
NEIGHBOURS = frozenset(
    {
        ("AUSTRIA", "GERMANY"),
        ("AUSTRIA", "ITALY"),
        ("AUSTRIA", "RUSSIA"),
        ("AUSTRIA", "TURKEY"),
        ("ENGLAND", "FRANCE"),
        ("ENGLAND", "GERMANY"),
        ("ENGLAND", "RUSSIA"),
        ("FRANCE", "GERMANY"),
        ("FRANCE", "ITALY"),
        ("GERMANY", "RUSSIA"),
        ("RUSSIA", "TURKEY"),
    }
)


@dataclass(frozen=True)
class SeatDrawRequest:
    """What the director asks for. `resting`: who stands down, and the lots for it; `final`: the final table.

    `twice`: who plays on two boards, as many as the choice says. `kept`: boards that stay as they are.
    `powers`: those that team mates have chosen themselves, where the regulations let them. `dropped`: rules
    that a draw may break since none obeys them all: `apart`, `team`, `barred`. `together`: the best share a
    board though that costs meetings or powers again; without it they do where it costs nothing.
    """

    choice: FormationChoice
    seed: str
    resting: RoundByes = field(default_factory=RoundByes)
    final: Finalists | None = None
    twice: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    powers: Mapping[int, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    together: bool = False


def propose_draw(
    event: Event,
    number: int,
    choice: FormationChoice,
    seed: str,
    *,
    twice: Collection[int] | None = None,
    final: Finalists | None = None,
    kept: tuple[int, ...] = (),
) -> SeatDrawRequest:
    """What rule and lot say of a choice, for the director to change; raises ActRefused where too few are
    there.

    `twice`: who plays on two boards; None: whom the organisation has for it, the organiser first. `final`:
    who plays the final table. `kept`: boards that stay as they are, where others fell.
    """
    seated = {*people_seated(event, number, kept), *(final.people if final else ())}
    doubled = (
        board_formation.two_board_players(event, number, choice, seated) if twice is None else tuple(twice)
    )
    away = byes.draw_byes(event, number, choice.rest, seed, keep={*doubled, *seated})
    return SeatDrawRequest(choice, seed, away, final, doubled, kept)


def redraw(
    event: Event, number: int, seed: str, dropped: Collection[str] = (), *, together: bool = False
) -> DrawRound:
    """The same boards and the same people drawn again, locked seats kept; raises ActRefused."""
    one = event.rounds[number]
    away = {who: rest for who, rest in one.resting.items() if rest.why is not ByeReason.OWN}
    known = one.drawn.lots if one.drawn else ()
    old = tuple(lot for lot in known if lot.what != "powers")
    final = next((board for board in one.boards.values() if board.final), None)
    people = tuple(board_rules.first_players(final)) if final else ()
    wanted = SeatDrawRequest(
        choice=board_formation.formation_of_draft(event, number),
        seed=seed,
        resting=RoundByes(away, old),
        final=Finalists(people) if people else None,
        twice=board_formation.people_on_two_boards(event, number),
        dropped=frozenset(dropped),
        together=together,
    )
    return draw_seats(event, number, wanted)


def draw_seats(event: Event, number: int, wanted: SeatDrawRequest) -> DrawRound:
    """The act that draws a round so; raises ActRefused (`act_no_draw`, with the rules that collide)."""
    plan = _planned(event.rounds[number].boards, wanted)
    request = _request(event, number, wanted, plan)
    try:
        found, wish = draw_together(request, paid=wanted.together)
    except seating.ImpossibleSeating as error:
        codes = dict.fromkeys(rule.code for rule in error.rules)
        raise ActRefused("act_no_draw", rules=", ".join(codes)) from None
    held = event.rounds[number].boards
    before = event.rounds[number].drawn
    lot = (*wanted.resting.lots, *(wanted.final.lots if wanted.final else ()), *plan.lots)
    if wanted.kept and before is not None:
        lot = (*before.lots, *lot)  # what was drawn first still says who stood down
    return DrawRound(
        round=number,
        boards={at: _board(plan.boards[at], seats, held.get(at)) for at, seats in found.seats.items()},
        drawn=draw_record(found, lot, wish),
        resting={**_own(event, number), **wanted.resting.people},
        kept=wanted.kept,
    )


def rate_seats(event: Event, number: int) -> seating.RoundDraw:
    """How good the seats of a round are as they stand, changed by hand or not; empty boards are left out."""
    one = event.rounds[number]
    seats = {at: held for at, board in one.boards.items() if (held := _people(board))}
    asked = seating.SeatingRequest(
        boards={at: tuple(held) for at, held in seats.items()},
        people=tuple(dict.fromkeys(who for held in seats.values() for who in held.values())),
        seed=one.drawn.seed if one.drawn else "",
        history=past_games(event, number),
        hard_rules=(*_apart(event), *_team_rules(event, number), *_doubled(seats)),
        soft_rules=_wishes(event, number),
    )
    return seating.evaluate_draw(asked, seats)


def draw_record(
    found: seating.RoundDraw, lot: tuple[DrawnLot, ...] = (), wish: TogetherWish | None = None
) -> DrawRecord:
    """How a draw is kept; `wish`: the best together, and what that costs."""
    again = [
        SeatingRepeat(one.board, one.times, one.person, power=one.power) for one in found.repeated_powers
    ]
    return DrawRecord(
        seed=found.seed,
        meetings=found.repeats,
        bound=found.bound,
        powers=found.power_repeats,
        power_bound=found.power_bound,
        repeats=(*meetings_again(found.repeated_meetings), *again),
        lots=lot,
        third_bound=found.third_bound,
        wish=wish,
    )


@dataclass(frozen=True)
class _PlannedBoard:
    variant: str
    powers: tuple[str, ...]  # as people draw them; two powers of one person are joined by a plus
    final: bool = False


@dataclass(frozen=True)
class _BoardPlan:
    boards: Mapping[int, _PlannedBoard]
    lots: tuple[DrawnLot, ...] = ()


def _planned(held: Mapping[int, EventBoard], wanted: SeatDrawRequest) -> _BoardPlan:
    """Which board has which number: the final first, then as the choice has them."""
    free = (at for at in count(1) if at not in wanted.kept)  # numbers of boards that fell are free again
    tables: dict[int, _PlannedBoard] = {}
    drawn: list[DrawnLot] = []
    if wanted.final:
        tables[next(free)] = _PlannedBoard(CLASSIC, board_rules.variant_powers(CLASSIC), final=True)
    for variant, size in zip(wanted.choice.boards, wanted.choice.sizes, strict=True):
        at = next(free)
        powers, lot = _locked_powers(held.get(at), variant) or _powers(variant, size, f"{wanted.seed} {at}")
        tables[at] = _PlannedBoard(variant, powers)
        drawn += lot
    return _BoardPlan(tables, tuple(drawn))


def _locked_powers(held: EventBoard | None, variant: str) -> tuple[tuple[str, ...], list[DrawnLot]] | None:
    """The powers of a board of few stay while a seat of it is kept."""
    few = variant in (INTIMATE, ESCALATION)
    if held is None or not few or held.variant != variant or not _people(held, locked=True):
        return None
    return tuple(held.seats), []


def _powers(variant: str, size: int, seed: str) -> tuple[tuple[str, ...], list[DrawnLot]]:
    """The powers that people play on a board; by lot where the game has fewer people than powers."""
    if variant == PAIRS:
        return tuple(sorted("+".join(sorted(share)) for share in board_rules.PAIRS_SPLIT.shares)), []
    known = board_rules.variant_powers(variant)
    if variant in (INTIMATE, ESCALATION):
        left, drawn = list(known), []
        for at in range(size):
            drawn.append(random_draws.draw_one(seed, f"powers {at + 1}", left))
            left.remove(drawn[-1])
        return tuple(sorted(drawn)), [DrawnLot("powers", known, tuple(drawn))]
    missing = (
        board_rules.DISORDER_POWERS
        if variant == CLASSIC and size < board_rules.FULL_BOARD
        else board_rules.scripted_powers(variant)
    )
    return tuple(power for power in known if power not in missing), []


def _request(event: Event, number: int, wanted: SeatDrawRequest, plan: _BoardPlan) -> seating.SeatingRequest:
    people = _players(event, number, wanted)
    seats = sum(len(table.powers) for table in plan.boards.values())
    if len(set(wanted.twice)) != wanted.choice.twice:
        raise ActRefused("act_who_twice", wanted=str(wanted.choice.twice))
    if len(people) > MOST_PEOPLE:
        raise ActRefused("act_too_many_people", most=str(MOST_PEOPLE))
    if len(people) + len(set(wanted.twice)) != seats:
        raise ActRefused("act_seats_count", there=str(len(people) + len(wanted.twice)), seats=str(seats))
    asked = (
        *_final_rules(wanted, plan),
        *_locks(event, number, wanted.kept, plan, people),
        *_chosen({**_of_teams(event, number, plan, people), **wanted.powers}, plan, people),
        *(seating.TwoBoardsRule(who) for who in sorted(set(wanted.twice))),
        *_apart(event),
        *_team_rules(event, number),
    )
    tables = {at: table.powers for at, table in plan.boards.items()}
    return seating.SeatingRequest(
        boards=tables,
        people=people,
        seed=wanted.seed,
        event=event.seed,
        history=past_games(event, number),
        hard_rules=tuple(rule for rule in asked if rule.code not in wanted.dropped),
        soft_rules=_wishes(event, number, len(plan.boards)),
    )


def _players(event: Event, number: int, wanted: SeatDrawRequest) -> tuple[int, ...]:
    one = event.rounds[number]
    away = people_seated(event, number, wanted.kept) | set(wanted.resting.people) | set(_own(event, number))
    for who in set(wanted.twice):
        if who in away or who not in one.present:
            raise ActRefused("act_not_present", person=str(who), round=str(number))
    return tuple(sorted(set(one.present) - away))


def people_seated(event: Event, number: int, tables: Collection[int]) -> set[int]:
    """Who sits at some boards of a round."""
    held = event.rounds[number].boards
    return {who for at in tables if at in held for who in board_people(held[at])}


def _own(event: Event, number: int) -> dict[int, Bye]:
    resting = event.rounds[number].resting
    return {who: rest for who, rest in resting.items() if rest.why is ByeReason.OWN}


def _final_rules(wanted: SeatDrawRequest, plan: _BoardPlan) -> list[seating.HardRule]:
    final = next((at for at, table in plan.boards.items() if table.final), None)
    people = wanted.final.people if wanted.final else ()
    return [seating.LockRule(who, final) for who in people]


def _locks(
    event: Event, number: int, kept: Collection[int], plan: _BoardPlan, people: Collection[int]
) -> Iterator[seating.HardRule]:
    for at, board in event.rounds[number].boards.items():
        for power, who in _people(board, locked=True).items() if at not in kept else ():
            if at not in plan.boards or power not in plan.boards[at].powers or who not in people:
                raise ActRefused("act_seat_locked", round=str(number), board=str(at), power=power)
            yield seating.LockRule(who, at, power)


def _chosen(
    powers: Mapping[int, str], plan: _BoardPlan, people: Collection[int]
) -> Iterator[seating.HardRule]:
    played = sorted({power for table in plan.boards.values() for power in table.powers})
    for who, power in powers.items():
        if power not in played:
            raise ActRefused("act_no_power", power=power[:40], powers=", ".join(played))
        if who in people:
            yield seating.LockRule(who, None, power)


def _of_teams(event: Event, number: int, plan: _BoardPlan, people: Collection[int]) -> dict[int, str]:
    """What the members of whole teams have chosen among themselves, where there are boards for it.

    Source: Anjou Feu regulations, team trophy. Reading taken: with more than seven boards too. Raises
    Refused (`act_power_of_yesterday`).
    """
    if not _for_teams(event, number) or len(plan.boards) < board_rules.FULL_BOARD:
        return {}
    whole = [
        team
        for team in event.teams.values()
        if len(set(team.members) & set(people)) == board_rules.FULL_BOARD
    ]
    chosen = {who: power for team in whole for who, power in team.powers}
    played = _played(event, number - 1)
    for who, power in chosen.items():
        if played.get(who) == power:
            raise ActRefused("act_power_of_yesterday", person=str(who), power=power)
    return chosen


def _people(board: EventBoard, *, locked: bool = False) -> dict[str, int]:
    """Who plays what on a board, as people draw it: two powers of one person are joined."""
    held: dict[int, list[str]] = {}
    for power, seat in board.seats.items():
        if seat.person is not None and (seat.locked or not locked):
            held.setdefault(seat.person, []).append(power)
    return {"+".join(sorted(powers)): who for who, powers in held.items()}


def _doubled(seats: Mapping[int, Mapping[str, int]]) -> list[seating.HardRule]:
    everybody = [who for held in seats.values() for who in held.values()]
    return [
        seating.TwoBoardsRule(who) for who in sorted({who for who in everybody if everybody.count(who) > 1})
    ]


def _apart(event: Event) -> list[seating.HardRule]:
    return [seating.ApartRule(*pair) for pair in event.apart]


def _team_rules(event: Event, number: int) -> Iterator[seating.HardRule]:
    """In the round of the team trophy: mates apart, and no power of the day before."""
    if not _for_teams(event, number):
        return
    played = _played(event, number - 1)
    for team in event.teams.values():
        yield seating.TeamRule(frozenset(team.members))
        yield from (seating.BarredPowerRule(who, played[who]) for who in team.members if who in played)


def _for_teams(event: Event, number: int) -> bool:
    return round_timing.round_rule(regulations.read_regulations(event.regulations), number).teams


def _played(event: Event, number: int) -> dict[int, str]:
    """Who played what in a round."""
    games = past_games(event, number + 1, since=number).games
    return {who: power for game in games for power, who in game.seats.items()}


def past_games(event: Event, number: int, since: int = 1) -> seating.SeatingHistory:
    """Who has played what with whom in the rounds before."""
    rounds = [one for at, one in sorted(event.rounds.items()) if since <= at < number]
    games = [
        seating.PastGame(
            _people(board), counts_powers=board_rules.player_count(board) > board_rules.SMALL_BOARD
        )
        for one in rounds
        for _, board in sorted(one.boards.items())
    ]
    return seating.SeatingHistory(games=tuple(games))


def _wishes(event: Event, number: int, planned: int = 0) -> seating.SoftRules:
    return seating.SoftRules(
        together=best_to_seat_together(event, number, planned),
        recorders=recorders(event),
        power_preferences=power_preferences(event),
        neighbours=NEIGHBOURS,
    )


def recorders(event: Event) -> frozenset[int]:
    """Who can keep the record of a board, where the regulations spread them."""
    if not regulations.read_regulations(event.regulations).recorders:
        return frozenset()
    return frozenset(who for who, one in event.people.items() if one.recorder)


def power_preferences(event: Event) -> dict[int, tuple[str, ...]]:
    """The powers that people would like, where they count; elsewhere powers are drawn by lot alone."""
    if not regulations.read_regulations(event.regulations).wishes:
        return {}
    return {who: one.private.prefers for who, one in event.people.items() if one.private.prefers}


def boards_without_recorder(event: Event, number: int) -> tuple[int, ...]:
    """Boards of a round at which nobody can keep the record; none where nobody of the event is said to."""
    able = recorders(event)
    tables = event.rounds[number].boards
    return tuple(
        at
        for at, board in sorted(tables.items())
        if able and able.isdisjoint(board_rules.first_players(board))
    )


def granted_preferences(event: Event, number: int) -> dict[int, int]:
    """Of all who sit and had a wish that counts: the place of their power among their wishes, 0 for none."""
    wanted = power_preferences(event)
    seats = [held for board in event.rounds[number].boards.values() for held in _people(board).items()]
    return {
        who: wanted[who].index(power) + 1 if power in wanted[who] else 0
        for power, who in seats
        if who in wanted
    }


def best_to_seat_together(event: Event, number: int, planned: int = 0) -> tuple[frozenset[int], ...]:
    """The best of the boards before, who should share a board where no final is played.

    After one round: the first of each board, joint firsts too. After two, the text means those who have not
    met yet: each such pair. `planned`: boards of the round to be drawn, which may decide on a final.
    """
    rules = regulations.read_regulations(event.regulations)
    if not rules.best_together or number not in (2, 3) or _final_comes(event, planned):
        return ()
    here = set(board_formation.people_counted(event, number))
    best = [who for at in range(1, number) for who in board_firsts(event, at) if who in here]
    if number == 2:
        return (frozenset(best),) if len(best) > 1 else ()
    met = {
        frozenset(pair)
        for game in past_games(event, number).games
        for pair in combinations(game.seats.values(), 2)
    }
    return tuple(pair for pair in map(frozenset, combinations(sorted(set(best)), 2)) if pair not in met)


def _final_comes(event: Event, planned: int) -> bool:
    rule = regulations.read_regulations(event.regulations).final
    decided = event.rounds[rule.round].final if rule is not None and rule.round in event.rounds else None
    return decided if decided is not None else board_formation.is_final_due(event, planned)


def board_firsts(event: Event, number: int) -> list[int]:
    """Who came first of each board of a round, by centres, or alone."""
    if number not in event.rounds:
        return []
    conceded = regulations.read_regulations(event.regulations).concessions
    tables = sorted(event.rounds[number].boards.items())
    return [who for _, board in tables for who in _first(board, conceded=conceded)]


def _first(board: EventBoard, *, conceded: bool) -> Iterator[int]:
    if board.result is None or board_rules.player_count(board) <= board_rules.SMALL_BOARD:
        return
    held = {power: has for power, has in board.result.centres.items() if power not in board.result.out}
    winner = board.result.winner if conceded else ""  # a solo has the most centres anyway
    most = max(held.values(), default=0)
    for power, has in held.items():
        who = board.seats[power].person
        if who is not None and (power == winner if winner else has == most):
            yield who


def _board(table: _PlannedBoard, seats: Mapping[str, int], before: EventBoard | None) -> EventBoard:
    """A board as drawn; what was locked on it still is, and it stands where it stood."""
    by_power = {power: who for joined, who in seats.items() for power in joined.split("+")}
    few = table.variant in (INTIMATE, ESCALATION)
    powers = table.powers if few else board_rules.variant_powers(table.variant)
    held = before.seats if before is not None else {}
    locked = {power for power, seat in held.items() if seat.locked}
    return EventBoard(
        variant=table.variant,
        seats={power: PowerSeat(by_power.get(power), locked=power in locked) for power in powers},
        final=table.final,
        place=before.place if before is not None else "",
    )
