"""Prizes beside the ranking: who has each of them, what it rests on, and who of several takes the paper home.

Source: Anjou Feu regulations, other prizes. Which prizes there are is data (`regulations.Prize`). A prize
that several share is the youngest's to keep: dates of birth settle it or leave it open, and are never told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from talleyrand.scoring import ScoreLine

from . import birth_dates, board_rules, regulations, standings, team_trophy, traveller
from .model import Event, LocalisedText
from .regulations import PrizeKind, PrizeRule, Regulations
from .standings import PersonStanding, ScoredGame, StandingEntry, Standings
from .standings.score_factors import GameMeasure

PRIZE_BOARD_SIZES = (6, 7)  # people on a board whose games count for the prizes of powers
NO_POINTS = Fraction(0)
PODIUM = 3
LOST_TO_REPLACEMENT = "replaced_lost"  # a game whose points are somebody else's


@dataclass(frozen=True)
class PrizeRank:
    """Somebody in the order of a prize: his place, what he has, and the lines that say why."""

    place: int
    who: int
    points: Fraction
    lines: tuple[ScoreLine, ...] = ()


@dataclass(frozen=True)
class Award:
    """A prize. `holders`: who has it, people or teams, several where it is shared; nobody where `lines` say
    why.

    `keepers`: who takes the paper, the youngest; more than one where the dates known do not settle it, and
    the director asks them. `ranking`: all who were in it, best first.
    """

    key: str
    kind: str
    title: LocalisedText = field(default_factory=dict)
    power: str = ""
    holders: tuple[int, ...] = ()
    keepers: tuple[int, ...] = ()
    points: Fraction | None = None
    lines: tuple[ScoreLine, ...] = ()
    ranking: tuple[PrizeRank, ...] = ()


def award_prizes(event: Event, held: Standings | None = None) -> dict[str, Award]:
    """Every prize of the regulations, by its key, in their order; raises InvalidEvent for bad regulations."""
    rules = regulations.read_regulations(event.regulations)
    known = held or standings.compute_standings(event)
    return {
        key: AWARDERS[prize.kind](_PrizeContext(event, rules, known, key, prize))
        for key, prize in rules.prizes.items()
    }


def podium(event: Event, held: Standings) -> tuple[Award, ...]:
    """The first three places that are taken, a shared one with all who share it; without points, none."""
    taken = sorted({line.place for line in held.lines if line.place <= PODIUM and line.total > 0})
    return tuple(
        _place(event, place, [line for line in held.lines if line.place == place]) for place in taken
    )


def _place(event: Event, place: int, lines: list[PersonStanding]) -> Award:
    people = tuple(line.person for line in lines)
    keepers = _youngest(event, people)
    told = ScoreLine("prize_place", lines[0].total, {"place": Fraction(place), "points": lines[0].total})
    said = (told, *_shared(people, keepers))
    return Award(str(place), "place", holders=people, keepers=keepers, points=lines[0].total, lines=said)


@dataclass(frozen=True)
class _PrizeContext:
    """A prize and what it is asked of."""

    event: Event
    rules: Regulations
    held: Standings
    key: str
    prize: PrizeRule

    def award(self, ranking: Iterable[PrizeRank], nobody: ScoreLine) -> Award:
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
        lines: tuple[ScoreLine, ...],
        ranks: tuple[PrizeRank, ...] = (),
    ) -> Award:
        """The prize as it is given."""
        title, power = self.prize.title, self.prize.power
        return Award(self.key, self.prize.kind, title, power, holders, keepers, points, lines, ranks)

    def withheld(self, why: ScoreLine, ranks: tuple[PrizeRank, ...] = ()) -> Award:
        """The prize that nobody has."""
        return self.made((), (), None, (why,), ranks)

    def again(self, measure: GameMeasure, *, personal: bool = False, bonus: bool = True) -> Standings:
        """Standings with the same coefficients on something else than points."""
        through, provisional = self.held.through, self.held.provisional
        return standings.compute_standings(
            self.event, through, provisional, measure=measure, personal=personal, bonus=bonus
        )


def _youngest(event: Event, people: tuple[int, ...]) -> tuple[int, ...]:
    return youngest_on_record(event, people, teams=False) or birth_dates.possible_youngest(
        event.people, people
    )


def _youngest_team(event: Event, members: Mapping[int, Iterable[int]]) -> tuple[int, ...]:
    return youngest_on_record(event, members, teams=True) or birth_dates.possible_youngest_groups(
        event.people, members
    )


def youngest_on_record(event: Event, among: Iterable[int], *, teams: bool) -> tuple[int, ...]:
    """Who was told as the youngest of these before births were forgotten; nobody if nothing was kept."""
    asked = sorted(among)
    found = (one.kept for one in event.youngest if one.teams == teams and sorted(one.among) == asked)
    return next(found, ())


def _shared(people: tuple[int, ...], keepers: tuple[int, ...]) -> tuple[ScoreLine, ...]:
    if len(people) < 2:
        return ()
    told = {"people": ", ".join(map(str, people)), "person": ", ".join(map(str, keepers))}
    return (ScoreLine("prize_youngest" if len(keepers) == 1 else "prize_youngest_open", NO_POINTS, told),)


def _ranked(points: Mapping[int, Fraction], lines: Mapping[int, Iterable[ScoreLine]]) -> Iterator[PrizeRank]:
    """From most to fewest; equals share a place, in the order of their numbers."""
    first: dict[Fraction, int] = {}
    for at, who in enumerate(sorted(points, key=lambda one: (-points[one], one)), 1):
        yield PrizeRank(first.setdefault(points[who], at), who, points[who], tuple(lines[who]))


# The best of each power.


def _power(asked: _PrizeContext) -> Award:
    """The best score before any coefficient, over all games of six or seven people, both of somebody's two
    boards and latecomers' too. None where the power, played by its script, did better than everybody."""
    power = asked.prize.power
    best: dict[int, tuple[Fraction, ScoredGame]] = {}
    for person, entry, game in scored_seats(asked.held):
        if (
            entry.power == power
            and game.players in PRIZE_BOARD_SIZES
            and entry.raw > best.get(person, (NO_POINTS - 1,))[0]
        ):
            best[person] = entry.raw, game
    ranks = tuple(_ranked(*_of_power(power, best)))
    script = max((game.raw(power) for game in asked.held.games if _scripted(game, power)), default=NO_POINTS)
    if ranks and script > ranks[0].points:
        return asked.withheld(
            ScoreLine("prize_power_script", script, {"power": power, "points": script}), ranks
        )
    return asked.award(ranks, ScoreLine("prize_power_nobody", NO_POINTS, {"power": power}))


