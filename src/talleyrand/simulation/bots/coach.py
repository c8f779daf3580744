"""What else a power could have ordered in moves that were played: better sets of orders, and their risks.

Sets of orders are tried twice: with hindsight, beside what the others truly ordered, and beside samples of
what they were likely to order, by the worth of places. Each is played on to the end of the year, as `search`
does before it writes. What a set does and risks is then read from the adjudicator's own results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from talleyrand.engine.game import GameDefinition, play_phase
from talleyrand.engine.orders import Hold, Move, Order
from talleyrand.engine.outcome import OrderResult, Verdict
from talleyrand.engine.position import Position, province_of
from talleyrand.engine.rulebook import Rulebook
from talleyrand.simulation.array_layout import UInt16Array
from talleyrand.simulation.game_batch import GameBatch

from .order_trials import OrderTrial, SheetMaker, without_repeats
from .place_values import FloatArray
from .power_orders import context_at
from .random_streams import stream_start
from .tidy_sheets import HOLD

CHECKED = 3  # times as many chances with which the best are looked at again: the luckiest are not the best
PARENTS = 3  # of each way of being better
MARGIN = 0.005  # of the game: less is no better
MOST, LOOKED_AT = 3, 60  # so many are told, of so many that are looked at closely
BOTH, HINDSIGHT_ONLY, LIKELY_ONLY = "both", "hindsight", "likely"


class CoachEffort(NamedTuple):
    """How much is tried: `likely` samples of the others' orders, so many `chances` in which a year goes on
    from what was truly ordered, `sheets` to begin with, and `rounds` in which the best are varied.
    """

    likely: int
    chances: int
    sheets: int
    rounds: int
    variants: int


COMPILED, BY_ENGINE = CoachEffort(24, 12, 48, 6, 24), CoachEffort(12, 4, 12, 2, 8)


@dataclass(frozen=True)
class Loss:
    """A centre that another power's unit stands on, or a unit dislodged: by whom, and where from."""

    kind: str
    what: str
    power: str
    origin: str


@dataclass(frozen=True)
class MoveEffects:
    """What moves came to for one power: where its units stand, others' centres among it, the units that it
    dislodged, the moves of `others` that came to their end, and what it lost."""

    centres: frozenset[str]
    provinces: frozenset[str]
    dislodged: frozenset[str]
    others: frozenset[str]
    losses: tuple[Loss, ...]

    @property
    def lost(self) -> frozenset[tuple[str, str]]:
        """What it lost, whoever took it."""
        return frozenset((one.kind, one.what) for one in self.losses)


# What moves came to beside what was truly ordered, and beside each likely answer.
Answered = tuple[MoveEffects, list[MoveEffects]]


@dataclass(frozen=True)
class Risk:
    """The loss that most of the likely answers inflict: in how many, and in how many on what was played."""

    loss: Loss
    count: int
    played: int


@dataclass(frozen=True)
class BetterOrders:
    """A set of orders that does better than what was played, and where: `better` is BOTH, HINDSIGHT_ONLY or
    LIKELY_ONLY.

    `gains` and `losses` are differences with hindsight (kind, what), `chances` the centres that it comes to
    in some of the likely answers (which, in how many, in how many what was played does). `hindsight` and
    `likely` are shares of the game.
    """

    orders: tuple[str, ...]
    changed: tuple[str, ...]
    better: str
    hindsight: float
    likely: float
    gains: tuple[tuple[str, str], ...]
    losses: tuple[tuple[str, str], ...]
    chances: tuple[tuple[str, int, int], ...]
    risk: Risk | None


@dataclass(frozen=True)
class CoachReview:
    """What was played, as it was understood, and what would have been better, the best first; `until`: to the
    end of which year retreats and winters are played on, 0 for moves.
    """

    power: str
    orders: tuple[str, ...]
    hindsight: float
    likely: float
    tried: int
    likely_answers: int
    is_capture_season: bool
    risk: Risk | None
    better: tuple[BetterOrders, ...]
    until: int = 0

    def as_json(self) -> dict[str, Any]:
        """The same as objects and lists."""
        return asdict(self)


