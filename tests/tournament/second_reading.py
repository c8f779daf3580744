"""The regulations of the Anjou Feu read a second time, as slowly and as plainly as they are written.

Written from the French text before anything of `talleyrand.tournament` that counts, and shares nothing with
it: an event is the plain JSON of its file. Each function says in its own words what it follows; where the
text leaves something open, it takes the reading of the reference (event.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

Json = dict[str, Any]
Place = tuple[int, int]  # round and board
Chair = tuple[int, int, str]  # round, board and power
Takers = Mapping[Chair, bool]  # seats that changed hands: whether the newcomer has the points
Measure = Callable[[Place, str, int], Fraction]  # of a board, a power, and whoever sits there

ROUNDS = (1, 2, 3, 4)
COEFFICIENTS = {1: Fraction(6, 9), 2: Fraction(7, 9), 3: Fraction(8, 9), 4: Fraction(1)}
SOLO = {"sandad": 14}
NOTHING = Fraction(0)


# The points of a game: annex, "Système de pointage Baf". Here by the closed form of the printed table.


def _third_column(centres: int) -> int:
    """The first three printed columns of a row give the same points."""
    return -(-(22 - centres) // 6) + 2


def _printed(value: Fraction) -> Fraction:
    return Fraction(int(value * 1000 + Fraction(1, 2)), 1000)


def _alone() -> dict[tuple[int, int], Fraction]:
    cells = [(n, m) for n in range(6, 18) for m in range(_third_column(n), min(n - 1, 34 - n) + 1)]
    cells.sort(key=lambda cell: (2 * cell[0] - cell[1], -cell[0]))
    return {cell: 50 + Fraction(2 * rank - 1, 7) for rank, cell in enumerate(cells, 1)}


def _behind() -> dict[tuple[int, int], Fraction]:
    firsts = {n: max(n + 1, _third_column(n)) for n in range(1, 17)}
    cells = [(n, m) for n in firsts for m in range(firsts[n], min(17, 34 - n) + 1)]
    cells.sort(key=lambda cell: (Fraction(cell[0] + 1, cell[1]), cell[0]))
    return {cell: Fraction(25, 2) + Fraction(25 * rank, 253) for rank, cell in enumerate(cells)}


ALONE, BEHIND = _alone(), _behind()


def baf(own: int, others: list[int]) -> Fraction:
    """The points of a survivor where nobody has a solo, from his centres and those of the other
    survivors."""
    most, shared = max(others, default=0), 1 + others.count(own)
    if own > most:
        return Fraction(50) if own <= 5 else _printed(ALONE[own, max(most, _third_column(own))])
    if own < most:
        return _printed(BEHIND[own, max(most, _third_column(own))])
    if shared == 7 or (shared == 6 and own <= 4):
        return Fraction(25)
    rank = max(own, 5) + {2: 6, 3: 0, 4: -3, 5: -4, 6: -4}[shared]
    return _printed(25 + Fraction(25 * (2 * rank - 1), 46))


def scores(board: Json) -> dict[str, Fraction]:
    """Of every power that is ranked: a solo is worth 100 points, and nothing to those who are out; it is more
    than half of the centres, so nobody concedes one."""
    held = {power: _centres(board, power) for power in ranked(board)}
    winner = next((power for power, own in held.items() if own >= SOLO.get(board["variant"], 18)), None)
    if winner is not None:
        return {power: Fraction(100 if power == winner else 0) for power in held}
    found = {}
    for power, own in held.items():
        others = [count for other, count in held.items() if other != power and count]
        found[power] = baf(own, others) if own else NOTHING
    return found


def _centres(board: Json, power: str) -> int:
    """None for the eliminated, who may hold foreign centres without a unit."""
    result = board["result"]
    return 0 if power in result.get("out", ()) else int(result["centres"][power])


def ranked(board: Json) -> list[str]:
    """Of two powers of one player, only the better one is in the ranking of the game and scores."""
    best: dict[object, str] = {}
    for power, seat in board["seats"].items():
        whose = seat.get("person") or power
        if whose not in best or _centres(board, power) > _centres(board, best[whose]):
            best[whose] = power
    return list(best.values())


def players(board: Json) -> int:
    """People at a board."""
    return len({seat["person"] for seat in board["seats"].values() if seat.get("person")})


class Reading:
    """An event up to a round, read by the text."""

    def __init__(self, event: Json, through: int = 4) -> None:
        self.event = event
        self.through = through

    @cached_property
    def rounds(self) -> dict[int, Json]:
        """Every round that there is, by number."""
        return {int(number): one for number, one in self.event["rounds"].items()}

    @cached_property
    def void(self) -> frozenset[int]:
        """A cancelled round gives no points, nor does one in which Diplomatie intime was played at any board;
        a round that is over without any game that counts is as good as cancelled."""
        return frozenset(number for number, one in self.rounds.items() if _is_void(one))

    @cached_property
    def final(self) -> bool:
        """Whether a final is held: a cancelled one is not."""
        last = self.rounds.get(4)
        return bool(last and last.get("final") and not last.get("cancelled"))

    @cached_property
    def games(self) -> dict[Place, Json]:
        """The games that count."""
        return {
            (number, int(at)): board
            for number, one in self.rounds.items()
            if number not in self.void and number <= self.through
            for at, board in one["boards"].items()
            if _is_over(board) and board.get("counts", True)
        }

    @cached_property
    def scores(self) -> dict[Place, dict[str, Fraction]]:
        """The points of each game before any coefficient."""
        return {place: scores(board) for place, board in self.games.items()}

    # Coefficients: VII, "À ce score, il faut appliquer des coefficients".

    @cached_property
    def factors(self) -> dict[Place, Fraction]:
        """Of each board: its round and its number of players."""
        return {place: self._of_round(place) * self._of_size(place) for place in self.games}

    def _of_round(self, place: Place) -> Fraction:
        """Beside a final the games of the last round count for 7/9; the final, or all without it, in full."""
        apart = place[0] == 4 and self.final and not self.games[place].get("final")
        return Fraction(7, 9) if apart else COEFFICIENTS[place[0]]

    def _of_size(self, place: Place) -> Fraction:
        """A seventh for each player; all of a round in full if it has several games of six and a latecomer
        was the seventh of one of them."""
        tables = [board for board in self.rounds[place[0]]["boards"].values() if board.get("counts", True)]
        six = [board for board in tables if board["variant"] == "survivor_turkey"]
        if len(six) > 1 and any(board["seats"]["TURKEY"].get("person") for board in six):
            return Fraction(1)
        return Fraction(players(self.games[place]), 7)

    # What each person has of each round.

    def claims(self, takers: Takers) -> Iterator[tuple[int, Chair, Fraction]]:
        """Who has what part of a seat. Late: a fourteenth of the score is lost for each season
        missed; replaced: whoever began has nothing, or loses a fourteenth for each season of the other."""
        for chair, seat in self._seats():
            if relief := _relief(seat):
                if takers[chair]:
                    yield seat["person"], chair, NOTHING
                    yield relief["person"], chair, Fraction(1)
                else:
                    yield seat["person"], chair, _late(seat) * _left(relief["seasons"])
            else:
                yield seat["person"], chair, _late(seat)

    def sat(self) -> Iterator[tuple[int, Chair, Fraction]]:
        """Everybody who sat somewhere, each for himself."""
        for chair, seat in self._seats():
            yield seat["person"], chair, _late(seat)
            if relief := _relief(seat):
                yield relief["person"], chair, Fraction(1)

    def _seats(self) -> Iterator[tuple[Chair, Json]]:
        for place, board in self.games.items():
            for power, seat in board["seats"].items():
                if seat.get("person"):
                    yield (*place, power), seat

    def of_rounds(
        self, measure: Measure, claims: Iterator[tuple[int, Chair, Fraction]]
    ) -> dict[int, dict[int, Fraction]]:
        """By person what each round gave him: of two powers of a board the best, of two boards the
        worse one, once both are over."""
        found: dict[int, dict[int, dict[int, Fraction]]] = {}
        for who, (number, at, power), part in claims:
            points = measure((number, at), power, who) * self.factors[number, at] * part
            held = found.setdefault(who, {}).setdefault(number, {})
            held[at] = max(points, held.get(at, points))
        return {
            who: {
                number: min(each.values())
                for number, each in held.items()
                if not self._is_waiting(who, number)
            }
            for who, held in found.items()
        }

    def _is_waiting(self, who: int, number: int) -> bool:
        tables = self.rounds[number]["boards"].values()
        going_on = [board for board in tables if board.get("counts", True) and not _is_over(board)]
        return any(seat.get("person") == who for board in going_on for seat in board["seats"].values())

    # The total of somebody.

    def weights(self, who: int, played: int, takers: Takers | None) -> list[Fraction]:
        """What the rounds weighed against each other count, from the best to the worst."""
        weighed = ROUNDS[:3] if self.final else ROUNDS
        given = sum(number not in self.void for number in weighed)
        rested = self._has_rested(who, takers)
        if given < 3:
            return [Fraction(120, 100)] if rested and played == 1 else [Fraction(1)] * played
        if played < 3:
            return [Fraction(120 if rested else 110, 100)] * played
        return [Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 10)][:played]

    def _has_rested(self, who: int, takers: Takers | None) -> bool:
        """Somebody not of the organisation stood down in a round because it asked, whichever round it is,
        unless it did not happen. Who took over a game that is not his
        after all, did not."""
        if self.event["people"][str(who)].get("office") in ("organiser", "assistant"):
            return False
        past = [one for number, one in self.rounds.items() if number <= self.through and not _is_nothing(one)]
        rests = [one.get("resting", {}).get(str(who)) for one in past]
        for chair, seat in self._seats():
            relief = _relief(seat)
            if relief and relief["person"] == who and takers is not None and not takers[chair]:
                rests.append({"asked": relief["rested"]})
        return any(rest and rest.get("asked", True) for rest in rests)

    def intimate(self, who: int) -> Fraction:
        """Over all confrontations of a duel: a fifth to the winner, a tenth to the loser, 15% if level."""
        bonus = NOTHING
        for number, one in self.rounds.items():
            wins = []
            played = number <= self.through and not one.get("cancelled")
            for board in one["boards"].values():
                if played and _is_intimate(board) and _is_over(board):
                    winner = board["result"].get("winner")
                    mine = [power for power, seat in board["seats"].items() if seat.get("person") == who]
                    wins += [0 if not winner else 1 if winner == power else -1 for power in mine]
            if wins:
                bonus += Fraction(20 if sum(wins) > 0 else 10 if sum(wins) < 0 else 15, 100)
        return bonus

    def _is_finalist(self, who: int, takers: Takers) -> bool:
        """One of the seven of the final: of a seat that changed hands, whoever has its points."""
        tables = {place for place, board in self.games.items() if board.get("final")} if self.final else set()
        held = [chair for chair, _ in self._seats() if chair[:2] in tables]
        return any(self._owner(chair, takers) == who for chair in held)

    def _owner(self, chair: Chair, takers: Takers) -> int:
        seat = self.games[chair[:2]]["seats"][chair[2]]
        return int(seat["reliefs"][0]["person"] if takers.get(chair) else seat["person"])

    def _adjusted(self, who: int, number: int, points: Fraction) -> Fraction:
        """VIII: sanctions on the score of a round, or on the total (0), as they were taken."""
        for key in sorted(self.event.get("adjustments", {}), key=int):
            one = self.event["adjustments"][key]
            if one["person"] == who and one["round"] == number:
                value = Fraction(one["value"])
                points = {"add": points + value, "times": points * value, "set": value}[one["effect"]]
        return points

    def total(
        self, who: int, held: Mapping[int, Fraction], takers: Takers | None, tenth: Fraction
    ) -> Fraction:
        """From the rounds of somebody to his total; `tenth`: what a finalist has more of."""
        weighed = ROUNDS[:3] if self.final else ROUNDS
        best = sorted((points for number, points in held.items() if number in weighed), reverse=True)
        parts = zip(best, self.weights(who, len(best), takers), strict=True)
        found = sum((points * weight for points, weight in parts), NOTHING)
        found += sum((points for number, points in held.items() if number not in weighed), NOTHING)
        return found * (1 + self.intimate(who)) * tenth

    def points(self, who: int, takers: Takers) -> Fraction:
        """The total of somebody before sanctions on the total itself."""
        return self._points(who, self.points_of_rounds(takers).get(who, {}), takers)

    def _points(self, who: int, held: Mapping[int, Fraction], takers: Takers) -> Fraction:
        ruled = {number: self._adjusted(who, number, points) for number, points in held.items()}
        return self.total(who, ruled, takers, self.tenth(who, takers))

    def tenth(self, who: int, takers: Takers) -> Fraction:
        """A finalist has a tenth more of all that the weekend gave."""
        return Fraction(110 if self._is_finalist(who, takers) else 100, 100)

    def points_of_rounds(self, takers: Takers) -> dict[int, dict[int, Fraction]]:
        """What everybody has of each round, before sanctions."""
        return self.of_rounds(
            lambda place, power, _: self.scores[place].get(power, NOTHING), self.claims(takers)
        )

    # Replacements.

    @cached_property
    def takers(self) -> Takers:
        """Who takes over has the points where that does them good: of all that could be, the first where it
        is so for each."""
        chairs = [chair for chair, seat in self._seats() if _relief(seat)]
        every = [
            dict(zip(chairs, taken, strict=True)) for taken in product((False, True), repeat=len(chairs))
        ]
        return next(taken for taken in every if all(self._is_fair(chair, taken) for chair in chairs))

    def _is_fair(self, chair: Chair, takers: Takers) -> bool:
        newcomer = self.games[chair[:2]]["seats"][chair[2]]["reliefs"][0]["person"]
        with_it, without = ({**takers, chair: taken} for taken in (True, False))
        return (self.points(newcomer, with_it) > self.points(newcomer, without)) == takers[chair]

    # The ranking.

    @cached_property
    def totals(self) -> dict[int, Fraction]:
        """The total of everybody who has played a game that counts, or an intimate one, or was ruled on."""
        held = self.points_of_rounds(self.takers)
        ruled = {one["person"] for one in self.event.get("adjustments", {}).values() if not one["round"]}
        people = {*held, *ruled, *(int(who) for who in self.event["people"] if self.intimate(int(who)))}
        points = {who: self._points(who, held.get(who, {}), self.takers) for who in people}
        return {who: self._adjusted(who, 0, total) for who, total in points.items()}

    @cached_property
    def places(self) -> dict[int, int]:
        """Nothing parts those who are level."""
        return {
            who: 1 + sum(other > mine for other in self.totals.values()) for who, mine in self.totals.items()
        }

    def of_round(self, number: int) -> dict[int, Fraction]:
        """What everybody has of one round, sanctions on it included."""
        held = self.points_of_rounds(self.takers)
        return {
            who: self._adjusted(who, number, each[number]) for who, each in held.items() if number in each
        }


def _is_void(one: Json) -> bool:
    return _is_nothing(one) or any(_is_intimate(board) for board in one["boards"].values())


def _is_nothing(one: Json) -> bool:
    counted = any(board.get("counts", True) for board in one["boards"].values())
    return bool(one.get("cancelled")) or (one["state"] == "closed" and not counted)


def _is_intimate(board: Json) -> bool:
    return board["variant"] == "intimate" and bool(board.get("counts", True))


def _is_over(board: Json) -> bool:
    return bool((board.get("result") or {}).get("confirmed"))


def _relief(seat: Json) -> Json | None:
    reliefs = seat.get("reliefs", ())
    return reliefs[0] if reliefs else None


def _left(seasons: int) -> Fraction:
    return Fraction(max(0, 14 - seasons), 14)


def _late(seat: Json) -> Fraction:
    return _left(seat.get("missed", 0))
