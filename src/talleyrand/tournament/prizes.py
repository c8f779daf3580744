"""Prizes beside the ranking: who has each of them, what it rests on, and who of several takes the paper home.

Source: Anjou Feu regulations, other prizes. Which prizes there are is data (`regulations.Prize`). A prize
that several share is the youngest's to keep: dates of birth settle it or leave it open, and are never told.

    of(event, standings)        every prize, in the order of the regulations
    podium(event, standings)    the first three of the ranking, shared places with all who share them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from talleyrand.scoring import Line

from . import ages, boards, regulations, standings, teams, traveller
from .model import Event, Words
from .regulations import Prize, PrizeKind, Regulations
from .standings import Entry, Game, Standing, Standings
from .standings.entries import Measure

FULL = (6, 7)  # people on a board whose games count for the prizes of powers
NOTHING = Fraction(0)
PODIUM = 3
LOST = "replaced_lost"  # a game whose points are somebody else's


@dataclass(frozen=True)
class Rank:
    """Somebody in the order of a prize: his place, what he has, and the lines that say why."""

    place: int
    who: int
    points: Fraction
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Award:
    """A prize. `holders`: who has it, people or teams, several where it is shared; nobody where `lines` say
    why.

    `keepers`: who takes the paper, the youngest; more than one where the dates known do not settle it, and
    the director asks them. `ranking`: all who were in it, best first.
    """

    key: str
    kind: str
    title: Words = field(default_factory=dict)
    power: str = ""
    holders: tuple[int, ...] = ()
    keepers: tuple[int, ...] = ()
    points: Fraction | None = None
    lines: tuple[Line, ...] = ()
    ranking: tuple[Rank, ...] = ()


def of(event: Event, held: Standings | None = None) -> dict[str, Award]:
    """Every prize of the regulations, by its key, in their order; raises BadEvent for bad regulations."""
    rules = regulations.read(event.regulations)
    known = held or standings.of(event)
    return {
        key: KINDS[prize.kind](_Asked(event, rules, known, key, prize)) for key, prize in rules.prizes.items()
    }


def podium(event: Event, held: Standings) -> tuple[Award, ...]:
    """The first three places that are taken, a shared one with all who share it; without points, none."""
    taken = sorted({line.place for line in held.lines if line.place <= PODIUM and line.total > 0})
    return tuple(
        _place(event, place, [line for line in held.lines if line.place == place]) for place in taken
    )


def _place(event: Event, place: int, lines: list[Standing]) -> Award:
    people = tuple(line.person for line in lines)
    keepers = _youngest(event, people)
    told = Line("prize_place", lines[0].total, {"place": Fraction(place), "points": lines[0].total})
    said = (told, *_shared(people, keepers))
    return Award(str(place), "place", holders=people, keepers=keepers, points=lines[0].total, lines=said)


@dataclass(frozen=True)
class _Asked:
    """A prize and what it is asked of."""

    event: Event
    rules: Regulations
    held: Standings
    key: str
    prize: Prize

    def award(self, ranking: Iterable[Rank], nobody: Line) -> Award:
        """To the first, if anybody has a point; `nobody` says why not."""
        ranks = tuple(ranking)
        first = [one for one in ranks if one.place == 1 and one.points > 0]
        if not first:
            return self.withheld(nobody, ranks)
        people = tuple(one.who for one in first)
        keepers = _youngest(self.event, people)
        lines = (*(line for one in first for line in one.lines), *_shared(people, keepers))
        return self.made(people, keepers, first[0].points, lines, ranks)

    def made(
        self,
        holders: tuple[int, ...],
        keepers: tuple[int, ...],
        points: Fraction | None,
        lines: tuple[Line, ...],
        ranks: tuple[Rank, ...] = (),
    ) -> Award:
        """The prize as it is given."""
        title, power = self.prize.title, self.prize.power
        return Award(self.key, self.prize.kind, title, power, holders, keepers, points, lines, ranks)

    def withheld(self, why: Line, ranks: tuple[Rank, ...] = ()) -> Award:
        """The prize that nobody has."""
        return self.made((), (), None, (why,), ranks)

    def again(self, measure: Measure, *, personal: bool = False, bonus: bool = True) -> Standings:
        """Standings with the same coefficients on something else than points."""
        through, provisional = self.held.through, self.held.provisional
        return standings.of(self.event, through, provisional, measure=measure, personal=personal, bonus=bonus)


def _youngest(event: Event, people: tuple[int, ...]) -> tuple[int, ...]:
    return remembered(event, people, teams=False) or ages.youngest(event.people, people)


def _youngest_team(event: Event, members: Mapping[int, Iterable[int]]) -> tuple[int, ...]:
    return remembered(event, members, teams=True) or ages.youngest_group(event.people, members)


def remembered(event: Event, among: Iterable[int], *, teams: bool) -> tuple[int, ...]:
    """Who was told as the youngest of these before births were forgotten; nobody if nothing was kept."""
    asked = sorted(among)
    found = (one.kept for one in event.youngest if one.teams == teams and sorted(one.among) == asked)
    return next(found, ())


def _shared(people: tuple[int, ...], keepers: tuple[int, ...]) -> tuple[Line, ...]:
    if len(people) < 2:
        return ()
    told = {"people": ", ".join(map(str, people)), "person": ", ".join(map(str, keepers))}
    return (Line("prize_youngest" if len(keepers) == 1 else "prize_youngest_open", NOTHING, told),)


def _ranked(points: Mapping[int, Fraction], lines: Mapping[int, Iterable[Line]]) -> Iterator[Rank]:
    """From most to fewest; equals share a place, in the order of their numbers."""
    first: dict[Fraction, int] = {}
    for at, who in enumerate(sorted(points, key=lambda one: (-points[one], one)), 1):
        yield Rank(first.setdefault(points[who], at), who, points[who], tuple(lines[who]))


# The best of each power.


def _power(asked: _Asked) -> Award:
    """The best score before any coefficient, over all games of six or seven people, both of somebody's two
    boards and latecomers' too. None where the power, played by its script, did better than everybody."""
    power = asked.prize.power
    best: dict[int, tuple[Fraction, Game]] = {}
    for person, entry, game in seats(asked.held):
        if entry.power == power and game.players in FULL and entry.raw > best.get(person, (NOTHING - 1,))[0]:
            best[person] = entry.raw, game
    ranks = tuple(_ranked(*_of_power(power, best)))
    script = max((game.raw(power) for game in asked.held.games if _scripted(game, power)), default=NOTHING)
    if ranks and script > ranks[0].points:
        return asked.withheld(Line("prize_power_script", script, {"power": power, "points": script}), ranks)
    return asked.award(ranks, Line("prize_power_nobody", NOTHING, {"power": power}))