def review_moves(
    setting: GameDefinition,
    book: Rulebook,
    position: Position,
    played: Sequence[Verdict],
    power: str,
    seed: int,
) -> CoachReview:
    """Review the orders of one power in moves that were played, by all units' verdicts.

    The same seed gives the same review on every machine. Raises ValueError for another phase, for a power
    without units and for a variant with votes, of which no search knows anything.
    """
    if setting.politics is not None or position.phase.kind != "M":
        raise ValueError("only moves without votes can be reviewed")
    if all(unit.power != power for unit in position.units):
        raise ValueError(f"{power} has no units to order")
    return PhaseCoach(setting, book, position, played, power, seed).review()


class PhaseCoach:
    """One power's moves in one phase; sheets hold the power's own orders alone."""

    trial_kind: type[OrderTrial] = OrderTrial

    def __init__(
        self,
        setting: GameDefinition,
        book: Rulebook,
        position: Position,
        played: Sequence[Verdict],
        power: str,
        seed: int,
    ) -> None:
        facts = context_at(setting, book, position)
        self.setting, self.book, self.name = facts.definition, book, power
        self.position = facts.simplified_position(position)
        self.power, self.runner = setting.board.seats.index(power), facts.runner
        self.root = GameBatch.blank(setting.board, 1)
        self.runner.write(self.position, self.root, 0)
        start = stream_start(seed, crc32(str(position.phase).encode()), self.power)
        self.trial = self.trial_kind(facts, self.root, start)
        self.effort = COMPILED if facts.definition.has_standard_phases else BY_ENGINE
        self.maker, self.columns = SheetMaker(self.trial), self.trial.columns[self.power]
        sheets = self.root.blank_orders()
        given = _understood(played, is_movement=self.trial.is_movement)
        self.runner.write_orders(given, self.root, 0, sheets)
        self.true = sheets[0]
        self.played = np.where(self.columns, self.true, self.trial.blank)
        self.expected, self.likely = (self.maker.tidy_samples(self.effort.likely) for _ in range(2))
        self.was = self.checked(self.played)
        self.owned = frozenset((self.position.centres or {}).get(power, ()))

    def review(self) -> CoachReview:
        """What was tried and found."""
        sheets, worth = self._tried()
        before = self.effects(self.played)
        chosen = self._chosen(sheets, worth - worth[0], before)
        return CoachReview(
            self.name,
            tuple(map(str, self.all_orders(self.played).get(self.name, ()))),
            *_shares(self.was),
            len(sheets),
            self.effort.likely,
            bool(self.until) or self.position.phase.season in self.setting.calendar.capture_after,
            _risk(before[1], before[1]),
            tuple(chosen),
            self.until,
        )

    @property
    def until(self) -> int:
        """The year to whose end what follows is looked at; 0 where the moves alone are."""
        return 0

    def _worth(self, sheets: UInt16Array) -> FloatArray:
        """What each sheet is worth with hindsight, and beside likely orders: (sheet, 2)."""
        return self._mean(sheets, range(self.effort.chances), self.expected)

    def checked(self, sheet: UInt16Array) -> FloatArray:
        """The same of one sheet, with more and other chances and beside other likely orders: (2,)."""
        most = self.effort.chances
        found: FloatArray = self._mean(sheet[None], range(most, (1 + CHECKED) * most), self.likely)[0]
        return found

    def _mean(self, sheets: UInt16Array, chances: range, likely: UInt16Array) -> FloatArray:
        true = np.repeat(self.true[None], len(chances), axis=0)
        hindsight = self.trial.worth(self.power, sheets, true, chances)
        found = self.trial.worth(self.power, sheets, likely, range(len(likely)))
        return np.stack((hindsight.mean(axis=1), found.mean(axis=1)), axis=1)

    def _tried(self) -> tuple[UInt16Array, FloatArray]:
        """All sheets that were tried, what was played first, and their worth."""
        written = self.maker.own_part(self.power, self.maker.written(self.effort.sheets))
        sheets = without_repeats(np.concatenate((self.played[None], written)))
        worth = self._worth(sheets)
        for _ in range(self.effort.rounds):
            best = [np.argsort(-by, kind="stable")[:PARENTS] for by in (*worth.T, worth.sum(axis=1))]
            parents = sheets[list(dict.fromkeys(np.concatenate(([0], *best)).tolist()))]
            fresh = without_repeats(self.maker.variants(self.power, parents, self.effort.variants), sheets)
            if len(fresh):
                sheets = np.concatenate((sheets, fresh))
                worth = np.concatenate((worth, self._worth(fresh)))
        return sheets, worth

    def _chosen(self, sheets: UInt16Array, gain: FloatArray, before: Answered) -> list[BetterOrders]:
        """The best either way, the best of each way, then the next best: each a plan of its own that comes to
        something. Who loses a centre in most of the likely answers comes last, and not at all where what was
        played loses fewer."""
        ranked = np.argsort(-gain.sum(axis=1), kind="stable")
        firm = [at for at in ranked if gain[at].min() > MARGIN]
        first = [*firm[:1], *gain.argmax(axis=0), *firm, *ranked]
        chosen: list[tuple[bool, BetterOrders, UInt16Array]] = []
        better = dict.fromkeys(int(one) for one in first if gain[one].max() > MARGIN)
        for at in list(better)[:LOOKED_AT]:
            if len(chosen) == MOST:
                break
            sheet = self.needed(sheets[at])
            if sheet is None or not all(self._differs(sheet, other) for _usual, _given, other in chosen):
                continue
            after = self.effects(sheet)
            told, given = self._better_orders(sheet, before, after), _centres_given(after[1])
            is_usual = 2 * given > len(after[1])
            if _comes_to_something(told, before) and (not is_usual or given <= _centres_given(before[1])):
                chosen.append((is_usual, told, sheet))
        return [told for _usual, told, _sheet in sorted(chosen, key=lambda one: one[0])]

    def _changed(self, sheet: UInt16Array) -> list[int]:
        return np.flatnonzero((sheet != self.played).any(axis=0)).tolist()

    def _differs(self, sheet: UInt16Array, other: UInt16Array) -> bool:
        """Whether less than half of what the smaller of two plans changes is in the other."""
        mine, theirs = self._changed(sheet), self._changed(other)
        same = [at for at in mine if at in theirs and (sheet[:, at] == other[:, at]).all()]
        return 2 * len(same) < min(len(mine), len(theirs))

    def needed(self, sheet: UInt16Array) -> UInt16Array | None:
        """The sheet without what makes it no better: units do what was played, or hold. None where it is no
        better once it is looked at again."""
        gain = self.checked(sheet) - self.was
        counts = gain > MARGIN  # what it is better at stays so
        if not counts.any():
            return None
        for at in self._changed(sheet):
            for plain in (self.played[:, at], HOLD):
                simpler = sheet.copy()
                simpler[:, at] = plain
                now = self.checked(simpler) - self.was
                if (now[counts] >= gain[counts] - MARGIN / 3).all():
                    sheet, gain = simpler, now
                    break
        return sheet if self._changed(sheet) else None

    # what it does

    def all_orders(self, sheet: UInt16Array) -> Mapping[str, list[Order]]:
        """The orders of a sheet, by power."""
        return self.runner.orders_of(self.root, 0, sheet[None])

    def effects(self, own: UInt16Array) -> Answered:
        """What a sheet comes to, beside what was truly ordered and beside the likely answers."""
        others = np.concatenate((self.true[None], self.likely))
        first, *rest = [
            self._effect(self.all_orders(one)) for one in self.trial.beside(self.power, own[None], others)
        ]
        return first, rest

    def _effect(self, orders: Mapping[str, list[Order]]) -> MoveEffects:
        verdicts = play_phase(self.setting, self.position, orders, self.book).outcome.verdicts
        stands = {_end(one): one for one in verdicts if not _is_dislodged(one)}
        mine = frozenset(place for place, one in stands.items() if one.power == self.name)
        fallen = [one for one in verdicts if _is_dislodged(one)]
        return MoveEffects(
            mine - self.owned & frozenset(self.setting.board.centres),
            mine,
            frozenset(str(one.unit) for one in fallen if self.name == one.by[-1].power != one.power),
            frozenset(str(one.order) for one in stands.values() if self.name != one.power and _moves(one)),
            tuple(self._losses(fallen, stands)),
        )

    def _losses(self, fallen: Sequence[Verdict], stands: Mapping[str, Verdict]) -> Iterator[Loss]:
        for one in fallen:
            if one.power == self.name:
                yield Loss("unit", str(one.unit), one.by[-1].power, one.by[-1].province)
        for place in sorted(self.owned & stands.keys()):
            if (there := stands[place]).power != self.name:
                yield Loss("centre", place, there.power, there.unit.province)

    def _better_orders(self, sheet: UInt16Array, before: Answered, after: Answered) -> BetterOrders:
        orders, worth = self.all_orders(sheet).get(self.name, ()), self.checked(sheet)
        changed = {self.runner.names.provinces[at] for at in self._changed(sheet)}
        hindsight, likely = (worth - self.was > MARGIN).tolist()
        (was_true, was_likely), (true, answers) = before, after
        return BetterOrders(
            tuple(map(str, orders)),
            tuple(str(one.unit) for one in orders if one.unit and one.unit.province in changed),
            BOTH if hindsight and likely else HINDSIGHT_ONLY if hindsight else LIKELY_ONLY,
            *_shares(worth),
            tuple(_gains(was_true, true) or _smaller_gains(was_true, true, self.owned)),
            tuple(_gains(true, was_true)),
            tuple(_chances(was_likely, answers)),
            _risk(was_likely, answers),
        )