def _of_power(
    power: str, best: Mapping[int, tuple[Fraction, ScoredGame]]
) -> tuple[dict[int, Fraction], dict[int, list[ScoreLine]]]:
    points = {person: raw for person, (raw, _) in best.items()}
    lines = {person: [_best_line(person, power, *found)] for person, found in best.items()}
    return points, lines


def _best_line(person: int, power: str, raw: Fraction, game: ScoredGame) -> ScoreLine:
    told = {"person": str(person), "power": power, **_where(game)}
    return ScoreLine("prize_power", raw, {**told, "points": raw})


def _where(game: ScoredGame) -> dict[str, str]:
    return {"round": str(game.round), "board": str(game.board)}


def scored_seats(held: Standings) -> Iterator[tuple[int, StandingEntry, ScoredGame]]:
    """Everybody's games, with the entry each of them gave; not those whose points went to somebody else."""
    games = {(game.round, game.board): game for game in held.games}
    for line in held.lines:
        for entry in line.entries:
            game = games.get((entry.round, entry.board))
            if game is not None and not any(factor.kind == LOST_TO_REPLACEMENT for factor in entry.factors):
                yield line.person, entry, game


def _scripted(game: ScoredGame, power: str) -> bool:
    """Whether a script played this power to the end."""
    return power in board_rules.scripted_powers(game.table.variant) and power in board_rules.empty_powers(
        game.table
    )


# Voted prizes, and the traveller: the ranking's coefficients on something else.


def _vote(asked: _PrizeContext) -> Award:
    """A point for each ballot, counted like the game after which it was cast.

    Reading taken: one names people of one's own board; a point is theirs who were named, whoever has the
    points of the game; finalists have their tenth more, which the text takes from the traveller alone.
    """
    votes = Counter(valid_ballots(asked.event, asked.held, asked.key))

    def measure(game: ScoredGame, _: str, person: int) -> Fraction:
        return Fraction(votes[game.round, game.board, person])

    found = asked.again(measure, personal=True)
    return asked.award(_measured(found, _vote_line), ScoreLine("prize_vote_nobody", NO_POINTS))


def valid_ballots(event: Event, held: Standings, key: str) -> Iterator[tuple[int, int, int]]:
    """Round, board and person of each ballot for a prize: one of each voter, for somebody else who sat there;
    one whose voter has been forgotten was so when he was."""
    people = {(game.round, game.board): set(board_rules.board_people(game.table)) for game in held.games}
    named = {
        (ballot.round, ballot.board, ballot.voter, 0 if ballot.voter else at): ballot.names[key]
        for at, ballot in event.ballots.items()
        if key in ballot.names
    }
    for (number, at, voter, _), one in named.items():
        if one != voter and {one, voter} - {0} <= people.get((number, at), set()):
            yield number, at, one


