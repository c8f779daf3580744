"""What became of the orders: a verdict for each, with its cause as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from .errors import OrderRefusal
from .orders import Order
from .position import DislodgedUnit, Position, Unit, UnitName


class OrderResult(StrEnum):
    """The words of the contract for what an order or a unit came to."""

    MOVES = "moves"
    BOUNCES = "bounces"
    HOLDS = "holds"
    SUPPORT_GIVEN = "support_given"
    SUPPORT_CUT = "support_cut"
    SUPPORT_VOID = "support_void"
    CONVOYS = "convoys"
    CONVOY_VOID = "convoy_void"
    CONVOY_DISRUPTED = "convoy_disrupted"
    ILLEGAL = "illegal"
    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    RETREATS = "retreats"
    DISBANDED = "disbanded"
    BUILDS = "builds"
    BUILD_VOID = "build_void"
    BUILD_IGNORED = "build_ignored"
    REMOVED = "removed"
    REMOVAL_IGNORED = "removal_ignored"
    WAIVED = "waived"


class CauseCode(StrEnum):
    """Why: one code for each sentence a player may be told."""

    # a move
    UNOPPOSED = "unopposed"
    RIVAL_STRANDED = "rival_stranded"
    RIVAL_DISLODGED = "rival_dislodged"
    RIVAL_WITHOUT_EFFECT = "rival_without_effect"
    DISLODGES = "dislodges"
    STRONGER = "stronger"
    ROTATION = "rotation"
    SWAP = "swap"
    STAND_OFF = "stand_off"
    BEATEN = "beaten"
    NOT_STRONGER_THAN_UNIT = "not_stronger_than_unit"
    HEAD_ON = "head_on"
    OWN_UNIT = "own_unit"
    OWN_SUPPORTS = "own_supports"
    NO_CONVOY = "no_convoy"
    FLEET_DISLODGED = "fleet_dislodged"
    PARADOX = "paradox"
    # a support
    NOT_ATTACKED = "not_attacked"
    ATTACK_STRANDED = "attack_stranded"
    ATTACK_FROM_TARGET = "attack_from_target"
    OWN_ATTACK = "own_attack"
    CONVOY_PROTECTED = "convoy_protected"
    CUT_BY_ATTACK = "cut_by_attack"
    CUT_BY_DISLODGEMENT = "cut_by_dislodgement"
    SUPPORTED_UNIT_MOVES = "supported_unit_moves"
    SUPPORTED_UNIT_STAYS = "supported_unit_stays"
    SUPPORTED_UNIT_ELSEWHERE = "supported_unit_elsewhere"
    COAST_NOT_SAID = "coast_not_said"
    COAST_DIFFERS = "coast_differs"
    POWER_IN_DISORDER = "power_in_disorder"
    SUPPORTED_UNIT_MISORDERED = "supported_unit_misordered"
    AGAINST_OWN_UNIT = "against_own_unit"
    # a convoy
    CONVOY_STANDS = "convoy_stands"
    ARMY_OTHERWISE = "army_otherwise"
    ARMY_BY_LAND = "army_by_land"
    CONVOY_READY = "convoy_ready"
    OTHER_PATH = "other_path"
    CHAIN_BROKEN = "chain_broken"
    CONVOY_BROKEN = "convoy_broken"
    CHAIN_INCOMPLETE = "chain_incomplete"
    # a unit that stays
    NO_ORDER = "no_order"
    ORDERED = "ordered"
    HELD_OFF = "held_off"
    REFUSED = "refused"
    DISLODGED_BY = "dislodged_by"
    NO_RETREAT = "no_retreat"
    # retreats
    RETREAT_FREE = "retreat_free"
    RETREAT_CONFLICT = "retreat_conflict"
    RETREAT_MISSING = "retreat_missing"
    # adjustments
    WITHIN_BALANCE = "within_balance"
    BALANCE_NOT_POSITIVE = "balance_not_positive"
    BALANCE_NOT_NEGATIVE = "balance_not_negative"
    SURPLUS = "surplus"
    CENTRE_OCCUPIED = "centre_occupied"
    CENTRE_USED = "centre_used"
    CENTRE_NOT_OWNED = "centre_not_owned"
    NOT_HOME_CENTRE = "not_home_centre"
    UNIT_CANNOT_STAND = "unit_cannot_stand"
    COAST_MISSING = "coast_missing"
    ONE_OF_KIND = "one_of_kind"
    REMOVED_BY_RULE = "removed_by_rule"
    ALREADY_REMOVED = "already_removed"
    CHOSEN = "chosen"


class StrengthComparison(StrEnum):
    """How strong those are who stop an attack, beside it."""

    EVEN = "even"
    DISLODGES = "dislodges"
    STRONGER = "stronger"


class Cause(NamedTuple):
    """The code, the units that decided, the places concerned, and the rulebook's option, if one decided;
    the powers where it was they, not units.

    The code is a `CauseCode`, or a word of the variant's own rules.
    `comparison` is None where nobody stops an attack by strength, or some are as strong and others stronger.
    """

    code: str
    units: tuple[Unit, ...] = ()
    places: tuple[str, ...] = ()
    option: str | None = None
    comparison: StrengthComparison | None = None
    powers: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """What became of one unit and its order.

    `unit` as at the start of the phase; `order` None where it had none that counts; `to` the place
    reached or attacked; `by` the units that cut, bounced or dislodged, the one that dislodged last; `route`
    `land`, `sea` or None; `number` the order's place among those received from its power, None where it
    wrote none. `results` are of `OrderResult`, or words of the variant's own rules.
    """

    unit: UnitName
    power: str
    order: Order | None
    results: tuple[str, ...]
    cause: Cause
    to: str | None = None
    by: tuple[Unit, ...] = ()
    route: str | None = None
    number: int | None = None


def verdict_without_unit(power: str, order: Order, number: int, code: str, *results: str) -> Verdict:
    """What became of a line of a variant's own rules: `code` is its cause, and its result where no other is
    given."""
    name = order.unit or UnitName("", "")
    return Verdict(name, power, order, results or (code,), Cause(code), number=number)


class RefusedOrder(NamedTuple):
    """An order that does not count: whose, its place among that power's orders, and why."""

    power: str
    number: int
    order: Order
    refusal: OrderRefusal


class AdjudicationNote(NamedTuple):
    """Something the game master should look at, or a ruling where the book is silent."""

    kind: str
    facts: tuple[tuple[str, str], ...] = ()


class RandomDraw(NamedTuple):
    """A lot that was drawn: what for (`removal`), for which power, among whom, and who it fell on."""

    purpose: str
    power: str
    candidates: tuple[str, ...]
    drawn: str


@dataclass(frozen=True)
class PhaseOutcome:
    """The verdicts, in the board's order, and the position they lead to (same phase, not yet the next).

    `findings` is what the variant's own rules counted on the way, by name: told, and not kept;
    `plain_movement` the position and orders that they had judged as plain moves, where these are not those
    received.
    """

    verdicts: tuple[Verdict, ...]
    position_after: Position
    notes: tuple[AdjudicationNote, ...] = ()
    refused: tuple[RefusedOrder, ...] = ()
    random_draws: tuple[RandomDraw, ...] = ()
    findings: Mapping[str, object] = field(default_factory=dict)
    plain_movement: tuple[Position, Mapping[str, Sequence[Order]]] | None = None

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units after the phase, without the dislodged."""
        return self.position_after.units

    @property
    def dislodged(self) -> tuple[DislodgedUnit, ...]:
        """The units that must retreat."""
        return self.position_after.dislodged