def _shares(worth: FloatArray) -> tuple[float, float]:
    return round(float(worth[0]), 4), round(float(worth[1]), 4)


def _understood(verdicts: Sequence[Verdict], *, is_movement: bool) -> dict[str, list[Order]]:
    """The orders that counted; the arrays find the seas of a convoy by themselves."""
    found: dict[str, list[Order]] = {}
    for one in verdicts:
        order = one.order or (Hold(one.unit) if is_movement else None)
        if order is None:
            continue
        plain = replace(order, path=()) if isinstance(order, Move) else order
        found.setdefault(one.power, []).append(plain)
    return found


def _is_dislodged(one: Verdict) -> bool:
    return OrderResult.DISLODGED in one.results


def _moves(one: Verdict) -> bool:
    return OrderResult.MOVES in one.results


def _end(one: Verdict) -> str:
    """The province in which a unit ends that is not dislodged."""
    return province_of(str(one.to)) if _moves(one) else one.unit.province


def _gains(before: MoveEffects, after: MoveEffects) -> list[tuple[str, str]]:
    """What is better after than before: centres reached and kept, units kept and dislodged."""
    return [
        *(("reaches", place) for place in sorted(after.centres - before.centres)),
        *((f"keeps_{kind}", what) for kind, what in sorted(before.lost - after.lost)),
        *(("dislodges", unit) for unit in sorted(after.dislodged - before.dislodged)),
    ]


