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
from talleyrand.engine import lots
from talleyrand.seating.checks import MOST_PEOPLE
from talleyrand.tournament import boards, formation, regulations, resting, timing
from talleyrand.tournament.acts.drafts import Draw
from talleyrand.tournament.boards import CLASSIC, ESCALATION, INTIMATE, PAIRS, people_at
from talleyrand.tournament.errors import Refused
from talleyrand.tournament.formation import Choice
from talleyrand.tournament.model import Board, Drawn, Event, Lot, Repeat, Rest, Rested, Seat
from talleyrand.tournament.resting import Qualified, Resting

ALLIANCES = ("AUSTRIA+FRANCE", "ENGLAND", "GERMANY+TURKEY", "ITALY+RUSSIA")
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
class Wanted:
    """What the director asks for. `resting`: who stands down, and the lots for it; `final`: the final table.

    `twice`: who plays on two boards, as many as the choice says. `kept`: boards that stay as they are.
    `powers`: those that team mates have chosen themselves, where the regulations let them. `dropped`: rules
    that a draw may break since none obeys them all: `apart`, `team`, `barred`.
    """

    choice: Choice
    seed: str
    resting: Resting = field(default_factory=Resting)
    final: Qualified | None = None
    twice: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    powers: Mapping[int, str] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()


def propose(
    event: Event,
    number: int,
    choice: Choice,
    seed: str,
    *,
    twice: Collection[int] | None = None,
    final: Qualified | None = None,
    kept: tuple[int, ...] = (),
) -> Wanted:
    """What rule and lot say of a choice, for the director to change; raises Refused where too few are there.

    `twice`: who plays on two boards; None: whom the organisation has for it, the organiser first. `final`:
    who plays the final table. `kept`: boards that stay as they are, where others fell.
    """
    seated = {*seated_at(event, number, kept), *(final.people if final else ())}
    doubled = formation.willing(event, number, choice, seated) if twice is None else tuple(twice)
    away = resting.draw(event, number, choice.rest, seed, keep={*doubled, *seated})
    return Wanted(choice, seed, away, final, doubled, kept)


def redo(event: Event, number: int, seed: str, dropped: Collection[str] = ()) -> Draw:
    """The same boards and the same people drawn again, locked seats kept; raises Refused."""
    one = event.rounds[number]
    away = {who: rest for who, rest in one.resting.items() if rest.why is not Rested.OWN}
    known = one.drawn.lots if one.drawn else ()
    old = tuple(lot for lot in known if lot.what != "powers")
    final = next((board for board in one.boards.values() if board.final), None)
    people = tuple(boards.seated(final)) if final else ()
    wanted = Wanted(
        choice=formation.standing(event, number),
        seed=seed,
        resting=Resting(away, old),
        final=Qualified(people) if people else None,
        twice=formation.doubled(event, number),
        dropped=frozenset(dropped),
    )
    return draw(event, number, wanted)


def draw(event: Event, number: int, wanted: Wanted) -> Draw:
    """The act that draws a round so; raises Refused (`act_no_draw`, with the rules that collide)."""
    plan = _planned(event.rounds[number].boards, wanted)
    request = _request(event, number, wanted, plan)
    try:
        found = seating.draw(request)
    except seating.Impossible as error:
        raise Refused("act_no_draw", rules=", ".join(dict.fromkeys(map(rule_name, error.rules)))) from None
    held = event.rounds[number].boards
    before = event.rounds[number].drawn
    lot = (*wanted.resting.lots, *(wanted.final.lots if wanted.final else ()), *plan.lots)
    if wanted.kept and before is not None:
        lot = (*before.lots, *lot)  # what was drawn first still says who stood down
    return Draw(
        round=number,
        boards={at: _board(plan.boards[at], seats, held.get(at)) for at, seats in found.seats.items()},
        drawn=drawn_of(found, lot),
        resting={**_own(event, number), **wanted.resting.people},
        kept=wanted.kept,
    )


def judge(event: Event, number: int) -> seating.Draw:
    """How good the seats of a round are as they stand, changed by hand or not."""
    one = event.rounds[number]
    seats = {at: _people(board) for at, board in one.boards.items()}
    asked = seating.Request(
        boards={at: tuple(held) for at, held in seats.items()},
        people=tuple(dict.fromkeys(who for held in seats.values() for who in held.values())),
        seed=one.drawn.seed if one.drawn else "",
        past=past(event, number),
        rules=(*_apart(event), *_team_rules(event, number), *_doubled(seats)),
        wishes=_wishes(event, number),
    )
    return seating.judge(asked, seats)