def _of_power(
    power: str, best: Mapping[int, tuple[Fraction, Game]]
) -> tuple[dict[int, Fraction], dict[int, list[Line]]]:
    points = {person: raw for person, (raw, _) in best.items()}
    lines = {person: [_best_line(person, power, *found)] for person, found in best.items()}
    return points, lines


def _best_line(person: int, power: str, raw: Fraction, game: Game) -> Line:
    told = {"person": str(person), "power": power, **_where(game)}
    return Line("prize_power", raw, {**told, "points": raw})


def _where(game: Game) -> dict[str, str]:
    return {"round": str(game.round), "board": str(game.board)}


def seats(held: Standings) -> Iterator[tuple[int, Entry, Game]]:
    """Everybody's games, with the entry each of them gave; not those whose points went to somebody else."""
    games = {(game.round, game.board): game for game in held.games}
    for line in held.lines:
        for entry in line.entries:
            game = games.get((entry.round, entry.board))
            if game is not None and not any(factor.kind == LOST for factor in entry.factors):
                yield line.person, entry, game


def _scripted(game: Game, power: str) -> bool:
    """Whether a script played this power to the end."""
    return power in boards.scripted_of(game.table.variant) and power in boards.empty(game.table)


# Voted prizes, and the traveller: the ranking's coefficients on something else.


def _vote(asked: _Asked) -> Award:
    """A point for each ballot, counted like the game after which it was cast.

    Reading taken: one names people of one's own board; a point is theirs who were named, whoever has the
    points of the game; finalists have their tenth more, which the text takes from the traveller alone.
    """
    votes = _votes(asked)

    def measure(game: Game, _: str, person: int) -> Fraction:
        return Fraction(votes[game.round, game.board, person])

    found = asked.again(measure, personal=True)
    return asked.award(_measured(found, _vote_line), Line("prize_vote_nobody", NOTHING))


def _votes(asked: _Asked) -> Counter[tuple[int, int, int]]:
    return Counter(valid(asked.event, asked.held, asked.key))


def valid(event: Event, held: Standings, key: str) -> Iterator[tuple[int, int, int]]:
    """Round, board and person of each ballot for a prize: one of each voter, for somebody else who sat there;
    one whose voter has been forgotten was so when he was."""
    people = {(game.round, game.board): set(boards.people_at(game.table)) for game in held.games}
    named = {
        (ballot.round, ballot.board, ballot.voter, 0 if ballot.voter else at): ballot.names[key]
        for at, ballot in event.ballots.items()
        if key in ballot.names
    }
    for (number, at, voter, _), one in named.items():
        if one != voter and {one, voter} - {0} <= people.get((number, at), set()):
            yield number, at, one


def _travel(asked: _Asked) -> Award:
    """Territories between home and the farthest unit of each game, counted like points, but without what
    finalists have more."""

    def measure(game: Game, power: str, _: int) -> Fraction:
        reached = game.result.reached.get(power, "")
        return Fraction(traveller.points(game.table.variant, power, reached))

    found = asked.again(measure, bonus=False)
    return asked.award(_measured(found, _travel_line), Line("prize_travel_nobody", NOTHING))