def _smaller_gains(
    before: MoveEffects, after: MoveEffects, owned: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Moves of others that are stopped, and places that are no centre of anybody's to take or to guard."""
    yield from (("stops", order) for order in sorted(before.others - after.others))
    yield from (("stands", place) for place in sorted(after.provinces - before.provinces - owned))


def _centres_given(answers: Sequence[MoveEffects]) -> int:
    """In how many of the likely answers another power comes to stand on a centre of one's own."""
    return sum(any(loss.kind == "centre" for loss in one.losses) for one in answers)


def _comes_to_something(told: BetterOrders, before: Answered) -> bool:
    """Whether a set changes what can be told: on the map, in its chances or in its risk."""
    risked = _risk(before[1], before[1])
    is_safer = risked is not None and (told.risk is None or told.risk.count < risked.count)
    return bool(told.gains or told.chances or is_safer)


def _chances(before: Sequence[MoveEffects], after: Sequence[MoveEffects]) -> list[tuple[str, int, int]]:
    """The centres reached more often, the greatest difference first."""
    was, now = (Counter(place for one in some for place in one.centres) for some in (before, after))
    more = [(place, count, was[place]) for place, count in sorted(now.items()) if count > was[place]]
    return sorted(more, key=lambda one: one[2] - one[1])


def _risk(before: Sequence[MoveEffects], after: Sequence[MoveEffects]) -> Risk | None:
    """The loss that comes in most of the answers, by whom it comes most often."""
    was, now = (Counter(lost for one in some for lost in one.lost) for some in (before, after))
    if not now:
        return None
    worst = max(sorted(now), key=lambda lost: (now[lost], now[lost] - was[lost]))
    by = Counter(loss for one in after for loss in one.losses if (loss.kind, loss.what) == worst)
    return Risk(by.most_common(1)[0][0], now[worst], was[worst])
