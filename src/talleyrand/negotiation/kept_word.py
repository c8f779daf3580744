"""Who kept an agreement and who broke it: found in the orders as they were resolved, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from talleyrand.engine.board import Board, province_of
from talleyrand.engine.orders import Convoy, Move, Order, Support
from talleyrand.engine.position import Phase, Position

from .proposals import ALLIANCE, DEMILITARISED, PEACE, SUPPORT, Agreement

RUNNING, KEPT, BROKEN = "running", "kept", "broken"
FOR_KEEPING, FOR_BREAKING = 1, -2  # what each agreement adds to the trust in who kept or broke it


@dataclass(frozen=True)
class PlayedOrders:
    """A phase that was resolved: what stood on the board, and the orders that counted, by power."""

    position: Position
    orders: Mapping[str, Sequence[Order]]


@dataclass(frozen=True)
class Breach:
    """By what a power broke an agreement: `order` in normal form, "" for a support that it did not give."""

    phase: Phase
    power: str
    order: str


@dataclass(frozen=True)
class AgreementAccount:
    """An agreement and what became of it; with the first breach it ends for both."""

    agreement: Agreement
    breaches: tuple[Breach, ...]
    is_over: bool

    @property
    def state(self) -> str:
        """`broken`, `kept` to its end, or `running`."""
        if self.breaches:
            return BROKEN
        return KEPT if self.is_over else RUNNING


def account_of(
    agreement: Agreement, resolved: Iterable[PlayedOrders], board: Board, now: Phase | None
) -> AgreementAccount:
    """What became of an agreement in the phases resolved since it was made; `now`: the open phase."""
    for phase in resolved:
        if agreement.binds_in(phase.position.phase) and (found := breaches_in(agreement, phase, board)):
            return AgreementAccount(agreement, tuple(found), is_over=True)
    return AgreementAccount(agreement, (), agreement.is_over_at(now))


def without_extended(accounts: Sequence[AgreementAccount]) -> list[AgreementAccount]:
    """All but those of agreements that were made longer while they ran; the latest is last."""
    return [
        one
        for at, one in enumerate(accounts)
        if not any(
            later.agreement.extends(one.agreement) and one.breaches in ((), later.breaches)
            for later in accounts[at + 1 :]
        )
    ]


def breaches_in(agreement: Agreement, phase: PlayedOrders, board: Board) -> list[Breach]:
    """What broke an agreement in a phase in which it binds, one breach a power."""
    found = []
    for power in agreement.powers:
        orders = phase.orders.get(power, ())
        due = agreement.support_due_from(power)
        wrong = next((one for one in orders if is_breach(agreement, power, phase.position, one, board)), None)
        if wrong is not None:
            found.append(Breach(phase.position.phase, power, str(wrong)))
        elif due is not None and not any(due.is_helped_by(one) for one in orders):
            found.append(Breach(phase.position.phase, power, ""))
    return found


def would_break(
    account: AgreementAccount, power: str, orders: Sequence[Order], position: Position, board: Board
) -> bool:
    """Whether a power's orders in a phase would break a running agreement; a support that is due is held
    against it once all its units have orders."""
    if account.state != RUNNING or not account.agreement.binds_in(position.phase):
        return False
    found = breaches_in(account.agreement, PlayedOrders(position, {power: orders}), board)
    is_complete = len(orders) >= sum(unit.power == power for unit in position.units)
    return any(one.power == power and (one.order or is_complete) for one in found)


def closed_provinces(agreement: Agreement, power: str, position: Position, board: Board) -> frozenset[str]:
    """Where a power may neither go nor help others to go."""
    if agreement.proposal.kind == DEMILITARISED:
        return frozenset((agreement.proposal.province,))
    if agreement.proposal.kind not in (PEACE, ALLIANCE):
        return frozenset()
    other = agreement.partner_of(power)
    stands = {unit.province for unit in position.units if unit.power == other}
    return frozenset(stands | set(centres_of(position, other, board)))


def centres_of(position: Position, power: str, board: Board) -> tuple[str, ...]:
    """The centres of a power; its homes where nobody knows who owns what."""
    return board.homes.get(power, ()) if position.centres is None else position.owned_by(power)


def is_breach(agreement: Agreement, power: str, position: Position, order: Order, board: Board) -> bool:
    """Whether an order of a power breaks the agreement by itself."""
    if agreement.proposal.kind == SUPPORT or not isinstance(order, Move | Support | Convoy):
        return False
    mover = order.unit if isinstance(order, Move) else order.target
    unit = position.units_by_province.get(mover.province)
    owner = unit.power if unit else ""
    if agreement.proposal.kind == ALLIANCE and owner == agreement.proposal.third:
        return True
    if order.to is None or province_of(order.to) not in closed_provinces(agreement, power, position, board):
        return False
    return agreement.proposal.kind == DEMILITARISED or owner != agreement.partner_of(power)


def trust_in(power: str, accounts: Iterable[AgreementAccount]) -> int:
    """How far somebody who made these agreements trusts a power: 0 in a stranger."""
    found = 0
    for one in accounts:
        if any(breach.power == power for breach in one.breaches):
            found += FOR_BREAKING
        elif one.state == KEPT and power in one.agreement.powers:
            found += FOR_KEEPING
    return found


__all__ = [
    "BROKEN",
    "KEPT",
    "RUNNING",
    "AgreementAccount",
    "Breach",
    "PlayedOrders",
    "account_of",
    "breaches_in",
    "centres_of",
    "closed_provinces",
    "is_breach",
    "trust_in",
    "without_extended",
    "would_break",
]