def drawn_of(found: seating.Draw, lot: tuple[Lot, ...] = ()) -> Drawn:
    """How a draw is kept."""
    met = [Repeat(one.board, one.times, one.first, other=one.second) for one in found.meetings]
    again = [Repeat(one.board, one.times, one.person, power=one.power) for one in found.powers]
    return Drawn(
        seed=found.seed,
        meetings=found.repeats,
        bound=found.bound,
        powers=found.power_repeats,
        power_bound=found.power_bound,
        repeats=(*met, *again),
        lots=lot,
    )


def rule_name(rule: seating.Rule) -> str:
    """A hard rule by its name: `lock`, `apart`, `team`, `barred`, `twice`."""
    return type(rule).__name__.lower()


@dataclass(frozen=True)
class _Table:
    variant: str
    powers: tuple[str, ...]  # as people draw them; two powers of one person are joined by a plus
    final: bool = False


@dataclass(frozen=True)
class _Plan:
    boards: Mapping[int, _Table]
    lots: tuple[Lot, ...] = ()


def _planned(held: Mapping[int, Board], wanted: Wanted) -> _Plan:
    """Which board has which number: the final first, then as the choice has them."""
    free = (at for at in count(1) if at not in wanted.kept)  # numbers of boards that fell are free again
    tables: dict[int, _Table] = {}
    drawn: list[Lot] = []
    if wanted.final:
        tables[next(free)] = _Table(CLASSIC, boards.powers_of(CLASSIC), final=True)
    for variant, size in zip(wanted.choice.boards, wanted.choice.sizes, strict=True):
        at = next(free)
        powers, lot = _locked_powers(held.get(at), variant) or _powers(variant, size, f"{wanted.seed} {at}")
        tables[at] = _Table(variant, powers)
        drawn += lot
    return _Plan(tables, tuple(drawn))


def _locked_powers(held: Board | None, variant: str) -> tuple[tuple[str, ...], list[Lot]] | None:
    """The powers of a board of few stay while a seat of it is kept."""
    few = variant in (INTIMATE, ESCALATION)
    if held is None or not few or held.variant != variant or not _people(held, locked=True):
        return None
    return tuple(held.seats), []


def _powers(variant: str, size: int, seed: str) -> tuple[tuple[str, ...], list[Lot]]:
    """The powers that people play on a board; by lot where the game has fewer people than powers."""
    if variant == PAIRS:
        return ALLIANCES, []
    known = boards.powers_of(variant)
    if variant in (INTIMATE, ESCALATION):
        left, drawn = list(known), []
        for at in range(size):
            drawn.append(lots.draw(seed, f"powers {at + 1}", left))
            left.remove(drawn[-1])
        return tuple(sorted(drawn)), [Lot("powers", known, tuple(drawn))]
    missing = boards.DISORDER if variant == CLASSIC and size < boards.FULL else boards.scripted_of(variant)
    return tuple(power for power in known if power not in missing), []


def _request(event: Event, number: int, wanted: Wanted, plan: _Plan) -> seating.Request:
    people = _players(event, number, wanted)
    seats = sum(len(table.powers) for table in plan.boards.values())
    if len(set(wanted.twice)) != wanted.choice.twice:
        raise Refused("act_who_twice", wanted=str(wanted.choice.twice))
    if len(people) > MOST_PEOPLE:
        raise Refused("act_too_many_people", most=str(MOST_PEOPLE))
    if len(people) + len(set(wanted.twice)) != seats:
        raise Refused("act_seats_count", there=str(len(people) + len(wanted.twice)), seats=str(seats))
    asked = (
        *_final_rules(wanted, plan),
        *_locks(event, number, wanted.kept, plan, people),
        *_chosen({**_of_teams(event, number, plan, people), **wanted.powers}, plan, people),
        *(seating.Twice(who) for who in sorted(set(wanted.twice))),
        *_apart(event),
        *_team_rules(event, number),
    )
    tables = {at: table.powers for at, table in plan.boards.items()}
    return seating.Request(
        boards=tables,
        people=people,
        seed=wanted.seed,
        event=event.seed,
        past=past(event, number),
        rules=tuple(rule for rule in asked if rule_name(rule) not in wanted.dropped),
        wishes=_wishes(event, number, len(plan.boards)),
    )