def _travel(asked: _PrizeContext) -> Award:
    """Territories between home and the farthest unit of each game, counted like points, but without what
    finalists have more."""

    def measure(game: ScoredGame, power: str, _: int) -> Fraction:
        reached = game.result.reached.get(power, "")
        return Fraction(traveller.travel_points(game.table.variant, power, reached))

    found = asked.again(measure, bonus=False)
    return asked.award(_measured(found, _travel_line), ScoreLine("prize_travel_nobody", NO_POINTS))


def _measured(
    found: Standings, told: Callable[[StandingEntry, ScoredGame], ScoreLine]
) -> Iterator[PrizeRank]:
    games = {(game.round, game.board): game for game in found.games}
    for line in found.lines:
        entries = [entry for entry in line.entries if (entry.round, entry.board) in games and entry.raw]
        lines = [told(entry, games[entry.round, entry.board]) for entry in entries]
        more = [ScoreLine(step.kind, step.points, step.facts) for step in line.steps[1:]]
        total = ScoreLine("prize_total", line.total, {"person": str(line.person), "points": line.total})
        yield PrizeRank(line.place, line.person, line.total, (*lines, *more, total))


def _weighted(entry: StandingEntry, game: ScoredGame) -> dict[str, str | Fraction]:
    return {
        **_where(game),
        "power": entry.power,
        "count": entry.raw,
        "coefficient": entry.coefficient * entry.weight,
        "points": entry.points,
    }


def _vote_line(entry: StandingEntry, game: ScoredGame) -> ScoreLine:
    return ScoreLine("prize_vote", entry.points, _weighted(entry, game))


def _travel_line(entry: StandingEntry, game: ScoredGame) -> ScoreLine:
    facts = _weighted(entry, game)
    if not traveller.knows_homes(game.table.variant):
        return ScoreLine("prize_travel_counted", entry.points, facts)
    return ScoreLine("prize_travel", entry.points, {**facts, "province": game.result.reached[entry.power]})


# Youth, journey, teams.


def _youth(asked: _PrizeContext) -> Award:
    """The best of the ranking among those born late enough, said to be young, or beginners."""
    people, since = asked.event.people, asked.rules.young_since
    young = [line for line in asked.held.lines if birth_dates.is_young(people[line.person], since)]
    points = {line.person: line.total for line in young}
    lines = {line.person: [_youth_line(line)] for line in young}
    return asked.award(_ranked(points, lines), ScoreLine("prize_youth_nobody", NO_POINTS))


def _youth_line(line: PersonStanding) -> ScoreLine:
    figures = {"place": Fraction(line.place), "points": line.total}
    return ScoreLine("prize_youth", line.total, {"person": str(line.person), **figures})


def _journey(asked: _PrizeContext) -> Award:
    """Most minutes by car, of those who came to a round."""
    came = {one for played in asked.event.rounds.values() for one in played.present}
    known = {one: asked.event.people[one].minutes for one in sorted(came)}
    points = {one: Fraction(minutes) for one, minutes in known.items() if minutes is not None}
    lines = {
        one: [ScoreLine("prize_journey", minutes, {"person": str(one), "minutes": minutes})]
        for one, minutes in points.items()
    }
    return asked.award(_ranked(points, lines), ScoreLine("prize_journey_nobody", NO_POINTS))


def _team(asked: _PrizeContext) -> Award:
    """The best team of the round that is played for it, where it has boards enough."""
    number = next((at for at, rule in enumerate(asked.rules.rounds, 1) if rule.teams), 0)
    if not team_trophy.is_contested(_boards(asked.event, number)):
        return asked.withheld(
            ScoreLine("prize_team_boards", NO_POINTS, {"count": Fraction(team_trophy.LEAST_BOARDS)})
        )
    placed = team_trophy.rank_teams(asked.event.teams, round_scores(asked.held, number))
    ranks = tuple(PrizeRank(one.place, one.team, one.score, one.lines) for one in placed)
    first = tuple(one for one in ranks if one.place == 1)
    if not first:
        return asked.withheld(ScoreLine("prize_team_nobody", NO_POINTS))
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
            found[line.person] = sum((entry.weighted for entry in entries), NO_POINTS)
    return found


def _shared_by_teams(event: Event, members: Iterable[int], keepers: tuple[int, ...]) -> tuple[ScoreLine, ...]:
    names = [event.teams[one].name for one in members]
    if len(names) < 2:
        return ()
    told = {"names": ", ".join(names), "name": ", ".join(event.teams[one].name for one in keepers)}
    return (
        ScoreLine(
            "prize_team_youngest" if len(keepers) == 1 else "prize_team_youngest_open", NO_POINTS, told
        ),
    )


AWARDERS: Mapping[PrizeKind, Callable[[_PrizeContext], Award]] = {
    PrizeKind.POWER: _power,
    PrizeKind.VOTE: _vote,
    PrizeKind.TRAVEL: _travel,
    PrizeKind.JOURNEY: _journey,
    PrizeKind.YOUTH: _youth,
    PrizeKind.TEAM: _team,
}
