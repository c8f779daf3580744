"""Proposals, programmes for the M, ballots: what each is worth to a seat, and what it therefore writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from talleyrand.engine.errors import TalleyrandError
from talleyrand.engine.orders import Move, Order, PoliticalOrder, Support, parse_normal
from talleyrand.engine.politics_protocol import BotView
from talleyrand.engine.position import Unit
from talleyrand.variants.diplomatie_2000.political_state import UN
from talleyrand.variants.diplomatie_2000.political_state_json import open_vote_types
from talleyrand.variants.diplomatie_2000.politics_lines import NONE, USUAL_AMOUNTS
from talleyrand.variants.diplomatie_2000.proposal_rules import WorldProposalRules
from talleyrand.variants.diplomatie_2000.vote_counting import ballots_per_elector, proposals_by_seat

from .seat_outlook import SHORT, SeatOutlook, is_short

LEAST_MISSION_GAIN = 0.4
"""The gain below which a unit may as well stay."""


def best_programme(view: SeatOutlook) -> str | None:
    """The programme that helps a seat most, in normal form; None where it gains nothing by one."""
    orders: dict[str, Order] = {}
    for unit in _mandates(view):
        if unit.province in orders:
            continue
        gain, order = max(
            ((_gain(view, order), order) for order in _choices(view, unit, orders)),
            key=lambda one: (one[0], str(one[1])),
            default=(0.0, None),
        )
        if order is not None and gain >= LEAST_MISSION_GAIN:
            orders[unit.province] = order
            _second(view, order, orders)
    if not orders:
        return None
    return "2 " + " / ".join(str(order) for _, order in sorted(orders.items()))


def programme_value(view: SeatOutlook, text: str) -> float:
    """What a programme in normal form is worth to a seat."""
    return sum(_gain(view, order) for order in _programme_missions(text))


@lru_cache(maxsize=64)
def _programme_missions(text: str) -> tuple[Order, ...]:
    """The missions of a programme, as far as they can be read."""
    found = []
    for part in text.removeprefix("2 ").split(" / "):
        try:
            found.append(parse_normal(part))
        except TalleyrandError:
            continue
    return tuple(found)


def _mandates(view: SeatOutlook) -> list[Unit]:
    return sorted(unit for unit in view.position.units if unit.kind == "M")


def _choices(view: SeatOutlook, unit: Unit, taken: Mapping[str, Order]) -> Iterator[Order]:
    """What a unit could do beside standing: help a neighbour, or go where nobody else of them goes."""
    goals = {order.to for order in taken.values() if isinstance(order, Move)}
    for code in sorted(view.board.adjacent_locations["M"][unit.location]):
        standing = view.position.units_by_province.get(code)
        if standing is not None and standing.kind != "M":
            yield Support(unit.name, standing.name)
        if code not in goals and (standing is None or standing.kind != "M"):
            yield Move(unit.name, code)


def _gain(view: SeatOutlook, order: Order) -> float:
    """What one mission is worth: help for those in need, harm to those who are not liked."""
    if isinstance(order, Support):
        helped = view.position.units_by_province.get(order.target.province)
        if helped is None or order.to is not None:
            return 0.0
        need = view.rivals(helped.province, helped.power)
        return 0.5 * view.goodwill(helped.power) * min(need, 3)
    if isinstance(order, Move):
        standing = view.position.units_by_province.get(order.to)
        owner = view.situation.owner.get(order.to)
        hurt = standing.power if standing is not None else owner
        return -0.5 * view.goodwill(hurt) if hurt is not None else 0.0
    return 0.0


def _second(view: SeatOutlook, order: Order, orders: dict[str, Order]) -> None:
    """Have a second one help a move against a unit."""
    if not isinstance(order, Move) or order.to not in view.position.units_by_province:
        return
    for unit in _mandates(view):
        if unit.province not in orders and order.to in view.board.adjacent_locations["M"][unit.location]:
            orders[unit.province] = Support(unit.name, order.unit, order.to)
            return


LEAST = 0.3
"""The gain from which a seat proposes or votes, and the harm from which it votes for none."""


def proposal_gain(view: SeatOutlook, proposal: str) -> float:
    """What a seat gains if a proposal in normal form is adopted."""
    if proposal.startswith("2 "):
        return programme_value(view, proposal)
    kind, state, *rest = proposal.split()
    if kind in ("1A", "1B"):
        return (1 if kind == "1A" else -1) * int(rest[0]) / 20 * view.goodwill(state)
    if kind == "1C":
        return 0.0 if view.affairs.in_grace(state, view.position.phase) else view.goodwill(state)
    if kind == "1D":
        return -(0.5 + 0.25 * int(rest[0])) * view.goodwill(state)
    return _economic(view, kind, state)


def _economic(view: SeatOutlook, kind: str, state: str) -> float:
    if kind == "3B":
        return -1.2 * view.goodwill(state)
    holder = view.affairs.imf
    lost = view.goodwill(holder) if holder is not None and holder != state else 0.0
    if state == NONE:
        return -lost
    need = SHORT if state == view.seat and is_short(view.position, state) else 0.0
    return (0.0 if holder == state else view.goodwill(state)) - lost + need


def chosen_proposals(view: SeatOutlook, dice: BotView) -> Iterator[PoliticalOrder]:
    """The proposals of a seat: for each type the one that it gains most by, if that is much."""
    found: dict[str, tuple[float, PoliticalOrder]] = {}
    for measure in _candidates(view):
        kind = measure.text[0]
        value = proposal_gain(view, measure.text) * (0.8 + dice.random_below(401) / 1000)
        if value > LEAST and value > found.get(kind, (0.0, None))[0]:
            found[kind] = value, measure
    for _, measure in found.values():
        yield measure


def _candidates(view: SeatOutlook) -> Iterator[PoliticalOrder]:
    """Every lawful proposal about a state, and the best programme."""
    listed = [f"{kind} {state} {USUAL_AMOUNTS[kind]}" for kind in USUAL_AMOUNTS for state in view.regard]
    listed += [f"{kind} {state}" for kind in ("1C", "3A", "3B") for state in view.regard]
    programme = best_programme(view)
    listed += [] if programme is None else [programme]
    for text in listed:
        measure = PoliticalOrder(text, irrevocable=True)
        if (
            WorldProposalRules().check_order(view.board, view.position, view.seat, measure, view.book)
            == measure
        ):
            yield measure


def chosen_ballots(view: SeatOutlook) -> PoliticalOrder | None:
    """The ballots of a seat; None where it does not care, or has none."""
    affairs = view.affairs
    if not affairs.in_grace(view.seat, view.position.phase):
        return None
    parts = []
    for kind in open_vote_types(view.position.phase):
        made = proposals_by_seat(affairs, kind)
        values = sorted(((-proposal_gain(view, text), seat) for seat, text in made.items()))
        many = ballots_per_elector(affairs, kind)
        liked = [seat for value, seat in values if value < -LEAST][:many]
        if liked:
            parts.append(f"{kind} {' '.join(liked)}")
        elif values and values[-1][0] > LEAST:
            parts.append(f"{kind} {' '.join([NONE] * many)}")
    return PoliticalOrder(" / ".join(parts)) if parts else None


def tie_rankings(view: SeatOutlook) -> Iterator[PoliticalOrder]:
    """How the Secretary-General would settle ties: by what the weak gain."""
    for kind in open_vote_types(view.position.phase):
        made = proposals_by_seat(view.affairs, kind)
        ranked = sorted(made, key=lambda seat: (-proposal_gain(view, made[seat]), seat == UN, seat))
        if ranked:
            yield PoliticalOrder(f"RANK {kind} {' '.join(ranked)}")


def chosen_amounts(view: SeatOutlook, dice: BotView) -> Iterator[PoliticalOrder]:
    """What the Secretary-General makes of others' proposals: more of what is good, less of what is not."""
    for seat, said in sorted(dice.public_orders.items()):
        for order in said:
            kind, *rest = str(order).split()
            if kind in USUAL_AMOUNTS and rest[0] in view.regard and seat != view.seat:
                good = proposal_gain(view, str(order)) > 0
                amount = (3 if good else 1) if kind == "1D" else (30 if good else 10)
                yield PoliticalOrder(f"SET {seat} {kind} {rest[0]} {amount}")