def _players(event: Event, number: int, wanted: Wanted) -> tuple[int, ...]:
    one = event.rounds[number]
    away = seated_at(event, number, wanted.kept) | set(wanted.resting.people) | set(_own(event, number))
    for who in set(wanted.twice):
        if who in away or who not in one.present:
            raise Refused("act_not_present", person=str(who), round=str(number))
    return tuple(sorted(set(one.present) - away))


def seated_at(event: Event, number: int, tables: Collection[int]) -> set[int]:
    """Who sits at some boards of a round."""
    held = event.rounds[number].boards
    return {who for at in tables if at in held for who in people_at(held[at])}


def _own(event: Event, number: int) -> dict[int, Rest]:
    resting = event.rounds[number].resting
    return {who: rest for who, rest in resting.items() if rest.why is Rested.OWN}


def _final_rules(wanted: Wanted, plan: _Plan) -> list[seating.Rule]:
    final = next((at for at, table in plan.boards.items() if table.final), None)
    people = wanted.final.people if wanted.final else ()
    return [seating.Lock(who, final) for who in people]


def _locks(
    event: Event, number: int, kept: Collection[int], plan: _Plan, people: Collection[int]
) -> Iterator[seating.Rule]:
    for at, board in event.rounds[number].boards.items():
        for power, who in _people(board, locked=True).items() if at not in kept else ():
            if at not in plan.boards or power not in plan.boards[at].powers or who not in people:
                raise Refused("act_seat_locked", round=str(number), board=str(at), power=power)
            yield seating.Lock(who, at, power)


def _chosen(powers: Mapping[int, str], plan: _Plan, people: Collection[int]) -> Iterator[seating.Rule]:
    played = sorted({power for table in plan.boards.values() for power in table.powers})
    for who, power in powers.items():
        if power not in played:
            raise Refused("act_no_power", power=power[:40], powers=", ".join(played))
        if who in people:
            yield seating.Lock(who, None, power)


def _of_teams(event: Event, number: int, plan: _Plan, people: Collection[int]) -> dict[int, str]:
    """What the members of whole teams have chosen among themselves, where there are boards for it.

    Source: Anjou Feu regulations, team trophy. Reading taken: with more than seven boards too. Raises
    Refused (`act_power_of_yesterday`).
    """
    if not _for_teams(event, number) or len(plan.boards) < boards.FULL:
        return {}
    whole = [team for team in event.teams.values() if len(set(team.members) & set(people)) == boards.FULL]
    chosen = {who: power for team in whole for who, power in team.powers}
    played = _played(event, number - 1)
    for who, power in chosen.items():
        if played.get(who) == power:
            raise Refused("act_power_of_yesterday", person=str(who), power=power)
    return chosen


def _people(board: Board, *, locked: bool = False) -> dict[str, int]:
    """Who plays what on a board, as people draw it: two powers of one person are joined."""
    held: dict[int, list[str]] = {}
    for power, seat in board.seats.items():
        if seat.person is not None and (seat.locked or not locked):
            held.setdefault(seat.person, []).append(power)
    return {"+".join(sorted(powers)): who for who, powers in held.items()}


def _doubled(seats: Mapping[int, Mapping[str, int]]) -> list[seating.Rule]:
    everybody = [who for held in seats.values() for who in held.values()]
    return [seating.Twice(who) for who in sorted({who for who in everybody if everybody.count(who) > 1})]


def _apart(event: Event) -> list[seating.Rule]:
    return [seating.Apart(*pair) for pair in event.apart]


def _team_rules(event: Event, number: int) -> Iterator[seating.Rule]:
    """In the round of the team trophy: mates apart, and no power of the day before."""
    if not _for_teams(event, number):
        return
    played = _played(event, number - 1)
    for team in event.teams.values():
        yield seating.Team(frozenset(team.members))
        yield from (seating.Barred(who, played[who]) for who in team.members if who in played)


def _for_teams(event: Event, number: int) -> bool:
    return timing.rule_of(regulations.read(event.regulations), number).teams


def _played(event: Event, number: int) -> dict[int, str]:
    """Who played what in a round."""
    games = past(event, number + 1, since=number).games
    return {who: power for game in games for power, who in game.seats.items()}