def _measured(found: Standings, told: Callable[[Entry, Game], Line]) -> Iterator[Rank]:
    games = {(game.round, game.board): game for game in found.games}
    for line in found.lines:
        entries = [entry for entry in line.entries if (entry.round, entry.board) in games and entry.raw]
        lines = [told(entry, games[entry.round, entry.board]) for entry in entries]
        more = [Line(step.kind, step.points, step.facts) for step in line.steps[1:]]
        total = Line("prize_total", line.total, {"person": str(line.person), "points": line.total})
        yield Rank(line.place, line.person, line.total, (*lines, *more, total))


def _weighted(entry: Entry, game: Game) -> dict[str, str | Fraction]:
    return {
        **_where(game),
        "power": entry.power,
        "count": entry.raw,
        "coefficient": entry.coefficient * entry.weight,
        "points": entry.points,
    }


def _vote_line(entry: Entry, game: Game) -> Line:
    return Line("prize_vote", entry.points, _weighted(entry, game))


def _travel_line(entry: Entry, game: Game) -> Line:
    facts = _weighted(entry, game)
    if not traveller.knows(game.table.variant):
        return Line("prize_travel_counted", entry.points, facts)
    return Line("prize_travel", entry.points, {**facts, "province": game.result.reached[entry.power]})


# Youth, journey, teams.


def _youth(asked: _Asked) -> Award:
    """The best of the ranking among those born late enough, said to be young, or beginners."""
    people, since = asked.event.people, asked.rules.young_since
    young = [line for line in asked.held.lines if ages.is_young(people[line.person], since)]
    points = {line.person: line.total for line in young}
    lines = {line.person: [_youth_line(line)] for line in young}
    return asked.award(_ranked(points, lines), Line("prize_youth_nobody", NOTHING))


def _youth_line(line: Standing) -> Line:
    figures = {"place": Fraction(line.place), "points": line.total}
    return Line("prize_youth", line.total, {"person": str(line.person), **figures})


def _journey(asked: _Asked) -> Award:
    """Most minutes by car, of those who came to a round."""
    came = {one for played in asked.event.rounds.values() for one in played.present}
    known = {one: asked.event.people[one].minutes for one in sorted(came)}
    points = {one: Fraction(minutes) for one, minutes in known.items() if minutes is not None}
    lines = {one: [_journey_line(one, minutes)] for one, minutes in points.items()}
    return asked.award(_ranked(points, lines), Line("prize_journey_nobody", NOTHING))


def _journey_line(person: int, minutes: Fraction) -> Line:
    return Line("prize_journey", minutes, {"person": str(person), "minutes": minutes})


def _team(asked: _Asked) -> Award:
    """The best team of the round that is played for it, where it has boards enough."""
    number = next((at for at, rule in enumerate(asked.rules.rounds, 1) if rule.teams), 0)
    if not teams.contested(_boards(asked.event, number)):
        return asked.withheld(Line("prize_team_boards", NOTHING, {"count": Fraction(teams.LEAST_BOARDS)}))
    placed = teams.ranking(asked.event.teams, round_scores(asked.held, number))
    ranks = tuple(Rank(one.place, one.team, one.score, one.lines) for one in placed)
    first = tuple(one for one in ranks if one.place == 1)
    if not first:
        return asked.withheld(Line("prize_team_nobody", NOTHING))
    members = {one.team: [member for member, _ in one.scores] for one in placed if one.place == 1}
    keepers = _youngest_team(asked.event, members)
    told = (*(line for one in first for line in one.lines), *_shared_by_teams(asked.event, members, keepers))
    return asked.made(tuple(members), keepers, first[0].points, told, ranks)


def _boards(event: Event, number: int) -> int:
    """The boards that a round is played on, over or not."""
    one = event.rounds.get(number)
    return sum(table.counts for table in one.boards.values()) if one and not one.cancelled else 0


def round_scores(held: Standings, number: int) -> dict[int, Fraction]:
    """What everybody has of a round after its coefficients."""
    found: dict[int, Fraction] = {}
    for line in held.lines:
        entries = [entry for entry in line.entries if entry.round == number and entry.counted]
        if any(entry.board for entry in entries):
            found[line.person] = sum((entry.weighted for entry in entries), NOTHING)
    return found


def _shared_by_teams(event: Event, members: Iterable[int], keepers: tuple[int, ...]) -> tuple[Line, ...]:
    names = [event.teams[one].name for one in members]
    if len(names) < 2:
        return ()
    told = {"names": ", ".join(names), "name": ", ".join(event.teams[one].name for one in keepers)}
    return (Line("prize_team_youngest" if len(keepers) == 1 else "prize_team_youngest_open", NOTHING, told),)


KINDS: Mapping[PrizeKind, Callable[[_Asked], Award]] = {
    PrizeKind.POWER: _power,
    PrizeKind.VOTE: _vote,
    PrizeKind.TRAVEL: _travel,
    PrizeKind.JOURNEY: _journey,
    PrizeKind.YOUTH: _youth,
    PrizeKind.TEAM: _team,
}
