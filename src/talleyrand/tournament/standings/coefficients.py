"""What a game's points are multiplied by: its round, its number of players, and who sat there how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from talleyrand.tournament import boards, regulations, timing
from talleyrand.tournament.boards import sat
from talleyrand.tournament.model import Board, Relief, Seat
from talleyrand.tournament.regulations import Regulations

from .games import Game, Played
from .values import Factor

ONE = Fraction(1)
Place = tuple[int, int, str]  # round, board and power of a seat


def number(text: str) -> Fraction:
    """A number of regulations, which have been checked."""
    found = regulations.amount(text)
    assert found is not None
    return found


def shown(text: str) -> str | Fraction:
    """A number as a line tells it: 6/9 as it is written, 1.10 in the manner of the language."""
    return text if "/" in text else number(text)


def of_game(played: Played, game: Game) -> Iterator[Factor]:
    """What holds for the whole board."""
    rule = timing.rule_of(played.rules, game.round)
    apart = played.final and bool(rule.aside) and not game.table.final
    coefficient = rule.aside if apart and _is_final_round(played, game.round) else rule.coefficient
    if number(coefficient) != ONE:
        kind = "aside" if coefficient != rule.coefficient else "round"
        yield Factor(kind, number(coefficient), {"round": str(game.round), "coefficient": shown(coefficient)})
    size = played.rules.sizes.get(str(game.players))
    if size is not None:
        yield _of_size(played, game, size)


def _is_final_round(played: Played, number: int) -> bool:
    return played.rules.final is not None and played.rules.final.round == number


def _of_size(played: Played, game: Game, size: str) -> Factor:
    count = Fraction(game.players)
    if played.rules.parallel and is_spared(played, game.round):
        return Factor("parallel", ONE, {"count": count})
    return Factor("size", number(size), {"count": count, "coefficient": shown(size)})


def is_spared(played: Played, round_number: int) -> bool:
    """Whether of several boards short of a scripted power one was completed by a latecomer."""
    tables = played.event.rounds[round_number].boards.values()
    short = [table for table in tables if table.counts and boards.scripted_of(table.variant)]
    return len(short) > 1 and any(_is_complete(table) for table in short)


def _is_complete(table: Board) -> bool:
    scripted = boards.scripted_of(table.variant)
    return all(power in table.seats and table.seats[power].person is not None for power in scripted)


@dataclass(frozen=True)
class Claim:
    """A person's part of a seat: the factors that are his alone. `kept`: the points of the game are his."""

    person: int
    game: Game
    power: str
    factors: tuple[Factor, ...] = ()
    kept: bool = True

    @property
    def place(self) -> Place:
        """Where he sat."""
        return self.game.round, self.game.board, self.power


def claims(rules: Regulations, game: Game, power: str, taker: int | None) -> Iterator[Claim]:
    """Who has what of a seat. `taker`: the newcomer, by his place in `reliefs`, to whose benefit it is; None:
    the first player keeps the points, less what newcomers played, for whom it did not happen."""
    seat = game.table.seats[power]
    if seat.person is None:
        yield from (Claim(relief.person, game, power) for relief in seat.reliefs[:1])
        return
    if taker is None:
        kept = (*_late(rules, seat), *_replaced(rules, seat.reliefs))
        yield Claim(seat.person, game, power, kept)
        return
    relief, after = seat.reliefs[taker], seat.reliefs[taker + 1 :]
    lost = Factor("replaced_lost", Fraction(0), {"person": str(relief.person)})
    yield Claim(seat.person, game, power, (lost,), kept=False)
    took = Factor("relief", ONE, {"person": str(seat.person)})
    yield Claim(relief.person, game, power, (took, *_replaced(rules, after)))


def parts(rules: Regulations, game: Game, power: str, taker: int | None) -> Iterator[Claim]:
    """The same of what is given to people, not to seats: each who sat there has his own, whole but for the
    seasons that he missed at the start."""
    seat = game.table.seats[power]
    owner = seat.person if taker is None else seat.reliefs[taker].person
    for person in dict.fromkeys(sat(seat)):
        late = tuple(_late(rules, seat)) if person == seat.person else ()
        yield Claim(person, game, power, late, kept=person == owner)


def _late(rules: Regulations, seat: Seat) -> Iterator[Factor]:
    if seat.missed:
        left = max(0, rules.late - seat.missed)
        facts: dict[str, str | Fraction] = {
            "seasons": Fraction(seat.missed),
            "coefficient": f"{left}/{rules.late}",
        }
        yield Factor("late", Fraction(left, rules.late), facts)


def _replaced(rules: Regulations, reliefs: tuple[Relief, ...]) -> Iterator[Factor]:
    if reliefs:
        seasons = sum(relief.seasons for relief in reliefs)
        left = max(0, rules.replaced - seasons)
        names = ", ".join(str(relief.person) for relief in reliefs)
        facts: dict[str, str | Fraction] = {
            "people": names,
            "seasons": Fraction(seasons),
            "coefficient": f"{left}/{rules.replaced}",
        }
        yield Factor("replaced", Fraction(left, rules.replaced), facts)
