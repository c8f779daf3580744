"""What a game's points are multiplied by: its round, its number of players, and who sat there how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from talleyrand.tournament import board_rules, regulations, round_timing
from talleyrand.tournament.board_rules import seat_players
from talleyrand.tournament.model import EventBoard, PowerSeat, SeatReplacement
from talleyrand.tournament.regulations import Regulations

from .scored_games import PlayedGames, ScoredGame
from .standing_values import ScoreFactor

ONE = Fraction(1)
SeatKey = tuple[int, int, str]  # round, board and power of a seat


def regulation_number(text: str) -> Fraction:
    """A number of regulations, which have been checked."""
    found = regulations.exact_amount(text)
    assert found is not None
    return found


def number_as_written(text: str) -> str | Fraction:
    """A number as a line tells it: 6/9 as it is written, 1.10 in the manner of the language."""
    return text if "/" in text else regulation_number(text)


def board_factors(played: PlayedGames, game: ScoredGame) -> Iterator[ScoreFactor]:
    """What holds for the whole board."""
    rule = round_timing.round_rule(played.rules, game.round)
    apart = played.final and bool(rule.aside) and not game.table.final
    coefficient = rule.aside if apart and _is_final_round(played, game.round) else rule.coefficient
    if regulation_number(coefficient) != ONE:
        kind = "aside" if coefficient != rule.coefficient else "round"
        yield ScoreFactor(
            kind,
            regulation_number(coefficient),
            {"round": str(game.round), "coefficient": number_as_written(coefficient)},
        )
    size = played.rules.sizes.get(str(game.players))
    if size is not None:
        yield _of_size(played, game, size)


def _is_final_round(played: PlayedGames, number: int) -> bool:
    return played.rules.final is not None and played.rules.final.round == number


def _of_size(played: PlayedGames, game: ScoredGame, size: str) -> ScoreFactor:
    count = Fraction(game.players)
    if played.rules.parallel and is_spared(played, game.round):
        return ScoreFactor("parallel", ONE, {"count": count})
    return ScoreFactor(
        "size", regulation_number(size), {"count": count, "coefficient": number_as_written(size)}
    )


def is_spared(played: PlayedGames, round_number: int) -> bool:
    """Whether of several boards short of a scripted power one was completed by a latecomer."""
    tables = played.event.rounds[round_number].boards.values()
    short = [table for table in tables if table.counts and board_rules.scripted_powers(table.variant)]
    return len(short) > 1 and any(_is_complete(table) for table in short)


def _is_complete(table: EventBoard) -> bool:
    scripted = board_rules.scripted_powers(table.variant)
    return all(power in table.seats and table.seats[power].person is not None for power in scripted)


@dataclass(frozen=True)
class SeatClaim:
    """A person's part of a seat: the factors that are his alone. `kept`: the points of the game are his."""

    person: int
    game: ScoredGame
    power: str
    factors: tuple[ScoreFactor, ...] = ()
    kept: bool = True

    @property
    def place(self) -> SeatKey:
        """Where he sat."""
        return self.game.round, self.game.board, self.power


def seat_claims(rules: Regulations, game: ScoredGame, power: str, taker: int | None) -> Iterator[SeatClaim]:
    """Who has what of a seat. `taker`: the newcomer, by his place in `reliefs`, to whose benefit it is; None:
    the first player keeps the points, less what newcomers played, for whom it did not happen."""
    seat = game.table.seats[power]
    if seat.person is None:
        yield from (SeatClaim(relief.person, game, power) for relief in seat.reliefs[:1])
        return
    if taker is None:
        kept = (*_late(rules, seat), *_replaced(rules, seat.reliefs))
        yield SeatClaim(seat.person, game, power, kept)
        return
    relief, after = seat.reliefs[taker], seat.reliefs[taker + 1 :]
    lost = ScoreFactor("replaced_lost", Fraction(0), {"person": str(relief.person)})
    yield SeatClaim(seat.person, game, power, (lost,), kept=False)
    took = ScoreFactor("relief", ONE, {"person": str(seat.person)})
    yield SeatClaim(relief.person, game, power, (took, *_replaced(rules, after)))


def personal_claims(
    rules: Regulations, game: ScoredGame, power: str, taker: int | None
) -> Iterator[SeatClaim]:
    """The same of what is given to people, not to seats: each who sat there has his own, whole but for the
    seasons that he missed at the start."""
    seat = game.table.seats[power]
    owner = seat.person if taker is None else seat.reliefs[taker].person
    for person in dict.fromkeys(seat_players(seat)):
        late = tuple(_late(rules, seat)) if person == seat.person else ()
        yield SeatClaim(person, game, power, late, kept=person == owner)


def _late(rules: Regulations, seat: PowerSeat) -> Iterator[ScoreFactor]:
    if seat.missed:
        left = max(0, rules.late - seat.missed)
        facts: dict[str, str | Fraction] = {
            "seasons": Fraction(seat.missed),
            "coefficient": f"{left}/{rules.late}",
        }
        yield ScoreFactor("late", Fraction(left, rules.late), facts)


def _replaced(rules: Regulations, reliefs: tuple[SeatReplacement, ...]) -> Iterator[ScoreFactor]:
    if reliefs:
        seasons = sum(relief.seasons for relief in reliefs)
        left = max(0, rules.replaced - seasons)
        names = ", ".join(str(relief.person) for relief in reliefs)
        facts: dict[str, str | Fraction] = {
            "people": names,
            "seasons": Fraction(seasons),
            "coefficient": f"{left}/{rules.replaced}",
        }
        yield ScoreFactor("replaced", Fraction(left, rules.replaced), facts)