def past(event: Event, number: int, since: int = 1) -> seating.Past:
    """Who has played what with whom in the rounds before."""
    rounds = [one for at, one in sorted(event.rounds.items()) if since <= at < number]
    games = [
        seating.Game(_people(board), powers_count=boards.players(board) > boards.SMALL)
        for one in rounds
        for _, board in sorted(one.boards.items())
    ]
    return seating.Past(games=tuple(games))


def _wishes(event: Event, number: int, planned: int = 0) -> seating.Wishes:
    return seating.Wishes(
        together=together(event, number, planned),
        recorders=recorders(event),
        prefers=preferred(event),
        neighbours=NEIGHBOURS,
    )


def recorders(event: Event) -> frozenset[int]:
    """Who can keep the record of a board, where the regulations spread them."""
    if not regulations.read(event.regulations).recorders:
        return frozenset()
    return frozenset(who for who, one in event.people.items() if one.recorder)


def preferred(event: Event) -> dict[int, tuple[str, ...]]:
    """The powers that people would like, where they count; elsewhere powers are drawn by lot alone."""
    if not regulations.read(event.regulations).wishes:
        return {}
    return {who: one.private.prefers for who, one in event.people.items() if one.private.prefers}


def unrecorded(event: Event, number: int) -> tuple[int, ...]:
    """Boards of a round at which nobody can keep the record; none where nobody of the event is said to."""
    able = recorders(event)
    tables = event.rounds[number].boards
    return tuple(at for at, board in sorted(tables.items()) if able and able.isdisjoint(boards.seated(board)))


def granted(event: Event, number: int) -> dict[int, int]:
    """Of all who sit and had a wish that counts: the place of their power among their wishes, 0 for none."""
    wanted = preferred(event)
    seats = [held for board in event.rounds[number].boards.values() for held in _people(board).items()]
    return {
        who: wanted[who].index(power) + 1 if power in wanted[who] else 0
        for power, who in seats
        if who in wanted
    }


def together(event: Event, number: int, planned: int = 0) -> tuple[frozenset[int], ...]:
    """The best of the boards before, who should share a board where no final is played.

    After one round: the first of each board, joint firsts too. After two, the text means those who have not
    met yet: each such pair. `planned`: boards of the round to be drawn, which may decide on a final.
    """
    rules = regulations.read(event.regulations)
    if not rules.best_together or number not in (2, 3) or _final_comes(event, planned):
        return ()
    here = set(formation.counted(event, number))
    best = [who for at in range(1, number) for who in firsts(event, at) if who in here]
    if number == 2:
        return (frozenset(best),) if len(best) > 1 else ()
    met = {
        frozenset(pair) for game in past(event, number).games for pair in combinations(game.seats.values(), 2)
    }
    return tuple(pair for pair in map(frozenset, combinations(sorted(set(best)), 2)) if pair not in met)


def _final_comes(event: Event, planned: int) -> bool:
    rule = regulations.read(event.regulations).final
    decided = event.rounds[rule.round].final if rule is not None and rule.round in event.rounds else None
    return decided if decided is not None else formation.final_due(event, planned)


def firsts(event: Event, number: int) -> list[int]:
    """Who came first of each board of a round, by centres, or alone."""
    if number not in event.rounds:
        return []
    conceded = regulations.read(event.regulations).concessions
    tables = sorted(event.rounds[number].boards.items())
    return [who for _, board in tables for who in _first(board, conceded=conceded)]


def _first(board: Board, *, conceded: bool) -> Iterator[int]:
    if board.result is None or boards.players(board) <= boards.SMALL:
        return
    held = {power: has for power, has in board.result.centres.items() if power not in board.result.out}
    winner = board.result.winner if conceded else ""  # a solo has the most centres anyway
    most = max(held.values(), default=0)
    for power, has in held.items():
        who = board.seats[power].person
        if who is not None and (power == winner if winner else has == most):
            yield who


def _board(table: _Table, seats: Mapping[str, int], before: Board | None) -> Board:
    """A board as drawn; what was locked on it still is, and it stands where it stood."""
    by_power = {power: who for joined, who in seats.items() for power in joined.split("+")}
    few = table.variant in (INTIMATE, ESCALATION)
    powers = table.powers if few else boards.powers_of(table.variant)
    held = before.seats if before is not None else {}
    locked = {power for power, seat in held.items() if seat.locked}
    return Board(
        variant=table.variant,
        seats={power: Seat(by_power.get(power), locked=power in locked) for power in powers},
        final=table.final,
        place=before.place if before is not None else "",
    )
